// Package pointset has functions of lists of points and their numbers: bounds, welding, renumbering.
package pointset

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Bounds returns the axis-aligned bounds of points; the empty box if there are
// none.
func Bounds(ps []r3.Vec) r3.Box {
	b := r3.EmptyBox()
	for _, p := range ps {
		b = b.Extend(p)
	}
	return b
}

// GridCell returns the integer coordinates of the cell of a grid of a size, m, that
// contains p.
func GridCell(p r3.Vec, size float64) [3]int64 {
	return [3]int64{int64(math.Floor(p[0] / size)), int64(math.Floor(p[1] / size)), int64(math.Floor(p[2] / size))}
}
