package mjcf

// Actuators. A motor applies its control times the gear ratio to a joint. Controls and their
// gains belong to the drives of a scene; of actuators only the greatest force is read, as the
// effort limit of the joint that they drive.
//
// A transmission of gear ratio g turns a force f of the actuator into g f on the joint, so that a
// range of forces with the greatest absolute value F limits the effort of the joint to |g| F.
// Several actuators of one joint act together, and their limits add up. For a motor the force is
// the control, so that ctrlrange limits it as forcerange does; for servos (position, velocity)
// the control is a position or a speed and limits nothing here. Efforts are in N m for hinges, in
// N for slides.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// motors collects the parameters of actuators by joints.
type motors struct {
	strength map[int]float64   // force or torque that all actuators of a joint have together; +Inf: unlimited
	order    []int             // joints in the order of the file
	read     lines             // actuators that are read
	others   map[string]*lines // actuators of anything but one joint, by the name of the element
	kinds    []string          // names of these elements in the order of the file
}

// actuators reads the force limits of actuators that drive a joint, as effort limits of
// that joint. How actuators are controlled is not read: drives belong to the scene.
func (r *reader) actuators(root *robot.Element) {
	m := motors{strength: map[int]float64{}, others: map[string]*lines{}}
	// All sections and all kinds of actuators; the order decides only the order of the warnings.
	for _, s := range root.All("actuator") {
		for _, e := range s.Children {
			if slices.Contains(actuators, e.Name) {
				s.All(e.Name)
				r.actuator(e, &m)
			}
			if r.Err != nil {
				return
			}
		}
	}
	// The lesser of this limit and of the joint's own, actuatorfrcrange, holds.
	for _, i := range m.order {
		if j := &r.m.Joints[i]; m.strength[i] > 0 {
			j.EffortLimit = min(j.EffortLimit, m.strength[i])
		}
	}
	// One warning speaks of all actuators that are read, and one of each kind that drives no joint.
	if m.read.count > 0 {
		r.Warn(m.read.first, "of <actuator>%s only limits of force are read, as effort limits of joints: give drives in the scene", times(m.read.count))
	}
	for _, kind := range m.kinds {
		r.Warn(m.others[kind].first, "ignored: <mujoco/actuator/%s>%s that moves no joint by itself", kind, times(m.others[kind].count))
	}
}

// actuator reads one actuator. Several of one joint add their strength.
func (r *reader) actuator(e *robot.Element, m *motors) {
	v := r.view(e, "actuator", "")
	// A joint is named by joint or jointinparent, which differ for balls and free joints only.
	attr := "joint"
	name, ok := e.Attr(attr)
	if !ok {
		attr = "jointinparent"
		name, ok = e.Attr(attr)
	}
	e.MarkRead() // the warnings above speak of all actuators
	// The actuator pulls a tendon, a site, a body or a slider-crank.
	if !ok || name == "" {
		if m.others[e.Name] == nil {
			m.others[e.Name] = &lines{}
			m.kinds = append(m.kinds, e.Name)
		}
		m.others[e.Name].add(e.Line)
		return
	}
	if m.read.add(e.Line); name == r.freed { // the free joint of the root has no effort limit
		return
	}
	// An actuator has one effort limit only where its joint has one degree of freedom.
	i := r.jointOf(e, attr)
	if r.Err != nil || !r.m.Joints[i].Type.OneDOF() {
		return
	}
	if _, seen := m.strength[i]; !seen {
		m.order = append(m.order, i)
	}
	m.strength[i] += r.strength(e.Name, v, r.m.Joints[i].Name)
}

// strength returns the greatest force or torque of an actuator on its joint, that is
// its own times the gear ratio; +Inf where nothing limits it.
func (r *reader) strength(kind string, v view, joint string) float64 {
	// The gear has six numbers for joints of several degrees of freedom; the first counts here.
	gear := []float64{1, 0, 0, 0, 0, 0}
	r.merged(v, "gear", gear)
	most := math.Inf(1)
	if x := r.effort(v, "forcerange", "forcelimited", gear[0], joint); x > 0 {
		most = x
	}
	if kind == "motor" { // the control of a motor is its force
		if x := r.effort(v, "ctrlrange", "ctrllimited", gear[0], joint); x > 0 {
			most = min(most, x)
		}
	}
	return most
}

// times writes how often something occurs, nothing for once.
func times(count int) string {
	if count < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", count)
}
