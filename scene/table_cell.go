package scene

// Cells of tables of bodies: each sets one value of a body by the path of its column.

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
)

// checkColumn returns why no kind of the table has a value at a path. Kinds differ, so a column
// must be of use to one of them; rows of others leave its cells empty.
func (r *tableReader) checkColumn(path string) error {
	var first error
	for _, name := range r.spec.Kinds.Keys {
		// a copy, since even a check steps into values and may make them
		body := clone(reflect.ValueOf(r.spec.Kinds.Get(name)).Elem()).Interface().(Body)
		err := setCell(&body, path, "")
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// choosesKind reports whether the value at a path of a body names the kind of an item.
// It steps through an empty body, in which the key of a kind exists whatever kind is chosen.
func choosesKind(path string) bool {
	at, err := field{Value: reflect.ValueOf(new(Body)).Elem()}, error(nil)
	for _, key := range strings.Split(path, ".") {
		if at, err = child(at, key, ""); err != nil {
			return false
		}
	}
	return at.choice != nil
}

// setCell sets one value of a body by its path from the text of a cell. An empty text only checks
// whether the path is one that a cell can set, in a body of this kind or of one that other
// columns make of it. Lists of structures are not lengthened: shapes are those of the kind.
func setCell(body *Body, path, text string) error {
	// the steps are those of overrides (child), so that columns and --set have the same paths
	at, done := field{Value: reflect.ValueOf(body).Elem()}, ""
	for _, key := range strings.Split(path, ".") {
		if _, err := strconv.Atoi(key); err == nil && text == "" && at.Kind() == reflect.Slice && at.Type().Elem().Kind() == reflect.Struct {
			if i, _ := strconv.Atoi(key); i < 0 || i >= at.Len() {
				return nil // the row reports it, for kinds differ in their number of shapes
			}
		}
		next, err := child(at, key, done)
		if err != nil && text == "" && someKindHas(at, key) {
			return nil
		}
		if err != nil {
			return err
		}
		at, done = next, join(done, key)
	}
	// the name of a kind
	if at.choice != nil {
		return chooseCell(at.choice, done, text)
	}
	// a pointer of the kind itself may be shared: set a new one
	if at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		at = at.of(at.Elem())
	}
	return at.setText(done, text)
}

// someKindHas reports whether a key is a parameter of some kind that an item of a
// structure may become by another column.
func someKindHas(v field, key string) bool {
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	s := reflect.Indirect(v.Value)
	if s.Kind() != reflect.Struct {
		return false
	}
	for _, it := range itemsOf(s) {
		for _, k := range it.seam().Kinds() {
			if it.key != "" && slices.ContainsFunc(k.Params, func(p kinds.Param) bool { return p.Key == key }) {
				return true
			}
		}
	}
	return false
}

// chooseCell sets the kind of an item by the text of a cell.
func chooseCell(it item, path, text string) error {
	if text == "" {
		return nil
	}
	current, ok := it.seam().Current(text)
	if !ok {
		return fmt.Errorf("%s: unknown %s %q%s", path, it.seam().Name(), clip(text), kinds.Suggest(text, it.seam().Names()))
	}
	it.set(current, Pos{})
	return nil
}

// setText sets a single value from the text of a cell; an empty text is only checked.
func (f field) setText(path, text string) error {
	switch s, isScalar := f.Addr().Interface().(scalar); {
	case isScalar || f.Kind() == reflect.Float64:
		// ±Inf only where the parameter allows it, such as a limit that does not limit
		x, err := strconv.ParseFloat(text, 64)
		if text != "" && (err != nil || math.IsNaN(x) || math.IsInf(x, 0) && !f.param.Infinite) {
			return fmt.Errorf("a number is expected, not %q", clip(text))
		}
		if isScalar {
			s.setScalar(x)
		} else {
			// a cell has the unit of the key, such as degrees; fields have SI units
			f.SetFloat(kinds.ToStored(x, f.param.Unit))
		}
	case f.Kind() == reflect.Bool:
		x, err := strconv.ParseBool(text)
		if text != "" && err != nil {
			return fmt.Errorf("true or false is expected, not %q", clip(text))
		}
		f.SetBool(x)
	// any text, also one that looks like a number
	case f.Kind() == reflect.String:
		f.SetString(text)
	default:
		return fmt.Errorf("%s has several values, and a cell has one: name one of them", path)
	}
	return nil
}

// clone copies a value with all that it points to. Structures with unexported fields keep those
// as they are: items share the parameters of kinds that are not chosen, which no cell sets.
func clone(v reflect.Value) reflect.Value {
	// a shallow copy first, which brings the unexported fields; then what it points to
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(clone(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			c.Set(clone(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				c.Index(i).Set(clone(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !c.Field(i).CanSet() {
				continue // an unexported field, which came with the shallow copy
			}
			c.Field(i).Set(clone(v.Field(i)))
		}
	}
	return c
}
