package r3_test

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Frame B is one metre up in A and turned by a quarter about z: the point (1, 0, 0) of B
// measured in A.
func ExamplePose() {
	X_AB := r3.Pose{R: r3.RotRPY(0, 0, math.Pi/2), P: r3.Vec{0, 0, 1}}
	p_AQ := X_AB.Point(r3.Vec{1, 0, 0})
	fmt.Printf("%.3f\n", p_AQ)
	// Output: [0.000 1.000 1.000]
}

// The rotation in a stretched and turned deformation gradient.
func ExamplePolar() {
	R := r3.RotRPY(0, 0, 0.3)
	F := R.Mul(r3.Diag(r3.Vec{2, 1, 0.5}))
	fmt.Printf("%.3f rad\n", r3.Polar(F).Quat().Log()[2])
	// Output: 0.300 rad
}
