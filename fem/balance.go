package fem

import "math"

// The energy of a body at the start of a step, for the balance of energy over steps. The pass over elements of
// FreeMotion computes it, because it has their rotations, which are most of the work.

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
	return 0.5 * d.model.set.kineticBound() * sum
}
