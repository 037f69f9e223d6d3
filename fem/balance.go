package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The energy of a body at the start of a step, for the balance of energy over steps. The
// pass over tets of FreeMotion knows their rotations R, which is most of the work. With the
// edges e_a from the first vertex, the shape gradients g_a of the others, and the vectors
// w_a = √V R g_a of the stiffness,
//
//	S = F Rᵀ − I = Σ_a e_a w_aᵀ/√V − I                                      (1)
//	Ψ = μ |sym S|² + ½ λ (tr S)²                                            (2)
//
// is the corotated energy density, since S = R (RᵀF − I) Rᵀ. S is small before it is squared:
// the energy of a body at rest is the square of round-off. From |F|² − 2 R:F + 3 it would be
// round-off itself, of either sign and, in tets of a sheet that are a hundred times as wide as
// thick, ten thousand times larger.

// lanesEnergy returns the elastic energy of the tets t … t + 7 but those of the set bad.
func (f *freeMotion) lanesEnergy(b *elementLanes, t, bad int) float64 {
	sum := 0.0
	for l := range 8 {
		if bad>>l&1 == 0 {
			sum += f.model.laneEnergy(&b.pos, &b.w, &f.model.rest[t/8], l)
		}
	}
	return sum
}

// laneEnergy returns the elastic energy V Ψ (2) of the tet in lane l, with the edges x and the
// stiffness vectors w.
func (m *Model) laneEnergy(x, w *[9][8]float64, rest *restLanes, l int) float64 {
	l &= 7
	// edges by component, then stiffness vectors
	a0, b0, c0 := x[0][l], x[1][l], x[2][l]
	a1, b1, c1 := x[3][l], x[4][l], x[5][l]
	a2, b2, c2 := x[6][l], x[7][l], x[8][l]
	u0, u1, u2 := w[0][l], w[1][l], w[2][l]
	v0, v1, v2 := w[3][l], w[4][l], w[5][l]
	w0, w1, w2 := w[6][l], w[7][l], w[8][l]
	// (1), times √V
	root := rest.root[l]
	xx, yy, zz := a0*u0+b0*v0+c0*w0-root, a1*u1+b1*v1+c1*w1-root, a2*u2+b2*v2+c2*w2-root
	xy := a0*u1 + b0*v1 + c0*w1 + a1*u0 + b1*v0 + c1*w0
	xz := a0*u2 + b0*v2 + c0*w2 + a2*u0 + b2*v0 + c2*w0
	yz := a1*u2 + b1*v2 + c1*w2 + a2*u1 + b2*v1 + c2*w1
	tr := xx + yy + zz
	return m.mu*(xx*xx+yy*yy+zz*zz+0.5*(xy*xy+xz*xz+yz*yz)) + 0.5*m.lambda*tr*tr // (2)
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

// EnergyRoundoff returns a bound on the rounding error of StartEnergy, J, also of laws that are not corotated.
func (d *Data) EnergyRoundoff() float64 {
	return roundoffs * (d.model.mu + math.Abs(d.model.lambda)) * d.model.mass / d.model.spec.Density
}

// roundoffs is the rounding error of the terms of an energy, relative to (μ + λ) V.
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
