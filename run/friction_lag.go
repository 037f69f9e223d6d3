package run

// Friction that contacts of a run lacked because lagged friction is bounded by another normal
// impulse than that of the step, see constraints.LagError. The largest share of a contact in a
// step is what a run warns of: a sum over the run would hide a single contact that loses its
// grip.

import (
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// maxLackingShare is the share of a contact's friction above which a run warns. The default
// lag solves again from half of it on.
const maxLackingShare = 0.02

// frictionLag has the errors of lagged friction of the run so far.
type frictionLag struct {
	sum constraints.LagError // over all steps, N s
	// the largest share of a contact in a step, its time (s) and bodies
	share, time float64
	bodies      [2]int
}

// frictionLagNumbers is the length of a frictionLag in the memory of a checkpoint.
const frictionLagNumbers = 7

// frictionLagOf returns the frictionLag that appendTo stored.
func frictionLagOf(m []float64) frictionLag {
	return frictionLag{constraints.LagError{Allowed: m[0], Lacking: m[1], Excess: m[2]}, m[3], m[4], [2]int{int(m[5]), int(m[6])}}
}

// appendTo returns a copy of the memory of signals with the numbers appended.
func (l *frictionLag) appendTo(signals []float64) []float64 {
	n := len(signals)
	return append(signals[:n:n], l.sum.Allowed, l.sum.Lacking, l.sum.Excess, l.share, l.time, float64(l.bodies[0]), float64(l.bodies[1]))
}

// add adds a step that ended at a time (s).
func (l *frictionLag) add(r *sim.Report, time float64) {
	l.sum.Add(r.FrictionLag)
	if r.LackingFriction > l.share {
		l.share, l.time, l.bodies = r.LackingFriction, time, r.LackingBodies
	}
}

// summary returns the numbers of run.json. name gives the name of a body.
func (l *frictionLag) summary(name func(body int) string) record.FrictionLag {
	s := record.FrictionLag{Allowed: l.sum.Allowed, Lacking: l.sum.Lacking, Excess: l.sum.Excess, Share: l.share, Time: l.time}
	if l.share > 0 {
		s.Bodies = []string{name(l.bodies[0]), name(l.bodies[1])}
	}
	return s
}

// frictionWarning is the warning for friction that lacks with a lag; empty where little does.
func frictionWarning(l *record.FrictionLag, lag sim.FrictionLag) string {
	if l.Share <= maxLackingShare {
		return ""
	}
	remedy := "take solver.friction_lag: auto, or a shorter time.step"
	if lag == sim.FrictionLagAuto || lag == sim.FrictionLagSweep {
		// the bounds did not agree with the solution after the most updates of a step
		remedy = "take a shorter time.step"
	}
	return fmt.Sprintf("the contact of %s and %s lacked %.0f %% of its friction in the step to t = %.6g s, and all contacts of the run %.2g %% of theirs, because friction was bounded by another normal impulse than that of its step: %s",
		l.Bodies[0], l.Bodies[1], 100*l.Share, l.Time, 100*l.Lacking/l.Allowed, remedy)
}
