package rigid_test

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// The effort that supports a level arm of 2 kg, half a metre from its joint.
func ExampleData_InverseDynamics() {
	var b rigid.Builder
	arm, err := b.Add(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}},
		X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(), Mass: 2, Com_B: r3.Vec{0.5, 0, 0},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	d := m.NewData()
	q, v := m.Start()
	d.Place(0, 1e-3, q, v)
	tau := make([]float64, m.NumV())
	d.InverseDynamics(r3.Vec{0, 0, -9.81}, make([]float64, m.NumV()), tau)
	fmt.Printf("%s: %.2f N m\n", m.LinkName(arm), tau[0])
	// Output: arm: -9.81 N m
}
