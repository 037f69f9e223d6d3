package run

// Steps after which balls, welds or distances do not hold as their equations say: linkages that lock or snap over within a step. Counts are kept in checkpoints, as
// those of energy gained are.

import "fmt"

// openLoops counts such steps.
type openLoops struct {
	steps int
	first float64 // start of the first one, s
}

// openLoopsNumbers is the length of an openLoops in the memory of a checkpoint.
const openLoopsNumbers = 2

// openLoopsOf returns the openLoops that appendTo stored.
func openLoopsOf(m []float64) openLoops { return openLoops{int(m[0]), m[1]} }

// appendTo returns a copy of a checkpoint's memory with the counts appended.
func (o *openLoops) appendTo(memory []float64) []float64 {
	n := len(memory)
	return append(memory[:n:n], float64(o.steps), o.first)
}

// add adds a step that begins at a time, s, with the number of its parts that did not settle.
func (o *openLoops) add(unconverged int, time float64) {
	if unconverged == 0 {
		return
	}
	if o.steps == 0 {
		o.first = time
	}
	o.steps++
}

// warning is the warning of a run with such steps; otherwise empty.
func (o *openLoops) warning() string {
	if o.steps == 0 {
		return ""
	}
	return fmt.Sprintf("in %d steps, first at t = %.6g s, bodies on balls, welds or distances turn so far that these do not hold at the end of the step, as in a linkage at its dead centre: use a shorter time.step", o.steps, o.first)
}
