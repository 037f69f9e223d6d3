package profiles

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// The circumcentre is as far from each corner, and in the circle.
func TestCircumcentreIsEquidistant(t *testing.T) {
	r := samples.NewRand(t, 43)
	for range 500 {
		a, b, c := vec2{r.Float64(), r.Float64()}, vec2{r.Float64(), r.Float64()}, vec2{r.Float64(), r.Float64()}
		m, ok := circumcentre(a, b, c)
		if !ok || math.Abs(exact.Orient(a, b, c)) < 1e-3 {
			continue
		}
		if d := dist2(m, a); math.Abs(d-dist2(m, b)) > 1e-9*d || math.Abs(d-dist2(m, c)) > 1e-9*d {
			t.Errorf("distances %g, %g, %g", d, dist2(m, b), dist2(m, c))
		}
		// it is in the circle, whichever way that runs
		if exact.InCircle(a, b, c, m)*exact.Orient(a, b, c) <= 0 {
			t.Errorf("circumcentre %v of %v, %v, %v is outside", m, a, b, c)
		}
	}
	if _, ok := circumcentre(vec2{0, 0}, vec2{1, 1}, vec2{2, 2}); ok {
		t.Error("collinear points have a circumcentre")
	}
}
