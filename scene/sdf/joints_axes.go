package sdf

// Joints with other than one axis, which become joints with one axis each:
//
//	universal, revolute2   two hinges: about axis, then about axis2, which the first carries
//	drake:joint planar     two slides and a hinge, along x, y and about z of the parent frame
//	gearbox                a mimic between the hinges of its parent and child
//
// A gearbox of ratio k ties the angles of its parent and of its child, both seen from the
// reference body, θ₁ about axis and θ₂ about axis2:
//
//	θ₂ = −k θ₁                                                            (1)
//
// A hinge between reference body and parent has the position q₁ = s₁ θ₁, where s₁ = ±1 describes how
// its axis and its order of links lie to those of the gearbox; likewise s₂. So the mimic is
//
//	q₂ = −k s₁ s₂ q₁                                                      (2)

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// second is put behind the name of a joint for its second axis; see robot.Chain.
const second = "_2"

// twoAxes returns the two hinges of a joint.
func (r *reader) twoAxes(e *robot.Element, j robot.Joint, m *robot.Robot) []robot.Joint {
	// Chain places the link between them, which has no mass
	axes := make([]robot.Joint, 2)
	// ODE gives a universal joint without axes these two; of other joints engines differ
	kind, _ := e.Attr("type")
	axisless := kind == "universal" && r.One(e, "axis") == nil && r.One(e, "axis2") == nil
	for i, tag := range []string{"axis", "axis2"} {
		axes[i] = robot.NewAxis(robot.Revolute, r3.Vec{}, 0)
		axes[i].Name = j.Name
		if !axisless {
			r.axis(e, tag, &axes[i])
		}
	}
	if axisless {
		r.Repair(e.Line, "joint %q has neither <axis> nor <axis2>: it turns about x and y of its frame, as in ODE", j.Name)
		axes[0].Axis, axes[1].Axis = r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}
	}
	return m.Chain(j, axes)
}

// drakeJoints reads the joints that Drake adds to the format.
func (r *reader) drakeJoints(e *robot.Element, m *robot.Robot, links, numbers map[string]int) {
	for _, c := range e.All("drake:joint") {
		kind := r.RequiredText(c, "type")
		j := robot.Joint{Name: r.full(r.RequiredText(c, "name")), Line: c.Line}
		if kind != "planar" {
			r.Fail(c.Line, "<drake:joint> %q: the type %q is not simulated: planar is", j.Name, kind)
		}
		// damping is of the two slides (N s/m) and the hinge (N m s)
		child := r.end(c, "drake:child", j.Name)
		damping := r.vec(c, "drake:damping", r3.Vec{})
		if r.Err != nil {
			return
		}
		// The frames that are named coincide at zero.
		j.Child, j.X_CM = links[child.link], relative(r.frames[child.link], child)
		if name := r.name(c, "drake:parent"); r.isWorld(name) {
			j.Parent, j.X_PF = r.world(m, links), r.X_WM.Mul(relative(r.models[0].frame, child))
		} else if parent := r.end(c, "drake:parent", j.Name); parent != nil {
			j.Parent, j.X_PF = links[parent.link], relative(r.frames[parent.link], parent)
		}
		if min(damping[0], damping[1], damping[2]) < 0 {
			r.Fail(c.Line, "<drake:joint> %q: damping must not be negative", j.Name)
		}
		for _, a := range m.Chain(j, robot.PlanarAxes(r3.Vec{0, 0, 1}, damping)) {
			numbers[a.Name] = len(m.Joints)
			m.Joints = append(m.Joints, a)
		}
	}
}

// end returns the frame that a child of a joint names; nil after a fault.
func (r *reader) end(e *robot.Element, tag, joint string) *frame {
	return r.at(fmt.Sprintf("the <%s> of joint %q", tag, joint), named{name: r.full(r.name(e, tag)), line: e.Line})
}

// gearbox ties the hinges of a gearbox, see (2).
func (r *reader) gearbox(e *robot.Element, m *robot.Robot, numbers map[string]int) {
	if kind, _ := e.Attr("type"); kind != "gearbox" || r.now.static || r.Err != nil {
		return
	}
	name := r.full(r.RequiredText(e, "name"))
	ratio := r.number(e, "gearbox_ratio", 1)
	reference := r.end(e, "gearbox_reference_body", name)
	parent := r.end(e, "parent", name)
	if r.Err != nil {
		return
	}
	q1, s1 := r.hinge(e, "axis", m, reference.link, parent.link)
	q2, s2 := r.hinge(e, "axis2", m, reference.link, r.frames[name].link)
	switch {
	case r.Err != nil:
	case q1 < 0 || q2 < 0:
		r.Fail(e.Line, "joint %q: a gearbox ties two revolute joints, of %q and of %q to %q, about its axes: one is not there",
			name, parent.link, r.frames[name].link, reference.link)
	case ratio == 0:
		r.Fail(e.Line, "joint %q: its <gearbox_ratio> is 0", name)
	case m.Joints[q2].Mimic == nil:
		m.Joints[q2].Mimic = &robot.Mimic{Joint: q1, Multiplier: -ratio * s1 * s2}
	case m.Joints[q1].Mimic == nil:
		m.Joints[q1].Mimic = &robot.Mimic{Joint: q2, Multiplier: -s1 * s2 / ratio}
	default:
		r.Repair(e.Line, "joint %q is left out: both joints that it ties mimic others: add a coupler to the scene", name)
	}
}

// hinge returns the number of the joint by which a link turns against the reference, about an axis
// of a gearbox, and the sign of its position against the angle from the reference to the link;
// −1 where there is none.
func (r *reader) hinge(e *robot.Element, tag string, m *robot.Robot, reference, link string) (int, float64) {
	a := robot.NewAxis(robot.Continuous, r3.Vec{}, 0)
	name, _ := e.Attr("name")
	a.Name = r.full(name)
	r.axis(e, tag, &a)
	if r.Err != nil {
		return -1, 0
	}
	M := r.models[0].frame
	d := relative(M, r.frames[a.Name]).R.MulVec(a.Axis)
	for i := range m.Joints {
		j := &m.Joints[i]
		from, to := m.Links[j.Parent].Name, m.Links[j.Child].Name
		J := r.frames[j.Name]
		if J == nil || j.Type != robot.Revolute && j.Type != robot.Continuous {
			continue
		}
		s := relative(M, J).R.MulVec(j.Axis).Dot(d)
		switch {
		case math.Abs(s) < 1-1e-6:
		case from == reference && to == link:
			return i, math.Copysign(1, s)
		case from == link && to == reference:
			return i, -math.Copysign(1, s)
		}
	}
	return -1, 0
}
