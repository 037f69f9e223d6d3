package scene

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// Constraint between bodies or joints.
type Constraint struct {
	Pos
	Kind Item[constraints.Spec] `kind:""`
}

// Drive moves a joint by a controller, or a body by a prescribed motion.
type Drive struct {
	Pos
	Kind Item[sim.Drive] `kind:""`
}

// Signal is a named number to record at every step: exactly one quantity.
type Signal struct {
	Pos
	Since *float64 `key:"since" unit:"s" doc:"subtract the value at this time; 0 before"`
	Scale *float64 `key:"scale" doc:"factor, for other units" default:"1"`

	Kind Item[sim.SignalSpec] `kind:""`
}
