package record

import (
	"fmt"
	"math"
	"strings"
)

// Check is an expectation on a signal or on a number of the summary.
type Check struct {
	Name     string
	Signal   string // column of signals.csv; or
	Run      string // "unconverged_steps", "contacts.mean", … of run.json
	Stat     string // see Stats
	From, To float64
	Min, Max float64 // ±Inf: not bounded
}

// CheckResult is the outcome of a check.
type CheckResult struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Bound string  `json:"bound"`
	OK    bool    `json:"ok"`
}

// Stats are the statistics that a check may take of a signal.
var Stats = []string{"last", "first", "min", "max", "mean", "std", "range", "relative_std"}

// Evaluate takes the check's statistic over its window and compares it.
func (c *Check) Evaluate(signals *Table, s *Summary) CheckResult {
	r := CheckResult{Name: c.Name, Bound: c.bound()}
	if c.Run != "" {
		r.Value, _ = s.Number(c.Run)
	} else {
		r.Value = c.statistic(signals)
	}
	if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) {
		r.Value, r.Bound = 0, r.Bound+" (no finite value in the window)"
		return r
	}
	r.OK = r.Value >= c.Min && r.Value <= c.Max
	return r
}

func (c *Check) bound() string {
	var s []string
	if !math.IsInf(c.Min, -1) {
		s = append(s, fmt.Sprintf(">= %.6g", c.Min))
	}
	if !math.IsInf(c.Max, 1) {
		s = append(s, fmt.Sprintf("<= %.6g", c.Max))
	}
	return strings.Join(s, " and ")
}

func (c *Check) statistic(t *Table) float64 {
	time, x := t.Column("time_s"), t.Column(c.Signal)
	var w []float64
	for i, v := range x {
		// half a microsecond of slack: windows name times, rows have round-off
		if time[i] >= c.From-5e-7 && time[i] <= c.To+5e-7 {
			w = append(w, v)
		}
	}
	if len(w) == 0 {
		return math.NaN()
	}
	lo, hi, m := w[0], w[0], mean(w)
	variance := 0.0
	for _, v := range w {
		lo, hi = min(lo, v), max(hi, v)
		variance += (v - m) * (v - m)
	}
	std := math.Sqrt(variance / float64(len(w)))
	switch c.Stat {
	case "first":
		return w[0]
	case "min":
		return lo
	case "max":
		return hi
	case "mean":
		return m
	case "std":
		return std
	case "range":
		return hi - lo
	case "relative_std":
		return std / math.Abs(m)
	}
	return w[len(w)-1]
}

// Numbers are the numbers of the summary that a check may name.
var Numbers = []string{
	"unconverged_steps", "max_penetration_m", "contacts.mean", "contacts.max",
	"newton_iterations.mean", "newton_iterations.max", "steps",
}

// Number returns a number of the summary by its path.
func (s *Summary) Number(path string) (float64, bool) {
	switch path {
	case "unconverged_steps":
		return float64(s.Unconverged), true
	case "max_penetration_m":
		return s.Penetration, true
	case "contacts.mean":
		return s.Contacts.Mean, true
	case "contacts.max":
		return s.Contacts.Max, true
	case "newton_iterations.mean":
		return s.Newton.Mean, true
	case "newton_iterations.max":
		return s.Newton.Max, true
	case "steps":
		return float64(s.Steps), true
	}
	return 0, false
}
