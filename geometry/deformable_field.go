package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The signed distance of a point to the surface of a body that overlaps itself is not
// defined in the world, where two parts of the body are at the same position. Within
// the body the field is the distance at rest, carried along with the material: at the
// place X at rest of the point x of a tetrahedron with the barycentric coordinates λ,
//
//	X = Σ λ_i X_i,  s(x) = φ_rest(X),  ∇s = Σ (n·X_i) ∇λ_i,  n = ∇φ_rest      (1)
//
// with φ_rest the exact distance, not one interpolated between vertices, so that walls
// one element thick are resolved; and normalized,
//
//	φ = s/|∇s|, gradient ∇s/|∇s|                                            (2)
//
// it is the present distance to first order in the depth, however the tetrahedron is
// strained. Outside of the body the field is the distance to the nearest of the faces
// ahead. Both agree on the surface.
//
// The other side of an overlap is the material point of the tetrahedron at the same
// place, so that the two forces make no moment.

// selfField is the distance field of a deformable for one of its own faces.
type selfField struct {
	selfFace
	query *selfQuery
	// tetrahedra that the face cuts
	cells []selfCell
	// distance where no face is ahead, m
	none float64
	// triangle of the last answer inside, from which the next search starts
	last int32
}

// selfCell is a tetrahedron at its present place.
type selfCell struct {
	tet int32
	// its first vertex
	x0_W r3.Vec
	// ∇λ of the other three, 1/m
	g [3]r3.Vec
}

// setFace prepares the field for a face.
func (f *selfField) setFace(face selfFace) {
	f.selfFace, f.last, f.cells = face, -1, f.cells[:0]
	x := f.query.surf.dist.Mesh().Verts
	// Gradients of the barycentric coordinates; inverted tetrahedra have no inside.
	for _, c := range face.cuts {
		v := &f.query.spec.mesh.Tets[c[1]]
		e1, e2, e3 := x[v[1]].Sub(x[v[0]]), x[v[2]].Sub(x[v[0]]), x[v[3]].Sub(x[v[0]])
		g := [3]r3.Vec{e2.Cross(e3), e3.Cross(e1), e1.Cross(e2)} // times det
		if det := e1.Dot(g[0]); det > 0 {
			f.cells = append(f.cells, selfCell{c[1], x[v[0]], [3]r3.Vec{g[0].Scale(1 / det), g[1].Scale(1 / det), g[2].Scale(1 / det)}})
		}
	}
}

// selfHit is the answer of a selfField at a place.
type selfHit struct {
	phi    float64
	grad_W r3.Vec
	// nearest triangle of the surface; −1: none
	tri int32
	// tetrahedron that the place is in, or −1
	tet int32
	// weights of the place in the tetrahedron, or of the nearest point in tri
	w [4]float64
}

// at implements field.
func (f *selfField) at(p_W, facing_W r3.Vec) (float64, r3.Vec) {
	x := f.find(p_W, facing_W)
	return x.phi, x.grad_W
}

// find evaluates the field at a place that the face with outward normal facing_W has
// reached.
func (f *selfField) find(p_W, facing_W r3.Vec) selfHit {
	// Inside of a tetrahedron that the face cuts: (1) and (2).
	for i := range f.cells {
		if x, ok := f.inCell(&f.cells[i], p_W, facing_W); ok {
			return x
		}
	}
	// Outside: the nearest of the faces ahead.
	x := selfHit{phi: f.none, tri: -1, tet: -1}
	best := math.Inf(1)
	for _, c := range f.ahead {
		_, a, b, d := f.query.surf.corners(c[1])
		q, w := r3.ClosestOnTriangle(p_W, a, b, d)
		r := p_W.Sub(q)
		if d2 := r.Norm2(); d2 < best {
			best, x.tri, x.grad_W = d2, c[1], r
			x.w = [4]float64{w[0], w[1], w[2]}
		}
	}
	if x.tri < 0 {
		return x
	}
	x.phi = math.Sqrt(best)
	// On the face itself its normal is the gradient.
	if best == 0 {
		x.grad_W = f.query.surf.dist.FaceNormal(x.tri)
	} else {
		x.grad_W = x.grad_W.Scale(1 / x.phi)
	}
	return x
}

// inCell returns (1) and (2) if the place is in the tetrahedron.
func (f *selfField) inCell(c *selfCell, p_W, facing_W r3.Vec) (selfHit, bool) {
	// Barycentric coordinates of the place.
	r, g := p_W.Sub(c.x0_W), &c.g
	w1, w2, w3 := r.Dot(g[0]), r.Dot(g[1]), r.Dot(g[2])
	w0 := 1 - w1 - w2 - w3
	if min(w0, w1, w2, w3) < 0 {
		return selfHit{}, false
	}
	v := &f.query.spec.mesh.Tets[c.tet]
	// The place at rest.
	out := selfHit{tet: c.tet, w: [4]float64{w0, w1, w2, w3}}
	X := f.query.spec.mesh.Verts
	var p_M r3.Vec // where the place is at rest
	for k, i := range v {
		p_M = p_M.AddScaled(out.w[k], X[i])
	}
	// The gradient of a direction at rest (1).
	carry := func(n r3.Vec) (grad_W r3.Vec) { // (1)
		for k := range g {
			grad_W = grad_W.AddScaled(n.Dot(X[v[k+1]].Sub(X[v[0]])), g[k])
		}
		return grad_W
	}
	// Beyond the middle of a thin wall the side that the face came from counts.
	phi, _, tri, _, n := f.query.spec.rest.SignedFrom(p_M, f.last)
	f.last = tri
	grad := carry(n)
	if phi < 0 && turnsAway(facing_W, grad.Unit()) {
		if u, d, m := f.front(p_M, facing_W, maxDepthRatio*-phi); u >= 0 {
			phi, tri, grad = -d, u, carry(m)
		}
	}
	// (2)
	length := grad.Norm()
	if length == 0 {
		return selfHit{}, false
	}
	out.phi, out.grad_W, out.tri = min(phi, 0)/length, grad.Scale(1/length), tri // (2)
	return out, true
}

// front returns the nearest triangle at rest that faces a face from the other side of a
// thin wall, at most as far as most (m at rest), the distance to it and the direction.
func (f *selfField) front(p_M, facing_W r3.Vec, most float64) (tri int32, dist float64, n r3.Vec) {
	rest, now := f.query.spec.rest, f.query.surf.dist
	m := rest.Mesh()
	tri, d2 := rest.Tree().Nearest(p_M, most*most, func(i int32) float64 {
		t := &m.Tris[i]
		a := m.Verts[t[0]]
		// Triangles that are turned away, or behind which the place lies, do not count.
		if now.FaceNormal(i).Dot(facing_W) >= cosTurnedAway || p_M.Sub(a).Dot(rest.FaceNormal(i)) > 0 {
			return math.Inf(1)
		}
		q, _ := r3.ClosestOnTriangle(p_M, a, m.Verts[t[1]], m.Verts[t[2]])
		return p_M.Sub(q).Norm2()
	})
	if tri < 0 || d2 == 0 {
		return -1, 0, n
	}
	t := &m.Tris[tri]
	q, _ := r3.ClosestOnTriangle(p_M, m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]])
	return tri, math.Sqrt(d2), q.Sub(p_M).Unit()
}

// feature returns the material point of the other side.
func (f *selfField) feature(x *selfHit) MaterialPoint {
	b := f.query.surf
	if x.tet < 0 {
		return b.feature(x.tri, [3]float64{x.w[0], x.w[1], x.w[2]})
	}
	out := MaterialPoint{Body: b.body, N: 4}
	for k, v := range f.query.spec.mesh.Tets[x.tet] {
		out.Vert[k], out.W[k] = v, x.w[k]
		out.Pos_W = out.Pos_W.AddScaled(x.w[k], b.dist.Mesh().Verts[v])
	}
	return out
}

// cameCloser reports whether two material points are nearer to each other than at rest.
func (f *selfField) cameCloser(a, b *MaterialPoint) bool {
	X := f.query.spec.mesh.Verts
	var rest r3.Vec
	for k := range a.N {
		rest = rest.AddScaled(a.W[k], X[a.Vert[k]])
	}
	for k := range b.N {
		rest = rest.AddScaled(-b.W[k], X[b.Vert[k]])
	}
	return a.Pos_W.Sub(b.Pos_W).Norm() < (1-approachShare)*rest.Norm()
}
