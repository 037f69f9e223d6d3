package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// Contact of faces of four vertices. Surfaces are triangles, but where an element has a face of
// four vertices, the force on a part of one half of it goes to all four, in the mean of their
// shape functions over the part: with the three weights of the triangle, a uniform pressure
// would strain the element. In a half with the barycentric coordinates w of the corners a, b,
// c, of which b is across from the fourth vertex d, the bilinear shape functions are
//
//	N_d = w_a w_c,  N_b = w_b + w_a w_c,  N_a = w_a − w_a w_c,  N_c = w_c − w_a w_c,   (1)
//
// so that the mean of w_a w_c over the part is all that is needed besides its centroid. In a
// triangle of a fan about a vertex of the part it is the mean over the middles of the sides
// (exact to second degree). Weights are not negative and add up to 1. The contact is at Σ N x,
// so that force and moment are exact: that is the centroid where the face is a parallelogram.
// Source: the consistent load of a bilinear face, Hughes, The Finite Element Method, 3.2.

// alone is the product of the weights of no corners: of a triangle that is a face.
const alone = -1

// across returns the corner of a triangle across from the fourth vertex of its face, or alone.
func (s *deformableSurface) across(tri int32) int {
	if s.spec.Quads == nil || s.spec.Quads[tri].Vert < 0 {
		return alone
	}
	return int(s.spec.Quads[tri].Corner)
}

// product returns the mean of the product of the two weights other than that of corner b.
func (p *polygon) product(b int) float64 {
	i, j := (b+1)%3, (b+2)%3
	sum, area := 0.0, 0.0
	for k := 1; k+1 < p.n; k++ {
		s := p.fan(k)
		area += s
		sum += s * meanProduct(&p.v[0].w, &p.v[k].w, &p.v[k+1].w, i, j)
	}
	return sum / area
}

// meanProduct returns the mean of w_i w_j over a triangle with the given corners.
func meanProduct(u, v, w *[3]float64, i, j int) float64 {
	return ((u[i]+v[i])*(u[j]+v[j]) + (v[i]+w[i])*(v[j]+w[j]) + (w[i]+u[i])*(w[j]+u[j])) / 12
}

// face returns the material point of a part of a triangle: its weights are those of the whole
// face, from the part's centroid w and mean product of (1).
func (s *deformableSurface) face(tri int32, w [3]float64, product float64) MaterialPoint {
	f := s.feature(tri, w)
	b := s.across(tri)
	if b == alone {
		return f
	}
	f.N, f.Vert[3] = 4, s.spec.Quads[tri].Vert
	f.W[b] += product
	f.W[(b+1)%3] -= product
	f.W[(b+2)%3] -= product
	f.W[3] = product
	// the point that these weights move
	m := s.dist.Mesh()
	f.Pos_W = r3.Vec{}
	for k, v := range f.Vert {
		f.Pos_W = f.Pos_W.AddScaled(f.W[k], m.Verts[v])
	}
	return f
}

// addProduct adds A w_a w_c of (1) of the face of a contact surface on a triangle of a
// deformable.
func (p *facePressure) addProduct(f *hydroelastic.Face, verts_W []r3.Vec, b int, x, y, z r3.Vec) {
	loop := verts_W[f.Lo:f.Hi]
	i, j := (b+1)%3, (b+2)%3
	sum, area := 0.0, 0.0
	u := r3.Barycentric(loop[0], x, y, z)
	v := r3.Barycentric(loop[1], x, y, z)
	for k := 2; k < len(loop); k++ {
		w := r3.Barycentric(loop[k], x, y, z)
		s := (v[1]-u[1])*(w[2]-u[2]) - (w[1]-u[1])*(v[2]-u[2])
		area += s
		sum += s * meanProduct((*[3]float64)(&u), (*[3]float64)(&v), (*[3]float64)(&w), i, j)
		v = w
	}
	if area != 0 {
		p.product += f.Area * sum / area
	}
}
