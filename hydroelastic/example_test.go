package hydroelastic_test

import (
	"fmt"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// A cube of 0.1 m pressed flat by 1 mm on the ground: 1e6 Pa · 1 mm / 50 mm over
// its face, a little less along the rim.
func Example() {
	cube, err := hydroelastic.NewBox(r3.Vec{0.1, 0.1, 0.1}, hydroelastic.Options{HydroelasticModulus: 1e6, Margin: 1e-4})
	if err != nil {
		panic(err)
	}
	var query hydroelastic.Query
	var surface hydroelastic.ContactSurface
	X_WCube := r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.049}}
	query.Contact(hydroelastic.NewRigidHalfSpace(), cube, r3.PoseIdentity(), X_WCube, &surface)
	fmt.Printf("%.1f N on %.0f cm², at most %.0f Pa\n", surface.Force_W[2], 1e4*surface.Area, surface.MaxPressure)
	// Output: 196.0 N on 100 cm², at most 20000 Pa
}
