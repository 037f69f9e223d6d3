package meshes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/r3"
)

// The first triangle that a ray meets is the nearest of all that it meets one by one.
func TestRaysAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range []*meshes.Tri{prisms.FinnedBlock(t), prisms.FramedPlate(t), samples.StarSurface(300, 0.02)} {
		d := meshes.NewDistance(m)
		met := 0
		for range 2000 {
			dir := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
			p := m.Bounds().Center().AddScaled(0.02, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
			reach := 0.1 * r.Float64()
			want := reach
			for i := range m.Tris {
				if x := d.RayTriangle(int32(i), p, dir); x > 1e-9 {
					want = min(want, x)
				}
			}
			tri, got, _ := d.Ray(p, dir, 1e-9, reach)
			if got != want || (tri >= 0) != (want < reach) || tri >= 0 && d.RayTriangle(tri, p, dir) != want {
				t.Fatalf("triangle %d at %g m, want %g m", tri, got, want)
			}
			if tri >= 0 {
				met++
			}
		}
		if met < 100 {
			t.Errorf("%d of 2,000 rays meet the surface", met)
		}
	}
}
