package geometry

import (
	"math"

	"curlfree/r3"
)

// boxContacts is box against box. Overlapping boxes part along the best of 15
// axes, the normals of the faces and the products of the edges; with p = p_AB,
// h the half sizes and R = R_AB the separation along a unit axis u is
//
//	s(u) = |u·p| − Σ h_Aᵢ|uᵢ| − Σ h_Bᵢ|(Rᵀu)ᵢ|.
//
// Separated boxes need the true distance and go the generic way.
func (k *cores) boxContacts(A, B *Box, margin float64, out *patch) {
	n, s := boxAxis(A.Half, B.Half, k.X_AB)
	if s > 0 {
		if out.n = 0; s < margin {
			k.convexContacts(margin, out)
		}
		return
	}
	k.patch(closest{s: s, n: n}, margin, out)
}

// boxAxis returns the unit axis of greatest separation, turned from A to B. The
// normal of a face stands unless a product of edges beats it by faceBias.
func boxAxis(hA, hB r3.Vec, X_AB r3.Pose) (n r3.Vec, s float64) {
	R, p := X_AB.R, X_AB.P
	s = math.Inf(-1)
	try := func(u r3.Vec, bar float64) {
		v := R.TMulVec(u)
		d := math.Abs(u.Dot(p))
		for i := range u {
			d -= hA[i]*math.Abs(u[i]) + hB[i]*math.Abs(v[i])
		}
		if d > bar && d > s {
			s, n = d, u.Scale(sign(u.Dot(p)))
		}
	}
	for i := range 3 {
		var e r3.Vec
		e[i] = 1
		try(e, math.Inf(-1))
	}
	for i := range 3 {
		try(R.Col(i), math.Inf(-1))
	}
	bar := s + faceBias + faceBiasRel*math.Abs(s)
	for i := range 3 {
		for j := range 3 {
			var e r3.Vec
			e[i] = 1
			u := e.Cross(R.Col(j))
			// Nearly parallel edges span what the faces have tried.
			if l := u.Norm(); l > 1e-6 {
				try(u.Scale(1/l), bar)
			}
		}
	}
	return n, s
}
