package gears

import "math"

// Hertz is the contact of two cylinders (K. L. Johnson, Contact Mechanics, 1985, section 4.2).
type Hertz struct {
	// Modulus is E*, 1/E* = Σ (1 − ν²)/E, Pa; Radius that of the effective curvature, m.
	Modulus, Radius float64
}

// HertzAt returns the contact of a pair at path lengths of both flanks, m.
func (p *Pair) HertzAt(sA, sB float64) Hertz {
	a, b := p.A.Material, p.B.Material
	return Hertz{1 / ((1-a.Nu*a.Nu)/a.E + (1-b.Nu*b.Nu)/b.E), p.EffectiveRadius(sA, sB)}
}

// Pressure returns the largest pressure √(w E*/(π ρ)), Pa, under the line load w, N/m.
func (h Hertz) Pressure(w float64) float64 { return math.Sqrt(w * h.Modulus / (math.Pi * h.Radius)) }

// HalfWidth returns √(4 w ρ/(π E*)), m.
func (h Hertz) HalfWidth(w float64) float64 {
	return math.Sqrt(4 * w * h.Radius / (math.Pi * h.Modulus))
}
