package sim

import "github.com/curlfree/curlfree/r3"

// KineticEnergy returns the kinetic energy of all bodies at the state x, at which the
// geometry is placed, J.
func (s *Stepper) KineticEnergy(x *State) float64 {
	e := 0.0
	if s.rigid != nil {
		e += s.rigid.KineticEnergy()
	}
	for i := range s.deformables {
		e += s.deformables[i].KineticEnergy(s.velocitiesOf(x, i))
	}
	return e
}

// potentialEnergy returns the potential energy of all bodies in gravity, J; zero where
// their centres of mass are at the world's origin.
func (s *Stepper) potentialEnergy() float64 {
	e := 0.0
	if s.rigid != nil {
		e += s.rigid.PotentialEnergy(s.Model.Gravity)
	}
	for _, b := range s.deformables {
		e += b.PotentialEnergy(s.Model.Gravity)
	}
	return e
}

// elasticEnergy returns the energy of the springs of joints and among the constraints, and the strain energy of
// deformables, J.
func (s *Stepper) elasticEnergy() float64 {
	e := s.springEnergy()
	if s.rigid != nil {
		e += s.rigid.SpringEnergy()
	}
	for _, b := range s.deformables {
		e += b.ElasticEnergy()
	}
	return e
}

// momentum returns the linear momentum of all bodies, N s.
func (s *Stepper) momentum(x *State) r3.Vec {
	var p r3.Vec
	if s.rigid != nil {
		p = s.rigid.Momentum()
	}
	for i := range s.deformables {
		p = p.Add(s.deformables[i].Momentum(s.velocitiesOf(x, i)))
	}
	return p
}

// velocitiesOf returns the velocities of the vertices of deformable i, three each.
func (s *Stepper) velocitiesOf(x *State, i int) []float64 {
	// they stand behind those of rigid bodies and earlier deformables
	o := s.offsetV(s.Model.Geometry.NumRigid + i)
	_, nv := s.deformables[i].Size() // fixed vertices included
	return x.V[o : o+nv]
}

// Inverted returns the number of elements of deformable i that are inside out, det F ≤ 0 at their centres, at the state
// at which the geometry is placed.
func (s *Stepper) Inverted(i int) int { return s.deformables[i].Data.Inverted() }

// Stretch returns the least and the largest principal stretch of elements of deformable i, at their centres, at the
// state at which the geometry is placed.
func (s *Stepper) Stretch(i int) (least, most float64) { return s.deformables[i].Data.Stretch() }

// VonMises returns the von Mises stress of each tetrahedron of deformable i at the state
// at which the geometry is placed, Pa. The slice is valid until the next call.
func (s *Stepper) VonMises(i int) []float64 {
	b := s.deformables[i]
	b.vonMises = b.Data.VonMises(b.vonMises)
	return b.vonMises
}
