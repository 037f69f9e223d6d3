package scene

// A deep copy of a file, so that what a program edits is not what the loader and the builder refer to. The structures
// of this package and the parameters of kinds are plain data behind exported fields; what unexported fields point to,
// such as compiled expressions, does not change and is shared.

import (
	"reflect"

	"github.com/curlfree/curlfree/r3"
)

// clone returns a deep copy of the file.
func (f *File) clone() *File {
	out := *f
	if f.poses != nil {
		out.poses = make(map[*r3.Pose]Pose, len(f.poses))
	}
	c := cloner{from: f, to: &out}
	c.deepen(reflect.ValueOf(&out).Elem(), reflect.ValueOf(f).Elem())
	return &out
}

// cloner copies a file.
type cloner struct{ from, to *File }

// deepen replaces all that v refers to by copies. v is a shallow copy of was; both are addressable.
func (c *cloner) deepen(v, was reflect.Value) {
	if v.Type() == transformType {
		// written poses are found by the address of what the kind has of them
		if written, ok := c.from.poses[was.Addr().Interface().(*r3.Pose)]; ok {
			c.to.poses[v.Addr().Interface().(*r3.Pose)] = written
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			v.Set(c.copied(was.Elem()).Addr())
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		value := was.Elem()
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			v.Set(c.copied(value.Elem()).Addr())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.deepen(v.Field(i), was.Field(i))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), was.Len(), was.Len()))
			reflect.Copy(v, was)
			c.elements(v, was)
		}
	case reflect.Array:
		c.elements(v, was)
	case reflect.Map:
		if !v.IsNil() {
			c.entries(v, was)
		}
	}
}

// elements replaces what the elements of a list refer to.
func (c *cloner) elements(v, was reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Float64 { // tables have many
		return
	}
	for i := range v.Len() {
		c.deepen(v.Index(i), was.Index(i))
	}
}

// entries makes v a map of copies.
func (c *cloner) entries(v, was reflect.Value) {
	v.Set(reflect.MakeMapWithSize(v.Type(), was.Len()))
	for k, x := range was.Seq2() {
		from := reflect.New(x.Type()).Elem()
		from.Set(x)
		v.SetMapIndex(k, c.copied(from))
	}
}

// copied returns a deep copy of an addressable value.
func (c *cloner) copied(was reflect.Value) reflect.Value {
	v := reflect.New(was.Type()).Elem()
	v.Set(was)
	c.deepen(v, was)
	return v
}
