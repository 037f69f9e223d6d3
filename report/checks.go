package report

import (
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// Expectations of the scene with their verdicts. A check compares a statistic of a signal, or a number of run.json,
// with bounds; value and bounds are in the unit of the signal. run.json says what was compared, and in which unit
// signals are: recordings of earlier versions do not, and their checks have a name and bounds alone.

// checks are the expectations of the scene.
func checks(s *record.Summary) *Section {
	if len(s.Checks) == 0 {
		return nil
	}
	// all checks in the order of the scene, good ones too: a report that shows failures alone proves nothing
	t := &Table{Head: []string{"check", "of", "value", "bound", "verdict"}}
	for _, c := range s.Checks {
		state, word := Good, "holds"
		switch {
		case c.NotReached:
			state, word = Open, "not reached"
		case !c.OK:
			state, word = Bad, "fails"
		}
		unit := checkedUnit(&c, s.SignalUnits)
		// number and unit in one cell, which is aligned at its right end
		value, limits := compared(c.Value, c.Bound, unit, c.OK)
		if c.NotReached {
			value = "–"
		}
		t.Rows = append(t.Rows, TableRow{[]string{c.Name, checkedOf(&c), value, limits, word}, state})
	}
	return &Section{Title: "Checks", Tables: []*Table{t}}
}

// checkedOf says what was compared: a statistic of a signal, or a number of the run.
func checkedOf(c *record.CheckResult) string {
	switch {
	case c.Run != "":
		return c.Run
	case c.Signal == "":
		return "–" // runs of older versions do not say
	case c.Stat == "":
		return c.Signal + ", last"
	}
	return c.Signal + ", " + strings.ReplaceAll(c.Stat, "_", " ")
}

// checkedUnit returns the unit of what was compared; empty for pure numbers and where nobody says it. Signals that a
// scene scales show their unit by their name alone, as numbers of the run do.
func checkedUnit(c *record.CheckResult, units map[string]string) string {
	if c.Stat == "relative_std" {
		return ""
	}
	unit := units[c.Signal]
	if unit == "" {
		unit, _ = render.Unit(c.Signal + c.Run) // one of them is empty
	}
	if unit == "1" {
		return ""
	}
	return unit
}
