package sim_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// Contact points of a tilted box on a box have parts w of the stiffness k of their face: each transmits w k (−φ − h
// v_n), without dissipation. The part used to be that of the first point for all of them.
func TestEachContactPointHasItsOwnPartOfTheStiffness(t *testing.T) {
	const h, k = 1e-3, 2e4
	b := sim.NewBuilder()
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 2*k, 0 // two in series
	b.AddMaterial("default", soft)
	b.AddBody("base", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.1, 0.1}}}}})
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.02, 0.05, 0.3}), P: r3.Vec{0.01, 0.02, 0.098}}
	b.AddBody("box", sim.BodySpec{Mass: 1, Pose: X, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.1, 0.1}}}}})
	s, err := sim.NewStepper(b.MustBuild(), sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := s.Model.Start.Clone()
	if err := s.Step(x, h); err != nil {
		t.Fatal(err)
	}
	w, v := r3.Vec(x.V[:3]), r3.Vec(x.V[3:6])
	least, most, loaded := math.Inf(1), 0.0, 0
	contacts := s.Report.Contacts()
	for i := range contacts {
		c := &contacts[i]
		vn := v.Add(w.Cross(c.Pos_W.Sub(X.P))).Dot(c.Normal_W)
		want := c.Weight * k * math.Max(0, -(c.Phi+h*vn))
		if math.Abs(c.Normal-want) > 1e-3*want+1e-6 {
			t.Errorf("contact %d of weight %g transmits %g N, want %g", i, c.Weight, c.Normal, want)
		}
		if want > 0 {
			least, most, loaded = math.Min(least, c.Weight), math.Max(most, c.Weight), loaded+1
		}
	}
	if loaded < 2 || !(least < 0.9*most) {
		t.Errorf("%d contacts of weights %g to %g: the test needs different ones", loaded, least, most)
	}
}
