package hydroelastic

import (
	"math"

	"curlfree/bvh"
	"curlfree/r3"
)

// Two fields touch where their pressures are equal, so at no pressure that one of them
// cannot have where the bodies overlap. A field is nowhere positive at the bounds of
// its body and nowhere steeper than in its steepest cell: at a depth d below the bounds
//
//	p ≤ d max |∇p|                                                        (1)
//
// Cells reach deep into most bodies, and bodies little into each other: of a cell only
// the part counts in which the pressure is below such a bound.

// mostPressure bounds the pressure at which M and N touch.
func mostPressure(M, N *Compliant, X_MN r3.Pose) float64 {
	most := min(
		M.mostIn(N.Bounds().Transform(X_MN)),
		N.mostIn(M.Bounds().Transform(X_MN.Inv())))
	return most + 1e-9*max(M.modulus, N.modulus) // round-off
}

// mostIn bounds the pressure in a box of the body's frame.
func (c *Compliant) mostIn(box r3.Box) float64 {
	bounds := c.Bounds()
	d := math.Inf(1)
	for k := range 3 {
		d = min(d, box.Max[k]-bounds.Min[k], bounds.Max[k]-box.Min[k])
	}
	return max(d, 0) * c.steepest // (1)
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
	x := s.at.at(v).Lerp(*s.at.at(w), a/(a-b))
	s.probe.Extend(&x)
}
