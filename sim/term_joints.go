package sim

// Joints with singular configurations, such as gimbals, may have no step with the velocities solved; half a step ends
// elsewhere.

// jointSteps is the term of joints that need a step of their own.
type jointSteps struct {
	plainTerm
	err error
}

var jointStepsKind = termKind{name: "joint_steps", unit: "1", again: "a joint is in a singular configuration, so that the step is divided"}

// measure returns whether a joint has no step, as a defect of 2.
func (j *jointSteps) measure(s *Stepper) (d defect) {
	if j.err = s.checkJoints(s.iterate.state, s.iterate.h); j.err != nil {
		d.ratio, d.value = 2, 2
	}
	return d
}

// leave returns the error that names the joint.
func (j *jointSteps) leave(*Stepper, defect) error { return j.err }
