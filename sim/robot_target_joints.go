package sim

// The path between two waypoints is a straight line in joint space. All joints begin and end at
// the same time: with the difference d_j of joint j, the rate of the path parameter is bounded
// by
//
//	ṡ ≤ min_j v_j/|d_j|,   |s̈| ≤ min_j a_j/|d_j|                                    (1)

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name:  "waypoints",
	Doc:   "Joint positions one after the other, from rest to rest.",
	About: "The robot begins where it starts. Each way takes the least time that the bounds of velocity and acceleration of the drive allow, or the time given.",
	New:   func() RobotTarget { return &JointWaypoints{Timing: string(motion.MinimumJerk)} },
	Samples: func() []RobotTarget {
		late := 0.5
		return []RobotTarget{
			&JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.3, 0.05}}}, Timing: "trapezoidal"},
			&JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.1, 0.05}, Duration: &late}, {Q: []float64{0.2, 0.02}, Pause: 0.1, Duration: &late}}, Timing: "minimum_jerk"},
		}
	},
})

// JointWaypoints is a motion through joint positions (waypoints), at rest at each.
type JointWaypoints struct {
	// Waypoints are the positions.
	Waypoints []JointWaypoint `key:"waypoints,required" doc:"positions of the joints one after the other"`
	// Timing is the velocity profile between waypoints: minimum jerk or trapezoidal.
	Timing string `key:"timing" doc:"velocity profile between waypoints, from rest to rest" choice:"minimum_jerk,trapezoidal"`
}

// JointWaypoint is a waypoint: positions of all joints.
type JointWaypoint struct {
	// Q are the positions, m or rad.
	Q []float64 `key:"q,required" unit:"rad or m" doc:"position of each joint of the drive"`
	// Duration is the time of the motion to the waypoint, s; nil: the shortest within the
	// limits.
	Duration *float64 `key:"duration" unit:"s" doc:"time of the way to it" default:"the least that the bounds allow" above:"0"`
	// Pause is the time at rest at the waypoint, s.
	Pause float64 `key:"pause" unit:"s" doc:"time before the next way" min:"0"`
}

// Make implements RobotTarget.
func (w *JointWaypoints) Make(d *DrivenRobot) (Trajectory, error) {
	if len(w.Waypoints) == 0 {
		return nil, errors.New("waypoints: one at least is required")
	}
	// the first way begins where the robot starts, which no waypoint has to repeat
	p := &passages{q: [][]float64{d.Start}}
	t := 0.0
	for i := range w.Waypoints {
		to, from := &w.Waypoints[i], p.q[len(p.q)-1]
		if err := d.checkPositions(to.Q); err != nil {
			return nil, fmt.Errorf("waypoints[%d]: %w", i, err)
		}
		way, err := w.passage(d, from, to)
		if err != nil {
			return nil, fmt.Errorf("waypoints[%d]: %w", i, err)
		}
		// a passage stays at its end until the next one begins: that is the pause
		p.q, p.start, p.way = append(p.q, to.Q), append(p.start, t), append(p.way, way)
		t += way.Duration + to.Pause
	}
	return p, nil
}

// passage returns how the way to a waypoint is gone.
func (w *JointWaypoints) passage(d *DrivenRobot, from []float64, to *JointWaypoint) (motion.Passage, error) {
	b := bounds{rate: math.Inf(1), change: math.Inf(1)}
	for j, x := range to.Q {
		b.add(d.Joints[j], math.Abs(x-from[j]), d.Velocity[j], d.Acceleration[j])
	}
	return b.passage(motion.Timing(w.Timing), to.Duration)
}

// bounds are those of the rate of a way, (1). Ways have length 1 whatever moves along them: joints in rad and m,
// or a frame in m and rad.
type bounds struct {
	rate, change float64 // of s: 1/s and 1/s²; +Inf: no bound
	moves        bool    // the way has a length
	slowest      string  // what bounds the rate
}

// add adds the bounds of one quantity that changes by way (m or rad), per second and per second squared.
func (b *bounds) add(what string, way, velocity, acceleration float64) {
	// what stays does not bound the time, and is not named as the slowest
	if way == 0 {
		return
	}
	// where accelerations alone are bounded the first that moves is named
	if r := velocity / way; r < b.rate || !b.moves {
		b.rate, b.slowest = r, what
	}
	b.change = min(b.change, acceleration/way) // (1)
	b.moves = true
}

// passage returns how the way is gone, in the time given (s) or in the least time. A time below the least is an
// error that names what is too slow.
func (b *bounds) passage(timing motion.Timing, duration *float64) (motion.Passage, error) {
	// motion.Timing wants bounds: without any a time has to be given
	if unbounded := math.IsInf(b.rate, 1) && math.IsInf(b.change, 1); unbounded {
		switch {
		case duration != nil:
			return motion.Passage{Duration: *duration}, nil // as minimum jerk
		case b.moves:
			return motion.Passage{}, fmt.Errorf("no velocity or acceleration bounds %s: give one to the drive, or a duration", b.slowest)
		}
		return motion.Passage{Duration: leastDuration}, nil
	}
	p, err := timing.Passage(b.rate, b.change)
	switch {
	case err != nil:
		return p, fmt.Errorf("%w: give velocity and acceleration of the drive", err)
	case duration == nil:
		return p, nil
	case *duration < p.Duration*(1-durationSlack):
		return p, fmt.Errorf("%s cannot reach the waypoint in %g s: its limits of velocity and acceleration require %.7g s", b.slowest, *duration, p.Duration)
	}
	// the same form of s(t), slower
	return p.Stretch(*duration), nil
}

const (
	// leastDuration is that of a way without length, s: rates are divided by a duration, so it is not zero.
	leastDuration = 1e-9
	// durationSlack is the share by which a time may be shorter than the bounds ask: more than the
	// seven digits of the message round off, so that the time it names is taken.
	durationSlack = 1e-6
)
