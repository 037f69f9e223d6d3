package meshes

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// bounds returns the axis-aligned bounds of points; the empty box if there are
// none.
func bounds(ps []r3.Vec) r3.Box {
	b := r3.EmptyBox()
	for _, p := range ps {
		b = b.Extend(p)
	}
	return b
}

// gridCell returns the integer coordinates of the cell of a grid of a size, m, that
// contains p.
func gridCell(p r3.Vec, size float64) [3]int64 {
	return [3]int64{int64(math.Floor(p[0] / size)), int64(math.Floor(p[1] / size)), int64(math.Floor(p[2] / size))}
}
