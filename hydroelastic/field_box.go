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
	m := newBoxMesh(size, opt)
	n := m.n
	if err := opt.checkCells("box", 2*(float64(n[0])*float64(n[1])+float64(n[1])*float64(n[2])+float64(n[2])*float64(n[0]))); err != nil {
		return nil, err
	}
	for axis := range 3 {
		m.side(axis, 1)
		m.side(axis, -1)
	}
	return m.build(opt, m.depth), nil
}

// boxMesh is a block that is cut into columns.
type boxMesh struct {
	builder
	// numbers of cells along the axes
	n [3]int
	// depth of the medial core, m
	depth float64
	// half sizes of the medial core and of the outer surface of the margin, m
	core, outer r3.Vec
	// pressures there, Pa
	modulus, edge float64
}

// newBoxMesh returns the measures of a block without any cells.
func newBoxMesh(size r3.Vec, opt Options) *boxMesh {
	half := size.Scale(0.5)
	m := &boxMesh{depth: min(half[0], half[1], half[2]), modulus: opt.HydroelasticModulus}
	for i := range 3 {
		// A face with one cell would touch at one point and could rock.
		m.n[i] = opt.pieces(size[i], 2)
		// The medial core: the points at which two opposite sides are equally near.
		if d := half[i] - m.depth; d > 1e-9*m.depth {
			m.core[i] = d
		}
	}
	m.edge = -opt.HydroelasticModulus * opt.Margin / m.depth
	m.outer = half.Add(r3.Vec{opt.Margin, opt.Margin, opt.Margin})
	return m
}

// side adds the columns of one side of the block: the side whose outward normal has the
// given sign along an axis, as a grid of quadrilaterals on the outer surface and their
// images on the medial core.
func (m *boxMesh) side(axis int, sign float64) {
	u, v := (axis+1)%3, (axis+2)%3
	// Corner (i, j) of the grid of this side, on a block of half sizes h.
	corner := func(h r3.Vec, i, j int, p float64) int32 {
		var x r3.Vec
		x[axis] = sign * h[axis]
		// The first direction turns with the side, so that quadrilaterals stay outward.
		x[u] = h[u] * symmetric(i, m.n[u]) * sign
		x[v] = h[v] * symmetric(j, m.n[v])
		return m.vertex(x, p)
	}
	// One column per cell of the grid.
	for i := range m.n[u] {
		for j := range m.n[v] {
			var outer, inner [4]int32
			for k, ij := range [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
				outer[k] = corner(m.outer, ij[0], ij[1], m.edge)
				inner[k] = corner(m.core, ij[0], ij[1], m.modulus)
			}
			m.column(outer[:], inner[:])
		}
	}
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
