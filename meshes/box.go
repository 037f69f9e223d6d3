package meshes

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// BoxTets returns a box of the given edge lengths (m), centred at the origin and
// cut into cells along each axis. Each cell becomes six tets around its diagonal
// from the lowest to the highest corner (Kuhn's subdivision): a tet for each order
// in which a path from corner to corner may follow the three axes. Neighbouring
// cells cut their common face along the same diagonal, so that the mesh conforms.
// An error tells sizes that are not positive and numbers of cells below one or
// above 10⁷ in all.
func BoxTets(size r3.Vec, cells [3]int) (*Tet, error) {
	// Refuse sizes and counts that make no box.
	total := 1.0
	for i, n := range cells {
		if !(size[i] > 0) || math.IsInf(size[i], 0) {
			return nil, fmt.Errorf("meshes: a box of size %v: all edges must be positive", size)
		}
		if n < 1 {
			return nil, fmt.Errorf("meshes: a box of %v cells: at least one in each direction", cells)
		}
		total *= float64(n)
	}
	if total > 1e7 {
		return nil, fmt.Errorf("meshes: a box of %v cells is %.3g cells: at most 1e7", cells, total)
	}
	// Vertices in the order of x, then y, then z.
	m := new(Tet)
	nx, ny, nz := cells[0]+1, cells[1]+1, cells[2]+1
	for k := range nz {
		for j := range ny {
			for i := range nx {
				m.Verts = append(m.Verts, r3.Vec{
					size[0] * (float64(i)/float64(cells[0]) - 0.5),
					size[1] * (float64(j)/float64(cells[1]) - 0.5),
					size[2] * (float64(k)/float64(cells[2]) - 0.5),
				})
			}
		}
	}
	at := func(i, j, k int) int32 { return int32(i + nx*(j+ny*k)) }
	// One tet of each cell for every order o of the axes.
	for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		// An odd order gives a negative tet: two of its vertices are swapped.
		odd := (o[0] > o[1]) != (o[0] > o[2]) != (o[1] > o[2])
		for k := range cells[2] {
			for j := range cells[1] {
				for i := range cells[0] {
					p := [3]int{i, j, k}
					var t [4]int32
					// Walk along the axes in the order o.
					t[0] = at(i, j, k)
					for s, axis := range o {
						p[axis]++
						t[s+1] = at(p[0], p[1], p[2])
					}
					if odd {
						t[2], t[3] = t[3], t[2]
					}
					m.Tets = append(m.Tets, t)
				}
			}
		}
	}
	return m, nil
}
