package optimize

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Unknown is a value of the scene that is sought.
type Unknown struct {
	// Path is the path of the value, such as materials.silicone.youngs_modulus.
	Path string `key:"path"`
	// Paths are the paths of several values that are the same unknown, in place of Path.
	Paths []string `key:"paths"`
	// Start is the first guess, in the SI unit of the value.
	Start float64 `key:"start,required"`
	// Min is the lower bound, in the SI unit of the value; nil: none.
	Min *float64 `key:"min"`
	// Max is the upper bound, in the SI unit of the value; nil: none.
	Max *float64 `key:"max"`
	// Scale is "log", for values that are positive and known by their order of magnitude, or "linear".
	Scale string `key:"scale" choice:"log,linear"`
	// Difference is half the width of central differences, relative with Scale log, else in units of the
	// value; 0: 0.01, relative to the distance of the bounds or to the start with Scale linear.
	Difference float64 `key:"difference" min:"0"`
}

// Unknowns are searched as y, in which all are about as large,
//
//	y = ln p   or   y = p                                                               (3)
//
// with Scale log or linear.

// relativeDifference is the default width of differences. Contact begins and ends along a run: derivatives of single
// steps are then exact and mislead, where differences over 1 % follow the trend. Of soft fingers that slide along a
// part, a search with 1e-4 stalls far from the minimum that it reaches in six iterations with 0.02.
const relativeDifference = 0.01

// log reports whether (3) takes logarithms: by default where the value is positive and nothing allows zero.
func (u *Unknown) log() bool {
	return u.Scale == "log" || u.Scale == "" && u.Start > 0 && (u.Min == nil || *u.Min > 0)
}

// y returns (3) of a value.
func (u *Unknown) y(p float64) float64 {
	if u.log() {
		return math.Log(p)
	}
	return p
}

// value is the inverse of y.
func (u *Unknown) value(y float64) float64 {
	if u.log() {
		return math.Exp(y)
	}
	return y
}

// width returns half the width of differences in y.
func (u *Unknown) width() float64 {
	switch {
	case u.Difference > 0:
		return u.Difference
	case u.log():
		return relativeDifference // of ln p, which is relative to p
	}
	return relativeDifference * u.span()
}

// span returns a change of y that is regarded as large: a factor of e, the distance of the bounds, or the start.
func (u *Unknown) span() float64 {
	// a log scale has no other natural measure
	switch {
	case u.log():
		return 1
	case u.Min != nil && u.Max != nil:
		return *u.Max - *u.Min
	case u.Start != 0:
		return math.Abs(u.Start)
	}
	return 1
}

// check returns the fault of an unknown.
func (u *Unknown) check() error {
	// values, not y: the message has the numbers of the file
	lower, upper := math.Inf(-1), math.Inf(1)
	if u.Min != nil {
		lower = *u.Min
	}
	if u.Max != nil {
		upper = *u.Max
	}
	switch {
	case (u.Path == "") == (len(u.Paths) == 0):
		return errors.New("give the path of a value of the scene, or paths of several, and not both")
	case !(lower < upper):
		return fmt.Errorf("min %g is not below max %g", lower, upper)
	case u.Start < lower || u.Start > upper:
		return fmt.Errorf("start %g lies outside %g to %g", u.Start, lower, upper)
	case u.log() && (u.Start <= 0 || lower <= 0 && u.Min != nil):
		return fmt.Errorf("scale log needs a start and a min above 0: give scale linear")
	}
	return nil
}

// set appends the overrides of the scene for a value. The number is written so that it is read as the same bits.
func (u *Unknown) set(p float64, to []string) []string {
	text := strconv.FormatFloat(p, 'g', -1, 64)
	// path and paths exclude each other
	if u.Path != "" {
		return append(to, u.Path+"="+text)
	}
	for _, path := range u.Paths {
		to = append(to, path+"="+text)
	}
	return to
}

// SeeksParameters reports whether unknowns of the scene are sought, by SolveParameters, or else efforts of drives, by
// Solve.
func (t *Task) SeeksParameters() bool { return len(t.File.Unknowns.Keys) > 0 }

// unknown returns unknown number i.
func (t *Task) unknown(i int) *Unknown { return t.File.Unknowns.Get(t.File.Unknowns.Keys[i]) }

// overrides returns the values of the file and those of the unknowns, which win.
func (t *Task) overrides(y []float64) []string {
	values := make([]float64, len(y))
	for i := range y {
		values[i] = t.unknown(i).value(y[i])
	}
	return t.Overrides(values)
}

// Overrides returns the overrides with which a run of the scene has these values of the unknowns, in the order of the
// file and in SI units.
func (t *Task) Overrides(values []float64) []string {
	var set []string
	// later overrides replace earlier ones
	for _, key := range t.File.Set.Keys {
		set = append(set, key+"="+*t.File.Set.Get(key))
	}
	// unknowns come last, also where the file sets the same path
	for i, v := range values {
		set = t.unknown(i).set(v, set)
	}
	return set
}
