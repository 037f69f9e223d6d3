package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The energy of a body at the start of a step, for the balance of energy over steps. The
// pass over tets of FreeMotion knows their rotations R, which is most of the work. With R
// from the polar decomposition of F, RᵀF is symmetric and the corotated energy density is
//
//	Ψ = μ |F − R|² + ½ λ (R:F − 3)²,  |F − R|² = |F|² − 2 R:F + 3           (1)
//	R:F = Σ_a (R g_a)·e_a,  |F|² = Σ_ab (g_a·g_b) (e_a·e_b)                 (2)
//
// with the edges e_a from the first vertex and the shape gradients g_a of the others. The
// vectors R g_a are those of the stiffness. (1) loses digits: it is exact to round-off of
// μ V, see EnergyRoundoff.

// gram are the constants of (2) of eight tets: g_a·g_b for ab = 11, 22, 33, and twice that
// for 12, 13, 23.
type gram [6][8]float64

// packGram prepares the constants of (2).
func (m *Model) packGram() {
	m.gram = make([]gram, len(m.elements)/8)
	for t := range 8 * len(m.gram) {
		g := &m.elements[t].grad
		for k, ab := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
			x := g[ab[0]].Dot(g[ab[1]])
			if k > 2 {
				x *= 2
			}
			m.gram[t/8][k][t%8] = x
		}
	}
}

// lanesEnergy returns the elastic energy (1) of the tets t … t + 7 but those of the set bad.
func (f *freeMotion) lanesEnergy(b *elementLanes, t, bad int) float64 {
	x, w, g, rest := &b.pos, &b.w, &f.model.gram[t/8], &f.model.rest[t/8]
	mu, lambda, sum := f.model.mu, f.model.lambda, 0.0
	for l := range 8 {
		a0, a1, a2 := x[0][l], x[3][l], x[6][l]
		b0, b1, b2 := x[1][l], x[4][l], x[7][l]
		c0, c1, c2 := x[2][l], x[5][l], x[8][l]
		square := g[0][l]*(a0*a0+a1*a1+a2*a2) + g[1][l]*(b0*b0+b1*b1+b2*b2) + g[2][l]*(c0*c0+c1*c1+c2*c2) +
			g[3][l]*(a0*b0+a1*b1+a2*b2) + g[4][l]*(a0*c0+a1*c1+a2*c2) + g[5][l]*(b0*c0+b1*c1+b2*c2)
		trace := (w[0][l]*a0 + w[1][l]*a1 + w[2][l]*a2 + w[3][l]*b0 + w[4][l]*b1 + w[5][l]*b2 + w[6][l]*c0 + w[7][l]*c1 + w[8][l]*c2) / rest.root[l] // (2)
		if bad>>l&1 == 0 {
			sum -= rest.minus[l] * (mu*(square-2*trace+3) + 0.5*lambda*(trace-3)*(trace-3)) // (1)
		}
	}
	return sum
}

// startEnergy returns the elastic energy of a tet at the start of the step; R is the rotation
// in the deformation gradient of pos.
func (f *freeMotion) startEnergy(e *element, R *r3.Mat) float64 {
	return e.volume * f.model.spec.Law.Energy(e.gradient(f.pos), *R)
}

// StartEnergy returns the elastic energy of the state of the last FreeMotion, J.
func (d *Data) StartEnergy() float64 {
	sum := 0.0
	for _, e := range d.free.energy {
		sum += e
	}
	return sum
}

// EnergyRoundoff returns a bound on the rounding error of StartEnergy, J.
func (d *Data) EnergyRoundoff() float64 {
	return roundoffs * (d.model.mu + math.Abs(d.model.lambda)) * d.model.mass / d.model.spec.Density
}

// roundoffs is the rounding error of the sums in (1), relative to (μ + λ) V.
const roundoffs = 1e-14

// LumpedKineticEnergy returns ½ Σ m |v|² of the velocities v (3·NumVerts, m/s) with lumped
// masses of the vertices, times their bound, J. It is an upper bound on KineticEnergy, and
// cheaper.
func (d *Data) LumpedKineticEnergy(v []float64) float64 {
	sum := 0.0
	for i, m := range d.model.lumped {
		u := (*[3]float64)(v[3*i:])
		sum += m * (u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
	}
	if set := d.model.set; set != nil {
		sum *= set.kineticBound()
	}
	return 0.5 * sum
}
