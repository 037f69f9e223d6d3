package hydroelastic

import "curlfree/r3"

// A plane cuts a convex polyhedron in a convex polygon. With s the heights of the
// corners above the plane, an edge with one end above (s > 0) and one not carries
// a corner of the polygon,
//
//	x = (s_a x_b − s_b x_a)/(s_a − s_b)                                   (1)
//
// and a face carries a side: from where its outline enters the upper side to
// where it leaves. Following these sides from face to face gives the polygon
// counter-clockwise seen from below, without a table of cases. Ends are taken in
// the order of their numbers, so that cells on either side of an edge find the
// same bits; a corner on the plane counts as below for all of them, so that a
// plane along a shared face is cut once.

// cell is a convex polyhedron: a tetrahedron with positive vertex order, or a
// column with planar faces, the outer quadrilateral 0123 counter-clockwise seen
// from outside, vertex k+4 below vertex k. Vertices of a column may coincide.
type cell struct {
	v   [8]int32 // a tetrahedron has four
	col bool
}

// topology is the combinatorics of a cell.
type topology struct {
	verts int
	edges [][2]int8
	faces [][]halfEdge // counter-clockwise seen from outside
}

// halfEdge is an edge as a face runs along it.
type halfEdge struct{ from, to, edge int8 }

var (
	tetrahedron = newTopology(4, [][]int8{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}})
	column      = newTopology(8, [][]int8{{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}})
)

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
	return t
}

func (c *cell) topology() *topology {
	if c.col {
		return column
	}
	return tetrahedron
}

// corners are the vertices of one cell in the frame of a query, and the heights
// of these.
type corners struct {
	t *topology
	v *[8]int32 // numbers
	x [8]r3.Vec
	s [8]float64
}

// crossed reports whether the plane s = 0 cuts the cell.
func (c *corners) crossed() bool {
	above := 0
	for _, s := range c.s[:c.t.verts] {
		if s > 0 {
			above++
		}
	}
	return above > 0 && above < c.t.verts
}

// slice sets p to the polygon in which the plane s = 0 cuts the cell.
func (c *corners) slice(p *polygon) {
	var next, face [12]int8
	start := int8(-1)
	for f, loop := range c.t.faces {
		enter, leave := int8(-1), int8(-1)
		for _, h := range loop {
			if a, b := c.s[h.from] > 0, c.s[h.to] > 0; a && !b {
				leave = h.edge
			} else if b && !a {
				enter = h.edge
			}
		}
		if enter >= 0 {
			next[enter], face[enter], start = leave, int8(f), enter
		}
	}
	p.n = 0
	if start < 0 {
		return
	}
	for e := start; p.n < len(c.t.edges); {
		p.x[p.n], p.face[p.n] = c.onEdge(e), face[e]
		p.n++
		if e = next[e]; e == start {
			break
		}
	}
}

// onEdge is (1).
func (c *corners) onEdge(e int8) r3.Vec {
	a, b := c.t.edges[e][0], c.t.edges[e][1]
	if c.v[a] > c.v[b] {
		a, b = b, a
	}
	sa, sb := c.s[a], c.s[b]
	switch {
	case sa == 0:
		return c.x[a]
	case sb == 0:
		return c.x[b]
	}
	return c.x[a].AddScaled(sa/(sa-sb), c.x[b].Sub(c.x[a]))
}

// faceNormal returns the outward normal of a face, twice its area long.
func (c *corners) faceNormal(f int8) r3.Vec {
	var n r3.Vec
	loop := c.t.faces[f]
	o := c.x[loop[0].from]
	for _, h := range loop {
		n = n.Add(c.x[h.from].Sub(o).Cross(c.x[h.to].Sub(o)))
	}
	return n
}
