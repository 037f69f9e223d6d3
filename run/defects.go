package run

// Defects of the terms of steps over a run: how far the end of a step is from what its convex problem says of it.
// run.json has the largest of each term, and a run warns of those that even the smallest parts of a step were taken
// with. Numbers are kept in checkpoints.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// termDefects has the defects of the run so far, by sim.StepTerms.
type termDefects [len(sim.StepTerms)]termDefect

// termDefect has those of one term.
type termDefect struct {
	ratio, value, time float64 // the largest over its tolerance, in the unit of the term, and the start of its step, s
	bodies             [2]int
	steps              int     // taken with a defect above the tolerance
	first              float64 // start of the first of them, s
}

// termDefectsNumbers is the length of termDefects in the memory of a checkpoint.
const termDefectsNumbers = 7 * len(sim.StepTerms)

// termDefectsOf returns the termDefects that appendTo stored.
func termDefectsOf(m []float64) (all termDefects) {
	for i := range all {
		n := m[7*i:]
		all[i] = termDefect{n[0], n[1], n[2], [2]int{int(n[3]), int(n[4])}, int(n[5]), n[6]}
	}
	return all
}

// appendTo returns a copy of a checkpoint's memory with the numbers appended.
func (all *termDefects) appendTo(memory []float64) []float64 {
	memory = slices.Clip(memory)
	for i := range all {
		d := &all[i]
		memory = append(memory, d.ratio, d.value, d.time, float64(d.bodies[0]), float64(d.bodies[1]), float64(d.steps), d.first)
	}
	return memory
}

// add adds a step that begins at a time, s.
func (all *termDefects) add(r *sim.Report, time float64) {
	for i := range all {
		d, of := &all[i], &r.Defects[i]
		if of.Ratio > d.ratio {
			d.ratio, d.value, d.time, d.bodies = of.Ratio, of.Value, time, of.Bodies
		}
		if of.Left == 0 {
			continue
		}
		if d.steps == 0 {
			d.first = time
		}
		d.steps++
	}
}

// summary returns the numbers of run.json, of terms with a defect. name gives the name of a body.
func (all *termDefects) summary(name func(body int) string) (list []record.TermDefect) {
	for i := range all {
		d := &all[i]
		if d.ratio == 0 {
			continue
		}
		list = append(list, record.TermDefect{
			Term: sim.StepTerms[i].Name, Ratio: d.ratio, Value: d.value, Unit: sim.StepTerms[i].Unit, Time: d.time,
			Bodies: []string{name(d.bodies[0]), name(d.bodies[1])}, Left: d.steps,
		})
	}
	return list
}

// contactTerms are the terms of contacts at the end of a step.
var contactTerms = []string{"coverage", "gaps", "paths", "faces"}

// warning is the warning of steps that were taken with defects of contacts or loops; otherwise empty. Deformables,
// friction and energy have warnings of their own.
func (all *termDefects) warning(name func(body int) string) string {
	var list []string
	for i := range all {
		d, term := &all[i], sim.StepTerms[i]
		switch {
		case d.steps == 0:
		case term.Name == "loops":
			list = append(list, fmt.Sprintf("in %d steps, first at t = %.6g s, bodies on balls, welds or distances turn so far that these are violated at the end of the step, as in a linkage at its dead centre", d.steps, d.first))
		case slices.Contains(contactTerms, term.Name):
			list = append(list, fmt.Sprintf("in %d steps, first at t = %.6g s, contacts differ from the motion at the end of the step even in its smallest parts (%s: %.3g %s of %s and %s at t = %.6g s)",
				d.steps, d.first, term.Name, d.value, term.Unit, name(d.bodies[0]), name(d.bodies[1]), d.time))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "; ") + ": use a shorter time.step"
}
