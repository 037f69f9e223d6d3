package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

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
