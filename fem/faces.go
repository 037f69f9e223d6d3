package fem

// Consistent nodal loads: the shares of the vertices in loads that are given per area or per
// volume, by the shape functions of the elements. With the shape functions N_a of a face or an
// element,
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
// of flat faces that are parallelograms. Where the sides of a triangle have midpoints,
// N_a n dA is of degree 4 in the area coordinates, and a rule of six points is exact. V_a of hexahedra and wedges are
// row sums of the mass matrix over the density.
// Source: Zienkiewicz and Taylor, The Finite Element Method, volume 1, 3.3; Bonet and Wood,
// Nonlinear Continuum Mechanics for Finite Element Analysis, 9.4 (pressure); Dunavant, "High degree
// efficient symmetrical Gaussian quadrature rules for the triangle", 1985.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Face is a face of an element on the boundary of the body.
type Face struct {
	// N is the number of vertices: 3, 4, or 6 where sides have midpoints.
	N int
	// Verts are the vertices, counter-clockwise seen from outside: the four around a face, or
	// corners and then the midpoints of the sides 01, 12 and 20.
	Verts [6]int32
}

// Faces returns the faces of the boundary, as the elements have them.
func (m *Model) Faces() []Face {
	faces := make([]Face, 0, len(m.boundary))
	parents := m.set.parentFaces()
	for i, t := range m.boundary {
		if parents == nil || parents[i].N == 3 {
			faces = append(faces, Face{3, [6]int32{t[0], t[1], t[2]}})
			continue
		}
		// each parent once: by the half without its third or fourth vertex, by the middle quarter
		p := &parents[i]
		if sum := p.At[0] + p.At[1] + p.At[2]; p.N == 4 && sum > 4 || p.N == 6 && sum < 12 {
			continue
		}
		faces = append(faces, Face{int(p.N), p.Verts})
	}
	return faces
}

// gauss are the points of Gauss's rule of two points, of weight 1 each.
var gauss = [2]float64{-1 / math.Sqrt(3), 1 / math.Sqrt(3)}

// VectorAreas returns S_a of (1) at the positions x of all vertices, m².
func (f *Face) VectorAreas(x []r3.Vec) (S [6]r3.Vec) {
	f.integrate(x, func(N [6]float64, n r3.Vec) {
		for a := range f.N {
			S[a] = S[a].AddScaled(N[a], n)
		}
	})
	return S
}

// Areas returns s_a of (1) at the positions x of all vertices, m².
func (f *Face) Areas(x []r3.Vec) (s [6]float64) {
	f.integrate(x, func(N [6]float64, n r3.Vec) {
		area := n.Norm()
		for a := range f.N {
			s[a] += N[a] * area
		}
	})
	return s
}

// integrate calls add with the shape functions and the vector area at each point of the rule.
func (f *Face) integrate(x []r3.Vec, add func(N [6]float64, n r3.Vec)) {
	p, q, r, s := x[f.Verts[0]], x[f.Verts[1]], x[f.Verts[2]], x[f.Verts[3]]
	switch f.N {
	case 6:
		f.integrateQuadratic(x, add)
		return
	case 3:
		add([6]float64{1. / 3, 1. / 3, 1. / 3}, q.Sub(p).Cross(r.Sub(p)).Scale(0.5))
		return
	}
	for _, u := range gauss {
		for _, v := range gauss {
			N := [6]float64{0.25 * (1 - u) * (1 - v), 0.25 * (1 + u) * (1 - v), 0.25 * (1 + u) * (1 + v), 0.25 * (1 - u) * (1 + v)}
			du := q.Sub(p).Scale(0.25 * (1 - v)).Add(r.Sub(s).Scale(0.25 * (1 + v)))
			dv := s.Sub(p).Scale(0.25 * (1 - u)).Add(r.Sub(q).Scale(0.25 * (1 + u)))
			add(N, du.Cross(dv)) // (2)
		}
	}
}

// triangleRule are the area coordinates and weights of Dunavant's rule of degree 4: three points
// each with coordinates (1 − 2a, a, a), of weight w for a triangle of area 1.
var triangleRule = [2]struct{ a, w float64 }{{0.44594849091596488632, 0.22338158967801146570}, {0.091576213509770743460, 0.10995174365532186764}}

// integrateQuadratic is integrate for triangles whose sides have midpoints.
func (f *Face) integrateQuadratic(x []r3.Vec, add func(N [6]float64, n r3.Vec)) {
	for _, rule := range triangleRule {
		for k := range 3 {
			L := [3]float64{rule.a, rule.a, rule.a}
			L[k] = 1 - 2*rule.a
			N, d1, d2 := quadraticShapes(&L)
			var u, v r3.Vec
			for a, vert := range f.Verts {
				u, v = u.AddScaled(d1[a], x[vert]), v.AddScaled(d2[a], x[vert])
			}
			add(N, u.Cross(v).Scale(0.5*rule.w))
		}
	}
}

// quadraticShapes returns N at the area coordinates L and its derivatives by L1 and L2, with L0 = 1 − L1 − L2.
func quadraticShapes(L *[3]float64) (N, d1, d2 [6]float64) {
	N = [6]float64{L[0] * (2*L[0] - 1), L[1] * (2*L[1] - 1), L[2] * (2*L[2] - 1), 4 * L[0] * L[1], 4 * L[1] * L[2], 4 * L[2] * L[0]}
	d1 = [6]float64{1 - 4*L[0], 4*L[1] - 1, 0, 4 * (L[0] - L[1]), 4 * L[2], -4 * L[2]}
	d2 = [6]float64{1 - 4*L[0], 0, 4*L[2] - 1, -4 * L[1], 4 * L[1], 4 * (L[0] - L[2])}
	return N, d1, d2
}

// NumElements returns the number of elements: of tets, or of hexahedra and wedges.
func (m *Model) NumElements() int { return m.set.len() }

// Volumes returns the vertices of element i and V_a of (1) at rest, m³; valid until the next
// call with the same slice.
func (m *Model) Volumes(i int, V []float64) (verts []int32, shares []float64) {
	V = V[:0]
	verts = m.set.nodesOf(i)
	for a := range verts {
		row := 0.0
		for b := range verts {
			row += m.set.massOf(i, a, b)
		}
		V = append(V, row/m.spec.Density)
	}
	return verts, V
}
