package study

// Differences from a reference. Let x_s(t_i) be signal s of a case at its rows i and
// r_s(t) the piecewise linear interpolant of the same signal of the reference. Over the
// rows i = 1 … n inside the window of the measure,
//
//	e_si = x_s(t_i) − r_s(t_i)
//	rms  = √( Σ_i Σ_s e_si² / n )                                              (1)
//	max  = max_{s,i} |e_si|                                                    (2)
//
// relative to one of
//
//	rms of the reference    √( Σ_i Σ_s r_s(t_i)² / n )                         (3)
//	range of the reference  max_s ( max_i r_s(t_i) − min_i r_s(t_i) )          (4)
//
// The row at the start of the reference is left out: there the state is an input and
// the difference says nothing about the solution.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/record"
)

// timeTolerance is by how much the time of a row may exceed a window and still count as
// inside, s: times in files have rounding errors. It is far below any time step.
const timeTolerance = 1e-9

// window returns the times between which the rows of a measure lie, s.
func (m *Measure) window() (from, to float64) {
	if m.Over == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return m.Over[0], m.Over[1]
}

// differenceSums are the sums and extrema of (1) to (4).
type differenceSums struct {
	// squares is the sum of e² over rows and signals.
	squares float64
	// largest is the largest |e| so far.
	largest float64
	// refSquares is the sum of r² over rows and signals.
	refSquares float64
	// refRange is (4) of the signals so far.
	refRange float64
}

// add adds the rows lo to hi of one signal.
func (d *differenceSums) add(time, x, refTime, ref []float64, lo, hi int) {
	// the range of the reference is taken over the same rows, like its norm
	low, high := math.Inf(1), math.Inf(-1)
	k := 0
	for i := lo; i < hi; i++ {
		var r float64
		r, k = interpolate(refTime, ref, time[i], k)
		e := x[i] - r
		d.squares += e * e
		d.largest = max(d.largest, math.Abs(e))
		d.refSquares += r * r
		low, high = min(low, r), max(high, r)
	}
	d.refRange = max(d.refRange, high-low)
}

// difference returns (1) or (2), divided by (3), (4) or a number as relative_to says.
// It is NaN where no row lies within the window and the time of the reference, or
// where a table lacks a signal.
func (m *resolvedMeasure) difference(t, ref *record.Table) float64 {
	time, refTime := t.Column(timeColumn), ref.Column(timeColumn)
	if len(refTime) == 0 {
		return math.NaN()
	}
	// rows that can be compared
	lo, hi := m.comparedRows(time, refTime)
	if lo == hi {
		return math.NaN()
	}
	// the signals of a difference are the components of one vector
	var d differenceSums
	for _, name := range append(slices.Clone(m.RMS), m.Max...) {
		x, xr := t.Column(name), ref.Column(name)
		if x == nil || xr == nil {
			return math.NaN()
		}
		d.add(time, x, refTime, xr, lo, hi)
	}
	// the number of rows, not of rows and signals: (1) is the norm of the vector
	n := float64(hi - lo)
	out := math.Sqrt(d.squares / n)
	if m.Max != nil {
		out = d.largest
	}
	switch m.RelativeTo {
	case "rms":
		return out / math.Sqrt(d.refSquares/n)
	case "range":
		return out / d.refRange
	}
	return out / m.scale
}

// comparedRows returns the range of rows that lie in the window of the measure, after
// the start of the reference and not after its end.
func (m *resolvedMeasure) comparedRows(time, refTime []float64) (lo, hi int) {
	from, to := m.window()
	// times ascend, so that rows to leave out are at the two ends
	lo, hi = 0, len(time)
	for lo < hi && (time[lo] < from-timeTolerance || time[lo] <= refTime[0]+timeTolerance) {
		lo++
	}
	for hi > lo && (time[hi-1] > to+timeTolerance || time[hi-1] > refTime[len(refTime)-1]+timeTolerance) {
		hi--
	}
	return lo, hi
}

// interpolate evaluates the piecewise linear function through (t, x) at a time, and is
// constant beyond the ends. Times must ascend from call to call: k is the index of the
// interval of the previous call, 0 at first, and the new one is returned.
func interpolate(t, x []float64, at float64, k int) (float64, int) {
	// advance to the interval that contains the time
	for k+1 < len(t) && t[k+1] < at {
		k++
	}
	switch {
	case at <= t[k] || k+1 == len(t): // before the start, at a node, or beyond the end
		return x[k], k
	case t[k+1] == t[k]: // two rows of the same time: a jump, of which the later row counts
		return x[k+1], k
	}
	return x[k] + (x[k+1]-x[k])*((at-t[k])/(t[k+1]-t[k])), k
}
