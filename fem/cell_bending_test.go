package fem

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// sweptBar returns a bar of n cells of the given length, 1 m thick and wide, one cell across, from
// x = 0. Cross sections lean to and fro, so that cells are longer by twice lean on one side, m.
// Some cells are two wedges, swept along z.
func sweptBar(t *testing.T, n int, length, lean float64, wedges func(i int) bool) *meshes.Tet {
	t.Helper()
	var verts []r3.Vec
	var hexes [][8]int32
	var prisms [][6]int32
	for i := range n + 1 {
		x, d := float64(i)*length, lean
		switch {
		case i == 0 || i == n:
			d = 0
		case i%2 == 0:
			d = -lean
		}
		verts = append(verts, r3.Vec{x - d/2, 0, 0}, r3.Vec{x + d/2, 1, 0}, r3.Vec{x - d/2, 0, 1}, r3.Vec{x + d/2, 1, 1})
	}
	for i := range n {
		a := int32(4 * i)
		v := [8]int32{a, a + 4, a + 5, a + 1, a + 2, a + 6, a + 7, a + 3}
		if wedges(i) {
			prisms = append(prisms, [6]int32{v[0], v[1], v[2], v[4], v[5], v[6]}, [6]int32{v[0], v[2], v[3], v[4], v[6], v[7]})
		} else {
			hexes = append(hexes, v)
		}
	}
	m, err := meshes.FillCells(verts, hexes, prisms)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The share of its bending that a mesh is said to have is that of a bar which is clamped at one
// end and pressed at the other, beside a bar of cubes or bricks, to a tenth: of cells that are
// longer on one side, and of wedges. A warning says so below 0.85.
func TestBendingShareIsThatOfABar(t *testing.T) {
	law, err := NewLinear(1, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	const n = 24
	bar := func(length, lean float64, every int) (share, tip float64, warnings string) {
		mesh := sweptBar(t, n, length, lean, func(i int) bool { return every > 0 && i%every == 1%every })
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-9, Elements: Hex12, Fixed: where(mesh, func(p r3.Vec) bool { return p[0] < 1e-9 })})
		force, end := make([]float64, 3*m.NumVerts()), where(mesh, func(p r3.Vec) bool { return p[0] > n*length-1e-9 })
		for _, v := range end {
			force[3*v+1] = 1e-4
		}
		u := solveStatic(t, m, force)
		for _, v := range end {
			tip += u[3*v+1] / float64(len(end))
		}
		return cellSet{m}.bendingShare(), tip, strings.Join(m.Warnings(), "\n")
	}
	for _, length := range []float64{1, 2} {
		straight, whole, w := bar(length, 0, 0)
		if math.Abs(straight-1) > 1e-9 || w != "" {
			t.Errorf("bricks of length %g: share %.12f, %q", length, straight, w)
		}
		for _, c := range []struct {
			lean  float64
			every int
		}{{0.1, 0}, {0.25, 0}, {0.4, 0}, {0, 8}, {0, 4}, {0, 2}, {0, 1}} {
			share, tip, w := bar(length, c.lean, c.every)
			t.Logf("length %g, leaning by %g, wedges in every %d: share %.3f, deflection %.3f", length, c.lean, c.every, share, tip/whole)
			if math.Abs(share-tip/whole) > 0.1 {
				t.Errorf("length %g, leaning by %g, wedges in every %d: share %.3f, deflection %.3f", length, c.lean, c.every, share, tip/whole)
			}
			if warned := strings.Contains(w, "walls one element thick bend by"); warned != (share < 0.85) {
				t.Errorf("length %g, leaning by %g, wedges in every %d: share %.3f, warning %q", length, c.lean, c.every, share, w)
			}
		}
	}
}

// Thick bodies have no walls, whatever their cells.
func TestThickBodiesHaveNoWalls(t *testing.T) {
	m := mustModel(t, Spec{Mesh: mixedMesh(t, 3, 0), Law: rubber(t, 0.49), Density: 1, Elements: Hex12})
	if s := (cellSet{m}).bendingShare(); s != 1 {
		t.Errorf("share %g", s)
	}
}
