package sim

// Contact of pressure fields is passive in every step: what fields store at its end, where bodies
// really are, is not more than what they stored at its start and what bodies gave them. With the energy U
// of a contact surface (geometry/hydroelastic_end.go), and the normal impulses γ_n and velocities c_n of its faces,
//
//	gained = U(q⁺) − U(q) − W,   W = −Σ γ_n c_n                              (1)
//	gained ≤ ε s,   s = T_A + T_B + U(q) + max(0, W) + ½ (m_A + m_B) h² g²    (2)
//
// with the kinetic energies T at the start of the step and masses m of the trees of both bodies, of which those that a
// prescribed joint carries count as 0. The surface in the problem is linear about one pose: its
// areas, normals and faces are constant, while teeth of gears meet and part within a step. Overlap that
// it does not know of gives energy back in the next step that no body gave, and a wheel jumped by teeth. A chain of impacts
// through many bodies, which needs one detection for each of them, ends the same way. Where (2) does not
// hold, the step is divided. Where its smallest parts do not keep it, the gain is reported, and one of more
// than s is an error: bodies have then gone through each other.
//
// Source: this program.

import (
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// surfaceGain is what contact surfaces store at the end of a step, and the work W on them in it, J.
type surfaceGain struct{ stored, work float64 }

// surfacesGain reports whether a step of h has to be divided because of (2).
func (s *Stepper) surfacesGain(x *State, h float64) (divide bool, err error) {
	g := &s.surfaceGain
	*g = surfaceGain{}
	pairs := s.Geometry.NumSurfacePairs()
	if pairs == 0 || s.rest.holds {
		return false, nil
	}
	s.findMotions(x, h)
	s.Geometry.FindSurfacesAtEnd(s.relinearized.motions)
	next := 0 // of the surfaces of the problem, which are those of pairs with faces
	for i := range pairs {
		u := s.Geometry.SurfaceEnergyOf(i)
		work := 0.0
		if next < len(s.surfaces) && s.surfaces[next].Elem == u.Elem {
			work = constraints.HydroelasticWork(&s.Problem, s.surfaceHandles[next])
			next++
		}
		g.stored += u.End
		g.work += work
		gained := u.End - u.Start - work // (1)
		scale := s.pairEnergy(u.A, h) + s.pairEnergy(u.B, h) + u.Start + max(0, work)
		switch {
		case gained <= stepGainTol*scale: // (2)
		case s.halvings < maxHalvings:
			return true, nil
		case gained > scale:
			return false, fmt.Errorf("%s and %s went through each other: their contact ends the step with %.3g J that no body gave, beside %.3g J "+
				"that there were; use a shorter time.step or a stiffer hydroelastic_modulus", s.BodyName(u.A), s.BodyName(u.B), gained, scale)
		default:
			s.Report.EnergyGained.note(gained, u.A, u.B)
		}
	}
	return false, nil
}

// pairEnergy returns the terms of a body in s of (2), J.
func (s *Stepper) pairEnergy(body int, h float64) float64 {
	if body == geometry.World || s.rigid.model.TreeOf(body) < 0 {
		return 0
	}
	return s.startEnergy(body) + 0.5*s.balance.masses[s.rigid.model.TreeOf(body)]*h*h*s.Model.Gravity.Norm2()
}
