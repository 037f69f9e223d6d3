package serve

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/curlfree/curlfree/kinds"
)

// arguments are those of a request. Methods read them by name and type; the first fault is kept, and what a method has
// not read is one, since a misspelled argument would have no effect.
type arguments struct {
	of   map[string]any
	read []string
	err  error
}

// fail keeps the first fault.
func (a *arguments) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, args...)
	}
}

// value returns an argument; nil where it is not given.
func (a *arguments) value(name string) any {
	a.read = append(a.read, name)
	return a.of[name]
}

// argument returns an argument of a type, or usual where it is not given.
func argument[T any](a *arguments, name, what string, usual T) T {
	v := a.value(name)
	if v == nil {
		return usual
	}
	x, ok := v.(T)
	if !ok {
		a.fail("%s: %s is expected", name, what)
	}
	return x
}

// text returns a text, empty where it is not given.
func (a *arguments) text(name string) string { return argument(a, name, "a text", "") }

// truth returns true or false.
func (a *arguments) truth(name string, usual bool) bool {
	return argument(a, name, "true or false", usual)
}

// whole returns a whole number between bounds.
func (a *arguments) whole(name string, usual, least, most int) int {
	x := argument(a, name, "a whole number", int64(usual))
	if x < int64(least) || x > int64(most) {
		a.fail("%s is %d: it goes from %d to %d", name, x, least, most)
		return usual
	}
	return int(x)
}

// number returns a finite number.
func (a *arguments) number(name string, usual float64) float64 {
	x, ok := toNumber(a.value(name), usual)
	if !ok {
		a.fail("%s: a number is expected", name)
	} else if math.IsNaN(x) || math.IsInf(x, 0) {
		a.fail("%s is %g: it must be finite", name, x)
	}
	return x
}

// toNumber returns a value as a number.
func toNumber(v any, usual float64) (x float64, ok bool) {
	switch v := v.(type) {
	case nil:
		return usual, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// texts returns a list of texts.
func (a *arguments) texts(name string) (list []string) {
	for i, v := range argument[[]any](a, name, "a list of texts", nil) {
		s, ok := v.(string)
		if !ok {
			a.fail("%s: element %d is no text", name, i)
		}
		list = append(list, s)
	}
	return list
}

// finite returns the finite numbers of an array of given dimensions, of which −1 stands for any length; nil where it is
// not given.
func (a *arguments) finite(name string, dims ...int) []float64 {
	return a.finiteInto(nil, name, dims...)
}

// finiteInto is finite in the memory of dst.
func (a *arguments) finiteInto(dst []float64, name string, dims ...int) []float64 {
	v := a.value(name)
	if v == nil {
		return nil
	}
	x, ok := v.(array)
	if !ok || x.kind != typeFloat64 {
		a.fail("%s: an array of float64 is expected", name)
		return nil
	}
	fits := len(x.dims) == len(dims)
	for i := 0; fits && i < len(dims); i++ {
		fits = dims[i] < 0 || x.dims[i] == dims[i]
	}
	if !fits {
		a.fail("%s has the shape %v: %v is expected", name, x.dims, dims)
		return nil
	}
	list, finite := x.appendFloats(dst[:0])
	for i := 0; !finite; i++ {
		if math.IsNaN(list[i]) || math.IsInf(list[i], 0) {
			a.fail("%s: number %d is %g: it must be finite", name, i, list[i])
			break
		}
	}
	if list == nil {
		list = []float64{}
	}
	return list
}

// check returns the first fault, or that of an argument that nothing has read.
func (a *arguments) check() error {
	if a.err != nil {
		return a.err
	}
	for _, name := range slices.Sorted(maps.Keys(a.of)) {
		if !slices.Contains(a.read, name) {
			return fmt.Errorf("no argument is called %q%s", name, kinds.Suggest(name, a.read))
		}
	}
	return nil
}
