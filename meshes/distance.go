package meshes

// Signed distance, closest points and containment for triangle surfaces.
//
// Guarantees of a query:
//
//   - |φ| is the distance to the nearest triangle, to round-off of the
//     coordinates.
//   - The sign is right for closed surfaces whose triangles face outward and
//     do not intersect. Inside tolerates faults.
//   - φ changes by no more than the distance between two points, so that
//     sphere tracing with steps |φ| never passes the surface.
//   - The result does not depend on the guess, on earlier queries or on the
//     number of goroutines.
//
// Uses: contact of meshes, stuffing of surfaces, pressure fields of
// hydroelastic bodies.

import (
	"math"
	"sync"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Signed distance to a closed triangle surface. With q the point of the surface
// closest to p and n the pseudo-normal of the feature q lies on,
//
//	φ(p) = |p − q| sign((p − q)·n)                                  (1)
//	n(face) = n_f,  n(edge) = n_f + n_g,  n(vertex) = Σ α_f n_f      (2)
//
// α_f the angle of face f at the vertex: with these the sign is right also where
// the closest feature is an edge or a vertex (Bærentzen & Aanæs 2005). The
// winding number is the solid angle of the surface seen from p over 4π,
//
//	w(p) = (1/2π) Σ_f atan2(det(a,b,c), abc + (a·b)c + (b·c)a + (c·a)b)   (3)
//
// a, b, c the vertices relative to p (van Oosterom & Strackee 1983); it is 1
// inside, 0 outside and degrades gently where the surface has holes or overlaps
// (Jacobson et al. 2013). Far clusters of faces are replaced by their dipole
// Σ A_f n_f (Barill et al. 2018)                                       (4)

// Distance answers signed distance queries on a triangle surface. Queries
// allocate nothing, and any number of goroutines may run them at once; Refit
// needs exclusive access.
//
// The cost of a query is logarithmic in the number of triangles for points near
// the surface. All results are in the frame of the mesh.
type Distance struct {
	// the surface, kept by reference
	mesh *Tri
	// bounding volume hierarchy over boxes
	tree *bvh.Tree
	// bounds of each triangle
	boxes []r3.Box
	// diagonal of the bounds of all triangles, m: the scale of round-off
	diag float64
	// normals (2) of faces, edges and vertices
	corners pseudoNormals
	// the far field (4) of each node of tree, made by the first query that needs it; nil once the surface
	// has moved
	dipole []clusterDipole
	far    *sync.Once
}

// clusterDipole is the far field (4) of the faces below one node of the tree.
type clusterDipole struct {
	// mean of the faces' centroids, weighted by area
	center r3.Vec
	// Σ A_f n_f, m²
	moment r3.Vec
	// squared radius about center that encloses all faces, m²
	radius2 float64
	// first node in preorder that is not below this one
	next int
}

// NewDistance prepares queries on m, which is kept by reference and must not change
// except for Refit. Vertices at exactly the same position count as one, so that
// unconnected triangles (STL) give correct normals at edges and vertices.
func NewDistance(m *Tri) *Distance {
	// The first vertex at each place stands for all of them.
	weld := make(map[r3.Vec]int32, len(m.Verts))
	first := make([]int32, len(m.Verts))
	for i, p := range m.Verts {
		if j, ok := weld[p]; ok {
			first[i] = j
		} else {
			weld[p], first[i] = int32(i), int32(i)
		}
	}
	d := newDistance(m, first)
	d.far = new(sync.Once)
	return d
}

// NewDeformableDistance prepares queries on the surface of a deformable body:
// write new positions to m.Verts and call Refit. Two vertices are one only if
// their index is the same, since vertices that coincide now may separate later.
func NewDeformableDistance(m *Tri) *Distance {
	first := make([]int32, len(m.Verts))
	for i := range first {
		first[i] = int32(i)
	}
	return newDistance(m, first)
}

// newDistance prepares queries; first gives for each vertex the one that stands
// for it.
func newDistance(m *Tri, first []int32) *Distance {
	d := &Distance{mesh: m, boxes: make([]r3.Box, len(m.Tris)), corners: newPseudoNormals(m, first)}
	d.place()
	d.tree = bvh.Build(d.boxes)
	d.measure()
	d.corners.tabulate()
	return d
}

// Refit updates boxes and normals after the vertex positions of the mesh were
// changed; the number of vertices must be the same. The tree keeps its structure,
// so that queries get slower, not wrong, when the surface deforms strongly. Inside
// then sums over all faces.
func (d *Distance) Refit() {
	if len(d.mesh.Verts) != len(d.corners.vertex) {
		panic("meshes: Distance.Refit with another number of vertices")
	}
	d.dipole, d.far = nil, nil
	d.corners.invalidate()
	d.place()
	d.tree.Refit(d.boxes)
	d.measure()
}

// place computes the bounds of each triangle.
func (d *Distance) place() {
	x := d.mesh.Verts
	for i := range d.boxes {
		t := &d.mesh.Tris[i]
		a, b, c, box := &x[t[0]], &x[t[1]], &x[t[2]], &d.boxes[i]
		for k := range a {
			box.Min[k], box.Max[k] = min(a[k], b[k], c[k]), max(a[k], b[k], c[k])
		}
	}
}

// measure computes the diagonal of the bounds.
func (d *Distance) measure() {
	if d.diag = 0; len(d.boxes) > 0 {
		d.diag = d.tree.Bounds().Size().Norm()
	}
}

// Mesh returns the surface. The caller must not change it except before Refit.
func (d *Distance) Mesh() *Tri { return d.mesh }

// Box returns the bounds of a triangle, m, which stay valid until Refit.
func (d *Distance) Box(tri int32) *r3.Box { return &d.boxes[tri] }

// TabulateFaceNormals computes all face normals at once. It pays where
// FaceNormal is called far more often than there are triangles between two
// calls of Refit.
func (d *Distance) TabulateFaceNormals() { d.corners.tabulateFaces() }

// Tree returns the bounding volume hierarchy over the triangles; its items are
// triangle numbers.
func (d *Distance) Tree() *bvh.Tree { return d.tree }

// FaceNormal returns the outward unit normal of a triangle, or zero when it has
// no area.
func (d *Distance) FaceNormal(tri int32) r3.Vec { return d.corners.face(tri) }

// Signed returns the signed distance phi from p to the surface (m, negative
// inside), the closest point with its triangle and barycentric weights, and the
// unit gradient of phi at p. On the surface, where p − closest has no
// direction, the gradient is the normal (2) of the feature. An empty surface
// gives +Inf and triangle −1. The sign is right for closed, outward surfaces.
func (d *Distance) Signed(p r3.Vec) (phi float64, closest r3.Vec, tri int32, bary [3]float64, normal r3.Vec) {
	return d.SignedFrom(p, -1)
}

// SignedFrom returns the signed distance as Signed does, from a guess: a triangle
// that is probably near p, −1 for none. The closest triangle of a point nearby
// makes a good guess and halves the search. The result does not depend on the
// guess, to the last bit.
func (d *Distance) SignedFrom(p r3.Vec, guess int32) (phi float64, closest r3.Vec, tri int32, bary [3]float64, normal r3.Vec) {
	// The distance to the guessed triangle bounds the search.
	bound := math.Inf(1)
	if guess >= 0 {
		t := &d.mesh.Tris[guess]
		q, _ := r3.ClosestOnTriangle(p, d.mesh.Verts[t[0]], d.mesh.Verts[t[1]], d.mesh.Verts[t[2]])
		// Wider than the round-off of the boxes' distances, so that the guess
		// itself and its equals are found.
		bound = p.Sub(q).Norm2()*(1+1e-9) + onSurface*d.diag*onSurface*d.diag
	}
	// Nearest triangle by squared distance; the lowest number wins ties.
	tri, _ = d.tree.Nearest(p, bound, func(i int32) float64 {
		t := &d.mesh.Tris[i]
		q, _ := r3.ClosestOnTriangle(p, d.mesh.Verts[t[0]], d.mesh.Verts[t[1]], d.mesh.Verts[t[2]])
		return p.Sub(q).Norm2()
	})
	if tri < 0 {
		return math.Inf(1), r3.Vec{}, -1, bary, r3.Vec{}
	}
	// Closest point and the normal of the feature that it lies on.
	t := &d.mesh.Tris[tri]
	a := d.mesh.Verts[t[0]]
	closest, bary = r3.ClosestOnTriangle(p, a, d.mesh.Verts[t[1]], d.mesh.Verts[t[2]])
	n, onFace := d.corners.at(tri, bary)
	if onFace { // exact and free of cancellation also on the surface itself
		return p.Sub(a).Dot(n), closest, tri, bary, n
	}
	r := p.Sub(closest)
	phi = r.Norm()
	if phi <= onSurface*d.diag {
		return r.Dot(n), closest, tri, bary, n // r has no direction left
	}
	normal = r.Scale(1 / phi)
	if r.Dot(n) < 0 { // (1)
		phi, normal = -phi, normal.Neg()
	}
	return phi, closest, tri, bary, normal
}

// onSurface is the distance, over the diagonal of the mesh, below which a point
// counts as lying on the surface: the round-off of p − q.
const onSurface = 1e-13

// Inside reports whether the winding number (3) of the surface about p exceeds
// ½. Unlike the sign of Signed, this is robust against small holes, overlaps
// and stray triangles.
func (d *Distance) Inside(p r3.Vec) bool { return d.Winding(p) > 0.5 }

// dipoles computes (4) for each node of the tree from the faces below it.
func (d *Distance) dipoles() {
	order := d.tree.Order()
	nodes := d.tree.Nodes()
	d.dipole = make([]clusterDipole, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n, c := &nodes[i], &d.dipole[i]
		// Nodes are in preorder: those below a node directly follow it.
		if c.next = i + 1; !n.Leaf() {
			c.next = d.dipole[n.Right].next
		}
		c.gather(d.mesh, order[n.Lo:n.Hi], n.Box.Center())
	}
}

// gather sets moment, area-weighted centre and radius of the cluster of the given faces. Faces
// without an area have no such centre: theirs is that of their box.
func (c *clusterDipole) gather(m *Tri, faces []int32, middle r3.Vec) {
	area := 0.0
	for _, f := range faces {
		t := m.Tris[f]
		a, b, e := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		s := r3.TriangleNormal(a, b, e).Scale(0.5)
		w := s.Norm()
		c.moment = c.moment.Add(s)
		c.center = c.center.AddScaled(w/3, a.Add(b).Add(e))
		area += w
	}
	if area > 0 {
		c.center = c.center.Scale(1 / area)
	} else {
		c.center = middle
	}
	for _, f := range faces {
		for _, v := range m.Tris[f] {
			c.radius2 = max(c.radius2, m.Verts[v].Sub(c.center).Norm2())
		}
	}
}

// farRatio is the distance, in radii of a cluster, from which its dipole
// replaces its faces. The error of the winding number is then below 3 %, far
// from the ½ that Inside compares with.
const farRatio = 3

// Winding returns the winding number (3) about p with an error below 0.03.
// After Refit it sums over all faces, which is exact and slow.
func (d *Distance) Winding(p r3.Vec) float64 {
	nodes, order := d.tree.Nodes(), d.tree.Order()
	omega := 0.0
	// Most surfaces are only asked for distances: the far field waits for the first point.
	if d.far != nil {
		d.far.Do(d.dipoles)
	}
	// Exact sum.
	if d.dipole == nil {
		for _, f := range order {
			omega += d.solidAngle(f, p)
		}
		return omega / (4 * math.Pi)
	}
	// Walk the tree in preorder; far clusters are skipped as a whole.
	for k := 0; k < len(nodes); {
		n, c := &nodes[k], &d.dipole[k]
		r := c.center.Sub(p)
		r2 := r.Norm2()
		switch {
		case r2 > farRatio*farRatio*c.radius2:
			omega += c.moment.Dot(r) / (r2 * math.Sqrt(r2)) // (4)
			k = c.next
		case n.Leaf():
			for _, f := range order[n.Lo:n.Hi] {
				omega += d.solidAngle(f, p)
			}
			k++
		default:
			k++
		}
	}
	return omega / (4 * math.Pi)
}

// solidAngle returns the term of (3) for face f, times 4π: the signed solid
// angle of the face seen from p, sr.
func (d *Distance) solidAngle(f int32, p r3.Vec) float64 {
	t := &d.mesh.Tris[f]
	a, b, c := &d.mesh.Verts[t[0]], &d.mesh.Verts[t[1]], &d.mesh.Verts[t[2]]
	// numbers in place of vectors stay in registers
	ax, ay, az := a[0]-p[0], a[1]-p[1], a[2]-p[2]
	bx, by, bz := b[0]-p[0], b[1]-p[1], b[2]-p[2]
	cx, cy, cz := c[0]-p[0], c[1]-p[1], c[2]-p[2]
	la, lb, lc := math.Sqrt(ax*ax+ay*ay+az*az), math.Sqrt(bx*bx+by*by+bz*bz), math.Sqrt(cx*cx+cy*cy+cz*cz)
	ab, bc, ca := ax*bx+ay*by+az*bz, bx*cx+by*cy+bz*cz, cx*ax+cy*ay+cz*az
	triple := ax*(by*cz-bz*cy) + ay*(bz*cx-bx*cz) + az*(bx*cy-by*cx)
	return 2 * math.Atan2(triple, la*lb*lc+ab*lc+bc*la+ca*lb)
}
