package mjcf

// Equality constraints. One between two joints is a mimic if it is linear. Those that close
// loops (connect, weld) are no part of a tree: warnings say how to write them in a scene.
//
//	<equality>            read as
//	joint, linear         Joint.Mimic of joint1, which follows joint2
//	joint, other          ignored with a warning
//	connect, weld         ignored; the warning names the constraint of a scene to write instead
//	others                ignored
//
// Constraints of MuJoCo are soft (solref, solimp); a mimic holds exactly.

import (
	"math"

	"github.com/curlfree/curlfree/scene/robot"
)

// equalities reads couplings of joints, as mimics. Equalities that close loops are
// warned of, since a robot is a tree.
func (r *reader) equalities(root *robot.Element) {
	for _, s := range root.All("equality") {
		for _, e := range s.Children {
			switch e.Name {
			case "joint", "connect", "weld":
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
			default:
				r.loop(e)
			}
		}
	}
	if r.Err == nil {
		r.CheckMimicCycles(r.m)
	}
}

// tie reads an equality of two joints, with q₀ and q'₀ their positions in the file:
//
//	q − q₀ = a₀ + a₁ (q' − q'₀)
//
// Higher powers, of a₂ to a₄, and equalities of one joint are warned of and ignored.
func (r *reader) tie(e *robot.Element) {
	// a₀ to a₄; the format's default is that both joints move alike.
	coef := []float64{0, 1, 0, 0, 0}
	if x := r.numbers(e, "polycoef", 1, 5); x != nil {
		copy(coef, x)
	}
	i := r.jointOf(e, "joint1")
	leader, ok := e.Attr("joint2")
	if r.Err != nil {
		return
	}
	j := &r.m.Joints[i]
	// What a mimic cannot express is ignored: one joint, powers, a second leader.
	switch {
	case !ok || leader == "":
		r.Warn(e.Line, "ignored: <equality/joint> of joint %q alone, which holds it at %g: leave the joint out, or hold it with a drive of the scene", j.Name, r.refs[i]+coef[0])
		return
	case coef[2] != 0 || coef[3] != 0 || coef[4] != 0:
		r.Warn(e.Line, "ignored: <equality/joint> of joints %q and %q: joints follow others along a line here, and polycoef has higher powers", j.Name, leader)
		return
	case j.Mimic != nil:
		r.Warn(e.Line, "ignored: <equality/joint> of joints %q and %q: the former follows another already", j.Name, leader)
		return
	}
	k := r.jointOf(e, "joint2")
	if r.Err != nil {
		return
	}
	// q = a₁ q' + (a₀ + q₀ − a₁ q'₀)
	f := robot.NamedMimic{Line: e.Line, Joint: i, Leader: leader, Multiplier: coef[1], Offset: coef[0] + r.refs[i] - coef[1]*r.refs[k]}
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

// loop warns of an equality that closes a loop, and says how to write it in a scene.
func (r *reader) loop(e *robot.Element) {
	kind := map[string]string{"connect": "ball", "weld": "weld"}[e.Name]
	// connect holds a point of two bodies, weld their frames; without body2 the world.
	a, _ := e.Attr("body1")
	b, _ := e.Attr("body2")
	anchor, _ := e.Attr("anchor")
	e.MarkRead()
	switch {
	case a == "":
		r.Warn(e.Line, "ignored: <equality/%s> of sites: close the loop with a %s among the constraints of the scene", e.Name, kind)
		return
	case b == "":
		b = "world"
	}
	// The anchor is in the frame of body1, m.
	where := ""
	if anchor != "" {
		where = " at " + anchor + " of the former"
	}
	r.Warn(e.Line, "ignored: <equality/%s> of bodies %q and %q: close the loop with a %s%s among the constraints of the scene", e.Name, a, b, kind, where)
}
