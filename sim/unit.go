package sim

// A SignalSpec alone does not determine the unit of a joint's position: it is that of the joint, which the model has.
// Signals that depend on a joint state it here, so that tables, charts and logs say rad or m and not both.

import "github.com/curlfree/curlfree/r3"

// modelUnit is implemented by signals whose unit follows from the model.
type modelUnit interface {
	// unitIn returns the SI unit in a model that has its bodies and constraints; empty where it does not determine it.
	unitIn(m *Model) string
}

// derivedSignal is implemented by signals that are made of one other signal of the model, whose unit they have.
type derivedSignal interface{ derivedFrom() int }

// signalUnit returns the unit of a signal of a model.
func signalUnit(m *Model, spec SignalSpec, s Signal) string {
	if g, ok := s.(modelUnit); ok {
		if u := g.unitIn(m); u != "" {
			return u
		}
	}
	return spec.Unit()
}

// dofUnit returns the unit for a degree of freedom that turns its link, or for one that only slides it. A screw turns:
// its position is an angle.
func (m *Model) dofUnit(dof int, turns, slides string) string {
	link := m.Rigid.LinkOfDof(dof)
	joint := m.Rigid.Link(link).Joint
	nq, _ := joint.Size()
	q := make([]float64, nq)
	joint.Zero(q)
	if w, _ := joint.Subspace_FM(q, dof-m.Rigid.VStart(link)); w != (r3.Vec{}) {
		return turns
	}
	return slides
}
