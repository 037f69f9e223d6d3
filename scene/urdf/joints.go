package urdf

// Joints, their limits and motors. A limit that is left out, or 0 for efforts and speeds,
// means no limit: exporters write such files, and a joint without effort could not move.
//
//	joint frame      F on the parent, at <origin>; M on the child, in which it has the pose 1
//	positions        rad or m, from the pose in the file
//	limits           rad or m; efforts in N m or N; speeds in rad/s or m/s
//	dynamics         damping in N m s or N s/m; friction in N m or N

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// joints reads all joints, and the mimics between them. It returns their numbers by name.
func (r *reader) joints(root *robot.Element, m *robot.Robot, links map[string]int) map[string]int {
	names := map[string]int{}
	// A drake:joint is a joint that URDF itself does not have, such as a screw.
	// two lists, so that plain joints have the lower numbers whatever the order in the file
	elements := append(root.All("joint"), root.All("drake:joint")...)
	for _, e := range elements {
		j, ok := r.joint(e, links)
		if !ok {
			return names
		}
		for _, j := range r.axes(e, j, m) {
			// Names of joints are unique in a robot, since mimics and transmissions refer to them.
			if _, twice := names[j.Name]; twice {
				r.Fail(e.Line, "a second joint is called %q (the first is in line %d): names must differ", j.Name, m.Joints[names[j.Name]].Line)
			}
			names[j.Name] = len(m.Joints)
			m.Joints = append(m.Joints, j)
		}
	}
	// Mimics may refer to joints that come later.
	for _, e := range elements {
		name, _ := e.Attr("name")
		if f := r.One(e, "mimic"); f != nil {
			r.SetMimic(m, robot.NamedMimic{
				Line: f.Line, Joint: names[name], Leader: r.RequiredText(f, "joint"),
				Multiplier: r.Number(f, "multiplier", 1), Offset: r.Number(f, "offset", 0),
			}, names)
		}
	}
	r.CheckMimicCycles(m)
	r.MendMimicLimits(m)
	return names
}

// joint reads a joint; links are the numbers of links by name. It returns false after a
// fault.
func (r *reader) joint(e *robot.Element, links map[string]int) (robot.Joint, bool) {
	// the defaults of the format: no limits, the axis x
	j := robot.Joint{
		Name: r.RequiredText(e, "name"), Line: e.Line, Axis: r3.Vec{1, 0, 0},
		Lower: math.Inf(-1), Upper: math.Inf(1), EffortLimit: math.Inf(1), VelocityLimit: math.Inf(1),
	}
	// What follows depends on the type.
	if j.Type = robot.JointType(r.RequiredText(e, "type")); !r.knownType(e, &j) {
		return j, false
	}
	// The origin is the pose of the joint's frame in the parent; the child's frame is the same at zero.
	j.X_PF, j.X_CM = r.origin(e), r3.PoseIdentity()
	j.Parent = r.end(e, "parent", j.Name, links)
	j.Child = r.end(e, "child", j.Name, links)
	if r.Err != nil {
		return j, false
	}
	r.axis(e, &j)
	r.limit(e, &j)
	r.dynamics(e, &j)
	// of a drake:joint
	j.Pitch = r.ChildValue(e, "drake:screw_thread_pitch", 0)
	if j.Type == robot.Screw && j.Pitch == 0 {
		r.Fail(e.Line, "joint %q: a screw has a <drake:screw_thread_pitch value=…>, m per revolution", j.Name)
	}
	return j, r.Err == nil
}

// dynamics reads viscous (N m s or N s/m) and dry friction (N m or N) of a joint.
func (r *reader) dynamics(e *robot.Element, j *robot.Joint) {
	d := r.One(e, "dynamics")
	// those of a planar joint are of its three axes, see axes
	if d == nil || j.Type == planar {
		return
	}
	j.Damping, j.Friction = r.Number(d, "damping", 0), r.Number(d, "friction", 0)
	if j.Damping < 0 || j.Friction < 0 {
		r.Fail(d.Line, "joint %q: damping and friction must not be negative", j.Name)
	}
}

// balls reads the constraints of Drake that keep two points together.
func (r *reader) balls(root *robot.Element, m *robot.Robot, links map[string]int) {
	// the parts of the tag are elements of their own, with a name or a value
	const tag = "drake:ball_constraint"
	for _, e := range root.All(tag) {
		body := func(which string) string {
			// A and B are links by name, or the world
			if c := r.One(e, tag+"_body_"+which); c != nil {
				return r.RequiredText(c, "name")
			}
			// a constraint without both links has no effect
			r.Fail(e.Line, "<%s> has no <%s_body_%s>", tag, tag, which)
			return ""
		}
		point := func(which string) r3.Vec {
			// points are in the frames of these links, m
			if c := r.One(e, tag+which); c != nil {
				return r.Vec(c, "value", r3.Vec{})
			}
			r.Fail(e.Line, "<%s> has no <%s%s>", tag, tag, which)
			return r3.Vec{}
		}
		// after a fault, which stays in r.Err, numbers of the tag mean nothing
		b := robot.NamedBall{Line: e.Line, A: body("A"), B: body("B"), P: point("_p_AP"), Q: point("_p_BQ")}
		if r.Err == nil {
			r.AddBall(m, b, links)
		}
	}
}

// knownType reports whether joints of the type are read; that they are not is a fault.
func (r *reader) knownType(e *robot.Element, j *robot.Joint) bool {
	switch j.Type {
	case robot.Fixed, robot.Revolute, robot.Continuous, robot.Prismatic, robot.Floating, robot.Screw, robot.Ball:
		return true
	// several axes: see axes
	case planar, universal:
		return true
	// Bullet's name.
	case "spherical":
		j.Type = robot.Ball
		return true
	default:
		r.Fail(e.Line, "joint %q has the type %q: fixed, revolute, continuous, prismatic, floating, ball, screw, planar and universal are supported", j.Name, j.Type)
	}
	return false
}

// Types of joints that become several joints of one axis.
const (
	planar    robot.JointType = "planar"
	universal robot.JointType = "universal"
)

// axes returns the joints of one axis that a joint becomes: of a planar one two slides in the plane
// across its axis and a hinge about it; of Drake's universal one hinges about x and y of its frame.
func (r *reader) axes(e *robot.Element, j robot.Joint, m *robot.Robot) []robot.Joint {
	switch j.Type {
	case planar:
		var damping r3.Vec
		if d := r.One(e, "dynamics"); d != nil {
			if text, _ := d.Attr("damping"); len(strings.Fields(text)) == 1 {
				x := r.Number(d, "damping", 0)
				damping = r3.Vec{x, x, x}
			} else {
				damping = r.Vec(d, "damping", damping)
			}
			if min(damping[0], damping[1], damping[2]) < 0 {
				r.Fail(d.Line, "joint %q: damping must not be negative", j.Name)
			}
		}
		return m.Chain(j, robot.PlanarAxes(j.Axis, damping))
	case universal:
		return m.Chain(j, []robot.Joint{
			robot.NewAxis(robot.Continuous, r3.Vec{1, 0, 0}, j.Damping), robot.NewAxis(robot.Continuous, r3.Vec{0, 1, 0}, j.Damping),
		})
	}
	return []robot.Joint{j}
}

// end returns the number of the link that the element parent or child of a joint names.
func (r *reader) end(e *robot.Element, tag, joint string, links map[string]int) int {
	c := r.One(e, tag)
	if c == nil {
		r.Fail(e.Line, "joint %q has no <%s link=…>", joint, tag)
		return 0
	}
	name := r.RequiredText(c, "link")
	i, ok := links[name]
	if !ok {
		r.Fail(c.Line, "joint %q: there is no link %q", joint, name)
	}
	return i
}

// axis reads the axis of a joint that has one, and makes it a unit vector. The default
// is x.
func (r *reader) axis(e *robot.Element, j *robot.Joint) {
	a := r.One(e, "axis")
	if a == nil || j.Type == robot.Fixed || j.Type == robot.Floating || j.Type == robot.Ball {
		if a != nil {
			a.Attr("xyz") // exporters write one, which has no meaning
		}
		return
	}
	// the format wants unit vectors; files have (0, 0, 2) and rounded ones
	j.Axis = r.Vec(a, "xyz", j.Axis)
	switch n := j.Axis.Norm(); {
	case n < 1e-9:
		r.Fail(a.Line, "joint %q: its axis is zero: give a direction such as \"0 0 1\"", j.Name)
	case math.IsInf(n, 0):
		r.Fail(a.Line, "joint %q: its axis is too long: give a direction such as \"0 0 1\"", j.Name)
	default:
		j.Axis = j.Axis.Unit()
	}
}

// limit reads the limits of a joint. Where only one of lower and upper is given, the
// other is 0, as the format defines. Where both are left out, exporters mean no limit.
func (r *reader) limit(e *robot.Element, j *robot.Joint) {
	l := r.One(e, "limit")
	// The format requires limits of revolute and prismatic joints; without them they turn or slide freely.
	if l == nil {
		if j.Type == robot.Revolute || j.Type == robot.Prismatic {
			r.Warn(e.Line, "joint %q has no <limit>: taken as unlimited", j.Name)
		}
		return
	}
	// Left out and 0 differ: exporters leave out what is unknown to them.
	_, below := l.Attr("lower")
	_, above := l.Attr("upper")
	lower, upper := r.Number(l, "lower", 0), r.Number(l, "upper", 0)
	switch bounded := j.Type == robot.Revolute || j.Type == robot.Prismatic || j.Type == robot.Screw; {
	case bounded && !below && !above:
		if j.Type != robot.Screw {
			r.Warn(l.Line, "joint %q: its <limit> has neither lower nor upper: taken as unlimited", j.Name)
		}
	// the wrong order
	case bounded && lower > upper:
		r.Repair(l.Line, "joint %q: its lower limit %g exceeds the upper %g: taken as unlimited", j.Name, lower, upper)
	case bounded:
		j.Lower, j.Upper = lower, upper
	// a joint without positions or with endless ones
	case below && above && (lower != 0 || upper != 0):
		r.Warn(l.Line, "joint %q is %s: its lower and upper limits are ignored", j.Name, j.Type)
	}
	j.EffortLimit, j.VelocityLimit = r.most(l, "effort", j), r.most(l, "velocity", j)
}

// most returns the bound of an effort or speed; +Inf where it is left out, and where it
// is 0, which exporters write for an unknown bound.
// Efforts are in N m or N, speeds in rad/s or m/s.
func (r *reader) most(l *robot.Element, name string, j *robot.Joint) float64 {
	switch x := r.Number(l, name, math.Inf(1)); {
	case x < 0:
		// −1 is how some programs write that there is no bound
		r.Repair(l.Line, "joint %q: its %s limit is %g: taken as unlimited", j.Name, name, x)
		return math.Inf(1)
	case x == 0:
		if j.Type.OneDOF() {
			r.Warn(l.Line, "joint %q: its %s limit is 0: taken as unlimited", j.Name, name)
		}
		return math.Inf(1)
	default:
		return x
	}
}

// transmissions reads rotor inertias and gear ratios of motors, which a joint
// feels as ratio² times inertia. Hardware interfaces, which say how motors are commanded,
// have no part in the mechanics and are passed over without a warning.
func (r *reader) transmissions(root *robot.Element, m *robot.Robot, joints map[string]int) {
	for _, t := range root.All("transmission") {
		t.Attr("name")
		t.All("type")
		// A transmission names its joint; one without a joint moves nothing.
		j := r.One(t, "joint")
		if j == nil {
			continue
		}
		name := r.RequiredText(j, "name")
		j.All("hardwareInterface")
		i, ok := joints[name]
		if !ok {
			t.MarkRead()
			r.Repair(j.Line, "transmission: there is no joint %q: left out", name)
			continue
		}
		// Several motors of one joint turn together.
		for _, a := range t.All("actuator") {
			a.Attr("name")
			a.All("hardwareInterface")
			// A motor on the fast side of a gear: the joint feels ratio² times the rotor's inertia.
			ratio, inertia := r.ChildValue(a, "drake:gear_ratio", 1), r.ChildValue(a, "drake:rotor_inertia", 0)
			m.Joints[i].RotorInertia += r.ReflectedInertia(a.Line, fmt.Sprintf("transmission of joint %q", name), ratio, inertia)
		}
	}
}
