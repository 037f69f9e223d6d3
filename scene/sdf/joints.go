package sdf

// Joints. The frame J of a joint is placed by its pose. The frame on the parent link and the
// frame M on the child coincide with it at zero, so both X_PF and X_CM follow from the poses
// of the links:
//
// 	X_PF = X_MP⁻¹ X_MJ     X_CM = X_MC⁻¹ X_MJ                             (1)
//
// with poses in the model M. Where the parent is the world, X_PF is the pose in the world.
//
// Positions, limits, springs and mimics are in rad for revolute joints and screws, in m for
// prismatic ones; efforts are in N m or N. A positive position turns the child about the axis
// by the right hand, or moves it along the axis. A static model has the same links and frames,
// with all joints fixed.
//
// The order is that of the file; the tree follows from parents and children. Links that a joint of
// a static model leaves out are fixed to the world, those of other models float.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// joints reads the joints of all models, and the mimics between them.
func (r *reader) joints(m *robot.Robot, links map[string]int) {
	numbers := map[string]int{} // of joints by name
	// Joints are numbered in the order of the file.
	for _, n := range r.models {
		r.now = n
		if n.parsed != nil {
			r.graftJoints(n, m, links, numbers)
		}
		for _, c := range n.e.All("joint") {
			for _, j := range r.joint(c, m, links) {
				numbers[j.Name] = len(m.Joints)
				m.Joints = append(m.Joints, j)
			}
		}
		r.drakeJoints(n.e, m, links, numbers)
		r.balls(n.e, m, links)
	}
	r.couplers(m, numbers)
	// Links of a static model that no joint carries are fixed to the world.
	for _, n := range r.models {
		if n.static {
			r.fix(n, m, links)
		}
	}
}

// balls reads the constraints of Drake that keep two points together.
func (r *reader) balls(model *robot.Element, m *robot.Robot, links map[string]int) {
	// names of links are those of the model that the tag stands in; the world has one of its own
	const tag = "drake:ball_constraint"
	for _, e := range model.All(tag) {
		body := func(which string) string {
			// a fault is reported once, at the tag
			name := r.name(e, tag+"_body_"+which)
			if r.isWorld(name) {
				return worldName
			}
			// links of nested models have the names of these before their own
			return r.full(name)
		}
		// points are in the frames of these links, m
		point := func(which string) r3.Vec {
			r.name(e, tag+which) // one that is absent is a fault
			return r.vec(e, tag+which, r3.Vec{})
		}
		// all links of the file have their numbers by now
		b := robot.NamedBall{Line: e.Line, A: body("A"), B: body("B"), P: point("_p_AP"), Q: point("_p_BQ")}
		if r.Err == nil {
			r.AddBall(m, b, links)
		}
	}
}

// couplers adds mimics and gearboxes, which may refer to joints that come later in the file.
func (r *reader) couplers(m *robot.Robot, numbers map[string]int) {
	for _, n := range r.models {
		r.now = n
		for _, c := range n.e.All("joint") {
			r.mimics(c, m, numbers)
			r.gearbox(c, m, numbers)
		}
	}
	if r.Err == nil {
		r.CheckMimicCycles(m)
		r.MendMimicLimits(m)
	}
}

// joint reads one joint, as several joints where it has several axes. Its frame J is placed by its
// pose, by default relative to the child.
func (r *reader) joint(e *robot.Element, m *robot.Robot, links map[string]int) []robot.Joint {
	// no limits and the axis x, unless the file gives others
	j := robot.NewAxis("", r3.Vec{1, 0, 0}, 0)
	j.Name, j.Line = r.full(r.RequiredText(e, "name")), e.Line
	kind := r.jointType(e, j.Name)
	j.Type = robot.JointType(kind)
	// (1); the child is the link that the joint is attached to
	J := r.frames[j.Name]
	child := r.frames[J.link]
	if child == nil {
		r.Fail(e.Line, "the child of joint %q is the world, which nothing moves: swap parent and child", j.Name)
		return nil
	}
	j.Child, j.X_CM = r.rigid(&j, child.name, links), relative(child, J)
	r.parent(e, m, links, &j)
	switch {
	case r.Err != nil || kind == "gearbox": // see gearbox
		return nil
	case kind == "universal" || kind == "revolute2":
		return r.twoAxes(e, j, m)
	// Fixed joints and balls have no axis, limits or motor.
	case j.Type != robot.Fixed && j.Type != robot.Ball:
		r.axis(e, "axis", &j)
		r.pitch(e, &j)
		ratio, inertia := r.number(e, "drake:gear_ratio", 1), r.number(e, "drake:rotor_inertia", 0)
		j.RotorInertia = r.ReflectedInertia(e.Line, fmt.Sprintf("joint %q", j.Name), ratio, inertia)
	}
	return []robot.Joint{j}
}

// parent sets the parent of a joint, and the pose of its frame J in that at zero.
func (r *reader) parent(e *robot.Element, m *robot.Robot, links map[string]int, j *robot.Joint) {
	J := r.frames[j.Name]
	// The world is a link of its own, whose frame is that of the file.
	if name := r.name(e, "parent"); r.isWorld(name) {
		j.Parent, j.X_PF = r.world(m, links), r.X_WM.Mul(relative(r.models[0].frame, J))
	} else if f := r.at(fmt.Sprintf("the parent of joint %q", j.Name), named{name: r.full(name), line: e.Line}); f != nil {
		// The parent may be any frame, which stands for the link that it moves with.
		parent := r.frames[f.link]
		j.Parent, j.X_PF = r.rigid(j, parent.name, links), relative(parent, J)
	}
}

// jointType returns the type of a joint as the format calls it. All joints of a static model are
// fixed, whatever type they have.
func (r *reader) jointType(e *robot.Element, name string) string {
	kind := r.RequiredText(e, "type")
	switch kind {
	case "fixed", "revolute", "continuous", "prismatic", "screw", "ball", "universal", "revolute2", "gearbox":
	default:
		r.Fail(e.Line, "joint %q has the type %q: fixed, revolute, continuous, prismatic, screw, ball, universal, revolute2 and gearbox are supported", name, kind)
	}
	// The type has been checked even where the model is static.
	if r.now.static {
		return "fixed"
	}
	return kind
}

// world returns the number of the link that stands for the world, which it adds where
// there is none yet.
func (r *reader) world(m *robot.Robot, links map[string]int) int {
	i, ok := links[worldName]
	if !ok {
		i = len(m.Links)
		links[worldName] = i
		// Poses of world links are those of the file, in W.
		m.Links = append(m.Links, robot.Link{Name: worldName, Line: r.models[0].frame.line})
	}
	return i
}

// fix connects the links of a static model that are no joint's child to the world, by
// fixed joints.
func (r *reader) fix(n *modelNode, m *robot.Robot, links map[string]int) {
	// links that are a joint's child
	held := make([]bool, len(m.Links))
	for i := range m.Joints {
		held[m.Joints[i].Child] = true
	}
	// names in the robot, with the scope of the model
	world := r.world(m, links)
	var names []string
	for _, e := range n.e.All("link") {
		name, _ := e.Attr("name")
		names = append(names, n.scope+name)
	}
	if n.parsed != nil {
		for i := range n.parsed.Links {
			names = append(names, n.scope+n.parsed.Links[i].Name)
		}
	}
	for _, name := range names {
		if i, ok := links[name]; ok && !held[i] && i != world { // deformables are fixed by walls alone
			j := robot.NewAxis(robot.Fixed, r3.Vec{1, 0, 0}, 0)
			j.Name, j.Line, j.Parent, j.Child = "world_"+name, m.Links[i].Line, world, i
			j.X_PF, j.X_CM = r.X_WM.Mul(relative(r.models[0].frame, r.frames[name])), r3.PoseIdentity()
			m.Joints = append(m.Joints, j)
		}
	}
}

// placeFree places a free joint of a link that no joint carries where the link is at the start.
func (r *reader) placeFree(m *robot.Robot, j *robot.Joint) {
	child := r.frames[m.Links[j.Child].Name]
	// the root of a fixed robot is the world, which has no frame among those of models
	if root := r.frames[m.Links[m.Root].Name]; root != nil {
		j.X_PF = relative(root, child)
	} else {
		j.X_PF = r.X_WM.Mul(relative(r.models[0].frame, child))
	}
}

// base returns the pose of the root link in the frame of the file.
func (r *reader) base(m *robot.Robot) r3.Pose {
	if f := r.frames[m.Links[m.Root].Name]; f != nil {
		// A link has a pose in the model, which the model's pose places in W.
		return r.X_WM.Mul(relative(r.models[0].frame, f))
	}
	return r3.PoseIdentity() // the root is the world
}

// axis reads an axis of a joint with its limits and dynamics.
func (r *reader) axis(e *robot.Element, tag string, j *robot.Joint) {
	a := r.One(e, tag)
	if a == nil {
		kind, _ := e.Attr("type")
		r.Fail(e.Line, "joint %q has no <%s>: a %s joint has one, such as <%s><xyz>0 0 1</xyz></%s>", j.Name, tag, kind, tag, tag)
		return
	}
	r.direction(a, j)
	// limits of position, effort and speed
	if l := r.One(a, "limit"); l != nil {
		r.limit(l, j)
	}
	// viscous damping, dry friction and the spring τ = −k (q − q₀)
	if d := r.One(a, "dynamics"); d != nil {
		j.Damping, j.Friction = r.number(d, "damping", 0), r.number(d, "friction", 0)
		j.Stiffness, j.RestPosition = r.number(d, "spring_stiffness", 0), r.number(d, "spring_reference", 0)
		if j.Damping < 0 || j.Friction < 0 || j.Stiffness < 0 {
			r.Fail(d.Line, "joint %q: damping, friction and spring_stiffness must not be negative", j.Name)
		}
	}
}

// direction reads the unit axis in the joint's own frame. The file may give it in the
// axes of another frame: by expressed_in, or up to version 1.6 in those of the model.
func (r *reader) direction(a *robot.Element, j *robot.Joint) {
	// z where the file gives none, as the format says
	j.Axis = r.vec(a, "xyz", r3.Vec{0, 0, 1})
	switch n := j.Axis.Norm(); {
	case n < 1e-9:
		r.Fail(a.Line, "joint %q: its axis is zero: give a direction such as 0 0 1", j.Name)
	case math.IsInf(n, 0):
		r.Fail(a.Line, "joint %q: its axis is too long: give a direction such as 0 0 1", j.Name)
	default:
		// An axis of any finite length is a direction.
		j.Axis = j.Axis.Unit()
	}
	// The frame that the axis is expressed in, by the attribute of <xyz> or the older flag of <axis>.
	in := named{line: a.Line}
	if xyz := r.One(a, "xyz"); xyz != nil {
		in.name, _ = xyz.Attr("expressed_in")
	}
	if in.name == "" && r.flagOr(a, "use_parent_model_frame", r.now.minor == 4) {
		in.name = modelName
	}
	in.name = r.full(in.name)
	if in.name == "" {
		return
	}
	if f := r.at(fmt.Sprintf("the axis of joint %q", j.Name), in); f != nil {
		// R_JF turns the axis from the axes of F to those of J.
		j.Axis = relative(r.frames[j.Name], f).R.MulVec(j.Axis)
	}
}

// limit reads the limits of a joint's axis; infinite where they are left out.
func (r *reader) limit(l *robot.Element, j *robot.Joint) {
	inf := math.Inf(1)
	// one that is left out does not act
	lower, upper := r.bound(l, "lower", -inf), r.bound(l, "upper", inf)
	switch {
	case j.Type == robot.Continuous:
		// A continuous joint turns without limits, whatever the file says.
		if lower > -inf || upper < inf {
			r.Warn(l.Line, "joint %q is continuous: its lower and upper limits are ignored", j.Name)
		}
	case lower > upper || lower == inf || upper == -inf:
		r.Repair(l.Line, "joint %q: its lower limit %g exceeds the upper %g: taken as unlimited", j.Name, lower, upper)
	default:
		j.Lower, j.Upper = lower, upper
	}
	j.EffortLimit, j.VelocityLimit = r.most(l, "effort", j), r.most(l, "velocity", j)
}

// most returns the bound of an effort or speed; +Inf where it is left out or negative,
// and where it is 0, which files write for joints without a motor.
// Efforts are in N m or N, speeds in rad/s or m/s.
func (r *reader) most(l *robot.Element, name string, j *robot.Joint) float64 {
	x := r.bound(l, name, math.Inf(1))
	switch {
	case x > 0:
		return x
	case x == 0:
		r.Warn(l.Line, "joint %q: its %s limit is 0: taken as unlimited", j.Name, name)
	}
	return math.Inf(1)
}

// pitch reads the travel of a screw per revolution: screw_thread_pitch, m per revolution
// of a right-handed thread, or the older thread_pitch, rad/m of a left-handed one.
func (r *reader) pitch(e *robot.Element, j *robot.Joint) {
	if j.Type != robot.Screw {
		return
	}
	// a revolution is 2π radians
	switch {
	case r.One(e, "screw_thread_pitch") != nil:
		j.Pitch = r.number(e, "screw_thread_pitch", 0)
	case r.One(e, "thread_pitch") != nil:
		j.Pitch = -2 * math.Pi / r.number(e, "thread_pitch", 0)
	default:
		j.Pitch = 1
		r.Warn(e.Line, "joint %q: its screw has no <screw_thread_pitch>: 1 m per revolution, as the format says", j.Name)
	}
	if j.Pitch == 0 || math.IsInf(j.Pitch, 0) {
		r.Fail(e.Line, "joint %q: a screw has a <screw_thread_pitch>, m per revolution", j.Name)
	}
}

// mimics reads the mimics of a joint: q = multiplier (q_leader − reference) + offset, or that of
// Drake's tag, which has no reference. The numbers of joints by name are in numbers.
func (r *reader) mimics(e *robot.Element, m *robot.Robot, numbers map[string]int) {
	name, _ := e.Attr("name")
	name = r.full(name)
	// a joint that was left out has no number
	i, ok := numbers[name]
	if !ok || r.Err != nil {
		return
	}
	// Drake's tag stands in the joint, that of the format in its axis.
	if c := r.One(e, "drake:mimic"); c != nil {
		r.SetMimic(m, robot.NamedMimic{
			Line: c.Line, Joint: i, Leader: r.leader(c),
			Multiplier: r.Number(c, "multiplier", 1), Offset: r.Number(c, "offset", 0),
		}, numbers)
		return
	}
	r.mimic(r.One(e, "axis"), m, i, numbers)
	if k, ok := numbers[name+second]; ok && r.One(e, "axis2") != nil {
		r.mimic(r.One(e, "axis2"), m, k, numbers)
	}
}

// mimic reads the mimic of an axis, which is joint i.
func (r *reader) mimic(axis *robot.Element, m *robot.Robot, i int, numbers map[string]int) {
	if axis == nil {
		return
	}
	c := r.One(axis, "mimic")
	if c == nil {
		return
	}
	leader := r.leader(c)
	if of, _ := c.Attr("axis"); of == "axis2" {
		leader += second
	}
	// the reference is part of the offset here
	f := robot.NamedMimic{Line: c.Line, Joint: i, Leader: leader, Multiplier: r.number(c, "multiplier", 1)}
	// q = k (q' − reference) + offset has the constant part offset − k reference.
	f.Offset = r.number(c, "offset", 0) - f.Multiplier*r.number(c, "reference", 0)
	if math.IsInf(f.Offset, 0) || math.IsNaN(f.Offset) {
		r.Fail(c.Line, "joint %q: multiplier times reference of its <mimic> is too large", m.Joints[i].Name)
	}
	r.SetMimic(m, f, numbers)
}
