package stuffing

// Why this lattice: the tets of a body-centred cubic lattice are all congruent,
// with dihedral angles of 60° and 90° only and edges of h and √3/2 h. No other
// lattice of tets that fills space is rounder, and its grading by an octree
// needs only the two cases below.

// The background of isosurface stuffing: tetrahedra of a body-centred cubic
// lattice on an octree whose cells are small at the surface and double in size
// away from it. Vertices are the corners and centres of the cells.
//
//   - Two equal cells that share a face give four tetrahedra around the line of
//     their centres, each on one edge of the face; where smaller cells nearby
//     have cut that edge in two, the tetrahedron is cut too.
//   - Where a cell meets a larger one, its face is cut along the diagonal that
//     starts at the middle of the larger face, and each half is joined to both
//     centres.
//
// Cells that share a face or an edge differ by at most one level, which makes
// these two cases the only ones (Labelle & Shewchuk, Isosurface Stuffing, 2007,
// section 4). Coordinates are integers in units of half the smallest cell.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// latticePoint is a position in units of h/2 from the origin of the lattice.
type latticePoint [3]int32

// latticeCell is a leaf of the octree.
type latticeCell struct {
	// lowest corner
	low latticePoint
	// the edge is 2<<level units; level 0 has edge h
	level int32
}

// edge returns the length of the cell's edges in units of h/2.
func (c latticeCell) edge() int32 { return 2 << c.level }

// center returns the middle of the cell, which is a vertex of the lattice.
func (c latticeCell) center() latticePoint {
	r := c.edge() / 2
	return latticePoint{c.low[0] + r, c.low[1] + r, c.low[2] + r}
}

// corner returns corner k: bit i of k is set where the corner is high along
// axis i.
func (c latticeCell) corner(k int) latticePoint {
	p := c.low
	for i := range p {
		if k>>i&1 == 1 {
			p[i] += c.edge()
		}
	}
	return p
}

// lattice is the octree and the tets that are made from it.
type lattice struct {
	// position of the latticePoint 0, m
	origin r3.Vec
	// edge of the smallest cells, m
	h float64
	// how small cells must be where
	grading *grading
	// signed distance, m, negative inside
	phi func(r3.Vec) float64

	// level of the roots
	top int32
	// leaves with the signed distance of their centres, m
	leaves map[latticeCell]float64
	// leaves in a fixed order
	cells []latticeCell

	// vertex at each point that a tet uses
	number map[latticePoint]int32
	// points of the vertices
	points []latticePoint
	// signed distance of the vertices, m; ±Inf far from the surface
	value []float64
	// tets in positive order
	tets [][4]int32
}

// size returns the edge of the cells at the surface where nothing requires
// smaller ones, m.
func (l *lattice) size() float64 { return l.grading.size }

// position returns a point in space, m.
func (l *lattice) position(p latticePoint) r3.Vec {
	s := l.h / 2
	return l.origin.Add(r3.Vec{s * float64(p[0]), s * float64(p[1]), s * float64(p[2])})
}

// newGradedLattice builds the lattice around box with the cells that the grading
// wants at the surface; away from it they double in size up to coarsen times.
// shift moves the lattice, in cells. phi is the signed distance, m, negative
// inside.
func newGradedLattice(box r3.Box, g *grading, coarsen int, shift r3.Vec, phi func(r3.Vec) float64) *lattice {
	l := &lattice{h: g.least(), grading: g, phi: phi, top: int32(coarsen + g.halvings), leaves: map[latticeCell]float64{}}
	root := g.size * float64(int(1)<<coarsen)
	// Roots that cover the box with at least a cell around it.
	size := box.Inflate(g.size).Size()
	var n [3]int32
	for i := range n {
		n[i] = int32(math.Ceil(size[i]/root+math.Abs(shift[i]))) + 1
		// Centred, so that symmetric parts get symmetric lattices.
		l.origin[i] = box.Center()[i] - root*float64(n[i])/2 + g.size*shift[i]
	}
	// Refine root by root, then make neighbours differ by one level at most.
	e := int32(2) << l.top
	for x := range n[0] {
		for y := range n[1] {
			for z := range n[2] {
				l.refine(latticeCell{latticePoint{x * e, y * e, z * e}, l.top})
			}
		}
	}
	l.balance()
	l.connect()
	return l
}

// refine subdivides c until no cell that is larger than the grading wants is near
// the surface. The tets around the centre of a cell reach no farther than 1.25 of
// its edges; they, and those of neighbours that may be warped, must be clear of
// the surface.
func (l *lattice) refine(c latticeCell) {
	d := l.phi(l.position(c.center()))
	if l.tooLarge(c, d) {
		l.split(c, l.refine)
		return
	}
	l.leaves[c] = d
	l.cells = append(l.cells, c)
}

// tooLarge reports whether c, at the signed distance d, m, must be subdivided.
func (l *lattice) tooLarge(c latticeCell, d float64) bool {
	switch base := int32(l.grading.halvings); {
	case c.level == 0:
		return false
	case c.level > base:
		return math.Abs(d) <= 1.25*l.h*float64(int(1)<<c.level)+l.size()
	default:
		// As large as the target size or smaller: the walls and gaps decide.
		return l.grading.wants(int(base-c.level), l.bounds(c))
	}
}

// bounds returns the box of a cell, m.
func (l *lattice) bounds(c latticeCell) r3.Box {
	return r3.Box{Min: l.position(c.low), Max: l.position(c.corner(7))}
}

// cellEdge returns the edge, m, of the leaf that contains p; that of the smallest
// cells where there is no leaf.
func (l *lattice) cellEdge(p r3.Vec) float64 {
	var at latticePoint
	for i := range at {
		at[i] = int32(math.Floor((p[i] - l.origin[i]) / (l.h / 2)))
	}
	if c, ok := l.find(at, 0); ok {
		return math.Ldexp(l.h, int(c.level))
	}
	return l.h
}

// split calls do with the eight halves of a cell.
func (l *lattice) split(c latticeCell, do func(latticeCell)) {
	half := latticeCell{c.low, c.level - 1}
	for k := range 8 {
		do(latticeCell{half.corner(k), c.level - 1})
	}
}

// find returns the leaf of at least the given level that covers the cell of
// that level at p.
func (l *lattice) find(p latticePoint, level int32) (latticeCell, bool) {
	for ; level <= l.top; level++ {
		// Lowest corner of the ancestor at this level.
		mask := ^(int32(2)<<level - 1)
		c := latticeCell{latticePoint{p[0] & mask, p[1] & mask, p[2] & mask}, level}
		if _, ok := l.leaves[c]; ok {
			return c, true
		}
	}
	return latticeCell{}, false
}

// balance subdivides cells that share a face or an edge with a cell two levels
// smaller or more.
func (l *lattice) balance() {
	queue := slices.Clone(l.cells)
	for len(queue) > 0 {
		// Take a leaf that is still there.
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if _, ok := l.leaves[c]; !ok {
			continue
		}
		e := c.edge()
		// Look at the 18 neighbours across faces and edges.
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				for dz := int32(-1); dz <= 1; dz++ {
					if dx*dy*dz != 0 {
						continue // only a corner in common
					}
					p := latticePoint{c.low[0] + dx*e, c.low[1] + dy*e, c.low[2] + dz*e}
					for {
						// Subdivide the larger neighbour until it is at most
						// one level above.
						n, ok := l.find(p, c.level)
						if !ok || n.level <= c.level+1 {
							break
						}
						delete(l.leaves, n)
						l.split(n, func(k latticeCell) {
							l.leaves[k] = l.phi(l.position(k.center()))
							queue = append(queue, k)
							l.cells = append(l.cells, k)
						})
					}
				}
			}
		}
	}
	// Drop the cells that were subdivided.
	l.cells = slices.DeleteFunc(l.cells, func(c latticeCell) bool { _, ok := l.leaves[c]; return !ok })
}

// vertex returns the number of the vertex at p, a new one if there is none.
func (l *lattice) vertex(p latticePoint) int32 {
	v, ok := l.number[p]
	if !ok {
		v = int32(len(l.points))
		l.number[p] = v
		l.points = append(l.points, p)
		l.value = append(l.value, math.NaN())
	}
	return v
}

// clear reports whether all tets around the centre of c lie on one side of the
// surface.
func (l *lattice) clear(c latticeCell) bool {
	return math.Abs(l.leaves[c]) > 1.25*l.h*float64(c.edge()/2)
}

// connect makes the tets of all cells that are not completely outside, and the
// values of their vertices.
func (l *lattice) connect() {
	l.number = map[latticePoint]int32{}
	// Corners of cells: a larger neighbour's edge is divided where one lies on
	// its middle.
	corners := map[latticePoint]bool{}
	for _, c := range l.cells {
		for k := range 8 {
			corners[c.corner(k)] = true
		}
	}
	for _, c := range l.cells {
		for axis := range 3 {
			for _, side := range [2]int32{0, 1} {
				l.connectFace(c, axis, side, corners)
			}
		}
	}
	// Near the surface the distance is measured; elsewhere the sign is known.
	for _, c := range l.cells {
		near := !l.clear(c)
		for k := -1; k < 8; k++ {
			p := c.center()
			if k >= 0 {
				p = c.corner(k)
			}
			v, ok := l.number[p]
			switch {
			case !ok:
			// Values of centres are known from the octree.
			case k < 0:
				l.value[v] = l.leaves[c]
			case near && (math.IsNaN(l.value[v]) || math.IsInf(l.value[v], 0)):
				l.value[v] = l.phi(l.position(p))
			case math.IsNaN(l.value[v]):
				l.value[v] = math.Inf(int(math.Copysign(1, l.leaves[c])))
			}
		}
	}
	l.measureEnds()
}

// measureEnds measures the vertices far from the surface, for the size of the cells
// around them, that share a tet with a vertex beyond the surface: a larger cell next
// to theirs reaches farther. Cuts between the two need both distances.
func (l *lattice) measureEnds() {
	for _, t := range l.tets {
		in, out := 0, 0
		for _, v := range t {
			if l.value[v] < 0 {
				in++
			} else {
				out++
			}
		}
		if in == 0 || out == 0 {
			continue
		}
		for _, v := range t {
			if math.IsInf(l.value[v], 0) {
				l.value[v] = l.phi(l.position(l.points[v]))
			}
		}
	}
}

// connectFace makes the tets across one face of c, unless the cell beyond is
// smaller, or equal and on the lower side: then that cell makes them.
func (l *lattice) connectFace(c latticeCell, axis int, side int32, corners map[latticePoint]bool) {
	e := c.edge()
	beyond := c.low
	beyond[axis] += (2*side - 1) * e
	n, ok := l.find(beyond, c.level)
	if !ok || n.level == c.level && side == 0 {
		return
	}
	// Nothing is left of tets that are completely outside.
	if l.clear(c) && l.clear(n) && l.leaves[c] > 0 && l.leaves[n] > 0 {
		return
	}
	// The corners of the face, in order around it.
	u, v := (axis+1)%3, (axis+2)%3
	var quad [4]latticePoint
	for i, d := range [4][2]int32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		quad[i] = c.low
		quad[i][axis] += side * e
		quad[i][u] += d[0] * e
		quad[i][v] += d[1] * e
	}
	// Equal cells: four tets around the line between the centres, divided where
	// an edge of the face is.
	a, b := c.center(), n.center()
	if n.level == c.level {
		for i, p := range quad {
			q := quad[(i+1)%4]
			m := latticePoint{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2}
			if corners[m] {
				l.tet(a, b, p, m)
				l.tet(a, b, m, q)
			} else {
				l.tet(a, b, p, q)
			}
		}
		return
	}
	// A larger cell beyond: the middle of its face is a corner of this face.
	m := b
	m[axis] = quad[0][axis]
	i := slices.Index(quad[:], m)
	for _, center := range [2]latticePoint{a, b} {
		l.tet(center, quad[i], quad[(i+1)%4], quad[(i+2)%4])
		l.tet(center, quad[i], quad[(i+2)%4], quad[(i+3)%4])
	}
}

// tet adds a tet, in positive order.
func (l *lattice) tet(a, b, c, d latticePoint) {
	if nominalVolume(a, b, c, d) < 0 {
		c, d = d, c
	}
	l.tets = append(l.tets, [4]int32{l.vertex(a), l.vertex(b), l.vertex(c), l.vertex(d)})
}

// nominalVolume returns six times the volume of a tet in units of the lattice.
func nominalVolume(a, b, c, d latticePoint) float64 {
	var m r3.Mat
	for i := range 3 {
		m[i], m[3+i], m[6+i] = float64(b[i]-a[i]), float64(c[i]-a[i]), float64(d[i]-a[i])
	}
	return m.Det()
}
