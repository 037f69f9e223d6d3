package sim

// Motions of a robot that a program or a recording has written down, as positions of joints or as poses
// of a frame. Joint positions become the spline of trajectory.go. Poses at times t_i become
//
//	p(t) = spline through p_i,   R(t) = exp(x ϑ_i) R_i,   x = (t − t_i)/(t_{i+1} − t_i)         (1)
//	ϑ_i = log(R_{i+1} R_iᵀ),     ω = ϑ_i/(t_{i+1} − t_i)                                      (2)
//
// in the world, so that ω is constant between rows and jumps at them, and the joints follow these poses by
// inverse kinematics as in robot_target_poses.go. Nothing is planned: a table that requires more than
// the joints can do is an error with the line or the time.

import (
	"fmt"
	"sort"

	"github.com/curlfree/curlfree/ik"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name:    "joint_table",
	Doc:     "Positions of the joints over time from a CSV file, with smooth cubics between its rows.",
	About:   "Columns are time_s and the name of each driven joint, m or rad. Times increase and need not be equidistant.",
	New:     func() RobotTarget { return &JointTable{} },
	Samples: func() []RobotTarget { return []RobotTarget{&JointTable{File: "joints.csv"}} },
})

// JointTable is a motion given by a table of joint positions over time. The robot need not start
// at the first row: its drive pulls it there.
type JointTable struct {
	// File is relative to the scene.
	File string `key:"joint_table,required" doc:"CSV file of joint positions, relative to the scene"`
	tableOf
}

// TableFile implements TableTarget.
func (t *JointTable) TableFile() string { return t.File }

// Make implements RobotTarget.
func (t *JointTable) Make(d *DrivenRobot) (Trajectory, error) {
	if err := t.Table.check(d.Joints, nil); err != nil {
		return nil, err
	}
	times, q := t.Table.columns(d.Joints...)
	n := len(d.Joints)
	// each row by itself, so that the message names the line in the file
	for i := range times {
		if err := d.checkPositions(q[i*n : (i+1)*n]); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Table.line(i), err)
		}
	}
	tr := newSpline(times, q)
	// Each cubic is fastest at an end or where its acceleration is zero, near its middle. The
	// speed is a parabola: times a quarter of the way apart miss little of its peak.
	err := d.checkSpeed(tr, func(yield func(t float64) bool) {
		for i := range times[1:] {
			for k := range piecesOfCubic {
				if !yield(times[i] + (times[i+1]-times[i])*float64(k)/piecesOfCubic) {
					return
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Table.Path, err)
	}
	return tr, nil
}

// piecesOfCubic is the number of times at which the speed of a cubic is compared with its bound.
const piecesOfCubic = 4

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name: "pose_table",
	Doc:  "Poses of a frame of the robot in the world over time from a CSV file.",
	About: "Columns are time_s, x, y, z (m), and qw, qx, qy, qz or roll, pitch, yaw (rad), which are left out where the frame follows a position only. " +
		"Positions are smooth cubics between rows, rotations turn about one axis. The robot starts at the first pose.",
	New: func() RobotTarget { return &PoseTable{} },
	Samples: func() []RobotTarget {
		return []RobotTarget{&PoseTable{File: "poses.csv", ToolFrame: ToolFrame{Link: "cart"}, FollowSpec: FollowSpec{Follow: "position"}}}
	},
})

// PoseTable is a motion given by a table of poses of a frame over time.
type PoseTable struct {
	// File is relative to the scene.
	File string `key:"pose_table,required" doc:"CSV file of poses, relative to the scene"`
	ToolFrame
	FollowSpec
	tableOf
}

// TableFile implements TableTarget.
func (t *PoseTable) TableFile() string { return t.File }

// Make implements RobotTarget.
func (t *PoseTable) Make(d *DrivenRobot) (Trajectory, error) {
	// what the frame does not follow need not be in the file, but may be
	wanted := placeColumns
	optional := append(append([]string(nil), quaternionColumns...), angleColumns...)
	if t.Follow == "rotation" {
		wanted, optional = nil, append(optional, placeColumns...)
	}
	if err := t.Table.check(wanted, optional); err != nil {
		return nil, err
	}
	R, err := t.Table.rotations()
	if err != nil {
		return nil, err
	}
	if R == nil && t.Follow != "position" {
		return nil, fmt.Errorf("%s: there are no rotations: give qw, qx, qy, qz or roll, pitch, yaw, or follow: position", t.Table.Path)
	}
	s, err := d.solver(&t.ToolFrame, 0)
	if err == nil {
		err = t.FollowSpec.apply(s, d)
	}
	if err != nil {
		return nil, err
	}
	// a spline makes ∂p/∂t continuous, so that the joints have no jump of velocity from the positions
	p := &posesOverTime{R: R}
	if t.Follow != "rotation" {
		times, places := t.Table.columns(placeColumns...)
		p.place = newSpline(times, places)
	}
	p.times, _ = t.Table.columns() // s
	if err := d.checkStart(s, p); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Table.line(0), err)
	}
	last := p.times[len(p.times)-1]
	return d.follow(s, last, []float64{last}, p.At)
}

// checkStart returns an error where the frame does not start at its first pose, with the joints
// that would put it there: a drive would pull a robot that starts elsewhere through whatever is between.
func (d *DrivenRobot) checkStart(s *ik.Solver, p *posesOverTime) error {
	f := &s.Frames[0]
	f.X_WF, _, _ = p.At(0)
	X := s.Pose(0, d.Start)
	off, turn := f.X_WF.P.Sub(X.P).Norm(), X.R.T().Mul(f.X_WF.R).Quat().Log().Norm()
	if (f.Position == 0 || off <= followTol) && (f.Rotation == 0 || turn <= turnTol) {
		return nil
	}
	// the search begins at the start, so that the joints named are near it
	q := append([]float64(nil), d.Start...)
	found, err := s.Reach(q, ik.Search{})
	if err == nil {
		err = found.Err()
	}
	if err != nil {
		return fmt.Errorf("the first pose: %w", err)
	}
	return fmt.Errorf("the robot starts %.3g m and %.3g rad away from its first pose: start its joints (%v) at %.6g", off, turn, d.Joints, q)
}

// posesOverTime are poses with cubics between places and turns about one axis between rotations.
type posesOverTime struct {
	times []float64
	place *spline  // nil: none
	R     []r3.Mat // nil: none
}

// At returns the pose at a time (s), the angular velocity (rad/s) and the velocity of the origin (m/s)
// in the world, (1) and (2).
func (p *posesOverTime) At(t float64) (X r3.Pose, w, v r3.Vec) {
	X = r3.PoseIdentity()
	if p.place != nil {
		var a r3.Vec // not wanted: inverse kinematics follows velocities
		p.place.At(t, X.P[:], v[:], a[:])
	}
	if p.R == nil {
		return X, w, v
	}
	last := len(p.times) - 1
	switch i := sort.SearchFloat64s(p.times, t); {
	case i == 0:
		X.R = p.R[0] // it rests before the first row
	case i > last:
		X.R = p.R[last] // and after the last one
	default:
		T := p.times[i] - p.times[i-1]
		// the shorter way round: rows have to be less than half a turn apart
		turn := p.R[i].Mul(p.R[i-1].T()).Quat().Log()
		X.R = r3.RotExp(turn.Scale((t - p.times[i-1]) / T)).Mul(p.R[i-1])
		w = turn.Scale(1 / T)
	}
	return X, w, v
}
