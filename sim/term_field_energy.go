package sim

// Contact of pressure fields is passive in every step: what fields store at its end, where bodies
// really are, is not more than what they stored at its start and what bodies gave them. With the energy U
// of a contact surface (geometry/hydroelastic_end.go), and the normal impulses γ_n and velocities c_n of its faces,
//
//	gained = U(q⁺) − U(q) − W,   W = −Σ γ_n c_n                              (1)
//	gained ≤ ε s,   s = T_A + T_B + U(q) + max(0, W) + ½ (m_A + m_B) h² g²    (2)
//
// with the kinetic energies T at the start of the step and the masses m of the trees of both bodies; those that a
// prescribed joint carries count as 0. The surface in the problem is linear about one pose: it has the areas
// and normals of that pose, while teeth of gears meet and part within a step. Overlap that it does not include gives
// bodies energy in later steps that no body gave. So does the end of a chain of impacts through many bodies, each of
// which needs a detection of its own. A step that does not keep (2) is divided. In its smallest parts
//
//	s' = s + ½ (m_A + m_B) (δ/h)²                                            (3)
//
// with the relative motion δ takes the place of s, since a prescribed body gives energy at its speed. There a gain
// beyond ε s' is reported, and one of more than s' is an error: bodies have gone through each other.
//
// Source: this program.

import (
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// fieldEnergy is the term of (2).
type fieldEnergy struct {
	plainTerm
	work []float64 // W of each pair, J
	open []int     // pairs of which the bound of U(q⁺) does not show (2)
	// stored is Σ U(q⁺), of pairs whose bound suffices that at the start; total is Σ W, J
	stored, total float64
	// lost is what bodies lost of the work of all these contacts at once (constraints.LostWork), J
	lost float64
	// pair are the bodies that store the most
	pair [2]int
	most float64
}

var fieldEnergyKind = termKind{name: "field_energy", unit: "J", again: "contact surfaces change so much that the step is divided"}

// add adds what a pair stores at the end, J.
func (g *fieldEnergy) add(stored float64, bodies [2]int) {
	g.stored += stored
	if stored > g.most {
		g.most, g.pair = stored, bodies
	}
}

// measure returns the largest gain of a pair, J.
func (g *fieldEnergy) measure(s *Stepper) (worst defect) {
	data, h := s.Geometry, s.iterate.h
	*g = fieldEnergy{work: g.work[:0], open: g.open[:0]}
	if data.NumSurfacePairs() == 0 {
		return worst
	}
	motions := s.iterate.follow(s)
	next := 0 // of the surfaces of the problem, which are those of pairs with faces
	for i := range data.NumSurfacePairs() {
		work, lost := 0.0, 0.0
		bodies, geoms := data.SurfacePair(i)
		if next < len(s.surfaces) && s.surfaces[next].Elem == geoms {
			work, lost = constraints.HydroelasticWork(&s.Problem, s.surfaceHandles[next], s.vNext)
			next++
		}
		g.work, g.total, g.lost = append(g.work, work), g.total+work, g.lost+lost
		if data.IsKinematic(bodies[0]) && data.IsKinematic(bodies[1]) {
			continue // no energy moves them
		}
		if gained, scale := g.gainOf(s, i, h, data.BoundEnergyAtEnd(i, motions)); gained > stepGainTol*scale {
			g.open = append(g.open, i)
		} else {
			g.add(data.EnergyAtStart(i), bodies)
		}
	}
	data.FindSurfacesAtEnd(g.open, motions)
	for _, i := range g.open {
		stored := data.EnergyAtEnd(i)
		gained, scale := g.gainOf(s, i, h, stored)
		bodies, _ := data.SurfacePair(i)
		g.add(stored, bodies)
		if ratio := gained / (stepGainTol * scale); ratio > worst.ratio {
			worst = defect{ratio: ratio, value: gained, bodies: bodies}
		}
	}
	return worst
}

// leave reports gains in the smallest parts, and refuses those by which bodies go through each other.
func (g *fieldEnergy) leave(s *Stepper, _ defect) error {
	data, h := s.Geometry, s.iterate.h
	for _, i := range g.open {
		gained, scale := g.gainOf(s, i, h, data.EnergyAtEnd(i))
		if gained <= stepGainTol*scale { // (2)
			continue
		}
		bodies, _ := data.SurfacePair(i)
		speed := data.RelativeMotion(i, s.iterate.follow(s)) / h
		scale += 0.5 * (s.massOfTree(bodies[0]) + s.massOfTree(bodies[1])) * speed * speed // (3)
		switch {
		case gained <= stepGainTol*scale:
		case gained > scale:
			return fmt.Errorf("%s and %s went through each other: their contact ends the step with %.3g J that no body gave, beside %.3g J "+
				"that there were; use a shorter time.step or a stiffer hydroelastic_modulus", s.BodyName(bodies[0]), s.BodyName(bodies[1]), gained, scale)
		default:
			s.Report.EnergyGained.note(gained, bodies[0], bodies[1], s.iterate.state.endTime(h), scale)
		}
	}
	return nil
}

// gainOf returns (1) and s of (2) for a pair that stores the given energy at the end, J.
func (g *fieldEnergy) gainOf(s *Stepper, pair int, h, stored float64) (gained, scale float64) {
	bodies, _ := s.Geometry.SurfacePair(pair)
	start, work := s.Geometry.EnergyAtStart(pair), g.work[pair]
	return stored - start - work, s.pairEnergy(bodies[0], h) + s.pairEnergy(bodies[1], h) + start + max(0, work)
}

// pairEnergy returns the terms of a body in s of (2), J.
func (s *Stepper) pairEnergy(body int, h float64) float64 {
	return s.startEnergy(body) + 0.5*s.massOfTree(body)*h*h*s.Model.Gravity.Norm2()
}

// massOfTree returns the mass of the tree of a rigid body, kg; 0 of bodies that no force moves.
func (s *Stepper) massOfTree(body int) float64 {
	if body == geometry.World || s.rigid.model.TreeOf(body) < 0 {
		return 0
	}
	return s.balance.masses[s.rigid.model.TreeOf(body)]
}
