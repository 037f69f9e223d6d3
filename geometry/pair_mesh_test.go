package geometry

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// two returns the contacts of shape a on body 0 at X_WA with shape b on body 1.
func two(a, b Shape, X_WA, X_WB r3.Pose, margin float64) []Contact {
	s := NewData(&Model{NumRigid: 2, Geoms: []Geom{
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: a},
		{Body: 1, X_BG: r3.PoseIdentity(), Shape: b},
	}})
	s.X_WB[0], s.X_WB[1] = X_WA, X_WB
	s.MotionBound[0] = margin
	return slices.Clone(s.Collide())
}

// checkPoints verifies what is true of every point contact.
func checkPoints(t *testing.T, cs []Contact) {
	t.Helper()
	for i := range cs {
		c := &cs[i]
		if e := math.Abs(c.Normal_W.Norm() - 1); !(e < 1e-12) {
			t.Fatalf("contact %d: normal %v", i, c.Normal_W)
		}
		if e := c.B.Pos_W.Sub(c.A.Pos_W).Sub(c.Normal_W.Scale(c.Phi)).Norm(); !(e < 1e-9) {
			t.Fatalf("contact %d: x_B − x_A ≠ φ n by %g", i, e)
		}
	}
}

// sortedPoints returns the contact points in the order of x, then y.
func sortedPoints(cs []Contact) []r3.Vec {
	var out []r3.Vec
	for _, c := range cs {
		out = append(out, c.Pos_W)
	}
	slices.SortFunc(out, func(a, b r3.Vec) int {
		for k := range a {
			if d := a[k] - b[k]; math.Abs(d) > 1e-6 {
				return int(math.Copysign(1, d))
			}
		}
		return 0
	})
	return out
}

// A box given as a mesh, however finely, rests on a plane by its four corners,
// as the primitive does.
func TestMeshBoxRestsOnItsCorners(t *testing.T) {
	h := r3.Vec{0.1, 0.07, 0.05}
	for _, n := range []int{1, 2, 7} {
		box := mustMesh(t, gridBox(h, n))
		for _, turn := range []r3.Vec{{}, {0, 0, 0.3}, {0, 0, 1}, {0.001, 0.0005, 0.7}} {
			X := r3.Pose{R: r3.RotExp(turn), P: r3.Vec{0.3, 0.2, h[2] - 1e-3}}
			got := two(HalfSpace{}, box, r3.PoseIdentity(), X, 0.01)
			want := two(HalfSpace{}, &Box{Half: h}, r3.PoseIdentity(), X, 0.01)
			checkPoints(t, got)
			if len(got) != 4 || len(want) != 4 {
				t.Fatalf("%d×%d squares, turned %v: %d contacts, of the primitive %d, want 4", n, n, turn, len(got), len(want))
			}
			p, q := sortedPoints(got), sortedPoints(want)
			for i := range p {
				if p[i].Sub(q[i]).Norm() > 1e-12 {
					t.Fatalf("turned %v: points %v, of the primitive %v", turn, p, q)
				}
			}
		}
	}
}

// Boxes face to face touch at the corners of the overlap, whether they are
// meshes or not: a rectangle when aligned, an octagon when turned by 45°.
func TestFlatOverlapHasTheCornersOfThePolygon(t *testing.T) {
	h := r3.Vec{0.1, 0.1, 0.02}
	shapes := map[string]Shape{"coarse": mustMesh(t, gridBox(h, 1)), "fine": mustMesh(t, gridBox(h, 5)), "primitive": &Box{Half: h}}
	const depth = 1e-4
	turned := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, math.Pi / 4}), P: r3.Vec{0, 0, 2*h[2] - depth}}
	for na, a := range shapes {
		for nb, b := range shapes {
			for name, X := range map[string]r3.Pose{"shifted": shift(0.05, 0.03, 2*h[2]-depth), "turned": turned} {
				cs := two(a, b, r3.PoseIdentity(), X, 0)
				checkPoints(t, cs)
				got, want := sortedPoints(cs), sortedPoints(two(&Box{Half: h}, &Box{Half: h}, r3.PoseIdentity(), X, 0))
				if len(got) != len(want) {
					t.Errorf("%s on %s, %s: points %v, of primitives %v", nb, na, name, got, want)
					continue
				}
				for i := range got {
					if got[i].Sub(want[i]).Norm() > 2*depth {
						t.Errorf("%s on %s, %s: points %v, of primitives %v", nb, na, name, got, want)
						break
					}
				}
				for _, c := range cs {
					if math.Abs(c.Phi+depth) > 1e-12 || c.Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-9 {
						t.Errorf("%s on %s, %s: φ = %g, normal %v", nb, na, name, c.Phi, c.Normal_W)
					}
				}
			}
		}
	}
}

// Two boxes edge across edge touch in one point between the edges.
func TestCrossedEdgesTouchInOnePoint(t *testing.T) {
	h := r3.Vec{0.02, 0.1, 0.02}
	upright := r3.RotExp(r3.Vec{0, math.Pi / 4, 0}) // an edge along y on top
	across := r3.RotExp(r3.Vec{0, 0, math.Pi / 2}).Mul(upright)
	top := 0.02 * math.Sqrt2
	for _, gap := range []float64{1e-4, -1e-4, -1e-3} {
		cs := two(mustMesh(t, gridBox(h, 3)), &Box{Half: h}, r3.Pose{R: upright},
			r3.Pose{R: across, P: r3.Vec{0.003, 0.005, 2*top + gap}}, 2e-4)
		checkPoints(t, cs)
		if len(cs) != 1 {
			t.Fatalf("gap %g: %d contacts", gap, len(cs))
		}
		if c := cs[0]; math.Abs(c.Phi-gap) > 1e-12 || c.Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-9 ||
			c.Pos_W.Sub(r3.Vec{0, 0.005, top + gap/2}).Norm() > 1e-9 {
			t.Fatalf("gap %g: φ = %g, normal %v, at %v", gap, c.Phi, c.Normal_W, c.Pos_W)
		}
	}
}

// A ball touches a flat mesh once wherever it lies, and a groove on both sides.
func TestBallTouchesEveryWallOnce(t *testing.T) {
	const R = 0.05
	ball := &Sphere{Radius: R}
	flat := mustMesh(t, gridBox(r3.Vec{0.2, 0.2, 0.1}, 8))
	r := rand.New(rand.NewSource(1))
	for i := range 200 {
		X := shift(0.1*r.Float64(), 0.1*r.Float64(), 0.1+R-1e-4)
		if i%4 == 0 {
			X.P[0] = 0.05 // over an edge of the grid
		}
		cs := two(flat, ball, r3.PoseIdentity(), X, 0.01)
		checkPoints(t, cs)
		if len(cs) != 1 || math.Abs(cs[0].Phi+1e-4) > 1e-14 || cs[0].Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-14 {
			t.Fatalf("at %v: %+v", X.P, cs)
		}
	}
	// A groove along y with walls at 45°, and a capsule lying in it.
	section := [][2]float64{{-0.2, 0}, {-0.2, -0.3}, {0.2, -0.3}, {0.2, 0}, {0, -0.2}}
	groove := mustMesh(t, prism(section, 0.3))
	height := -0.2 + R*math.Sqrt2 - 1e-4
	cs := two(groove, ball, r3.PoseIdentity(), shift(0, 0.01, height), 1e-3)
	checkPoints(t, cs)
	if len(cs) != 2 || cs[0].Normal_W.Add(cs[1].Normal_W).Unit().Sub(r3.Vec{0, 0, 1}).Norm() > 1e-9 {
		t.Fatalf("ball in a groove: %+v", cs)
	}
	for _, c := range cs {
		if math.Abs(c.Phi+1e-4/math.Sqrt2) > 1e-12 {
			t.Fatalf("φ = %g, want %g", c.Phi, -1e-4/math.Sqrt2)
		}
	}
	lying := r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), P: r3.Vec{0, 0, height}}
	if cs = two(groove, &Capsule{Radius: R, HalfLength: 0.1}, r3.PoseIdentity(), lying, 1e-3); len(cs) != 4 {
		t.Fatalf("capsule in a groove: %d contacts, want 4", len(cs))
	}
}

// A ring hangs on a peg: free in the middle of the hole, stopped where it touches.
func TestRingOnPegIsFreeInTheMiddle(t *testing.T) {
	ring := mustMesh(t, torusMesh(0.1, 0.03, 48, 24))
	for name, peg := range map[string]Shape{
		"capsule": &Capsule{Radius: 0.05, HalfLength: 0.2},
		"mesh":    mustMesh(t, (&Capsule{Radius: 0.05, HalfLength: 0.2}).SurfaceMesh()),
	} {
		if cs := two(ring, peg, r3.PoseIdentity(), r3.PoseIdentity(), 1e-3); len(cs) != 0 {
			t.Errorf("%s in the middle: %d contacts", name, len(cs))
		}
		cs := two(ring, peg, r3.PoseIdentity(), shift(0.0205, 0, 0), 1e-3)
		checkPoints(t, cs)
		deepest := Contact{Phi: 1}
		for _, c := range cs {
			if c.Phi < deepest.Phi {
				deepest = c
			}
		}
		if math.Abs(deepest.Phi+5e-4) > 3e-4 || deepest.Normal_W[0] > -0.95 {
			t.Errorf("%s aside: φ = %g, normal %v", name, deepest.Phi, deepest.Normal_W)
		}
	}
}

// A ring lies flat on the ground on a rim of points all around, none deeper than
// the ground allows.
func TestRingRestsAllAround(t *testing.T) {
	ring := mustMesh(t, torusMesh(0.1, 0.03, 48, 24))
	cs := two(HalfSpace{}, ring, r3.PoseIdentity(), shift(0, 0, 0.03-1e-4), 1e-3)
	checkPoints(t, cs)
	var mean r3.Vec
	n := 0
	for _, c := range cs {
		if c.Phi < 0 {
			mean = mean.Add(c.Pos_W)
			n++
		}
	}
	if n != 8 || math.Hypot(mean[0], mean[1])/float64(n) > 1e-3 {
		t.Fatalf("%d points, centre %v", n, mean)
	}
}

// The roles of A and B can be swapped: same depth, as many points.
func TestSwappedBodiesMirrorTheContacts(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	shapes := []Shape{mustMesh(t, gridBox(r3.Vec{0.1, 0.08, 0.05}, 3)), mustMesh(t, torusMesh(0.1, 0.04, 16, 8)),
		&Box{Half: r3.Vec{0.05, 0.05, 0.1}}, &Sphere{Radius: 0.08}, &Capsule{Radius: 0.03, HalfLength: 0.1}}
	touching := 0
	for range 300 {
		a, b := shapes[r.Intn(2)], shapes[r.Intn(len(shapes))]
		v := func(s float64) r3.Vec { return r3.Vec{s * r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()} }
		X, Y := r3.Pose{R: r3.RotExp(v(1)), P: v(0.07)}, r3.Pose{R: r3.RotExp(v(1)), P: v(0.07)}
		p, q := two(a, b, X, Y, 0.01), two(b, a, Y, X, 0.01)
		checkPoints(t, p)
		checkPoints(t, q)
		if len(p) > 0 {
			touching++
		}
		least := func(cs []Contact) float64 {
			m := 0.01
			for _, c := range cs {
				m = min(m, c.Phi)
			}
			return m
		}
		if math.Abs(least(p)-least(q)) > 1e-9 {
			t.Errorf("least φ %g and %g, %d and %d contacts", least(p), least(q), len(p), len(q))
		}
	}
	if touching < 100 {
		t.Errorf("only %d placements touch", touching)
	}
}

// Separated bodies: the least gap over the contact points is the distance of
// the solids, by brute force over the triangles.
func TestLeastGapIsTheDistance(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	ma, mb := torusMesh(0.1, 0.04, 12, 7), gridBox(r3.Vec{0.06, 0.04, 0.05}, 2)
	a, b := mustMesh(t, ma), mustMesh(t, mb)
	seen := 0
	for range 120 {
		v := func(s float64) r3.Vec { return r3.Vec{s * r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()} }
		X, Y := r3.Pose{R: r3.RotExp(v(1)), P: v(0.05)}, r3.Pose{R: r3.RotExp(v(1)), P: v(0.12)}
		pa, pb := moved(ma, X), moved(mb, Y)
		want := surfaceDistance(pa, ma.Tris, pb, mb.Tris)
		if want == 0 || want > 0.02 {
			continue
		}
		if phi, _ := a.SignedDistance(X.InvPoint(pb[0])); phi < 0 {
			continue
		}
		if phi, _ := b.SignedDistance(Y.InvPoint(pa[0])); phi < 0 {
			continue
		}
		seen++
		got := math.Inf(1)
		for _, c := range two(a, b, X, Y, 0.02) {
			got = min(got, c.Phi)
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("least φ = %g, distance %g", got, want)
		}
	}
	if seen < 10 {
		t.Errorf("only %d cases", seen)
	}
}

// surfaceDistance returns the distance of two surfaces by brute force, 0 where
// an edge of one passes through a triangle of the other.
func surfaceDistance(pa []r3.Vec, ta [][3]int32, pb []r3.Vec, tb [][3]int32) float64 {
	best := math.Inf(1)
	for _, s := range ta {
		for _, u := range tb {
			for k := range 3 {
				a0, a1, b0, b1 := pa[s[k]], pa[s[(k+1)%3]], pb[u[k]], pb[u[(k+1)%3]]
				if pierces(a0, a1, pb[u[0]], pb[u[1]], pb[u[2]]) || pierces(b0, b1, pa[s[0]], pa[s[1]], pa[s[2]]) {
					return 0
				}
				q, _ := r3.ClosestOnTriangle(a0, pb[u[0]], pb[u[1]], pb[u[2]])
				best = min(best, q.Sub(a0).Norm())
				q, _ = r3.ClosestOnTriangle(b0, pa[s[0]], pa[s[1]], pa[s[2]])
				best = min(best, q.Sub(b0).Norm())
				for j := range 3 {
					c0, c1 := pb[u[j]], pb[u[(j+1)%3]]
					x, y := r3.ClosestOnSegments(a0, a1, c0, c1)
					best = min(best, a0.Lerp(a1, x).Sub(c0.Lerp(c1, y)).Norm())
				}
			}
		}
	}
	return best
}

// pierces reports whether the segment pq passes through the triangle abc.
func pierces(p, q, a, b, c r3.Vec) bool {
	n := r3.TriangleNormal(a, b, c)
	dp, dq := p.Sub(a).Dot(n), q.Sub(a).Dot(n)
	if dp*dq >= 0 {
		return false
	}
	w := r3.Barycentric(p.Lerp(q, dp/(dp-dq)), a, b, c)
	return w[0] > 0 && w[1] > 0 && w[2] > 0
}

// plain is a shape that offers a distance and a surface and nothing else, as one
// that somebody adds.
type plain struct{ Shape }

// A shape that has no more than its distance and surface touches all others.
func TestAnyShapeWithADistanceCollides(t *testing.T) {
	h := r3.Vec{0.1, 0.1, 0.05}
	X := shift(0.01, 0.02, h[2]-1e-4)
	for name, ground := range map[string]struct {
		shape Shape
		X     r3.Pose
	}{
		"half-space": {HalfSpace{}, shift(0, 0, 0)},
		"box":        {&Box{Half: r3.Vec{1, 1, 0.1}}, shift(0, 0, -0.1)},
		"sphere":     {&Sphere{Radius: 0.2}, shift(0, 0, -0.2)},
		"capsule":    {&Capsule{Radius: 0.2, HalfLength: 0.5}, r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), P: r3.Vec{0, 0, -0.2}}},
		"mesh":       {mustMesh(t, gridBox(r3.Vec{1, 1, 0.1}, 3)), shift(0, 0, -0.1)},
		"plain":      {plain{&Box{Half: r3.Vec{1, 1, 0.1}}}, shift(0, 0, -0.1)},
	} {
		cs := two(ground.shape, plain{&Box{Half: h}}, ground.X, X, 0)
		checkPoints(t, cs)
		if len(cs) == 0 {
			t.Errorf("%s: no contact", name)
		}
		for _, c := range cs {
			if math.Abs(c.Phi+1e-4) > 1e-9 || c.Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-6 {
				t.Errorf("%s: φ = %g, normal %v", name, c.Phi, c.Normal_W)
			}
		}
	}
	s := deformableData(plain{&Box{Half: h}}, sheet(0.1, 3))
	s.X_WB[0] = shift(0, 0, -h[2]+1e-3)
	if area, _, _ := total(s.Collide()); math.Abs(area-0.01) > 1e-12 {
		t.Errorf("area %g of the sheet in contact, want 0.01", area)
	}
}

func TestNewMeshSaysWhatIsWrong(t *testing.T) {
	good := gridBox(r3.Vec{1, 1, 1}, 2)
	open := &meshes.Tri{Verts: good.Verts, Tris: good.Tris[1:]}
	flipped := &meshes.Tri{Verts: good.Verts}
	for _, f := range good.Tris {
		flipped.Tris = append(flipped.Tris, [3]int32{f[0], f[2], f[1]})
	}
	bad := &meshes.Tri{Verts: append([]r3.Vec{{math.NaN(), 0, 0}}, good.Verts...), Tris: good.Tris}
	out := &meshes.Tri{Verts: good.Verts[:3], Tris: good.Tris}
	for want, m := range map[string]*meshes.Tri{"no triangles": {}, "not closed": open, "flip": flipped, "finite": bad, "names vertex": out} {
		if _, err := NewMesh(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The distance to a mesh box is that to the box.
func TestMeshDistanceAgreesWithPrimitive(t *testing.T) {
	box := &Box{Half: r3.Vec{0.3, 0.2, 0.1}}
	mesh := mustMesh(t, gridBox(box.Half, 3))
	r := rand.New(rand.NewSource(3))
	for range 3000 {
		p := r3.Vec{0.3 * r.NormFloat64(), 0.3 * r.NormFloat64(), 0.3 * r.NormFloat64()}
		phi, g := mesh.SignedDistance(p)
		want, n := box.SignedDistance(p)
		if math.Abs(phi-want) > 1e-14 {
			t.Fatalf("φ(%v) = %v, box %v", p, phi, want)
		}
		if phi > 1e-6 && g.Sub(n).Norm() > 1e-9 {
			t.Fatalf("∇φ(%v) = %v, box %v", p, g, n)
		}
	}
}

func BenchmarkMeshOnMesh(b *testing.B) {
	x, y := mustMesh(b, torusMesh(0.1, 0.04, 60, 30)), mustMesh(b, torusMesh(0.1, 0.04, 60, 30))
	s := NewData(&Model{NumRigid: 2, Geoms: []Geom{
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: x},
		{Body: 1, X_BG: r3.PoseIdentity(), Shape: y},
	}})
	s.X_WB[1] = r3.Pose{R: r3.RotExp(r3.Vec{1.5, 0.1, 0}), P: r3.Vec{0.079, 0, 0}}
	b.ReportAllocs()
	for b.Loop() {
		s.Collide()
	}
	b.ReportMetric(float64(len(s.Collide())), "contacts")
}
