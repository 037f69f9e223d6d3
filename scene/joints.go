package scene

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// findPrescribed notes which bodies and robot bases drives move.
func (b *builder) findPrescribed() {
	for _, name := range b.f.Drives.Keys {
		d := b.f.Drives.Get(name)
		if d.Body == "" {
			continue
		}
		if b.f.Bodies.Get(d.Body) == nil && b.f.Robots.Get(d.Body) == nil {
			b.fail(d.Pos, "drives.%s.body: no body or robot is called %q%s", name, d.Body, kinds.Suggest(d.Body, slices.Concat(b.f.Bodies.Keys, b.f.Robots.Keys)))
			continue
		}
		if b.prescribed[d.Body] != nil {
			b.fail(d.Pos, "drives.%s: %s is moved by another drive already", name, d.Body)
		}
		b.prescribed[d.Body] = d
	}
}

// baseJoint is the joint of a body or robot base to the world: fixed, free, or
// moved by a drive.
func (b *builder) baseJoint(name string, floating bool) rigid.Joint {
	d := b.prescribed[name]
	switch {
	case d == nil && floating:
		return rigid.Floating{}
	case d == nil:
		return rigid.Weld{}
	}
	p := rigid.Prescribed{Axis: r3.Vec(d.Axis)}
	for i, m := range []motion.Motion{d.X, d.Y, d.Z} {
		p.Translation[i] = m
	}
	if d.Angle != nil {
		p.Angle = d.Angle
		if p.Axis.Norm() == 0 {
			b.fail(d.Pos, "the drive of %s: angle wants an axis, such as [0, 0, 1]", name)
		}
	}
	return p
}

// joint sets the joint of a body that has one; the body's pose is that at zero
// joint position.
func (b *builder) joint(name string, s *Body, X_WB r3.Pose, spec *rigid.LinkSpec, st *start) bool {
	j := s.Joint
	if !b.jointKeys(name, j) {
		return false
	}
	X_WP := r3.PoseIdentity()
	if j.Parent != "" && j.Parent != "world" {
		parent, ok := b.links[j.Parent]
		if !ok {
			if b.spoilt(j.Parent) {
				return false
			}
			b.fail(j.Pos, "bodies.%s.joint.parent: unknown body %q%s", name, j.Parent, kinds.Suggest(j.Parent, keysOf(b.links)))
			return false
		}
		spec.Parent, X_WP = parent, b.X_W0[j.Parent]
	}
	// F and M coincide at zero, at the joint's point, with the body's axes
	X_BM := r3.Pose{R: r3.Identity(), P: r3.Vec(j.Point)}
	spec.X_BM = X_BM
	spec.X_PF = X_WP.Inv().Mul(X_WB).Mul(X_BM)
	axis := r3.Vec(j.Axis)
	if j.Type != "weld" && (axis.Norm() == 0 || !axis.IsFinite()) {
		b.fail(j.Pos, "bodies.%s.joint.axis: a direction is wanted, such as [0, 0, 1]", name)
		return false
	}
	axis = axis.Unit()
	switch j.Type {
	case "revolute":
		spec.Joint = rigid.Revolute{Axis: axis}
	case "prismatic":
		spec.Joint = rigid.Prismatic{Axis: axis}
	case "screw":
		if j.Pitch == 0 {
			b.fail(j.Pos, "bodies.%s.joint.pitch: a screw has one, m per revolution", name)
			return false
		}
		spec.Joint = rigid.Screw{Axis: axis, Pitch: j.Pitch}
	case "weld":
		spec.Joint = rigid.Weld{}
		return true
	default:
		b.fail(j.Pos, "bodies.%s.joint.type: unknown %q%s", name, j.Type, kinds.Suggest(j.Type, []string{"revolute", "prismatic", "screw", "weld", "free"}))
		return false
	}
	spec.Damping, spec.Stiffness, spec.Rest, spec.RotorInertia = j.Damping, j.Stiffness, j.Rest, j.RotorInertia
	st.q, st.v = []float64{j.Position}, []float64{j.Velocity}
	return true
}

// moves reports whether a joint has one degree of freedom.
func (j *Joint) moves() bool {
	return j.Type == "revolute" || j.Type == "prismatic" || j.Type == "screw"
}

// jointKeys refuses what a type of joint has no use for.
func (b *builder) jointKeys(name string, j *Joint) bool {
	moves := j.moves()
	known := moves || j.Type == "weld" || j.Type == "free"
	zero := [3]float64{}
	for _, k := range []struct {
		key         string
		given, used bool
	}{
		{"parent", j.Parent != "", j.Type != "free"}, {"point", j.Point != zero, moves},
		{"axis", j.Axis != zero, moves}, {"pitch", j.Pitch != 0, j.Type == "screw"},
		{"position", j.Position != 0, moves}, {"velocity", j.Velocity != 0, moves},
		{"lower", j.Lower != nil, moves}, {"upper", j.Upper != nil, moves},
		{"damping", j.Damping != 0, moves}, {"friction", j.Friction != 0, moves},
		{"stiffness", j.Stiffness != 0, moves}, {"rest", j.Rest != 0, moves},
		{"rotor_inertia", j.RotorInertia != 0, moves},
	} {
		if known && k.given && !k.used {
			b.fail(j.Pos, "bodies.%s.joint.%s has no meaning for a joint of type %s: leave it out", name, k.key, j.Type)
			return false
		}
	}
	return true
}

// jointExtras adds a joint's limits and dry friction.
func (b *builder) jointExtras(name string, j *Joint, link int) {
	if !j.moves() {
		return
	}
	b.dofs[name] = dof{link}
	lo, hi := value(j.Lower, math.Inf(-1)), value(j.Upper, math.Inf(1))
	switch {
	case lo > hi:
		b.fail(j.Pos, "bodies.%s.joint: lower %g exceeds upper %g", name, lo, hi)
	case j.Position < lo || j.Position > hi:
		b.warn("bodies.%s.joint: position %g lies outside its limits %g to %g", name, j.Position, lo, hi)
	}
	if j.Friction < 0 {
		b.fail(j.Pos, "bodies.%s.joint.friction is %g: it must not be negative", name, j.Friction)
	}
	b.limits = append(b.limits, jointLimit{link, lo, hi, j.Friction})
}

// jointLimit is what becomes constraints once dofs are numbered.
type jointLimit struct {
	link                   int
	lower, upper, friction float64
}
