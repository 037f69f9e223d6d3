// Package apitest uses the program as others do: from another module, through its public
// packages alone. It is a module of its own, which the tests of the program do not run;
// .ci/run does.
package apitest

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

const h = 0.005 // length of a step, s

// model is a ball of 0.5 kg on a soft cube of 1 kg on the ground.
func model(t *testing.T) *sim.Model {
	t.Helper()
	mesh, err := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{4, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	law, err := fem.NewCorotational(1e5, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	at := func(z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, z}} }
	b := sim.NewBuilder()
	b.AddBody("ball", sim.BodySpec{Pose: at(0.131), Mass: 0.5, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}}}})
	b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Law: law, Pose: at(0.05), StiffnessDamping: 0.02})
	b.AddBody("ground", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddSignal("load", &sim.ContactForceSpec{Component: "normal", Body: "ground"})
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// advance takes n steps.
func advance(t *testing.T, s *sim.Stepper, x *sim.State, n int) {
	t.Helper()
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
}

// Two threads step the model to rest; then forces carry the weights, and a state that was
// saved on the way leads to the same bits on one thread.
func TestAnotherModuleStepsReadsSavesAndRestores(t *testing.T) {
	m := model(t)
	s, err := sim.NewStepper(m, sim.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := m.Start.Clone()
	advance(t, s, x, 100)
	saved := x.Clone()
	advance(t, s, x, 200)

	const g = 9.81
	if load := s.Read(x, nil)[m.Names.Signals["load"]]; math.Abs(load-1.5*g) > 0.05 {
		t.Errorf("the ground carries %g N, want %g", load, 1.5*g)
	}
	onBall := 0.0
	for _, c := range s.Report.Contacts() {
		switch m.Body("ball") {
		case c.A.Body:
			onBall -= c.Force_W[2]
		case c.B.Body:
			onBall += c.Force_W[2]
		}
	}
	if math.Abs(onBall-0.5*g) > 0.05 {
		t.Errorf("the cube carries the ball with %g N, want %g", onBall, 0.5*g)
	}

	one, err := sim.NewStepper(m, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	advance(t, one, saved, 200)
	if saved.Hash() != x.Hash() {
		t.Error("the restored state leads to other bits")
	}
}
