package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// refine cuts a triangle into parts with no side longer than hint (m), and calls add with the
// parts, which keep the orientation. Long narrow triangles are cut across into strips: the
// bisection of a triangle whose sides are 1, n and n times a short one makes about n² parts, strips 2 n.
func refine(a, b, c r3.Vec, hint float64, add func(a, b, c r3.Vec)) {
	ab, bc, ca := b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2()
	long := math.Sqrt(max(ab, bc, ca))
	switch {
	case long <= hint:
		add(a, b, c)
		return
	case 4*min(ab, bc, ca) >= hint*hint:
		split(a, b, c, hint/2, func(a, b, c r3.Vec) { refine(a, b, c, hint, add) })
		return
	}
	// turn the shortest side to b c
	switch {
	case ab < bc && ab <= ca:
		a, b, c, bc = c, a, b, ab
	case ca < bc:
		a, b, c, bc = b, c, a, ca
	}
	// a strip of this length has no diagonal beyond the hint
	n := math.Ceil(long / (hint - math.Sqrt(bc)))
	p, q := b, c
	for k := n - 1; k > 0; k-- {
		to, tq := a.Lerp(b, k/n), a.Lerp(c, k/n)
		refine(p, q, tq, hint, add)
		refine(p, tq, to, hint, add)
		p, q = to, tq
	}
	refine(a, p, q, hint, add)
}

// bisect cuts a triangle at its longest side, and the parts likewise, until no side is
// longer than hint (m), and calls add with the parts, which keep the orientation (Rivara
// 1984). Triangles that share a side cut it at the same points.
func bisect(a, b, c r3.Vec, hint float64, add func(a, b, c r3.Vec)) {
	if max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2()) <= hint*hint {
		add(a, b, c)
		return
	}
	split(a, b, c, 0, func(a, b, c r3.Vec) { bisect(a, b, c, hint, add) })
}

// split cuts a triangle at the middle of its longest side, of equally long ones the first, and
// calls add with both parts. One that is lower than flat over this side, m, is cut at the foot of
// its altitude, which leaves two with a short side.
func split(a, b, c r3.Vec, flat float64, add func(a, b, c r3.Vec)) {
	ab, bc, ca := b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2()
	// Turn the longest side to a b.
	switch {
	case bc > ab && bc >= ca:
		a, b, c, ab = b, c, a, bc
	case ca > ab:
		a, b, c, ab = c, a, b, ca
	}
	// Both parts keep the orientation.
	at := 0.5
	if foot := c.Sub(a).Dot(b.Sub(a)) / ab; flat > 0 && c.Sub(a.Lerp(b, foot)).Norm2() < flat*flat {
		at = foot
	}
	cut := a.Lerp(b, at)
	add(a, cut, c)
	add(cut, b, c)
}

// bisectedParts estimates the number of parts of a triangle: its area over that of right
// isosceles triangles of the hint, at least its longest side over the hint.
func bisectedParts(a, b, c r3.Vec, hint float64) float64 {
	area := r3.TriangleNormal(a, b, c).Norm() / 2
	long := max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	return 1 + 4*area/(hint*hint) + long/hint
}
