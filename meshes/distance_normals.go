package meshes

// Pseudo-normals (angle-weighted pseudonormals) of a triangle surface. At an edge
// or vertex the surface has no normal; with the sum of the face normals, weighted
// by angle at vertices, the sign of (p − q)·n is that of the distance for every p
// whose closest point q lies there (Bærentzen & Aanæs, Signed Distance Computation Using the Angle
// Weighted Pseudonormal, 2005). Weighting by area or not at all fails at acute
// vertices.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// pseudoNormals computes the normals (2) of the faces, edges and vertices of a
// surface. Those of a surface at rest are tabulated. A deforming surface needs
// few of them between two Refits: each is computed at its first use, with
// the same bits.
type pseudoNormals struct {
	// the surface
	mesh *Tri
	// for each vertex the first vertex at the same place
	vertex []int32
	// for each triangle the numbers of its edges; edge k runs from corner k to
	// k+1
	edge [][3]int32
	// corners about each vertex, under the number of the first at its place
	atVert incidence
	// corners from which each edge starts
	atEdge incidence

	// tables of normals, or nil
	faces, edges, verts []r3.Vec
	// memory for the table of faces while that is nil
	spare []r3.Vec
}

// incidence lists for each vertex the corners at it, or for each edge the
// corners from which it starts. Corner k of triangle t has the number 3t+k.
// Lists ascend.
type incidence struct {
	// corner[from[i]:from[i+1]] are the corners of item i
	from   []int32
	corner []int32
}

// of returns the corners of item i.
func (n *incidence) of(i int32) []int32 { return n.corner[n.from[i]:n.from[i+1]] }

// newPseudoNormals numbers the edges in the order in which triangles use them
// and collects the incidences.
func newPseudoNormals(m *Tri, first []int32) pseudoNormals {
	n := pseudoNormals{mesh: m, vertex: first, edge: make([][3]int32, len(m.Tris))}
	number := make(map[[2]int32]int32, 3*len(m.Tris)/2)
	for i, t := range m.Tris {
		for k := range t {
			a, b := first[t[k]], first[t[(k+1)%3]]
			key := [2]int32{min(a, b), max(a, b)}
			e, ok := number[key]
			if !ok {
				e = int32(len(number))
				number[key] = e
			}
			n.edge[i][k] = e
		}
	}
	n.atVert = incidenceOf(len(m.Verts), len(m.Tris), func(t, k int) int32 { return first[m.Tris[t][k]] })
	n.atEdge = incidenceOf(len(number), len(m.Tris), func(t, k int) int32 { return n.edge[t][k] })
	return n
}

// incidenceOf sorts the corners of triangles by the item that each is at, one
// of num items, by counting.
func incidenceOf(num, tris int, at func(t, k int) int32) incidence {
	n := incidence{make([]int32, num+1), make([]int32, 3*tris)}
	// Count, sum up, distribute.
	for c := range n.corner {
		n.from[at(c/3, c%3)+1]++
	}
	for i := range num {
		n.from[i+1] += n.from[i]
	}
	next := append([]int32(nil), n.from...)
	for c := range n.corner {
		i := at(c/3, c%3)
		n.corner[next[i]] = int32(c)
		next[i]++
	}
	return n
}

// tabulate fills all three tables.
func (n *pseudoNormals) tabulate() {
	edges, verts := make([]r3.Vec, len(n.atEdge.from)-1), make([]r3.Vec, len(n.vertex))
	n.tabulateFaces()
	for i := range edges {
		edges[i] = n.ofEdge(int32(i))
	}
	for i := range verts {
		verts[i] = n.ofVertex(int32(i))
	}
	n.edges, n.verts = edges, verts
}

// tabulateFaces fills the table of face normals.
func (n *pseudoNormals) tabulateFaces() {
	if n.faces != nil {
		return
	}
	if n.spare == nil {
		n.spare = make([]r3.Vec, len(n.mesh.Tris))
	}
	for i := range n.spare {
		n.spare[i] = n.face(int32(i))
	}
	n.faces = n.spare
}

// invalidate drops the tables after the surface has moved.
func (n *pseudoNormals) invalidate() { n.faces, n.edges, n.verts = nil, nil, nil }

// at returns the normal of the feature of triangle tri on which a point with
// barycentric weights w lies: the vertex, edge or face of the nonzero weights;
// onFace reports whether it is the face.
func (n *pseudoNormals) at(tri int32, w [3]float64) (normal r3.Vec, onFace bool) {
	// One zero weight: the edge opposite that corner. Two: the vertex.
	zeros, last := 0, 0
	for k := range w {
		if w[k] == 0 {
			zeros, last = zeros+1, k
		}
	}
	switch zeros {
	case 0:
		return n.face(tri), true
	case 1:
		return n.ofEdge(n.edge[tri][(last+1)%3]), false
	}
	k := 0
	for w[k] == 0 {
		k++
	}
	return n.ofVertex(n.vertex[n.mesh.Tris[tri][k]]), false
}

// face returns the unit normal of a face.
func (n *pseudoNormals) face(tri int32) r3.Vec {
	if n.faces != nil {
		return n.faces[tri]
	}
	t, x := &n.mesh.Tris[tri], n.mesh.Verts
	return r3.TriangleNormal(x[t[0]], x[t[1]], x[t[2]]).Unit()
}

// ofEdge returns the normalized sum of the normals of the faces at an edge.
func (n *pseudoNormals) ofEdge(e int32) (sum r3.Vec) {
	if n.edges != nil {
		return n.edges[e]
	}
	for _, c := range n.atEdge.of(e) {
		sum = sum.Add(n.face(c / 3))
	}
	return sum.Unit()
}

// ofVertex returns the normalized sum of the normals of the faces at a vertex,
// weighted by their angles there.
func (n *pseudoNormals) ofVertex(v int32) (sum r3.Vec) {
	if n.verts != nil {
		return n.verts[v]
	}
	for _, c := range n.atVert.of(v) {
		sum = sum.AddScaled(cornerAngle(n.mesh, n.mesh.Tris[c/3], int(c%3)), n.face(c/3))
	}
	return sum.Unit()
}

// cornerAngle returns the angle of triangle t at its corner k, rad.
func cornerAngle(m *Tri, t [3]int32, k int) float64 {
	p := m.Verts[t[k]]
	u, v := m.Verts[t[(k+1)%3]].Sub(p), m.Verts[t[(k+2)%3]].Sub(p)
	return math.Atan2(u.Cross(v).Norm(), u.Dot(v))
}
