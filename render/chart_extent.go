package render

import (
	"math"
	"strings"
)

// The extent of a chart on an axis is the smallest interval that contains what the chart shows
// there: points of lines that both axes can show and that the limits of the other axis let
// in, the values of rules across this axis, and the ends of the guide line
//
//	y = c x^p,  c = 0.6 min_i y_i/x_i^p                                (1)
//
// of the order p through points (x_i, y_i), which is a straight line of the slope p over
// two logarithmic axes, below all points.

// extent is the range of what lines, the guide and rules show on an axis; empty
// (lo > hi) where there is nothing.
func (c *Chart) extent(k int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	log := [2]bool{c.LogX, c.LogY}[k]
	// take extends the range by a value that the axis can show
	take := func(x float64) {
		if !math.IsInf(x, 0) && !math.IsNaN(x) && !(log && x <= 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	// points count where the other axis shows them
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if c.visible(p) && c.within(p, 1-k) {
				take(p[k])
			}
		}
	}
	if c.Cells != nil {
		for _, r := range c.Cells.Rects {
			take(r[k])
			take(r[k+2])
		}
	}
	// rules and the guide count, too
	for _, r := range c.Rules {
		if r.Upright == (k == 0) {
			take(r.At)
		}
	}
	if g, ok := c.guide(); ok {
		take(g[0][k])
		take(g[1][k])
	}
	return lo, hi
}

// counts reports whether all y are whole numbers without a unit, such as contacts.
func (c *Chart) counts() bool {
	if strings.Contains(AxisTitle(c.Y), "(") || len(c.Rules) > 0 {
		return false
	}
	seen := false
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if !c.visible(p) {
				continue
			}
			if p[1] != math.Round(p[1]) || math.Abs(p[1]) > 1e9 {
				return false
			}
			seen = true
		}
	}
	return seen
}

// within reports whether a point is within the limits given for axis k, so that
// the other axis fits what is shown.
func (c *Chart) within(p [2]float64, k int) bool {
	return (c.Min[k] == nil || p[k] >= *c.Min[k]) && (c.Max[k] == nil || p[k] <= *c.Max[k])
}

// visible reports whether the axes can show a point.
func (c *Chart) visible(p [2]float64) bool {
	for k, log := range [2]bool{c.LogX, c.LogY} {
		// a quarter of the range of numbers leaves room for sums of limits
		if math.IsNaN(p[k]) || math.Abs(p[k]) > math.MaxFloat64/4 || log && p[k] <= 0 {
			return false
		}
	}
	return true
}

// ascending reports whether lines run from left to right without marks at their
// ends, such as over time: they may fill the frame.
func (c *Chart) ascending() bool {
	for _, l := range c.Lines {
		// marks at the ends would be cut by the frame
		if l.Style.Mark > 0 && l.marked() {
			return false
		}
		for i := 1; i < len(l.Points); i++ {
			if l.Points[i][0] < l.Points[i-1][0] {
				return false
			}
		}
	}
	return true
}

// guide returns the ends of the guide line: below all points where that is near,
// else below the last.
func (c *Chart) guide() (ends [2][2]float64, ok bool) {
	if c.Order == 0 || !c.LogX || !c.LogY {
		return ends, false
	}
	// Ends of x; the least factor y/x^Order of all points; the lowest point; the lowest of those at
	// the largest x.
	x0, x1, below, lowest, last := math.Inf(1), 0.0, math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if !c.visible(p) {
				continue
			}
			// a new largest x: forget the lowest point at the one before
			if p[0] > x1 {
				x1, last = p[0], math.Inf(1)
			}
			if p[0] == x1 {
				last = min(last, p[1])
			}
			x0 = min(x0, p[0])
			lowest = min(lowest, p[1])
			below = min(below, p[1]/math.Pow(p[0], c.Order))
		}
	}
	if !(x1 > x0) {
		return ends, false
	}
	// The guide is at 0.6 of the least factor. Where that is more than a decade below the lowest
	// point at its start, it is at 0.6 of the last point instead.
	const off = 0.6
	factor := off * below
	if factor*math.Pow(x0, c.Order) < lowest/10 {
		factor = off * last / math.Pow(x1, c.Order)
	}
	at := func(x float64) [2]float64 { return [2]float64{x, factor * math.Pow(x, c.Order)} }
	return [2][2]float64{at(x0), at(x1)}, true
}
