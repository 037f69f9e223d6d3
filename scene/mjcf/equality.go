package mjcf

// Equality constraints. An equality of two joints is a mimic joint if it is linear. Equalities
// of bodies (connect, weld) close kinematic loops.
//
//	<equality>            read as
//	joint, linear         Joint.Mimic of joint1, which follows joint2
//	joint alone, or a second leader   Robot.Couplings
//	joint, other          ignored with a warning
//	tendon, fixed ones    Robot.Couplings, see tendons.go
//	connect, weld         Robot.Loops, of bodies; those of sites are ignored with a warning
//	others                ignored
//
// Constraints of MuJoCo are soft (solref, solimp); here they act as those of scenes do.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// equalities reads couplings of joints, as mimics, and loops of bodies.
func (r *reader) equalities(root *robot.Element) {
	for _, s := range root.All("equality") {
		for _, e := range s.Children {
			switch e.Name {
			case "joint", "tendon", "connect", "weld":
			default:
				continue
			}
			// Each equality is read here, and warned of where it is not a mimic.
			s.All(e.Name)
			v := r.view(e, "equality", "")
			// An equality may be switched off, by itself or its class.
			text, at, ok := v.get("active")
			switch {
			case ok && r.choice(at, "active", text, "true", "false") == "false":
				e.MarkRead()
			case e.Name == "joint":
				r.tie(e)
			case e.Name == "tendon":
				r.tendonEquality(e)
			default:
				r.loop(e, v)
			}
		}
	}
	if r.Err == nil {
		r.CheckMimicCycles(r.m)
		r.MendMimicLimits(r.m)
	}
}

// tie reads an equality of two joints, with q₀ and q'₀ their positions in the file:
//
//	q − q₀ = a₀ + a₁ (q' − q'₀)
//
// Higher powers, of a₂ to a₄, are warned of and ignored. One joint alone is fixed, and a joint that follows
// another already is coupled with the second.
func (r *reader) tie(e *robot.Element) {
	coef := r.polynomial(e)
	i := r.jointOf(e, "joint1")
	leader, ok := e.Attr("joint2")
	if r.Err != nil {
		return
	}
	j := &r.m.Joints[i]
	if !j.Type.OneDOF() {
		r.LeaveOut(e.Line, "ignored: <equality/joint> of joint %q, which has several degrees of freedom", j.Name)
		return
	}
	own := robot.JointSum{Joints: []int{i}, Coefficients: []float64{1}} // q, for equalities that are no mimic
	switch {
	case !ok || leader == "":
		r.couple(e, own, coef[0])
		return
	case coef[2] != 0 || coef[3] != 0 || coef[4] != 0:
		r.LeaveOut(e.Line, "ignored: <equality/joint> of joints %q and %q: joints follow others along a line here, and polycoef has higher powers", j.Name, leader)
		return
	}
	k := r.jointOf(e, "joint2")
	if r.Err != nil {
		return
	}
	// a joint follows one other at most; a second equality becomes a constraint
	if j.Mimic != nil {
		if !r.m.Joints[k].Type.OneDOF() || k == i {
			r.LeaveOut(e.Line, "ignored: <equality/joint> of joints %q and %q: two joints with one degree of freedom are required", j.Name, leader)
			return
		}
		r.couple(e, own.Minus(robot.JointSum{Joints: []int{k}, Coefficients: []float64{1}}, coef[1]), coef[0])
		return
	}
	// q = a₁ q' + (a₀ + q₀ − a₁ q'₀)
	f := robot.NamedMimic{Line: e.Line, Joint: i, Leader: leader, Multiplier: coef[1], Offset: coef[0] + r.refs[i] - coef[1]*r.refs[k]}
	// a product of two finite numbers may overflow
	if math.IsInf(f.Offset, 0) || math.IsNaN(f.Offset) {
		r.Fail(e.Line, "joint %q: polycoef times the ref of %q is too large", j.Name, leader)
	}
	r.SetMimic(r.m, f, r.joints)
}

// jointOf returns the number of the joint that an attribute names.
func (r *reader) jointOf(e *robot.Element, name string) int {
	s := r.RequiredText(e, name)
	i, ok := r.joints[s]
	if !ok {
		r.Fail(e.Line, "<%s %s=%q>: there is no such joint", e.Name, name, s)
	}
	return i
}

// loop reads an equality of two bodies: connect keeps a point of both together, weld their frames.
// Where they are kept follows from the poses of the file, at the references of all joints:
//
//	connect   anchor p on body1:            p_BQ = X_WB⁻¹ X_WA p
//	weld      anchor p on body2: X_BQ = (1, p), X_AP = X_AB X_BQ at the reference, or relpose
//	          where it is given
func (r *reader) loop(e *robot.Element, v view) {
	name, _ := e.Attr("name")
	first, _ := e.Attr("body1")
	if first == "" {
		e.MarkRead()
		kind := map[string]string{"connect": "ball", "weld": "weld"}[e.Name]
		r.LeaveOut(e.Line, "ignored: <equality/%s> of sites: close the loop with a %s among the constraints of the scene", e.Name, kind)
		return
	}
	second, _ := e.Attr("body2")
	if r.ofFlex(first) || r.ofFlex(second) {
		e.MarkRead()
		r.LeaveOut(e.Line, "ignored: <equality/%s> of a body that a <flexcomp> makes, which is not read", e.Name)
		return
	}
	a, b := r.bodyOf(e, "body1"), 0
	if second != "" {
		b = r.bodyOf(e, "body2")
	} else {
		second = "world"
	}
	var anchor r3.Vec
	if text, at, ok := v.get("anchor"); ok {
		anchor = r.place(at, "anchor", text)
	}
	relpose := r.numbers(e, "relpose", 7, 7)
	e.MarkRead()
	if r.Err != nil {
		return
	}
	// bodies that are fixed to each other are one rigid body, which a loop cannot move
	A, B := &r.bodies[a], &r.bodies[b]
	if A.welded == B.welded {
		r.Warn(e.Line, "ignored: <equality/%s> of bodies %q and %q, which do not move against each other", e.Name, first, second)
		return
	}
	if name == "" || r.looped[name] {
		name = unused(fmt.Sprintf("%s of %s and %s (line %d)", e.Name, first, second, e.Line), r.looped)
	}
	r.looped[name] = true
	l := robot.Loop{Name: name, Line: e.Line, Weld: e.Name == "weld", A: A.link, B: B.link}
	at := r3.Pose{R: r3.Identity(), P: anchor}
	X_AB := A.X_WB.Inv().Mul(B.X_WB) // at the references of all joints
	switch {
	case !l.Weld:
		// a ball has no axes: p_BQ = X_AB⁻¹ p
		l.X_AP, l.X_BQ = at, r3.Pose{R: r3.Identity(), P: X_AB.InvPoint(anchor)}
	// a quaternion of zeros, the default, means the pose at the reference
	case relpose != nil && (relpose[3] != 0 || relpose[4] != 0 || relpose[5] != 0 || relpose[6] != 0):
		l.X_AP, l.X_BQ = r3.Pose{R: r3.Quat(relpose[3:]).Unit().Mat(), P: r3.Vec(relpose[:3])}, at
	default:
		l.X_AP, l.X_BQ = X_AB.Mul(at), at
	}
	r.m.Loops = append(r.m.Loops, l)
}

// ofFlex reports whether a name is that of a body which a <flexcomp> makes: its own and a number.
func (r *reader) ofFlex(body string) bool {
	for _, name := range r.flexes {
		number, ok := strings.CutPrefix(body, name+"_")
		if _, err := strconv.Atoi(number); ok && err == nil {
			return true
		}
	}
	return false
}
