package sim

// A step whose terms do not agree with its solution is taken as two of half the length, in which bodies turn
// and strain half as far, down to h/2⁶. The halves are whole steps of their own, with contacts,
// cliques and solves, and the report has the means over them (divided_step.go). What a caller
// sees of it are the number of parts and the time that the step takes. Halves, not lengths by an estimate: a step is a
// function of its state and h alone, so that restored runs have the same bits.

import "errors"

// maxDivisions is how often a step is divided at most.
const maxDivisions = 6

// mayDivide reports whether a step may be divided further.
func (s *Stepper) mayDivide() bool { return s.divisions < maxDivisions && !s.rest.holds }

// takeOrDivide takes a step, as a whole or in parts.
func (s *Stepper) takeOrDivide(x *State, h float64) error {
	gained := s.Report.EnergyGained
	whole, err := s.take(x, h)
	if whole {
		if s.divisions > 0 && s.Report.Step > 0 {
			s.addPart(h)
		}
		return err
	}
	s.Report.EnergyGained = gained // what this step found is found again
	return s.divide(x, h)
}

// divide takes a step of h as two, each of which may be divided again. After an error other
// than ErrNotConverged the state is that before the step. The report has the means over all
// parts.
func (s *Stepper) divide(x *State, h float64) error {
	if s.divisions == 0 {
		s.saved.copyFrom(x)
		s.divided.reset(len(s.Model.Constraints))
	}
	s.divisions++
	defer func() { s.divisions-- }()
	var unconverged error
	for range 2 {
		s.Report.restart()
		err := s.takeOrDivide(x, h/2)
		if err != nil && !errors.Is(err, ErrNotConverged) {
			x.copyFrom(&s.saved)
			return err
		}
		if err != nil {
			unconverged = err
		}
	}
	// the steps that callers count
	if s.divisions == 1 {
		x.Step = s.saved.Step + 1
		x.Time = s.saved.endTime(h)
		s.Report.Step = x.Step
		s.reportParts(h)
	}
	return unconverged
}
