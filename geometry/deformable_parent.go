package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Contact of faces of four and of six vertices. Surfaces are triangles, but where a triangle is
// a part of a larger face of an element, the force on a part of it goes to all vertices of that
// parent, in the mean of their shape functions over the part: with the three weights of the
// triangle, a uniform pressure would strain the element.
//
// One half of a face of four vertices has the corners a, b, c, of which b is across from the
// fourth vertex d. With the barycentric coordinates w and the areas A of its triangles, A that of
// the whole,
//
//	N_d = 2 A_abc/A w_a w_c,        N_b = w_b + 2 A_cda/A w_a w_c,
//	N_a = w_a − 2 A_bcd/A w_a w_c,  N_c = w_c − 2 A_dab/A w_a w_c.                     (1)
//
// These are the bilinear shape functions where the face is a parallelogram, all four areas A/2.
// In any flat face Σ N x is the place itself, and the loads of both halves add up to the
// consistent ones of the bilinear face, ∫ N_a dA = (A + A_dab)/6 and its like: with w_a w_c alone a
// uniform pressure would strain elements whose faces are not parallelograms.
//
// A triangle of six vertices, corners and midpoints, is cut into four. With the coordinates
// L = T w of the whole, whose columns T_k are the places of the corners of the part,
//
//	N_i = L_i (2 L_i − 1) of corners,   N_ij = 4 L_i L_j of midpoints.                 (2)
//
// Both are quadratic in w, so that the means of the products w_i w_j over the part are all that
// is needed besides its centroid. In a triangle of a fan about a vertex of the part they are the
// means over the middles of the sides (exact to second degree). Weights add up to 1; those of
// (1) and corners of (2) have −1/8 at least. The contact is at Σ N x, so that force and moment are
// exact: that is the centroid where the face is flat with straight edges.
// Source: the consistent loads of these faces, Hughes, The Finite Element Method, 3.2 and 3.6.

// leastFaceWeight is the negative of the least weight of a face's vertex.
const leastFaceWeight = 1.0 / 8

// products are means of w_i w_j over a part of a triangle, in the place of the third corner.
type products [3]float64

// parent returns the face of an element that a triangle is a part of; nil where it is a face.
func (s *deformableSurface) parent(tri int32) *meshes.ParentFace {
	if s.spec.Parents == nil || s.spec.Parents[tri].N <= 3 {
		return nil
	}
	return &s.spec.Parents[tri]
}

// products returns the means of the products of weights.
func (p *polygon) products() (out products) {
	area := 0.0
	for k := 1; k+1 < p.n; k++ {
		s := p.fan(k)
		area += s
		for b := range out {
			out[b] += s * meanProduct(&p.v[0].w, &p.v[k].w, &p.v[k+1].w, (b+1)%3, (b+2)%3)
		}
	}
	for b := range out {
		out[b] /= area
	}
	return out
}

// meanProduct returns the mean of w_i w_j over a triangle with the given corners.
func meanProduct(u, v, w *[3]float64, i, j int) float64 {
	return ((u[i]+v[i])*(u[j]+v[j]) + (v[i]+w[i])*(v[j]+w[j]) + (w[i]+u[i])*(w[j]+u[j])) / 12
}

// face returns the material point of a part of a triangle: its weights are those of the whole
// face, from the part's centroid w and mean products.
func (s *deformableSurface) face(tri int32, w [3]float64, p *products) MaterialPoint {
	f := s.feature(tri, w)
	face := s.parent(tri)
	if face == nil {
		return f
	}
	f.N = int(face.N)
	if f.N == 4 {
		b, _ := face.Across()
		f.spreadOverQuad(face, p[b], s.dist.Mesh().Verts)
	} else {
		f.spreadOverSix(face, w, p)
	}
	// the point that these weights move
	m := s.dist.Mesh()
	f.Pos_W = r3.Vec{}
	for k, v := range f.Vert[:f.N] {
		f.Pos_W = f.Pos_W.AddScaled(f.W[k], m.Verts[v])
	}
	return f
}

// spreadOverQuad sets vertices and weights to (1), with the mean product of w_a w_c and the vertices at x. Areas are
// those of the triangles along the mean normal of the face.
func (f *MaterialPoint) spreadOverQuad(face *meshes.ParentFace, mean float64, x []r3.Vec) {
	b, fourth := face.Across()
	c, a := (b+1)%3, (b+2)%3
	xa, xb, xc, xd := x[f.Vert[a]], x[f.Vert[b]], x[f.Vert[c]], x[fourth]
	abc, bcd := 0.5, 0.5 // shares of A
	if n := xc.Sub(xa).Cross(xd.Sub(xb)); n != (r3.Vec{}) {
		abc = min(1, max(0, xb.Sub(xa).Cross(xc.Sub(xa)).Dot(n)/n.Norm2()))
		bcd = min(1, max(0, xc.Sub(xb).Cross(xd.Sub(xb)).Dot(n)/n.Norm2()))
	}
	product := productOf(f.W[a], f.W[b], f.W[c], abc, bcd, mean).value
	f.Vert[3] = fourth
	f.W[b] += (1 - abc) * product
	f.W[a] -= bcd * product
	f.W[c] -= (1 - bcd) * product
	f.W[3] = abc * product
}

// quadProduct is the factor 2⟨w_a w_c⟩ of (1), with its derivatives by what it is made of.
type quadProduct struct {
	value, byMean, byA, byB, byC float64
	byAlpha, byBeta              float64 // by the shares of abc and of bcd
}

// productOf returns the factor for the weights of a part's centroid, the shares alpha and beta of the triangles abc and
// bcd in the area of the face, and the mean of w_a w_c: weights are −1/8 at least, as those of parts of the face have.
func productOf(wa, wb, wc, alpha, beta, mean float64) quadProduct {
	p := quadProduct{value: 2 * mean, byMean: 2}
	if beta > 0 {
		if x := (wa + leastFaceWeight) / beta; x < p.value {
			p = quadProduct{value: x, byA: 1 / beta, byBeta: -x / beta}
		}
	}
	if beta < 1 {
		if x := (wc + leastFaceWeight) / (1 - beta); x < p.value {
			p = quadProduct{value: x, byC: 1 / (1 - beta), byBeta: x / (1 - beta)}
		}
	}
	if alpha > 0 {
		if x := -leastFaceWeight / alpha; x > p.value {
			p = quadProduct{value: x, byAlpha: -x / alpha}
		}
	}
	if alpha < 1 {
		if x := -(wb + leastFaceWeight) / (1 - alpha); x > p.value {
			p = quadProduct{value: x, byB: -1 / (1 - alpha), byAlpha: x / (1 - alpha)}
		}
	}
	return p
}

// opposite returns the material point of another body's triangle that is at p_W, the centroid of a part of a face with
// the corners c_W, as extended does. Where the triangle is half of a face of four vertices, its in-plane
// coordinates u = Σ w_k u(c_k) are affine in those of the part, so that the means of their products are known,
//
//	⟨u_i u_j⟩ = Σ_kl u_i(c_k) u_j(c_l) ⟨w_k w_l⟩,                                          (3)
//
// and all four are loaded by the means of their shape functions. A part that reaches beyond the face is a point force
// on it all the same: no weight becomes less than −1/8.
func (s *deformableSurface) opposite(tri int32, nearest [3]float64, p_W r3.Vec, c_W *[3]r3.Vec, w [3]float64, p *products) MaterialPoint {
	f := s.extended(tri, nearest, p_W)
	face := s.parent(tri)
	if face == nil || face.N != 4 || f.N != 4 {
		return f
	}
	b, _ := face.Across()
	i, j := (b+2)%3, (b+1)%3
	_, x, y, z := s.corners(tri)
	var ui, uj [3]float64
	for k, c := range c_W {
		u := r3.Barycentric(c, x, y, z)
		ui[k], uj[k] = u[i], u[j]
	}
	if *p == (products{}) { // of a triangle without a parent, whose part is taken as a point
		p = &products{w[1] * w[2], w[2] * w[0], w[0] * w[1]}
	}
	mean := 0.0
	for k := range 3 {
		l, m := (k+1)%3, (k+2)%3
		mean += ui[k]*uj[k]*(w[k]-p[l]-p[m]) + (ui[l]*uj[m]+ui[m]*uj[l])*p[k]
	}
	share := f.W[3]
	f.W[0] += share // extended takes the share of the apex from the first vertex
	f.Vert[4], f.W[4], f.N = f.Vert[3], share, 5
	f.spreadOverQuad(face, mean, s.dist.Mesh().Verts)
	f.W[0] -= share
	return f
}

// spreadOverSix sets vertices and weights to (2), in the means of L_i L_j = T_ik T_jl w_k w_l.
func (f *MaterialPoint) spreadOverSix(face *meshes.ParentFace, w [3]float64, p *products) {
	// means of w_k w_l, of which those of squares follow from Σ w = 1
	var ww [3][3]float64
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		ww[i][j], ww[j][i] = p[k], p[k]
		ww[k][k] = w[k] - p[i] - p[j]
	}
	var L [3]float64
	var LL [3][3]float64
	for k := range 3 {
		tk := sixPlaces[face.At[k]]
		for i := range 3 {
			L[i] += tk[i] * w[k]
		}
		for l := range 3 {
			tl := sixPlaces[face.At[l]]
			for i := range 3 {
				for j := range 3 {
					LL[i][j] += tk[i] * tl[j] * ww[k][l]
				}
			}
		}
	}
	f.Vert = face.Verts
	for i := range 3 {
		f.W[i] = 2*LL[i][i] - L[i]
		f.W[3+i] = 4 * LL[i][(i+1)%3]
	}
}

// sixPlaces are the coordinates L of the vertices of a triangle of six: corners, then the
// midpoints of 01, 12 and 20.
var sixPlaces = [6][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}}

// addProducts adds A w_i w_j of the face of a contact surface on a triangle of a deformable.
func (p *facePressure) addProducts(f *hydroelastic.Face, verts_W []r3.Vec, x, y, z r3.Vec) {
	loop := verts_W[f.Lo:f.Hi]
	var sum products
	area := 0.0
	u := r3.Barycentric(loop[0], x, y, z)
	v := r3.Barycentric(loop[1], x, y, z)
	for k := 2; k < len(loop); k++ {
		w := r3.Barycentric(loop[k], x, y, z)
		s := (v[1]-u[1])*(w[2]-u[2]) - (w[1]-u[1])*(v[2]-u[2])
		area += s
		for b := range sum {
			sum[b] += s * meanProduct((*[3]float64)(&u), (*[3]float64)(&v), (*[3]float64)(&w), (b+1)%3, (b+2)%3)
		}
		v = w
	}
	if area != 0 {
		for b := range sum {
			p.products[b] += f.Area * sum[b] / area
		}
	}
}
