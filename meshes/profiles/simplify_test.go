package profiles

import (
	"math"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// Each corner lies within the tolerance of what is left, which takes as many steps as a sort. Spans of a star
// that are divided at their farthest corner lose one corner a time: minutes for this many.
func TestOutlinesAreSimplifiedInLittleTime(t *testing.T) {
	const n, tol = 100_000, 1e-7
	start := time.Now()
	loop := samples.StarLoop(n)
	out := simplifyLoop(loop, tol)
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("%v", d)
	}
	if len(out) != n {
		t.Errorf("%d of %d corners stay, but each one is a tooth", len(out), n)
	}
	// a fine circle with a long comb on one side, where spans are halved: compared corner by corner
	const coarse = 1e-3
	loop = samples.Circle(0, 0, 1, 4000)
	for i := range loop[:1000] {
		loop[i][0] *= 1 + 0.01*float64(i%2)
	}
	out = simplifyLoop(loop, coarse)
	for i, p := range loop {
		near := math.Inf(1)
		for k, q := range out {
			near = min(near, segmentDistance(p, q, out[(k+1)%len(out)]))
		}
		if near > coarse {
			t.Fatalf("corner %d is %g m off", i, near)
		}
	}
	if len(out) > 1200 {
		t.Errorf("%d corners are left of a comb of 1,000 and an arc that needs about 60", len(out))
	}
}
