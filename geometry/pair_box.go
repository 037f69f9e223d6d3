package geometry

// Contact of two boxes by the separating axis test (Gottschalk, Lin and Manocha 1996).
// The least overlap of two boxes is along one of 15 axes: the normals of their faces
// and the products of their edges. With p = p_AB, h the half sizes and R = R_AB the
// separation along a unit axis u is
//
//	s(u) = |u·p| − Σ h_Aᵢ|uᵢ| − Σ h_Bᵢ|(Rᵀu)ᵢ|.                          (1)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// boxContacts finds the contacts of two boxes. The distance of separated boxes is at
// least the greatest s(u), and at most the distance of any two of their points: where the
// two faces have points as near as the best axis says, that is the distance. Else the
// generic search decides.
func (k *cores) boxContacts(A, B *Box, margin float64, out *manifold) {
	out.n, out.round = 0, 1
	least := bias(A.Bounds(), B.Bounds())
	n, s := boxAxis(&A.Half, &B.Half, &k.X_AB, margin, least)
	if s >= margin {
		return
	}
	if !k.boxPoints(A, B, closest{s: s, n: n}, margin, least, out) {
		out.n = 0
		k.convexContacts(margin, out)
	}
}

// boxAxis returns the unit axis of greatest separation, turned from A to B, and the
// separation, or any axis that separates the boxes by margin. The normal of a face is
// kept unless a product of edges separates better by the bias, m, and faceBiasRel.
func boxAxis(hA, hB *r3.Vec, X_AB *r3.Pose, margin, bias float64) (n r3.Vec, s float64) {
	R, p := &X_AB.R, &X_AB.P
	// Absolute values of R, as (1) needs them.
	var a r3.Mat // |R|
	for i := range a {
		a[i] = math.Abs(R[i])
	}
	s = math.Inf(-1)
	// The best axis so far: 0 to 2 are faces of A, 3 to 5 of B, from 6 on products.
	best, side := 0, 0.0
	// Normals of A's faces.
	for i := range 3 {
		// (1) along axis i of A.
		d := math.Abs(p[i]) - hA[i] - (hB[0]*a[3*i] + hB[1]*a[3*i+1] + hB[2]*a[3*i+2])
		if d > s {
			best, s, side = i, d, p[i]
		}
	}
	// Normals of B's faces.
	for j := range 3 {
		// (1) along axis j of B.
		t := p[0]*R[j] + p[1]*R[3+j] + p[2]*R[6+j]
		d := math.Abs(t) - hB[j] - (hA[0]*a[j] + hA[1]*a[3+j] + hA[2]*a[6+j])
		if d > s {
			best, s, side = 3+j, d, t
		}
	}
	// Products of edges, which must beat the faces by the bias.
	if s < margin {
		// The separation that a product of edges has to exceed.
		bar := s + faceTau(bias, s)
		for i := range 3 {
			i1, i2 := (i+1)%3, (i+2)%3
			for j := range 3 {
				// e_i × R_j; nearly parallel edges span the same directions as the faces.
				x, y := R[3*i1+j], R[3*i2+j]
				// Length of the product: the sine of the angle between the edges.
				l := math.Sqrt(x*x + y*y)
				if l <= 1e-6 {
					continue
				}
				j1, j2 := (j+1)%3, (j+2)%3
				t := p[i2]*x - p[i1]*y
				d := (math.Abs(t) - (hA[i1]*a[3*i2+j] + hA[i2]*a[3*i1+j]) - (hB[j1]*a[3*i+j2] + hB[j2]*a[3*i+j1])) / l
				if d > bar && d > s {
					best, s, side = 6+3*i+j, d, t
				}
			}
		}
	}
	// The axis in A's frame.
	switch {
	// Of A,
	case best < 3:
		n[best] = 1
	// of B,
	case best < 6:
		n = R.Col(best - 3)
	default:
		// or a product.
		i, j := (best-6)/3, (best-6)%3
		i1, i2 := (i+1)%3, (i+2)%3
		l := math.Hypot(R[3*i1+j], R[3*i2+j])
		n[i1], n[i2] = -R[3*i2+j]/l, R[3*i1+j]/l
	}
	n.SetScale(sign(side), &n)
	return n, s
}

// boxPoints is cores.manifold for two boxes; false where the distance of separated boxes
// differs from that of c.
func (k *cores) boxPoints(A, B *Box, c closest, margin, bias float64, out *manifold) bool {
	var fA, fB boxFace
	world := r3.PoseIdentity()
	fA.find(&A.Half, &world, &c.n, 1)
	fB.find(&B.Half, &k.X_AB, &c.n, -1)
	// Blend the normals of the faces, as for any shapes.
	nB := fB.N.Neg()
	sA, sB := boxSeparation(&A.Half, &B.Half, &k.X_AB, &fA.N), boxSeparation(&A.Half, &B.Half, &k.X_AB, &nB)

	var q [2][4][2]float64
	var p [2][16]clipVertex // of convex quadrilaterals eight at most
	m := facePair{
		c: c, n: c.towards(&fA.N, &nB, sA, sB, bias, faceTau(bias, c.s)),
		A: projectedFace{q: q[0][:]}, B: projectedFace{q: q[1][:]}, poly: clipPolygon{p: p[0][:], old: p[1][:]},
	}
	// A turned normal may see other faces.
	if m.n != c.n {
		fA.find(&A.Half, &world, &m.n, 1)
		fB.find(&B.Half, &k.X_AB, &m.n, -1)
	}
	// The smaller face, and both as seen along the normal.
	m.size = 2 * math.Sqrt(min(fA.u.DotOf(&fA.u)+fA.v.DotOf(&fA.v), fB.u.DotOf(&fB.u)+fB.v.DotOf(&fB.v)))
	m.t1, m.t2 = r3.Basis(m.n)
	fA.cast(&m, &m.A)
	fB.cast(&m, &m.B)
	return k.points(&m, margin, c.s <= 0, out)
}

// boxSeparation returns (1) along a unit u that points from A to B, m.
func boxSeparation(hA, hB *r3.Vec, X_AB *r3.Pose, u *r3.Vec) float64 {
	var v r3.Vec
	v.SetTMul(&X_AB.R, u)
	return u.DotOf(&X_AB.P) -
		(hA[0]*math.Abs(u[0]) + hA[1]*math.Abs(u[1]) + hA[2]*math.Abs(u[2])) -
		(hB[0]*math.Abs(v[0]) + hB[1]*math.Abs(v[1]) + hB[2]*math.Abs(v[2]))
}

// boxFace is a face of a box: its centre c, half its edges u and v, and its outward
// normal N.
type boxFace struct{ c, u, v, N r3.Vec }

// find makes f the face of a box that faces side·n most; see Box.Face.
func (f *boxFace) find(h *r3.Vec, X *r3.Pose, n *r3.Vec, side float64) {
	var w r3.Vec
	w.SetTMul(&X.R, n)
	// The axis of the box nearest to n.
	i := 0
	for j := 1; j < 3; j++ {
		if math.Abs(w[j]) > math.Abs(w[i]) {
			i = j
		}
	}
	// The two other axes span the face.
	j, k := (i+1)%3, (i+2)%3
	s := sign(side * w[i])
	// Centre and half edges at the pose X.
	for r := range 3 {
		row := X.R[3*r : 3*r+3 : 3*r+3]
		f.N[r] = s * row[i]
		f.c[r] = X.P[r] + h[i]*f.N[r]
		f.u[r], f.v[r] = s*h[j]*row[j], h[k]*row[k]
	}
}

// cast makes o the face as seen along the normal of m.
func (f *boxFace) cast(m *facePair, o *projectedFace) {
	for i, t := range [2]*r3.Vec{&m.t1, &m.t2} {
		// Centre and half edges in the plane, then the four corners.
		c, u, v := t.DotOf(&f.c), t.DotOf(&f.u), t.DotOf(&f.v)
		o.q[0][i], o.q[1][i], o.q[2][i], o.q[3][i] = c-u-v, c+u-v, c+u+v, c-u+v
		o.g[i] = -t.DotOf(&f.N) / m.n.DotOf(&f.N)
	}
	o.q0 = o.q[0]
	o.h0 = m.n.DotOf(&f.c) - m.n.DotOf(&f.u) - m.n.DotOf(&f.v)
}
