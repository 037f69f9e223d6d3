package meshes

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// BoxTets returns a centred box of the given edge lengths (m), cut into cells,
// six tetrahedra each about the cell's diagonal (Kuhn), which conform.
func BoxTets(size r3.Vec, cells [3]int) (*Tet, error) {
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
	// each path from corner to corner along the axes, in one order, is a tet
	for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		odd := (o[0] > o[1]) != (o[0] > o[2]) != (o[1] > o[2])
		for k := range cells[2] {
			for j := range cells[1] {
				for i := range cells[0] {
					p := [3]int{i, j, k}
					var t [4]int32
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
