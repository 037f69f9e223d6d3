package stuffing_test

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/stuffing"
)

// A box is filled with layers: its tets have exactly its volume.
func ExampleTetrahedralize() {
	box := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.04, 0}, {0.04, 0.03}, {0, 0.03}}}
	surface, err := box.Extrude(0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	tets, made, err := stuffing.Tetrahedralize(surface, stuffing.TetOptions{Size: 0.005})
	fmt.Printf("%s, %.3g m³, %v\n", made.Method, meshes.TetQuality(tets).Volume, err)
	// Output: extrude, 1.2e-05 m³, <nil>
}
