package mjcf

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// actuators reads how strong the motors of joints are. How they are commanded is
// the scene's affair.
func (r *reader) actuators(root *robot.Element) {
	strength := map[int]float64{} // of joints; +Inf: unlimited
	var order []int
	var read lines
	others := map[string]*lines{}
	var kinds []string
	for _, s := range root.All("actuator") {
		for _, e := range s.Children {
			if !slices.Contains(actuators, e.Name) {
				continue
			}
			s.All(e.Name)
			v := r.view(e, "actuator", "")
			name, ok := e.Attr("joint")
			attr := "joint"
			if !ok {
				attr = "jointinparent"
				name, ok = e.Attr(attr)
			}
			e.MarkRead()
			if !ok || name == "" {
				if others[e.Name] == nil {
					others[e.Name] = &lines{}
					kinds = append(kinds, e.Name)
				}
				others[e.Name].add(e.Line)
				continue
			}
			if read.add(e.Line); name == r.freed {
				continue
			}
			i := r.jointOf(e, attr)
			if r.Err != nil {
				return
			}
			if !r.m.Joints[i].Type.OneDOF() {
				continue
			}
			if _, seen := strength[i]; !seen {
				order = append(order, i)
			}
			strength[i] += r.strength(e.Name, v, r.m.Joints[i].Name)
		}
	}
	for _, i := range order {
		if j := &r.m.Joints[i]; strength[i] > 0 {
			j.EffortLimit = min(j.EffortLimit, strength[i])
		}
	}
	if read.count > 0 {
		r.Warn(read.first, "of <actuator>%s only limits of force are read, as effort limits of joints: give drives in the scene", times(read.count))
	}
	for _, kind := range kinds {
		r.Warn(others[kind].first, "ignored: <mujoco/actuator/%s>%s that moves no joint by itself", kind, times(others[kind].count))
	}
}

// strength returns the greatest force or torque of an actuator on its joint, +Inf
// when nothing limits it.
func (r *reader) strength(kind string, v view, joint string) float64 {
	gear := []float64{1, 0, 0, 0, 0, 0}
	r.merged(v, "gear", gear)
	most := math.Inf(1)
	if x := r.effort(v, "forcerange", "forcelimited", gear[0], joint); x > 0 {
		most = x
	}
	if kind == "motor" { // its control is its force
		if x := r.effort(v, "ctrlrange", "ctrllimited", gear[0], joint); x > 0 {
			most = min(most, x)
		}
	}
	return most
}

// times tells how often, of what is more than once.
func times(count int) string {
	if count < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", count)
}
