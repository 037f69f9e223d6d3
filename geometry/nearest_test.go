package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

func TestNearestIsTheDistanceHoweverFar(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	shapes := []Shape{must(NewSphere(0.1)), must(NewBox(r3.Vec{0.1, 0.2, 0.3})), must(NewCapsule(0.05, 0.2)), must(NewCylinder(0.1, 0.2))}
	for range 300 {
		A, B := shapes[rng.IntN(len(shapes))], shapes[rng.IntN(len(shapes))]
		m := &Model{NumRigid: 2, Geoms: []Geom{{Body: 0, X_BG: r3.PoseIdentity(), Shape: A}, {Body: 1, X_BG: r3.PoseIdentity(), Shape: B}}}
		s := NewData(m)
		for i := range s.X_WB {
			s.X_WB[i].R = r3.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit().Mat()
		}
		s.X_WB[1].P = r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Scale(math.Exp(3*rng.Float64() - 1))
		c, ok := s.Nearest(0, []int{World, 1})
		if !ok {
			t.Fatal("nothing found")
		}
		if c.Phi <= 0 {
			continue
		}
		k := newCores(A.(SupportMap), B.(SupportMap), s.X_WB[0], s.X_WB[1])
		core, _ := k.closest(1e3)
		want := core.s - k.A.Rounding() - k.B.Rounding()
		if math.Abs(c.Phi-want) > 1e-9 {
			t.Errorf("%T %T: %g, want %g", A, B, c.Phi, want)
		}
		if d := c.B.Pos_W.Sub(c.A.Pos_W).Norm(); math.Abs(d-c.Phi) > 1e-9 {
			t.Errorf("%T %T: points are %g apart, the gap is %g", A, B, d, c.Phi)
		}
	}
}

func TestNearestLeavesContactsAlone(t *testing.T) {
	m := &Model{NumRigid: 2, Geoms: []Geom{
		{Body: World, X_BG: r3.PoseIdentity(), Shape: HalfSpace{}},
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: must(NewSphere(0.1))},
		{Body: 1, X_BG: r3.PoseIdentity(), Shape: must(NewBox(r3.Vec{1, 1, 1}))},
	}}
	s := NewData(m)
	s.X_WB[0].P = r3.Vec{0, 0, 0.0999}
	s.X_WB[1].P = r3.Vec{30, 0, 0.4999}
	before := append([]Contact(nil), s.Collide()...)
	contacts := s.contacts
	c, ok := s.Nearest(1, []int{0})
	if want := 29.4; !ok || math.Abs(c.Phi-want) > 1e-12 || c.A.Body != 0 || c.B.Body != 1 {
		t.Errorf("sphere and box: %v, want %g", c, want)
	}
	if c, ok := s.Nearest(0, []int{World}); !ok || math.Abs(c.Phi+1e-4) > 1e-15 || c.Pos_W != c.B.Pos_W {
		t.Errorf("sphere on the ground: %+v", c)
	}
	if _, ok := s.Nearest(0, nil); ok {
		t.Error("found something among nobody")
	}
	if len(before) != 5 || len(contacts) != len(before) {
		t.Fatalf("%d contacts", len(before))
	}
	for i := range before {
		if contacts[i] != before[i] {
			t.Error("contacts changed")
		}
	}
}

// Within a distance Nearest and NearestWithin agree; beyond it there is no contact.
func TestNearestWithinADistance(t *testing.T) {
	ball, err := NewSphere(0.1)
	if err != nil {
		t.Fatal(err)
	}
	s := NewData(&Model{NumRigid: 2, Geoms: []Geom{
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: ball}, {Body: 1, X_BG: r3.PoseIdentity(), Shape: ball},
	}})
	s.X_WB[0], s.X_WB[1] = r3.PoseIdentity(), r3.Pose{R: r3.Identity(), P: r3.Vec{0.5, 0, 0}}
	c, ok := s.NearestWithin(0.31, 1, []int{0})
	if !ok || math.Abs(c.Phi-0.3) > 1e-12 {
		t.Errorf("%v, gap %g m, want 0.3", ok, c.Phi)
	}
	if _, ok := s.NearestWithin(0.29, 1, []int{0}); ok {
		t.Error("a gap of 0.3 m is found within 0.29 m")
	}
}

// bruteDistance returns the distance of two triangle surfaces that do not overlap, m: the least of
// vertices from triangles, and of edges from edges.
func bruteDistance(a, b *meshes.Tri, X_AB r3.Pose) float64 {
	moved := make([]r3.Vec, len(b.Verts))
	for i, p := range b.Verts {
		moved[i] = X_AB.Point(p)
	}
	least := math.Inf(1)
	vertices := func(verts, x []r3.Vec, tris [][3]int32) {
		for _, p := range verts {
			for _, t := range tris {
				q, _ := r3.ClosestOnTriangle(p, x[t[0]], x[t[1]], x[t[2]])
				least = min(least, p.Sub(q).Norm())
			}
		}
	}
	vertices(a.Verts, moved, b.Tris)
	vertices(moved, a.Verts, a.Tris)
	for _, t := range a.Tris {
		for _, u := range b.Tris {
			for k := range 3 {
				p, q := a.Verts[t[k]], a.Verts[t[(k+1)%3]]
				for l := range 3 {
					v, w := moved[u[l]], moved[u[(l+1)%3]]
					x, y := r3.ClosestOnSegments(p, q, v, w)
					least = min(least, p.Lerp(q, x).Sub(v.Lerp(w, y)).Norm())
				}
			}
		}
	}
	return least
}

// The gap of two meshes is that of all their vertices, edges and triangles, and the last search
// looks at few of them however far they are apart.
func TestNearestOfMeshesLooksAtFewFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	ring := torusMesh(0.12, 0.05, 16, 8)
	A, B := mustMesh(t, ring), mustMesh(t, must(NewBox(r3.Vec{0.3, 0.1, 0.2})).SurfaceMesh())
	C := mustMesh(t, torusMesh(0.05, 0.02, 12, 6))
	for range 4 {
		for _, other := range []*Mesh{A, B, C} {
			s := NewData(&Model{NumRigid: 2, Geoms: []Geom{{Body: 0, X_BG: r3.PoseIdentity(), Shape: A}, {Body: 1, X_BG: r3.PoseIdentity(), Shape: other}}})
			for i := range s.X_WB {
				s.X_WB[i].R = r3.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit().Mat()
			}
			away := r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit()
			s.X_WB[1].P = away.Scale(0.4 * math.Exp(4*rng.Float64()))
			c, ok := s.Nearest(0, []int{1})
			want := bruteDistance(ring, other.SurfaceMesh(), s.X_WB[0].Inv().Mul(s.X_WB[1]))
			if !ok || math.Abs(c.Phi-want) > 1e-12 {
				t.Fatalf("gap %g m, want %g", c.Phi, want)
			}
			if m := &s.mesh[0]; len(m.pairs) > 200 || len(m.candidates) > 20 {
				t.Errorf("at %g m: %d pairs of edges, %d contacts", want, len(m.pairs), len(m.candidates))
			}
		}
	}
}
