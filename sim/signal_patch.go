package sim

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// ContactSurfaceKind says what a Patch measures.
type ContactSurfaceKind int

// What a Patch measures over all patches between the bodies: the sum of their
// areas; the largest pressure of a face; normal force over area; the mean of the
// sliding speeds, weighted by normal force, and the largest; the centre of
// pressure; how many patches bear force.
const (
	ContactSurfaceArea ContactSurfaceKind = iota
	ContactSurfaceMaxPressure
	ContactSurfaceMeanPressure
	ContactSurfaceSlip
	ContactSurfaceMaxSlip
	ContactSurfaceCenter
	ContactSurfaceCount
)

// ContactSurfaceSignal is measured on the contact surfaces of a body: of pressure fields and of
// deformables, not at contact points.
type ContactSurfaceSignal struct {
	Body int
	From []int // scene bodies; empty: all
	Kind ContactSurfaceKind
	Of   Component // of PatchCenter
}

// Value implements Signal, m², Pa, m/s, m or 1. Without contact it is 0, but there
// is no centre: NaN.
func (g ContactSurfaceSignal) Value(s *Stepper, x *State) float64 {
	area, normal, top, slip, fastest, count := 0.0, 0.0, 0.0, 0.0, 0.0, 0
	var center r3.Vec
	patches := s.patchesOf(x)
	for i := range patches {
		p := &patches[i]
		switch {
		case p.A == g.Body && among(g.From, p.B):
		case p.B == g.Body && among(g.From, p.A):
		default:
			continue
		}
		count++
		area += p.Area
		normal += p.Normal
		top, fastest = math.Max(top, p.MaxPressure), math.Max(fastest, p.MaxSlip)
		slip += p.Normal * p.Slip
		center = center.AddScaled(p.Normal, p.Center_W)
	}
	switch g.Kind {
	case ContactSurfaceArea:
		return area
	case ContactSurfaceMaxPressure:
		return top
	case ContactSurfaceMaxSlip:
		return fastest
	case ContactSurfaceCount:
		return float64(count)
	}
	if count == 0 {
		if g.Kind == ContactSurfaceCenter {
			return math.NaN()
		}
		return 0
	}
	switch g.Kind {
	case ContactSurfaceMeanPressure:
		return normal / area
	case ContactSurfaceSlip:
		return slip / normal
	}
	return g.Of.of(center.Scale(1 / normal))
}

// patchesOf returns the patches of the step that led to a state.
func (s *Stepper) patchesOf(x *State) []ContactSurfaceReport {
	if !s.took(x) {
		return nil
	}
	return s.Report.ContactSurfaces()
}
