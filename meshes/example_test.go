package meshes_test

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The distance to a box from inside, and the way out.
func ExampleDistance_Signed() {
	box, err := meshes.BoxTets(r3.Vec{2, 2, 1}, [3]int{1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	surface, _ := box.Surface()
	phi, closest, _, _, normal := meshes.NewDistance(surface).Signed(r3.Vec{0.25, 0.5, 0.125})
	fmt.Println(phi, closest, normal)
	// Output: -0.375 [0.25 0.5 0.5] [0 0 1]
}

// Kuhn's six tets of a cube, the sharpest dihedral angle 45°.
func ExampleTetQuality() {
	cube, err := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := meshes.TetQuality(cube)
	fmt.Printf("%d tets, %.0f° to %.0f°\n", q.Tets, q.MinDihedral*180/math.Pi, q.MaxDihedral*180/math.Pi)
	// Output: 6 tets, 45° to 90°
}
