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
	"github.com/curlfree/curlfree/timestep"
)

// Model is the model of a simulation (bodies, shapes, materials, constraints, signals):
// immutable once built, shared by any number of steppers. A Builder creates it from
// items with names. Scene bodies are numbered: the rigid links first, in the order of
// Rigid, then the deformables.
type Model struct {
	// Rigid are the trees of rigid bodies; they may have no links.
	Rigid *rigid.Model
	// Deformables are the deformable bodies; number i is scene body Rigid.NumLinks() + i.
	Deformables []*fem.Model
	// Geometry has the shapes and surfaces for contact, and the pairs excluded from contact.
	Geometry *geometry.Model
	// ContactMaterials are the contact parameters of pairs of geoms and deformables.
	ContactMaterials *constraints.ContactMaterials
	// Contact is the contact law, of friction and of the normal force.
	Contact constraints.ContactModel
	// FrictionLag selects the normal impulse that bounds friction, for laws with lagged
	// friction; other laws need FrictionLagAuto.
	FrictionLag FrictionLag
	// Constraints are the constraints besides contact: joint limits, controllers,
	// closures of kinematic loops. In the problem of a step they follow the contacts, in
	// this order.
	Constraints []constraints.Constraint
	// Loads are forces on the vertices of each deformable from outside besides gravity; nil or
	// one list for each of Deformables.
	Loads [][]VertexLoad
	// Attachments are the regions of deformables that are fixed to rigid bodies or the world.
	Attachments []Attachment
	// Reactions requests that steps compute the reaction forces at Attachments, which signals
	// of kind reaction read; adding such a signal to a Builder sets it.
	Reactions bool
	// StartMotions requests that steps note how rigid bodies move at their start, which signals of accelerations need.
	StartMotions bool
	// BodyImpulses requests that steps add up the impulses of constraints on each rigid body, which signals of wrenches
	// need.
	BodyImpulses bool
	// Gravity is the acceleration of free fall, in the world's axes, m/s².
	Gravity r3.Vec

	// RelTol is the relative tolerance of the solver, on the gradient of the problem's
	// cost scaled by momentum; 0: convex.Solver's default.
	RelTol float64
	// MaxIterations bounds the Newton iterations of a solve, as convex.Solver.MaxIter does; 0:
	// the solver's default. A step with a solve that needs more returns ErrNotConverged.
	MaxIterations int
	// ConditionNumber requests the condition number of every step's problem, for
	// Report.Solver. It costs a multiple of the step.
	ConditionNumber bool
	// SpeculativeMargin is the gap up to which contacts are detected even if bodies do
	// not approach (speculative contact), m; 0: the distance h² g of free fall in a step
	// from rest.
	SpeculativeMargin float64

	// Start is the initial state of runs. Clone it before stepping.
	Start State
	// Rule is the rule by which steps integrate in time; the zero value is that of Euler.
	Rule timestep.Rule
	// Control bounds the errors of steps; the zero value takes steps as they are asked for.
	Control StepControl
	// Signals are the numbers that Stepper.Read reads, in this order.
	Signals []NamedSignal
	// Controllers are called once a step, in this order, see Controller.
	Controllers []NamedController
	// live are the numbers in motions that change during a run.
	live liveValues
	// uncommanded are the reasons why drives take no commands, by name.
	uncommanded map[string]string
	// commanded are the drives that take commands; nil: not known yet, see commandedDrives.
	commanded []int
	// Names are the numbers of items by their names; nil: items have none.
	Names *Names
}

// State is everything besides the model that the next step depends on. A run continues
// from a restored state with the same bits.
type State struct {
	// Time is the time since the start, s.
	Time float64
	// Step is the number of steps taken.
	Step int
	// Q are the positions: first those of rigid joints, link by link (m, rad, unit
	// quaternions w, x, y, z), then three world coordinates for each vertex of every
	// deformable (m).
	Q []float64
	// V are the velocities: those of rigid joints (m/s, rad/s; of free bodies angular
	// velocity, then velocity, in world axes), then three for each vertex (m/s).
	V []float64

	// Memory is what bodies remember of the last step under the midpoint rule. It is empty at the start and under
	// Euler. A caller that changes Q or V between steps must clear it.
	Memory StepMemory
	// Pace is what the control of errors remembers. It is empty at the start and without control; a caller that changes
	// Q or V between steps should clear it.
	Pace Pace

	// LaggedContacts are the contacts that had force in the last step, which bounds
	// friction with FrictionLagPrevious. The list is empty with other lags.
	LaggedContacts []LaggedContact
	// EnergyReference is the upper bound of the energy of each tree, each deformable, the contacts and each spring
	// among the constraints after the last step, which follows from the work done on it, then what their balance
	// remembers, J and s; see energy_balance.go. It is empty at the start. A caller that changes Q or V between steps
	// must empty it, or the change counts as energy gained.
	EnergyReference []float64
	// Commands are those of controllers and callers (Model.Command) to drives, three numbers a drive: position (m or
	// rad) or input of an actuator, velocity, effort (N or N m); NaN where a drive keeps its own. Empty without
	// commands and before the first step.
	Commands []float64
	// Controllers is the memory of the model's controllers; likewise empty.
	Controllers []ControllerMemory
	// Holds are the states of the drives hold of the model, thirteen numbers each: whether it is open (0), is closed
	// (1) or is broken (2), then the rotation matrix and the position (m) of where it holds in the object; likewise
	// empty.
	Holds []float64
	// Operator is what an operator wants, and what came of it, see operator.go. Empty for models that an operator
	// cannot change, while nothing is dragged.
	Operator []float64
}

// Clone returns a deep copy, to save and restore the state: steps from the copy have the
// same bits as steps from x.
func (x *State) Clone() *State {
	y := &State{}
	y.copyFrom(x)
	return y
}

// endTime returns the time at the end of a step of h, s. That of a run in steps of h is a product, so that
// rounding errors of a sum do not accumulate.
func (x *State) endTime(h float64) float64 {
	if x.Time == float64(x.Step)*h {
		return float64(x.Step+1) * h
	}
	return x.Time + h
}

// copyFrom makes x a deep copy of another state.
func (x *State) copyFrom(y *State) {
	x.Time, x.Step = y.Time, y.Step
	x.Q, x.V = append(x.Q[:0], y.Q...), append(x.V[:0], y.V...)
	x.Memory.copyFrom(&y.Memory)
	x.Pace = y.Pace
	x.LaggedContacts = append(x.LaggedContacts[:0], y.LaggedContacts...)
	x.EnergyReference = append(x.EnergyReference[:0], y.EnergyReference...)
	x.Commands = append(x.Commands[:0], y.Commands...)
	x.Operator = append(x.Operator[:0], y.Operator...)
	x.Holds = append(x.Holds[:0], y.Holds...)
	// memory is copied item by item: the bytes of the two states must not be shared
	x.Controllers = slices.Grow(x.Controllers[:0], len(y.Controllers))[:len(y.Controllers)]
	for i := range y.Controllers {
		c := &x.Controllers[i]
		c.Controller, c.Data = y.Controllers[i].Controller, append(c.Data[:0], y.Controllers[i].Data...)
	}
}

// Dofs returns the numbers of velocities of rigid bodies and of deformables in the
// problem of a step. Fixed vertices have none.
func (m *Model) Dofs() (rigidDofs, deformableDofs int) {
	if m.Rigid != nil {
		rigidDofs = m.Rigid.NumV()
	}
	for _, d := range m.Deformables {
		deformableDofs += d.Dofs()
	}
	return rigidDofs, deformableDofs
}

// RigidSize returns the numbers of positions and velocities of rigid bodies, which stand
// first in a State's Q and V.
func (m *Model) RigidSize() (nq, nv int) {
	if m.Rigid == nil {
		return 0, 0
	}
	return m.Rigid.NumQ(), m.Rigid.NumV()
}

// ErrNothingMoves reports a model in which no body can move.
var ErrNothingMoves = errors.New("nothing to simulate: no body can move; give a body that is not fixed, a robot with joints or a deformable")

// Validate returns an error with the reason why the model cannot be stepped, or nil.
// Reasons are: no body can move, parts are inconsistent, settings are out of range.
func (m *Model) Validate() error {
	// parts that must be there, and belong to the same bodies
	links := 0
	if m.Rigid != nil {
		links = m.Rigid.NumLinks()
	}
	r, s := m.Dofs()
	switch {
	case r+s == 0:
		return ErrNothingMoves
	case m.Contact == nil:
		return errors.New("sim: Model.Contact is nil: set a contact law, such as constraints.Lagged{}")
	case m.Geometry == nil:
		return errors.New("sim: Model.Geometry is nil: set the shapes, an empty geometry.Model for none")
	case m.ContactMaterials == nil:
		return errors.New("sim: Model.ContactMaterials is nil: set those of the shapes")
	case m.Geometry.NumRigid != links || len(m.Geometry.Deformables) != len(m.Deformables):
		return fmt.Errorf("sim: Model.Geometry has %d rigid bodies and %d deformables, the model has %d and %d: the numbers must agree",
			m.Geometry.NumRigid, len(m.Geometry.Deformables), links, len(m.Deformables))
	}
	if len(m.Loads) > 0 && len(m.Loads) != len(m.Deformables) {
		return fmt.Errorf("sim: Model.Loads has %d lists for %d deformables: give one for each, or none", len(m.Loads), len(m.Deformables))
	}
	// surfaces refer to the vertices of the meshes
	for i, b := range m.Deformables {
		if g := &m.Geometry.Deformables[i]; g.NumVerts != b.NumVerts() {
			return fmt.Errorf("sim: deformable %q: its surface in Model.Geometry has %d vertices, its mesh %d: they must agree", g.Name, g.NumVerts, b.NumVerts())
		}
	}
	return errors.Join(m.checkSettings(), m.checkRule(), m.checkConstraints())
}

// checkSettings reports settings out of their range.
func (m *Model) checkSettings() error {
	switch {
	case !m.Gravity.IsFinite():
		return fmt.Errorf("sim: gravity is %g m/s²: it must be finite", m.Gravity)
	case !(m.RelTol >= 0 && m.RelTol < 1):
		return fmt.Errorf("sim: RelTol is %g: a relative tolerance between 0 and 1 is required, such as 1e-5 (0: the solver's default)", m.RelTol)
	case m.MaxIterations < 0:
		return fmt.Errorf("sim: MaxIterations is %d: it must not be negative (0: the solver's default)", m.MaxIterations)
	case !(m.SpeculativeMargin >= 0) || math.IsInf(m.SpeculativeMargin, 1):
		return fmt.Errorf("sim: SpeculativeMargin is %g m: it must be finite and not negative (0: h² g)", m.SpeculativeMargin)
	case m.FrictionLag != FrictionLagAuto && !constraints.IsLagged(m.Contact):
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
