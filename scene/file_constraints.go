package scene

// What a constraint, drive or signal takes follows from its kind: the kinds register themselves in
// packages constraints and sim, and their parameters become keys of these structures.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// Constraint between bodies or joints.
type Constraint struct {
	Pos
	// Kind names what is connected; points and frames that it leaves out follow from the start.
	Kind Item[constraints.Spec] `kind:""`
}

// Drive moves a joint by a controller, or a body by a prescribed motion.
type Drive struct {
	Pos
	// Kind is joint, a controller, or body, a prescribed motion.
	Kind Item[sim.Drive] `kind:""`
}

// ExternalLoad acts on a body from outside.
type ExternalLoad struct {
	Pos
	// Kind is what acts, on which body or region of it.
	Kind Item[sim.LoadSpec] `kind:""`
}

// Signal is a named number to record at every step: exactly one quantity.
type Signal struct {
	Pos
	// Since nil subtracts nothing. Until this time the signal reads 0.
	Since *float64 `key:"since" unit:"s" doc:"subtract the value at this time; 0 before"`
	// Scale multiplies after Since subtracts. With one, the unit in tables comes from the signal's name.
	Scale *float64 `key:"scale" doc:"factor, for other units" default:"1"`

	// Kind is what is measured, with body, joint or drive of which.
	Kind Item[sim.SignalSpec] `kind:""`
}
