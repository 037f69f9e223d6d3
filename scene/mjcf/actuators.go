package mjcf

// Actuators. With the length of what it pulls at, l = gear q of a joint or gear Σ coef q of a fixed
// tendon, an actuator has the force
//
//	f = clamp((g₀ + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇, forcerange)            (1)
//
// and its joint the effort gear f. All kinds are forms of general:
//
//	element      gain g                            bias b           control u
//	general      gainprm, of affine, else g₀       biasprm, if affine   ctrl, or its integral
//	motor        1 0 0                             0                ctrl
//	position     kp 0 0                            0 −kp −kv        ctrl
//	velocity     kv 0 0                            0 0 −kv          ctrl
//	intvelocity  kp 0 0                            0 −kp −kv        integral of ctrl, in actrange
//	damper       0 0 −kv                           0                ctrl
//
// Defaults of all kinds are one set, to which each element of a class and then the actuator itself apply
// their own attributes, in this order, as in MuJoCo. With dampratio ζ the damping of a position is
// 2 ζ √(kp m), m the inertia that the actuator feels with all joints at their references. What (1) is not,
// such as muscles, is listed as ignored; filters of controls are left out.
//
// A joint's actuators together have the greatest force as its effort limit, which bounds drives of scenes:
// of one with gear g, force at most F and, of motors, control at most u, |g| min(F, u).
// Source: MuJoCo, XML reference, actuator; Computation, force generation.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/scene/robot"
)

// motors collects the parameters of actuators by joints.
type motors struct {
	strength map[int]float64 // force or torque that all actuators of a joint have together; +Inf: unlimited
	order    []int           // joints in the order of the file
	left     []*leftOut      // actuators that are not simulated
}

// leftOut are actuators of one kind that are not simulated for one cause.
type leftOut struct {
	lines
	what, why string
}

// control is what a keyframe states of an actuator of the file.
type control struct {
	actuator int  // number among those that are simulated; −1: none
	stateful bool // it has an activation
}

// leave notes an actuator that is not simulated.
func (m *motors) leave(e *robot.Element, why string) {
	e.MarkRead()
	for _, l := range m.left {
		if l.what == e.Name && l.why == why {
			l.add(e.Line)
			return
		}
	}
	l := &leftOut{what: e.Name, why: why}
	l.add(e.Line)
	m.left = append(m.left, l)
}

// actuators reads all actuators, and their force limits as effort limits of joints.
func (r *reader) actuators(root *robot.Element) {
	m := motors{strength: map[int]float64{}}
	// All sections and all kinds of actuators, in the order of controls in keyframes.
	for _, s := range root.All("actuator") {
		for _, e := range s.Children {
			if slices.Contains(actuators, e.Name) {
				// All marks the elements as read, so that they are not listed as ignored
				s.All(e.Name)
				r.actuator(e, &m)
			}
			if r.Err != nil {
				return
			}
		}
	}
	// The lesser of this limit and of the joint's own, actuatorfrcrange, applies.
	for _, i := range m.order {
		if j := &r.m.Joints[i]; m.strength[i] > 0 {
			j.EffortLimit = min(j.EffortLimit, m.strength[i])
		}
	}
	for _, l := range m.left {
		r.LeaveOut(l.first, "ignored: <mujoco/actuator/%s>%s %s", l.what, times(l.count), l.why)
	}
}

// actuator reads one actuator. Several of one joint add their strength.
func (r *reader) actuator(e *robot.Element, m *motors) {
	v := r.view(e, "actuator", "")
	f := r.force(v)
	// Controls and activations of keyframes count those that are not simulated, too.
	place := control{actuator: -1, stateful: f.dynamics != "none"}
	defer func() { r.controls = append(r.controls, place) }()
	// The gear has six numbers for joints of several degrees of freedom; the first counts here.
	gear := []float64{1, 0, 0, 0, 0, 0}
	r.merged(v, "gear", gear)
	if r.Err != nil {
		return
	}
	sum, span, joint, why := r.transmission(e)
	if r.Err != nil {
		return
	}
	// an actuator that is not simulated counts for the effort limit of the joint as well
	if joint >= 0 {
		if _, seen := m.strength[joint]; !seen {
			m.order = append(m.order, joint)
		}
		m.strength[joint] += r.strength(e.Name, v, gear[0], r.m.Joints[joint].Name)
	}
	if why == "" {
		why = f.unusual
	}
	if why == "" && (gear[0] == 0 || len(sum.Joints) == 0) {
		why = "that pulls at nothing"
	}
	if why != "" {
		m.leave(e, why)
		return
	}
	a := robot.Actuator{Line: e.Line, JointSum: sum.Scaled(gear[0]), Gain: f.gain, Bias: f.bias, Integrates: f.dynamics == "integrator"}
	name, _ := e.Attr("name")
	if name == "" {
		name = r.m.Joints[sum.Joints[0]].Name + "_" + e.Name
	}
	a.Name = r.actuatorName(name)
	a.Force, a.ControlRange, a.ActivationRange = r.limited(v, "forcerange", "forcelimited"), r.limited(v, "ctrlrange", "ctrllimited"), r.limited(v, "actrange", "actlimited")
	if joint >= 0 {
		// the joint's own range bounds what reaches it
		if own := r.m.Joints[joint].EffortLimit / math.Abs(gear[0]); !math.IsInf(own, 1) {
			a.Force = &robot.Range{Lower: a.Force.Clamp(-own), Upper: a.Force.Clamp(own)}
		}
	}
	r.inherit(v, &a, span)
	if f.filtered {
		r.Warn(e.Line, "actuator %q: its control acts at once, without the filter of timeconst or dyntype", a.Name)
	}
	place.actuator = len(r.m.Actuators)
	r.m.Actuators = append(r.m.Actuators, a)
	// see dampByRatio
	if a.Gain[0] == -a.Bias[1] && a.Bias[2] > 0 {
		r.ratios = append(r.ratios, place.actuator)
	}
}

// transmission returns what an actuator pulls at, its range, and the number of the joint where it is one
// joint, else −1; why gives the reason why it is not simulated.
func (r *reader) transmission(e *robot.Element) (sum robot.JointSum, span *robot.Range, joint int, why string) {
	const nothing = "that pulls at no joint and no fixed tendon"
	if name, ok := e.Attr("tendon"); ok && name != "" {
		t := r.tendons[name]
		if t == nil {
			return sum, nil, -1, nothing
		}
		return t.JointSum, t.span, -1, ""
	}
	attr, name := jointAttr(e)
	const several = "of a joint with several degrees of freedom"
	switch {
	case name == "":
		return sum, nil, -1, nothing
	case name == r.freed:
		return sum, nil, -1, several
	}
	i := r.jointOf(e, attr)
	if r.Err != nil {
		return sum, nil, -1, ""
	}
	j := &r.m.Joints[i]
	if !j.Type.OneDOF() {
		return sum, nil, -1, several
	}
	if !math.IsInf(j.Lower, 0) && !math.IsInf(j.Upper, 0) {
		span = &robot.Range{Lower: j.Lower, Upper: j.Upper} // for inheritrange
	}
	return robot.JointSum{Joints: []int{i}, Coefficients: []float64{1}}, span, i, ""
}

// jointAttr returns the attribute that names the joint of an actuator, joint or jointinparent, and the
// name, empty for none. The two differ for balls and free joints only.
func jointAttr(e *robot.Element) (attr, name string) {
	if name, ok := e.Attr("joint"); ok {
		return "joint", name
	}
	name, _ = e.Attr("jointinparent")
	return "jointinparent", name
}

// limited returns a range of an actuator; nil where it does not limit.
func (r *reader) limited(v view, name, flag string) *robot.Range {
	lower, upper, limits := r.span(v, name, flag)
	if !limits {
		return nil
	}
	return &robot.Range{Lower: lower, Upper: upper}
}

// inherit sets the range of a servo's set point by that of its joint or tendon, inheritrange times as
// wide.
func (r *reader) inherit(v view, a *robot.Actuator, span *robot.Range) {
	by := r.number(v, "inheritrange", 0)
	if by <= 0 || span == nil || r.Err != nil {
		return
	}
	// the set point of an integrating servo is its activation, of any other its control
	middle, half := (span.Lower+span.Upper)/2, (span.Upper-span.Lower)/2*by
	x := &robot.Range{Lower: middle - half, Upper: middle + half}
	if a.Integrates {
		a.ActivationRange = x
	} else {
		a.ControlRange = x
	}
}

// actuatorName returns a name that no actuator has, and takes it.
func (r *reader) actuatorName(name string) string {
	name = unused(name, r.driven)
	r.driven[name] = true
	return name
}

// unused returns a name that is not taken: the name itself, or with the least number behind it.
func unused(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	return free
}

// strength returns the greatest force or torque of an actuator on its joint, that is
// its own times the gear ratio; +Inf where nothing limits it.
func (r *reader) strength(kind string, v view, gear float64, joint string) float64 {
	most := math.Inf(1)
	if x := r.effort(v, "forcerange", "forcelimited", gear, joint); x > 0 {
		most = x
	}
	if kind == "motor" { // the control of a motor is its force
		if x := r.effort(v, "ctrlrange", "ctrllimited", gear, joint); x > 0 {
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
