package mjcf

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// force has the parameters of an actuator's force, (1) of actuators.go.
type force struct {
	gain, bias     [3]float64 // g and b: coefficients of 1, l and l̇
	affine, biased bool       // gaintype and biastype are affine
	dynamics       string     // none, integrator, filter, …
	filtered       bool       // the control is filtered
	unusual        string     // why it is not simulated, of what kind it is
}

// force returns the parameters of an actuator: those of the format, to which the classes and then the
// element apply theirs.
func (r *reader) force(v view) *force {
	f := &force{gain: [3]float64{1}, dynamics: "none"}
	// from the outermost class to the element, whose own attributes apply at last
	for i := len(v) - 1; i >= 0; i-- {
		r.applyForce(f, v[i])
	}
	// A class may have left coefficients that the type of the element does not use: a fixed gain is
	// g₀ alone, and without an affine bias there is none.
	if !f.affine {
		f.gain[1], f.gain[2] = 0, 0
	}
	if !f.biased {
		f.bias = [3]float64{}
	}
	// the two differ in how MuJoCo integrates the filter, which is left out here
	f.filtered = f.dynamics == "filter" || f.dynamics == "filterexact"
	return f
}

// applyForce changes parameters by the attributes of an element, whose kind implies some of them.
func (r *reader) applyForce(f *force, e *robot.Element) {
	// the number of an attribute, and whether the element gives it
	one := func(name string) (float64, bool) {
		x := r.numbers(e, name, 1, 1)
		if x == nil {
			return 0, false
		}
		return x[0], true
	}
	switch e.Name {
	// the only kind whose gain and bias are of any type
	case "general":
		r.generalForce(f, e)
	// f = u; a class of another kind leaves no bias behind
	case "motor":
		f.gain[0] = 1
		f.affine, f.biased, f.dynamics, f.unusual = false, false, "none", ""
	// f = kp (u − l) − kv l̇
	case "position", "intvelocity":
		// an element without kp takes the gain of its class
		if kp, ok := one("kp"); ok {
			f.gain[0] = kp
		}
		f.bias[1] = -f.gain[0]
		if kv, ok := one("kv"); ok {
			f.bias[2] = -kv
		}
		// greater than 0, the ratio: dampByRatio makes it a damping
		if ratio, ok := one("dampratio"); ok {
			f.bias[2] = ratio
		}
		// a time constant of 0 switches off the filter of a class
		if tau, ok := one("timeconst"); ok {
			if f.dynamics = "none"; tau > 0 {
				f.dynamics = "filterexact"
			}
		}
		f.affine, f.biased, f.unusual = false, true, ""
		if e.Name == "intvelocity" {
			f.dynamics = "integrator"
		}
	// f = kv (u − l̇)
	case "velocity":
		if kv, ok := one("kv"); ok {
			f.gain[0] = kv
		}
		f.bias = [3]float64{0, 0, -f.gain[0]}
		f.affine, f.biased, f.dynamics, f.unusual = false, true, "none", ""
	// f = −kv u l̇: the control is a share of the damping
	case "damper":
		kv, _ := one("kv")
		f.gain = [3]float64{0, 0, -kv}
		f.affine, f.biased, f.dynamics, f.unusual = true, false, "none", ""
	default:
		f.unusual = "of a kind that is not simulated"
	}
}

// generalForce applies the attributes of <general>.
func (r *reader) generalForce(f *force, e *robot.Element) {
	// the value of an attribute, or now, that of the class, where the element has none
	kind := func(name, now string, simulated ...string) string {
		s, ok := e.Attr(name)
		if !ok || s == "" {
			return now
		}
		for _, x := range simulated {
			if s == x {
				return s
			}
		}
		f.unusual = "whose " + name + " is not simulated"
		return s
	}
	// the name of a type that a class has set; fixed and none need no name
	named := map[bool]string{true: "affine"}
	f.affine = kind("gaintype", named[f.affine], "fixed", "affine") == "affine"
	f.biased = kind("biastype", named[f.biased], "none", "affine") == "affine"
	f.dynamics = kind("dyntype", f.dynamics, "none", "integrator", "filter", "filterexact")
	// MuJoCo has ten numbers, of which three count for fixed and affine types; a shorter list
	// keeps the rest of the class
	copy(f.gain[:], r.numbers(e, "gainprm", 1, math.MaxInt))
	copy(f.bias[:], r.numbers(e, "biasprm", 1, math.MaxInt))
}

// checkSums refuses couplings and actuators whose numbers overflow, as products of the file's may.
func (r *reader) checkSums() {
	wild := func(x ...float64) bool {
		return slices.ContainsFunc(x, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	}
	for i := range r.m.Couplings {
		if c := &r.m.Couplings[i]; wild(c.Coefficients...) || wild(c.Lower, c.Upper) {
			r.Fail(c.Line, "%q: a coefficient times another number is too large", c.Name)
		}
	}
	for i := range r.m.Actuators {
		// a coefficient of 0 is an underflow: sums have no joint that they do not depend on
		if a := &r.m.Actuators[i]; wild(a.Coefficients...) || wild(a.Gain[:]...) || wild(a.Bias[:]...) || slices.Contains(a.Coefficients, 0) {
			r.Fail(a.Line, "actuator %q: its gear or its damping is too large or too small", a.Name)
		}
	}
}

// dampByRatio gives servos with a ratio ζ of damping, which stands in place of their damping as a number
// greater than 0, the damping
//
//	b₂ = −2 ζ √(kp m),   m = Σ M_ii/c_i²
//
// with M_ii the inertia that joint i moves in the file's position and c_i the gear.
func (r *reader) dampByRatio() {
	if len(r.ratios) == 0 || r.Err != nil {
		return
	}
	for _, n := range r.ratios {
		a := &r.m.Actuators[n]
		m := 0.0
		for i, joint := range a.Joints {
			// ½ M q̇² with l = c q is ½ (M/c²) l̇²
			m += r.inertiaMoved(joint) / (a.Coefficients[i] * a.Coefficients[i])
		}
		// Bias[2] has been ζ up to here
		a.Bias[2] *= -2 * math.Sqrt(a.Gain[0]*m)
	}
}

// inertiaMoved returns the inertia (kg m² or kg) of all that a joint moves, about or along its axis, with
// all joints at their references, and the rotor's.
func (r *reader) inertiaMoved(joint int) float64 {
	j := &r.m.Joints[joint]
	// poses of links; the joint's frame has the axes of its body, whose origin it may leave
	pose := r.linkPoses()
	X_WJ := pose[j.Child].Mul(j.X_CM)
	axis := X_WJ.R.MulVec(j.Axis)
	sum := j.RotorInertia
	for i, moved := range r.below(j.Child) {
		in := r.m.Links[i].Inertial
		if in == nil || !moved {
			continue
		}
		// a slide moves all points alike
		if j.Type == robot.Prismatic {
			sum += in.Mass
			continue
		}
		// Steiner: the part of the arm across the axis
		arm := axis.Cross(pose[i].Point(in.Com).Sub(X_WJ.P))
		// nᵀ I n with the axis n in the link's axes: the moment about its centre of mass
		about := pose[i].R.TMulVec(axis)
		sum += in.Mass*arm.Dot(arm) + about.Dot(in.Inertia.MulVec(about))
	}
	return sum
}

// linkPoses returns the poses of all links with all joints at their references.
func (r *reader) linkPoses() []r3.Pose {
	pose := make([]r3.Pose, len(r.m.Links))
	pose[r.m.Root] = r.m.X_FR
	for _, i := range r.m.Order() {
		j := &r.m.Joints[i]
		X := r3.PoseIdentity()
		// balls and free joints have the identity as their reference
		switch x := j.Axis.Scale(r.refs[i]); j.Type {
		case robot.Revolute, robot.Continuous:
			X.R = r3.RotExp(x)
		case robot.Prismatic:
			X.P = x
		}
		// X_WC = X_WP X_PF X_FM(ref) X_CM⁻¹
		pose[j.Child] = pose[j.Parent].Mul(j.X_PF).Mul(X).Mul(j.X_CM.Inv())
	}
	return pose
}

// below reports which links hang on a link, itself included.
func (r *reader) below(top int) []bool {
	moved := make([]bool, len(r.m.Links))
	moved[top] = true
	for _, i := range r.m.Order() { // parents first
		j := &r.m.Joints[i]
		moved[j.Child] = moved[j.Child] || moved[j.Parent]
	}
	return moved
}
