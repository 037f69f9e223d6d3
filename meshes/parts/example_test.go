package parts_test

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes/parts"
)

// Two gears of module 1 mm with 20 and 40 teeth mate at 30 mm.
func ExampleNewPair() {
	pinion, wheel := parts.DefaultSpur(), parts.DefaultSpur()
	wheel.Teeth = 40
	pair, err := parts.NewPair(pinion, wheel)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f mm, ratio %.1f, contact ratio %.2f\n", 1e3*pair.CenterDistance, pair.Ratio, pair.ContactRatio)
	// Output: 30 mm, ratio -0.5, contact ratio 1.64
}

// An M8 screw by name: what is not given follows ISO 68-1.
func ExampleMake() {
	screw, err := parts.Make("screw", map[string][]float64{"major": {8e-3}, "pitch": {1.25e-3}, "length": {20e-3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range screw.Facts()[:2] {
		fmt.Printf("%s %.3f mm\n", f.Name, 1e3*f.Value)
	}
	// Output:
	// crest diameter 8.000 mm
	// root diameter 6.647 mm
}

// A tube of 2 mm thickness: its volume is that of Pappus.
func ExampleRevolve() {
	tube := parts.Revolve{Profile: [][2]float64{{8e-3, 0}, {10e-3, 0}, {10e-3, 50e-3}, {8e-3, 50e-3}}}
	surface, err := tube.Surface()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("exact %.0f mm³, facets %.0f mm³\n", 1e9*tube.Volume(), 1e9*surface.Volume())
	// Output: exact 5655 mm³, facets 5626 mm³
}

// A nut advances by the lead when its screw turns once.
func ExamplePair_Mate() {
	pair, err := parts.NewPair(parts.DefaultScrew(), parts.DefaultNut())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f mm\n", 1e3*(pair.Mate(2*math.Pi)-pair.Mate(0)))
	// Output: -1.000 mm
}
