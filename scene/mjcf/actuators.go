package mjcf

// Actuators. A motor applies its control times the gear ratio to a joint. Controls and their
// gains belong to the drives of a scene; of actuators only the greatest force is read, as the
// effort limit of the joint that they drive.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// motors collects what actuators say of joints.
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
	for _, i := range m.order {
		if j := &r.m.Joints[i]; m.strength[i] > 0 {
			j.EffortLimit = min(j.EffortLimit, m.strength[i])
		}
	}
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
	attr := "joint"
	name, ok := e.Attr(attr)
	if !ok {
		attr = "jointinparent"
		name, ok = e.Attr(attr)
	}
	e.MarkRead() // the warnings above speak of all actuators
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
