package geometry_test

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A box of 0.2 m that has sunk 1 mm into the ground touches at its four lower corners.
func Example() {
	box, err := geometry.NewBox(r3.Vec{0.2, 0.2, 0.2})
	if err != nil {
		panic(err)
	}
	data := geometry.NewData(&geometry.Model{NumRigid: 1, Geoms: []geometry.Geom{
		{Name: "ground", Body: geometry.World, X_BG: r3.PoseIdentity(), Shape: geometry.HalfSpace{}},
		{Name: "box", Body: 0, X_BG: r3.PoseIdentity(), Shape: box},
	}})
	data.X_WB[0].P = r3.Vec{0, 0, 0.099}
	contacts := data.Collide()
	fmt.Printf("%d contacts, gap %.3f m, normal %.0f\n", len(contacts), contacts[0].Phi, contacts[0].Normal_W)
	// Output: 4 contacts, gap -0.001 m, normal [0 0 1]
}

// The signed distance of a point 0.1 m above a ball.
func ExampleSphere_SignedDistance() {
	ball, _ := geometry.NewSphere(0.5)
	phi, grad := ball.SignedDistance(r3.Vec{0, 0, 0.6})
	fmt.Printf("%.1f m, gradient %.0f\n", phi, grad)
	// Output: 0.1 m, gradient [0 0 1]
}

// A ball of 1 cm radius and the density of steel weighs 33 g.
func ExampleMassOf() {
	ball, _ := geometry.NewSphere(0.01)
	mass, _ := geometry.MassOf(ball)
	fmt.Printf("%.0f g\n", 1e3*mass.Scale(7850).Mass)
	// Output: 33 g
}
