package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// lineTol is the sine of the angle, about 10°, up to which two capsules touch along a
// segment, not at one point.
const lineTol = 0.17

// endsTol is how much nearer than the ends of the shared segment, in radii, the closest
// pair must be to join them.
const endsTol = 1e-6

// capsuleContacts finds the contacts of two capsules: the closest points of the two
// axis segments and, where these are nearly parallel, the pairs at the ends of the
// stretch that they share, each with its own exact distance and normal. The closest
// pair is left out where the ends have the same gap.
func capsuleContacts(A, B *Capsule, X_AB r3.Pose, margin float64, out *manifold) {
	out.n, out.round = 0, 1
	z := r3.Vec{0, 0, 1}
	u, c := X_AB.R.Col(2), X_AB.P // B is c + t·u, A is s·z
	s, t := closestOnSegments(c, u, A.HalfLength, B.HalfLength)

	// One pair of points of the axes, if its gap is below the margin.
	add := func(s, t float64) {
		a, b := z.Scale(s), c.AddScaled(t, u)
		d, n := direction(b.Sub(a))
		if d <= touchTol*(A.HalfLength+B.HalfLength) {
			n = crossingNormal(c, u)
			d = n.Dot(b.Sub(a))
		}
		if phi := d - A.Radius - B.Radius; phi < margin {
			out.add(point{a.AddScaled(A.Radius, n), b.AddScaled(-B.Radius, n), n, phi, 1})
		}
	}
	// Nearly parallel axes: both ends of the segment that they share.
	if math.Hypot(u[0], u[1]) < lineTol {
		ends, ok := sharedStretch(c, u, A.HalfLength, B.HalfLength)
		for i := 0; ok && i < len(ends); i++ {
			add(ends[i][0], ends[i][1])
		}
	}
	// The closest pair adds nothing where the axes are parallel.
	a, b := z.Scale(s), c.AddScaled(t, u)
	least := b.Sub(a).Norm() - A.Radius - B.Radius
	for i := range out.n {
		if out.pt[i].phi <= least+endsTol*min(A.Radius, B.Radius) {
			return
		}
	}
	add(s, t)
}

// clamp returns x within ±h.
func clamp(x, h float64) float64 { return min(max(x, -h), h) }

// sharedStretch returns the parameters (s, t) at the two ends of the stretch that the
// segments s·z, |s| ≤ hA, and c + t·u, |t| ≤ hB, share as seen along the mean of their
// directions. Each end is the end of one segment and the nearest point of the other. It
// is false where they share none.
func sharedStretch(c, u r3.Vec, hA, hB float64) (ends [2][2]float64, ok bool) {
	turn := sign(u[2])
	m := r3.Vec{turn * u[0], turn * u[1], turn*u[2] + 1}.Unit()
	h, mid := m[2], m.Dot(c) // both directions have the same component along m
	if min(hA*h, mid+hB*h) <= max(-hA*h, mid-hB*h) {
		return ends, false
	}
	// The end of the shorter side decides, the other point is its projection.
	for i, side := range [2]float64{-1, 1} {
		if side*(mid+side*hB*h) < hA*h { // B ends first
			t := side * turn * hB
			ends[i] = [2]float64{clamp(c[2]+t*u[2], hA), t}
		} else {
			s := side * hA
			ends[i] = [2]float64{s, clamp(s*u[2]-c.Dot(u), hB)}
		}
	}
	return ends, true
}

// closestOnSegments returns the parameters of the closest points of s·z, |s| ≤ hA, and
// c + t·u, |t| ≤ hB (Ericson 2005, section 5.1.9); of parallel segments those in the
// middle of the shared stretch.
func closestOnSegments(c, u r3.Vec, hA, hB float64) (s, t float64) {
	b, cu := u[2], c.Dot(u)
	if sin2 := u[0]*u[0] + u[1]*u[1]; sin2 > 1e-14 {
		// Seen along z the line of B is nearest to the origin at t.
		t = -(c[0]*u[0] + c[1]*u[1]) / sin2
		s = clamp(c[2]+t*b, hA)
	} else {
		// Parallel: the middle of the stretch that the two share along z.
		e := hB * math.Abs(b)
		s = clamp((max(-hA, c[2]-e)+min(hA, c[2]+e))/2, hA)
	}
	// Clamp one, project it, and clamp the other.
	t = clamp(b*s-cu, hB)
	s = clamp(c[2]+t*b, hA)
	return s, clamp(b*s-cu, hB)
}

// crossingNormal returns the normal of two axes that meet: square to both, and rather
// from A to B than back. Parallel axes get +x of A.
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
