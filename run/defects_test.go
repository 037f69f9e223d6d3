package run

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// A run has the largest defect of each term, warns of contacts and loops that the smallest parts of steps were taken
// with, and of no others, and checkpoints keep all of it.
func TestRunsWarnOfDefectsThatAreLeft(t *testing.T) {
	term := map[string]int{}
	for i, s := range sim.StepTerms {
		term[s.Name] = i
	}
	name := func(body int) string { return "body" + string(rune('0'+body)) }
	var all termDefects
	var r sim.Report
	r.Defects[term["gaps"]] = sim.TermDefect{Ratio: 0.5, Value: 1e-5, Bodies: [2]int{1, 2}}
	r.Defects[term["friction"]] = sim.TermDefect{Ratio: 3, Value: 1, Left: 1}
	all.add(&r, 0.1)
	if w := all.warning(name); w != "" {
		t.Errorf("a warning without cause: %s", w)
	}
	r.Defects[term["gaps"]] = sim.TermDefect{Ratio: 4, Value: 8e-5, Bodies: [2]int{3, 4}, Left: 2}
	all.add(&r, 0.2)
	r.Defects[term["gaps"]] = sim.TermDefect{Ratio: 2, Value: 4e-5, Bodies: [2]int{1, 2}, Left: 1}
	r.Defects[term["loops"]] = sim.TermDefect{Ratio: 2, Value: 1e-3, Left: 1}
	all.add(&r, 0.3)
	again := termDefectsOf(all.appendTo(nil))
	if again != all {
		t.Errorf("a checkpoint has %v of %v", again, all)
	}
	w := again.warning(name)
	for _, want := range []string{"in 2 steps, first at t = 0.2 s, contacts", "gaps: 8e-05 m of body3 and body4 at t = 0.2 s", "in 1 steps, first at t = 0.3 s, bodies on balls"} {
		if !strings.Contains(w, want) {
			t.Errorf("no %q in %s", want, w)
		}
	}
	list := again.summary(name)
	if len(list) != 3 || list[1].Term != "gaps" || list[1].Ratio != 4 || list[1].Left != 2 || list[1].Bodies[1] != "body4" {
		t.Errorf("%+v", list)
	}
}
