package surfaces

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// What is remembered of earlier sizes and reaches is what would be measured.
func TestWallsAreRememberedAsTheyAre(t *testing.T) {
	for name, m := range map[string]*meshes.Tri{"fin": prisms.FinnedBlock(t), "plate": prisms.FramedPlate(t)} {
		d := meshes.NewDistance(m)
		used := NewGauge(d, 1)
		for _, h := range []float64{0.004, 0.001, 0.003, 0.002, 0.006, 0.0011} {
			finest := func(s *Sample) float64 { return max(h/4, s.Wall/2) }
			var got, want []Sample
			rays := used.rays
			used.Sample(h, 2*h, finest, func(s *Sample) bool { got = append(got, *s); return true })
			fresh := NewGauge(d, 1)
			fresh.Sample(h, 2*h, finest, func(s *Sample) bool { want = append(want, *s); return true })
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s at %g m: %d samples from memory, %d fresh ones", name, h, len(got), len(want))
			}
			if used.rays-rays > fresh.rays {
				t.Errorf("%s at %g m: %d rays with memory, %d without", name, h, used.rays-rays, fresh.rays)
			}
		}
	}
}

// sliveredPlate is a plate of 40 × 40 × t mm whose faces are strips of n triangles each, side by side, tilted.
func sliveredPlate(n int, t float64) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range n + 1 {
		x := 0.04 * float64(i) / float64(n)
		m.Verts = append(m.Verts, r3.Vec{x, 0, 0}, r3.Vec{x, 0.04, 0}, r3.Vec{x, 0.04, t}, r3.Vec{x, 0, t})
	}
	quad := func(a, b, c, d int32) { m.Tris = append(m.Tris, [3]int32{a, b, c}, [3]int32{a, c, d}) }
	for i := range int32(n) {
		for k := range int32(4) {
			quad(4*i+k, 4*i+(k+1)%4, 4*i+4+(k+1)%4, 4*i+4+k)
		}
	}
	last := int32(4 * n)
	quad(3, 2, 1, 0)
	quad(last, last+1, last+2, last+3)
	if m.Volume() < 0 {
		m = samples.FlippedTri(m)
	}
	return samples.Moved(m, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
}

// Slivers side by side share rays once these are dear: each then says of its wall and gap what its own rays say, and
// rays grow with the area, no more with the number of slivers.
func TestSliversSideBySideShareRays(t *testing.T) {
	const h, wall = 0.008, 0.001
	m := sliveredPlate(100, wall)
	d := meshes.NewDistance(m)
	collect := func(g *Gauge) (out []Sample) {
		g.Sample(h, 2*h, func(*Sample) float64 { return h }, func(s *Sample) bool { out = append(out, *s); return true })
		return out
	}
	alone, sharing := NewGauge(d, 1), NewGauge(d, 1)
	sharing.looks = sharedAfter * maxLooks
	want, got := collect(alone), collect(sharing)
	if len(want) != len(got) || len(want) < 1000 {
		t.Fatalf("%d samples with own rays, %d with shared ones", len(want), len(got))
	}
	for i := range want {
		// What faces a narrow side is the other one, or nothing within reach.
		if a, b := &want[i], &got[i]; a.At != b.At || a.Area != b.Area || math.Abs(a.Wall-b.Wall) > 1e-9 && a.Wall != b.Wall || a.Gap != b.Gap {
			t.Fatalf("sample %d: %+v alone, %+v with shared rays", i, *a, *b)
		}
	}
	if sharing.rays > alone.rays/4 {
		t.Errorf("%d rays, %d where none are shared", sharing.rays, alone.rays)
	}
}

// The bounds on rays follow the limit of vertices: who raises it as an error says gets past them.
func TestBoundsOnRaysFollowTheLimit(t *testing.T) {
	d := meshes.NewDistance(prisms.FinnedBlock(t))
	for _, c := range []struct{ vertices, times int }{{1, 1}, {profiles.DefaultMaxVertices, 1}, {profiles.DefaultMaxVertices * 2, 2}, {600_000, 3}, {1 << 30, maxMoreRays}} {
		g := NewGauge(d, float64(c.vertices)/profiles.DefaultMaxVertices)
		g.rays = c.times*maxRays - 1
		before := g.Spent()
		g.rays++
		if before || !g.Spent() {
			t.Errorf("%d vertices: bounds reached with %d rays: %v, with one more: %v", c.vertices, g.rays-1, before, g.Spent())
		}
		// Twice a half more.
		for k := range 3 {
			g.rays = int(float64(c.times*maxRays) * math.Pow(1.5, float64(k)))
			if more := g.Extend(); more != (k < 2) || more == g.Spent() {
				t.Errorf("%d vertices: extended for time %d: %v, spent %v", c.vertices, k+1, more, g.Spent())
			}
		}
	}
}
