package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// boxContacts is box against box. The best of 15 axes, the normals of the faces and
// the products of the edges, parts overlapping boxes; with p = p_AB, h the half sizes
// and R = R_AB the separation along a unit axis u is
//
//	s(u) = |u·p| − Σ h_Aᵢ|uᵢ| − Σ h_Bᵢ|(Rᵀu)ᵢ|.                          (1)
//
// Separated boxes are farther apart than any axis says, but no farther than any of
// their points are: where the two faces have points as near as the best axis, that is
// the distance. Else they go the generic way.
func (k *cores) boxContacts(A, B *Box, margin float64, out *manifold) {
	out.n = 0
	n, s := boxAxis(&A.Half, &B.Half, &k.X_AB, margin)
	if s >= margin {
		return
	}
	if !k.boxPoints(A, B, closest{s: s, n: n}, margin, out) {
		out.n = 0
		k.convexContacts(margin, out)
	}
}

// boxAxis returns the unit axis of greatest separation, turned from A to B, or any
// that parts the boxes by margin. The normal of a face stands unless a product of
// edges beats it by faceBias.
func boxAxis(hA, hB *r3.Vec, X_AB *r3.Pose, margin float64) (n r3.Vec, s float64) {
	R, p := &X_AB.R, &X_AB.P
	var a r3.Mat // |R|
	for i := range a {
		a[i] = math.Abs(R[i])
	}
	s = math.Inf(-1)
	best, side := 0, 0.0 // 0 to 2: faces of A, 3 to 5: of B, from 6: products
	for i := range 3 {
		d := math.Abs(p[i]) - hA[i] - (hB[0]*a[3*i] + hB[1]*a[3*i+1] + hB[2]*a[3*i+2])
		if d > s {
			best, s, side = i, d, p[i]
		}
	}
	for j := range 3 {
		t := p[0]*R[j] + p[1]*R[3+j] + p[2]*R[6+j]
		d := math.Abs(t) - hB[j] - (hA[0]*a[j] + hA[1]*a[3+j] + hA[2]*a[6+j])
		if d > s {
			best, s, side = 3+j, d, t
		}
	}
	if s < margin {
		bar := s + faceBias + faceBiasRel*math.Abs(s)
		for i := range 3 {
			i1, i2 := (i+1)%3, (i+2)%3
			for j := range 3 {
				// e_i × R_j; nearly parallel edges span what the faces have tried
				x, y := R[3*i1+j], R[3*i2+j]
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
	switch {
	case best < 3:
		n[best] = 1
	case best < 6:
		n = R.Col(best - 3)
	default:
		i, j := (best-6)/3, (best-6)%3
		i1, i2 := (i+1)%3, (i+2)%3
		l := math.Hypot(R[3*i1+j], R[3*i2+j])
		n[i1], n[i2] = -R[3*i2+j]/l, R[3*i1+j]/l
	}
	n.SetScale(sign(side), &n)
	return n, s
}

// boxPoints is patch for two boxes; false where the distance of separated boxes is
// not what c says.
func (k *cores) boxPoints(A, B *Box, c closest, margin float64, out *manifold) bool {
	var fA, fB boxFace
	world := r3.PoseIdentity()
	fA.find(&A.Half, &world, &c.n, 1)
	fB.find(&B.Half, &k.X_AB, &c.n, -1)
	nB := fB.N.Neg()
	sA, sB := boxSeparation(&A.Half, &B.Half, &k.X_AB, &fA.N), boxSeparation(&A.Half, &B.Half, &k.X_AB, &nB)

	var q [2][4][2]float64
	var p [2][16]clipVertex // of convex quadrilaterals eight at most
	m := facePair{
		c: c, n: c.towards(&fA.N, &nB, sA, sB, faceBias, faceTau(c.s)),
		A: projectedFace{q: q[0][:]}, B: projectedFace{q: q[1][:]}, poly: clipPolygon{p: p[0][:], old: p[1][:]},
	}
	if m.n != c.n {
		fA.find(&A.Half, &world, &m.n, 1)
		fB.find(&B.Half, &k.X_AB, &m.n, -1)
	}
	m.size = 2 * math.Sqrt(min(fA.u.DotOf(&fA.u)+fA.v.DotOf(&fA.v), fB.u.DotOf(&fB.u)+fB.v.DotOf(&fB.v)))
	m.t1, m.t2 = r3.Basis(m.n)
	fA.cast(&m, &m.A)
	fB.cast(&m, &m.B)
	return k.points(&m, margin, c.s <= 0, out)
}

// boxSeparation returns (1) along a unit u that points from A to B.
func boxSeparation(hA, hB *r3.Vec, X_AB *r3.Pose, u *r3.Vec) float64 {
	var v r3.Vec
	v.SetTMul(&X_AB.R, u)
	return u.DotOf(&X_AB.P) -
		(hA[0]*math.Abs(u[0]) + hA[1]*math.Abs(u[1]) + hA[2]*math.Abs(u[2])) -
		(hB[0]*math.Abs(v[0]) + hB[1]*math.Abs(v[1]) + hB[2]*math.Abs(v[2]))
}

// boxFace is a face of a box: its centre, half its edges and its outward normal.
type boxFace struct{ c, u, v, N r3.Vec }

// find makes f the face of a box that faces side·n most; see Box.Face.
func (f *boxFace) find(h *r3.Vec, X *r3.Pose, n *r3.Vec, side float64) {
	var w r3.Vec
	w.SetTMul(&X.R, n)
	i := 0
	for j := 1; j < 3; j++ {
		if math.Abs(w[j]) > math.Abs(w[i]) {
			i = j
		}
	}
	j, k := (i+1)%3, (i+2)%3
	s := sign(side * w[i])
	for r := range 3 {
		row := X.R[3*r : 3*r+3 : 3*r+3]
		f.N[r] = s * row[i]
		f.c[r] = X.P[r] + h[i]*f.N[r]
		f.u[r], f.v[r] = s*h[j]*row[j], h[k]*row[k]
	}
}

// cast makes the shadow of a face.
func (f *boxFace) cast(m *facePair, o *projectedFace) {
	for i, t := range [2]*r3.Vec{&m.t1, &m.t2} {
		c, u, v := t.DotOf(&f.c), t.DotOf(&f.u), t.DotOf(&f.v)
		o.q[0][i], o.q[1][i], o.q[2][i], o.q[3][i] = c-u-v, c+u-v, c+u+v, c-u+v
		o.g[i] = -t.DotOf(&f.N) / m.n.DotOf(&f.N)
	}
	o.q0 = o.q[0]
	o.h0 = m.n.DotOf(&f.c) - m.n.DotOf(&f.u) - m.n.DotOf(&f.v)
}
