package meshes

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/r3"
)

// The first triangle that a ray meets is the nearest of all that it meets one by one.
func TestRaysAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range []*Tri{finnedBlock(t), framedPlate(t), starSurface(300, 0.02)} {
		d := NewDistance(m)
		met := 0
		for range 2000 {
			dir := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
			p := m.Bounds().Center().AddScaled(0.02, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
			reach := 0.1 * r.Float64()
			want := reach
			for i := range m.Tris {
				if x := d.rayTriangle(int32(i), p, dir); x > 1e-9 {
					want = min(want, x)
				}
			}
			tri, got, _ := d.ray(p, dir, 1e-9, reach)
			if got != want || (tri >= 0) != (want < reach) || tri >= 0 && d.rayTriangle(tri, p, dir) != want {
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

// What is remembered of earlier sizes and reaches is what would be measured.
func TestWallsAreRememberedAsTheyAre(t *testing.T) {
	for name, m := range map[string]*Tri{"fin": finnedBlock(t), "plate": framedPlate(t)} {
		d := NewDistance(m)
		used := &thicknessGauge{d: d, seen: map[trianglePart][2]sideMet{}}
		for _, h := range []float64{0.004, 0.001, 0.003, 0.002, 0.006, 0.0011} {
			finest := func(s *surfaceSample) float64 { return max(h/4, s.wall/2) }
			var got, want []surfaceSample
			rays := used.rays
			used.sample(h, 2*h, finest, func(s *surfaceSample) bool { got = append(got, *s); return true })
			fresh := &thicknessGauge{d: d, seen: map[trianglePart][2]sideMet{}}
			fresh.sample(h, 2*h, finest, func(s *surfaceSample) bool { want = append(want, *s); return true })
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s at %g m: %d samples from memory, %d fresh ones", name, h, len(got), len(want))
			}
			if used.rays-rays > fresh.rays {
				t.Errorf("%s at %g m: %d rays with memory, %d without", name, h, used.rays-rays, fresh.rays)
			}
		}
	}
}

// A star with sides that are not parallel is no prism. Its thousands of thin walls would take rays without end:
// the error says so, and what to do.
func TestWallsWithoutEndAreRefused(t *testing.T) {
	m := starSurface(3000, 0.02)
	for i, p := range m.Verts {
		if p[2] > 0 {
			m.Verts[i] = r3.Vec{1.2 * p[0], 1.2 * p[1], p[2]}
		}
	}
	start := time.Now()
	_, _, err := TetrahedralizeSurface(m, TetOptions{})
	if err == nil || !strings.Contains(err.Error(), "thin walls") || !strings.Contains(err.Error(), "--wall-cells -1") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 60*time.Second {
		t.Errorf("%v", took)
	}
}
