package run

// Deepest penetration (overlap) of a run compared with the thickness of the bodies. A
// run warns where the overlap is so deep that contact may push a body out on the wrong
// side.
//
// The depth is relative to the thickness of the thinner body: 1 mm is much for a sheet and
// little for a ball.

import (
	"fmt"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// deepestPenetration is the deepest overlap of the run so far.
type deepestPenetration struct {
	sim.RelativePenetration
	time float64 // start of the step, s
}

// deepestPenetrationNumbers is the length of a deepestPenetration in the memory of a
// checkpoint.
const deepestPenetrationNumbers = 5

// warnedPenetration is the overlap over the thickness of the bodies from which a run warns:
// the middle of the thinner body.
const warnedPenetration = 0.5

// deepestPenetrationOf returns the deepestPenetration that appendTo stored.
func deepestPenetrationOf(m []float64) deepestPenetration {
	return deepestPenetration{sim.RelativePenetration{Ratio: m[0], Depth: m[1], Bodies: [2]int{int(m[2]), int(m[3])}}, m[4]}
}

// appendTo returns a copy of a checkpoint's memory with the overlap appended.
func (d *deepestPenetration) appendTo(memory []float64) []float64 {
	n := len(memory)
	return append(memory[:n:n], d.Ratio, d.Depth, float64(d.Bodies[0]), float64(d.Bodies[1]), d.time)
}

// add keeps the overlap at the start of a step, at time t (s), if it is the deepest.
func (d *deepestPenetration) add(p *sim.RelativePenetration, t float64) {
	if p.Ratio > d.Ratio {
		*d = deepestPenetration{*p, t}
	}
}

// summary returns the overlap for run.json, nil without any.
func (d *deepestPenetration) summary(s *sim.Stepper) *record.DeepestPenetration {
	if d.Ratio == 0 {
		return nil
	}
	return &record.DeepestPenetration{Depth: d.Depth, Time: d.time, Bodies: s.PenetratedBy(&d.RelativePenetration)}
}

// warning is the warning of a run with a deep overlap; otherwise empty.
func (d *deepestPenetration) warning(s *sim.Stepper) string {
	if d.Ratio < warnedPenetration {
		return ""
	}
	return fmt.Sprintf("%s overlap by %.3g mm at t = %.6g s, %.0f %% of their thickness: contact is too soft for this load or speed; use stiffer materials or a shorter time.step",
		s.PenetratedBy(&d.RelativePenetration), 1e3*d.Depth, d.time, 100*d.Ratio)
}
