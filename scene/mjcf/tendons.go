package mjcf

// Tendons. A fixed tendon is a weighted sum of joint positions, its length l = Σ coef q. Actuators pull
// at it, equalities couple it, and of itself it may have
//
//	range                   a limit of l
//	stiffness, springlength a spring, f = −stiffness (l − springlength)
//	damping                 a damper, f = −damping l̇
//
// Spatial tendons, which run through sites and around shapes, are not simulated. Source: MuJoCo, XML
// reference, tendon/fixed.

import (
	"fmt"

	"github.com/curlfree/curlfree/scene/robot"
)

// tendon is a fixed tendon.
type tendon struct {
	robot.JointSum
	span *robot.Range // its limits; nil: none
}

// tendonSections reads all tendons.
func (r *reader) tendonSections(root *robot.Element) {
	var spatial lines
	for _, s := range root.All("tendon") {
		for _, e := range s.All("spatial") {
			// reported once for all of them, below
			e.MarkRead()
			spatial.add(e.Line)
		}
		for _, e := range s.All("fixed") {
			if r.tendon(e); r.Err != nil {
				return
			}
		}
	}
	if spatial.count > 0 {
		r.LeaveOut(spatial.first, "ignored: <tendon/spatial>%s, and what acts on it", times(spatial.count))
	}
}

// tendon reads a fixed tendon.
func (r *reader) tendon(e *robot.Element) {
	v := r.view(e, "tendon", "")
	name, _ := e.Attr("name")
	if name == "" {
		name = r.tendonName()
	}
	t := &tendon{JointSum: r.tendonSum(e, name)}
	if r.Err != nil {
		return
	}
	if r.tendons[name] != nil {
		r.Fail(e.Line, "a second tendon is called %q: names must differ", name)
	}
	r.tendons[name] = t // for actuators and equalities
	if lower, upper, limits := r.span(v, "range", "limited"); limits {
		t.span = &robot.Range{Lower: lower, Upper: upper}
	}
	if r.Err != nil || len(t.Joints) == 0 {
		return
	}
	// a limit is a coupling whose bounds differ
	if t.span != nil {
		r.m.Couplings = append(r.m.Couplings, robot.Coupling{Name: r.coupled(name), Line: e.Line, JointSum: t.JointSum, Lower: t.span.Lower, Upper: t.span.Upper})
	}
	r.passive(e, v, name, t)
}

// tendonName returns a name for a tendon that has none.
func (r *reader) tendonName() string {
	n := len(r.tendons)
	for r.tendons[fmt.Sprint("tendon", n)] != nil {
		n++
	}
	return fmt.Sprint("tendon", n)
}

// tendonSum returns the length of a fixed tendon, Σ coef q over its joints.
func (r *reader) tendonSum(e *robot.Element, name string) (sum robot.JointSum) {
	for _, j := range e.All("joint") {
		i := r.jointOf(j, "joint")
		coef := r.numbers(j, "coef", 1, 1)
		if r.Err != nil {
			return sum
		}
		if !r.m.Joints[i].Type.OneDOF() {
			r.Fail(j.Line, "fixed tendon %q: joint %q has several degrees of freedom: a hinge or slide is required", name, r.m.Joints[i].Name)
			return sum
		}
		// without a coefficient the format wants 0, which pulls at nothing
		if coef != nil {
			sum = sum.Minus(robot.JointSum{Joints: []int{i}, Coefficients: coef}, -1)
		}
	}
	return sum
}

// restLength returns the length of a tendon at which the springs of its joints rest, Σ coef springref.
func (r *reader) restLength(t *tendon) (length float64) {
	for i, joint := range t.Joints {
		length += t.Coefficients[i] * r.m.Joints[joint].RestPosition
	}
	return length
}

// passive reads spring and damper of a tendon, as an actuator without a control: f = k rest − k l − d l̇ is
// the bias of one whose gain is 0.
func (r *reader) passive(e *robot.Element, v view, name string, t *tendon) {
	k, d, friction := r.number(v, "stiffness", 0), r.number(v, "damping", 0), r.number(v, "frictionloss", 0)
	if min(k, d, friction) < 0 {
		r.Fail(e.Line, "tendon %q: stiffness, damping and frictionloss must not be negative", name)
	}
	if friction != 0 {
		r.LeaveOut(e.Line, "ignored: frictionloss of tendon %q", name)
	}
	if k == 0 && d == 0 {
		return
	}
	// −1, the default, means the length where the springs of joints rest
	length := []float64{-1, -1}
	if text, at, ok := v.get("springlength"); ok {
		x := r.parse(at, "springlength", text, 1, 2)
		if x == nil {
			return
		}
		length[0], length[1] = x[0], x[len(x)-1]
	}
	if length[0] != length[1] {
		r.LeaveOut(e.Line, "ignored: stiffness of tendon %q, whose springlength is a range without force", name)
		k = 0 // a spring without force within a range is no linear bias
	}
	rest := length[0]
	if rest == -1 {
		rest = r.restLength(t)
	}
	a := robot.Actuator{Name: r.actuatorName(name), Line: e.Line, JointSum: t.JointSum, Bias: [3]float64{k * rest, -k, -d}}
	r.m.Actuators = append(r.m.Actuators, a)
}

// coupled returns a name that no coupling and no loop has.
func (r *reader) coupled(name string) string {
	name = unused(name, r.looped)
	r.looped[name] = true
	return name
}

// tendonEquality reads an equality of fixed tendons: with l₀ their lengths in the file,
//
//	l − l₀ = a₀ + a₁ (l' − l'₀)
//
// for one alone l − l₀ = a₀. Higher powers are ignored with a warning.
func (r *reader) tendonEquality(e *robot.Element) {
	coef := r.polynomial(e)
	first, ok := e.Attr("tendon1")
	second, _ := e.Attr("tendon2")
	e.MarkRead()
	if r.Err != nil {
		return
	}
	// without a second tendon the sum l' is empty, hence 0
	a, b := r.tendons[first], &tendon{}
	if second != "" {
		b = r.tendons[second]
	}
	switch {
	case !ok || a == nil || b == nil:
		r.LeaveOut(e.Line, "ignored: <equality/tendon> of tendons %q and %q, of which one is not fixed", first, second)
		return
	case second != "" && (coef[2] != 0 || coef[3] != 0 || coef[4] != 0):
		r.LeaveOut(e.Line, "ignored: <equality/tendon> of tendons %q and %q: tendons follow others along a line here, and polycoef has higher powers", first, second)
		return
	}
	// l − a₁ l' is one sum of joint positions
	r.couple(e, a.JointSum.Minus(b.JointSum, coef[1]), coef[0])
}

// couple adds a coupling whose sum is its value in the file plus a number.
func (r *reader) couple(e *robot.Element, sum robot.JointSum, plus float64) {
	if len(sum.Joints) == 0 {
		r.Warn(e.Line, "ignored: <equality/%s>: nothing that it names moves", e.Name)
		return
	}
	name, ok := e.Attr("name")
	if !ok || name == "" {
		name = r.m.Joints[sum.Joints[0]].Name + "_equality"
	}
	// the file's position is that with all joints at their references; equal bounds fix the sum
	l := sum.At(r.refs) + plus
	r.m.Couplings = append(r.m.Couplings, robot.Coupling{Name: r.coupled(name), Line: e.Line, JointSum: sum, Lower: l, Upper: l})
}

// polynomial returns polycoef, a₀ to a₄, of which the default is 0 1 0 0 0.
func (r *reader) polynomial(e *robot.Element) []float64 {
	coef := []float64{0, 1, 0, 0, 0}
	if x := r.numbers(e, "polycoef", 1, 5); x != nil {
		copy(coef, x)
	}
	return coef
}
