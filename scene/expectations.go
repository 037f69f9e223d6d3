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
	"cmp"
	"fmt"
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
// A window without end continues to the end of any run, so that its begin decides.
func (f *File) reachedAt(from, to float64) float64 {
	if math.IsInf(to, 1) {
		return from
	}
	return max(from, min(to, f.written))
}

// checkExpectation refuses expectations that no run could meet or miss.
func (l *loader) checkExpectation(name string, e *Expectation, signals []string) {
	switch fault := cmp.Or(e.faultOfNumber(signals), e.faultOfInterval()); {
	case fault != "":
		l.fail(e.Pos, "expect.%s: %s", name, fault)
	case e.Run != "" && (e.Stat != "" || e.Over != nil):
		l.fail(e.Pos, "expect.%s: stat and over apply to signals only; a number of run.json belongs to the whole run: leave them out", name)
	case e.Over != nil && !(e.Over[0] <= e.Over[1] && e.Over[0] <= max(l.f.Time.Duration, l.f.written)):
		// a run that an override shortens may miss windows of the file's own run
		l.fail(e.Pos, "expect.%s.over: %g to %g s is outside of the run of %g s", name, e.Over[0], e.Over[1], l.f.Time.Duration)
	}
}

// faultOfNumber says what is wrong with the number s of (1); empty: nothing.
func (e *Expectation) faultOfNumber(signals []string) string {
	switch {
	case (e.Signal == "") == (e.Run == ""):
		return "one of signal and run is required"
	case e.Signal != "" && !slices.Contains(signals, e.Signal):
		return fmt.Sprintf("unknown signal %q%s", e.Signal, kinds.Suggest(e.Signal, signals))
	case e.Run != "" && !slices.Contains(record.Numbers(), record.NumberName(e.Run)):
		return fmt.Sprintf("unknown number %q of run.json%s", e.Run, kinds.Suggest(e.Run, record.Numbers()))
	case e.Stat != "" && !slices.Contains(record.Stats, e.Stat):
		return fmt.Sprintf("unknown stat %q%s", e.Stat, kinds.Suggest(e.Stat, record.Stats))
	}
	return ""
}

// faultOfInterval says what is wrong with the bounds of (1); empty: nothing.
func (e *Expectation) faultOfInterval() string {
	switch {
	case e.Min == nil && e.Max == nil && e.Value == nil:
		return "a bound is required: min, max, or value with within"
	case e.Value != nil && e.Within == nil:
		return "value needs within, its tolerance"
	case e.Value != nil && (e.Min != nil || e.Max != nil):
		return "value with within and min or max exclude each other"
	case e.Within != nil && (e.Value == nil || *e.Within < 0):
		return "within is the tolerance of value, not negative"
	case e.Min != nil && e.Max != nil && *e.Min > *e.Max:
		return fmt.Sprintf("min %g exceeds max %g", *e.Min, *e.Max)
	}
	return ""
}
