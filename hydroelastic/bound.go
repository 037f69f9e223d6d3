package hydroelastic

import (
	"math"

	"curlfree/bvh"
	"curlfree/r3"
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
func mostPressure(M, N *Compliant, X_MN r3.Pose) float64 {
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
// frame of the other body.
type seenCells struct {
	N         *Compliant
	at        *placed
	tol, most float64
	probe     bvh.Probe
}

// Probe implements bvh.Prober.
func (s *seenCells) Probe(j int32) *bvh.Probe {
	p := &s.probe
	p.Clear()
	cl := &s.N.cells[j]
	t := cl.topology()
	for _, v := range cl.v[:t.verts] {
		if s.N.p[v] <= s.most {
			p.Extend(s.at.at(v))
		}
	}
	if s.N.on[j].hi > s.most {
		for _, e := range t.edges {
			s.cut(cl.v[e[0]], cl.v[e[1]])
		}
	}
	p.Inflate(s.tol)
	return p
}

// cut adds the end of the part on an edge that leaves it.
func (s *seenCells) cut(v, w int32) {
	a, b := s.N.p[v]-s.most, s.N.p[w]-s.most
	if a <= 0 == (b <= 0) {
		return
	}
	var x r3.Vec
	from := s.at.at(v)
	x.SetSub(s.at.at(w), from)
	x.SetScale(a/(a-b), &x)
	x.SetAdd(from, &x)
	s.probe.Extend(&x)
}
