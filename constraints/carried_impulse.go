package constraints

// Impulses that near-rigid loops carry. A near-rigid equation yields by h R γ (compliant.go), with R of the Delassus
// entry w of its own bodies. Of a light body between heavy ones w is that of the light body, the impulse that of the
// heavy ones, and the equation yields by their ratio of masses more. So an impulse f h of which it is known that the
// equation carries it adds R h f to v̂,
//
//	γ = f h + (v̂ − c)/R,   yield  h R (γ − f h)                             (1)
//
// and with f = γ/h of the solve before the yield vanishes as the solves repeat: γ is then the multiplier of c = v̂.
// Each solve takes the yield to its share R/(R + w′), with the inverse mass w′ that the equation feels among all
// others.
// Source: method of multipliers, Hestenes (1969), Powell (1969).

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Yield writes by how much the near-rigid equations of a loop of rigid bodies yield in a solved problem, (1) (m or
// rad), and returns their number. Others, springs among them, have 0.
func Yield(p *cliques.Problem, h cliques.Handle, dst *[6]float64) int {
	law, ok := p.Constraints[h].Law.(*compliant)
	if !ok {
		return 0
	}
	for i, gamma := range p.Impulse(h) {
		e := &law.rows[i]
		if dst[i] = 0; e.carries() && !math.IsInf(e.r, 1) {
			dst[i] = p.H * e.r * math.Abs(gamma-p.H*e.f)
		}
	}
	return len(law.rows)
}

// Carry gives the near-rigid equations of a loop of rigid bodies the impulses that they carry, N s or N m s, before the
// problem is solved.
func Carry(p *cliques.Problem, h cliques.Handle, impulses *[6]float64) {
	law, ok := p.Constraints[h].Law.(*compliant)
	if !ok {
		return
	}
	for i := range law.rows {
		if e := &law.rows[i]; e.carries() {
			e.f = impulses[i] / p.H
		}
	}
}

// carries reports whether an equation may carry an impulse.
func (e *row) carries() bool { return e.loop && math.IsInf(e.k, 1) }
