package sim

// A step of H is taken in parts, each a step of its own, with contacts, cliques and solves; most steps are one part. A
// part whose terms do not agree with its solution is not taken, but a shorter one, in which bodies turn and strain
// less; the report has the means over the parts (divided_step.go). What a caller sees of them are their number and the
// time that the step takes. How long they are is a function of the state and H alone, so that restored runs have the
// same bits:
//
//	without control of errors   H/2ᵏ, k ≤ 6, the longest that begins at a multiple of its length
//	with control of errors      see step_control.go; parts end at kinks of prescribed motions

import (
	"errors"
	"math"
	"math/bits"
)

// maxDivisions is how often a step is halved at most without control of errors.
const maxDivisions = 6

// parts are those of the step at hand.
type parts struct {
	whole float64 // H, s
	h     float64 // of the part at hand, s
	again bool    // a longer part was not taken in its place

	// without control of errors: begin and length of the part, of 2^maxDivisions
	first, length uint

	// with it
	control  *StepControl
	order    float64
	start    float64   // time at the start of the step, s
	kinks    []float64 // times at which parts end, ascending, s
	done     float64   // of H before the part at hand, s
	left     float64   // from there to the next kink, or to the end of H, s
	wanted   float64   // the length of the part, unless it has to end there
	shortest float64   // s
}

// begin begins a step of H seconds from a state. kinks are the times at which parts end under control of errors.
func (p *parts) begin(m *Model, x *State, kinks []float64, H float64) {
	*p = parts{whole: H, h: H, length: 1 << maxDivisions}
	if m.Control.Accuracy > 0 {
		p.control, p.order, p.shortest = &m.Control, m.Rule.ErrorOrder(), m.Control.shortest(H)
		p.start, p.kinks = x.Time, kinks
		p.findEnd()
		p.want(m.Control.firstPart(&x.Pace, H))
	}
}

// findEnd finds the time that is left to the next kink, or to the end of the step.
func (p *parts) findEnd() {
	none := sliver * p.whole
	for len(p.kinks) > 0 && !(p.kinks[0]-p.start > p.done+none) {
		p.kinks = p.kinks[1:]
	}
	p.left = p.whole - p.done
	if len(p.kinks) > 0 {
		if to := p.kinks[0] - p.start; to < p.whole-none {
			p.left = to - p.done
		}
	}
}

// want makes the part at hand about h long.
func (p *parts) want(h float64) {
	p.wanted = h
	switch p.h = h; {
	case p.left <= h*(1+sliver):
		p.h = p.left
	case p.left < 2*h:
		p.h = 0.5 * p.left
	}
}

// isWhole reports whether the part at hand is the step.
func (p *parts) isWhole() bool { return p.h == p.whole }

// mayDivide reports whether the part at hand may be shorter.
func (p *parts) mayDivide() bool {
	if p.control != nil {
		return p.h > p.shortest*(1+sliver)
	}
	return p.length > 1
}

// shorten makes the part at hand shorter. ratio is its error over the accuracy, where that is why.
func (p *parts) shorten(ratio float64) {
	p.again = true
	if p.control != nil {
		p.want(math.Max(p.shortest, p.h*shrink(ratio, p.order)))
		return
	}
	p.length /= 2
	p.h /= 2
}

// next goes to the part after the one at hand, which was taken with an error over the accuracy of ratio. It is false
// after the last one.
func (p *parts) next(ratio float64, last *Pace) bool {
	if p.control == nil {
		p.first += p.length
		before := p.length
		p.length = 1 << bits.TrailingZeros(p.first)
		p.h *= float64(p.length) / float64(before)
		return p.first < 1<<maxDivisions
	}
	// a part that was shortened to end with H would have had this error
	ratio *= math.Pow(p.wanted/p.h, p.order)
	h := p.wanted * growth(ratio, last.Error, p.order, p.again)
	*last = Pace{Next: math.Min(math.Max(h, p.shortest), p.whole), Error: ratio}
	p.done += p.h
	p.again = false
	p.findEnd()
	p.want(last.Next)
	return p.left > sliver*p.whole
}

// mayDivide reports whether the part of the step at hand may be shorter.
func (s *Stepper) mayDivide() bool { return !s.rest.holds && s.parts.mayDivide() }

// errorRatio returns the error of the last solve over the accuracy.
func (s *Stepper) errorRatio() float64 { return s.loop.defects[accuracyTerm].ratio }

// takeParts takes a step of H seconds in parts. After an error other than ErrNotConverged the state is that before the
// step. The report has the means over all parts.
func (s *Stepper) takeParts(x *State, H float64) error {
	s.parts.begin(s.Model, x, s.kinks, H)
	return s.continueParts(x)
}

// continueParts takes the step from the part at hand on, which is the first.
func (s *Stepper) continueParts(x *State) error {
	p, divided := &s.parts, false
	var unconverged error
	for {
		if !divided && !p.isWhole() {
			divided = true
			s.saved.copyFrom(x)
			s.divided.reset(len(s.Model.Constraints))
		}
		if divided {
			s.Report.restart()
		}
		gained := s.Report.EnergyGained
		whole, err := s.take(x, p.h)
		switch {
		case !whole:
			s.Report.EnergyGained = gained // what this part found is found again
			s.Report.Rejected++
			p.shorten(s.errorRatio())
			continue
		case err != nil && !errors.Is(err, ErrNotConverged):
			if divided {
				x.copyFrom(&s.saved)
			}
			return err
		case err != nil:
			unconverged = err
		}
		s.Report.notePart(p.h)
		if divided {
			s.addPart(p.h)
		}
		if more := p.next(s.errorRatio(), &x.Pace); !more {
			break
		}
	}
	if divided {
		// the steps that callers count
		x.Step = s.saved.Step + 1
		x.Time = s.saved.endTime(p.whole)
		s.Report.Step = x.Step
		s.reportParts(p.whole)
	}
	return unconverged
}
