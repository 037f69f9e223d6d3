package scene

// A mapping is decoded in two passes. The first looks for the keys that name kinds, such as
// type of a joint or sphere of a shape, because the kind decides which other keys there are.
// The second decodes all entries:
//
//	{type: revolute, axis: [0, 0, 1], lower: -1}
//	 first pass      └ of the kind     └ of the structure with the item
//
// An earlier name of a key or kind is read with a warning. A misspelled key suggests the
// nearest of the keys that the chosen kinds allow here.
//
//	named       free names to items        bodies: {ball: …}
//	structure   known keys, from tags      solver: {contact: …}
//	kind        a seam's interface         target: {sine: {amplitude: 1}} or target: 0.5
//
// Faults are collected, not returned: a scene with five faults reports all five. A mapping whose
// own syntax is at fault is not looked into, since what follows from it would only confuse.

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

var posType = reflect.TypeFor[Pos]()

// named decodes a mapping from free names to items. A name that is given twice is a fault: the
// second item would replace the first in silence. The order of the file is kept (see Named).
func (d *decoder) named(n ast.Node, m named, path string) {
	for _, kv := range d.mapping(n, path) {
		key := keyOf(kv)
		// YAML forbids it, the parser lets it pass
		if m.get(key) != nil {
			d.fail(kv.Key, "%s is given twice", join(path, key))
			continue
		}
		// the item is there before its value, so that a null makes an item of defaults
		item := reflect.ValueOf(m.add(key)).Elem()
		d.value(kv.Value, field{Value: item}, join(path, key))
		setPos(item, position(kv.Key))
	}
}

// kind decodes a value of a seam's interface, such as a motion. A bare number stands for the kind
// that takes one. Other than an Item, a seam's interface has the kind itself, so that a value
// without a kind is nil, and parameters are those of a new kind of defaults.
func (d *decoder) kind(n ast.Node, v field, path string) {
	seam := kinds.Of(v.Type())
	if seam == nil {
		panic("scene: no kinds of " + v.Type().String())
	}
	if n.Type() != ast.MappingType && n.Type() != ast.MappingValueType && d.bareNumber(n, v, seam, path) {
		return
	}
	// a mapping: its kind first, then the parameters of this kind; a looseItem stands for the structure
	// that would have the kind
	it := itemField{item: &looseItem{in: seam}}
	before := len(d.errs)
	values := d.mapping(n, path)
	if len(d.errs) > before {
		return
	}
	// one kind at most: two exclude each other, and none is reported below
	d.chooseKind(&it, values, path)
	d.entries(n, values, []itemField{it}, it.fields(), path)
	d.missingKind(n, &it, values, len(d.errs) > before, path)
	if it.name() != "" {
		v.Set(it.parameters().Addr())
	}
}

// bareNumber decodes a number that stands for a kind, and reports whether a kind of the seam
// takes one. A text in place of the number is likely the name of a kind without its
// parameters, so the message names the nearest.
func (d *decoder) bareNumber(n ast.Node, v field, seam kinds.Seam, path string) bool {
	for _, name := range seam.Names() {
		spec := seam.Make(name)
		// the first kind that takes a number is the one that a number stands for
		s, ok := spec.(interface{ SetNumber(float64) })
		if !ok {
			continue
		}
		if t, ok := n.(*ast.StringNode); ok && !startsNumber(t.Value) {
			d.fail(n, "%s: a number or a %s with its parameters is expected, not %s%s", path, seam.Name(), brief(n), kinds.Suggest(t.Value, seam.Names()))
		} else if x, ok := d.number(n, v, path); ok {
			s.SetNumber(x)
			v.Set(reflect.ValueOf(spec))
		}
		return true
	}
	return false
}

// startsNumber reports whether a text begins as a number does, such as "5 mm".
func startsNumber(s string) bool {
	return s != "" && strings.ContainsRune("+-.0123456789", rune(s[0]))
}

// structure decodes a mapping with known keys: first the kinds of its items, which add keys, then
// the values. A structure that is there already, such as one with defaults, keeps what the
// mapping leaves out.
func (d *decoder) structure(n ast.Node, v field, path string) {
	if v.Type() == transformType {
		d.transform(n, v, path)
		return
	}
	setPos(v.Value, position(n))
	before := len(d.errs)
	values := d.mapping(n, path)
	if len(d.errs) > before {
		return
	}
	// pass 1: kinds, which add keys
	items := itemsOf(v.Value)
	for i := range items {
		d.chooseKind(&items[i], values, path)
	}
	// pass 2: all entries
	d.entries(n, values, items, fieldsOf(v.Value), path)
	for i := range items {
		d.missingKind(n, &items[i], values, len(d.errs) > before, path)
	}
}

// missingKind reports an item without a kind, unless another fault of the same mapping
// explains it, such as a misspelled kind.
func (d *decoder) missingKind(n ast.Node, it *itemField, values []*ast.MappingValueNode, explained bool, path string) {
	if it.name() == "" && !it.optional && !explained {
		d.fail(n, "%s%s", it.wanted(path), meantKind(it, values))
	}
}

// meantKind suggests a kind for a mapping that names none. All of its keys are parameters of
// some kind, else a message about them explains it; one of them may be the plural or singular
// of a kind's name, as in {values: 0.5} for {value: 0.5}.
func meantKind(it *itemField, values []*ast.MappingValueNode) string {
	if it.key != "" {
		return ""
	}
	for _, kv := range values {
		key := keyOf(kv)
		for _, name := range it.seam().Names() {
			if key == name+"s" || name == key+"s" {
				return kinds.Suggest(key, []string{name})
			}
		}
	}
	return ""
}

var transformType = reflect.TypeFor[r3.Pose]()

// transform decodes a pose of a kind's parameters. Kinds store poses as r3.Pose; in the file they
// have the keys of Pose.
func (d *decoder) transform(n ast.Node, v field, path string) {
	var p Pose
	before := len(d.errs)
	if d.structure(n, field{Value: reflect.ValueOf(&p).Elem()}, path); len(d.errs) > before {
		return
	}
	d.setTransform(n, &p, v.Value, path)
}

// setTransform sets a pose of a kind's parameters to what is written at a node.
func (d *decoder) setTransform(n ast.Node, p *Pose, v reflect.Value, path string) {
	x, err := p.transform()
	if err != nil {
		d.fail(n, "%s: %v", path, err)
	} else if doubt := p.inDegrees(); doubt != "" {
		d.warn(n, "%s: %s", path, doubt)
	}
	v.Set(reflect.ValueOf(x))
	if d.poses != nil {
		d.poses[v.Addr().Interface().(*r3.Pose)] = *p
	}
}

// entries decodes the entries of a mapping into the fields of a structure and of its items'
// kinds. Present and earlier name of a key are one key, so that giving both is a fault.
func (d *decoder) entries(n ast.Node, values []*ast.MappingValueNode, items []itemField, fields map[string]field, path string) {
	seen := map[string]bool{}
	for _, kv := range values {
		key := keyOf(kv)
		f, ok := fields[key]
		switch {
		// a kind that excludes the chosen one, or the key that named it: pass 1 dealt with both
		case !ok && namesKind(items, key):
		case !ok:
			d.unknown(kv, key, items, fields, path)
		// an earlier name beside the present one, or a key twice
		case seen[f.param.Key]:
			d.fail(kv.Key, "%s is given twice", join(path, f.param.Key))
		default:
			seen[f.param.Key] = true
			if key != f.param.Key && f.param.Key != "" {
				d.warn(kv.Key, "%s is now called %s; the old name will not be read by the next version", join(path, key), f.param.Key)
			}
			d.member(kv, f, join(path, key))
		}
	}
	d.missing(n, fields, seen, path)
}

// member decodes the value of a key and checks it.
func (d *decoder) member(kv *ast.MappingValueNode, f field, path string) {
	before := len(d.errs)
	d.value(kv.Value, f, path)
	setPos(f.Value, position(kv.Key))
	if len(d.errs) == before {
		d.check(kv.Key, f, path)
	}
}

// check reports a value out of its bounds, or a kind whose parameters do not go
// together.
func (d *decoder) check(n ast.Node, f field, path string) {
	if err := f.param.Check(f.Value); err != nil {
		d.fail(n, "%s %v", path, err)
	}
	if f.Kind() != reflect.Interface || f.IsNil() {
		return
	}
	// Parameters may be valid each but not together, as times and values of unlike number.
	if c, ok := f.Interface().(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			d.fail(n, "%s: %v", path, err)
		}
	}
}

// missing reports required keys that are not given. Items of a table's kinds may get
// theirs from columns, so that their constructors decide.
func (d *decoder) missing(n ast.Node, fields map[string]field, seen map[string]bool, path string) {
	if strings.HasPrefix(path, "tables.") {
		return
	}
	// sorted, so that messages come in the same order in every run
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if f := fields[key]; f.param.Required && key == f.param.Key && !seen[key] {
			d.fail(n, "%s is required: %s", join(path, key), describe(&f.param))
		}
	}
}

// describe returns the meaning of a parameter with its unit.
func describe(p *kinds.Param) string {
	if p.Unit == "" {
		return p.Doc
	}
	return p.Doc + ", " + p.Unit
}

// chooseKind finds the kind of an item among the entries of its mapping. A key with a null value
// counts as absent. Two kinds in one mapping exclude each other. Of Keyed and Nested seams the
// kind is itself a key, of Typed and Plain ones the value of a key.
func (d *decoder) chooseKind(it *itemField, values []*ast.MappingValueNode, path string) {
	seam := it.seam()
	given := ""
	for _, kv := range values {
		key := keyOf(kv)
		name := key
		if _, null := kv.Value.(*ast.NullNode); null {
			continue
		}
		if it.key != "" {
			if key != it.key && !slices.Contains(it.earlier, key) {
				continue
			}
			if key != it.key {
				d.warn(kv.Key, "%s is now called %s; the old name will not be read by the next version", join(path, key), it.key)
			}
			// {type: revolute}: the kind is the value of the key
			if name = scalarText(kv.Value); name == "" {
				d.fail(kv.Value, "%s: the name of a %s is expected, not %s", join(path, key), seam.Name(), brief(kv.Value))
				return
			}
		}
		current, ok := seam.Current(name)
		switch {
		// any other key of the structure
		case !ok && it.key == "":
			continue
		case !ok:
			d.fail(kv.Value, "%s: unknown %s %q%s", join(path, key), seam.Name(), name, kinds.Suggest(name, seam.Names()))
			return
		case given != "":
			d.fail(kv.Key, "%s: %s and %s exclude each other: one kind of %s is required", path, given, name, seam.Name())
			continue
		}
		// a kind that stands as a key is warned of by entries
		if current != name && it.key != "" {
			d.warn(kv.Key, "%s %s is now called %s; the old name will not be read by the next version", seam.Name(), name, current)
		}
		given = name
		it.set(current, position(kv.Key))
	}
}

// scalarText returns the text of a scalar node, empty for any other. Names of kinds are texts; a
// number here is likely a misplaced value, which the message quotes.
func scalarText(n ast.Node) string {
	switch t := n.(type) {
	case *ast.AnchorNode:
		return scalarText(t.Value)
	case *ast.StringNode:
		return t.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	return ""
}

// namesKind reports whether a key names the kind of an item, or is a kind.
func namesKind(items []itemField, key string) bool {
	return slices.ContainsFunc(items, func(it itemField) bool {
		if it.key != "" {
			return key == it.key || slices.Contains(it.earlier, key)
		}
		_, ok := it.seam().Current(key)
		return ok
	})
}

// unknown reports a key that has no meaning here. A key that some other kind has is no
// misspelling, and the remedy differs: leave it out. For all others the nearest key of the chosen
// kinds is named, by the least number of letters to insert, drop, change or swap (kinds.Suggest),
// or all of them where none is near.
func (d *decoder) unknown(kv *ast.MappingValueNode, key string, items []itemField, fields map[string]field, path string) {
	for _, it := range items {
		// a key that another kind would have is not misspelled
		for _, k := range it.seam().Kinds() {
			if it.seam().Style() == kinds.Nested || !slices.ContainsFunc(k.Params, func(p kinds.Param) bool { return p.Key == key }) {
				continue
			}
			if it.name() != "" { // else the error is that there is no kind
				d.fail(kv.Key, "%s has no meaning for a %s of kind %s: leave it out", join(path, key), it.seam().Name(), it.name())
			}
			return
		}
	}
	d.fail(kv.Key, "unknown key %s%s", join(path, clip(key)), kinds.Suggest(key, choices(items, fields)))
}

// choices returns the keys that a structure takes, and the kinds that it could name.
func choices(items []itemField, fields map[string]field) []string {
	var names []string
	for _, name := range keysOf(fields) {
		// not by its earlier names: nobody should learn them
		if fields[name].param.Key == name {
			names = append(names, name)
		}
	}
	for _, it := range items {
		if it.key != "" {
			names = append(names, it.key)
		} else {
			names = append(names, it.seam().Names()...)
		}
	}
	return unique(names) // a parameter may be called as a kind is
}

// mapping returns the entries of a mapping node. An empty mapping is valid: an item of defaults.
func (d *decoder) mapping(n ast.Node, path string) []*ast.MappingValueNode {
	var values []*ast.MappingValueNode
	switch t := n.(type) {
	case *ast.MappingNode:
		values = t.Values
	// the parser gives a mapping of one entry without the mapping around it
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{t}
	default:
		d.fail(n, "%s: keys and values are expected, not %s", orScene(path), brief(n))
	}
	return slices.DeleteFunc(slices.Clone(values), func(kv *ast.MappingValueNode) bool {
		// <<: would bring keys that stand elsewhere
		_, merge := kv.Key.(*ast.MergeKeyNode)
		if merge {
			d.fail(kv.Key, "%s: YAML merge keys are not supported in scenes: write the values out", orScene(path))
		}
		return merge
	})
}

// keyOf returns the key of an entry of a mapping.
func keyOf(kv *ast.MappingValueNode) string { return kv.Key.GetToken().Value }

// setPos notes where an item stands, if it is of a kind that keeps that.
// Items of mappings stand where their name stands, others where their value begins.
func setPos(v reflect.Value, p Pos) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	// the embedded Pos, not a field that happens to be of its type
	for i := range v.NumField() {
		if v.Field(i).Type() == posType && v.Type().Field(i).Anonymous {
			v.Field(i).Set(reflect.ValueOf(p))
		}
	}
}

// fieldsOf returns the settable fields of a structure by their keys, earlier keys and
// the parameters of its items' kinds among them.
func fieldsOf(v reflect.Value) map[string]field {
	m := map[string]field{}
	for _, f := range kinds.FieldsOf(v) {
		m[f.Key] = field{Value: f.Value, param: f.Param}
		for _, old := range f.Formerly {
			m[old] = field{Value: f.Value, param: f.Param}
		}
	}
	for _, it := range itemsOf(v) {
		for key, f := range it.fields() {
			// a key of the structure wins over one of its kinds
			if _, own := m[key]; !own {
				m[key] = f
			}
		}
	}
	return m
}

// keysOf returns the keys of a map, sorted, for messages that do not change between runs.
func keysOf[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// join appends a key to a path, such as "bodies" and "ball" to "bodies.ball".
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// orScene names the place of a path in a message; the empty path is the whole scene.
func orScene(path string) string {
	if path == "" {
		return "the scene"
	}
	return path
}
