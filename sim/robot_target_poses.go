package sim

// A frame of a robot goes from pose to pose on straight lines, and turns about one axis on each:
//
//	p(s) = p_i + s (p_{i+1} − p_i),   R(s) = exp(s ϑ) R_i,   ϑ = log(R_{i+1} R_iᵀ)          (1)
//
// from rest to rest, s(t) of package motion under bounds of speed and of its change. The joints
// follow by inverse kinematics every sampleTime (ik/follow.go), and their trajectory is the spline
// through these positions. Following step by step keeps the joints on one branch of the solutions, where
// a search at each time might jump to another. Where a way starts in a singular position all branches out of it are
// tried. What the joints cannot follow is an error, with the time and the distance by which they miss; on the way they
// may be late by followTol, where they arrive by arriveTol.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/ik"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

const (
	// sampleTime is the time between two solutions of inverse kinematics, s.
	sampleTime = 0.01
	// followTol and turnTol are by how much a frame may miss its pose, m and rad.
	followTol, turnTol = 1e-3, 5e-3
	// arriveTol and arriveTurnTol are by how much it may miss where it arrives, m and rad.
	arriveTol, arriveTurnTol = 1e-6, 1e-5
	// maxSamples bounds the length of a trajectory: more than a day.
	maxSamples = 10_000_000
)

// Bounds of frames that are not given: those of collaborative robots at work.
const (
	defaultSpeed        = 0.25 // m/s
	defaultAcceleration = 1    // m/s²
	turnsPerWay         = 4    // rad/m: turns are bounded by as much per metre
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name:  "poses",
	Doc:   "Poses of a frame of the robot one after the other, on straight lines from rest to rest.",
	About: "Poses are in the world. Inverse kinematics finds the joints, within the robot's limits; a pose out of reach is an error.",
	New: func() RobotTarget {
		return &PoseWaypoints{Timing: string(motion.MinimumJerk), Speed: defaultSpeed, Acceleration: defaultAcceleration}
	},
	Samples: func() []RobotTarget {
		return []RobotTarget{&PoseWaypoints{
			ToolFrame: ToolFrame{Link: "cart"}, FollowSpec: FollowSpec{Follow: "position"}, Timing: "trapezoidal", Speed: 0.1, Acceleration: 2,
			Poses: []PoseWaypoint{{Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{3.02, 0, 1}}, Pause: 0.1}},
		}}
	},
})

// PoseWaypoints is a Cartesian motion of a frame of a robot through poses (waypoints), at rest
// at each.
type PoseWaypoints struct {
	// Poses are the poses, in the world.
	Poses []PoseWaypoint `key:"poses,required" doc:"poses of the frame in the world one after the other"`
	ToolFrame
	FollowSpec
	// Timing is the velocity profile between waypoints: minimum jerk or trapezoidal.
	Timing string `key:"timing" doc:"velocity profile between waypoints, from rest to rest" choice:"minimum_jerk,trapezoidal"`
	// Speed bounds the speed of the frame's origin, m/s; 0: 0.25.
	Speed float64 `key:"speed" unit:"m/s" doc:"bound of the speed of the frame" above:"0"`
	// Acceleration bounds the acceleration of the frame's origin, m/s²; 0: 1.
	Acceleration float64 `key:"acceleration" unit:"m/s²" doc:"bound of the acceleration of the frame" above:"0"`
}

// PoseWaypoint is a waypoint: one pose of the frame.
type PoseWaypoint struct {
	// Pose is the pose of the frame in the world.
	Pose r3.Pose `key:"pose,required" doc:"pose of the frame in the world"`
	// Duration is the time of the motion to the waypoint, s; nil: the shortest within the
	// limits.
	Duration *float64 `key:"duration" unit:"s" doc:"time of the way to it" default:"the least that the bounds allow" above:"0"`
	// Pause is the time at rest at the waypoint, s.
	Pause float64 `key:"pause" unit:"s" doc:"time before the next way" min:"0"`
}

// FollowSpec chooses the components of a pose that a frame follows, and the secondary goals.
type FollowSpec struct {
	// Follow is what the frame follows: pose, position or rotation.
	Follow string `key:"follow" doc:"components of the poses that the frame follows" choice:"pose,position,rotation" default:"pose"`
	// Posture are preferred joint positions, which resolve the redundancy that the frame
	// leaves.
	Posture []float64 `key:"posture" unit:"rad or m" doc:"preferred joint positions where the frame leaves joints free (redundancy)" default:"those at the start"`
	// Avoid are obstacles: rigid bodies, at their poses of the start, from which the links of
	// the robot keep a distance.
	Avoid []string `key:"avoid" doc:"rigid bodies from which the robot keeps away, where they are at the start" default:"none" ref:"body"`
	// Margin is the least distance from the obstacles, m; 0: 10 mm.
	Margin float64 `key:"margin" unit:"m" doc:"distance that it keeps from them" default:"0.01" min:"0"`
}

const (
	// defaultMargin is Margin where none is given, m.
	defaultMargin = 0.01
	// influence is the distance beyond the margin at which a body begins to count, m: more than links
	// close in a sample.
	influence = 0.15
)

// keepAway sets the pairs of the robot's links with shapes and of the bodies to avoid. A body to avoid may
// be a link of the robot, such as its base: then it is paired with the links that are not avoided themselves.
func (f *FollowSpec) keepAway(s *ik.Solver, d *DrivenRobot) error {
	if s.Margin = f.Margin; s.Margin == 0 {
		s.Margin = defaultMargin
	}
	s.Influence = s.Margin + influence
	m := d.r.model
	for _, name := range f.Avoid {
		body, err := d.r.RigidBody(name)
		if err != nil {
			return fmt.Errorf("avoid: %w", err)
		}
		for link := range m.Rigid.NumLinks() {
			// a link without shapes has no distance to anything
			own := d.robot == "" || strings.HasPrefix(m.Rigid.LinkName(link), d.robot+".")
			shaped := slices.ContainsFunc(m.Geometry.Geoms, func(g geometry.Geom) bool { return g.Body == link })
			if own && shaped && link != body && !slices.Contains(f.Avoid, m.Rigid.LinkName(link)) {
				s.Pairs = append(s.Pairs, ik.Pair{A: link, B: body})
			}
		}
	}
	return nil
}

// apply sets the task of the frame and the posture. A weight of zero leaves the rotation, or the position,
// free, so that the joints have more ways to get there.
func (f *FollowSpec) apply(s *ik.Solver, d *DrivenRobot) error {
	switch f.Follow {
	case "position":
		s.Frames[0].Rotation = 0
	case "rotation":
		s.Frames[0].Position = 0
	}
	s.Posture = ik.Posture{Q: d.Start, Weight: postureWeight, Gain: postureGain}
	if f.Posture != nil {
		if err := d.checkPositions(f.Posture); err != nil {
			return fmt.Errorf("posture: %w", err)
		}
		s.Posture.Q = f.Posture
	}
	return f.keepAway(s, d)
}

const (
	// postureWeight is that of a posture beside frames of weight 1: it moves them by less than
	// a micrometre.
	postureWeight = 1e-5
	// postureGain is the rate at which the posture is taken, 1/s.
	postureGain = 1
)

// Make implements RobotTarget. The inverse kinematics of each pose is solved first, from the joint
// positions of the pose before, to find whether it is reachable. The trajectory then follows the
// straight path to it.
func (w *PoseWaypoints) Make(d *DrivenRobot) (Trajectory, error) {
	if len(w.Poses) == 0 {
		return nil, errors.New("poses: one at least is required")
	}
	s, err := d.solver(&w.ToolFrame, 0)
	if err == nil {
		err = w.FollowSpec.apply(s, d)
	}
	if err != nil {
		return nil, err
	}
	p := &posePath{X: []r3.Pose{s.Pose(0, d.Start)}}
	speed, acceleration := w.Speed, w.Acceleration
	if speed == 0 {
		speed = defaultSpeed
	}
	if acceleration == 0 {
		acceleration = defaultAcceleration
	}
	q := append([]float64(nil), d.Start...)
	for i := range w.Poses {
		to, from := &w.Poses[i], &p.X[len(p.X)-1]
		// the end of the way first: a pose out of reach is easier to understand than a way that fails
		s.Frames[0].X_WF = to.Pose
		found, err := s.Reach(q, ik.Search{})
		if err == nil {
			err = found.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("poses[%d]: %w", i, err)
		}
		var b bounds
		b.rate, b.change = math.Inf(1), math.Inf(1)
		// m, m/s and m/s² of the origin, which is free where the frame follows rotations only
		if w.Follow != "rotation" {
			b.add("the frame", to.Pose.P.Sub(from.P).Norm(), speed, acceleration)
		}
		if w.Follow != "position" {
			// rad: both bounds apply to the same s(t), so that the slower of way and turn sets the pace
			turn := to.Pose.R.Mul(from.R.T()).Quat().Log().Norm()
			b.add("the turn of the frame", turn, turnsPerWay*speed, turnsPerWay*acceleration)
		}
		way, err := b.passage(motion.Timing(w.Timing), to.Duration)
		if err != nil {
			return nil, fmt.Errorf("poses[%d]: %w", i, err)
		}
		p.add(to.Pose, way, to.Pause)
	}
	return d.follow(s, p.end, p.arrivals(), p.At)
}

// posePath is the path (1).
type posePath struct {
	X     []r3.Pose        // corners, in the world
	turn  []r3.Vec         // ϑ of each way
	start []float64        // time at which each way begins
	way   []motion.Passage // s(t) of each way
	end   float64          // time at which the last pause ends, s
}

// add adds a way and a pause after it.
func (p *posePath) add(to r3.Pose, way motion.Passage, pause float64) {
	p.turn = append(p.turn, to.R.Mul(p.X[len(p.X)-1].R.T()).Quat().Log())
	p.X, p.start, p.way = append(p.X, to), append(p.start, p.end), append(p.way, way)
	p.end += way.Duration + pause
}

// At returns the pose at a time (s), the angular velocity (rad/s) and the velocity of the origin (m/s), all
// in the world. ϑ is the axis of the turn and so is not changed by it: ω = ṡ ϑ.
func (p *posePath) At(t float64) (X r3.Pose, w, v r3.Vec) {
	i := 0
	for i+1 < len(p.start) && p.start[i+1] <= t {
		i++
	}
	s, ds, _ := p.way[i].At(t - p.start[i])
	from, way := &p.X[i], p.X[i+1].P.Sub(p.X[i].P)
	X = r3.Pose{R: r3.RotExp(p.turn[i].Scale(s)).Mul(from.R), P: from.P.AddScaled(s, way)} // (1)
	return X, p.turn[i].Scale(ds), way.Scale(ds)
}

// arrivals returns the times at which the ways end, s.
func (p *posePath) arrivals() (times []float64) {
	for i, w := range p.way {
		times = append(times, p.start[i]+w.Duration)
	}
	return times
}

// maxBranches bounds the ways out of singular positions that follow tries.
const maxBranches = 32

// follow returns the trajectory of the joints whose frame is at a pose of each time from 0 to
// end (s). The frame must begin there, and be where it should within arriveTol at the arrivals (s). Out of a singular
// position, such as that of a straight arm, lead several branches: the first is taken that the joints can follow to the
// end.
func (d *DrivenRobot) follow(s *ik.Solver, end float64, arrivals []float64, pose func(t float64) (X r3.Pose, w, v r3.Vec)) (Trajectory, error) {
	// one sample more than the way takes, in which the frame rests at its end
	n := int(math.Ceil(end/sampleTime)) + 1
	if n > maxSamples {
		return nil, fmt.Errorf("the motion takes %g s: at most %g s are planned", end, float64(maxSamples)*sampleTime)
	}
	var first error
	var branch []int // that is taken at each singular position
	for range maxBranches {
		tr, branches, err := d.followBranch(s, n, arrivals, pose, branch)
		if err == nil {
			return tr, nil
		}
		if first == nil {
			first = err
		}
		// the last position with a branch that is left
		for len(branch) < len(branches) {
			branch = append(branch, 0)
		}
		branch = branch[:len(branches)]
		for len(branch) > 0 && branch[len(branch)-1]+1 >= branches[len(branch)-1] {
			branch = branch[:len(branch)-1]
		}
		if len(branch) == 0 {
			break
		}
		branch[len(branch)-1]++
	}
	return nil, first
}

// followBranch is follow on one branch out of each singular position. It returns how many there are at each that it
// met.
func (d *DrivenRobot) followBranch(s *ik.Solver, n int, arrivals []float64, pose func(t float64) (X r3.Pose, w, v r3.Vec), branch []int) (tr Trajectory, branches []int, err error) {
	q, v := append([]float64(nil), d.Start...), make([]float64, len(d.Start))
	times, table, middle := []float64{0}, append([]float64(nil), q...), make([]float64, len(q))
	f := &s.Frames[0]
	for k := 1; k <= n; k++ {
		t := float64(k) * sampleTime
		// the pose of the end of the sample is the target, reached within it: errors do not add up
		f.X_WF, _, _ = pose(t)
		take := 0
		if len(branches) < len(branch) {
			take = branch[len(branches)]
		}
		found, err := s.Follow(sampleTime, q, v, take)
		if err != nil {
			return nil, branches, err
		}
		if found.Branches > 0 {
			branches = append(branches, found.Branches)
		}
		switch {
		case found.Position > followTol || found.Rotation > turnTol:
			return nil, branches, d.behind(t, &found, q, "the joints cannot follow")
		case len(arrivals) > 0 && t >= arrivals[0] && (found.Position > arriveTol || found.Rotation > arriveTurnTol):
			return nil, branches, d.behind(t, &found, q, "the joints have not arrived")
		}
		// between samples joints move evenly: those that turn far leave the way there
		for i := range q {
			middle[i] = 0.5 * (q[i] + table[len(table)-len(q)+i])
		}
		f.X_WF, _, _ = pose(t - 0.5*sampleTime)
		if found.Position, found.Rotation = s.Errors(middle); found.Position > followTol || found.Rotation > turnTol {
			return nil, branches, d.behind(t-0.5*sampleTime, &found, middle, "the joints cannot follow")
		}
		for len(arrivals) > 0 && t >= arrivals[0] {
			arrivals = arrivals[1:]
		}
		times, table = append(times, t), append(table, q...)
	}
	return newSpline(times, table), branches, nil
}

// behind returns the error of a frame that is too far from its pose: a controller that
// followed such joints would push where the scene does not say.
func (d *DrivenRobot) behind(t float64, found *ik.Followed, q []float64, what string) error {
	return fmt.Errorf("at %.4g s %s: the frame is %.3g m and %.3g rad away from its pose, for limits of the joints (now at %.4g) or near a singular position: move slower, on another path, from other joint positions, or give a posture (joint positions towards which they go where the frame leaves them free)", t, what, found.Position, found.Rotation, q)
}
