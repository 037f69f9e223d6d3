package run

// Stretches beyond those of the data to which the law of a deformable was fitted, in frames of a run: the law continues
// there by a rule of this program, not by a measurement.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/sim"
)

// limitedLaw is a law that was fitted up to a stretch.
type limitedLaw interface{ Limit() float64 }

// stretchLimit is the frame that exceeds the limit of a law most.
type stretchLimit struct {
	share   float64 // largest stretch over the limit; 0: none exceeds it
	stretch float64
	time    float64 // of that frame, s
	body    int
}

// stretchLimitNumbers is the length of a stretchLimit in the memory of a checkpoint.
const stretchLimitNumbers = 4

// stretchLimitOf returns the stretchLimit that appendTo stored.
func stretchLimitOf(m []float64) stretchLimit { return stretchLimit{m[0], m[1], m[2], int(m[3])} }

// appendTo returns a copy of a checkpoint's memory with the largest stretch appended.
func (l *stretchLimit) appendTo(memory []float64) []float64 {
	return append(slices.Clip(memory), l.share, l.stretch, l.time, float64(l.body))
}

// add adds the state at which a stepper has placed its bodies, at a time (s).
func (l *stretchLimit) add(s *sim.Stepper, time float64) {
	for i, m := range s.Model.Deformables {
		law, ok := m.Spec().Law.(limitedLaw)
		if !ok {
			continue
		}
		_, most := s.Stretch(i)
		if share := most / law.Limit(); share > 1 && share > l.share {
			*l = stretchLimit{share, most, time, s.Model.Geometry.NumRigid + i}
		}
	}
}

// warning is the warning of a run with such frames; otherwise empty.
func (l *stretchLimit) warning(s *sim.Stepper) string {
	if l.share == 0 {
		return ""
	}
	return fmt.Sprintf("%s is stretched %.3g-fold at t = %.6g s, its law was fitted up to a stretch of %.3g: stresses beyond are a guess; fit the law to data of larger strains, or load the body less",
		s.BodyName(l.body), l.stretch, l.time, l.stretch/l.share)
}
