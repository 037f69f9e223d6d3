package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// RelativePenetration is the deepest overlap of two bodies in a step, compared with their
// thickness. From half of the thickness on, contact may push a body out on the wrong side.
type RelativePenetration struct {
	// Ratio is the depth over the thickness; 0 without overlap.
	Ratio float64
	// Depth is the overlap at the start of the step, m.
	Depth float64
	// Bodies are the scene bodies; the first may be geometry.World.
	Bodies [2]int
}

// PenetratedBy names the two bodies of the deepest overlap.
func (s *Stepper) PenetratedBy(p *RelativePenetration) string {
	return fmt.Sprintf("%s and %s", s.BodyName(p.Bodies[0]), s.BodyName(p.Bodies[1]))
}

// relativePenetration returns the deepest overlap of the contacts. At points it counts
// against the thinner of two rigid bodies, on a deformable against the rigid body; between
// pressure fields, which both give way, against the bodies with fields together. Contacts of
// two deformables are left out: their thickness changes. So are contacts that term_gaps.go
// adds: their gap at the start is that of points that meet at the end, not of the bodies.
func (s *Stepper) relativePenetration() (p RelativePenetration) {
	note := func(depth, thickness float64, a, b int) {
		if ratio := depth / thickness; ratio > p.Ratio {
			p = RelativePenetration{ratio, depth, [2]int{a, b}}
		}
	}
	for i := range s.detected {
		c := &s.detected[i]
		if c.Phi < 0 {
			note(-c.Phi, math.Min(s.rigidThickness(c.A.Body, c.Elem[0]), s.rigidThickness(c.B.Body, c.Elem[1])), c.A.Body, c.B.Body)
		}
	}
	for i := range s.surfaces {
		c := &s.surfaces[i]
		thickness, depth := 0.0, 0.0
		for _, geom := range c.Elem {
			if s.Model.Geometry.Geoms[geom].Field.Compliant() {
				thickness += s.Geometry.Thickness(int(geom))
			}
		}
		for k := range c.Surface.Faces {
			depth = math.Max(depth, c.Surface.Faces[k].Depth)
		}
		if depth > 0 {
			note(depth, thickness, c.A, c.B)
		}
	}
	return p
}

// rigidThickness returns the least extent of the geom on a rigid side of a contact, m; +Inf
// on a deformable.
func (s *Stepper) rigidThickness(body int, elem int32) float64 {
	if body != geometry.World && s.isDeformable(body) {
		return math.Inf(1)
	}
	return s.Geometry.Thickness(int(elem))
}
