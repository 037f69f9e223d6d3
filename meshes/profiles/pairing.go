package profiles

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
)

// Quads of a triangulated plane: two triangles with a common edge are one quad where it is
// convex and its angles are not far from a right one. Swept, a quad becomes a column of
// hexahedra, which are accurate in bending; a triangle that is left over becomes a column of
// wedges, which are too stiff. So few triangles should be left:
//
//	deviation = max |angle − 90°| < 60° of the quad's corners                 (1)
//
// pairs are taken in ascending order of (1), ties by number; then each free triangle is joined
// to another free one where a path of up to 12 edges leads there that is free, paired, free, …
// in turn: with the pairs along it exchanged, both have a partner. Larger angles would leave
// fewer, but such quads taper and bend worse than wedges.
// Source: augmenting paths of Berge, "Two theorems in graph theory", 1957.
//
// A pairing is largest if no such path of any length is left. The bound on the length keeps the
// search local, since the number of paths grows with their length.
//
// The quads of a plane become hexahedra by the sweep, layer by layer:
//
//	plane     quads q0 q1 …, lone triangles t0 t1 …
//	cells     hexes q0 q1 … of layer 0, of layer 1, …; then wedges t0 t1 … likewise
//	tets      those of sweep: three of each triangle, layer by layer
//
// so that Cells.Of, the cell of each tet, is a matter of counting.

// Limits of pairing.
const (
	pairDeviation = math.Pi / 3 // rad, of (1)
	pairPath      = 12          // edges of the longest path
)

// pairing is the graph of the triangles of a plane.
type pairing struct {
	// near are the triangles that each may be paired with, best first, ties by number.
	near [][]int32
	// mate is the partner of each triangle, −1 for none.
	mate []int32
	// onPath marks the triangles of the path that is followed.
	onPath []bool
}

// pairs returns the partner of each triangle, −1 for none.
func (m *planar) pairs() []int32 {
	type pair struct {
		deviation float64
		a, b      int32
	}
	// an edge met for the second time is an inner one, and first has the triangle before
	// pairs across inner edges
	var all []pair
	first := make(map[[2]int32]int32, 3*len(m.tris)/2)
	for i, t := range m.tris {
		for k := range 3 {
			e := [2]int32{min(t[k], t[(k+1)%3]), max(t[k], t[(k+1)%3])}
			j, seen := first[e]
			if !seen {
				first[e] = int32(i)
				continue
			}
			if d := m.deviation(j, int32(i)); d < pairDeviation {
				all = append(all, pair{d, j, int32(i)})
			}
		}
	}
	slices.SortFunc(all, func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.deviation, y.deviation), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	// near is in the order of the pairs, so that augmenting paths prefer good quads, too
	// the best first
	p := pairing{near: make([][]int32, len(m.tris)), mate: make([]int32, len(m.tris)), onPath: make([]bool, len(m.tris))}
	for i := range p.mate {
		p.mate[i] = -1
	}
	for _, x := range all {
		p.near[x.a], p.near[x.b] = append(p.near[x.a], x.b), append(p.near[x.b], x.a)
		if p.mate[x.a] < 0 && p.mate[x.b] < 0 {
			p.mate[x.a], p.mate[x.b] = x.b, x.a
		}
	}
	// paths between free triangles, the shortest first
	for length := 3; length <= pairPath; length += 2 {
		for i := range p.mate {
			if p.mate[i] < 0 {
				p.augment(int32(i), length)
			}
		}
	}
	return p.mate
}

// augment pairs a free triangle, or one whose mate has left it, with the end of a path of at
// most so many edges, and reports whether there is one.
func (p *pairing) augment(i int32, edges int) bool {
	// depth first; a triangle is on a path at most once, so that the search ends
	p.onPath[i] = true
	defer func() { p.onPath[i] = false }()
	for _, j := range p.near[i] {
		if p.onPath[j] {
			continue
		}
		next := p.mate[j]
		if next >= 0 {
			// j leaves its mate, for which the path continues
			if edges < 3 || p.onPath[next] {
				continue
			}
			p.onPath[j] = true
			found := p.augment(next, edges-2)
			p.onPath[j] = false
			if !found {
				continue
			}
		}
		p.mate[i], p.mate[j] = j, i
		return true
	}
	return false
}

// quad returns the corners of two triangles with a common edge, counter-clockwise, from the
// corner of a that b does not have.
func (m *planar) quad(a, b int32) [4]int32 {
	s, t := m.tris[a], m.tris[b]
	// the corners that the other has not
	alone := func(s, t [3]int32) int {
		return slices.IndexFunc(s[:], func(v int32) bool { return !slices.Contains(t[:], v) })
	}
	i, j := alone(s, t), alone(t, s)
	return [4]int32{s[i], s[(i+1)%3], t[j], s[(i+2)%3]}
}

// deviation returns (1) of two triangles with a common edge, rad; π where their quad is not
// convex.
func (m *planar) deviation(a, b int32) float64 {
	q, most := m.quad(a, b), 0.0
	for k := range 4 {
		p, o, n := m.pts[q[(k+3)%4]], m.pts[q[k]], m.pts[q[(k+1)%4]]
		if !(exact.Orient(p, o, n) > 0) {
			return math.Pi
		}
		u, v := sub2(p, o), sub2(n, o)
		angle := math.Acos(max(-1, min(1, (u[0]*v[0]+u[1]*v[1])/(math.Hypot(u[0], u[1])*math.Hypot(v[0], v[1])))))
		most = max(most, math.Abs(angle-math.Pi/2))
	}
	return most
}

// sweptCells returns the cells of a sweep whose tets sweep made: a hexahedron for each pair
// of triangles and layer, a wedge for each other triangle and layer.
func (m *planar) sweptCells(layers int) *meshes.Cells {
	mate := m.mate
	if mate == nil {
		mate = m.pairs()
	}
	// vertex v of the plane is vertex k n + v in the plane above layer k − 1
	n := int32(len(m.pts))
	c := &meshes.Cells{Of: make([]int32, 3*layers*len(m.tris))}
	number := make([]int32, len(m.tris)) // of the quad or triangle, in each layer
	var quads [][4]int32
	var lone [][3]int32
	for i, j := range mate {
		switch {
		case j < 0:
			number[i] = int32(len(lone))
			lone = append(lone, m.tris[i])
		case int(j) > i:
			number[i], number[j] = int32(len(quads)), int32(len(quads))
			quads = append(quads, m.quad(int32(i), j))
		}
	}
	for k := range layers {
		lo, hi := int32(k)*n, int32(k+1)*n
		for _, q := range quads {
			c.Hexes = append(c.Hexes, [8]int32{lo + q[0], lo + q[1], lo + q[2], lo + q[3], hi + q[0], hi + q[1], hi + q[2], hi + q[3]})
		}
		for _, t := range lone {
			c.Wedges = append(c.Wedges, [6]int32{lo + t[0], lo + t[1], lo + t[2], hi + t[0], hi + t[1], hi + t[2]})
		}
		// three tets of each triangle, in its order
		for i, j := range mate {
			cell := int32(k*len(quads)) + number[i]
			if j < 0 {
				cell = int32(layers*len(quads)+k*len(lone)) + number[i]
			}
			for s := range 3 {
				c.Of[3*(k*len(m.tris)+i)+s] = cell
			}
		}
	}
	return c
}

// mateNeighbours returns the partners of triangles that are listed two by two.
func mateNeighbours(n int) []int32 {
	mate := make([]int32, n)
	for i := range mate {
		mate[i] = int32(i ^ 1)
	}
	return mate
}

// halvedMates returns the partners of the triangles of halve: the three at the corners of a
// triangle and the one in its middle. A quad of two triangles becomes four: at the two ends of
// their common edge the corners of both, elsewhere a corner and the middle.
func (m *planar) halvedMates(mate []int32) []int32 {
	out := make([]int32, 4*len(mate))
	for i, j := range mate {
		if j < 0 {
			// the corners stay alone but one, which the middle joins
			out[4*i], out[4*i+3] = int32(4*i+3), int32(4*i)
			out[4*i+1], out[4*i+2] = -1, -1
			continue
		}
		for k, v := range m.tris[i] {
			if l := slices.Index(m.tris[j][:], v); l >= 0 {
				out[4*i+k] = 4*j + int32(l)
			} else {
				out[4*i+k], out[4*i+3] = int32(4*i+3), int32(4*i+k)
			}
		}
	}
	return out
}
