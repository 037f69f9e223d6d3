package sim

// A command that reaches the joints of a robot after a dead time,
//
//	q(t) = q_d(t − T),   q(t) = q_d(0) at rest for t < T
//
// as over a bus, or from a planner that takes time. The feed forward that a drive plans from the trajectory is late
// with it.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name:  "delayed",
	Doc:   "Another target, later: commands that reach the joints after a dead time.",
	About: "Until the delay is over the target rests where the other one begins. What an operator commands (teleop) is not delayed.",
	New:   func() RobotTarget { return &DelayedTarget{} },
	Samples: func() []RobotTarget {
		return []RobotTarget{&DelayedTarget{By: 0.02, Target: &JointSines{Amplitude: kinds.Numbers{0.1}, Frequency: 0.5}}}
	},
})

// DelayedTarget is a target that joints follow after a dead time.
type DelayedTarget struct {
	// By is the delay, s.
	By float64 `key:"delayed,required" unit:"s" doc:"time by which it is later" min:"0"`
	// Target is the target that is delayed.
	Target RobotTarget `key:"target,required" doc:"what is delayed"`
}

// delayed is the trajectory of a DelayedTarget.
type delayed struct {
	by float64
	of Trajectory
}

// Make implements RobotTarget.
func (d *DelayedTarget) Make(r *DrivenRobot) (Trajectory, error) {
	if !(d.By >= 0) || math.IsInf(d.By, 1) {
		return nil, fmt.Errorf("delayed: %g s: the time must be finite and not negative", d.By)
	}
	if d.Target == nil {
		return nil, errors.New("delayed: a target is required")
	}
	of, err := d.Target.Make(r)
	if err != nil {
		return nil, err
	}
	if _, operated := of.(*teleoperation); operated {
		return nil, errors.New("delayed: what an operator commands cannot be delayed: what was wanted earlier is not kept")
	}
	return &delayed{d.By, of}, nil
}

// At implements Trajectory.
func (d *delayed) At(t float64, q, v, a []float64) {
	if t >= d.by {
		d.of.At(t-d.by, q, v, a)
		return
	}
	d.of.At(0, q, v, a)
	clear(v)
	clear(a)
}
