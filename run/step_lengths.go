package run

// Lengths of the steps of a run with control of errors. Numbers are kept in checkpoints.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// stepLengths has those of the run so far. A step here is a part of the period between outputs.
type stepLengths struct {
	taken, rejected, short float64 // short: those of the least length whose error was above the accuracy
	least, most            float64 // s
}

// stepLengthsNumbers is the length of stepLengths in the memory of a checkpoint.
const stepLengthsNumbers = 5

// stepLengthsOf returns the stepLengths that appendTo stored.
func stepLengthsOf(m []float64) stepLengths { return stepLengths{m[0], m[1], m[2], m[3], m[4]} }

// appendTo returns a copy of a checkpoint's memory with the numbers appended.
func (l *stepLengths) appendTo(memory []float64) []float64 {
	return append(slices.Clip(memory), l.taken, l.rejected, l.short, l.least, l.most)
}

// add adds the parts of a step.
func (l *stepLengths) add(r *sim.Report) {
	l.taken += float64(max(r.Parts, 1))
	l.rejected += float64(r.Rejected)
	l.short += float64(r.Defects[sim.AccuracyTerm].Left)
	if l.least == 0 || r.LeastPart < l.least {
		l.least = r.LeastPart
	}
	l.most = max(l.most, r.MostPart)
}

// summary returns the numbers of run.json.
func (l *stepLengths) summary(c *sim.StepControl) *record.StepLengths {
	if c.Accuracy == 0 {
		return nil
	}
	return &record.StepLengths{
		Accuracy: c.Accuracy, Taken: int(l.taken), Rejected: int(l.rejected), Least: l.least, Most: l.most, Short: int(l.short),
	}
}

// mostShort is the share of steps of the least length with an error above the accuracy of which a run warns.
const mostShort = 0.01

// warning is the warning of many steps that would have to be shorter than the shortest; otherwise empty.
func (l *stepLengths) warning(c *sim.StepControl) string {
	if c.Accuracy == 0 || !(l.short > mostShort*l.taken) {
		return ""
	}
	return fmt.Sprintf("in %.0f of %.0f steps the error is above time.accuracy of %g at the shortest step of %.3g s: use a smaller time.min_step, or a larger time.accuracy", l.short, l.taken, c.Accuracy, l.least)
}
