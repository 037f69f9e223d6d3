package sim

import "github.com/curlfree/curlfree/r3"

// KineticEnergy returns the kinetic energy of all bodies at the state that the
// scene is placed at, J.
func (s *Stepper) KineticEnergy(x *State) float64 {
	e := 0.0
	if s.rigid != nil {
		e += s.rigid.KineticEnergy()
	}
	for i := range s.soft {
		e += s.soft[i].KineticEnergy(s.softV(x, i))
	}
	return e
}

func (s *Stepper) potentialEnergy() float64 {
	e := 0.0
	if s.rigid != nil {
		e += s.rigid.PotentialEnergy(s.Model.Gravity)
	}
	for _, b := range s.soft {
		e += b.PotentialEnergy(s.Model.Gravity)
	}
	return e
}

func (s *Stepper) elasticEnergy() float64 {
	e := 0.0
	if s.rigid != nil {
		e += s.rigid.SpringEnergy()
	}
	for _, b := range s.soft {
		e += b.ElasticEnergy()
	}
	return e
}

func (s *Stepper) momentum(x *State) r3.Vec {
	var p r3.Vec
	if s.rigid != nil {
		p = s.rigid.Momentum()
	}
	for i := range s.soft {
		p = p.Add(s.soft[i].Momentum(s.softV(x, i)))
	}
	return p
}

// softV returns a deformable's velocities.
func (s *Stepper) softV(x *State, soft int) []float64 {
	o := s.offsetV(s.Model.Geometry.NumRigid + soft)
	_, nv := s.soft[soft].Size()
	return x.V[o : o+nv]
}

// VonMises returns the von Mises stress (Pa) of a deformable's tets where the
// scene is placed; the slice holds until the next call.
func (s *Stepper) VonMises(soft int) []float64 {
	b := s.soft[soft]
	b.vonMises = b.Data.VonMises(b.vonMises)
	return b.vonMises
}
