package fem

import (
	"math"

	"github.com/curlfree/curlfree/timestep"
)

// InverseMass returns the velocity (1/kg) of a weighted mean of vertices, of weights w, that an impulse of 1 N s gives
// it at once, by lumped masses. Fixed vertices do not move.
func (m *Model) InverseMass(vert []int32, w []float64) (inverse float64) {
	for i, v := range vert {
		if m.node[v] >= 0 && m.lumped[v] > 0 {
			inverse += w[i] * w[i] / m.lumped[v]
		}
	}
	return inverse
}

// WaveRate2 returns E/(ρ L²), 1/s², of Young's modulus E and the cube root L of the volume: the square of how often a
// wave passes through the body in a second.
func (m *Model) WaveRate2() float64 {
	E := m.mu * (3*m.lambda + 2*m.mu) / (m.lambda + m.mu)
	L := math.Cbrt(m.mass / m.spec.Density)
	return E / (m.spec.Density * L * L)
}

// Integrated returns the step of Integrate.
func (d *Data) Integrated() *timestep.Step { return &d.step }
