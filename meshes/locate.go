package meshes

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// TetPoint is a point of a volume mesh as a weighted mean of its vertices (barycentric
// coordinates). The weights identify the material point, which moves with the mesh.
type TetPoint struct {
	// N is the number of vertices with a weight: 4 in a tetrahedron, 3, 2 or 1 on a face,
	// an edge or a vertex.
	N int
	// Verts are the vertices; those beyond N are not used.
	Verts [4]int32
	// Weights are their weights, positive and of sum 1.
	Weights [4]float64
	// Pos is the point itself, m.
	Pos r3.Vec
}

// leastWeight is the barycentric coordinate below which a vertex has no part in a point:
// round-off of a point on a face, an edge or a vertex.
const leastWeight = 1e-9

// Locate returns the point of the mesh nearest to p: p itself inside of the mesh, else the
// nearest point of its boundary. It examines every tetrahedron; for a mesh without any, N
// is 0.
//
// In a tetrahedron (a, b, c, d) of volume V, p = Σ w_i x_i with the weights
//
//	w_i = V_i / V,
//
// where V_i is the volume with p in place of vertex i. p is inside if none is negative.
func (m *Tet) Locate(p r3.Vec) TetPoint {
	var best TetPoint
	// the tetrahedron in which the smallest weight is largest: p lies deepest in it
	deepest := -leastWeight
	for t := range m.Tets {
		if w, least := m.weights(t, p); least >= deepest {
			deepest = least
			best = tetPoint(m.Verts, m.Tets[t][:], w[:])
		}
	}
	if best.N > 0 {
		return best
	}
	// outside: the nearest point of the boundary
	tris, _ := m.Boundary()
	nearest := math.Inf(1)
	for i := range tris {
		f := &tris[i]
		q, w := r3.ClosestOnTriangle(p, m.Verts[f[0]], m.Verts[f[1]], m.Verts[f[2]])
		if d := q.Sub(p).Norm2(); d < nearest {
			nearest = d
			best = tetPoint(m.Verts, f[:], w[:])
		}
	}
	return best
}

// weights returns the barycentric coordinates of p in a tetrahedron, and the smallest.
func (m *Tet) weights(t int, p r3.Vec) (w [4]float64, least float64) {
	v := &m.Tets[t]
	a, b, c, d := m.Verts[v[0]], m.Verts[v[1]], m.Verts[v[2]], m.Verts[v[3]]
	ab, ac, ad, ap := b.Sub(a), c.Sub(a), d.Sub(a), p.Sub(a)
	// six times the volumes; a flat tetrahedron contains nothing
	whole := ab.Cross(ac).Dot(ad)
	if !(whole > 0) {
		return w, math.Inf(-1)
	}
	w[1] = ap.Cross(ac).Dot(ad) / whole
	w[2] = ab.Cross(ap).Dot(ad) / whole
	w[3] = ab.Cross(ac).Dot(ap) / whole
	w[0] = 1 - w[1] - w[2] - w[3]
	return w, min(w[0], w[1], w[2], w[3])
}

// tetPoint returns the point with the given weights, without vertices that have no part.
func tetPoint(verts []r3.Vec, v []int32, w []float64) TetPoint {
	var p TetPoint
	sum := 0.0
	for i, x := range w {
		if x > leastWeight {
			p.Verts[p.N], p.Weights[p.N] = v[i], x
			p.N++
			sum += x
		}
	}
	for i := range p.N {
		p.Weights[i] /= sum
		p.Pos = p.Pos.AddScaled(p.Weights[i], verts[p.Verts[i]])
	}
	return p
}
