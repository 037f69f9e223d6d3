package scene

import (
	"github.com/curlfree/curlfree/sim"
)

// Constraint between bodies or joints: exactly one kind.
type Constraint struct {
	Pos
	Weld     *TwoPoses  `key:"weld" doc:"holds two frames together"`
	Ball     *TwoPoints `key:"ball" doc:"holds two points together"`
	Distance *Distance  `key:"distance" doc:"holds two points at a distance, as a rod, a spring or a rope"`
	Coupler  *Coupler   `key:"coupler" doc:"couples two joints: q_a = ratio q_b + offset"`
}

// TwoPoses are frames on two bodies.
type TwoPoses struct {
	A  string `key:"a" ref:"body" doc:"first body" default:"world"`
	B  string `key:"b" ref:"body" doc:"second body" default:"world"`
	PA *Pose  `key:"pose_a" doc:"frame on a" default:"where the frame on b is at the start"`
	PB Pose   `key:"pose_b" doc:"frame on b"`
}

// TwoPoints are points on two bodies, in their frames.
type TwoPoints struct {
	A  string      `key:"a" ref:"body" doc:"first body" default:"world"`
	B  string      `key:"b" ref:"body" doc:"second body" default:"world"`
	PA *[3]float64 `key:"point_a" unit:"m" doc:"point in the frame of a" default:"where the point of b is at the start; for distance the origin of a"`
	PB [3]float64  `key:"point_b" unit:"m" doc:"point in the frame of b"`
}

// Distance keeps two points apart; point_a is the origin of a unless given.
type Distance struct {
	TwoPoints
	Length    *float64 `key:"length" unit:"m" doc:"distance" default:"at the start"`
	Stiffness *float64 `key:"stiffness,inf" unit:"N/m" doc:"stiffness" default:"near-rigid"`
	Damping   float64  `key:"damping" unit:"N s/m" doc:"damping"`
	Rope      bool     `key:"rope" doc:"only pulls"`
}

// Coupler ties joint a to ratio times joint b plus offset.
type Coupler struct {
	A      string  `key:"a" ref:"joint" doc:"first joint"`
	B      string  `key:"b" ref:"joint" doc:"second joint"`
	Ratio  float64 `key:"ratio" doc:"position of a per position of b"`
	Offset float64 `key:"offset" unit:"m or rad" doc:"position of a where that of b is 0"`
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
