package sim

// Springs among the constraints as parts of the balance of energy (energy_balance.go).

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// springPart is a constraint that stores energy.
type springPart struct {
	constraint int // of the model
	at         constraints.Described
	terms      int   // that it appends
	bodies     []int // on it, without the world
	// carried reports that a prescribed joint carries one of them, at a velocity that its bias has.
	carried bool
}

// newSpringParts returns those of a stepper's model.
func newSpringParts(s *Stepper) (list []springPart) {
	m := s.Model
	for i, c := range m.Constraints {
		at, ok := c.(constraints.Described)
		if !ok {
			continue
		}
		about := at.Describe()
		if !about.HasSpring() {
			continue
		}
		part := springPart{constraint: i, at: at, terms: about.Terms}
		bodies := about.Bodies()
		for _, dof := range about.Dofs {
			bodies = append(bodies, m.Rigid.LinkOfDof(dof))
		}
		for _, body := range bodies {
			if body == geometry.World || slices.Contains(part.bodies, body) {
				continue
			}
			part.bodies = append(part.bodies, body)
			if body < m.Geometry.NumRigid {
				part.carried = part.carried || m.Rigid.IsCarried(body)
			}
		}
		list = append(list, part)
	}
	return list
}

// springEnergy returns the energy of all springs among the constraints at the placed state, J.
func (s *Stepper) springEnergy() (e float64) {
	for i := range s.balance.springs {
		e += s.balance.springs[i].at.StoredEnergy(s.kin)
	}
	return e
}

// checkSprings applies (2) of energy_balance.go to springs.
func (s *Stepper) checkSprings() {
	b, first := &s.balance, len(s.Problem.Cliques)+1
	for i := range b.springs {
		c := &b.springs[i]
		e := c.at.StoredEnergy(s.kin)
		scale := e
		for _, body := range c.bodies {
			scale += s.startEnergy(body)
		}
		s.checkPart(first+i, energyOf{e, e, energyTol*scale + leastEnergy, scale}, c.constraint, isSpring)
	}
}

// addSpringWork adds the work of bodies on springs to their references: by the velocities of the bodies, without what
// the rows of springs add to follow their direction.
func (s *Stepper) addSpringWork() {
	b, p := &s.balance, &s.Problem
	for i := range b.springs {
		c := &b.springs[i]
		last := s.modelTerms[c.constraint]
		if last < 0 {
			continue
		}
		work := 0.0
		for h := last - cliques.Handle(c.terms) + 1; h <= last; h++ {
			v, row := p.Velocity(h), p.Constraints[h].Row
			for r, y := range p.Impulse(h) {
				rate := v[r]
				if !c.carried {
					rate -= p.Bias[row+r]
				}
				work -= y * rate
			}
		}
		b.addWork(len(p.Cliques)+1+i, work)
	}
}
