package sim

// A motor behind a gear of ratio N, whose shaft turns N times as fast as the joint: at the joint it has
//
//	stall effort N τ_s,   no-load speed ω_0/N,   inertia N² J                              (1)
//
// and in between the torque-speed line of constraints.Motor. A quasi-direct drive is one with a small N (6 to 10): it
// keeps the inertia that a leg feels at an impact low, and most of the speed. Source: Wensing et al., "Proprioceptive
// actuator design in the MIT Cheetah", IEEE T-RO 33, 2017.

import (
	"errors"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "motor",
	Doc:  "Motor of a joint with one degree of freedom behind a gear: a controller within the torque-speed line of the motor.",
	About: "It gives less effort the faster it turns, none at no_load_speed. The gear multiplies the effort, divides the speed and adds the inertia of the rotor to the joint. " +
		"A gear_ratio of 1 is a direct drive, one of 6 to 10 a quasi-direct drive.",
	New: func() Drive { return &MotorDrive{GearRatio: 1} },
	Samples: func() []Drive {
		return []Drive{
			&MotorDrive{Joint: "arm", Kp: 20, Kd: 1, Target: motion.Constant(0.5), Stall: 2, NoLoad: 200, GearRatio: 8, RotorInertia: 1e-4, Effort: motion.Constant(10)},
			&MotorDrive{Joint: "cart", FeedForward: motion.Constant(1), Stall: 5, NoLoad: 2, GearRatio: 1},
		}
	},
})

// MotorDrive is a motor with a controller that moves a joint with one degree of freedom through a gear.
type MotorDrive struct {
	// Joint is the name of the joint.
	Joint string `key:"motor,required" doc:"joint with one degree of freedom that the motor moves" ref:"joint"`
	// Kp and Kd are the gains at the joint, N m/rad or N/m and N m s/rad or N s/m.
	Kp float64 `key:"kp" unit:"N m/rad or N/m" doc:"position gain, at the joint" min:"0"`
	Kd float64 `key:"kd" unit:"N m s/rad or N s/m" doc:"velocity gain, at the joint" min:"0"`
	// Target is the target position of the joint over time, m or rad; nil: zero.
	Target motion.Motion `key:"target" unit:"rad or m" doc:"position of the joint over time" default:"0"`
	// Velocity is its target velocity over time, in place of Target and without Kp.
	Velocity motion.Motion `key:"velocity" unit:"rad/s or m/s" doc:"velocity of the joint over time, in place of target and without kp"`
	// FeedForward is an effort at the joint that is added, N m or N; nil: none.
	FeedForward motion.Motion `key:"feed_forward" unit:"N m or N" doc:"effort at the joint that is added" default:"0"`
	// Effort bounds the magnitude of the effort at the joint, as the driver's current does; nil: JointSpec.Effort.
	Effort motion.Motion `key:"effort,inf" unit:"N m or N" doc:"bound of the effort's magnitude at the joint, as by the current" default:"as a robot's file says, else none"`
	// Stall is the effort of the motor at rest, at its shaft, N m or N.
	Stall float64 `key:"stall_effort,required" unit:"N m or N" doc:"effort of the motor at rest, at its shaft" above:"0"`
	// NoLoad is the speed at which the motor gives no effort, at its shaft, rad/s or m/s.
	NoLoad float64 `key:"no_load_speed,required" unit:"rad/s or m/s" doc:"speed of the motor's shaft at which it gives no effort" above:"0"`
	// GearRatio is the speed of the shaft over that of the joint.
	GearRatio float64 `key:"gear_ratio" doc:"speed of the motor's shaft over that of the joint" above:"0"`
	// RotorInertia is that of the rotor about its shaft, kg m² or kg.
	RotorInertia float64 `key:"rotor_inertia" unit:"kg m² or kg" doc:"inertia of the rotor at its shaft" min:"0"`
}

// ratio returns the gear ratio, 1 where none is given.
func (d *MotorDrive) ratio() float64 {
	if d.GearRatio == 0 {
		return 1
	}
	return d.GearRatio
}

// AddTo implements Drive. The rotor turns with the joint.
func (d *MotorDrive) AddTo(b *Builder, name string) {
	b.AddDriveConstraint(name, d)
	if d.RotorInertia > 0 {
		if b.rotors == nil {
			b.rotors = map[string]float64{}
		}
		b.rotors[d.Joint] += d.RotorInertia * d.ratio() * d.ratio() // (1)
	}
}

// Make implements DriveConstraintSpec.
func (d *MotorDrive) Make(r *Resolver) (constraints.Constraint, error) {
	dof, err := r.Joint(d.Joint)
	switch {
	case err != nil:
		return nil, err
	case d.Target != nil && d.Velocity != nil:
		return nil, errors.New("target and velocity exclude each other")
	case d.Velocity != nil && d.Kp != 0:
		return nil, errors.New("a drive with a target velocity uses kd only: leave out kp")
	}
	// targets and bounds are those of a drive of kind joint
	j := JointDrive{Joint: d.Joint, Kp: d.Kp, Kd: d.Kd, Target: d.Target, Velocity: d.Velocity, FeedForward: d.FeedForward, Effort: d.Effort}
	c := &constraints.Motor{PD: constraints.PD{Dof: dof, Kp: d.Kp, Kd: d.Kd}, Stall: d.Stall * d.ratio(), NoLoad: d.NoLoad / d.ratio()}
	if m := j.Reference(); m != nil {
		c.Target = m
	}
	if d.FeedForward != nil {
		c.FeedForward = valueOf(d.FeedForward)
	}
	return c, j.limit(&c.PD, r.limits[d.Joint].effort)
}
