package report

// Maps of a study over two of its parameters: where cases meet what is expected.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/render"
)

// axis is a value that varies over the cases, as an axis of a map.
type axis struct {
	name string
	// values are its numbers in rising order; edges are between and beside them.
	values, edges []float64
	log           bool
}

// newAxis returns the axis of a column whose cells are numbers, at least two different ones; nil for others.
func (c *cases) newAxis(name string) *axis {
	a := &axis{name: name}
	for i := range c.rows {
		v, err := strconv.ParseFloat(c.cell(i, name), 64)
		if err != nil {
			return nil
		}
		a.values = append(a.values, v)
	}
	// each value once, however many cases have it
	slices.Sort(a.values)
	a.values = slices.Compact(a.values)
	n := len(a.values)
	if n < 2 {
		return nil
	}
	// values over more than a decade and a half are sown on a logarithmic axis
	a.log = a.values[0] > 0 && a.values[n-1] > 30*a.values[0]
	// edges are halfway on the axis as it is drawn
	to, from := func(x float64) float64 { return x }, func(x float64) float64 { return x }
	if a.log {
		to, from = math.Log, math.Exp
	}
	for i := range n + 1 {
		// neighbours of edge i
		lo, hi := max(i-1, 0), min(i, n-1)
		// beyond the ends half of the nearest distance
		x := (to(a.values[lo]) + to(a.values[hi])) / 2
		if i == 0 {
			x -= (to(a.values[1]) - to(a.values[0])) / 2
		}
		if i == n {
			x += (to(a.values[n-1]) - to(a.values[n-2])) / 2
		}
		a.edges = append(a.edges, from(x))
	}
	return a
}

// success is a map over the two values that vary: the share of cases that are as expected, or the first measure with a
// scale of colours where nothing is expected, or all cases are as expected, which the verdict says. It returns nil
// where not two numbers vary.
func (c *cases) success(paths, measures []string) (*Section, error) {
	var axes []*axis
	for _, p := range paths {
		if a := c.newAxis(p); a != nil {
			axes = append(axes, a)
		}
	}
	// three values have no plane, and one has a chart
	if len(axes) != 2 {
		return nil, nil
	}
	// a map of one colour shows nothing
	judged := slices.ContainsFunc(c.rows, func(r []string) bool { k := c.column("expectations"); return k >= 0 && r[k] != "" }) && c.someBad()
	measures = slices.DeleteFunc(slices.Clone(measures), func(m string) bool { return !c.hasScale(m) })
	if !judged && len(measures) == 0 {
		return nil, nil
	}
	x, y := axes[0], axes[1]
	// sums over all cases of a cell, since others may vary besides the two axes
	sum, count := make([]float64, len(x.values)*len(y.values)), make([]float64, len(x.values)*len(y.values))
	for i := range c.rows {
		vx, _ := strconv.ParseFloat(c.cell(i, x.name), 64)
		vy, _ := strconv.ParseFloat(c.cell(i, y.name), 64)
		// cells by rows of y
		k := slices.Index(x.values, vx) + len(x.values)*slices.Index(y.values, vy)
		v := 0.0
		switch {
		case !judged:
			var err error
			if v, err = strconv.ParseFloat(c.cell(i, measures[0]), 64); err != nil || math.IsNaN(v) {
				continue
			}
		case c.state(i) == Good:
			v = 100
		}
		sum[k], count[k] = sum[k]+v, count[k]+1
	}
	return c.cellMap(x, y, sum, count, judged, measures)
}

// cellMap draws the means of cells over the plane of two axes: shares of cases in %, or a measure.
func (c *cases) cellMap(x, y *axis, sum, count []float64, judged bool, measures []string) (*Section, error) {
	// share of the cases in a cell; the scale ends at all of them
	title, unit := "cases as expected", "%"
	if !judged {
		unit, _ = render.Unit(measures[0])
		title = strings.ReplaceAll(render.TrimUnit(measures[0]), "_", " ")
	}
	cells := &render.Cells{Unit: unit, Top: 100}
	for k := range sum {
		// a cell without a case stays white: nothing is known there
		if count[k] == 0 {
			continue
		}
		i, j := k%len(x.values), k/len(x.values)
		cells.Rects = append(cells.Rects, [4]float64{x.edges[i], y.edges[j], x.edges[i+1], y.edges[j+1]})
		v := sum[k] / count[k]
		cells.Values = append(cells.Values, v)
		cells.Labels = append(cells.Labels, digits(v, 3))
	}
	// no case has a number
	if len(cells.Rects) == 0 {
		return nil, nil
	}
	if !judged {
		cells.Top = render.NewCells(nil, cells.Values, 0, "").Top
	}
	if len(x.values)*len(y.values) > 150 {
		cells.Labels = nil // there is no room for them
	}
	// the axes end at the outer edges of the cells, so that no cell is cut
	n, m := len(x.edges)-1, len(y.edges)-1
	f, err := chart(&render.Figure{Width: 14, Height: 7, Charts: []render.Chart{{
		Title: title, X: axisTitle(x.name), Y: axisTitle(y.name), LogX: x.log, LogY: y.log,
		Min: [2]*float64{&x.edges[0], &y.edges[0]}, Max: [2]*float64{&x.edges[n], &y.edges[m]}, Cells: cells,
	}}})
	return &Section{Title: "Map over " + x.name + " and " + y.name, Figures: []Figure{f}}, err
}

// axisTitle is a path of a scene with the unit of its values.
func axisTitle(path string) string {
	if unit := unitOfPath(path); unit != "" {
		return path + " (" + unit + ")"
	}
	return render.AxisTitle(path)
}
