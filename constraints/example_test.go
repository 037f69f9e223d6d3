package constraints_test

import (
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// A soft finger pad of 1 mm² on steel: the pad's layer decides.
func ExampleContactMaterials_Pair() {
	steel, pad := constraints.DefaultContactMaterial(), constraints.DefaultContactMaterial()
	pad.Friction, pad.Dissipation = 1, 5
	table, err := constraints.NewContactMaterials([]constraints.ContactMaterial{steel, pad})
	if err != nil {
		fmt.Println(err)
		return
	}
	pair, err := table.Pair(&geometry.Contact{B: geometry.MaterialPoint{N: 3}, Materials: [2]int{0, 1}, Area: 1e-6})
	fmt.Printf("k = %.0f N/m, d = %.0f s/m, μ = %.3f, %v\n", pair.Stiffness, pair.Dissipation, pair.Friction, err)
	// Output: k = 100 N/m, d = 5 s/m, μ = 0.667, <nil>
}
