package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// rebounding are balls and boxes that fall on each other and rebound.
func rebounding(w *scaffold) {
	mat := constraints.DefaultContactMaterial()
	mat.Restitution = 0.9
	m := w.contactMaterial(mat)
	w.body("plate", w.box(0.5, 0.5, 0.05), 50, at(0, 0, 0), r3.Vec{}, r3.Vec{}, m)
	for i := range 5 {
		x := 0.03 * float64(i)
		w.body("ball", w.sphere(0.03), 0.1, at(x, 0, 0.1+0.07*float64(i)), r3.Vec{}, r3.Vec{0, 0, -2}, m)
		w.body("box", w.box(0.05, 0.04, 0.03), 0.1, at(-x, 0.1, 0.1+0.07*float64(i)), r3.Vec{3, 2, 1}, r3.Vec{0, 0, -2}, m)
	}
}

// Steps with impacts that rebound allocate nothing, and have the same bits on any number of threads.
func TestReboundsAllocateNothingAndKeepTheirBits(t *testing.T) {
	allocateNothing(t, timestep.Rule{}, rebounding)
	var hashes [2]string
	rebounds := 0
	for i := range hashes {
		w := newScaffold(t)
		rebounding(w)
		s, x := start(t, w.model(), 1+2*i)
		for range 300 {
			run(t, s, x, 1e-3, 1)
			rebounds += len(s.rebounds.list)
		}
		hashes[i] = x.Hash()
	}
	if hashes[0] != hashes[1] {
		t.Error("one thread and three end at other bits")
	}
	if rebounds < 10 {
		t.Errorf("%d rebounds, want many", rebounds)
	}
}
