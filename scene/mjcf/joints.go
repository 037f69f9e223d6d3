package mjcf

// Joints. MuJoCo places a joint in the body that it moves, at the configuration of the file,
// where the joint is at its position ref. With B the body's frame as the file places it in
// the parent P, and X_BM the place of the joint in the body,
//
// 	X_CM = X_BM     X_PF = X_PB X_BM joint(ref)⁻¹                         (1)
//
// so that at ref the body is in its place: X_PF joint(ref) X_CM⁻¹ = X_PB.
//
//	type     joint             position          limits by range
//	hinge    Continuous        rad               yes: Revolute
//	slide    Prismatic         m                 yes
//	ball     Ball              quaternion        ignored with a warning
//	free     Floating          pose              none
//
// The dynamics of a joint are τ = −stiffness (q − springref) − damping q̇, with dry friction of at
// most frictionloss and the rotor inertia armature.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// floats reports whether one of its joints makes a body free. A free joint is a fault on
// a body that is in another, and beside other joints.
func (r *reader) floats(name string, joints []item, onWorld bool) bool {
	// Of the elements, <joint type="free"> and <freejoint> mean the same.
	for _, it := range joints {
		if it.e.Name == "joint" {
			v := r.view(it.e, "joint", it.class)
			if r.jointType(v) != robot.Floating {
				continue
			}
			// The root's motion has no dynamics of its own here.
			for _, what := range []string{"damping", "armature", "frictionloss", "stiffness"} {
				if r.number(v, what, 0) != 0 {
					r.Warn(it.e.Line, "body %q is free: %s of its joint is ignored", name, what)
				}
			}
		}
		// a group is for viewers: read, without effect
		it.e.Attr("group")
		// Free bodies are placed in the world, since their motion is relative to it.
		switch {
		case !onWorld:
			r.Fail(it.e.Line, "body %q is free, but hangs on another: move it into <worldbody>", name)
		case len(joints) > 1:
			r.Fail(it.e.Line, "body %q is free and has other joints: keep the free one, which turns and moves every way", name)
		}
		return true
	}
	return false
}

// jointType returns the type of a joint; of a hinge Continuous, until limits are known.
func (r *reader) jointType(v view) robot.JointType {
	// The format's default is a hinge.
	text, at, ok := v.get("type")
	if !ok {
		text, at = "hinge", v[0]
	}
	switch r.choice(at, "type", text, "hinge", "slide", "ball", "free") {
	case "slide":
		return robot.Prismatic
	case "ball":
		return robot.Ball
	case "free":
		return robot.Floating
	}
	return robot.Continuous
}

// jointName returns the name of a joint, or one made from its body's.
func (r *reader) jointName(e *robot.Element, body string) string {
	if name, ok := e.Attr("name"); ok && name != "" {
		return name
	}
	return r.spare(body + "_" + e.Name)
}

// spare returns the name, with a number appended if a joint has it already.
func (r *reader) spare(name string) string {
	// The name with _2, _3 and so on, which no joint in the file has.
	for i, wanted := 2, name; ; i++ {
		if _, taken := r.joints[name]; !taken && !r.given[name] {
			return name
		}
		name = fmt.Sprintf("%s_%d", wanted, i)
	}
}

// joint adds a joint to the robot, whose position in the file is ref.
func (r *reader) joint(j robot.Joint, ref float64) {
	if first, twice := r.joints[j.Name]; twice {
		r.Fail(j.Line, "a second joint is called %q (the first is in line %d): names must differ", j.Name, r.line(r.m.Joints[first].Line))
		return
	}
	r.joints[j.Name] = len(r.m.Joints)
	r.m.Joints, r.refs = append(r.m.Joints, j), append(r.refs, ref)
}

// hinge reads a hinge, slide or ball joint of a body. Its frames J and M have the body's
// axes and lie at pos. They coincide where the joint stands at ref, so J is turned or
// moved back by ref: positions are then those of the file.
func (r *reader) hinge(it item, name string, parent, child int, X_PB r3.Pose) {
	v := r.view(it.e, "joint", it.class)
	kind := r.jointType(v)
	// the place of the joint in the body, in frames around it
	X_BM := it.X_BI
	if text, at, ok := v.get("pos"); ok {
		X_BM.P = it.X_BI.Point(r.place(at, "pos", text))
	}
	j := r.plain(it.e.Line, r.jointName(it.e, name), kind, parent, child, X_PB.Mul(X_BM))
	j.X_CM = X_BM
	r.axis(&j, v)
	r.dynamics(&j, v)
	if kind == robot.Ball {
		r.ball(&j, v)
		// a ball has no ref: the file places its body at the identity
		r.joint(j, 0)
		return
	}
	// limits, in the units of the file
	lower, upper, limits := r.span(v, "range", "limited")
	if limits {
		r.limit(&j, lower, upper)
	}
	// The limit of the force of all actuators on this joint.
	if most := r.effort(v, "actuatorfrcrange", "actuatorfrclimited", 1, j.Name); most > 0 {
		j.EffortLimit = most
	}
	r.reference(&j, v)
	r.joint(j, j.StartPosition)
	r.oscillator(v, j.Name)
}

// axis reads the axis of a joint, a unit vector in the body's frame, z by default. A ball has
// none.
func (r *reader) axis(j *robot.Joint, v view) {
	j.Axis = r3.Vec{0, 0, 1}
	if text, at, ok := v.get("axis"); ok && j.Type != robot.Ball {
		if x := r.parse(at, "axis", text, 3, 3); x != nil {
			j.Axis = r.direction(at, "axis", text, r3.Vec(x))
		}
	}
}

// dynamics reads what resists the motion of a joint. MuJoCo's frictionloss is dry friction, in N
// or N m; its armature is the rotor inertia seen by the joint, in kg or kg m².
func (r *reader) dynamics(j *robot.Joint, v view) {
	j.Damping, j.Friction = r.number(v, "damping", 0), r.number(v, "frictionloss", 0)
	j.Stiffness, j.RotorInertia = r.number(v, "stiffness", 0), r.number(v, "armature", 0)
	if min(j.Damping, j.Friction, j.Stiffness, j.RotorInertia) < 0 {
		r.Fail(j.Line, "joint %q: damping, frictionloss, stiffness and armature must not be negative", j.Name)
	}
}

// position converts a position of a joint as the file writes it to rad or m.
func (r *reader) position(j *robot.Joint, x float64) float64 {
	if j.Type == robot.Prismatic {
		return x
	}
	return r.angle(x)
}

// limit sets the limits of a joint, given as the file writes them.
func (r *reader) limit(j *robot.Joint, lower, upper float64) {
	// Limits of a hinge are angles of the file, those of a slide lengths.
	j.Lower, j.Upper = r.position(j, lower), r.position(j, upper)
	if j.Type == robot.Continuous {
		j.Type = robot.Revolute
		r.hinges.add(j.Line) // for the warning of angles that may be radians
		r.widest = max(r.widest, math.Abs(lower), math.Abs(upper))
	}
}

// reference sets the positions that the joint has in the file and at rest, and moves the
// frame on the parent to where the joint is at zero.
func (r *reader) reference(j *robot.Joint, v view) {
	// Both positions are as the file writes them.
	ref := r.position(j, r.number(v, "ref", 0))
	j.StartPosition, j.RestPosition = ref, r.position(j, r.number(v, "springref", 0))
	// (1): X_PF is moved back by the joint's motion at ref.
	switch {
	case ref == 0:
	case math.Abs(ref) > robot.MaxLength:
		r.Fail(j.Line, "joint %q: its ref %g is too large", j.Name, ref)
	case j.Type == robot.Prismatic:
		j.X_PF.P = j.X_PF.Point(j.Axis.Scale(-ref))
	default:
		// whole turns do not move the frame, and would cost digits of the rotation
		j.X_PF.R = j.X_PF.R.Mul(r3.RotExp(j.Axis.Scale(-math.Remainder(ref, 2*math.Pi))))
	}
}

// ball removes from a ball joint, with warnings, what simulated ball joints do not have:
// limits, springs and dry friction.
func (r *reader) ball(j *robot.Joint, v view) {
	// The range of a ball is optional even where limited is true.
	limits := false
	if _, _, ok := v.get("range"); ok {
		_, _, limits = r.span(v, "range", "limited")
	}
	_, _, oscillates := v.get("springdamper")
	// A simulated ball has damping and rotor inertia only.
	for _, what := range []struct {
		name  string
		given bool
	}{{"range", limits}, {"stiffness", j.Stiffness > 0}, {"frictionloss", j.Friction > 0}, {"springdamper", oscillates}} {
		if what.given {
			r.Warn(j.Line, "joint %q is a ball: its %s is ignored: where it matters, write three hinges", j.Name, what.name)
		}
	}
	j.Stiffness, j.Friction = 0, 0
}

// effort returns the greatest force in a range, times a gear ratio; 0 where the range
// does not limit.
func (r *reader) effort(v view, name, flag string, gear float64, joint string) float64 {
	lower, upper, limits := r.span(v, name, flag)
	if !limits {
		return 0
	}
	// The range is that of the actuator; the gear multiplies its force on the joint.
	most := max(math.Abs(lower), math.Abs(upper)) * math.Abs(gear)
	if !(most > 0) {
		r.Warn(v[0].Line, "joint %q: its %s allows no force: taken as unlimited", joint, name)
	}
	return most
}
