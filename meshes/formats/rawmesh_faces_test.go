package formats

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
)

// A tetrahedron or a hexahedron with its sides, a quadrilateral among them, and a triangle apart: the sides are
// noted, the triangle, which may be a part of a shell, is a warning. Both went unsaid.
func TestTrianglesBesideCellsAreSaid(t *testing.T) {
	const tet = "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n0 0 0 1 0 0 0 1 0 0 0 1 2 0 0 3 0 0 2 1 0 1 0 0\n"
	const hex = "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 11 float\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 5 0 0 6 0 0 5 1 0\n"
	for name, c := range map[string]struct {
		text         string
		sides, loose int
	}{
		"tets alone":           {tet + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", 0, 0},
		"sides":                {tet + "CELLS 3 13\n4 0 1 2 3\n3 0 2 1\n3 0 1 3\nCELL_TYPES 3\n10\n5\n5\n", 2, 0},
		"a side's own corner":  {tet + "CELLS 2 9\n4 0 1 2 3\n3 0 2 7\nCELL_TYPES 2\n10\n5\n", 1, 0},
		"a triangle apart":     {tet + "CELLS 3 13\n4 0 1 2 3\n3 0 2 1\n3 4 5 6\nCELL_TYPES 3\n10\n5\n5\n", 1, 1},
		"a side of a hex":      {hex + "CELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 1 2 6 5\nCELL_TYPES 2\n12\n9\n", 2, 0},
		"turned by one corner": {hex + "CELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 2 6 5 1\nCELL_TYPES 2\n12\n9\n", 2, 0},
		"beside a hex":         {hex + "CELLS 2 13\n8 0 1 2 3 4 5 6 7\n3 8 9 10\nCELL_TYPES 2\n12\n5\n", 0, 1},
	} {
		_, tet, err := ReadTetFrom(strings.NewReader(c.text), ".vtk", ReadOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		_, tri, err := ReadTriFrom(strings.NewReader(c.text), ".vtk", ReadOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, r := range []meshes.Findings{tet, tri} {
			if s, l := r.Count("skipped"), r.Count("loose-triangles"); s != c.sides || l != c.loose {
				t.Errorf("%s: %d triangles on sides and %d apart are said, want %d and %d: %v", name, s, l, c.sides, c.loose, r)
			}
		}
	}
}
