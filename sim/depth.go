package sim

import (
	"fmt"
	"math"
)

// checkDepth returns an error if a rigid body that can move is deeper in another than it is
// thick: it is inside altogether, and contact does not show any longer on which side it belongs. The
// error names both bodies and what to do about it. A thin plate that is pressed does not count:
// bodies may reach through it for a while, as soft contact laws let them. Faces of pressure
// fields and of deformables are not measured.
func (s *Stepper) checkDepth() error {
	for i := range s.contacts {
		c := &s.contacts[i]
		if c.Phi >= 0 || c.Area > 0 {
			continue
		}
		a, b := s.movingThickness(c.A.Body, c.Elem[0]), s.movingThickness(c.B.Body, c.Elem[1])
		if -c.Phi <= min(a, b) {
			continue
		}
		deep, in := c.A.Body, c.B.Body
		if b < a {
			deep, in = in, deep
		}
		return fmt.Errorf("%s is %.3g mm deep in %s, more than its thickness of %.3g mm, so that contact may push it out on the wrong side: "+
			"place the bodies apart at the start (no_contact if they may overlap), or use a shorter time.step or stiffer materials",
			s.BodyName(deep), -1e3*c.Phi, s.BodyName(in), 1e3*min(a, b))
	}
	return nil
}

// movingThickness returns the thickness of a geom of a body, m; infinite for bodies that no
// force moves.
func (s *Stepper) movingThickness(body int, geom int32) float64 {
	if s.Geometry.IsKinematic(body) {
		return math.Inf(1)
	}
	return s.Geometry.Thickness(int(geom))
}
