package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// LocalError returns the largest error that the step adds to the place of a vertex (m), see Step.LocalError of package
// timestep, from the velocities v (3·NumVerts) with the solved displacement velocities w (Dofs). Under the midpoint
// rule velocities of the start and of the step before turn with the body to the middle of the step, where they are
// compared with w: a free spin has an error of h³ω³/24 of the radius.
func (d *Data) LocalError(w, v []float64) float64 {
	f, s := &d.free, &d.step
	turn, mean, meanBefore := meanTurn{}, r3.Vec{}, r3.Vec{}
	if s.Midpoint {
		turn, mean, meanBefore = f.turn, f.meanOf(v), f.meanOf(s.W)
	}
	largest := 0.0
	for j, i := range d.model.vertex {
		start, before := turn.turned(r3.Vec(v[3*i:3*i+3]), mean), r3.Vec{}
		if len(s.W) > 0 {
			before = turn.turned(r3.Vec(s.W[3*i:3*i+3]), meanBefore)
		}
		var e r3.Vec
		for k := range e {
			e[k] = s.LocalError(w[3*j+k], start[k], before[k])
		}
		largest = max(largest, e.Norm2())
	}
	return math.Sqrt(largest)
}

// Size returns the diagonal of the bounds of the body at rest, m.
func (m *Model) Size() float64 { return m.size }
