package sim

// What steps of the midpoint rule read before the solve: masses of contacts, velocities by which lagged quantities are
// read, and impacts that the step does not resolve (constraints/impact.go), whose bodies take them with another θ.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// InverseMass implements constraints.InverseMasses.
func (k kinematics) InverseMass(f geometry.MaterialPoint, p_W, dir_W r3.Vec) float64 {
	rigid := k.s.Model.Geometry.NumRigid
	switch {
	case f.Body == geometry.World:
		return 0
	case f.Body < rigid:
		return k.s.rigid.InverseMass(f.Body, &p_W, &dir_W)
	}
	return k.s.deformables[f.Body-rigid].model.InverseMass(f.Vert[:f.N], f.W[:f.N])
}

// beginMidpoint gives the problem the velocities by which lagged quantities are read under the midpoint rule.
func (s *Stepper) beginMidpoint() {
	p := &s.Problem
	p.BeginMidpoint()
	if s.rigid != nil && s.rigid.model.NumV() > 0 {
		_, n := s.rigid.Size()
		s.rigid.SlipVelocities(p.Slip[:n])
		step := s.rigid.Integrated()
		if len(step.W) > 0 {
			copy(p.Lagged[:n], step.W)
		}
		for t := range s.numTrees() {
			p.Theta[p.Cliques[t].First] = math.Max(step.Theta, s.impacts[t])
		}
	}
	for i, b := range s.deformables {
		c, step := &p.Cliques[s.numTrees()+i], b.Integrated()
		for j := range c.Nodes {
			p.Theta[int(c.First)+j] = step.Theta
		}
		if len(step.W) == 0 {
			continue
		}
		for v := range b.model.NumVerts() {
			n := b.model.Node(int32(v))
			if n < 0 {
				continue
			}
			at := c.Offset + 3*int(n)
			for k := range 3 {
				p.Lagged[at+k] = step.W[3*v+k]
				p.Slip[at+k] += 0.5 * step.ChangeRatio * step.DV[3*v+k]
			}
		}
	}
}

// findImpacts gives bodies that meet others within the step the θ that their impacts want.
func (s *Stepper) findImpacts(x *State, h float64) {
	s.measureImpacts(x, h)
	for i, by := range s.impactShift {
		s.impacts[i] += by
	}
	trees := s.numTrees()
	for t := range trees {
		s.rigid.SetImpact(t, s.impacts[t])
	}
	for i, b := range s.deformables {
		if theta := s.impacts[trees+i]; theta > b.Integrated().Theta {
			b.Integrate(b.Integrated().Impact(theta))
		}
	}
}

// measureImpacts computes the θ that impacts of each body want, 0 for none, and notes the contact of each.
func (s *Stepper) measureImpacts(x *State, h float64) {
	clear(s.impacts)
	clear(s.impactNext)
	if s.rigid != nil {
		s.rigid.PlaceComposites()
	}
	for i := range s.contacts {
		s.measureImpact(x, i, h)
	}
	s.meets = -1
	for i := range s.surfaces {
		s.findSurfaceImpact(x, &s.surfaces[i], h)
	}
	s.findLimits(h)
	s.findStops(x, h)
	s.begun = x
	s.findClosings(h)
	s.shareImpacts()
}

// measureImpact notes the impact of contact i.
func (s *Stepper) measureImpact(x *State, i int, h float64) {
	c := &s.contacts[i]
	s.meets = i
	if c.Core {
		s.findCoreImpact(x, c, h)
		return
	}
	pair, err := s.Model.ContactMaterials.Pair(c)
	if err != nil {
		return // the step reports it where it appends the contact
	}
	approach := s.velocityAt(x, &c.B, &c.Pos_W).Sub(s.velocityAt(x, &c.A, &c.Pos_W)).Dot(c.Normal_W)
	if !(approach < 0) || !(c.Phi+h*approach < 0) {
		return
	}
	impact := constraints.ContactImpact(s.Model.Contact, c, &pair, approach, constraints.ContactInverseMass(c, s.kin))
	s.noteImpact(c.A.Body, &impact, h)
	s.noteImpact(c.B.Body, &impact, h)
}

// findCoreImpact notes a contact of a core, which gives nothing back.
func (s *Stepper) findCoreImpact(x *State, c *geometry.Contact, h float64) {
	approach := s.velocityAt(x, &c.B, &c.Pos_W).Sub(s.velocityAt(x, &c.A, &c.Pos_W)).Dot(c.Normal_W)
	impact := constraints.Impact{Gap: c.Phi, Approach: approach, Stiffness: math.Inf(1), InverseMass: constraints.ContactInverseMass(c, s.kin)}
	s.noteImpact(c.A.Body, &impact, h)
	s.noteImpact(c.B.Body, &impact, h)
}

// findSurfaceImpact notes the impact of a contact surface, with the stiffness of all its faces along their mean normal
// and the least of their gaps, or that of the first touch where it was sought.
func (s *Stepper) findSurfaceImpact(x *State, c *geometry.HydroelasticContact, h float64) {
	pair, err := s.Model.ContactMaterials.HydroelasticPair(c)
	if err != nil {
		return // the step reports it where it appends the surface
	}
	var ok bool
	at := &s.surfaceContact
	if *at, pair.Stiffness, ok = constraints.SurfaceContact(c); !ok {
		return
	}
	approach := s.velocityAt(x, &at.B, &at.Pos_W).Sub(s.velocityAt(x, &at.A, &at.Pos_W)).Dot(at.Normal_W)
	at.Phi = math.Max(at.Phi, -c.Touch*h*approach)
	impact := constraints.ContactImpact(s.Model.Contact, at, &pair, approach, constraints.ContactInverseMass(at, s.kin))
	s.noteImpact(c.A, &impact, h)
	s.noteImpact(c.B, &impact, h)
}

// limitImpact is a limit of joints, which stops them within a step.
type limitImpact interface {
	Impact(k constraints.Kinematics, h, w float64) (constraints.Impact, bool)
	constraints.Described
}

// limit is a limit of a model, with the velocities of its joints.
type limit struct {
	at   limitImpact
	dofs []int
}

// limitsOf returns the limits of a model.
func limitsOf(m *Model) (all []limit) {
	for _, c := range m.Constraints {
		if l, ok := c.(limitImpact); ok {
			all = append(all, limit{l, l.Describe().Dofs})
		}
	}
	return all
}

// findLimits notes joints that reach their limits within the step.
func (s *Stepper) findLimits(h float64) {
	for i := range s.limits {
		l := &s.limits[i]
		// limits are stiff against any inertia
		impact, ok := l.at.Impact(s.kin, h, math.Inf(1))
		if !ok {
			continue
		}
		for _, dof := range l.dofs {
			s.noteImpact(s.rigid.model.LinkOfDof(dof), &impact, h)
		}
	}
}

// noteImpact notes an impact of a body.
func (s *Stepper) noteImpact(body int, impact *constraints.Impact, h float64) {
	rigid := s.Model.Geometry.NumRigid
	switch {
	case body == geometry.World:
	case body < rigid:
		if t := s.rigid.model.TreeOf(body); t >= 0 {
			s.noteTheta(t, impact.Theta(h, s.leastTheta(s.rigid.Integrated()), math.Inf(1)))
		}
	default:
		b := s.deformables[body-rigid]
		s.noteTheta(s.numTrees()+body-rigid, impact.Theta(h, s.leastTheta(b.Integrated()), h*h*b.model.WaveRate2()))
	}
}

// noteTheta notes a θ that an impact of a body wants: trees come first.
func (s *Stepper) noteTheta(body int, theta float64) {
	if theta > s.impacts[body] {
		s.impactNext[body] = s.impacts[body]
		s.impacts[body], s.impactContact[body] = theta, s.meets
		return
	}
	s.impactNext[body] = math.Max(s.impactNext[body], theta)
}

// leastTheta returns θ of a body that meets nothing.
func (s *Stepper) leastTheta(step *timestep.Step) float64 { return math.Max(step.Theta, 0.5) }

// velocityAt returns the velocity of a point of a contact at the start of the step, m/s.
func (s *Stepper) velocityAt(x *State, f *geometry.MaterialPoint, p_W *r3.Vec) (v r3.Vec) {
	rigid := s.Model.Geometry.NumRigid
	switch {
	case f.Body == geometry.World:
		return v
	case f.Body < rigid:
		w, u := s.rigid.StepVelocity(f.Body)
		return u.Add(w.Cross(p_W.Sub(s.Geometry.X_WB[f.Body].P)))
	}
	u := s.velocitiesOf(x, f.Body-rigid)
	for i := range f.N {
		j := 3 * f.Vert[i]
		v = v.AddScaled(f.W[i], r3.Vec(u[j:j+3]))
	}
	return v
}

var _ constraints.InverseMasses = kinematics{}
