package scene

// A robot file is parsed into a robot.Robot (see package robot), whose links become bodies
// called ROBOT.LINK and whose joints are called ROBOT.JOINT. The scene places the frame F of the
// file in the world W by the robot's pose; the root link R hangs at X_FR from F:
//
//	X_WR = X_WF X_FR
//
// A fixed root is welded to F, a free one starts there, and a drive of the robot moves F.
//
// Several robots may come of one file; names of each begin with its own, so that they never clash.
// A robot is added as a whole or not at all: bodies without their joints would fall apart.

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// robotFacts are facts of bodies and robots that drives depend on.
type robotFacts struct {
	// motion is the drive that prescribes the motion of a body or robot, by its name.
	motion map[string]string
	// base is the base link of a robot, as a body of the builder.
	base map[string]string
	// driven are the joints that drives of the scene move, and the robots all of whose joints they move.
	driven map[string]bool
}

// newRobotFacts returns facts about no robots.
func newRobotFacts() robotFacts {
	return robotFacts{map[string]string{}, map[string]string{}, map[string]bool{}}
}

// robot adds the links of a robot file as bodies "name.link". A file with faults is reported as a
// whole, and its links are not added. It returns what the file says, nil after a fault.
func (l *loader) robot(name string, s *Robot) *robot.Robot {
	path := l.rel(s.File)
	if s.File == "" {
		l.fail(s.Pos, "robots.%s: file is required, one of %s", name, strings.Join(robot.Formats.Names(), ", "))
		return nil
	}
	if s.MissingMeshes != "" && s.MissingMeshes != "error" && s.MissingMeshes != "skip" {
		l.fail(s.Pos, "robots.%s.missing_meshes is %q: error or skip", name, s.MissingMeshes)
		return nil
	}
	// a base has one way to move
	floats := s.Floating != nil && *s.Floating
	if floats && l.robots.motion[name] != "" {
		l.fail(s.Pos, "robots.%s: a drive moves its base, so it is not floating: leave out one of the two", name)
		return nil
	}
	text, err := readInput(path)
	if err != nil {
		l.fail(s.Pos, "robots.%s.file: %v", name, err)
		return nil
	}
	// the file and all that it includes count for the fingerprint
	l.digestFile(path, text)
	uris := &robotURIs{l, s, path, filepath.Dir(path)}
	model, warnings, err := robot.ParseModel(path, text, uris.open, s.Model)
	if err != nil {
		l.errs = append(l.errs, err)
		return nil
	}
	l.robotWarnings(s, path, model, warnings)
	if s.Keyframe != "" && !l.keyframe(name, s, model) {
		return nil
	}
	// worlds of SDFormat and MJCF state gravity; the scene decides
	if g := model.Gravity; g != nil && *g != r3.Vec(l.f.Gravity) {
		l.warn("%s defines a gravity of %v m/s²: the gravity of the scene, %v, is used", path, *g, l.f.Gravity)
	}
	// a base that is the world itself cannot float
	if root := &model.Links[model.Root]; floats && root.Name == world && root.Inertial == nil {
		l.fail(s.Pos, "robots.%s: %s connects it to the world, so it is not floating: leave out floating, or the joint to the world", name, path)
		return nil
	}
	r := robotLoader{loader: l, name: name, spec: s, model: model, uris: uris, file: path, meshes: map[meshKey]*robotMesh{}, told: map[*robotMesh]bool{}}
	r.load()
	return model
}

// robotWarnings adds the warnings of a robot file, of a strict one as errors where it is refused.
func (l *loader) robotWarnings(s *Robot, path string, model *robot.Robot, warnings []robot.Warning) {
	for _, w := range warnings {
		// included files have lines of their own
		file, line := model.Where(path, w.Line)
		if !s.Strict || !w.Refused() {
			l.warn("%s:%d: %s", file, line, w.Text)
			continue
		}
		text := w.Text
		if w.LeftOut {
			text += ": the robot moves otherwise without it; strict: false leaves it out"
		}
		l.errs = append(l.errs, &Error{File: file, Pos: Pos{line, 1}, Msg: text})
	}
}

// keyframe starts a robot at a keyframe of its file; false after a fault.
func (l *loader) keyframe(name string, s *Robot, model *robot.Robot) bool {
	var names []string
	for i := range model.Keyframes {
		if k := &model.Keyframes[i]; k.Name == s.Keyframe {
			model.Start(k)
			return true
		}
		names = append(names, model.Keyframes[i].Name)
	}
	if len(names) == 0 {
		l.fail(s.Pos, "robots.%s.keyframe: %s has no keyframes", name, s.File)
	} else {
		l.fail(s.Pos, "robots.%s.keyframe: %s has no keyframe %q%s", name, s.File, s.Keyframe, kinds.Suggest(s.Keyframe, names))
	}
	return false
}

// robotLoader adds one robot.
type robotLoader struct {
	*loader
	// name is that of the robot in the scene, the prefix of its links and joints.
	name string
	spec *Robot
	// model is what the file says, in any format.
	model *robot.Robot
	// uris finds the files that the robot file names.
	uris *robotURIs
	file string
	// meshes are those that were read; several shapes use one.
	meshes map[meshKey]*robotMesh
	// told are the meshes of whose faults the user was warned.
	told map[*robotMesh]bool
	// missing and unreadable are the visuals that are left out.
	missing, unreadable lostVisuals
}

// load adds the links in the order of the tree, parents first, then mimic joints, shapes and
// pairs of links that do not touch.
func (r *robotLoader) load() {
	r.base()
	// joints, parents first: the order of links in the state
	var movable []string
	for _, i := range r.model.Order() {
		j := &r.model.Joints[i]
		if r.joint(j) {
			movable = append(movable, j.Name)
		}
	}
	// mimic joints need both joints, so they come after the tree
	for i := range r.model.Joints {
		if j := &r.model.Joints[i]; j.Mimic != nil {
			leader := &r.model.Joints[j.Mimic.Joint]
			r.builder.AddMimic(r.full(j.Name), r.full(leader.Name), j.Mimic.Multiplier, j.Mimic.Offset)
		}
	}
	// names of initial positions that no joint has
	for _, joint := range r.spec.Joints.Keys {
		if !slices.Contains(movable, joint) {
			r.loader.fail(r.spec.Pos, "robots.%s.joints: no joint with one degree of freedom is called %q%s", r.name, joint, kinds.Suggest(joint, movable))
		}
	}
	// what connects joints and links comes after all of them
	r.loops()
	r.couplings()
	r.actuators()
	r.shapes()
	r.deformables()
	r.excludePairs()
}

// loops adds constraints between links. They are called as in the file, after the robot.
func (r *robotLoader) loops() {
	X_WF := r.poseOf(&r.spec.Pose)
	// a side without a link is fixed to the world: its pose is in F, and the scene places F
	side := func(link int, X r3.Pose) (string, r3.Pose) {
		if link < 0 {
			return "", X_WF.Mul(X)
		}
		return r.linkName(link), X
	}
	for i := range r.model.Loops {
		l := &r.model.Loops[i]
		a, X_AP := side(l.A, l.X_AP)
		b, X_BQ := side(l.B, l.X_BQ)
		two := constraints.TwoBodies{A: a, B: b}
		name := r.full(l.Name)
		r.at("constraint", name, l.Line)
		if l.Weld {
			r.builder.AddConstraint(name, &constraints.WeldSpec{TwoBodies: two, PoseA: &X_AP, PoseB: X_BQ})
		} else {
			r.builder.AddConstraint(name, &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: two, PointA: &X_AP.P, PointB: X_BQ.P}})
		}
	}
}

// full returns the name of a link or joint of the robot in the scene.
func (r *robotLoader) full(name string) string { return r.name + "." + name }

// linkName returns the name of a link in the scene.
func (r *robotLoader) linkName(link int) string { return r.full(r.model.Links[link].Name) }

// at notes where in the robot file an item stands.
func (r *robotLoader) at(kind, name string, line int) {
	file, line := r.model.Where(r.file, line)
	r.places[[2]string{kind, name}] = place{file, Pos{line, 1}, "robots." + name}
}

// base adds the root link: fixed, free, or with a prescribed motion, which moves the
// frame of the file.
func (r *robotLoader) base() {
	root := r.model.Root
	name := r.linkName(root)
	// X_WR, see the head of the file
	X_WF := r.poseOf(&r.spec.Pose)
	spec := r.link(root)
	spec.Pose = X_WF.Mul(r.model.X_FR)
	// free, or welded to the frame F that a drive may move
	floating := r.model.Floating // unless the scene says otherwise
	if r.spec.Floating != nil {
		floating = *r.spec.Floating
	}
	motion := r.robots.motion[r.name]
	// a weld in the frames of the file, so that a motion turns about F, not about the root
	if !floating || motion != "" {
		spec.Joint = &sim.JointSpec{Name: r.full("base"), Joint: rigid.Weld{}, Frames: &sim.JointFrames{X_PF: X_WF, X_BM: r.model.X_FR.Inv()}}
	}
	r.at("body", name, r.model.Links[root].Line)
	r.builder.AddBody(name, spec)
	r.robots.base[r.name] = name
}

// link returns the inertia of a link.
func (r *robotLoader) link(i int) sim.BodySpec {
	mass := &geometry.MassProperties{}
	// links without inertia have none: the builder reports where they need one
	if in := r.model.Links[i].Inertial; in != nil {
		*mass = geometry.MassProperties{Mass: in.Mass, Com: in.Com, Inertia: in.Inertia}
	}
	return sim.BodySpec{Inertial: mass, WeightCompensation: r.model.Links[i].WeightCompensation}
}

// joint adds a joint with the link that it carries, and reports whether it has one degree of
// freedom. Frames are those of the file: F hangs on the parent at X_PF, M on the child C at X_CM.
func (r *robotLoader) joint(j *robot.Joint) bool {
	body := r.linkName(j.Child)
	spec := r.link(j.Child)
	spec.Joint = &sim.JointSpec{
		Name: r.full(j.Name), Parent: r.linkName(j.Parent), Frames: &sim.JointFrames{X_PF: j.X_PF, X_BM: j.X_CM},
		Damping: j.Damping, Stiffness: j.Stiffness, Rest: j.RestPosition, RotorInertia: j.RotorInertia,
		// a free joint connects nothing: what it carries touches others, see excludePairs
		ContactParent: r.selfContact() && r.model.AdjacentContact || r.spec.SelfContact == nil && j.Type == robot.Floating,
	}
	// kinds of joints; what has no degree of freedom has no spring either
	single := true
	// what a file calls continuous has no limits, but is the same joint
	switch j.Type {
	case robot.Revolute, robot.Continuous:
		spec.Joint.Joint = rigid.Revolute{Axis: j.Axis}
	case robot.Prismatic:
		spec.Joint.Joint = rigid.Prismatic{Axis: j.Axis}
	case robot.Screw:
		spec.Joint.Joint = rigid.Screw{Axis: j.Axis, Pitch: j.Pitch}
	case robot.Floating:
		spec.Joint.Joint, single = rigid.Floating{}, false
	case robot.Ball:
		spec.Joint.Joint, single = rigid.Ball{}, false
	default:
		spec.Joint.Joint, single = rigid.Weld{}, false
		spec.Joint.Damping, spec.Joint.Stiffness, spec.Joint.RotorInertia = 0, 0, 0
	}
	if single {
		r.movable(j, spec.Joint)
	}
	r.at("body", body, r.model.Links[j.Child].Line)
	r.at("joint", spec.Joint.Name, j.Line)
	r.builder.AddBody(body, spec)
	return single
}

// manyTurns is the limit of a joint, rad, from which degrees are suspected: 4 turns.
const manyTurns = 8 * math.Pi

// movable sets position, limits and friction of a joint with one degree of freedom.
func (r *robotLoader) movable(j *robot.Joint, spec *sim.JointSpec) {
	// few joints turn more than four times; 45 or 720 are likely degrees
	if most := max(math.Abs(j.Lower), math.Abs(j.Upper)); j.Type == robot.Revolute && most > manyTurns && most <= 720 {
		r.warnAt(j.Line, "joint %q: its limits, %g to %g rad, are more than %d turns: are these degrees?", j.Name, j.Lower, j.Upper, int(most/(2*math.Pi)))
	}
	spec.Limits, spec.Friction = &[2]float64{j.Lower, j.Upper}, j.Friction
	// where the scene, else the file puts it; mimic joints follow their leader
	if x := r.spec.Joints.Get(j.Name); x != nil {
		spec.Q = []float64{*x}
	} else if j.Mimic == nil {
		// a start beyond a limit would let the limit push in the first step
		spec.Q = []float64{min(max(j.StartPosition, j.Lower), j.Upper)}
	}
	// they bound drives that state no bound
	if !math.IsInf(j.EffortLimit, 1) {
		spec.Effort = j.EffortLimit
	}
	if !math.IsInf(j.VelocityLimit, 1) {
		spec.Velocity = j.VelocityLimit
	}
}

// selfContact reports whether links of the robot touch each other.
func (r *robotLoader) selfContact() bool { return r.spec.SelfContact != nil && *r.spec.SelfContact }

// excludePairs excludes contact between links, where the scene says nothing of self-contact those of each
// free tree of the file, such as several bodies in a world that move freely; where it wants none all of
// them. Pairs that the file excludes never touch.
func (r *robotLoader) excludePairs() {
	if !r.selfContact() {
		trees := make([][]string, len(r.model.Links))
		top := r.model.FreeTrees()
		for i := range r.model.Links {
			if r.spec.SelfContact != nil { // false: of all trees
				top[i] = 0
			}
			trees[top[i]] = append(trees[top[i]], r.linkName(i))
		}
		for _, links := range trees {
			if len(links) > 1 {
				r.builder.ExcludeGroup(links...)
			}
		}
	}
	for _, p := range r.model.ExcludedPairs {
		r.builder.ExcludePair(r.linkName(p[0]), r.linkName(p[1]))
	}
}

// failAt adds a fault of the robot file at a line.
func (r *robotLoader) failAt(line int, format string, args ...any) {
	file, line := r.model.Where(r.file, line)
	r.errs = append(r.errs, &Error{File: file, Pos: Pos{Line: line, Col: 1}, Msg: fmt.Sprintf(format, args...)})
}

// where names a line of the robot file, or of one that it includes.
func (r *robotLoader) where(line int) string {
	file, line := r.model.Where(r.file, line)
	return fmt.Sprintf("%s:%d", file, line)
}

// mendAt adds a warning about a line that is wrong, and what is taken instead; an error where the
// scene wants files that need no repairing.
func (r *robotLoader) mendAt(line int, format string, args ...any) {
	if r.spec.Strict {
		r.failAt(line, format, args...)
		return
	}
	r.warnAt(line, format, args...)
}

// warnAt adds a warning about a line of the robot file.
func (r *robotLoader) warnAt(line int, format string, args ...any) {
	r.warn("%s: %s", r.where(line), fmt.Sprintf(format, args...))
}
