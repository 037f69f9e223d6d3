package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// lineTol is the sine of the angle, about 10°, up to which two capsules touch
// along the stretch they share, not at one point.
const lineTol = 0.17

// endsTol is how much nearer than the ends of the stretch, in radii, the closest
// pair must be to join them.
const endsTol = 1e-6

// capsuleContacts is capsule against capsule: the closest points of the two axis
// segments and, when these are nearly parallel, the pairs at the ends of the
// stretch that they share, each with its own exact distance and normal. The
// closest pair drops out where the ends say the same.
func capsuleContacts(A, B *Capsule, X_AB r3.Pose, margin float64, out *patch) {
	out.n = 0
	z := r3.Vec{0, 0, 1}
	u, c := X_AB.R.Col(2), X_AB.P // B is c + t·u, A is s·z
	cosine := u[2]
	sine := math.Hypot(u[0], u[1])
	s, t := closestOnSegments(c, u, A.HalfLength, B.HalfLength)

	add := func(s, t float64) {
		a, b := z.Scale(s), c.AddScaled(t, u)
		d, n := direction(b.Sub(a))
		if d <= touchTol*(A.HalfLength+B.HalfLength) {
			n = crossingNormal(c, u)
			d = n.Dot(b.Sub(a))
		}
		if phi := d - A.Radius - B.Radius; phi < margin {
			out.add(point{a.AddScaled(A.Radius, n), b.AddScaled(-B.Radius, n), n, phi})
		}
	}
	if sine < lineTol {
		// The shared stretch of A, and B's nearest points to its ends.
		e := B.HalfLength * math.Abs(cosine)
		s0, s1 := max(-A.HalfLength, c[2]-e), min(A.HalfLength, c[2]+e)
		if s1 > s0 {
			for _, s := range [2]float64{s0, s1} {
				add(s, clamp((s-c[2])/cosine, B.HalfLength))
			}
		}
	}
	a, b := z.Scale(s), c.AddScaled(t, u)
	least := b.Sub(a).Norm() - A.Radius - B.Radius
	for i := range out.n {
		if out.pt[i].phi <= least+endsTol*min(A.Radius, B.Radius) {
			return
		}
	}
	add(s, t)
}

func clamp(x, h float64) float64 { return min(max(x, -h), h) }

// closestOnSegments returns the parameters of the closest points of s·z, |s| ≤ hA,
// and c + t·u, |t| ≤ hB; of parallel segments those in the middle of the shared
// stretch.
func closestOnSegments(c, u r3.Vec, hA, hB float64) (s, t float64) {
	// With b = u_z: s minimises at s = c_z + t b, t at t = b s − c·u.
	b, cu := u[2], c.Dot(u)
	if det := u[0]*u[0] + u[1]*u[1]; det > 1e-14 { // 1 − b²
		s = clamp((c[2]-b*cu)/det, hA)
	} else {
		e := hB * math.Abs(b)
		s = clamp((max(-hA, c[2]-e)+min(hA, c[2]+e))/2, hA)
	}
	t = clamp(b*s-cu, hB)
	s = clamp(c[2]+t*b, hA)
	return s, clamp(b*s-cu, hB)
}

// crossingNormal returns the normal of two segments that meet: square to both,
// and rather from A to B.
func crossingNormal(c, u r3.Vec) r3.Vec {
	n := r3.Vec{-u[1], u[0], 0} // z×u
	if n.Norm() < 1e-9 {
		return r3.Vec{1, 0, 0}
	}
	n = n.Unit()
	if n.Dot(c) < 0 {
		return n.Neg()
	}
	return n
}
