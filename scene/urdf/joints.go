package urdf

import (
	"math"

	"curlfree/r3"
)

// joints reads joints, and the mimics between them.
func (r *reader) joints(root *element, robot *Robot, links map[string]int) {
	names := map[string]int{}
	elements := append(root.all("joint"), root.all("drake:joint")...)
	for _, e := range elements {
		j, ok := r.joint(e, links)
		if !ok {
			return
		}
		if _, twice := names[j.Name]; twice {
			r.fail(e.line, "a second joint is called %q: names must differ", j.Name)
		}
		names[j.Name] = len(robot.Joints)
		robot.Joints = append(robot.Joints, j)
	}
	for i, e := range elements {
		m := r.one(e, "mimic")
		if m == nil {
			continue
		}
		name := r.text(m, "joint")
		other, ok := names[name]
		if !ok || other == i {
			r.fail(m.line, "joint %q mimics %q: name another joint of the robot", robot.Joints[i].Name, name)
			return
		}
		robot.Joints[i].Mimic = &Mimic{other, r.number(m, "multiplier", 1), r.number(m, "offset", 0)}
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
	if c := r.one(e, "drake:screw_thread_pitch"); c != nil {
		j.Pitch = r.number(c, "value", 0)
	}
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
	if n := j.Axis.Norm(); n < 1e-9 {
		r.fail(a.line, "joint %q: its axis is zero: give a direction such as \"0 0 1\"", j.Name)
	} else {
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
	// URDF's default is 0 where an attribute is left out
	lower, upper := r.number(l, "lower", 0), r.number(l, "upper", 0)
	if j.Type == Revolute || j.Type == Prismatic || j.Type == Screw {
		if lower > upper {
			r.fail(l.line, "joint %q: its lower limit %g exceeds the upper %g", j.Name, lower, upper)
		}
		if lower != 0 || upper != 0 {
			j.Lower, j.Upper = lower, upper
		}
	}
	if x := r.number(l, "effort", 0); x > 0 {
		j.Effort = x
	}
	if x := r.number(l, "velocity", 0); x > 0 {
		j.Velocity = x
	}
	l.attr("drake:acceleration")
}

// transmissions reads rotor inertias and gear ratios of motors, which a joint
// feels as ratio² times inertia.
func (r *reader) transmissions(root *element, robot *Robot) {
	for _, t := range root.all("transmission") {
		t.attr("name")
		if c := r.one(t, "type"); c != nil {
			c.attr("value")
		}
		j := r.one(t, "joint")
		if j == nil {
			continue
		}
		name := r.text(j, "name")
		j.all("hardwareInterface") // how to command the motor, not what it is
		for _, a := range t.all("actuator") {
			a.attr("name")
			a.all("hardwareInterface")
			ratio, inertia := 1.0, 0.0
			if c := r.one(a, "drake:gear_ratio"); c != nil {
				ratio = r.number(c, "value", 1)
			}
			if c := r.one(a, "drake:rotor_inertia"); c != nil {
				inertia = r.number(c, "value", 0)
			}
			found := false
			for i := range robot.Joints {
				if robot.Joints[i].Name == name {
					robot.Joints[i].RotorInertia += ratio * ratio * inertia
					found = true
				}
			}
			if !found {
				r.fail(j.line, "transmission: there is no joint %q", name)
			}
		}
	}
}

// tree finds the root and reorders nothing; it reports links that two joints
// hold, cycles and several roots.
func (r *reader) tree(robot *Robot) {
	if r.err != nil {
		return
	}
	if len(robot.Links) == 0 {
		r.fail(1, "the robot has no links")
		return
	}
	holder := make([]int, len(robot.Links))
	for i := range holder {
		holder[i] = -1
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if h := holder[j.Child]; h >= 0 {
			r.fail(j.Line, "link %q is the child of two joints, %q and %q, a loop: URDF describes trees; close loops with constraints in the scene",
				robot.Links[j.Child].Name, robot.Joints[h].Name, j.Name)
			return
		}
		holder[j.Child] = i
	}
	robot.Root = -1
	for i, h := range holder {
		if h >= 0 {
			continue
		}
		if robot.Root >= 0 {
			r.fail(robot.Links[i].Line, "links %q and %q both have no parent: connect them with a joint, or give two robots",
				robot.Links[robot.Root].Name, robot.Links[i].Name)
			return
		}
		robot.Root = i
	}
	if robot.Root < 0 || len(robot.Order()) < len(robot.Joints) {
		r.fail(robot.Joints[0].Line, "the joints form a loop: URDF describes trees; close loops with constraints in the scene")
	}
}

// Order returns the joints such that parents come before children.
func (robot *Robot) Order() []int {
	children := make([][]int, len(robot.Links))
	for i := range robot.Joints {
		p := robot.Joints[i].Parent
		children[p] = append(children[p], i)
	}
	var order []int
	queue := []int{robot.Root}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, j := range children[l] {
			order = append(order, j)
			queue = append(queue, robot.Joints[j].Child)
		}
	}
	return order
}
