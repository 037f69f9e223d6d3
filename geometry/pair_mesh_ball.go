package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// ballCandidate is the point of one triangle that is closest to the centre of a ball.
type ballCandidate struct {
	// squared distance, m²
	d2 float64
	// the closest point
	q r3.Vec
	// unit, from q to the centre
	n   r3.Vec
	tri int32
}

// ball adds every place where a ball, or the rounded end of a capsule, touches a mesh:
// one for each local minimum of the distance, so that a ball has two contacts in a groove
// and three in a corner.
func (m *meshScratch) ball(mesh *Mesh, o *side, p r3.Vec, r, margin, sign float64) {
	phi, _, _, _, g := mesh.distance().Signed(p)
	// The centre is inside: the shortest way out decides.
	if phi <= 0 {
		m.add(o, -1, p, g, phi, r, margin, sign)
		return
	}
	// The closest point of each triangle within reach that faces the centre.
	reach := r + margin
	m.tris = mesh.distance().Tree().Query(r3.Box{Min: p, Max: p}.Inflate(reach), m.tris[:0])
	m.ballCandidates = m.ballCandidates[:0]
	for _, i := range m.tris {
		a, b, c := mesh.corners(i)
		q, w := r3.ClosestOnTriangle(p, a, b, c)
		d, n := p.Sub(q), mesh.distance().FaceNormal(i)
		d2 := d.Norm2()
		if d2 >= reach*reach || d2 == 0 || d.Dot(n) < 0 {
			continue
		}
		// On an edge or a corner the normal is the direction to the centre.
		if w[0] == 0 || w[1] == 0 || w[2] == 0 {
			n = d.Scale(1 / math.Sqrt(d2))
		}
		m.ballCandidates = append(m.ballCandidates, ballCandidate{d2, q, n, i})
	}
	// Nearest first; each one that no nearer triangle explains is a minimum.
	slices.SortFunc(m.ballCandidates, func(x, y ballCandidate) int {
		switch {
		case x.d2 < y.d2:
			return -1
		case x.d2 > y.d2:
			return 1
		}
		return int(x.tri - y.tri)
	})
	for i := range m.ballCandidates {
		if t := &m.ballCandidates[i]; m.isMinimum(mesh, i, r) {
			m.add(o, -1, p, t.n, p.Sub(t.q).Dot(t.n), r, margin, sign)
		}
	}
}

// isMinimum reports whether no closer triangle has the closest point of candidate i.
// Otherwise the point is no minimum, or it repeats one.
func (m *meshScratch) isMinimum(mesh *Mesh, i int, r float64) bool {
	const same = 1e-9 // of the radius
	q := m.ballCandidates[i].q
	for _, t := range m.ballCandidates[:i] {
		a, b, c := mesh.corners(t.tri)
		if x, _ := r3.ClosestOnTriangle(q, a, b, c); x.Sub(q).Norm2() < same*same*r*r {
			return false
		}
	}
	return true
}

// corners returns the vertices of a triangle.
func (s *Mesh) corners(tri int32) (a, b, c r3.Vec) {
	m := s.surface
	t := &m.Tris[tri]
	return m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
}
