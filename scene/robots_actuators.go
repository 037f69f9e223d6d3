package scene

// Actuators of a robot file are drives called ROBOT.ACTUATOR. Their controls are those of the scene,
// else of the keyframe at which the robot starts, else 0. Actuators of a joint that a drive of the
// scene moves are left out, because both would act on it.

import (
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// couplings adds couplings and limits of sums of joints, called as in the file, after the robot.
func (r *robotLoader) couplings() {
	for i := range r.model.Couplings {
		c := &r.model.Couplings[i]
		name := r.full(c.Name)
		r.at("constraint", name, c.Line)
		r.builder.AddConstraint(name, sim.ConstraintFunc(func(s *sim.Resolver) (constraints.Constraint, error) {
			// joints of the scene have no numbers before the builder has ordered all bodies: they are found by name
			sum := constraints.JointSum{Coefficients: c.Coefficients}
			for _, joint := range r.jointNames(c.JointSum) {
				dof, err := s.Joint(joint)
				if err != nil {
					return nil, err
				}
				sum.Dofs = append(sum.Dofs, dof)
			}
			return &constraints.JointSumLimit{JointSum: sum, Lower: c.Lower, Upper: c.Upper}, nil
		}))
	}
}

// jointNames returns the names of the joints of a sum in the scene.
func (r *robotLoader) jointNames(s robot.JointSum) (names []string) {
	for _, i := range s.Joints {
		names = append(names, r.full(r.model.Joints[i].Name))
	}
	return names
}

// actuators adds the actuators of the file that no drive of the scene replaces.
func (r *robotLoader) actuators() {
	var names, replaced []string
	// actuators act unless the scene turns them off
	on := r.spec.Actuators == nil || *r.spec.Actuators
	for i := range r.model.Actuators {
		a := &r.model.Actuators[i]
		names = append(names, a.Name)
		// a drive of one joint of the sum replaces the whole actuator
		joints := r.jointNames(a.JointSum)
		if r.robots.driven[r.name] || slices.ContainsFunc(joints, func(j string) bool { return r.robots.driven[j] }) {
			replaced = append(replaced, a.Name)
		} else if on {
			name := r.full(a.Name)
			r.at("drive", name, a.Line)
			r.builder.AddDrive(name, r.actuator(a, joints))
		}
	}
	// A control that nothing takes is a fault, not silence: of an actuator that the file does not have,
	// that is off, or that a drive of the scene replaces.
	for _, name := range r.spec.Controls.Keys {
		switch {
		case len(names) == 0:
			r.fail(r.spec.Pos, "robots.%s.controls.%s: %s has no actuators: drive joints by drives of the scene", r.name, name, r.file)
		case !slices.Contains(names, name):
			r.fail(r.spec.Pos, "robots.%s.controls: no actuator is called %q%s", r.name, name, kinds.Suggest(name, names))
		case !on:
			r.fail(r.spec.Pos, "robots.%s.controls.%s: actuators are disabled: leave out actuators: false, or the control", r.name, name)
		case slices.Contains(replaced, name):
			r.fail(r.spec.Pos, "robots.%s.controls.%s: a drive of the scene moves a joint of this actuator: leave out one of the two", r.name, name)
		}
	}
	if on && len(replaced) > 0 {
		r.warn("robots.%s: drives of the scene replace its actuators %s; say actuators: false where that is meant for all", r.name, strings.Join(replaced, ", "))
	}
}

// actuator returns the drive of an actuator.
func (r *robotLoader) actuator(a *robot.Actuator, joints []string) *sim.Actuator {
	span := func(x *robot.Range) *[2]float64 {
		if x == nil {
			return nil
		}
		return &[2]float64{x.Lower, x.Upper}
	}
	// Gain and Bias have three coefficients each, of 1, l and l̇ (see robot.Actuator). The control is
	// that of the file or its keyframe until the scene states one.
	d := &sim.Actuator{
		Joints: joints, Coefficients: a.Coefficients, Gain: a.Gain, Bias: a.Bias,
		Force: span(a.Force), ControlRange: span(a.ControlRange), Control: motion.Constant(a.Control),
	}
	if u := r.spec.Controls.Get(a.Name); u != nil {
		d.Control = *u
		r.warnControl(a, *u)
	}
	// the activation u is a state: the control is its rate, 1/s times the unit of u
	if a.Integrates {
		d.Integral = &sim.ControlIntegral{Start: a.Activation, Range: span(a.ActivationRange)}
	}
	return d
}

// controlSamples is how many times of a run a control is compared with its range at.
const controlSamples = 1024

// warnControl warns of a control that leaves the range of its actuator within the run.
func (r *robotLoader) warnControl(a *robot.Actuator, u motion.Motion) {
	// a control may have any form, so it is sampled, and the first time beyond the range is reported
	if a.ControlRange == nil {
		return
	}
	for i := range controlSamples + 1 {
		// times from 0 to the end of the run, s
		at := float64(i) / controlSamples * r.f.Time.Duration
		x, _ := u.At(at)
		// round-off at an end of the range is no cause for a warning
		if in := a.ControlRange.Clamp(x); math.Abs(x-in) > 1e-9*(1+math.Abs(in)) {
			r.warn("robots.%s.controls.%s: its control is %g at %.3g s, outside of its range %g to %g: it is clamped", r.name, a.Name, x, at, a.ControlRange.Lower, a.ControlRange.Upper)
			return
		}
	}
}
