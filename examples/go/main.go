// Command go is a tutorial of the Go packages: a rubber block stands on the ground, and a
// plate on a slide presses on it with 40 N. It prints how far the block yields and which
// forces act. Run it with
//
//	go run ./examples/go
package main

import (
	"fmt"
	"log"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// must stops the program at an error.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// build describes the model. All units are SI; items refer to each other by name.
func build() (*sim.Model, error) {
	b := sim.NewBuilder()
	grippy := constraints.DefaultContactMaterial()
	grippy.Friction, grippy.StaticFriction = 0.9, 1
	b.AddMaterial("rubber", grippy)

	// a cube of 40 mm, of 4³ cells with six tetrahedra each
	b.AddBody("ground", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddDeformable("block", sim.DeformableSpec{
		Mesh: must(meshes.BoxTets(r3.Vec{0.04, 0.04, 0.04}, [3]int{4, 4, 4})), Law: must(fem.NewCorotational(1e6, 0.4)),
		Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.02}}, StiffnessDamping: 0.01, Material: "rubber",
	})

	// a plate on a slide along z, 1 mm above the block, and a motor that pushes it down
	plate := sim.ShapeSpec{Spec: &geometry.BoxSpec{Size: r3.Vec{0.08, 0.08, 0.01}}, Density: 2700}
	b.AddBody("plate", sim.BodySpec{
		Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.046}}, Shapes: []sim.ShapeSpec{plate},
		Joint: &sim.JointSpec{Name: "slide", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, Limits: &[2]float64{-0.03, 0.05}},
	})
	b.AddDrive("push", &sim.JointDrive{Joint: "slide", Kd: 20, FeedForward: motion.Constant(-40)})

	b.AddSignal("height", &sim.PositionSpec{Component: "z", Body: "plate"})
	b.AddSignal("force on ground", &sim.ContactForceSpec{Component: "normal", Body: "ground"})
	b.AddSignal("stress", &sim.VonMisesSpec{Deformable: "block"})
	return b.Build()
}

func main() {
	model := must(build())
	stepper := must(sim.NewStepper(model, sim.Options{Threads: 2}))
	defer stepper.Close()
	state := model.Start.Clone() // save any state in this way, to continue from it later

	const h = 0.005 // s
	for step := range 200 {
		if err := stepper.Step(state, h); err != nil {
			log.Fatal(err)
		}
		if step%50 == 49 {
			v := stepper.Read(state, nil)
			fmt.Printf("t = %.2f s: plate at %.2f mm, force on ground %.1f N, stress up to %.0f kPa\n", state.Time, 1e3*v[0], v[1], v[2]/1e3)
		}
	}
	// the contact surfaces of the block, with forces as sums over their faces
	for _, c := range stepper.Report.ContactSurfaces() {
		fmt.Printf("%s on %s: %.1f N over %.1f cm²\n", stepper.BodyName(c.A), stepper.BodyName(c.B), c.Normal, 1e4*c.Area)
	}
}
