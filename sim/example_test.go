package sim_test

import (
	"fmt"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// A ball falls for half a second: steps of h fall by g t (t + h)/2.
func ExampleStepper_Step() {
	b := sim.NewBuilder()
	b.AddBody("ball", sim.BodySpec{Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	b.AddSignal("z", &sim.PositionSpec{Component: "z", Body: "ball"})
	model := b.MustBuild()
	stepper, _ := sim.NewStepper(model, sim.Options{Threads: 1})
	state := model.Start.Clone()
	for range 500 {
		if err := stepper.Step(state, 0.001); err != nil {
			panic(err)
		}
	}
	stepper.Place(state, 0.001)
	fmt.Printf("%.4f m\n", stepper.Read(state, nil)[0])
	// Output: -1.2287 m
}

// A soft cube of 1 kg comes to rest on the ground, which carries its weight.
func ExampleBuilder_AddDeformable() {
	mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2})
	law, _ := fem.NewCorotational(1e5, 0.4)
	b := sim.NewBuilder()
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Law: law, Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.05}}, StiffnessDamping: 0.02})
	b.AddSignal("load", &sim.ContactForceSpec{Component: "z", Body: "cube"})
	model := b.MustBuild()
	stepper, _ := sim.NewStepper(model, sim.Options{Threads: 1})
	state := model.Start.Clone()
	for range 200 {
		_ = stepper.Step(state, 0.01)
	}
	fmt.Printf("%.2f N\n", stepper.Read(state, nil)[0])
	// Output: 9.81 N
}

// A ball of 2 kg lies on a box: the report has every contact with its force.
func ExampleReport_Contacts() {
	b := sim.NewBuilder()
	b.AddBody("table", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{1, 1, 0.1}}}}})
	b.AddBody("ball", sim.BodySpec{Mass: 2, Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.1}}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	model := b.MustBuild()
	stepper, _ := sim.NewStepper(model, sim.Options{Threads: 1})
	for state := model.Start.Clone(); state.Step < 300; {
		_ = stepper.Step(state, 0.01)
	}
	for _, c := range stepper.Report.Contacts() {
		fmt.Printf("%s on %s: %.2f N\n", stepper.BodyName(c.A.Body), stepper.BodyName(c.B.Body), c.Normal)
	}
	// Output: table on ball: 19.62 N
}

// A state is all that a run needs to continue with the same bits, with any stepper.
func ExampleState_Clone() {
	b := sim.NewBuilder()
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("ball", sim.BodySpec{Velocity: r3.Vec{1, 0, 2}, Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.05}}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	model := b.MustBuild()
	one, _ := sim.NewStepper(model, sim.Options{Threads: 1})
	two, _ := sim.NewStepper(model, sim.Options{Threads: 2})
	state := model.Start.Clone()
	saved := state.Clone()
	for range 100 {
		_ = one.Step(state, 0.01)
		_ = two.Step(saved, 0.01)
	}
	fmt.Println(state.Hash() == saved.Hash())
	// Output: true
}
