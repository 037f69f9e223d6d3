package meshes

import (
	"math"

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

// Distance answers distance queries on a triangle surface. Queries allocate
// nothing and any number of goroutines may ask at once; Refit must have Distance
// to itself.
type Distance struct {
	mesh    *Tri
	tree    *bvh.Tree
	boxes   []r3.Box // of the triangles
	diag    float64  // of the bounds
	corners pseudoNormals
	dipole  []clusterDipole // per node of tree; nil once the surface has moved
}

// clusterDipole is the far field of the faces of one tree node.
type clusterDipole struct {
	center  r3.Vec  // area-weighted
	moment  r3.Vec  // Σ A_f n_f
	radius2 float64 // all faces lie within this squared radius of center
	next    int     // first node in preorder that is not below this one
}

// NewDistance prepares m, which is kept and must not change but for Refit.
// Vertices at exactly the same place count as one, so that a triangle soup will
// do.
func NewDistance(m *Tri) *Distance {
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
	d.dipoles()
	return d
}

// NewDeformableDistance prepares the surface of a body that deforms: set m.Verts and
// call Refit. Vertices are one only if their index is.
func NewDeformableDistance(m *Tri) *Distance {
	first := make([]int32, len(m.Verts))
	for i := range first {
		first[i] = int32(i)
	}
	return newDistance(m, first)
}

func newDistance(m *Tri, first []int32) *Distance {
	d := &Distance{mesh: m, boxes: make([]r3.Box, len(m.Tris)), corners: newPseudoNormals(m, first)}
	d.place()
	d.tree = bvh.Build(d.boxes)
	d.measure()
	d.corners.tabulate()
	return d
}

// Refit takes up new vertex positions of the mesh.
func (d *Distance) Refit() {
	if len(d.mesh.Verts) != len(d.corners.vertex) {
		panic("meshes: Distance.Refit with another number of vertices")
	}
	d.dipole = nil
	d.corners.invalidate()
	d.place()
	d.tree.Refit(d.boxes)
	d.measure()
}

// place computes the triangles' boxes.
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

// measure computes the size of the whole.
func (d *Distance) measure() {
	if d.diag = 0; len(d.boxes) > 0 {
		d.diag = d.tree.Bounds().Size().Norm()
	}
}

// Mesh returns the surface.
func (d *Distance) Mesh() *Tri { return d.mesh }

// Box returns the bounds of a triangle.
func (d *Distance) Box(tri int32) *r3.Box { return &d.boxes[tri] }

// TabulateFaceNormals computes all face normals, which pays where FaceNormal is asked
// for far more often than there are triangles between two Refits.
func (d *Distance) TabulateFaceNormals() { d.corners.tabulateFaces() }

// Tree returns the hierarchy over the triangles' boxes.
func (d *Distance) Tree() *bvh.Tree { return d.tree }

// FaceNormal returns the outward unit normal of a triangle, zero when it has no
// area.
func (d *Distance) FaceNormal(tri int32) r3.Vec { return d.corners.face(tri) }

// Signed returns the distance phi (m, negative inside) from p to the surface,
// the closest point with its triangle and barycentric weights, and the unit
// gradient of phi. An empty surface answers with +Inf and triangle −1. The sign
// supposes a closed, outward surface.
func (d *Distance) Signed(p r3.Vec) (phi float64, closest r3.Vec, tri int32, bary [3]float64, normal r3.Vec) {
	return d.SignedFrom(p, -1)
}

// SignedFrom is Signed with a triangle guessed to be near p, −1 for none: the
// answer for a point close by makes a good guess and halves the search. The
// result does not depend on it.
func (d *Distance) SignedFrom(p r3.Vec, guess int32) (phi float64, closest r3.Vec, tri int32, bary [3]float64, normal r3.Vec) {
	bound := math.Inf(1)
	if guess >= 0 {
		t := &d.mesh.Tris[guess]
		q, _ := r3.ClosestOnTriangle(p, d.mesh.Verts[t[0]], d.mesh.Verts[t[1]], d.mesh.Verts[t[2]])
		// Wider than the round-off of the boxes' distances, so that the guess
		// itself and its equals are found.
		bound = p.Sub(q).Norm2()*(1+1e-9) + onSurface*d.diag*onSurface*d.diag
	}
	tri, _ = d.tree.Nearest(p, bound, func(i int32) float64 {
		t := &d.mesh.Tris[i]
		q, _ := r3.ClosestOnTriangle(p, d.mesh.Verts[t[0]], d.mesh.Verts[t[1]], d.mesh.Verts[t[2]])
		return p.Sub(q).Norm2()
	})
	if tri < 0 {
		return math.Inf(1), r3.Vec{}, -1, bary, r3.Vec{}
	}
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

// onSurface is the distance, relative to the size of the mesh, below which a
// point counts as on the surface: round-off of p − q.
const onSurface = 1e-13

// Inside reports whether the winding number of the surface about p exceeds ½:
// a verdict that small holes, overlaps and stray faces do not upset.
func (d *Distance) Inside(p r3.Vec) bool { return d.winding(p) > 0.5 }

// dipoles computes (4): each node sums over its own faces.
func (d *Distance) dipoles() {
	order := d.tree.Order()
	nodes := d.tree.Nodes()
	d.dipole = make([]clusterDipole, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n, c := &nodes[i], &d.dipole[i]
		if c.next = i + 1; !n.Leaf() {
			c.next = d.dipole[n.Right].next
		}
		area := 0.0
		for _, f := range order[n.Lo:n.Hi] {
			t := d.mesh.Tris[f]
			a, b, e := d.mesh.Verts[t[0]], d.mesh.Verts[t[1]], d.mesh.Verts[t[2]]
			s := r3.TriangleNormal(a, b, e).Scale(0.5)
			w := s.Norm()
			c.moment = c.moment.Add(s)
			c.center = c.center.AddScaled(w/3, a.Add(b).Add(e))
			area += w
		}
		if area > 0 {
			c.center = c.center.Scale(1 / area)
		} else {
			c.center = n.Box.Center()
		}
		for _, f := range order[n.Lo:n.Hi] {
			for _, v := range d.mesh.Tris[f] {
				c.radius2 = max(c.radius2, d.mesh.Verts[v].Sub(c.center).Norm2())
			}
		}
	}
}

// farRatio is the distance in cluster radii from which a dipole stands for its
// faces. The error of w is then below 2 %, far from the ½ that Inside tells apart.
const farRatio = 3

// winding returns the winding number of the surface about p, to 0.02; after a
// Refit it sums over all faces, which is exact and slow.
func (d *Distance) winding(p r3.Vec) float64 {
	nodes, order := d.tree.Nodes(), d.tree.Order()
	omega := 0.0
	if d.dipole == nil {
		for _, f := range order {
			omega += d.solidAngle(f, p)
		}
		return omega / (4 * math.Pi)
	}
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

// solidAngle is the term of (3), times 4π.
func (d *Distance) solidAngle(f int32, p r3.Vec) float64 {
	t := &d.mesh.Tris[f]
	a, b, c := d.mesh.Verts[t[0]].Sub(p), d.mesh.Verts[t[1]].Sub(p), d.mesh.Verts[t[2]].Sub(p)
	la, lb, lc := a.Norm(), b.Norm(), c.Norm()
	return 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
}
