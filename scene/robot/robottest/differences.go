package robottest

import (
	"fmt"
	"math"
	"reflect"
)

// Two robots are compared by reflection, so that a field which is added to package robot is compared
// without a word here: a reader that forgets it fails the tests of its format.

// Differences lists where two values differ, each by its path: numbers by more than a
// tolerance, relative above 1. NaN equals NaN, and fields called Line are not compared.
func Differences(got, want any, tolerance float64) []string {
	d := differ{tolerance: tolerance}
	d.walk("", reflect.ValueOf(got), reflect.ValueOf(want))
	return d.all
}

// differ collects differences: all of them, because one fault of a reader often shows in several fields.
type differ struct {
	tolerance float64  // relative above 1, else absolute
	all       []string // as messages, by path
}

// add notes a difference at a path.
func (d *differ) add(path, format string, args ...any) {
	d.all = append(d.all, path+": "+fmt.Sprintf(format, args...))
}

// walk compares two values of one type, field by field.
func (d *differ) walk(path string, a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Float64:
		// x = y catches infinities, whose difference is NaN
		x, y := a.Float(), b.Float()
		if !(math.Abs(x-y) <= d.tolerance*max(1, math.Abs(y))) && x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			d.add(path, "%.17g, want %.17g", x, y)
		}
	case reflect.Struct:
		for i := range a.NumField() {
			// formats write the same robot on other lines
			if f := a.Type().Field(i).Name; f != "Line" {
				d.walk(path+"."+f, a.Field(i), b.Field(i))
			}
		}
	case reflect.Pointer:
		// nil means not given, which is not the same as a zero
		if a.IsNil() != b.IsNil() {
			d.add(path, "%v, want %v", a, b)
		} else if !a.IsNil() {
			d.walk(path, a.Elem(), b.Elem())
		}
	case reflect.Slice, reflect.Array:
		// without a common length items have no partners
		if a.Len() != b.Len() {
			d.add(path, "%d items, want %d", a.Len(), b.Len())
			return
		}
		for i := range a.Len() {
			d.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	// numbers that are whole, names and truths: equal or not
	default:
		if !a.Equal(b) {
			d.add(path, "%v, want %v", a, b)
		}
	}
}
