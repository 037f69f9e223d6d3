package record

import "github.com/curlfree/curlfree/r3"

// Fields at the vertices of deformables, which pictures and exports show. They are computed from a
// frame when they are needed and are not stored.

// VertexStress returns the von Mises stress (Pa) at each vertex of deformable i: with
// the stress σ_t and the undeformed volume V_t of the tetrahedra t around the vertex,
//
//	σ = Σ_t V_t σ_t / Σ_t V_t.
func VertexStress(rec *Recording, f *Frame, i int) []float64 {
	s := &rec.Static.Deformables[i]
	sum, weight := make([]float64, len(s.Rest)), make([]float64, len(s.Rest))
	// Each tetrahedron gives its stress to its four vertices.
	for t, v := range s.Tets {
		a := s.Rest[v[0]]
		// six times the undeformed volume; the factor cancels
		vol := s.Rest[v[1]].Sub(a).Cross(s.Rest[v[2]].Sub(a)).Dot(s.Rest[v[3]].Sub(a))
		for _, k := range v {
			sum[k] += vol * float64(f.VonMises[i][t])
			weight[k] += vol
		}
	}
	// A vertex that no tetrahedron has keeps the stress 0.
	for k := range sum {
		if weight[k] > 0 {
			sum[k] /= weight[k]
		}
	}
	return sum
}

// ContactPressure returns the contact pressure (Pa) at each vertex of deformable i. The
// normal force of a contact acts in equal parts on the vertices of its triangle, and a
// vertex stands for a third of the area, in this frame, of each triangle around it:
//
//	p = Σ_contacts f_n/3 / Σ_triangles A/3,   at least 0,
//
// so that the sum of p A/3 over all corners of triangles is the total normal force.
func ContactPressure(rec *Recording, f *Frame, i int) []float64 {
	s, x := &rec.Static.Deformables[i], f.Verts[i]
	// areas that vertices stand for
	p, area := make([]float64, len(x)), make([]float64, len(x))
	for _, t := range s.Tris {
		// A third of the triangle's area, which is half the length of its normal.
		a := r3.TriangleNormal(x[t[0]], x[t[1]], x[t[2]]).Norm() / 6
		for _, k := range t {
			area[k] += a
		}
	}
	// forces of contacts with this body on either side
	body := len(rec.Static.Bodies) + i
	for c := range f.Contacts {
		c := &f.Contacts[c]
		normal := c.Force_W.Dot(c.Normal_W)
		for side, b := range [2]int{c.A, c.B} {
			if b == body {
				for _, k := range s.Tris[c.Elem[side]] {
					p[k] += normal / 3
				}
			}
		}
	}
	// Friction with a tilted triangle may give a negative sum, which is no pressure.
	for k := range p {
		if area[k] > 0 {
			p[k] = max(0, p[k]/area[k])
		}
	}
	return p
}
