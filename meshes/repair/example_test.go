package repair_test

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
)

// A plate with a hole has one handle: V − E + F = 0.
func ExampleDiagnose() {
	plate := profiles.Profile{
		Outer: [][2]float64{{0, 0}, {3, 0}, {3, 3}, {0, 3}},
		Holes: [][][2]float64{{{1, 1}, {2, 1}, {2, 2}, {1, 2}}},
	}
	surface, err := plate.Extrude(0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := repair.Diagnose(surface)
	fmt.Println("Euler", d.Euler, "genus", d.Genus, "volume", d.Volume)
	// Output: Euler 0 genus 1 volume 4
}
