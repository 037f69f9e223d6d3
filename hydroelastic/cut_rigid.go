package hydroelastic

// Cutting cells of a compliant body by rigid surfaces: the contact surface (1) of the
// package's document is the rigid surface itself, and the pressure on it is that of the
// cell.

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// compliantRigid cuts the triangles of N by the cells of M: the plane of the triangle in
// the cell, clipped to the triangle.
func (q *Query) compliantRigid(M *Compliant, N *Rigid, X_MN r3.Pose) {
	q.out.limits(M, nil)
	// Round-off of positions, m.
	tol := snap * (M.reach + N.reach + X_MN.P.Norm())
	q.placed.reset(X_MN, N.verts)
	q.tris = triangleProbe{M: M, N: N, at: &q.placed, tol: tol}
	// Pairs of a cell and a triangle near each other.
	q.pairs = M.tree.Probe(N.tree, X_MN, tol, &q.tris, q.pairs[:0])
	// Triangles of N are placed one after the other.
	var t triangle
	f := facePlan{rigid: true}
	last := int32(-1)
	for _, pair := range q.pairs {
		i, j := pair[0], pair[1]
		// Triangles come in runs: place each once.
		if j != last {
			t.place(N, j, &q.placed)
			t.outline(&q.q)
			last = j
		}
		q.cellM.load(M, i)
		// Above the plane is outside of N.
		if !q.cellM.against(&t.outward, t.height, tol) {
			continue
		}
		q.cellM.slice(&q.p)
		if q.p.clipBy(&q.q, &q.r); q.p.n == 0 {
			continue
		}
		// Gradient, elements and pressure of the face.
		f.setCell(M, i)
		f.n, f.elem[1], f.size = t.inward, j, min(f.size, N.size[j])
		q.out.add(&q.p, &f, &q.r, &q.rest)
	}
}

// triangle is a triangle of the rigid side in the frame of the other body.
type triangle struct {
	x [3]r3.Vec
	// unit normals
	outward, inward r3.Vec
	// height of the plane along outward, m
	height float64
}

// place loads triangle j of N.
func (t *triangle) place(N *Rigid, j int32, at *placedVerts) {
	for k, v := range N.tris[j] {
		t.x[k] = *at.at(v)
	}
	t.outward.SetMul(&at.X.R, &N.normal[j])
	t.inward = t.outward.Neg()
	t.height = t.outward.DotOf(&t.x[0])
}

// outline sets p to the triangle as seen from inside of N's surface: it runs the other
// way.
func (t *triangle) outline(p *polygon) {
	p.n = 3
	p.x[0], p.x[1], p.x[2] = t.x[0], t.x[2], t.x[1]
	p.setSides(&t.inward, nil, 0)
}

// misses reports whether a cell's pressure, continued to all corners, is above all that
// the cell has, or below: then the triangle is not in it. Thin cells, as those of
// margins, are thin along the gradient.
func (t *triangle) misses(on *linear) bool {
	a, b, c := on.at(&t.x[0]), on.at(&t.x[1]), on.at(&t.x[2])
	return a < on.lo && b < on.lo && c < on.lo || a > on.hi && b > on.hi && c > on.hi
}

// triangleProbe are the triangles of N in the frame of the other body, M.
type triangleProbe struct {
	M     *Compliant
	N     *Rigid
	at    *placedVerts
	tol   float64
	tri   triangle
	probe bvh.Probe
}

// Probe implements bvh.Prober.
func (s *triangleProbe) Probe(j int32) *bvh.Probe {
	// Bounds of the triangle, and its plane.
	t, p := &s.tri, &s.probe
	t.place(s.N, j, s.at)
	p.Clear()
	for k := range t.x {
		p.Extend(&t.x[k])
	}
	p.Between(&t.outward, t.height, t.height)
	p.Inflate(s.tol)
	return p
}

// Meets implements bvh.Prober. Boxes of single cells would leave out one pair in twenty.
func (s *triangleProbe) Meets(i int32, _ *r3.Box) bool { return !s.tri.misses(&s.M.pressure[i]) }

// compliantRigidHalfSpace cuts the cells of M with the plane of a rigid half-space.
func (q *Query) compliantRigidHalfSpace(M *Compliant, X_MH r3.Pose) {
	q.out.limits(M, nil)
	// The plane z·x = height in M's frame.
	z := X_MH.R.Col(2)
	height := z.Dot(X_MH.P)
	tol := snap * (M.reach + X_MH.P.Norm())
	f := facePlan{rigid: true, n: z.Neg()}
	q.items = q.straddling(M, z, height, tol)
	for _, i := range q.items {
		q.cellM.load(M, i)
		if !q.cellM.against(&z, height, tol) {
			continue
		}
		f.setCell(M, i)
		q.cellM.slice(&q.p)
		q.out.add(&q.p, &f, &q.r, &q.rest)
	}
}

// straddling returns the cells whose boxes meet the plane z·x = height.
func (q *Query) straddling(M *Compliant, z r3.Vec, height, tol float64) []int32 {
	return M.tree.Select(func(b *r3.Box) bool {
		mid, half := span(b, &z)
		return math.Abs(mid-height) <= half+tol
	}, q.items[:0])
}

// span returns the middle and half of the interval that a box covers along z, m.
func span(b *r3.Box, z *r3.Vec) (mid, half float64) {
	mid = z[0]*(b.Min[0]+b.Max[0]) + z[1]*(b.Min[1]+b.Max[1]) + z[2]*(b.Min[2]+b.Max[2])
	half = math.Abs(z[0])*(b.Max[0]-b.Min[0]) + math.Abs(z[1])*(b.Max[1]-b.Min[1]) + math.Abs(z[2])*(b.Max[2]-b.Min[2])
	return mid / 2, half / 2
}

// load loads a cell of the body whose frame the query is in.
func (c *cellCorners) load(m *Compliant, i int32) {
	cl := &m.cells[i]
	c.t, c.v = cl.topology(), &cl.v
	for k, v := range cl.v[:c.t.verts] {
		c.x[k] = m.verts[v]
	}
}

// setCell sets the gradient, the element and the pressure of a face from cell i of M.
func (f *facePlan) setCell(M *Compliant, i int32) {
	// The pressure on the cell, from its first vertex.
	on, v := &M.pressure[i], M.cells[i].v[0]
	f.gradM, f.grad, f.at, f.ref = on.grad, on.grad, M.verts[v], M.p[v]
	f.elem[0], f.elem[1], f.size = i, 0, M.size[i]
}

// limits sets the bounds of the faces of a pair; N is nil unless it is compliant with a
// mesh.
func (o *output) limits(M, N *Compliant) {
	o.depth, o.tiny = M.depth, tinyPressure*M.modulus
	if N != nil {
		o.depth += N.depth
		o.tiny = tinyPressure * max(M.modulus, N.modulus)
	}
}

// tinyPressure is the pressure over the modulus that counts as zero: a flat face that
// just touches is not cut into parts in contact and ahead by round-off.
const tinyPressure = 1e-12
