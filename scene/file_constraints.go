package scene

// The parameters of a constraint, drive or signal depend on its kind: the kinds register
// themselves in packages constraints and sim, and their parameters become keys of these
// structures.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// Constraint is a constraint between bodies or joints, such as the loop closure of a kinematic loop.
type Constraint struct {
	Pos
	// Kind is the kind of constraint with the bodies or joints that it connects. Points and
	// frames that are not given follow from the poses at the start.
	Kind Item[constraints.Spec] `kind:""`
}

// Drive moves a joint by a controller, or a body by a prescribed motion.
type Drive struct {
	Pos
	// Kind is the kind of drive: joint (a controller), body (a prescribed motion) and others.
	Kind Item[sim.Drive] `kind:""`
}

// ExternalLoad acts on a body from outside.
type ExternalLoad struct {
	Pos
	// Kind is the kind of load, with the body or region that it acts on.
	Kind Item[sim.LoadSpec] `kind:""`
}

// Signal is a named quantity, one number that is recorded at every step.
type Signal struct {
	Pos
	// Since is the time whose value is subtracted; before it the signal is 0. nil: nothing is
	// subtracted.
	Since *float64 `key:"since" unit:"s" doc:"subtract the value at this time; 0 before"`
	// Scale multiplies the value after Since has been applied. With a scale, the unit in tables
	// follows from the signal's name.
	Scale *float64 `key:"scale" doc:"factor, for other units" default:"1"`

	// Kind is the measured quantity, with its body, joint or drive.
	Kind Item[sim.SignalSpec] `kind:""`
}
