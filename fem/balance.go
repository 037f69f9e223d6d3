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
	laneEnergies(&b.energy, &b.pos, &b.w, &f.model.rest[t/8], &f.elements.law)
	for l, E := range &b.energy {
		if bad>>l&1 == 0 {
			sum += E
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
