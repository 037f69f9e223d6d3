package hydroelastic

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A pressure field is linear in each tetrahedral cell of a compliant body; doc.go has its equations.

// Geometry is one side of a contact: *Compliant, *Rigid or *HalfSpace. Geometries are
// immutable and may be shared by any number of queries.
type Geometry interface {
	// Bounds returns the bounds in the geometry's frame, m, the margin included.
	Bounds() r3.Box
	// Compliant reports whether the geometry has a pressure field.
	Compliant() bool
}

// Compliant is a body with a pressure field over a mesh of convex cells: the pressure is
// linear on each cell and continuous across cells.
type Compliant struct {
	// vertices in the body's frame, m
	verts []r3.Vec
	// pressure at each vertex, Pa
	p     []float64
	cells []cell
	// pressure on each cell
	pressure []linear
	// diagonal of each cell's bounds, m
	size []float64
	tree *bvh.Tree

	modulus, depth, margin float64
	// depth of the innermost points below the nearest face, m
	leastDepth float64
	// longest edge that was asked for, m, and whether facets enclose the volume of the shape
	hint        float64
	equalVolume bool
	// greatest gradient of the cells, Pa/m
	steepest float64
	// largest distance of a vertex from the frame's origin, m
	reach float64
	searched
}

// linear is the pressure on a cell, zero + grad·x.
type linear struct {
	// gradient, Pa/m, and its length
	grad r3.Vec
	// |grad|
	norm float64
	// pressure at the origin of the frame, Pa
	zero float64
	// range on the cell, extended by more than round-off, Pa
	lo, hi float64
}

// at returns the pressure at x, Pa.
func (l *linear) at(x *r3.Vec) float64 { return l.zero + l.grad.DotOf(x) }

// place makes l the function m of a body at X_MN.
func (l *linear) place(m *linear, X_MN *r3.Pose) {
	l.grad.SetMul(&X_MN.R, &m.grad)
	l.zero = m.zero - l.grad.DotOf(&X_MN.P)
	l.norm, l.lo, l.hi = m.norm, m.lo, m.hi
}

var _ Geometry = (*Compliant)(nil)

// Bounds returns the bounds of the mesh in the body's frame, m.
func (c *Compliant) Bounds() r3.Box { return c.tree.Bounds() }

// Compliant returns true.
func (c *Compliant) Compliant() bool { return true }

// HydroelasticModulus returns the pressure at the innermost points, Pa.
func (c *Compliant) HydroelasticModulus() float64 { return c.modulus }

// Depth returns the depth of the innermost points below the surface, m. The pressure
// rises by about HydroelasticModulus/Depth per metre.
func (c *Compliant) Depth() float64 { return c.depth }

// LeastDepth returns the depth of the innermost points below the nearest face, m: the
// penetration of that face at which the pressure is largest. It is less than Depth where a
// convex solid has faces at different distances from its centroid.
func (c *Compliant) LeastDepth() float64 { return c.leastDepth }

// Margin returns the width of the layer around the surface in which the pressure is
// negative, m.
func (c *Compliant) Margin() float64 { return c.margin }

// ResolutionHint returns the resolution hint of the field, the requested or default length of
// its longest edge, m.
func (c *Compliant) ResolutionHint() float64 { return c.hint }

// EqualVolume reports whether the facets of a round shape enclose its volume.
func (c *Compliant) EqualVolume() bool { return c.equalVolume }

// NumCells returns the number of convex cells, each linear in the pressure.
func (c *Compliant) NumCells() int { return len(c.cells) }

// PressureGradient returns the typical gradient of the pressure,
// HydroelasticModulus/Depth, Pa/m.
func (c *Compliant) PressureGradient() float64 { return c.modulus / c.depth }

// Field returns the field as tetrahedra with a pressure (Pa) per vertex, for pictures and
// files. Columns are split by their vertices of smallest number, so that the tetrahedra
// of neighbours conform.
func (c *Compliant) Field() (*meshes.Tet, []float64) {
	m := &meshes.Tet{Verts: slices.Clone(c.verts)}
	for i := range c.cells {
		m.Tets = c.cells[i].appendTets(m.Tets)
	}
	// A face is counter-clockwise seen from outside, and the apex is behind it.
	for i := range m.Tets {
		if m.Volume(i) < 0 { // the apex is below a face seen from outside
			m.Tets[i][2], m.Tets[i][3] = m.Tets[i][3], m.Tets[i][2]
		}
	}
	return m, slices.Clone(c.p)
}

// appendTets appends tetrahedra that fill the cell: from its vertex of smallest number to
// the faces without it, each split from its vertex of smallest number. Vertices that
// coincide make no tetrahedron.
func (c *cell) appendTets(tets [][4]int32) [][4]int32 {
	t := c.topology()
	apex := slices.Min(c.v[:t.verts])
	for _, loop := range t.faces {
		face := make([]int32, 0, 4)
		for _, h := range loop {
			face = append(face, c.v[h.from])
		}
		if slices.Contains(face, apex) {
			continue
		}
		k := slices.Index(face, slices.Min(face))
		n := len(face)
		for j := 1; j+1 < n; j++ {
			a, b, d := face[k], face[(k+j)%n], face[(k+j+1)%n]
			if a != b && b != d && d != a {
				tets = append(tets, [4]int32{apex, a, b, d})
			}
		}
	}
	return tets
}

// builder collects the cells of a field.
type builder struct {
	verts []r3.Vec
	p     []float64
	cells []cell
	grad  []r3.Vec
	// number of the vertex at each position
	at map[r3.Vec]int32
}

// vertex returns the number of the vertex at x, which is added with pressure p unless
// there is one at the same position.
func (b *builder) vertex(x r3.Vec, p float64) int32 {
	x = x.Add(r3.Vec{}) // no negative zeros
	if i, ok := b.at[x]; ok {
		return i
	}
	if b.at == nil {
		b.at = map[r3.Vec]int32{}
	}
	// A new vertex.
	i := int32(len(b.verts))
	b.at[x] = i
	b.verts, b.p = append(b.verts, x), append(b.p, p)
	return i
}

// tet adds a tetrahedron of positive vertex order with the gradient of its four
// pressures:
//
//	∇p = Σ_k (p_k − p_0) N_k/(6V), N_k the normal of the face opposite k, inward
func (b *builder) tet(v [4]int32) error {
	// Edges from the first vertex, and normals of the faces there.
	x0, p0 := b.verts[v[0]], b.p[v[0]]
	e1, e2, e3 := b.verts[v[1]].Sub(x0), b.verts[v[2]].Sub(x0), b.verts[v[3]].Sub(x0)
	n1, n2, n3 := e2.Cross(e3), e3.Cross(e1), e1.Cross(e2)
	det := e1.Dot(n1)
	// A tetrahedron without volume has no gradient.
	size := math.Sqrt(max(e1.Norm2(), e2.Norm2(), e3.Norm2()))
	if !(det > 1e-12*size*size*size) {
		return fmt.Errorf("the tetrahedron near %.4g m has no volume: mesh the part again", x0)
	}
	g := n1.Scale((b.p[v[1]]-p0)/det).
		AddScaled((b.p[v[2]]-p0)/det, n2).
		AddScaled((b.p[v[3]]-p0)/det, n3)
	b.cells = append(b.cells, cell{v: [8]int32{v[0], v[1], v[2], v[3]}})
	b.grad = append(b.grad, g)
	return nil
}

// column adds the cell between a planar polygon of the outer surface, all at one pressure
// and counter-clockwise seen from outside, and its image on the core, all at another,
// vertex k below vertex k. Both have three or four corners; those of the image may
// coincide.
func (b *builder) column(outer, inner []int32) {
	if len(outer) == 3 && inner[0] == inner[1] && inner[1] == inner[2] {
		b.cells = append(b.cells, cell{v: [8]int32{outer[0], outer[2], outer[1], inner[0]}})
	} else {
		last := len(outer) - 1 // a triangle repeats its last corner
		b.cells = append(b.cells, cell{col: true, v: [8]int32{
			outer[0], outer[1], outer[2], outer[last],
			inner[0], inner[1], inner[2], inner[last]}})
	}
	// The gradient is along the normal of the outer polygon.
	o := b.verts[outer[0]]
	var n r3.Vec
	for k := 1; k+1 < len(outer); k++ {
		n = n.Add(b.verts[outer[k]].Sub(o).Cross(b.verts[outer[k+1]].Sub(o)))
	}
	n = n.Unit()
	rise := b.p[outer[0]] - b.p[inner[0]]
	b.grad = append(b.grad, n.Scale(rise/n.Dot(o.Sub(b.verts[inner[0]]))))
}

// boxes returns the bounds of each cell, m.
func (b *builder) boxes() []r3.Box {
	boxes := make([]r3.Box, len(b.cells))
	for i := range b.cells {
		cl := &b.cells[i]
		boxes[i] = r3.EmptyBox()
		for _, v := range cl.v[:cl.topology().verts] {
			boxes[i] = boxes[i].Extend(b.verts[v])
		}
	}
	return boxes
}

// build returns the field; depth is that of the innermost points, m. Cells are numbered
// in the order of the tree and vertices in the order of the cells, so that a query reads
// memory in order.
func (b *builder) build(opt Options, depth float64) *Compliant {
	c := &Compliant{modulus: opt.HydroelasticModulus, depth: depth, leastDepth: depth, margin: opt.Margin, hint: opt.ResolutionHint, equalVolume: opt.EqualVolume}
	boxes := b.boxes()
	c.tree = bvh.Build(boxes)
	// Cells and vertices in their new order.
	number := newNumbering(len(b.verts))
	for _, i := range c.tree.Renumber() {
		cl, l := b.cells[i], linear{grad: b.grad[i], norm: b.grad[i].Norm(), lo: math.Inf(1), hi: math.Inf(-1)}
		l.zero = b.p[cl.v[0]] - l.grad.Dot(b.verts[cl.v[0]])
		for k, v := range cl.v[:cl.topology().verts] {
			cl.v[k] = number.of(v)
			l.lo, l.hi = min(l.lo, b.p[v]), max(l.hi, b.p[v])
		}
		c.steepest = max(c.steepest, l.norm)
		c.cells, c.pressure, c.size = append(c.cells, cl), append(c.pressure, l), append(c.size, boxes[i].Size().Norm())
	}
	for _, v := range number.order {
		c.verts, c.p = append(c.verts, b.verts[v]), append(c.p, b.p[v])
		c.reach = max(c.reach, b.verts[v].Norm())
	}
	// Ranges must be safe against round-off.
	for i := range c.pressure {
		l := &c.pressure[i]
		slack := 1e-12 * c.reach * l.norm
		l.lo, l.hi = l.lo-slack, l.hi+slack
	}
	return c
}

// numbering numbers vertices in the order of their first use.
type numbering struct {
	// new numbers; −1 for vertices not used yet
	now []int32
	// former numbers
	order []int32
}

func newNumbering(n int) *numbering {
	return &numbering{now: slices.Repeat([]int32{-1}, n)}
}

// of returns the new number of a vertex.
func (n *numbering) of(v int32) int32 {
	if n.now[v] < 0 {
		n.now[v] = int32(len(n.order))
		n.order = append(n.order, v)
	}
	return n.now[v]
}
