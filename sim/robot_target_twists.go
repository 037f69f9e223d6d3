package sim

// A recorded teleoperation commands a twist of a frame over time. With the twist (ω, v) of the
// middle of a sample, the pose that the frame should have moves by
//
//	R ← exp(ω h) R,   p ← p + v h                                                    (1)
//
// with axes of the world (ω in rad/s, v of the frame's origin in m/s, h = sampleTime), and the joints
// follow by differential inverse kinematics. A hand that pushes on where the robot
// cannot follow does not carry the pose away: it stays within leash of the frame.

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// leash and turnLeash are how far the commanded pose may be ahead of the frame, m and rad: as
// far as a sample of 1 m/s or 5 rad/s goes, so that the frame turns back soon after the hand does.
const leash, turnLeash = 0.01, 0.05

// calmSpeed bounds the joints without a velocity limit, rad/s or m/s: out of a singular position a joint may have far
// to go, and nobody has seen the way before the robot takes it.
const calmSpeed = 2 * math.Pi

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name: "twist_table",
	Doc:  "Velocities of a frame of the robot over time from a CSV file, as a 6-dof mouse commands them.",
	About: "Columns are time_s, vx, vy, vz (m/s), wx, wy, wz (rad/s), and gripper (m or rad), the position of the joints of the gripper. " +
		"Numbers between rows are linear; before the first and after the last row the frame rests. The joints follow at 100 Hz as far as their limits let them.",
	New: func() RobotTarget { return &TwistTable{} },
	Samples: func() []RobotTarget {
		return []RobotTarget{&TwistTable{File: "twists.csv", ToolFrame: ToolFrame{Link: "cart"}, Axes: "tool"}}
	},
})

// TwistTable is a motion given by a table of twists (velocities) of a frame over time.
type TwistTable struct {
	// File is relative to the scene.
	File string `key:"twist_table,required" doc:"CSV file of twists, relative to the scene"`
	ToolFrame
	FollowSpec
	// Axes are the axes of the twists: of the world, or of the frame.
	Axes string `key:"axes" doc:"axes of the twists: those of the world or of the frame" choice:"world,tool" default:"world"`
	// Gripper are the driven joints whose positions are given by the column gripper.
	Gripper []string `key:"gripper" doc:"joints that take the positions of the column gripper" default:"none"`
	tableOf
}

// TableFile implements TableTarget.
func (t *TwistTable) TableFile() string { return t.File }

// Make implements RobotTarget.
func (t *TwistTable) Make(d *DrivenRobot) (Trajectory, error) {
	wanted, optional := twistColumns, []string{"gripper"}
	if t.Gripper != nil {
		wanted, optional = append(slices.Clone(twistColumns), "gripper"), nil
	}
	if err := t.Table.check(wanted, optional); err != nil {
		return nil, err
	}
	// a wrong gripper is reported before inverse kinematics takes its time
	fingers, err := t.fingers(d)
	if err != nil {
		return nil, err
	}
	s, err := d.solver(&t.ToolFrame, calmSpeed)
	if err == nil {
		err = t.FollowSpec.apply(s, d)
	}
	if err != nil {
		return nil, err
	}
	times, twists := t.Table.columns(wanted...)
	at := &linearTable{times, twists, len(wanted)}
	steps := int(math.Ceil(times[len(times)-1]/sampleTime)) + 1
	if steps > maxSamples {
		return nil, fmt.Errorf("%s: the motion takes %g s: at most %g s are planned", t.Table.Path, times[len(times)-1], float64(maxSamples)*sampleTime)
	}
	// What the hand commands, and what the joints make of it: q and v are those of inverse kinematics, row
	// those of the table, which differ in the fingers only.
	f := &s.Frames[0]
	q, v := slices.Clone(d.Start), make([]float64, len(d.Start))
	now, row := make([]float64, len(wanted)), slices.Clone(d.Start)
	at.At(0, now)
	grip(fingers, now, row)
	clock, table := []float64{0}, slices.Clone(row)
	X := s.Pose(0, q)
	for k := range steps {
		// the mean over the sample of numbers that are linear in it
		at.At((float64(k)+0.5)*sampleTime, now)
		u, w := r3.Vec(now[0:3]), r3.Vec(now[3:6])
		if t.Axes == "tool" {
			// the axes of the commanded pose, which turn with it
			u, w = X.R.MulVec(u), X.R.MulVec(w)
		}
		X = r3.Pose{R: r3.RotExp(w.Scale(sampleTime)).Mul(X.R), P: X.P.AddScaled(sampleTime, u)} // (1)
		f.X_WF = X
		if _, err := s.Follow(sampleTime, q, v, 0); err != nil {
			return nil, err
		}
		// the leash is measured from where the joints brought the frame
		X = hold(X, s.Pose(0, q))
		end := float64(k+1) * sampleTime
		at.At(end, now)
		copy(row, q)
		grip(fingers, now, row)
		clock, table = append(clock, end), append(table, row...)
	}
	// a spline, since drives want accelerations and steps of a run have other times than samples
	return newSpline(clock, table), nil
}

// fingers returns the joints of the gripper by their place among those driven, after a check of the
// positions (m or rad) that the table has.
func (t *TwistTable) fingers(d *DrivenRobot) (fingers []int, err error) {
	for _, name := range t.Gripper {
		i, err := d.index(name)
		if err != nil {
			return nil, fmt.Errorf("gripper: %w", err)
		}
		_, column := t.Table.columns("gripper")
		for row, x := range column {
			if x < d.Lower[i]-limitSlack || x > d.Upper[i]+limitSlack {
				return nil, fmt.Errorf("%s: gripper is %g: %s goes from %g to %g", t.Table.line(row), x, name, d.Lower[i], d.Upper[i])
			}
		}
		fingers = append(fingers, i)
	}
	return fingers, nil
}

// grip sets the joints of a gripper to the last number of a row of the table: the column gripper is the last
// of those wanted. Without a gripper there are no fingers, and the number is that of a twist.
func grip(fingers []int, now, q []float64) {
	for _, i := range fingers {
		q[i] = now[len(now)-1]
	}
}

// hold returns the commanded pose X no farther from that of the frame than the leashes. It moves X back on
// the straight line to the frame, and turns it back about the axis between both.
func hold(X, frame r3.Pose) r3.Pose {
	way, turn := X.P.Sub(frame.P), X.R.Mul(frame.R.T()).Quat().Log()
	if n := way.Norm(); n > leash {
		X.P = frame.P.AddScaled(leash/n, way)
	}
	if n := turn.Norm(); n > turnLeash {
		X.R = r3.RotExp(turn.Scale(turnLeash / n)).Mul(frame.R)
	}
	return X
}

// linearTable is a table with linear numbers between its rows. All but a gripper are zero before and
// after it: a hand that has let go commands no motion, but a gripper keeps what it holds.
type linearTable struct {
	times, rows []float64
	n           int
}

// At writes the numbers at a time t (s), one for each column.
func (l *linearTable) At(t float64, out []float64) {
	i, last := sort.SearchFloat64s(l.times, t), len(l.times)-1
	if i > 0 && i <= last {
		x := (t - l.times[i-1]) / (l.times[i] - l.times[i-1])
		for k := range out {
			out[k] = (1-x)*l.rows[(i-1)*l.n+k] + x*l.rows[i*l.n+k]
		}
		return
	}
	// at the first or last row, or beyond it
	i = min(i, last)
	copy(out, l.rows[i*l.n:(i+1)*l.n])
	if t != l.times[i] {
		clear(out[:len(twistColumns)])
	}
}
