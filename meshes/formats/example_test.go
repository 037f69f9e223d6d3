package formats_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/repair"
)

// A cube of 2 mm in an OBJ file, read in millimetres: 8 mm³.
func ExampleReadTriFrom() {
	file := "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n" +
		"f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
	cube, _, err := formats.ReadTriFrom(strings.NewReader(file), ".obj", formats.ReadOptions{Unit: "mm"})
	fmt.Printf("%d triangles, %.2g m³, %v %v\n", len(cube.Tris), cube.Volume(), repair.Watertight(cube), err)
	// Output: 12 triangles, 8e-09 m³, <nil> <nil>
}

// The formats that surfaces and volumes are written in.
func ExampleExtensions() {
	fmt.Println("STL as a surface:", slices.Contains(formats.Extensions(false), ".stl"))
	fmt.Println("STL as a volume:", slices.Contains(formats.Extensions(true), ".stl"))
	// Output:
	// STL as a surface: true
	// STL as a volume: false
}
