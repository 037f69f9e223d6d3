package record

import (
	"fmt"
	"math"
	"strings"
)

// Check is an expectation on a signal, or on a number of the summary:
//
//	Min ≤ stat(signal over From ≤ t ≤ To) ≤ Max
type Check struct {
	// Name is the expectation's name in the scene.
	Name string
	// Signal is a column of signals.csv; empty where Run is given.
	Signal string
	// Run is the path of a number of run.json, such as contacts.mean; see Numbers.
	Run string
	// Stat is one of Stats; empty stands for last.
	Stat string
	// From and To bound the window in time, s.
	From, To float64
	// Until is the time that the run must reach for the check to be evaluated, s: a
	// shorter run has not passed the window. 0: the check is evaluated for every run.
	Until float64
	// Min and Max bound the value; infinite where there is no bound.
	Min, Max float64
}

// CheckResult is the outcome of a check.
type CheckResult struct {
	// Name is the expectation's name in the scene.
	Name string `json:"name"`
	// Signal is the column of signals.csv that was checked; empty where Run is given.
	Signal string `json:"signal,omitempty"`
	// Stat is the statistic of the signal, such as mean or range; empty where Run is given.
	Stat string `json:"stat,omitempty"`
	// Run is the number of run.json that was checked; empty where Signal is given.
	Run string `json:"run,omitempty"`
	// Value is the statistic; 0 where it is not a finite number.
	Value float64 `json:"value"`
	// Bound is the condition in words, such as ">= 0.1 and <= 0.2".
	Bound string `json:"bound"`
	// OK reports whether the value is finite and within its bounds.
	OK bool `json:"ok"`
	// NotReached reports that the run ended before the check's window did. Such a check
	// is neither met nor failed; Value is 0 and OK false.
	NotReached bool `json:"not_reached,omitempty"`
}

// FailedChecks returns the names of the expectations that the run did not meet. Those that
// it did not reach are not among them.
func (s *Summary) FailedChecks() []string {
	var names []string
	for i := range s.Checks {
		if !s.Checks[i].OK && !s.Checks[i].NotReached {
			names = append(names, s.Checks[i].Name)
		}
	}
	return names
}

// UnreachedChecks returns the names of the expectations whose window the run did not reach.
func (s *Summary) UnreachedChecks() []string {
	var names []string
	for i := range s.Checks {
		if s.Checks[i].NotReached {
			names = append(names, s.Checks[i].Name)
		}
	}
	return names
}

// Stats are the statistics that a check may take of the rows in its window: rms is
// the root of the mean square, std the standard deviation of the population, range the
// largest less the smallest value, relative_std the standard deviation over the size
// of the mean. median and p95 are values that occur. Of the values x_1 … x_n in the order of time,
// with the mean m,
//
//	last, first    x_n, x_1
//	min, max       smallest and largest value
//	abs_max        max |x_i|
//	mean           m = Σ x_i / n
//	median, p95    smallest x_i that half, or 95 %, of the values do not exceed
//	rms            √(Σ x_i² / n)
//	std            √(Σ (x_i − m)² / n)
//	range          max − min
//	relative_std   std / |m|
var Stats = []string{"last", "first", "min", "max", "abs_max", "mean", "median", "p95", "rms", "std", "range", "relative_std"}

// Evaluate takes the check's statistic of the signals, or its number of the summary,
// and compares it with the bounds. A value that is not finite, as of a window without
// rows, fails; a window that the run did not reach does not.
func (c *Check) Evaluate(signals *Table, s *Summary) CheckResult {
	r := CheckResult{Name: c.Name, Signal: c.Signal, Stat: c.Stat, Run: c.Run, Bound: c.bound()}
	if s.Duration < c.Until-windowSlack-stepSlack*s.TimeStep {
		r.NotReached = true
		return r
	}
	// The value is a number of run.json or a statistic of a signal.
	if c.Run != "" {
		r.Value, _ = s.Number(c.Run)
	} else {
		r.Value = c.Statistic(signals)
	}
	// No row in the window, or a division by a mean of 0, as JSON has no NaN.
	if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) {
		r.Value, r.Bound = 0, r.Bound+" (no finite value in the window)"
		return r
	}
	r.OK = r.Value >= c.Min && r.Value <= c.Max
	return r
}

// bound writes the condition in words.
func (c *Check) bound() string {
	// narrow bounds get as many digits as distinguish them
	digits := 6
	for c.Min != c.Max && digits < 17 && fmt.Sprintf("%.*g", digits, c.Min) == fmt.Sprintf("%.*g", digits, c.Max) {
		digits++
	}
	// Only the bounds that were given are written.
	var s []string
	if !math.IsInf(c.Min, -1) {
		s = append(s, fmt.Sprintf(">= %.*g", digits, c.Min))
	}
	if !math.IsInf(c.Max, 1) {
		s = append(s, fmt.Sprintf("<= %.*g", digits, c.Max))
	}
	return strings.Join(s, " and ")
}

// windowSlack is how far outside its window a row still counts, s. It exceeds the
// round-off of summed time steps and is less than any step.
const windowSlack = 1e-9

// stepSlack is by how much of a time step a run may end before the duration that was asked
// for, because its steps do not add up to the duration exactly.
const stepSlack = 1e-6

// Statistic takes the check's statistic of its signal over its window; NaN where
// the window has no row.
func (c *Check) Statistic(t *Table) float64 {
	time, x := t.Column("time_s"), t.Column(c.Signal)
	var w []float64
	for i, v := range x {
		// windows name times, rows have round-off
		if time[i] >= c.From-windowSlack && time[i] <= c.To+windowSlack {
			w = append(w, v)
		}
	}
	if len(w) == 0 {
		return math.NaN()
	}
	// statistics of order
	switch c.Stat {
	case "median":
		return percentile(w, 0.5)
	case "p95":
		return percentile(w, 0.95)
	}
	// moments and extremes
	// With the mean m of the n values x_i and the sum of squares S = Σ (x_i − m)²,
	//
	//	std² = S/n     rms² = m² + S/n.
	//
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
	case "abs_max":
		return max(math.Abs(lo), math.Abs(hi))
	case "mean":
		return m
	case "rms":
		return math.Sqrt(m*m + variance/float64(len(w)))
	case "std":
		return std
	case "range":
		return hi - lo
	case "relative_std":
		return std / math.Abs(m)
	}
	// last, and where the check names no statistic
	return w[len(w)-1]
}

// numbers are the numbers of the summary that a check may name, by their paths in
// run.json.
var numbers = []struct {
	path string
	of   func(*Summary) float64
}{
	{"steps", func(s *Summary) float64 { return float64(s.Steps) }},
	{"unconverged_steps", func(s *Summary) float64 { return float64(s.Unconverged) }},
	{"free_motion_unconverged_steps", func(s *Summary) float64 { return float64(s.FreeMotionUnconverged) }},
	{"max_penetration_m", func(s *Summary) float64 { return s.Penetration }},
	{"penetration_to_thickness", func(s *Summary) float64 { return s.RelativePenetration }},
	{"friction_lag.allowed_N_s", func(s *Summary) float64 { return s.FrictionLag.Allowed }},
	{"friction_lag.lacking_N_s", func(s *Summary) float64 { return s.FrictionLag.Lacking }},
	{"friction_lag.excess_N_s", func(s *Summary) float64 { return s.FrictionLag.Excess }},
	{"friction_lag.largest_share", func(s *Summary) float64 { return s.FrictionLag.Share }},
	{"energy_gained_J", func(s *Summary) float64 { return s.EnergyGained }},
	{"contacts.mean", func(s *Summary) float64 { return s.Contacts.Mean }},
	{"contacts.max", func(s *Summary) float64 { return s.Contacts.Max }},
	{"newton_iterations.mean", func(s *Summary) float64 { return s.Newton.Mean }},
	{"newton_iterations.p95", func(s *Summary) float64 { return s.Newton.P95 }},
	{"newton_iterations.max", func(s *Summary) float64 { return s.Newton.Max }},
	{"vertices", func(s *Summary) float64 { return float64(s.Vertices) }},
	{"tetrahedra", func(s *Summary) float64 { return float64(s.Tetrahedra) }},
	{"wall_s", func(s *Summary) float64 { return s.Wall }},
	{"real_time_factor", func(s *Summary) float64 { return s.RealTime }},
	{"step_ms.mean", func(s *Summary) float64 { return s.StepMs.Mean }},
	{"step_ms.p95", func(s *Summary) float64 { return s.StepMs.P95 }},
}

// Numbers lists the paths in run.json of the numbers that a check may name.
func Numbers() []string {
	var paths []string
	for i := range numbers {
		paths = append(paths, numbers[i].path)
	}
	return paths
}

// renamedNumbers are former paths in run.json and their new paths.
var renamedNumbers = map[string]string{
	"unsettled_steps":              "free_motion_unconverged_steps",
	"sliding_friction.allowed_N_s": "friction_lag.allowed_N_s",
	"sliding_friction.lacking_N_s": "friction_lag.lacking_N_s",
}

// NumberName returns the present path in run.json of a number that had another
// one in an earlier version, and any other path as it is.
func NumberName(path string) string {
	if now, renamed := renamedNumbers[path]; renamed {
		return now
	}
	return path
}

// Number returns a number of the summary by its path in run.json, or by its
// former path.
func (s *Summary) Number(path string) (float64, bool) {
	// Paths of earlier versions are read too.
	path = NumberName(path)
	for i := range numbers {
		if numbers[i].path == path {
			return numbers[i].of(s), true
		}
	}
	return 0, false
}
