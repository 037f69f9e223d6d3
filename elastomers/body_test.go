package elastomers

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
)

// stressAt returns the principal first Piola stresses of a law at stretches, less a pressure.
func stressAt(m fem.ConstitutiveLaw, x, y, z float64) [3]float64 {
	P := m.Stress(r3.Diag(r3.Vec{x, y, z}), r3.Identity())
	return [3]float64{P[0], P[4], P[8]}
}
