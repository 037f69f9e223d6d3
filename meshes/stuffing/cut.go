package stuffing

// The cutting step decides the connectivity of the mesh; later steps only move
// vertices, or remove tets where the part is thinner than the lattice.

// Cutting the lattice along the surface (Labelle & Shewchuk 2007, section 3).
// Where an edge changes sign it is cut at the surface. A lattice vertex with a
// cut closer than α times the edge is moved there and counts as lying on the
// surface; the cuts of its edges vanish. What is left of each tetrahedron inside
// is one of a few shapes, whose quads are cut so that neighbours agree:
//
//	one long and one short edge cut: the diagonal from the long edge's cut   (1)
//	two short edges cut: the diagonal from the inside vertex of even parity  (2)
//
// With α as below all dihedral angles lie between 10.7° and 164.8° where the
// surface crosses every edge at most once.
//
// Where both ends of an edge are near its cut, the one of lower number moves: the order of the
// lattice decides, so that a surface has the same mesh in every run.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

const (
	// Fractions α of the edge length within which a cut moves a lattice vertex
	// (Labelle & Shewchuk, table 1, safe values).
	warpLong  = 0.24999 // axis-aligned edges, the long ones
	warpShort = 0.41189 // diagonal edges, the short ones
	// skinTol is the distance from the surface, over h, below which a vertex
	// lies on it.
	skinTol = 1e-6
)

// cutter turns a lattice into a mesh.
type cutter struct {
	*lattice
	// positions of the lattice vertices after warping, m
	pos []r3.Vec
	// +1 inside, 0 on the surface, −1 outside
	sign []int8
	// lattice edges with a change of sign
	edges [][2]int32
	// point where edge i meets the surface, m; valid while the signs of its
	// ends differ
	cut []r3.Vec
	// number of an edge by its vertices
	at map[[2]int32]int32

	// the mesh
	out meshes.Tet
	// whether an output vertex lies on the surface
	skin []bool
	// twice the places of the output vertices in the lattice before anything moves,
	// cuts in the middle of their edges
	nominal []latticePoint
	// output vertex of each lattice vertex, or −1
	source []int32
	// output vertex of each cut edge, or −1
	cutOut []int32
}

// cutLattice returns the tets inside the surface, and for each vertex whether
// it lies on it.
func cutLattice(l *lattice) (*meshes.Tet, []bool) {
	c := &cutter{lattice: l, at: map[[2]int32]int32{}}
	// signs, cuts, moved vertices; then each lattice tet gives what is left of it
	c.classify()
	c.findCuts()
	c.warp()
	c.source = slices.Repeat([]int32{-1}, len(l.points))
	c.cutOut = slices.Repeat([]int32{-1}, len(c.edges))
	for _, t := range l.tets {
		c.stencil(t)
	}
	return &c.out, c.skin
}

// classify gives each lattice vertex its sign.
func (c *cutter) classify() {
	c.pos = make([]r3.Vec, len(c.points))
	c.sign = make([]int8, len(c.points))
	for i, p := range c.points {
		c.pos[i] = c.position(p)
		switch v := c.value[i]; {
		// distances are negative inside
		case v < -skinTol*c.h:
			c.sign[i] = 1
		case v > skinTol*c.h:
			c.sign[i] = -1
		}
	}
}

// long reports whether a lattice edge is one of the longer ones. Short edges run
// from a centre to a corner of the same cell, along the diagonal of a cube.
func (c *cutter) long(a, b int32) bool {
	p, q := c.points[a], c.points[b]
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return x*x != y*y || y*y != z*z
}

// length2 returns the squared length of a lattice edge in units of (h/2)².
func (c *cutter) length2(a, b int32) int64 {
	p, q := c.points[a], c.points[b]
	x, y, z := int64(p[0]-q[0]), int64(p[1]-q[1]), int64(p[2]-q[2])
	return x*x + y*y + z*z
}

// findCuts finds where the surface crosses the lattice edges, each edge once.
func (c *cutter) findCuts() {
	for _, t := range c.tets {
		for i := range 4 {
			for j := range i {
				// both ends on one side, or one on the surface: no cut
				if c.sign[t[i]]*c.sign[t[j]] >= 0 {
					continue
				}
				k := meshes.SideKey(t[i], t[j])
				if _, ok := c.at[k]; ok {
					continue
				}
				c.at[k] = int32(len(c.edges))
				c.edges = append(c.edges, k)
				c.cut = append(c.cut, c.crossing(k[0], k[1]))
			}
		}
	}
}

// crossing finds the zero of the distance between a and b by the Illinois
// variant of the false position, which keeps a bracket.
func (c *cutter) crossing(a, b int32) r3.Vec {
	p, q := c.pos[a], c.pos[b]
	// parameters along the edge, and the distances there
	s, t := 0.0, 1.0
	fs, ft := c.value[a], c.value[b]
	for range 60 {
		// Secant point between the bracket's ends s and t.
		x := s - fs*(t-s)/(ft-fs)
		at := p.AddScaled(x, q.Sub(p))
		f := c.phi(at)
		if math.Abs(f) <= 0.1*skinTol*c.h || math.Abs(t-s) < skinTol {
			return at
		}
		// Same sign as at s: the other end stays, and its value is halved.
		if (f < 0) == (fs < 0) {
			s, fs = x, f
			ft /= 2
		} else {
			t, ft = s, fs
			s, fs = x, f
		}
	}
	return p.AddScaled(s, q.Sub(p))
}

// warp moves lattice vertices to cuts that are too close to them: the nearest
// cut within α of the edge length.
func (c *cutter) warp() {
	// Edges at each vertex: list[first[v]:first[v+1]].
	first := make([]int32, len(c.points)+1)
	for _, e := range c.edges {
		first[e[0]+1]++
		first[e[1]+1]++
	}
	for i := range c.points {
		first[i+1] += first[i]
	}
	list := make([]int32, 2*len(c.edges))
	fill := slices.Clone(first)
	for i, e := range c.edges {
		for _, v := range e {
			list[fill[v]] = int32(i)
			fill[v]++
		}
	}
	// Distances refer to the lattice before warping.
	rest := slices.Clone(c.pos)
	for v := range c.points {
		// The nearest cut of an edge whose ends still differ.
		best, at := math.Inf(1), int32(-1)
		for _, i := range list[first[v]:first[v+1]] {
			e := c.edges[i]
			if c.sign[e[0]]*c.sign[e[1]] >= 0 {
				continue
			}
			// the paper has a fraction for each of the two lengths of edges
			alpha := warpShort
			if c.long(e[0], e[1]) {
				alpha = warpLong
			}
			d := c.cut[i].Sub(rest[v]).Norm()
			if d < alpha*rest[e[0]].Sub(rest[e[1]]).Norm() && d < best {
				best, at = d, i
			}
		}
		if at >= 0 {
			// the vertex is on the surface now; its cuts have no change of sign left
			c.pos[v], c.sign[v] = c.cut[at], 0
		}
	}
}

// latticeVertex returns the output vertex of lattice vertex v, adding it at
// first use.
func (c *cutter) latticeVertex(v int32) int32 {
	if c.source[v] < 0 {
		p := c.points[v]
		c.source[v] = c.add(c.pos[v], latticePoint{2 * p[0], 2 * p[1], 2 * p[2]}, c.sign[v] == 0)
	}
	return c.source[v]
}

// cutVertex returns the output vertex where the edge a–b is cut, adding it at
// first use.
func (c *cutter) cutVertex(a, b int32) int32 {
	// tets that share an edge share its cut
	i := c.at[meshes.SideKey(a, b)]
	if c.cutOut[i] < 0 {
		p, q := c.points[a], c.points[b]
		c.cutOut[i] = c.add(c.cut[i], latticePoint{p[0] + q[0], p[1] + q[1], p[2] + q[2]}, true)
	}
	return c.cutOut[i]
}

// add appends an output vertex at p, m, and its nominal place.
func (c *cutter) add(p r3.Vec, nominal latticePoint, skin bool) int32 {
	c.out.Verts = append(c.out.Verts, p)
	c.nominal = append(c.nominal, nominal)
	c.skin = append(c.skin, skin)
	return int32(len(c.out.Verts) - 1)
}

// tet adds an output tet, in positive order for the lattice before anything moves: one
// that a moved vertex turns inside out stays inside out, for the relaxation to repair. In
// the other order it would overlap its neighbours unseen.
func (c *cutter) tet(v [4]int32) {
	if nominalVolume(c.nominal[v[0]], c.nominal[v[1]], c.nominal[v[2]], c.nominal[v[3]]) < 0 {
		v[2], v[3] = v[3], v[2]
	}
	c.out.Tets = append(c.out.Tets, v)
}

// stencil adds the part of lattice tet t inside the surface. The cases are
// those of figure 3 of the paper: by the numbers of vertices inside, on the
// surface and outside.
func (c *cutter) stencil(t [4]int32) {
	var in, on, out []int32
	for _, v := range t {
		switch c.sign[v] {
		case 1:
			in = append(in, v)
		case 0:
			on = append(on, v)
		default:
			out = append(out, v)
		}
	}
	// Nothing, all of it, a smaller tet, a pyramid, a wedge or a prism.
	at := c.latticeVertex
	switch {
	case len(in) == 0:
	case len(out) == 0:
		c.tet([4]int32{at(t[0]), at(t[1]), at(t[2]), at(t[3])})
	case len(in) == 1:
		// one inside: the tet of it, of vertices on the surface and of cuts
		v := []int32{at(in[0])}
		for _, z := range on {
			v = append(v, at(z))
		}
		for _, n := range out {
			v = append(v, c.cutVertex(in[0], n))
		}
		c.tet([4]int32(v))
	case len(on) == 1: // two in, one out: a pyramid
		p, q, n := in[0], in[1], out[0]
		z, a, b, ca, cb := at(on[0]), at(p), at(q), c.cutVertex(p, n), c.cutVertex(q, n)
		if c.diagonalFrom(p, q, n) { // p–cut(q)
			c.tet([4]int32{a, b, cb, z})
			c.tet([4]int32{a, cb, ca, z})
		} else {
			c.tet([4]int32{a, b, ca, z})
			c.tet([4]int32{b, cb, ca, z})
		}
	case len(in) == 2: // two out: a wedge between the edges of in[0] and in[1]
		a := [3]int32{at(in[0]), c.cutVertex(in[0], out[0]), c.cutVertex(in[0], out[1])}
		b := [3]int32{at(in[1]), c.cutVertex(in[1], out[0]), c.cutVertex(in[1], out[1])}
		d0 := c.diagonalFrom(in[0], in[1], out[0])
		d2 := !c.diagonalFrom(in[0], in[1], out[1]) // quad 2 runs from corner 2 to 0
		// The quad on the surface has no neighbour: it takes the shorter
		// diagonal, unless the three diagonals then form a cycle, which no
		// three tets can have.
		p := c.out.Verts
		d1 := p[a[1]].Sub(p[b[2]]).Norm2() < p[a[2]].Sub(p[b[1]]).Norm2()
		if d0 == d2 && d1 == d0 {
			d1 = !d1
		}
		c.prism(a, b, [3]bool{d0, d1, d2})
	default: // three in, one out
		// corners inside and the cuts below them, towards the vertex outside
		n := out[0]
		var a, b [3]int32
		var d [3]bool
		for i, p := range in {
			q := in[(i+1)%3]
			a[i], b[i] = at(p), c.cutVertex(p, n)
			d[i] = c.diagonalFrom(p, q, n)
		}
		c.prism(a, b, d)
	}
}

// diagonalFrom reports whether the quad p, q, cut(q–n), cut(p–n) has the
// diagonal p–cut(q–n) by (1) and (2), and not q–cut(p–n). Both tets at the quad
// decide alike, and the order of vertices that it follows has no cycles, as prism
// needs: by the lengths of their edges to n, then by parity, then by number.
func (c *cutter) diagonalFrom(p, q, n int32) bool {
	if a, b := c.length2(p, n), c.length2(q, n); a != b { // (1)
		return b > a
	}
	// (2): two vertices of cells of level k that are neighbours along an axis
	// differ first in bit k+1 of the sum of their coordinates.
	x, y := c.points[p], c.points[q]
	s, t := x[0]+x[1]+x[2], y[0]+y[1]+y[2]
	if differ := s ^ t; differ != 0 {
		return s&(differ&-differ) == 0
	}
	return p < q // only where cells of several sizes meet
}

// prism adds the three tets of the prism a0 a1 a2 | b0 b1 b2. Its quad i,
// between corners i and i+1, has the diagonal a_i–b_{i+1} where d[i] is true,
// else a_{i+1}–b_i. The three must not all be alike.
func (c *cutter) prism(a, b [3]int32, d [3]bool) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		if !d[i] || d[k] {
			continue // both diagonals next to corner i must start at a_i
		}
		if d[j] { // a_j–b_k
			c.tet([4]int32{a[i], a[j], a[k], b[k]})
			c.tet([4]int32{a[i], a[j], b[k], b[j]})
		} else { // a_k–b_j
			c.tet([4]int32{a[i], a[j], a[k], b[j]})
			c.tet([4]int32{a[i], a[k], b[k], b[j]})
		}
		c.tet([4]int32{a[i], b[j], b[k], b[i]})
		return
	}
	panic("meshes: cyclic diagonals in a prism")
}
