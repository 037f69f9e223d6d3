package study

import (
	"errors"
	"math"
	"strconv"
)

// Distribution is how a value is drawn. Exactly one of uniform, log_uniform, normal, integer and choice
// is given.
type Distribution struct {
	// Uniform has equal density between two bounds.
	Uniform *[2]float64 `key:"uniform"`
	// LogUniform has a logarithm of equal density between two bounds above 0.
	LogUniform *[2]float64 `key:"log_uniform"`
	// Normal is the normal distribution of a mean and a standard deviation.
	Normal *[2]float64 `key:"normal"`
	// Integer draws whole numbers from the first to the last with equal probability.
	Integer *[2]float64 `key:"integer"`
	// Choice draws from a list with equal probability.
	Choice []string `key:"choice"`

	// Min and Max cut a normal distribution off: it is drawn given that it lies between them. Min is the
	// lower cut; nil: none.
	Min *float64 `key:"min"`
	// Max is the upper cut; nil: none.
	Max *float64 `key:"max"`
}

// check returns the first fault of the distribution.
func (d *Distribution) check() error {
	if d.given() != 1 {
		return errors.New("give exactly one of uniform, log_uniform, normal, integer and choice")
	}
	// the negated comparison refuses NaN too
	for _, b := range []*[2]float64{d.Uniform, d.LogUniform, d.Integer} {
		if b != nil && !(b[0] < b[1]) {
			return errors.New("the second bound must be above the first")
		}
	}
	switch {
	case d.LogUniform != nil && !(d.LogUniform[0] > 0):
		return errors.New("bounds of log_uniform must be above 0")
	case d.Integer != nil && (d.Integer[0] != math.Trunc(d.Integer[0]) || d.Integer[1] != math.Trunc(d.Integer[1])):
		return errors.New("bounds of integer must be whole numbers")
	case d.Choice != nil && len(d.Choice) == 0:
		return errors.New("choice has no values")
	case d.Normal == nil && (d.Min != nil || d.Max != nil):
		return errors.New("min and max apply to normal only")
	case d.Normal != nil && !(d.Normal[1] > 0):
		return errors.New("the standard deviation must be above 0")
	}
	// bounds far out in one tail leave no probability between them in floats of 64 bits
	if d.Normal != nil {
		if low, high := d.cut(); !(high > low) {
			return errors.New("no normal value lies between min and max: move them towards the mean")
		}
	}
	return nil
}

// given counts the kinds that are given: more than one would leave open which counts.
func (d *Distribution) given() (n int) {
	for _, has := range []bool{d.Uniform != nil, d.LogUniform != nil, d.Normal != nil, d.Integer != nil, d.Choice != nil} {
		if has {
			n++
		}
	}
	return n
}

// text returns the value at a point u of [0, 1) as text, with all digits.
func (d *Distribution) text(u float64) string {
	// choices are texts already, such as names of files
	if d.Choice != nil {
		return d.Choice[int(u*float64(len(d.Choice)))]
	}
	return strconv.FormatFloat(d.quantile(u), 'g', -1, 64)
}

// quantile returns F⁻¹(u).
func (d *Distribution) quantile(u float64) float64 {
	switch {
	case d.Uniform != nil:
		return d.Uniform[0] + u*(d.Uniform[1]-d.Uniform[0])
	case d.LogUniform != nil:
		// even in the logarithm
		a, b := math.Log(d.LogUniform[0]), math.Log(d.LogUniform[1])
		return math.Exp(a + u*(b-a))
	case d.Integer != nil:
		return d.Integer[0] + math.Floor(u*(d.Integer[1]-d.Integer[0]+1))
	}
	// Φ⁻¹ within the cut; u = 0 would be −∞
	low, high := d.cut()
	const smallest = 1. / (1 << 54)
	p := math.Min(math.Max(low+u*(high-low), smallest), 1-2*smallest)
	return d.Normal[0] + d.Normal[1]*math.Sqrt2*math.Erfinv(2*p-1)
}

// cut returns the cumulative probabilities of the bounds of a normal distribution.
func (d *Distribution) cut() (low, high float64) {
	// Φ by the complementary error function, which keeps its digits in the lower tail
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-(x-d.Normal[0])/(d.Normal[1]*math.Sqrt2)) }
	low, high = 0, 1
	if d.Min != nil {
		low = phi(*d.Min)
	}
	if d.Max != nil {
		high = phi(*d.Max)
	}
	return low, high
}
