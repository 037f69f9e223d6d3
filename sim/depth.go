package sim

import "fmt"

// checkDepth returns an error if a rigid body is deeper in another than the thinner of the
// two is thick: contact no longer knows on which side of it the other body belongs. It names
// both bodies and what to do about it. Faces of pressure fields and of deformables are not
// measured.
func (s *Stepper) checkDepth() error {
	for i := range s.contacts {
		c := &s.contacts[i]
		if c.Phi >= 0 || c.Area > 0 {
			continue
		}
		a, b := s.Geometry.Thickness(int(c.Elem[0])), s.Geometry.Thickness(int(c.Elem[1]))
		if -c.Phi <= min(a, b) {
			continue
		}
		thin := c.A.Body
		if b < a {
			thin = c.B.Body
		}
		return fmt.Errorf("%s and %s overlap by %.3g mm, more than the thickness of %s (%.3g mm), so that contact cannot tell its sides: "+
			"place them apart at the start (no_contact if they may overlap), or use a shorter time.step or stiffer materials",
			s.BodyName(c.A.Body), s.BodyName(c.B.Body), -1e3*c.Phi, s.BodyName(thin), 1e3*min(a, b))
	}
	return nil
}
