package scene

import "github.com/curlfree/curlfree/motion"

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

// Drive moves a joint by a controller, or a body by a prescribed motion:
// exactly one of joint and body.
type Drive struct {
	Pos
	Joint       string        `key:"joint" ref:"joint" doc:"joint that a controller moves: robot.joint, or the body that the joint carries"`
	Kp          float64       `key:"kp" unit:"N/m or N m/rad" doc:"proportional gain"`
	Kd          float64       `key:"kd" unit:"N s/m or N m s" doc:"derivative gain"`
	Effort      motion.Motion `key:"effort,inf" unit:"N or N m" doc:"largest force or torque" default:"that of the robot file, else none"`
	FeedForward motion.Motion `key:"feed_forward" unit:"N or N m" doc:"force or torque that is added"`
	Target      motion.Motion `key:"target" unit:"m or rad" doc:"target position over time"`
	Velocity    motion.Motion `key:"velocity" unit:"m/s or rad/s" doc:"target velocity over time, in place of a position"`
	Body        string        `key:"body" ref:"body" doc:"body or robot base with a prescribed motion, relative to its pose"`
	X           motion.Motion `key:"x" unit:"m" doc:"prescribed displacement along x"`
	Y           motion.Motion `key:"y" unit:"m" doc:"prescribed displacement along y"`
	Z           motion.Motion `key:"z" unit:"m" doc:"prescribed displacement along z"`
	Axis        [3]float64    `key:"axis" doc:"axis of the prescribed rotation"`
	Angle       motion.Motion `key:"angle" unit:"rad" doc:"prescribed rotation about axis"`
}

// Signal is a named number to record at every step: exactly one quantity.
type Signal struct {
	Pos
	Since *float64 `key:"since" unit:"s" doc:"subtract the value at this time; 0 before"`
	Scale *float64 `key:"scale" doc:"factor, for other units" default:"1"`

	Body            string      `key:"body" ref:"body" doc:"body, robot.link or deformable"`
	Point           *[3]float64 `key:"point" unit:"m" doc:"point in the body's frame; on a deformable the nearest vertex of the rest mesh"`
	RelativeTo      string      `key:"relative_to" ref:"body" doc:"body whose frame measures position and velocity" default:"world"`
	Position        string      `key:"position" doc:"position of a point: x, y, z or norm"`
	Velocity        string      `key:"velocity" doc:"velocity of a point: x, y, z or norm"`
	Rotation        string      `key:"rotation" doc:"component of the rotation vector: x, y, z or angle"`
	AngularVelocity string      `key:"angular_velocity" doc:"angular velocity: x, y, z or norm"`
	Force           string      `key:"contact_force" doc:"contact force on body: x, y, z, norm, normal or friction"`
	Moment          string      `key:"contact_moment" doc:"contact moment on body about point, in the body's axes: x, y, z, norm"`
	From            []string    `key:"from" ref:"body" doc:"bodies that exert it, or to which body is nearest" default:"all"`
	ContactSurface  string      `key:"contact_surface" formerly:"patch" doc:"of body's contact surfaces with from: area, max_pressure, mean_pressure, slip, max_slip, count, center_x, center_y, center_z"`
	Nearest         string      `key:"nearest" doc:"where body is nearest to from: gap, x, y, z, slip, slip_x, slip_y, slip_z, normal_velocity"`
	Joint           string      `key:"joint" ref:"joint" doc:"joint: robot.joint, or the body that the joint carries"`
	Of              string      `key:"of" doc:"of the joint: position or velocity"`
	Drive           string      `key:"drive_effort" ref:"drive" doc:"force or torque of a drive"`
	Energy          string      `key:"energy" doc:"kinetic, potential, elastic or total"`
	Momentum        string      `key:"momentum" doc:"linear momentum of all bodies: x, y, z or norm"`
	Stress          string      `key:"von_mises" ref:"deformable" doc:"largest von Mises stress of a deformable"`
	Count           string      `key:"count" doc:"contacts"`
	Penetration     string      `key:"penetration" doc:"max: deepest overlap"`
	Speed           string      `key:"speed" doc:"max: the fastest body origin or vertex"`
}
