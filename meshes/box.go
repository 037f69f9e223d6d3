package meshes

// Boxes of tets: the simplest volume mesh, used in tests, examples and wherever
// a block of material is wanted. Kuhn's subdivision works in any dimension d
// with d! simplices a cell; its tets have dihedral angles of 45°, 60° and 90°
// in cubes.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// BoxTets returns a box of the given edge lengths (m), centred at the origin and
// cut into cells along each axis. Each cell becomes six tets around its diagonal
// from the lowest to the highest corner (Kuhn's subdivision): a tet for each order
// in which a path from corner to corner may follow the three axes. Neighbouring
// cells cut their common face along the same diagonal, so that the mesh conforms. The cells
// themselves are the hexahedra of the mesh.
// An error names sizes that are not positive and numbers of cells below one or
// above 10⁷ in all.
func BoxTets(size r3.Vec, cells [3]int) (*Tet, error) {
	if err := checkBox(size, cells); err != nil {
		return nil, err
	}
	m := &Tet{Verts: boxVerts(size, cells)}
	nx, ny := cells[0]+1, cells[1]+1
	// the index of a grid point, x fastest, as boxVerts orders its vertices
	// (points on a face belong to both of its cells)
	at := func(p [3]int) int32 { return int32(p[0] + nx*(p[1]+ny*p[2])) }
	// One tet of each cell for every order o of the axes.
	for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		// An odd order gives a negative tet: two of its vertices are swapped.
		odd := (o[0] > o[1]) != (o[0] > o[2]) != (o[1] > o[2])
		for k := range cells[2] {
			for j := range cells[1] {
				for i := range cells[0] {
					m.Tets = append(m.Tets, kuhnTet([3]int{i, j, k}, o, odd, at))
				}
			}
		}
	}
	m.Cells = boxCells(cells, at)
	return m, nil
}

// checkBox refuses sizes (m) and numbers of cells that make no box, and more cells than memory
// is true.
func checkBox(size r3.Vec, cells [3]int) error {
	total := 1.0
	for i, n := range cells {
		if !(size[i] > 0) || math.IsInf(size[i], 0) {
			return fmt.Errorf("meshes: a box of size %v: all edges must be positive", size)
		}
		if n < 1 {
			return fmt.Errorf("meshes: a box of %v cells: at least one in each direction", cells)
		}
		total *= float64(n)
	}
	if total > 1e7 {
		return fmt.Errorf("meshes: a box of %v cells is %.3g cells: at most 1e7", cells, total)
	}
	return nil
}

// boxCells returns the cells of the grid, in the order of x, then y, then z. Each order of the
// axes gives one tet of each cell.
func boxCells(cells [3]int, at func([3]int) int32) *Cells {
	c := &Cells{}
	for k := range cells[2] {
		for j := range cells[1] {
			for i := range cells[0] {
				var h [8]int32
				for v, d := range [8][3]int{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}} {
					h[v] = at([3]int{i + d[0], j + d[1], k + d[2]})
				}
				c.Hexes = append(c.Hexes, h)
			}
		}
	}
	for range 6 {
		for i := range c.Hexes {
			c.Of = append(c.Of, int32(i))
		}
	}
	return c
}

// boxVerts returns the vertices of the cells in the order of x, then y, then z. The middle of the
// box is the origin.
func boxVerts(size r3.Vec, cells [3]int) []r3.Vec {
	var verts []r3.Vec
	for k := range cells[2] + 1 {
		for j := range cells[1] + 1 {
			for i := range cells[0] + 1 {
				verts = append(verts, r3.Vec{
					size[0] * (float64(i)/float64(cells[0]) - 0.5),
					size[1] * (float64(j)/float64(cells[1]) - 0.5),
					size[2] * (float64(k)/float64(cells[2]) - 0.5),
				})
			}
		}
	}
	return verts
}

// kuhnTet returns the tet on the path from the lowest to the highest corner of the
// cell p that follows the axes in the order o; at numbers the vertices. An odd order
// has two vertices swapped, which makes its volume positive.
func kuhnTet(p, o [3]int, odd bool, at func([3]int) int32) [4]int32 {
	// one step along an axis from vertex to vertex
	t := [4]int32{at(p)}
	for s, axis := range o {
		p[axis]++
		t[s+1] = at(p)
	}
	if odd {
		t[2], t[3] = t[3], t[2]
	}
	return t
}
