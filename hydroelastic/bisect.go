package hydroelastic

import "github.com/curlfree/curlfree/r3"

// bisect cuts a triangle at its longest side, and the parts likewise, until no side is
// longer than hint (m), and calls add with the parts, which keep the orientation (Rivara
// 1984). Of equally long sides the first is cut.
func bisect(a, b, c r3.Vec, hint float64, add func(a, b, c r3.Vec)) {
	ab, bc, ca := b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2()
	if max(ab, bc, ca) <= hint*hint {
		add(a, b, c)
		return
	}
	// Turn the longest side to a b.
	switch {
	case bc > ab && bc >= ca:
		a, b, c = b, c, a
	case ca > ab:
		a, b, c = c, a, b
	}
	// Both halves keep the orientation.
	mid := a.Lerp(b, 0.5)
	bisect(a, mid, c, hint, add)
	bisect(mid, b, c, hint, add)
}

// bisectedParts estimates the number of parts of a triangle: its area over that of right
// isosceles triangles of the hint, at least its longest side over the hint.
func bisectedParts(a, b, c r3.Vec, hint float64) float64 {
	area := r3.TriangleNormal(a, b, c).Norm() / 2
	long := max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	return 1 + 4*area/(hint*hint) + long/hint
}
