// Package sim steps a model: it is the only package that sees rigid trees,
// deformable bodies, geometry, constraints and the solver together. Follow one
// step in step.go.
package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Model is what a simulation consists of: immutable once built, shared by any
// number of steppers. Scene bodies are numbered: the rigid links first, in the
// order of Rigid, then the deformables.
type Model struct {
	Rigid            *rigid.Model // may have no links
	Deformables      []*fem.Model
	Geometry         *geometry.Model
	ContactMaterials *constraints.ContactMaterials // materials of geoms and deformables, pair by pair
	Contact          constraints.ContactModel
	FrictionLag      FrictionLag // of the contact model's friction
	Constraints      []constraints.Constraint
	Gravity          r3.Vec // m/s²

	RelTol            float64 // of the solver; 0: its default
	MaxIterations     int     // of the solver; 0: its default
	ConditionNumber   bool    // compute the condition number of every step's problem
	SpeculativeMargin float64 // contacts up to this gap are always considered, m; 0: h² g

	Start   State         // where runs begin
	Signals []NamedSignal // what Stepper.Read reads
	Names   *Names        // numbers of items by their names; nil: they have none
}

// State is everything the next step depends on. Save and restore it to get the
// same bits.
type State struct {
	Time float64   // s
	Step int       // steps taken
	Q    []float64 // positions: rigid, then every deformable's vertices
	V    []float64 // velocities, likewise

	LaggedContacts []LaggedContact // contacts of the last step, for LagPrevious
}

// Clone returns a deep copy.
func (x *State) Clone() *State {
	return &State{x.Time, x.Step, slices.Clone(x.Q), slices.Clone(x.V), slices.Clone(x.LaggedContacts)}
}

// Dofs returns the number of rigid and deformable velocities that the solver
// sees (fixed vertices are not among them).
func (m *Model) Dofs() (rigidDofs, softDofs int) {
	if m.Rigid != nil {
		rigidDofs = m.Rigid.NumV()
	}
	for _, s := range m.Deformables {
		softDofs += s.Dofs()
	}
	return rigidDofs, softDofs
}

// RigidSize returns how much of a State's Q and V is rigid: the first nq and nv.
func (m *Model) RigidSize() (nq, nv int) {
	if m.Rigid == nil {
		return 0, 0
	}
	return m.Rigid.NumQ(), m.Rigid.NumV()
}

// Validate reports what makes the model impossible to step.
func (m *Model) Validate() error {
	links := 0
	if m.Rigid != nil {
		links = m.Rigid.NumLinks()
	}
	r, s := m.Dofs()
	switch {
	case r+s == 0:
		return errors.New("nothing to simulate: no body can move; give a body that is not fixed, a robot with joints or a deformable")
	case m.Contact == nil:
		return errors.New("sim: no contact model")
	case m.Geometry == nil:
		return errors.New("sim: no geometry model")
	case m.ContactMaterials == nil:
		return errors.New("sim: no materials")
	case m.Geometry.NumRigid != links || len(m.Geometry.Deformables) != len(m.Deformables):
		return fmt.Errorf("sim: geometry of %d rigid bodies and %d deformables for %d and %d",
			m.Geometry.NumRigid, len(m.Geometry.Deformables), links, len(m.Deformables))
	}
	for i, b := range m.Deformables {
		if g := &m.Geometry.Deformables[i]; g.NumVerts != b.NumVerts() {
			return fmt.Errorf("sim: deformable %q: its surface is of a mesh of %d vertices, not %d", g.Name, g.NumVerts, b.NumVerts())
		}
	}
	return errors.Join(m.checkSettings(), m.checkConstraints())
}

// checkSettings reports settings out of their range.
func (m *Model) checkSettings() error {
	switch {
	case !m.Gravity.IsFinite():
		return fmt.Errorf("sim: gravity is %g m/s²: it must be finite", m.Gravity)
	case !(m.RelTol >= 0 && m.RelTol < 1):
		return fmt.Errorf("sim: RelTol is %g: a relative tolerance between 0 and 1 is wanted, such as 1e-5 (0: the solver's default)", m.RelTol)
	case m.MaxIterations < 0:
		return fmt.Errorf("sim: MaxIterations is %d: it must not be negative (0: the solver's default)", m.MaxIterations)
	case !(m.SpeculativeMargin >= 0) || math.IsInf(m.SpeculativeMargin, 1):
		return fmt.Errorf("sim: SpeculativeMargin is %g m: it must be finite and not negative (0: h² g)", m.SpeculativeMargin)
	case m.FrictionLag != FrictionLagGeometry && !constraints.IsLagged(m.Contact):
		return fmt.Errorf("sim: FrictionLag is for contact laws with lagged friction: that of %s is not lagged", typeName(m.Contact))
	}
	return nil
}

// checkConstraints reports the faults of all constraints, each with its place and kind.
func (m *Model) checkConstraints() error {
	var errs []error
	for i, c := range m.Constraints {
		if c, ok := c.(constraints.Checker); ok {
			if err := c.Check(); err != nil {
				errs = append(errs, fmt.Errorf("sim: constraint %d (%s): %w", i, typeName(c), err))
			}
		}
	}
	return errors.Join(errs...)
}
