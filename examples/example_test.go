package examples_test

import (
	"fmt"
	"log"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// must stops the program at an error.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// A ball falls on the ground, which then carries its weight. The body between the
// markers is the example of README.md.
func Example() {
	above := r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.06}} // m
	var err error
	// README
	b := sim.NewBuilder()
	b.AddBody("ground", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.5, Pose: above, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	b.AddSignal("force", &sim.ContactForceSpec{Component: "z", Body: "ball"})
	model := must(b.Build())
	stepper := must(sim.NewStepper(model, sim.Options{Threads: 2}))
	state := model.Start.Clone()
	for state.Time < 1 && err == nil {
		err = stepper.Step(state, 0.005)
	}
	fmt.Printf("%.3f N\n", stepper.Read(state, nil)[0]) // 0.5 kg · 9.81 m/s²
	// end
	stepper.Close()
	if err != nil {
		log.Fatal(err)
	}
	// Output: 4.905 N
}
