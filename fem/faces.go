package fem

// Faces and volumes as the elements see them: what loads that are given per area or per volume
// do to the vertices. With the shape functions N_a of a face or an element,
//
//	S_a = ∫ N_a n dA,   s_a = ∫ N_a dA,   V_a = ∫ N_a dV                    (1)
//
// are the shares of a node a in the vector area, the area and the volume: a pressure p gives
// the vertices −p S_a, a traction t per area s_a t, a force b per volume V_a b. A triangle is
// flat, so that each corner has a third; a tet gives each corner a quarter. A face of four
// vertices is bilinear, N_a = ¼ (1 ± ξ)(1 ± η), and
//
//	n dA = x,ξ × x,η dξ dη                                                   (2)
//
// is of degree 1 in ξ and in η, so that S_a are exact by Gauss's rule of 2 × 2 points; so are s_a
// of flat faces that are parallelograms. V_a of hexahedra and wedges are row sums of the mass
// matrix over the density.
// Source: Zienkiewicz and Taylor, The Finite Element Method, volume 1, 3.3; Bonet and Wood,
// Nonlinear Continuum Mechanics for Finite Element Analysis, 9.4 (pressure).

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Face is a face of the boundary: that of an element.
type Face struct {
	// N is the number of vertices, 3 or 4.
	N int
	// Verts are the vertices, counter-clockwise seen from outside.
	Verts [4]int32
}

// Faces returns the faces of the boundary: triangles of tets and wedges, and the faces of
// hexahedra and wedges with four vertices.
func (m *Model) Faces() []Face {
	faces := make([]Face, 0, len(m.boundary))
	if m.cells == nil {
		for _, t := range m.boundary {
			faces = append(faces, Face{3, [4]int32{t[0], t[1], t[2]}})
		}
		return faces
	}
	halves := m.spec.Mesh.QuadHalves(m.boundary, m.owner)
	for i, t := range m.boundary {
		q := halves[i]
		switch k := q.Corner; {
		case q.Vert < 0:
			faces = append(faces, Face{3, [4]int32{t[0], t[1], t[2]}})
		case t[k] < q.Vert: // the other half names the same two corners in turn
			faces = append(faces, Face{4, [4]int32{t[k], t[(k+1)%3], q.Vert, t[(k+2)%3]}})
		}
	}
	return faces
}

// gauss are the points of Gauss's rule of two points, of weight 1 each.
var gauss = [2]float64{-1 / math.Sqrt(3), 1 / math.Sqrt(3)}

// VectorAreas returns S_a of (1) at the positions x of all vertices, m².
func (f *Face) VectorAreas(x []r3.Vec) (S [4]r3.Vec) {
	f.integrate(x, func(N *[4]float64, n r3.Vec) {
		for a := range f.N {
			S[a] = S[a].AddScaled(N[a], n)
		}
	})
	return S
}

// Areas returns s_a of (1) at the positions x of all vertices, m².
func (f *Face) Areas(x []r3.Vec) (s [4]float64) {
	f.integrate(x, func(N *[4]float64, n r3.Vec) {
		area := n.Norm()
		for a := range f.N {
			s[a] += N[a] * area
		}
	})
	return s
}

// integrate calls add with the shape functions and the vector area at each point of the rule.
func (f *Face) integrate(x []r3.Vec, add func(N *[4]float64, n r3.Vec)) {
	p, q, r, s := x[f.Verts[0]], x[f.Verts[1]], x[f.Verts[2]], x[f.Verts[3]]
	if f.N == 3 {
		add(&[4]float64{1. / 3, 1. / 3, 1. / 3}, q.Sub(p).Cross(r.Sub(p)).Scale(0.5))
		return
	}
	for _, u := range gauss {
		for _, v := range gauss {
			N := [4]float64{0.25 * (1 - u) * (1 - v), 0.25 * (1 + u) * (1 - v), 0.25 * (1 + u) * (1 + v), 0.25 * (1 - u) * (1 + v)}
			du := q.Sub(p).Scale(0.25 * (1 - v)).Add(r.Sub(s).Scale(0.25 * (1 + v)))
			dv := s.Sub(p).Scale(0.25 * (1 - u)).Add(r.Sub(q).Scale(0.25 * (1 + u)))
			add(&N, du.Cross(dv)) // (2)
		}
	}
}

// NumElements returns the number of elements: of tets, or of hexahedra and wedges.
func (m *Model) NumElements() int { return m.numElements() }

// Volumes returns the vertices of element i and V_a of (1) at rest, m³; valid until the next
// call with the same slice.
func (m *Model) Volumes(i int, V []float64) (verts []int32, shares []float64) {
	V = V[:0]
	if m.cells == nil {
		e := &m.elements[i]
		for range e.verts {
			V = append(V, e.volume/4)
		}
		return e.verts[:], V
	}
	c := &m.cells[i]
	for a := range c.n {
		row := 0.0
		for b := range c.n {
			row += c.mass[symmetric(a, b)]
		}
		V = append(V, row/m.spec.Density)
	}
	return c.verts[:c.n], V
}
