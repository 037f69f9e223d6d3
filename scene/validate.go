package scene

// The source of a value determines which code checks it first; after that, this file checks all
// of them:
//
//	file        decoder, at the place of the value
//	override    decoder of the one value, as a fault of the command line
//	table cell  the text of the cell; the body of a row as a whole
//	default     a test of the program
//
// A value that is valid in itself may break another one: solver.contact=sap leaves a normal law that
// sap does not take, a null clears a required key. Such faults are those of the scene.

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/curlfree/curlfree/kinds"
)

// validator checks values of a scene after all of them are set. The decoder checks what
// a file gives; null values, overrides and cells of tables can still leave an item
// without its kind, clear a required key, or put numbers together that do not fit, such
// as the times of a table. Builders rely on the absence of these faults.
type validator struct {
	// fail reports a fault at the nearest item with a place, in the scene or in a table.
	fail func(at Pos, msg string)
}

// checkForm reports items without a kind, required keys without a value, values out of
// their bounds and kinds whose parameters do not fit together.
func (l *loader) checkForm() {
	v := validator{fail: func(at Pos, msg string) { l.fail(at, "%s", msg) }}
	v.value(reflect.ValueOf(l.f).Elem(), "", Pos{})
}

// value checks a value and everything below it. The position at is that of the nearest item above
// that has one. It walks the structures as the decoder does, so that paths in messages agree.
func (c validator) value(v reflect.Value, path string, at Pos) {
	if m, ok := v.Addr().Interface().(named); ok {
		// items by name; the place is that of the item above, unless it has its own
		for _, name := range m.names() {
			c.value(reflect.ValueOf(m.get(name)).Elem(), join(path, name), at)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.value(v.Elem(), path, at)
		}
	case reflect.Interface:
		if !v.IsNil() && v.Elem().Kind() == reflect.Pointer {
			c.kind(v, path, at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.value(v.Index(i), fmt.Sprintf("%s[%d]", path, i), at)
		}
	case reflect.Struct:
		if v.Type() != transformType {
			c.structure(v, path, at)
		}
	}
}

// kind checks a value of a seam's interface, such as a motion: each parameter, then all
// of them together.
func (c validator) kind(v reflect.Value, path string, at Pos) {
	// kinds without parameters, such as a constant of Go code
	if v.Elem().Elem().Kind() != reflect.Struct {
		return
	}
	c.fields(v.Elem().Elem(), path, at)
	// what the tags cannot say, such as increasing times
	if k, ok := v.Interface().(interface{ Check() error }); ok {
		if err := k.Check(); err != nil {
			c.fail(at, fmt.Sprintf("%s: %v", path, err))
		}
	}
}

// structure checks the items and fields of a structure.
func (c validator) structure(v reflect.Value, path string, at Pos) {
	// items of overrides have no line: the item above serves
	if p := posOf(v); p.Line > 0 {
		at = p
	}
	for _, it := range itemsOf(v) {
		spec := it.parameters()
		switch {
		case it.name() == "" && !it.optional:
			c.fail(at, it.wanted(path))
		// paths are those of the file: below the kind, or beside it
		case spec.IsValid() && it.key == "" && !it.flat():
			c.fields(spec, join(path, it.name()), at)
		case spec.IsValid():
			c.fields(spec, path, at)
		}
	}
	c.fields(v, path, at)
}

// fields checks the fields of a structure that have a key. Kinds of a table get values
// from columns, so only the body of each row is complete.
func (c validator) fields(v reflect.Value, path string, at Pos) {
	for _, f := range kinds.FieldsOf(v) {
		where := join(path, f.Key)
		if !strings.HasPrefix(path, "tables.") {
			if f.Required && isEmpty(f.Value) {
				c.fail(at, fmt.Sprintf("%s is required: %s", where, describe(&f.Param)))
			} else if err := f.Check(f.Value); err != nil {
				c.fail(at, fmt.Sprintf("%s %v", where, err))
			}
		}
		c.value(f.Value, where, at)
	}
}

// isEmpty reports whether a value is certainly not given. A number of 0 may be given.
// Required numbers are found missing by the decoder, which sees whether their key is there.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return v.IsNil()
	case reflect.String, reflect.Slice:
		return v.Len() == 0
	}
	return false
}

// posOf returns the position of a structure that keeps its own; zero for any other.
func posOf(v reflect.Value) Pos {
	// Pos is embedded, so the first field in most structures
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous && f.Type == posType {
			return v.Field(i).Interface().(Pos)
		}
	}
	return Pos{}
}
