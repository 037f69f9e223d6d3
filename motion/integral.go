package motion

import "sort"

// Integrable is a Motion whose integral over time has a closed form.
type Integrable interface {
	Motion
	// Integral returns ∫ x dt from the time 0, or from any other time that is the same for all t.
	Integral(t float64) float64
}

var (
	_ Integrable = Constant(0)
	_ Integrable = (*Value)(nil)
	_ Integrable = (*Piecewise)(nil)
)

// Integral implements Integrable.
func (c Constant) Integral(t float64) float64 { return float64(c) * t }

// Integral implements Integrable.
func (v *Value) Integral(t float64) float64 { return v.Number * t }

// Integral implements Integrable: pieces of (3) have the mean of their ends, and within a piece of length
// T, with S(s) = ∫ f ds = s²/2, or s⁴ (5/2 − 3 s + s²) of minimum jerk,
//
//	∫ x dt = T (x_i s + (x_{i+1} − x_i) S(s))                                  (4)
//
// It counts from the first knot, before which the value is constant.
func (p *Piecewise) Integral(t float64) float64 {
	i := sort.Search(len(p.Times), func(i int) bool { return p.Times[i] > t }) // the knot ahead
	if i == 0 {
		return p.Values[0] * (t - p.Times[0])
	}
	sum := 0.0
	for k := 1; k < i; k++ {
		sum += (p.Times[k] - p.Times[k-1]) * (p.Values[k] + p.Values[k-1]) / 2
	}
	if i == len(p.Times) {
		return sum + p.Values[i-1]*(t-p.Times[i-1])
	}
	T := p.Times[i] - p.Times[i-1]
	s := (t - p.Times[i-1]) / T
	S := s * s / 2
	if p.Smooth {
		S = s * s * s * s * (2.5 + s*(s-3))
	}
	return sum + T*(p.Values[i-1]*s+(p.Values[i]-p.Values[i-1])*S)
}
