package meshes

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

// latticePoint is a position in units of h/2 from the lattice's origin.
type latticePoint [3]int32

// latticeCell is an octree leaf: its lowest corner and its level; the edge is
// 2<<level units.
type latticeCell struct {
	low   latticePoint
	level int32
}

func (c latticeCell) edge() int32 { return 2 << c.level }

func (c latticeCell) center() latticePoint {
	r := c.edge() / 2
	return latticePoint{c.low[0] + r, c.low[1] + r, c.low[2] + r}
}

// corner k has bit i set where it is high along axis i.
func (c latticeCell) corner(k int) latticePoint {
	p := c.low
	for i := range p {
		if k>>i&1 == 1 {
			p[i] += c.edge()
		}
	}
	return p
}

// lattice is the octree and the tetrahedra made from it.
type lattice struct {
	origin r3.Vec
	h      float64 // edge of the smallest cells, m
	phi    func(r3.Vec) float64

	top    int32                   // level of the roots
	leaves map[latticeCell]float64 // signed distance of the centre, m
	cells  []latticeCell           // the leaves in order

	number map[latticePoint]int32
	points []latticePoint
	value  []float64  // signed distance, m, or only its sign far from the surface
	tets   [][4]int32 // positive
}

func (l *lattice) position(p latticePoint) r3.Vec {
	s := l.h / 2
	return l.origin.Add(r3.Vec{s * float64(p[0]), s * float64(p[1]), s * float64(p[2])})
}

// newLattice builds the lattice around box, cells doubling up to coarsen times.
// phi is the signed distance, m, negative inside.
func newLattice(box r3.Box, h float64, coarsen int, phi func(r3.Vec) float64) *lattice {
	l := &lattice{h: h, phi: phi, top: int32(coarsen), leaves: map[latticeCell]float64{}}
	root := h * float64(int(1)<<coarsen)
	size := box.Inflate(h).Size()
	var n [3]int32
	for i := range n {
		n[i] = int32(math.Ceil(size[i]/root)) + 1
		// Centred, so that symmetric parts get symmetric lattices.
		l.origin[i] = box.Center()[i] - root*float64(n[i])/2
	}
	e := int32(2) << coarsen
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

// refine cuts cells until none that is larger than h comes near the surface: the
// tetrahedra around its centre, which reach no farther than 1.25 edges, must be
// clear of it, and so must those of the cells next to it that may be warped.
func (l *lattice) refine(c latticeCell) {
	d := l.phi(l.position(c.center()))
	if c.level > 0 && math.Abs(d) <= 1.25*l.h*float64(int(1)<<c.level)+l.h {
		l.split(c, l.refine)
		return
	}
	l.leaves[c] = d
	l.cells = append(l.cells, c)
}

func (l *lattice) split(c latticeCell, do func(latticeCell)) {
	half := latticeCell{c.low, c.level - 1}
	for k := range 8 {
		do(latticeCell{half.corner(k), c.level - 1})
	}
}

// find returns the leaf of at least the given level that covers the cell of that
// level at p.
func (l *lattice) find(p latticePoint, level int32) (latticeCell, bool) {
	for ; level <= l.top; level++ {
		mask := ^(int32(2)<<level - 1)
		c := latticeCell{latticePoint{p[0] & mask, p[1] & mask, p[2] & mask}, level}
		if _, ok := l.leaves[c]; ok {
			return c, true
		}
	}
	return latticeCell{}, false
}

// balance cuts cells that share a face or an edge with one two levels smaller.
func (l *lattice) balance() {
	queue := slices.Clone(l.cells)
	for len(queue) > 0 {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if _, ok := l.leaves[c]; !ok {
			continue
		}
		e := c.edge()
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				for dz := int32(-1); dz <= 1; dz++ {
					if dx*dy*dz != 0 {
						continue // only a corner in common
					}
					p := latticePoint{c.low[0] + dx*e, c.low[1] + dy*e, c.low[2] + dz*e}
					for {
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
	l.cells = slices.DeleteFunc(l.cells, func(c latticeCell) bool { _, ok := l.leaves[c]; return !ok })
}

// vertex numbers the point p.
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

// clear reports whether all tetrahedra around the centre of c are on one side.
func (l *lattice) clear(c latticeCell) bool {
	return math.Abs(l.leaves[c]) > 1.25*l.h*float64(c.edge()/2)
}

// connect makes the tetrahedra of all cells that are not wholly outside.
func (l *lattice) connect() {
	l.number = map[latticePoint]int32{}
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
			case k < 0:
				l.value[v] = l.leaves[c]
			case near && (math.IsNaN(l.value[v]) || math.IsInf(l.value[v], 0)):
				l.value[v] = l.phi(l.position(p))
			case math.IsNaN(l.value[v]):
				l.value[v] = math.Inf(int(math.Copysign(1, l.leaves[c])))
			}
		}
	}
}

// connectFace makes the tetrahedra across one face of c, unless the cells beyond
// are smaller or equal and make them.
func (l *lattice) connectFace(c latticeCell, axis int, side int32, corners map[latticePoint]bool) {
	e := c.edge()
	beyond := c.low
	beyond[axis] += (2*side - 1) * e
	n, ok := l.find(beyond, c.level)
	if !ok || n.level == c.level && side == 0 {
		return
	}
	if l.clear(c) && l.clear(n) && l.leaves[c] > 0 && l.leaves[n] > 0 {
		return
	}
	u, v := (axis+1)%3, (axis+2)%3
	var quad [4]latticePoint
	for i, d := range [4][2]int32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		quad[i] = c.low
		quad[i][axis] += side * e
		quad[i][u] += d[0] * e
		quad[i][v] += d[1] * e
	}
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
	// The larger face's middle, one of the corners of this face.
	m := b
	m[axis] = quad[0][axis]
	i := slices.Index(quad[:], m)
	for _, center := range [2]latticePoint{a, b} {
		l.tet(center, quad[i], quad[(i+1)%4], quad[(i+2)%4])
		l.tet(center, quad[i], quad[(i+2)%4], quad[(i+3)%4])
	}
}

// tet adds a tetrahedron, turned to positive volume.
func (l *lattice) tet(a, b, c, d latticePoint) {
	var m r3.Mat
	for i := range 3 {
		m[i], m[3+i], m[6+i] = float64(b[i]-a[i]), float64(c[i]-a[i]), float64(d[i]-a[i])
	}
	if m.Det() < 0 {
		c, d = d, c
	}
	l.tets = append(l.tets, [4]int32{l.vertex(a), l.vertex(b), l.vertex(c), l.vertex(d)})
}
