package pointset

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

// WeldTolerance is the default distance over the diagonal of the mesh within
// which vertices become one: a few units in the last place of single precision,
// far below the thickness of any wall.
const WeldTolerance = 1e-6

// weldCell is the edge of the cells of Weld over the tolerance: few vertices are so near a side of theirs that a
// neighbour counts.
const weldCell = 64

// Weld maps each vertex to the first vertex within tol of it that is not
// itself mapped away, and counts the vertices that are. Vertices are sorted
// into a grid of cells, so that candidates lie in those that the ball of tol around a vertex meets.
func Weld(verts []r3.Vec, tol float64) (to []int32, welded int) {
	to = make([]int32, len(verts))
	// Without a tolerance a map by position is faster.
	if !(tol > 0) {
		return WeldExact(verts, to)
	}
	grid := make(map[[3]int64][]int32, len(verts))
	// Cells are counted from the lowest corner, which keeps the integers small.
	min := Bounds(verts).Min
	cell := func(x float64) int64 { return int64(math.Floor(x / (weldCell * tol))) }
	for i, p := range verts {
		best := int32(i)
		// a little more than the ball: round-off of x ± tol must not lose a vertex at tol
		q := p.Sub(min)
		var lo, hi [3]int64
		for k, x := range q {
			lo[k], hi[k] = cell(x-1.01*tol), cell(x+1.01*tol)
		}
		for x := lo[0]; x <= hi[0]; x++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for z := lo[2]; z <= hi[2]; z++ {
					for _, j := range grid[[3]int64{x, y, z}] {
						if j < best && verts[j].Sub(p).Norm2() <= tol*tol {
							best = j
						}
					}
				}
			}
		}
		to[i] = best
		// Only vertices that stay are candidates for later ones.
		if best == int32(i) {
			c := [3]int64{cell(q[0]), cell(q[1]), cell(q[2])}
			grid[c] = append(grid[c], best)
		} else {
			welded++
		}
	}
	return to, welded
}

// WeldExact maps each vertex to the first one with equal coordinates.
func WeldExact(verts []r3.Vec, to []int32) ([]int32, int) {
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
