package scene

// The description of scene files follows from the same tags that the decoder reads. The
// manual, the JSON Schema and the glossary's test are made from it (see package reference).

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/curlfree/curlfree/kinds"
)

// Key describes a key of a scene file and the keys below it.
type Key struct {
	// Param is zero for the scene itself, which has no key.
	kinds.Param
	// Form is the form of the value, which follows from the Go type of the field.
	Form Form
	// Count is the number of elements of a list of numbers; 0: any.
	Count int
	// Keys are the keys of a mapping, or of the items of a mapping or list of mappings.
	Keys []Key
	// Items are the seams of which the mapping has a kind; the parameters of the kinds add to
	// Keys.
	Items []ItemKey

	// Scalar reports that a bare number may stand for the mapping.
	Scalar bool
}

// Form is the shape of a value in YAML.
type Form int

// Forms.
const (
	Number   Form = iota
	Whole         // a whole number
	Truth         // true or false
	Text          // a string
	Mapping       // keys and values
	ByName        // a mapping from free names to values; Keys, or Item, describe one
	List          // a list; Keys describe an item if it has mappings
	TextList      // a list of strings
	Vector        // a list of numbers
)

// String returns the name of the form for readers.
func (f Form) String() string {
	return [...]string{"number", "whole number", "true or false", "text", "mapping", "mapping by name", "list", "list of texts", "list of numbers"}[f]
}

// ItemKey describes how a mapping has one kind of a seam, such as the type of a joint.
type ItemKey struct {
	// Seam is the registry of the kinds to choose from.
	Seam kinds.Seam
	// Key is the key whose value names the kind, such as type of a joint; empty: the names of
	// the kinds are keys themselves.
	Key string
	// Default is the kind used where none is given; empty: one must be given.
	Default string
}

// Describe returns the description of a scene file: a mapping.
func Describe() Key {
	return describeStruct(reflect.ValueOf(defaults()).Elem(), kinds.Param{})
}

var (
	namedType  = reflect.TypeFor[named]()
	scalarType = reflect.TypeFor[scalar]()
)

// DescribeParam describes a parameter of a kind as a key. The manual describes parameters of
// kinds in the same words as keys of the file.
func DescribeParam(p kinds.Param) Key { return describeValue(reflect.New(p.Type).Elem(), p) }

// describeStruct describes a structure whose fields have key tags. The values of v are the
// defaults that the description states. Kinds come after the keys of the structure, as in the
// manual.
func describeStruct(v reflect.Value, p kinds.Param) Key {
	k := Key{Param: p, Form: Mapping, Scalar: reflect.PointerTo(v.Type()).Implements(scalarType)}
	// keys in the order of the fields, then the places of kinds
	for _, f := range kinds.FieldsOf(v) {
		k.Keys = append(k.Keys, describeValue(f.Value, f.Param))
	}
	for _, it := range itemsOf(v) {
		k.Items = append(k.Items, ItemKey{Seam: it.seam(), Key: it.key, Default: cmp.Or(it.name(), it.usual)})
	}
	return k
}

// describeValue describes a value by its Go type.
func describeValue(v reflect.Value, p kinds.Param) Key {
	t := v.Type()
	// a number, unless the type says otherwise
	k := Key{Param: p}
	switch {
	case t.Kind() == reflect.Pointer:
		return describeValue(reflect.New(t.Elem()).Elem(), p)
	// a list of any length, or one number
	case t == reflect.TypeFor[Numbers](), t == reflect.TypeFor[kinds.Numbers]():
		k.Form, k.Scalar = Vector, true
	// Named[T]: a mapping from free names to T; names of plain values get a placeholder
	case reflect.PointerTo(t).Implements(namedType):
		item, _ := t.FieldByName("Item")
		k = describeValue(reflect.New(item.Type.Elem().Elem()).Elem(), p)
		if k.Form == Mapping {
			k.Form = ByName
			break
		}
		k.Param = kinds.Param{Key: "NAME", Unit: p.Unit}
		k = Key{Param: p, Form: ByName, Keys: []Key{k}}
	// r3.Pose in a kind is written as any other pose
	case t == transformType:
		return describeStruct(reflect.ValueOf(new(Pose)).Elem(), p)
	// a seam, such as motion: one of its kinds, or a number if a kind takes one
	case t.Kind() == reflect.Interface:
		k.Form, k.Items = Mapping, []ItemKey{{Seam: kinds.Of(t)}}
		for _, name := range k.Items[0].Seam.Names() {
			_, number := k.Items[0].Seam.Make(name).(interface{ SetNumber(float64) })
			k.Scalar = k.Scalar || number
		}
	case t.Kind() == reflect.Struct:
		return describeStruct(v, p)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return describeList(t, k)
	case t.Kind() == reflect.Int:
		k.Form = Whole
	case t.Kind() == reflect.Bool:
		k.Form = Truth
	case t.Kind() == reflect.String:
		k.Form = Text
	}
	return k
}

// describeList describes a slice or array: of numbers, of texts, or of mappings.
// Arrays have a fixed count, slices any.
func describeList(t reflect.Type, k Key) Key {
	switch e := t.Elem(); e.Kind() {
	case reflect.Float64, reflect.Int:
		k.Form = Vector
		if t.Kind() == reflect.Array {
			k.Count = t.Len()
		}
	case reflect.String:
		k.Form = TextList
	default:
		k.Form = List
		item := describeValue(reflect.New(e).Elem(), kinds.Param{})
		k.Keys, k.Items = item.Keys, item.Items
	}
	return k
}

// Flat reports whether the parameters of a kind are written at the level of the key
// that names it, as in {position: z, body: ball}, not below it.
func Flat(s kinds.Seam, k kinds.Info) bool {
	return s.Style() == kinds.Keyed && slices.ContainsFunc(k.Params, func(p kinds.Param) bool { return p.Key == k.Name })
}
