package urdf

import (
	"math"

	"curlfree/r3"
)

// joints reads joints, and the mimics between them; it returns their numbers by
// name.
func (r *reader) joints(root *element, robot *Robot, links map[string]int) map[string]int {
	names := map[string]int{}
	elements := append(root.all("joint"), root.all("drake:joint")...)
	for _, e := range elements {
		j, ok := r.joint(e, links)
		if !ok {
			return names
		}
		if _, twice := names[j.Name]; twice {
			r.fail(e.line, "a second joint is called %q (the first is in line %d): names must differ", j.Name, robot.Joints[names[j.Name]].Line)
		}
		names[j.Name] = len(robot.Joints)
		robot.Joints = append(robot.Joints, j)
	}
	for i, e := range elements {
		if m := r.one(e, "mimic"); m != nil {
			r.mimic(m, robot, i, names)
		}
	}
	r.mimicCircles(robot)
	return names
}

// mimic reads what joint i follows.
func (r *reader) mimic(m *element, robot *Robot, i int, names map[string]int) {
	j, name := &robot.Joints[i], r.text(m, "joint")
	other, ok := names[name]
	mimic := &Mimic{other, r.number(m, "multiplier", 1), r.number(m, "offset", 0)}
	switch {
	case !ok || other == i:
		r.fail(m.line, "joint %q mimics %q: name another joint of the robot", j.Name, name)
	case !j.Type.single():
		r.warn(m.line, "joint %q is %s: its <mimic> is ignored", j.Name, j.Type)
	case !robot.Joints[other].Type.single():
		r.fail(m.line, "joint %q mimics %q, which is %s and has no single position: make %q fixed too, or let it follow another",
			j.Name, name, robot.Joints[other].Type, j.Name)
	default:
		j.Mimic = mimic
	}
}

// mimicCircles finds joints that follow each other around.
func (r *reader) mimicCircles(robot *Robot) {
	seenFrom := make([]int, len(robot.Joints)) // 1 + the joint whose leaders were followed
	for i := range robot.Joints {
		for at := i; seenFrom[at] == 0; at = robot.Joints[at].Mimic.Joint {
			seenFrom[at] = i + 1
			m := robot.Joints[at].Mimic
			if m == nil {
				break
			}
			if seenFrom[m.Joint] == i+1 {
				r.fail(robot.Joints[at].Line, "joint %q mimics one that mimics it: mimics must lead to one joint, not in a circle", robot.Joints[at].Name)
				return
			}
		}
	}
}

func (r *reader) joint(e *element, links map[string]int) (Joint, bool) {
	j := Joint{
		Name: r.text(e, "name"), Line: e.line, Axis: r3.Vec{1, 0, 0},
		Lower: math.Inf(-1), Upper: math.Inf(1), Effort: math.Inf(1), Velocity: math.Inf(1),
	}
	j.Type = JointType(r.text(e, "type"))
	switch j.Type {
	case Fixed, Revolute, Continuous, Prismatic, Floating, Screw:
	case "planar":
		r.fail(e.line, "joint %q: planar joints are not supported: write two prismatic joints and a continuous one, with massless links between", j.Name)
		return j, false
	default:
		r.fail(e.line, "joint %q has the type %q: fixed, revolute, continuous, prismatic, floating and screw are supported", j.Name, j.Type)
		return j, false
	}
	j.Origin = r.origin(e)
	for _, end := range []struct {
		tag string
		dst *int
	}{{"parent", &j.Parent}, {"child", &j.Child}} {
		c := r.one(e, end.tag)
		if c == nil {
			r.fail(e.line, "joint %q has no <%s link=…>", j.Name, end.tag)
			return j, false
		}
		name := r.text(c, "link")
		i, ok := links[name]
		if !ok {
			r.fail(c.line, "joint %q: there is no link %q", j.Name, name)
			return j, false
		}
		*end.dst = i
	}
	r.axis(e, &j)
	r.limit(e, &j)
	if d := r.one(e, "dynamics"); d != nil {
		j.Damping, j.Friction = r.number(d, "damping", 0), r.number(d, "friction", 0)
		if j.Damping < 0 || j.Friction < 0 {
			r.fail(d.line, "joint %q: damping and friction must not be negative", j.Name)
		}
	}
	j.Pitch = r.value(e, "drake:screw_thread_pitch", 0)
	if j.Type == Screw && j.Pitch == 0 {
		r.fail(e.line, "joint %q: a screw has a <drake:screw_thread_pitch value=…>, m per revolution", j.Name)
	}
	return j, r.err == nil
}

func (r *reader) axis(e *element, j *Joint) {
	a := r.one(e, "axis")
	if a == nil || j.Type == Fixed || j.Type == Floating {
		if a != nil {
			a.attr("xyz") // has no meaning here
		}
		return
	}
	j.Axis = r.vec(a, "xyz", j.Axis)
	switch n := j.Axis.Norm(); {
	case n < 1e-9:
		r.fail(a.line, "joint %q: its axis is zero: give a direction such as \"0 0 1\"", j.Name)
	case math.IsInf(n, 0):
		r.fail(a.line, "joint %q: its axis is too long: give a direction such as \"0 0 1\"", j.Name)
	default:
		j.Axis = j.Axis.Unit()
	}
}

func (r *reader) limit(e *element, j *Joint) {
	l := r.one(e, "limit")
	if l == nil {
		if j.Type == Revolute || j.Type == Prismatic {
			r.warn(e.line, "joint %q has no <limit>: taken as unlimited", j.Name)
		}
		return
	}
	_, below := l.attr("lower")
	_, above := l.attr("upper")
	lower, upper := r.number(l, "lower", 0), r.number(l, "upper", 0) // 0 as the format says where one is left out
	switch bounded := j.Type == Revolute || j.Type == Prismatic || j.Type == Screw; {
	case bounded && !below && !above:
		if j.Type != Screw {
			r.warn(l.line, "joint %q: its <limit> has neither lower nor upper: taken as unlimited", j.Name)
		}
	case bounded && lower > upper:
		r.fail(l.line, "joint %q: its lower limit %g exceeds the upper %g", j.Name, lower, upper)
	case bounded:
		j.Lower, j.Upper = lower, upper
	case below && above && (lower != 0 || upper != 0):
		r.warn(l.line, "joint %q is %s: its lower and upper limits are ignored", j.Name, j.Type)
	}
	j.Effort, j.Velocity = r.most(l, "effort", j), r.most(l, "velocity", j)
}

// most returns a bound that is unlimited where it is left out, or 0 as exporters
// write that have not been told.
func (r *reader) most(l *element, name string, j *Joint) float64 {
	switch x := r.number(l, name, math.Inf(1)); {
	case x < 0:
		r.fail(l.line, "joint %q: its %s limit %g must not be negative", j.Name, name, x)
		return x
	case x == 0:
		if j.Type.single() {
			r.warn(l.line, "joint %q: its %s limit is 0: taken as unlimited", j.Name, name)
		}
		return math.Inf(1)
	default:
		return x
	}
}

// transmissions reads rotor inertias and gear ratios of motors, which a joint
// feels as ratio² times inertia. How the motor is commanded is no part of the
// mechanics.
func (r *reader) transmissions(root *element, robot *Robot, joints map[string]int) {
	for _, t := range root.all("transmission") {
		t.attr("name")
		t.all("type")
		j := r.one(t, "joint")
		if j == nil {
			continue
		}
		name := r.text(j, "name")
		j.all("hardwareInterface")
		i, ok := joints[name]
		if !ok {
			r.fail(j.line, "transmission: there is no joint %q", name)
			return
		}
		for _, a := range t.all("actuator") {
			a.attr("name")
			a.all("hardwareInterface")
			ratio, inertia := r.value(a, "drake:gear_ratio", 1), r.value(a, "drake:rotor_inertia", 0)
			if inertia < 0 {
				r.fail(a.line, "transmission of joint %q: its rotor inertia %g must not be negative", name, inertia)
			}
			robot.Joints[i].RotorInertia += ratio * ratio * inertia
		}
	}
}
