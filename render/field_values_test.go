package render

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Two contacts of 3 N at 0.2 m/s and 1 N at 1 m/s share the vertices 0 and 1, which slide
// at (3·0.2 + 1·1)/4 = 0.4 m/s; a contact that pulls, and one of another body, count nothing.
func TestSlipIsTheMeanSlidingSpeedWeightedByNormalForce(t *testing.T) {
	up := r3.Vec{0, 0, 1}
	contact := func(a, b int, elem [2]int32, force, speed float64) record.Contact {
		return record.Contact{A: a, B: b, Elem: elem, Normal_W: up, Force_W: r3.Vec{0.5, 0, force}, Slip_W: r3.Vec{0, speed, 0}}
	}
	rec := &record.Recording{Static: record.Static{
		Bodies:      []string{"rigid"},
		Deformables: []record.Deformable{{Tris: [][3]int32{{0, 1, 2}, {1, 0, 3}}}},
	}}
	f := &record.Frame{Verts: [][]r3.Vec{make([]r3.Vec, 5)}, Contacts: []record.Contact{
		contact(0, 1, [2]int32{7, 0}, 3, 0.2), // the deformable is B, its triangle 0
		contact(1, 0, [2]int32{1, 7}, 1, 1),   // and A, its triangle 1
		contact(0, 1, [2]int32{7, 0}, -5, 9),
		contact(0, -1, [2]int32{0, 0}, 5, 9),
	}}
	got := FieldValues(rec, f, "slip", 0)
	for k, want := range []float64{0.4, 0.4, 0.2, 1, 0} {
		if math.Abs(got[k]-want) > 1e-15 {
			t.Errorf("vertex %d slides at %g m/s, want %g", k, got[k], want)
		}
	}
}
