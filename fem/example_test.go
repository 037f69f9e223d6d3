package fem_test

import (
	"fmt"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A tetrahedron stretched by 1 % along x, its sides fixed: the axial stress is
// (λ + 2μ) ε = E (1 − ν)/((1 + ν)(1 − 2ν)) ε.
func Example() {
	law, err := fem.NewCorotational(1e6, 0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	mesh := &meshes.Tet{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	body, err := fem.NewModel(fem.Spec{Name: "pad", Mesh: mesh, Law: law, Density: 1200})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := body.NewData()
	d.Place([]float64{0, 0, 0, 1.01, 0, 0, 0, 1, 0, 0, 0, 1})
	fmt.Printf("mass %.0f kg, axial stress %.0f Pa\n", body.Mass(), d.Stress(0)[0])
	// Output: mass 200 kg, axial stress 12000 Pa
}
