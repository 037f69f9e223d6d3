package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewBox returns the field of a rectangular block of the given full edge lengths (m),
// centred in its frame. With d the distance to the surface and h half of the shortest
// edge
//
//	p = E d/h
//
// exactly: each of the six frusta between a side and the block's medial core is cut into
// a grid of columns. The grid has the symmetries of the block, so that it rests without a
// preferred diagonal.
func NewBox(size r3.Vec, opt Options) (*Compliant, error) {
	for i, what := range [3]string{"size along x", "size along y", "size along z"} {
		if err := checkLength("box", what, size[i]); err != nil {
			return nil, err
		}
	}
	opt, err := opt.checked("box", size.Norm())
	if err != nil {
		return nil, err
	}
	// The medial core: the points at which two opposite sides are equally near.
	half := size.Scale(0.5)
	depth := min(half[0], half[1], half[2])
	var n [3]int
	var core r3.Vec
	for i := range 3 {
		// A face with one cell would touch at one point and could rock.
		n[i] = opt.pieces(size[i], 2)
		if d := half[i] - depth; d > 1e-9*depth {
			core[i] = d
		}
	}
	if err := opt.checkCells("box", 2*(float64(n[0])*float64(n[1])+float64(n[1])*float64(n[2])+float64(n[2])*float64(n[0]))); err != nil {
		return nil, err
	}
	b := &builder{}
	// The outer surface of the margin and the pressure there.
	edge := -opt.HydroelasticModulus * opt.Margin / depth
	m := opt.Margin
	hull := half.Add(r3.Vec{m, m, m})
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		for _, side := range [2]float64{1, -1} {
			// Corner (i, j) of the grid of this side, on a block of half sizes h.
			corner := func(h r3.Vec, i, j int, p float64) int32 {
				var x r3.Vec
				x[axis] = side * h[axis]
				// The first direction turns with the side, so that quadrilaterals stay
				// outward.
				x[u] = h[u] * symmetric(i, n[u]) * side // turned with the side: outward
				x[v] = h[v] * symmetric(j, n[v])
				return b.vertex(x, p)
			}
			for i := range n[u] {
				for j := range n[v] {
					var outer, inner [4]int32
					// One column per cell of the grid.
					for k, ij := range [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
						outer[k] = corner(hull, ij[0], ij[1], edge)
						inner[k] = corner(core, ij[0], ij[1], opt.HydroelasticModulus)
					}
					b.column(outer[:], inner[:])
				}
			}
		}
	}
	return b.build(opt, depth), nil
}

// symmetric returns the i-th of n+1 equal steps from −1 to 1; opposite steps differ in
// the sign alone.
func symmetric(i, n int) float64 { return float64(2*i-n) / float64(n) }

// circle returns the i-th of n points on the unit circle; multiples of an eighth are
// exact, and opposite points differ in the sign alone where n is even.
func circle(i, n int) (cos, sin float64) {
	i %= n
	// The second half mirrors the first.
	if n%2 == 0 && i >= n/2 {
		c, s := circle(i-n/2, n)
		return -c, -s
	}
	if 4*i == n {
		return 0, 1
	}
	s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
	return c, s
}
