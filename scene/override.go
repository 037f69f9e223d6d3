package scene

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/parser"
)

// Override sets one value of a scene by its path, "solver.contact=similar",
// whether or not the file gives it. The value is written as in YAML. An unknown
// path is an error that names the nearest one.
func (f *File) Override(assignment string) error {
	path, text, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("--set %s: PATH=VALUE is wanted, such as time.step=0.002", assignment)
	}
	v := reflect.ValueOf(f).Elem()
	done := ""
	for _, key := range strings.Split(path, ".") {
		next, err := child(v, key, done)
		if err != nil {
			return fmt.Errorf("--set %s: %w", assignment, err)
		}
		v, done = next, join(done, key)
	}
	doc, err := parser.ParseBytes([]byte(text), 0)
	if err != nil || len(doc.Docs) != 1 || doc.Docs[0].Body == nil {
		return fmt.Errorf("--set %s: %q is not a value", assignment, text)
	}
	d := &decoder{file: "--set " + path}
	d.value(doc.Docs[0].Body, v, path)
	for i, e := range d.errs {
		if pe, ok := e.(*Error); ok {
			pe.Pos = Pos{}
			d.errs[i] = pe
		}
	}
	return errors.Join(d.errs...)
}

// child steps into one key of a value; done is the path so far.
func child(v reflect.Value, key, done string) (reflect.Value, error) {
	if m, ok := v.Addr().Interface().(named); ok {
		if item := m.get(key); item != nil {
			return reflect.ValueOf(item).Elem(), nil
		}
		// default serves what names no other, so it may come from nowhere
		if key == "default" {
			return reflect.ValueOf(m.add(key)).Elem(), nil
		}
		return v, fmt.Errorf("%s has no %q%s", orScene(done), key, suggest(key, m.names()))
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return child(v.Elem(), key, done)
	case reflect.Struct:
		fields := fieldsOf(v)
		if f, ok := fields[key]; ok {
			return f, nil
		}
		return v, fmt.Errorf("unknown path %s%s", join(done, key), suggest(key, keysOf(fields)))
	case reflect.Slice, reflect.Array:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= v.Len() {
			return v, fmt.Errorf("%s has %d items, counted from 0: %q is none of them", done, v.Len(), key)
		}
		return v.Index(i), nil
	}
	return v, fmt.Errorf("%s is a single value: nothing stands below it", done)
}
