package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A capsule that stands on a half-space is loaded at its lower end with the whole stiffness, on either end, and as it
// leans. Its share passes to both ends continuously until it lies.
func TestStandingCapsuleIsLoadedAtItsLowerEnd(t *testing.T) {
	B, err := NewCapsule(0.05, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	X_WA := r3.Pose{R: r3.Identity()}
	turns := []float64{0, 1e-12, 1e-9, 1e-6, 1e-3, 0.0199, 0.0201, 0.2, 1.5, math.Pi / 2, math.Pi - 0.01, math.Pi - 1e-9, math.Pi}
	for _, turn := range turns {
		X_WB := r3.Pose{R: r3.RotExp(r3.Vec{0, turn, 0})}
		// overlap of 1 mm at the lowest point
		X_WB.P[2] = 0.05 + 0.1*math.Abs(math.Cos(turn)) - 1e-3
		var m manifold
		halfSpaceContacts(B, &X_WA, &X_WB, 1e-2, &m)
		lowest, weight, others := 0.0, 0.0, 0.0
		for _, p := range m.pt[:m.n] {
			if p.phi < lowest {
				lowest, weight = p.phi, p.w
			}
		}
		for _, p := range m.pt[:m.n] {
			if p.phi > lowest+1e-9 {
				others += p.w
			}
		}
		if math.Abs(lowest+1e-3) > 1e-12 || weight != 1 || others > 1 {
			t.Errorf("turned by %g: overlap %g with the weight %g, others have %g: want 1e-3 with 1", turn, -lowest, weight, others)
		}
	}
}
