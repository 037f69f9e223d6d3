package geometry

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// deformableData has one rigid shape on body 0 and deformables on bodies 1, 2, ….
func deformableData(shape Shape, surfaces ...*meshes.Tri) *Data {
	m := &Model{NumRigid: 1}
	if shape != nil {
		m.Geoms = []Geom{{Name: "shape", X_BG: r3.PoseIdentity(), Shape: shape, Material: 7}}
	}
	for i, t := range surfaces {
		m.Deformables = append(m.Deformables, Deformable{Name: "soft", Body: 1 + i, NumVerts: len(t.Verts), Tris: t.Tris, Material: 8 + i})
	}
	s := NewData(m)
	for i, t := range surfaces {
		s.X_W[i] = t.Verts
	}
	return s
}

// total sums the area that overlaps, the area ahead, and ∫ −φ n over the former.
func total(cs []Contact) (overlap, ahead float64, push r3.Vec) {
	for i := range cs {
		if c := &cs[i]; c.Phi < 0 {
			overlap += c.Area
			push = push.AddScaled(-c.Phi*c.Area, c.Normal_W)
		} else {
			ahead += c.Area
		}
	}
	return overlap, ahead, push
}

// checkDeformable verifies what is true of every contact on deformables.
func checkDeformable(t *testing.T, s *Data, cs []Contact) {
	t.Helper()
	for i := range cs {
		c := &cs[i]
		if c.A.Body >= c.B.Body {
			t.Fatalf("contact %d: bodies %d, %d out of order", i, c.A.Body, c.B.Body)
		}
		if i > 0 {
			p := &cs[i-1]
			before := [4]int32{int32(p.A.Body), int32(p.B.Body), p.Elem[0], p.Elem[1]}
			now := [4]int32{int32(c.A.Body), int32(c.B.Body), c.Elem[0], c.Elem[1]}
			for k := 0; k < 4 && before[k] >= now[k]; k++ {
				if before[k] > now[k] {
					t.Fatalf("contact %d: order %v after %v", i, now, before)
				}
			}
		}
		if e := math.Abs(c.Normal_W.Norm() - 1); !(e < 1e-12) {
			t.Fatalf("contact %d: normal of length 1%+g", i, e)
		}
		if !(c.Area > 0) || math.IsNaN(c.Phi) {
			t.Fatalf("contact %d: area %g, φ %g", i, c.Area, c.Phi)
		}
		for _, f := range []*MaterialPoint{&c.A, &c.B} {
			if f.N == 0 {
				continue
			}
			x, sum := r3.Vec{}, 0.0
			for k := range f.N {
				x = x.AddScaled(f.W[k], s.X_W[f.Body-1][f.Vert[k]])
				sum += f.W[k]
				if f.W[k] < -1e-12 {
					t.Fatalf("contact %d: weight %g", i, f.W[k])
				}
			}
			if math.Abs(sum-1) > 1e-12 || x.Sub(f.Pos_W).Norm() > 1e-12 {
				t.Fatalf("contact %d: weights sum to %g and give %v, not %v", i, sum, x, f.Pos_W)
			}
		}
	}
}

func TestFlatFaceTouchesWithAllItsArea(t *testing.T) {
	box := &Box{Half: r3.Vec{1, 1, 0.1}}
	for name, shape := range map[string]Shape{"half-space": HalfSpace{}, "box": box, "mesh": mustMesh(t, gridBox(box.Half, 3))} {
		top := 0.0
		if name != "half-space" {
			top = box.Half[2]
		}
		m := sheet(0.5, 5)
		s := deformableData(shape, m)
		for _, depth := range []float64{0, 1e-12, 1e-6, 1e-3} {
			X := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.3}), P: r3.Vec{0.1, 0.05, top - depth}}
			s.X_W[0] = moved(m, X)
			cs := s.Collide()
			checkDeformable(t, s, cs)
			if len(cs) != len(m.Tris) {
				t.Fatalf("%s, depth %g: %d contacts, want one for each of %d triangles", name, depth, len(cs), len(m.Tris))
			}
			area := 0.0
			for _, c := range cs {
				area += c.Area
				if math.Abs(c.Phi+depth) > 1e-16 || c.Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-12 {
					t.Fatalf("%s: φ = %g, want %g; normal %v", name, c.Phi, -depth, c.Normal_W)
				}
				if c.A.Body != 0 || c.B.Body != 1 || c.Materials != [2]int{7, 8} || c.A.N != 0 || c.B.N != 3 {
					t.Fatalf("%s: sides %+v %+v", name, c.A, c.B)
				}
			}
			if math.Abs(area-0.25) > 1e-14 {
				t.Fatalf("%s, depth %g: area %v, want 0.25", name, depth, area)
			}
		}
	}
}

// A flat sheet tilted into a half-space: depth is linear, so that force and area
// are exact on any mesh.
func TestLinearDepthIsIntegratedExactly(t *testing.T) {
	m := sheet(1, 7)
	s := deformableData(HalfSpace{}, m)
	for _, tilt := range []float64{0.01, 0.1, 0.5} {
		for _, z := range []float64{0, 1e-3, -0.02} {
			s.X_W[0] = moved(m, r3.Pose{R: r3.RotExp(r3.Vec{0, tilt, 0}), P: r3.Vec{0, 0, z}})
			overlap, _, push := total(s.Collide())
			// Along the tilted axis depth is u sin(tilt) − z, |u| ≤ ½.
			lo := max(-0.5, z/math.Sin(tilt))
			d := 0.5*math.Sin(tilt) - z
			wantPush := d * d / 2 / math.Sin(tilt)
			if lo == -0.5 {
				wantPush = -z
			}
			if math.Abs(overlap-(0.5-lo)) > 1e-12 || math.Abs(push[2]-wantPush) > 1e-12 {
				t.Errorf("tilt %g, height %g: area %v, want %v; ∫−φ %v, want %v", tilt, z, overlap, 0.5-lo, push[2], wantPush)
			}
		}
	}
}

// A box pressed by δ into a coarse sheet that overhangs it touches with its whole
// rectangle a×b. Nearest to the middle part, (a − 2δ)(b − 2δ), is the top, so that
// the upward push is δ times that; nearest to the rim are the sides, which push
// sideways, in balance.
func TestSharpEdgesAreCutExactly(t *testing.T) {
	box := &Box{Half: r3.Vec{0.03, 0.02, 0.05}}
	for name, shape := range map[string]Shape{"primitive": box, "mesh": mustMesh(t, gridBox(box.Half, 2))} {
		for _, n := range []int{1, 3, 10} {
			s := deformableData(shape, sheet(0.1, n))
			for k := range 20 {
				const depth = 0.0015
				u := float64(k)
				s.X_WB[0] = r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.1 * u}), P: r3.Vec{0.0005 * u, 0.0003 * u, depth - 0.05}}
				cs := s.Collide()
				checkDeformable(t, s, cs)
				area, _, push := total(cs)
				want := depth * (0.06 - 2*depth) * (0.04 - 2*depth)
				if math.Abs(area/(0.06*0.04)-1) > 0.02 || math.Abs(push[2]/want-1) > 0.02 || math.Hypot(push[0], push[1]) > 0.02*want {
					t.Errorf("%s, %d×%d, place %d: area %g of %g, ∫−φ n %v of %g", name, n, n, k, area, 0.06*0.04, push, want)
				}
			}
		}
	}
}

// A ball pressed by δ into a flat sheet touches the disc a² = R² − d², d = R − δ,
// with ∫ −φ dA = 2π(R a²/2 − (R³ − d³)/3). On coarse triangles, which are divided,
// the error is bounded; on fine ones, which are not, it is of second order.
func TestBallInFlatSheetConvergesWithSecondOrder(t *testing.T) {
	const R, depth = 0.05, 0.005
	const d = R - depth
	a2 := R*R - d*d
	wantArea := math.Pi * a2
	wantPush := 2 * math.Pi * (R*a2/2 - (R*R*R-d*d*d)/3)
	errors := func(n int) (area, push float64) {
		m := sheet(0.1, n)
		s := deformableData(&Sphere{Radius: R}, m)
		for k := range 7 { // off the mesh's symmetries
			s.X_WB[0] = shift(0.001*float64(k), 0.0007*float64(k), -d)
			cs := s.Collide()
			checkDeformable(t, s, cs)
			a, p := 0.0, 0.0
			for _, c := range cs {
				if c.Phi < 0 {
					a += c.Area
					p -= c.Phi * c.Area
				}
			}
			area, push = max(area, math.Abs(a/wantArea-1)), max(push, math.Abs(p/wantPush-1))
		}
		return area, push
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		a, p := errors(n)
		t.Logf("edge %.3f R: relative error of area %.2g, of ∫−φ %.2g", 0.1/float64(n)/R, a, p)
		if a > 0.15 || p > 0.02 {
			t.Errorf("edge %.3f R: relative error of area %g, of ∫−φ %g", 0.1/float64(n)/R, a, p)
		}
	}
	a1, p1 := errors(64)
	a2b, p2 := errors(128)
	t.Logf("order of area %.2f, of ∫−φ %.2f", math.Log2(a1/a2b), math.Log2(p1/p2))
	if math.Log2(a1/a2b) < 1.7 || math.Log2(p1/p2) < 1.7 {
		t.Errorf("errors %g, %g of area and %g, %g of ∫−φ: not of second order", a1, a2b, p1, p2)
	}
}

// Sliding a shape over a mesh changes area and force by little per step: nothing
// jumps when a level passes a vertex or a triangle is divided again.
func TestContactIsContinuousWhileSliding(t *testing.T) {
	shapes := map[string]Shape{
		"ball":       &Sphere{Radius: 0.05},
		"box":        &Box{Half: r3.Vec{0.03, 0.02, 0.05}},
		"half-space": HalfSpace{},
	}
	for name, shape := range shapes {
		m := sheet(0.1, 9)
		s := deformableData(shape, m)
		s.MotionBound[0] = 1e-3
		var lastA, lastP, lastAll, jumpA, jumpP, jumpAll float64
		const steps = 1000
		for k := range steps {
			u := float64(k) / steps
			X := shift(0.004*u, 0.002*u, -0.0485)
			if name == "half-space" {
				X = r3.Pose{R: r3.RotExp(r3.Vec{0.02, 0.03, 0}), P: r3.Vec{0, 0, 0.0005*u - 0.001}}
			}
			s.X_WB[0] = X
			a, ahead, push := total(s.Collide())
			p, all := push.Norm(), a+ahead
			if k > 0 {
				jumpA, jumpP, jumpAll = max(jumpA, math.Abs(a-lastA)), max(jumpP, math.Abs(p-lastP)/p), max(jumpAll, math.Abs(all-lastAll))
			}
			lastA, lastP, lastAll = a, p, all
		}
		tri := 0.1 * 0.1 / 162
		t.Logf("%s: largest change per step of overlapping area %.2g, of all area %.2g triangles; of force %.2g", name, jumpA/tri, jumpAll/tri, jumpP)
		if jumpA > 0.1*tri || jumpAll > 0.1*tri || jumpP > 0.01 {
			t.Errorf("%s: a jump", name)
		}
	}
}

// Shapes that poke through the middle of one large triangle, far from its
// vertices, are caught, before and after they overlap.
func TestSmallAndThinShapesBetweenVerticesAreCaught(t *testing.T) {
	m := &meshes.Tri{Verts: []r3.Vec{{-1, -1, 0}, {0, 1.5, 0}, {1, -1, 0}}, Tris: [][3]int32{{0, 1, 2}}}
	cases := map[string]struct {
		shape Shape
		tip   float64 // height of the tip above the origin of the shape
	}{
		"ball":   {&Sphere{Radius: 0.02}, 0.02},
		"needle": {&Capsule{Radius: 0.01, HalfLength: 0.5}, 0.51},
		"plate":  {&Box{Half: r3.Vec{0.005, 0.3, 0.4}}, 0.4},
		"stick":  {&Box{Half: r3.Vec{0.003, 0.003, 0.4}}, 0.4},
	}
	for name, c := range cases {
		s := deformableData(c.shape, m)
		s.MotionBound[0] = 0.01
		for _, rise := range []float64{-0.005, 0.001, 0.002} {
			for k := range 20 {
				s.X_WB[0] = r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.1 * float64(k)}), P: r3.Vec{0.017 * float64(k-10), 0.011 * float64(k-10), rise - c.tip}}
				cs := s.Collide()
				checkDeformable(t, s, cs)
				least := math.Inf(1)
				for _, x := range cs {
					least = min(least, x.Phi)
				}
				overlap, _, _ := total(cs)
				if len(cs) == 0 || rise > 0 && !(overlap > 0) || math.Abs(least+rise) > 0.006 {
					t.Fatalf("%s at %g, place %d: %d contacts, least φ %g, overlap %g", name, rise, k, len(cs), least, overlap)
				}
			}
		}
	}
}

// Faces that turn their backs on the shape make no contact: a thin closed slab
// that has sunk into the ground is pushed by its lower face alone.
func TestBackFacesMakeNoContact(t *testing.T) {
	m := gridBox(r3.Vec{0.1, 0.1, 0.001}, 4)
	s := deformableData(HalfSpace{}, m)
	s.X_W[0] = moved(m, shift(0, 0, -0.005))
	cs := s.Collide()
	for _, c := range cs {
		if c.Normal_W[2] < 0.99 {
			t.Fatalf("normal %v", c.Normal_W)
		}
		if n := s.deformables[0].dist.FaceNormal(c.Elem[1]); n[2] > 0.5 {
			t.Fatalf("the upper face is in contact")
		}
	}
	if len(cs) == 0 {
		t.Fatal("no contact")
	}
}

// Points in the hole of a torus and in a bowl are outside the mesh shape.
func TestHolesOfMeshesAreFree(t *testing.T) {
	ball := (&Sphere{Radius: 0.5}).SurfaceMesh()
	s := deformableData(mustMesh(t, torusMesh(1, 0.3, 48, 24)), ball)
	if cs := s.Collide(); len(cs) != 0 {
		t.Fatalf("%d contacts in the hole", len(cs))
	}
	s.X_WB[0] = shift(0.25, 0, 0) // now the ring touches the ball at x = −0.45
	cs := s.Collide()
	checkDeformable(t, s, cs)
	if len(cs) == 0 {
		t.Fatal("no contact with the ring")
	}
	for _, c := range cs {
		if c.Normal_W[0] < 0.7 {
			t.Fatalf("normal %v, want about +x: from the ring to the ball", c.Normal_W)
		}
	}
	small := &meshes.Tri{Tris: ball.Tris}
	for _, p := range ball.Verts {
		small.Verts = append(small.Verts, p.Scale(0.4))
	}
	s = deformableData(mustMesh(t, bowlMesh(1, 0.9, 16, 32)), small)
	for _, x := range []struct {
		z    float64
		want bool
	}{{0, false}, {-0.68, false}, {-0.71, true}} {
		s.X_W[0] = moved(small, shift(0, 0, x.z))
		if got := len(s.Collide()) > 0; got != x.want {
			t.Errorf("ball at height %g in the bowl: contact %v, want %v", x.z, got, x.want)
		}
	}
}

// Trees of surfaces may be made before the first Collide, at any positions of the vertices: Collide
// keeps them, and its contacts have the bits of trees that were made where bodies touch.
func TestSurfacesBuiltBeforeTouchGiveTheSameContacts(t *testing.T) {
	touching := func() *Data {
		return deformableData(&Sphere{Radius: 0.05}, torusMesh(0.06, 0.02, 24, 12))
	}
	fresh, built := touching(), touching()
	// far away and turned
	there := built.X_W[0]
	away := r3.Pose{R: r3.RotExp(r3.Vec{0.3, -1, 0.7}), P: r3.Vec{5, -3, 2}}
	elsewhere := make([]r3.Vec, len(there))
	for i, x := range there {
		elsewhere[i] = away.Point(x)
	}
	built.X_W[0] = elsewhere
	built.BuildSurfaces()
	tree := built.deformables[0].dist
	if tree == nil {
		t.Fatal("no tree was built")
	}
	built.X_W[0] = there
	want, got := fresh.Collide(), built.Collide()
	if built.deformables[0].dist != tree {
		t.Error("Collide made the tree again")
	}
	if len(want) == 0 || !slices.Equal(want, got) {
		t.Errorf("%d contacts, want the %d of a tree made where the bodies touch", len(got), len(want))
	}
}
