package scene

// An expectation is an interval for one number,
//
//	min ≤ s ≤ max     or     value − within ≤ s ≤ value + within              (1)
//
// with s a statistic of a signal over a window of time, or a number of run.json over the whole run.
// Package record evaluates it at the end of a run. Here every expectation is refused that a run could
// neither meet nor miss: a signal that is not recorded, a window after the end, a bound that is
// missing or contradicts another.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
)

// checksOf returns the checks of the expectations of a scene.
func (l *loader) checksOf(signals []string) []record.Check {
	var checks []record.Check
	for _, name := range l.f.Expect.Keys {
		e := l.f.Expect.Get(name)
		// no bound and no window: everything passes
		c := record.Check{Name: name, Signal: e.Signal, Run: e.Run, Stat: e.Stat, From: 0, To: math.Inf(1), Min: math.Inf(-1), Max: math.Inf(1)}
		l.checkExpectation(name, e, signals)
		if e.Over != nil {
			c.From, c.To = e.Over[0], e.Over[1]
			c.Until = l.f.reachedAt(c.From, c.To)
		}
		// (1) on the right; checkExpectation refuses min and max beside it
		if e.Value != nil {
			w := value(e.Within, 0)
			c.Min, c.Max = *e.Value-w, *e.Value+w
		}
		if e.Min != nil {
			c.Min = *e.Min
		}
		if e.Max != nil {
			c.Max = *e.Max
		}
		checks = append(checks, c)
	}
	return checks
}

// reachedAt returns the time that a run must reach to decide an expectation over a window.
//
// That is the end of the window, or of the run that the file describes if this comes first.
// A window without end goes on to the end of any run, so that its begin decides.
func (f *File) reachedAt(from, to float64) float64 {
	if math.IsInf(to, 1) {
		return from
	}
	return max(from, min(to, f.written))
}

// checkExpectation refuses expectations that no run could meet or miss.
func (l *loader) checkExpectation(name string, e *Expectation, signals []string) {
	switch {
	// what is measured
	case (e.Signal == "") == (e.Run == ""):
		l.fail(e.Pos, "expect.%s: one of signal and run is required", name)
	// names
	case e.Signal != "" && !slices.Contains(signals, e.Signal):
		l.fail(e.Pos, "expect.%s: unknown signal %q%s", name, e.Signal, kinds.Suggest(e.Signal, signals))
	case e.Run != "" && !slices.Contains(record.Numbers(), record.NumberName(e.Run)):
		l.fail(e.Pos, "expect.%s: unknown number %q of run.json%s", name, e.Run, kinds.Suggest(e.Run, record.Numbers()))
	case e.Stat != "" && !slices.Contains(record.Stats, e.Stat):
		l.fail(e.Pos, "expect.%s: unknown stat %q%s", name, e.Stat, kinds.Suggest(e.Stat, record.Stats))
	// the interval
	case e.Min == nil && e.Max == nil && e.Value == nil:
		l.fail(e.Pos, "expect.%s: a bound is required: min, max, or value with within", name)
	case e.Value != nil && e.Within == nil:
		l.fail(e.Pos, "expect.%s: value needs within, its tolerance", name)
	case e.Value != nil && (e.Min != nil || e.Max != nil):
		l.fail(e.Pos, "expect.%s: value with within and min or max exclude each other", name)
	case e.Within != nil && (e.Value == nil || *e.Within < 0):
		l.fail(e.Pos, "expect.%s: within is the tolerance of value, not negative", name)
	case e.Min != nil && e.Max != nil && *e.Min > *e.Max:
		l.fail(e.Pos, "expect.%s: min %g exceeds max %g", name, *e.Min, *e.Max)
	// the window
	case e.Run != "" && (e.Stat != "" || e.Over != nil):
		l.fail(e.Pos, "expect.%s: stat and over apply to signals only; a number of run.json belongs to the whole run: leave them out", name)
	case e.Over != nil && !(e.Over[0] <= e.Over[1] && e.Over[0] <= max(l.f.Time.Duration, l.f.written)):
		// a run that an override shortens may miss windows of the file's own run
		l.fail(e.Pos, "expect.%s.over: %g to %g s is outside of the run of %g s", name, e.Over[0], e.Over[1], l.f.Time.Duration)
	}
}
