package hydroelastic

import "github.com/curlfree/curlfree/r3"

// A plane cuts a convex polyhedron in a convex polygon. With s the heights of the
// corners above the plane, an edge with one end above (s > 0) and one not carries
// a corner of the polygon,
//
//	x = (s_a x_b − s_b x_a)/(s_a − s_b)                                   (1)
//
// and a face carries a side: from where its outline enters the upper side to
// where it leaves. Following these sides from face to face gives the polygon
// counter-clockwise seen from below; this is done once for every set of corners
// above, for tetrahedra and columns alike. Ends are taken in
// the order of their numbers, so that cells on either side of an edge find the
// same bits; a corner on the plane counts as below for all of them, so that a
// plane along a shared face is cut once.

// cell is a convex polyhedron: a tetrahedron with positive vertex order, or a column with
// planar faces, the outer quadrilateral 0123 counter-clockwise seen from outside, vertex
// k+4 below vertex k. Vertices of a column may coincide.
type cell struct {
	// vertices; a tetrahedron has four
	v   [8]int32
	col bool
}

// topology is the combinatorics of a kind of cell.
type topology struct {
	verts int
	edges [][2]int8
	// edges of each face, counter-clockwise seen from outside
	faces [][]halfEdge
	// corners of the polygon for each set of vertices above the plane, bit k for vertex k
	cuts [][]cutCorner
}

// halfEdge is an edge in the direction in which a face runs along it.
type halfEdge struct{ from, to, edge int8 }

// cutCorner is a corner of a cut: the edge it lies on, and the face of the side that
// starts there.
type cutCorner struct{ a, b, face int8 }

var (
	tetrahedron = newTopology(4, [][]int8{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}})
	column      = newTopology(8, [][]int8{{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}})
)

// newTopology numbers the edges of the faces and tabulates all cuts.
func newTopology(verts int, faces [][]int8) *topology {
	t := &topology{verts: verts}
	number := map[[2]int8]int8{}
	for _, loop := range faces {
		var f []halfEdge
		for k, a := range loop {
			b := loop[(k+1)%len(loop)]
			key := [2]int8{min(a, b), max(a, b)}
			e, ok := number[key]
			if !ok {
				e = int8(len(t.edges))
				number[key] = e
				t.edges = append(t.edges, key)
			}
			f = append(f, halfEdge{a, b, e})
		}
		t.faces = append(t.faces, f)
	}
	for above := range 1 << verts {
		t.cuts = append(t.cuts, t.cut(above))
	}
	return t
}

// cut follows the polygon for a set of vertices above the plane. Sets that no plane
// leaves above a convex cell, which round-off could produce, give some closed loop of
// sides.
func (t *topology) cut(above int) []cutCorner {
	next := make([]int8, len(t.edges))
	face := make([]int8, len(t.edges))
	start := int8(-1)
	// On each face that the plane cuts: the edge by which its outline enters the upper
	// side, and the edge by which it leaves.
	for f, loop := range t.faces {
		enter, leave := int8(-1), int8(-1)
		for _, h := range loop {
			if a, b := above>>h.from&1, above>>h.to&1; a > b {
				leave = h.edge
			} else if b > a {
				enter = h.edge
			}
		}
		if enter >= 0 {
			next[enter], face[enter], start = leave, int8(f), enter
		}
	}
	// Follow the sides from face to face.
	var out []cutCorner
	for e := start; e >= 0 && len(out) < len(t.edges); {
		out = append(out, cutCorner{t.edges[e][0], t.edges[e][1], face[e]})
		if e = next[e]; e == start {
			break
		}
	}
	return out
}

// topology returns the combinatorics of the cell.
func (c *cell) topology() *topology {
	if c.col {
		return column
	}
	return tetrahedron
}

// cellCorners are the vertices of one cell in the frame of a query, and their heights.
type cellCorners struct {
	t *topology
	// numbers of the vertices
	v *[8]int32
	x [8]r3.Vec
	s [8]float64
	// vertices with positive heights, bit k for vertex k
	above int
}

// against sets the heights to those above the plane n·x = offset, where at most tol
// counts as none, and reports whether the plane cuts the cell.
func (c *cellCorners) against(n *r3.Vec, offset, tol float64) bool {
	c.above = 0
	for k := range c.t.verts {
		s := n.DotOf(&c.x[k]) - offset
		if s > tol {
			c.above |= 1 << k
		} else if s >= -tol {
			s = 0
		}
		c.s[k] = s
	}
	return c.above != 0 && c.above != 1<<c.t.verts-1
}

// under sets the heights to the excess of the pressures p of the corners over those of
// another field, times sign, where at most tol counts as none. It reports whether both
// fields are equal on a plane that cuts the cell, at pressures that the other has.
func (c *cellCorners) under(p []float64, other *linear, sign, tol float64) bool {
	c.above = 0
	// Corners at which the other cell has no such pressure, because it would be too low
	// or too high.
	below, beyond := 0, 0
	for k := range c.t.verts {
		o := other.at(&c.x[k])
		if o < other.lo {
			below++
		} else if o > other.hi {
			beyond++
		}
		s := sign * (p[c.v[k]] - o)
		if s > tol {
			c.above |= 1 << k
		} else if s >= -tol {
			s = 0
		}
		c.s[k] = s
	}
	return c.above != 0 && c.above != 1<<c.t.verts-1 && below < c.t.verts && beyond < c.t.verts
}

// slice sets p to the polygon in which the plane s = 0 cuts the cell.
func (c *cellCorners) slice(p *polygon) {
	cut := c.t.cuts[c.above]
	p.n = len(cut)
	for k := range cut {
		a, b := cut[k].a, cut[k].b
		// Ends in the order of their numbers, so that neighbours compute the same bits.
		if c.v[a] > c.v[b] {
			a, b = b, a
		}
		p.face[k] = cut[k].face
		x, y := &c.x[a], &c.x[b]
		sa, sb := c.s[a], c.s[b]
		if sb == 0 {
			p.x[k] = *y
			continue
		}
		// (1)
		t := sa / (sa - sb)
		p.x[k] = r3.Vec{x[0] + t*(y[0]-x[0]), x[1] + t*(y[1]-x[1]), x[2] + t*(y[2]-x[2])}
	}
}

// faceNormal returns the outward normal of a face, twice its area long, m².
func (c *cellCorners) faceNormal(f int8) r3.Vec {
	var n r3.Vec
	loop := c.t.faces[f]
	o := c.x[loop[0].from]
	for _, h := range loop {
		n = n.Add(c.x[h.from].Sub(o).Cross(c.x[h.to].Sub(o)))
	}
	return n
}
