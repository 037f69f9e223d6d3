package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// The contact surface is where pressures are equal. A field is nowhere positive at the
// bounds of its body and nowhere steeper than g in its steepest cell: at a depth d below
// a half-space that contains the body p ≤ g d. Where two such planes of two bodies face each
// other, d apart where the bodies overlap, a point between them is d₁ below the one and d
// − d₁ below the other, so that
//
//	p ≤ min(g_M d₁, g_N (d − d₁)) ≤ d/(1/g_M + 1/g_N)                     (1)
//
// Cells extend deep into most bodies, while bodies overlap little: of each cell only the
// part counts in which the pressure is below that bound.

// maxContactPressure bounds the pressure at which M and N touch, Pa: (1), for the planes
// of the sides of both bodies' bounds.
func maxContactPressure(M, N *Compliant, X_MN r3.Pose) float64 {
	// Bounds of each body in the frame of the other.
	inM, inN := N.boundsAt(X_MN), M.boundsAt(X_MN.Inv())
	d := min(overlap(M.Bounds(), inM), overlap(N.Bounds(), inN))
	most := max(d, 0) / (1/M.steepest + 1/N.steepest)
	return most + 1e-9*max(M.modulus, N.modulus) // round-off
}

// boundsAt returns bounds of the body when it is placed at X.
func (c *Compliant) boundsAt(X r3.Pose) r3.Box {
	b := c.Bounds().Transform(X)
	// Of a turned body the bounds of the ball around its origin may be tighter.
	for k := range 3 {
		b.Min[k] = max(b.Min[k], X.P[k]-c.reach)
		b.Max[k] = min(b.Max[k], X.P[k]+c.reach)
	}
	return b
}

// overlap returns how far one box would have to move for the two not to overlap, m.
func overlap(a, b r3.Box) float64 {
	d := math.Inf(1)
	for k := range 3 {
		d = min(d, a.Max[k]-b.Min[k], b.Max[k]-a.Min[k])
	}
	return d
}

// cellProbe are the parts of N's cells with at most a given pressure, in the frame of the
// other body M, and those of M's cells.
type cellProbe struct {
	M, N *Compliant
	at   *placedVerts
	// bound of the pressure, Pa
	tol, maxPressure float64

	probe bvh.Probe
	// bounds of the parts of M's cells
	box []r3.Box
	// numbers of those that are known
	seen stampSet
	// working memory
	cell cellCorners
	mine bvh.Probe
}

// reset prepares for a pair of bodies.
func (s *cellProbe) reset(M, N *Compliant, at *placedVerts, tol, most float64) {
	s.M, s.N, s.at, s.tol, s.maxPressure = M, N, at, tol, most
	s.seen.reset(len(M.cells))
	if len(s.box) < len(M.cells) {
		s.box = make([]r3.Box, len(M.cells))
	}
}

// Probe implements bvh.Prober.
func (s *cellProbe) Probe(j int32) *bvh.Probe {
	s.cell.place(s.N, j, s.at)
	s.cell.below(s.N.p, s.maxPressure, &s.probe)
	s.probe.Inflate(s.tol)
	return &s.probe
}

// Meets implements bvh.Prober. Cells extend deep: most boxes that meet do so where the
// pressure is above the bound.
func (s *cellProbe) Meets(i int32, box *r3.Box) bool {
	if s.M.pressure[i].hi <= s.maxPressure {
		return s.probe.Meets(box)
	}
	// The part of M's cell is computed at its first use.
	if s.seen.add(i) {
		s.cell.load(s.M, i)
		s.cell.below(s.M.p, s.maxPressure, &s.mine)
		s.box[i] = s.mine.Box
	}
	return s.probe.Meets(&s.box[i])
}

// below sets b to the bounds of the part of the cell where the pressure, p at vertices,
// is at most maxPressure.
func (c *cellCorners) below(p []float64, most float64, b *bvh.Probe) {
	b.Clear()
	c.above = 0
	// Vertices below the bound,
	for k := range c.t.verts {
		c.s[k] = p[c.v[k]] - most
		if c.s[k] > 0 {
			c.above |= 1 << k
		} else {
			b.Extend(&c.x[k])
		}
	}
	// and the points where edges cross it.
	var x r3.Vec
	for _, e := range c.t.cuts[c.above] {
		from, s := &c.x[e.a], c.s[e.a]
		x.SetSub(&c.x[e.b], from)
		x.SetScale(s/(s-c.s[e.b]), &x)
		x.SetAdd(from, &x)
		b.Extend(&x)
	}
}
