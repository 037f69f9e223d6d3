package meshes_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/meshes/stuffing"
	"github.com/curlfree/curlfree/r3"
)

// A cube of 2 mm in an OBJ file, read in millimetres: 8 mm³.
func ExampleReadTriFrom() {
	file := "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n" +
		"f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
	cube, _, err := formats.ReadTriFrom(strings.NewReader(file), ".obj", formats.ReadOptions{Unit: "mm"})
	fmt.Printf("%d triangles, %.2g m³, %v %v\n", len(cube.Tris), cube.Volume(), repair.Watertight(cube), err)
	// Output: 12 triangles, 8e-09 m³, <nil> <nil>
}

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

// A box is filled with layers: its tets have exactly its volume.
func ExampleTetrahedralizeSurface() {
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

// The formats that surfaces and volumes are written in.
func ExampleExtensions() {
	fmt.Println("STL as a surface:", slices.Contains(formats.Extensions(false), ".stl"))
	fmt.Println("STL as a volume:", slices.Contains(formats.Extensions(true), ".stl"))
	// Output:
	// STL as a surface: true
	// STL as a volume: false
}
