package meshes

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// What is remembered of earlier sizes and reaches is what would be measured.
func TestWallsAreRememberedAsTheyAre(t *testing.T) {
	for name, m := range map[string]*Tri{"fin": finnedBlock(t), "plate": framedPlate(t)} {
		d := NewDistance(m)
		used := newThicknessGauge(d, 1)
		for _, h := range []float64{0.004, 0.001, 0.003, 0.002, 0.006, 0.0011} {
			finest := func(s *surfaceSample) float64 { return max(h/4, s.wall/2) }
			var got, want []surfaceSample
			rays := used.rays
			used.sample(h, 2*h, finest, func(s *surfaceSample) bool { got = append(got, *s); return true })
			fresh := newThicknessGauge(d, 1)
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

// sliveredPlate is a plate of 40 × 40 × t mm whose faces are strips of n triangles each, side by side, tilted.
func sliveredPlate(n int, t float64) *Tri {
	m := &Tri{}
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
		m = flippedTri(m)
	}
	return moved(m, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
}

// Slivers side by side share rays once these are dear: each then says of its wall and gap what its own rays say, and
// rays grow with the area, no more with the number of slivers.
func TestSliversSideBySideShareRays(t *testing.T) {
	const h, wall = 0.008, 0.001
	m := sliveredPlate(100, wall)
	d := NewDistance(m)
	collect := func(g *thicknessGauge) (out []surfaceSample) {
		g.sample(h, 2*h, func(*surfaceSample) float64 { return h }, func(s *surfaceSample) bool { out = append(out, *s); return true })
		return out
	}
	alone, sharing := newThicknessGauge(d, 1), newThicknessGauge(d, 1)
	sharing.looks = sharedAfter * maxLooks
	want, got := collect(alone), collect(sharing)
	if len(want) != len(got) || len(want) < 1000 {
		t.Fatalf("%d samples with own rays, %d with shared ones", len(want), len(got))
	}
	for i := range want {
		// What faces a narrow side is the other one, or nothing within reach.
		if a, b := &want[i], &got[i]; a.at != b.at || a.area != b.area || math.Abs(a.wall-b.wall) > 1e-9 && a.wall != b.wall || a.gap != b.gap {
			t.Fatalf("sample %d: %+v alone, %+v with shared rays", i, *a, *b)
		}
	}
	if sharing.rays > alone.rays/4 {
		t.Errorf("%d rays, %d where none are shared", sharing.rays, alone.rays)
	}
}

// The bounds on rays follow the limit of vertices: who raises it as an error says gets past them.
func TestBoundsOnRaysFollowTheLimit(t *testing.T) {
	d := NewDistance(finnedBlock(t))
	for _, c := range []struct{ vertices, times int }{{1, 1}, {DefaultMaxVertices, 1}, {DefaultMaxVertices * 2, 2}, {600_000, 3}, {1 << 30, maxMoreRays}} {
		g := newThicknessGauge(d, float64(c.vertices)/DefaultMaxVertices)
		g.rays = c.times*maxRays - 1
		before := g.spent()
		g.rays++
		if before || !g.spent() {
			t.Errorf("%d vertices: bounds reached with %d rays: %v, with one more: %v", c.vertices, g.rays-1, before, g.spent())
		}
		// Twice a half more.
		for k := range 3 {
			g.rays = int(float64(c.times*maxRays) * math.Pow(1.5, float64(k)))
			if more := g.extend(); more != (k < 2) || more == g.spent() {
				t.Errorf("%d vertices: extended for time %d: %v, spent %v", c.vertices, k+1, more, g.spent())
			}
		}
	}
}
