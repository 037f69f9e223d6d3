package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Two fields touch where their pressures are equal. A field is nowhere positive at the
// bounds of its body and nowhere steeper than g in its steepest cell: at a depth d below
// a plane that holds the body p ≤ g d. Where two such planes of two bodies face each
// other, d apart where the bodies overlap, a point between them is d₁ below the one and
// d − d₁ below the other, so that
//
//	p ≤ min(g_M d₁, g_N (d − d₁)) ≤ d/(1/g_M + 1/g_N)                     (1)
//
// Cells reach deep into most bodies, and bodies little into each other: of a cell only
// the part counts in which the pressure is below that.

// mostPressure bounds the pressure at which M and N touch: (1), for the planes of the
// sides of both bodies' bounds.
func maxContactPressure(M, N *Compliant, X_MN r3.Pose) float64 {
	inM, inN := N.boundsAt(X_MN), M.boundsAt(X_MN.Inv())
	d := min(overlap(M.Bounds(), inM), overlap(N.Bounds(), inN))
	most := max(d, 0) / (1/M.steepest + 1/N.steepest)
	return most + 1e-9*max(M.modulus, N.modulus) // round-off
}

// boundsAt returns bounds of the body when it is placed at X.
func (c *Compliant) boundsAt(X r3.Pose) r3.Box {
	b := c.Bounds().Transform(X)
	for k := range 3 { // those of the ball around the origin are less where it is turned
		b.Min[k] = max(b.Min[k], X.P[k]-c.reach)
		b.Max[k] = min(b.Max[k], X.P[k]+c.reach)
	}
	return b
}

// overlap returns how far one box would have to move for two not to overlap.
func overlap(a, b r3.Box) float64 {
	d := math.Inf(1)
	for k := range 3 {
		d = min(d, a.Max[k]-b.Min[k], b.Max[k]-a.Min[k])
	}
	return d
}

// seenCells are the parts of N's cells with at most a pressure, as they stand in the
// frame of the other body M, and those of M's cells.
type cellProbe struct {
	M, N             *Compliant
	at               *placedVerts
	tol, maxPressure float64

	probe bvh.Probe
	// of the parts of M's cells
	box []r3.Box
	// those that are known
	seen stampSet
	// scratch
	cell cellCorners
	mine bvh.Probe
}

// reset forgets all.
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

// Meets implements bvh.Prober. Cells reach deep: most boxes that meet do so where the
// pressure is more than can touch.
func (s *cellProbe) Meets(i int32, box *r3.Box) bool {
	if s.M.pressure[i].hi <= s.maxPressure {
		return s.probe.Meets(box)
	}
	if s.seen.add(i) {
		s.cell.load(s.M, i)
		s.cell.below(s.M.p, s.maxPressure, &s.mine)
		s.box[i] = s.mine.Box
	}
	return s.probe.Meets(&s.box[i])
}

// below sets b to the bounds of the part of the cell where the pressure, p at vertices,
// is at most most.
func (c *cellCorners) below(p []float64, most float64, b *bvh.Probe) {
	b.Clear()
	c.above = 0
	for k := range c.t.verts {
		c.s[k] = p[c.v[k]] - most
		if c.s[k] > 0 {
			c.above |= 1 << k
		} else {
			b.Extend(&c.x[k])
		}
	}
	var x r3.Vec
	for _, e := range c.t.cuts[c.above] {
		from, s := &c.x[e.a], c.s[e.a]
		x.SetSub(&c.x[e.b], from)
		x.SetScale(s/(s-c.s[e.b]), &x)
		x.SetAdd(from, &x)
		b.Extend(&x)
	}
}
