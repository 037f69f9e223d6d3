package meshes

// A vertex goes to the first earlier one within the tolerance that itself
// stays. Chains of close vertices thus do not collapse to a point, and the
// result does not depend on how the grid lies.

// Welding: vertices that nearly coincide become one. STL files repeat each
// vertex for every triangle, rounded to single precision, so that the surface
// is connected only after welding.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// weldTolerance is the default distance over the diagonal of the mesh within
// which vertices become one: a few units in the last place of single precision,
// far below the thickness of any wall.
const weldTolerance = 1e-6

// weldMap maps each vertex to the first vertex within tol of it that is not
// itself mapped away, and counts the vertices that are. Vertices are sorted
// into a grid of cells of size tol, so that candidates lie in 27 cells.
func weldMap(verts []r3.Vec, tol float64) (to []int32, welded int) {
	to = make([]int32, len(verts))
	// Integer coordinates of the cell that holds p.
	cell := func(p r3.Vec) [3]int64 {
		var c [3]int64
		for k := range c {
			c[k] = int64(math.Floor(p[k] / tol))
		}
		return c
	}
	// Without a tolerance a map by position is faster.
	if !(tol > 0) {
		return weldExact(verts, to)
	}
	grid := make(map[[3]int64][]int32, len(verts))
	// Cells are counted from the lowest corner, which keeps the integers small.
	lo := bounds(verts).Min
	for i, p := range verts {
		c := cell(p.Sub(lo))
		best := int32(i)
		// The cell of p and its neighbours.
		for n := range 27 {
			at := [3]int64{c[0] + int64(n%3) - 1, c[1] + int64(n/3%3) - 1, c[2] + int64(n/9) - 1}
			for _, j := range grid[at] {
				if j < best && verts[j].Sub(p).Norm2() <= tol*tol {
					best = j
				}
			}
		}
		to[i] = best
		// Only vertices that stay are candidates for later ones.
		if best == int32(i) {
			grid[c] = append(grid[c], best)
		} else {
			welded++
		}
	}
	return to, welded
}

// weldExact maps each vertex to the first one with equal coordinates.
func weldExact(verts []r3.Vec, to []int32) ([]int32, int) {
	welded := 0
	first := make(map[r3.Vec]int32, len(verts))
	for i, p := range verts {
		j, ok := first[p]
		if !ok {
			j = int32(i)
			first[p] = j
		} else {
			welded++
		}
		to[i] = j
	}
	return to, welded
}

// openSides counts the edges at which the surface, whatever the orientation of
// its triangles, is not closed.
func (m *Tri) openSides() int {
	n := 0
	eachEdge(m.edgeUses(), func(u []edgeUse) {
		if len(u)%2 == 1 {
			n++
		}
	})
	return n
}
