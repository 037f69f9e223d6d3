package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
)

// Failures of a step are found by the index of a velocity, node or constraint of the
// problem. This file finds the body, contact or constraint of the model that such an
// index belongs to, for the error message. All but checkState and checkSolution runs only
// when a step fails.

// Errors contain the names of the scene instead of numbers, so that the user of a long run that
// fails finds the faulty item.

// checkState reports a state that is not finite, before it reaches geometry.
func (s *Stepper) checkState(x *State) error {
	// each subsystem has its own part of the state
	iq, iv := 0, 0
	for k, b := range s.subsystems {
		nq, nv := b.Size()
		if len(x.Q) < iq+nq || len(x.V) < iv+nv {
			panic("sim: the state has not the model's length")
		}
		// name the body of the first number that is not finite
		if i := notFinite(x.Q[iq : iq+nq]); i >= 0 {
			return fmt.Errorf("sim: state at t = %.6g s: the position of %s is not finite", x.Time, s.ownerOfPosition(k, i))
		}
		if i := notFinite(x.V[iv : iv+nv]); i >= 0 {
			return fmt.Errorf("sim: state at t = %.6g s: the velocity of %s is not finite", x.Time, s.ownerOfVelocity(k, i))
		}
		iq, iv = iq+nq, iv+nv
	}
	if len(x.Q) != iq || len(x.V) != iv {
		panic("sim: the state has not the model's length")
	}
	if m := &x.Memory; len(m.W) > 0 && (len(m.W) != iv || len(m.DV) != iv) {
		panic("sim: State.Memory has not the model's length")
	}
	return nil
}

// maxVelocity is the velocity, m/s or rad/s, from which a solution has no meaning: bodies would be
// faster than light. Numbers of a step that went astray reach 1e200 before they overflow, and
// tables should have none of them.
const maxVelocity = 1e9

// checkSolution reports velocities that are not finite, or have no meaning.
func (s *Stepper) checkSolution() error {
	for i, v := range s.vNext {
		if math.Abs(v) <= maxVelocity {
			continue
		}
		what := "not finite"
		if notFinite(s.vNext[i:i+1]) < 0 {
			what = fmt.Sprintf("%.3g, faster than light", math.Abs(v))
		}
		return fmt.Errorf("the velocity of %s is %s: look for extreme forces, stiffness or masses, or a step too long", s.ownerOfSolved(i), what)
	}
	return nil
}

// checkJoints reports a joint that has no step with the velocities solved.
func (s *Stepper) checkJoints(x *State, h float64) error {
	if s.rigid == nil {
		return nil
	}
	nq, nv := s.rigid.Size()
	return s.rigid.CheckStep(h, s.vNext[:nv], x.Q[:nq])
}

// singularJoint returns an error that names a joint of a node's tree in a singular configuration, or nil.
func (s *Stepper) singularJoint(node cliques.Node) error {
	if s.rigid == nil || s.Problem.NodeOffset[node] >= s.solved[0] {
		return nil
	}
	return s.rigid.SingularJoint(s.rigid.model.TreeOfDof(s.Problem.NodeOffset[node]))
}

// notFinite returns the first index at which x is NaN or infinite, or −1. The first one is
// named because what follows in the same body is usually infected by it.
func notFinite(x []float64) int {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return i
		}
	}
	return -1
}

// attribute adds the name of the body or constraint at fault to an error of the solver. The
// solver has the problem as numbered nodes and terms only; what a user can act on is the
// name that his scene gives them. Errors of other kinds are returned as they are.
func (s *Stepper) attribute(err error) error {
	// the solver identifies nodes and constraints by number
	var indefinite *convex.IndefiniteError
	var nonFinite *convex.NonFiniteError
	var unsolved *convex.NotConvergedError
	switch {
	// the constraint along whose equations most of the residual is left
	case errors.As(err, &unsolved) && unsolved.Stats.Worst >= 0:
		return fmt.Errorf("%s, with the contact law %s: %w", s.termName(unsolved.Stats.Worst), typeName(s.Model.Contact), err)
	case errors.As(err, &indefinite) && s.singularJoint(indefinite.Node) != nil:
		return fmt.Errorf("%w: %w", s.singularJoint(indefinite.Node), err)
	// the body whose block of A is not positive definite
	case errors.As(err, &indefinite):
		return fmt.Errorf("%s has a momentum matrix that is not positive definite: look for masses, inertias or stiffnesses that differ by many orders, or a step too long: %w",
			s.ownerOfNode(indefinite.Node, indefinite.Row), err)
	// a joint in a singular configuration makes the matrix of its tree singular
	case errors.As(err, &nonFinite) && nonFinite.Node >= 0 && s.singularJoint(nonFinite.Node) != nil:
		return fmt.Errorf("%w: %w", s.singularJoint(nonFinite.Node), err)
	// the constraint or body with a number that is not finite
	case errors.As(err, &nonFinite) && nonFinite.Constraint >= 0:
		return fmt.Errorf("%s: %w", s.termName(nonFinite.Constraint), err)
	case errors.As(err, &nonFinite) && nonFinite.Node >= 0:
		return fmt.Errorf("%s: %w", s.ownerOfNode(nonFinite.Node, nonFinite.Row), err)
	}
	return err
}

// ownerOfNode names the body of a row of a node of the problem. A node is a block of
// velocities: one tree, or one free vertex.
func (s *Stepper) ownerOfNode(node cliques.Node, row int) string {
	return s.ownerOfSolved(s.Problem.NodeOffset[node] + row)
}

// ownerOfSolved names the body of velocity i of the problem. In the problem the velocities
// of subsystems follow each other; fixed vertices have none.
func (s *Stepper) ownerOfSolved(i int) string {
	// find the subsystem, then the velocity in it
	for k, n := range s.solved {
		if i >= n {
			i -= n
			continue
		}
		if d, ok := s.subsystems[k].(*deformableBody); ok {
			i = 3 * d.vertexOf(int32(i/3)) // fixed vertices are not in the problem
		}
		return s.ownerOfVelocity(k, i)
	}
	panic("sim: no such velocity")
}

// ownerOfVelocity names the body of velocity i of a subsystem's part of the state: of a
// deformable the vertex, of rigid trees the link whose joint has the velocity.
func (s *Stepper) ownerOfVelocity(subsystem, i int) string {
	if d, ok := s.subsystems[subsystem].(*deformableBody); ok {
		return fmt.Sprintf("deformable %q (vertex %d)", d.model.Name(), i/3)
	}
	return fmt.Sprintf("body %q", s.Model.Rigid.LinkName(s.Model.Rigid.LinkOfDof(i)))
}

// ownerOfPosition names the body of position i of a subsystem's part of the state.
func (s *Stepper) ownerOfPosition(subsystem, i int) string {
	// a vertex has as many positions as velocities
	if _, ok := s.subsystems[subsystem].(*deformableBody); ok {
		return s.ownerOfVelocity(subsystem, i)
	}
	// a joint may have more
	m := s.Model.Rigid
	for link := range m.NumLinks() {
		if nq, _ := m.Link(link).Joint.Size(); i >= m.QStart(link) && i < m.QStart(link)+nq {
			return fmt.Sprintf("body %q", m.LinkName(link))
		}
	}
	panic("sim: no such position")
}

// termName names the contact or the constraint of the model that appended a term to the
// problem.
func (s *Stepper) termName(h cliques.Handle) string {
	// terms stand in the order in which constrain appends them: contacts, contact
	// surfaces, constraints of the model
	for i := range s.handles {
		if s.handles[i] == h {
			return s.contactName(&s.contacts[i])
		}
	}
	// a contact surface is one term, however many faces it has
	for i := range s.surfaceHandles {
		if p := &s.surfaces[i]; s.surfaceHandles[i] == h {
			return fmt.Sprintf("contact of %s and %s", s.BodyName(p.A), s.BodyName(p.B))
		}
	}
	// a constraint may append several terms, of which the last one is known
	for i, last := range s.modelTerms {
		if h <= last {
			return s.Model.constraintName(i)
		}
	}
	// terms of an operator come last
	if len(s.drags) > 0 {
		return "a drag of the operator"
	}
	panic("sim: no such term")
}

// typeName returns the name of x's type without its package, in lower case: messages name
// contact laws and constraints as scenes do.
func typeName(x any) string {
	t := fmt.Sprintf("%T", x)
	return strings.ToLower(t[strings.LastIndexByte(t, '.')+1:])
}

// constraintName names constraint i of the model by its name in the scene if it has one,
// else by its number. Failures are rare, so the maps of names are searched, not inverted.
func (m *Model) constraintName(i int) string {
	kind := typeName(m.Constraints[i])
	// its own name or that of its drive, where the model has names
	if m.Names != nil {
		for _, named := range []struct {
			item    string
			numbers map[string]int
		}{{"constraint", m.Names.Constraints}, {"drive", m.Names.Drives}} {
			for name, number := range named.numbers {
				if number == i {
					return fmt.Sprintf("%s %q (%s)", named.item, name, kind)
				}
			}
		}
	}
	return fmt.Sprintf("constraint %d (%s)", i, kind)
}

// contactName names a contact by its bodies.
func (s *Stepper) contactName(c *geometry.Contact) string {
	return fmt.Sprintf("contact of %s and %s", s.BodyName(c.A.Body), s.BodyName(c.B.Body))
}

// BodyName returns the name of a scene body, rigid or deformable; "world" for
// geometry.World.
func (s *Stepper) BodyName(body int) string {
	switch n := s.Model.Geometry.NumRigid; {
	case body == geometry.World:
		return worldName
	case body >= n:
		return s.Model.Geometry.Deformables[body-n].Name
	}
	return s.Model.Rigid.LinkName(body)
}
