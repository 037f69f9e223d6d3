package geometry

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// carved returns a box of n cells with the lower corner at the origin, without
// the tets whose centre is in a hole.
func carved(t testing.TB, size r3.Vec, n [3]int, hole func(c r3.Vec) bool) *meshes.Tet {
	t.Helper()
	box, err := meshes.BoxTets(size, n)
	if err != nil {
		t.Fatal(err)
	}
	m := &meshes.Tet{}
	number := make([]int32, len(box.Verts))
	for _, v := range box.Tets {
		c := size.Scale(0.5)
		for _, i := range v {
			c = c.AddScaled(0.25, box.Verts[i])
		}
		if hole(c) {
			continue
		}
		for k, i := range v {
			if number[i] == 0 {
				m.Verts = append(m.Verts, box.Verts[i].Add(size.Scale(0.5)))
				number[i] = int32(len(m.Verts))
			}
			v[k] = number[i] - 1
		}
		m.Tets = append(m.Tets, v)
	}
	return m
}

// The fork's prongs, 10 mm thick, 20 mm wide and 40 mm long, rise from a block of
// 10 mm height, 10 mm apart.
func fork(t testing.TB, n int) *meshes.Tet {
	return carved(t, r3.Vec{0.03, 0.02, 0.05}, [3]int{3 * n, 2 * n, 5 * n}, func(c r3.Vec) bool {
		return c[0] > 0.01 && c[0] < 0.02 && c[2] > 0.01
	})
}

// selfData has one body that may touch itself, body 0.
func selfData(m *meshes.Tet) *Data {
	tris, owner := m.Boundary()
	s := NewData(&Model{Deformables: []Deformable{{Name: "soft", NumVerts: len(m.Verts), Tris: tris, Tets: owner, Material: 3, Self: NewSelfContact(m, tris)}}})
	s.X_W[0] = m.Verts
	return s
}

// bent returns the vertices moved by f.
func bent(m *meshes.Tet, f func(p r3.Vec) r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(m.Verts))
	for i, p := range m.Verts {
		out[i] = f(p)
	}
	return out
}

// closeFork shifts what is right of the middle and above 20 mm by d to the left,
// what is above the block less.
func closeFork(d float64) func(r3.Vec) r3.Vec {
	return func(p r3.Vec) r3.Vec {
		if p[0] > 0.015 {
			p[0] -= d * min(1, max(0, (p[2]-0.01)/0.01))
		}
		return p
	}
}

// checkSelf verifies what is true of every contact of a body with itself.
func checkSelf(t *testing.T, s *Data, cs []Contact) {
	t.Helper()
	for i := range cs {
		c := &cs[i]
		if c.A.Body != c.B.Body || c.Materials != [2]int{3, 3} {
			t.Fatalf("contact %d: %+v", i, c)
		}
		if e := math.Abs(c.Normal_W.Norm() - 1); !(e < 1e-12) || !(c.Area > 0) || math.IsNaN(c.Phi) {
			t.Fatalf("contact %d: normal of length 1%+g, area %g, φ %g", i, e, c.Area, c.Phi)
		}
		for _, f := range []*MaterialPoint{&c.A, &c.B} {
			x, sum := r3.Vec{}, 0.0
			for k := range f.N {
				x = x.AddScaled(f.W[k], s.X_W[0][f.Vert[k]])
				sum += f.W[k]
			}
			if math.Abs(sum-1) > 1e-12 || x.Sub(f.Pos_W).Norm() > 1e-12 {
				t.Fatalf("contact %d: weights sum to %g and give %v, not %v", i, sum, x, f.Pos_W)
			}
		}
		if i > 0 && compareElem(cs[i-1], *c) > 0 {
			t.Fatalf("contact %d: out of order", i)
		}
		if c.Phi < 0 && c.B.Pos_W.Sub(c.A.Pos_W).Norm() > 1e-12 && c.B.N == 4 {
			t.Fatalf("contact %d: the overlap's points are apart", i)
		}
	}
}

// bothSides sums area and −φ n of the contacts whose face is on the left prong, seen by
// the right one, and the reverse.
func bothSides(cs []Contact) (area float64, left, right r3.Vec) {
	for i := range cs {
		c := &cs[i]
		if c.Phi >= 0 {
			continue
		}
		area += c.Area
		p := c.Normal_W.Scale(-c.Phi * c.Area)
		if c.Normal_W[0] > 0 { // A is on the left
			left = left.Add(p)
		} else {
			right = right.Add(p)
		}
	}
	return area, left, right
}

func TestBodiesAtRestDoNotTouchThemselves(t *testing.T) {
	finray, err := profiles.DefaultFinRay().Tets(profiles.FinRayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	narrow := carved(t, r3.Vec{0.03, 0.02, 0.05}, [3]int{3, 2, 5}, func(c r3.Vec) bool {
		return c[0] > 0.01 && c[0] < 0.02 && c[2] > 0.01
	})
	for i, p := range narrow.Verts { // the prongs are 1 µm apart
		if p[0] > 0.015 && p[2] > 0.015 {
			narrow.Verts[i][0] -= 0.01 - 1e-6
		}
	}
	for name, m := range map[string]*meshes.Tet{"fork": fork(t, 2), "finray": finray, "narrow": narrow} {
		s := selfData(m)
		s.DeformableSpeculativeDistance = 1e-3
		for k := range 10 {
			X := r3.Pose{R: r3.RotExp(r3.Vec{0.7 * float64(k), 0.3 * float64(k), -0.2 * float64(k)}), P: r3.Vec{0.1 * float64(k), -1, 2}}
			if k == 9 {
				X.R = X.R.Scale(1.3) // swollen
			}
			s.X_W[0] = bent(m, X.Point)
			if cs := s.Collide(); len(cs) != 0 {
				t.Errorf("%s, pose %d: %d contacts, the first %+v", name, k, len(cs), cs[0])
			}
		}
	}
}

// A prong shifted into the other by δ overlaps with its whole inner face:
// ∫ −φ dA = A δ, from both sides.
func TestProngsOverlapWithAllTheirFace(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		m := fork(t, n)
		s := selfData(m)
		for _, depth := range []float64{1e-7, 1e-4, 1e-3} {
			s.X_W[0] = bent(m, closeFork(0.01+depth))
			cs := s.Collide()
			checkSelf(t, s, cs)
			area, left, right := bothSides(cs)
			// The slope of the shift lets some of the lower 10 mm overlap as well;
			// where the rim is nearer than the face it pushes sideways, in balance.
			low := 0.01 * depth / (0.01 + depth)
			wantArea := 0.02 * (0.03 + low)
			want := (0.02 - 2*depth) * ((0.03-depth)*depth + low*depth/2)
			if math.Abs(area/wantArea-1) > 0.02 || math.Abs(left[0]*2/want-1) > 0.03 || math.Abs(right[0]*2/want+1) > 0.03 {
				t.Errorf("n = %d, depth %g: area %g, want %g; left %v, right %v, want %g each", n, depth, area, wantArea, left, right, want/2)
			}
		}
	}
}

// Depth is measured as the body is now: a prong squeezed to half its thickness.
func TestDepthIsMeasuredInTheStrainedBody(t *testing.T) {
	m := fork(t, 2)
	s := selfData(m)
	const depth = 5e-4
	s.X_W[0] = bent(m, func(p r3.Vec) r3.Vec {
		if p[0] > 0.019 {
			up := min(1, max(0, (p[2]-0.01)/0.01))
			p[0] += up * ((0.02 + 0.5*(p[0]-0.02)) - p[0] - 0.01 - depth)
		}
		return p
	})
	cs := s.Collide()
	checkSelf(t, s, cs)
	for i := range cs {
		c := &cs[i]
		if c.Pos_W[2] < 0.025 || math.Abs(c.Normal_W[0]) < 0.5 {
			continue // the slope below, the rim
		}
		if math.Abs(c.Phi+depth) > 1e-6 || math.Abs(math.Abs(c.Normal_W[0])-1) > 1e-9 {
			t.Errorf("at %v: φ = %g, want %g; normal %v", c.Pos_W, c.Phi, -depth, c.Normal_W)
		}
	}
	if len(cs) == 0 {
		t.Fatal("no contact")
	}
}

// Walls one element thick push each other back the way they came.
func TestThinProngsPushBackBeyondTheirMiddle(t *testing.T) {
	m := carved(t, r3.Vec{0.03, 0.02, 0.05}, [3]int{3, 4, 10}, func(c r3.Vec) bool {
		return c[0] > 0.01 && c[0] < 0.02 && c[2] > 0.01
	})
	s := selfData(m)
	for _, depth := range []float64{2e-3, 4e-3, 6e-3, 8.5e-3} {
		s.X_W[0] = bent(m, closeFork(0.01+depth))
		cs := s.Collide()
		checkSelf(t, s, cs)
		upper := 0.0
		for i := range cs {
			c := &cs[i]
			if c.Pos_W[2] > 0.022 && c.Pos_W[1] > 0.006 && c.Pos_W[1] < 0.014 && c.Pos_W[2] < 0.04 {
				if math.Abs(c.Phi+depth) > 0.05*depth || math.Abs(c.Normal_W[0]) < 0.99 {
					t.Errorf("depth %g: φ = %g at %v, normal %v", depth, c.Phi, c.Pos_W, c.Normal_W)
				}
				upper += c.Area
			}
		}
		if upper < 0.008*0.018*0.9 {
			t.Errorf("depth %g: area %g", depth, upper)
		}
	}
}

// Parts that are not there yet touch ahead if they close within the step or have
// come closer than at rest, and at their distance.
func TestPartsAheadAreFoundWhereTheyClose(t *testing.T) {
	m := fork(t, 2)
	s := selfData(m)
	move := make([]r3.Vec, len(m.Verts))
	s.PredictedDeformation[0] = [][]r3.Vec{move}
	for _, c := range []struct {
		left, right float64 // motions
		want        bool
	}{{0, 0, false}, {0, -0.005, false}, {0, -0.012, true}, {0.006, -0.006, true}, {-0.02, -0.02, false}} {
		for i, p := range m.Verts {
			u := c.left
			if p[0] > 0.015 {
				u = c.right
			}
			move[i] = r3.Vec{u * min(1, max(0, (p[2]-0.01)/0.01))}
		}
		cs := s.Collide()
		checkSelf(t, s, cs)
		if got := len(cs) > 0; got != c.want {
			t.Errorf("motions %g, %g: %d contacts", c.left, c.right, len(cs))
		}
		for i := range cs {
			if c := &cs[i]; c.Pos_W[2] > 0.02 && math.Abs(c.Phi-0.01) > 1e-12 {
				t.Errorf("φ = %g at %v, want 0.01", c.Phi, c.Pos_W)
			}
		}
	}
	s.PredictedDeformation[0] = nil
	s.DeformableSpeculativeDistance = 1e-4
	s.X_W[0] = bent(m, closeFork(0.01-5e-5))
	_, ahead, _ := total(s.Collide())
	if math.Abs(ahead/(0.02*0.03)-1) > 0.01 {
		t.Errorf("area ahead %g, want %g", ahead, 0.02*0.03)
	}
}

// A strip rolled up until its ends cross: the overlap is found, and vanishes when
// it opens again; in between area and force are continuous.
func TestFoldedStripTouchesItself(t *testing.T) {
	m := carved(t, r3.Vec{0.1, 0.01, 0.004}, [3]int{40, 4, 2}, func(r3.Vec) bool { return false })
	s := selfData(m)
	roll := func(turn, climb float64) []r3.Vec {
		r := 0.1 / turn
		return bent(m, func(p r3.Vec) r3.Vec {
			sin, cos := math.Sincos(turn * p[0] / 0.1)
			rad := r - p[2] + climb*p[0]
			return r3.Vec{rad * sin, p[1], -rad * cos}
		})
	}
	for _, turn := range []float64{1, 3, 5, 6.1} {
		s.X_W[0] = roll(turn, 0)
		if cs := s.Collide(); len(cs) != 0 {
			t.Errorf("rolled by %g rad: %d contacts", turn, len(cs))
		}
	}
	last := 0.0
	for k := range 16 {
		// beyond a full turn, the outer layer clear of the inner by less and less
		s.X_W[0] = roll(7.5, 0.055*(1-float64(k)/32))
		cs := s.Collide()
		checkSelf(t, s, cs)
		_, _, push := total(cs)
		force := 0.0
		for i := range cs {
			force += max(0, -cs[i].Phi) * cs[i].Area
		}
		if k == 0 && force != 0 {
			t.Errorf("clear of itself, but %g", force)
		}
		if force < last*(1-1e-3)-1e-15 {
			t.Errorf("step %d: ∫ −φ dA falls from %g to %g", k, last, force)
		}
		if push.Norm() > 0.3*force {
			t.Errorf("step %d: forces of both sides do not cancel: %v of %g", k, push, force)
		}
		last = force
	}
	if last == 0 {
		t.Error("never touched")
	}
}

func TestSelfContactRepeatsAndAllocatesNothing(t *testing.T) {
	m := fork(t, 2)
	s := selfData(m)
	x := bent(m, closeFork(0.0105))
	s.X_W[0] = x
	first := slices.Clone(s.Collide())
	s.X_W[0] = bent(m, closeFork(0.013))
	s.Collide()
	s.X_W[0] = x
	if !slices.Equal(first, s.Collide()) {
		t.Error("contacts depend on what was asked before")
	}
	if !slices.Equal(first, func() []Contact { n := selfData(m); n.X_W[0] = x; return n.Collide() }()) {
		t.Error("contacts depend on the scene's past")
	}
	if n := alloctest.PerRun(10, func() { s.Collide() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSelfContact(b *testing.B) {
	m := fork(b, 8)
	for _, c := range []struct {
		name string
		d    float64
	}{{"apart", 0}, {"touching", 0.0101}} {
		b.Run(c.name, func(b *testing.B) {
			s := selfData(m)
			s.X_W[0] = bent(m, closeFork(c.d))
			b.ReportAllocs()
			for b.Loop() {
				s.Collide()
			}
			b.ReportMetric(float64(len(s.Collide())), "contacts")
			b.ReportMetric(float64(len(s.deformables[0].spec.Tris)), "triangles")
		})
	}
}

// A bump of radius of curvature R on one prong, overlapping the other's flat face by
// δ: ∫ (δ − r²/2R) dA over the bump, and seen from the flat side ∫ (δ − r²/2R) cos²θ dA,
// as both the distance and its direction lean by θ, tan θ = r/R. The strain that makes the bump grows towards the inner
// face, so that the depth is carried along a material that is strained unevenly.
func TestCurvedOverlapConverges(t *testing.T) {
	const R, H, depth = 0.02, 2e-3, 1e-3
	want, wantFlat, n := 0.0, 0.0, 10000
	for k := range n {
		rim := math.Sqrt(2 * R * depth)
		r := (float64(k) + 0.5) / float64(n) * rim
		d := (depth - r*r/2/R) * 2 * math.Pi * r * rim / float64(n)
		want += d * math.Sqrt(1+r*r/R/R)
		wantFlat += d / (1 + r*r/R/R)
	}
	var worst []float64
	for _, n := range []int{2, 4, 8} {
		m := fork(t, n)
		s := selfData(m)
		s.X_W[0] = bent(m, func(p r3.Vec) r3.Vec {
			if p[0] < 0.0199 {
				return p
			}
			r2 := (p[1]-0.0101)*(p[1]-0.0101) + (p[2]-0.0371)*(p[2]-0.0371)
			bump := max(0, H-r2/2/R) * (0.03 - p[0]) / 0.01
			p[0] -= bump + (0.01-H+depth)*min(1, max(0, (p[2]-0.01)/0.01))
			return p
		})
		cs := s.Collide()
		checkSelf(t, s, cs)
		_, left, right := bothSides(cs)
		flat, curved := 2*left[0]/wantFlat-1, -2*right[0]/want-1
		t.Logf("n = %d: errors %.3g seen from the flat side, %.3g from the bump", n, flat, curved)
		worst = append(worst, math.Max(math.Abs(flat), math.Abs(curved)))
	}
	if worst[1] > 0.5*worst[0] || worst[2] > 0.04 {
		t.Errorf("errors %v", worst)
	}
}
