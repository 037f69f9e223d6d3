package study

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/record"
)

// A chart consists of curves. In a chart of the table, a curve is a group of cases and a
// measure: its points are (value of the path x, measure), one for each case. In a chart
// over time, it is a case and a column: its points are (time or another column, column),
// one for each row of the table of its run.
//
//	chart of the table   y: error_m, x: time.step, group: solver.contact     a line for each law
//	chart over time      signals: [push_N], group: bodies.ball.mass          a line for each mass
//
// The legend names a line by its values of the paths of group; without group, by the paths in which
// the cases differ.

// curve is a line of a chart before it has a style.
type curve struct {
	// of is the label of the case or group; empty where a single case is shown.
	of string
	// name is the column on the y axis.
	name string
	// points are (x, y), first in SI units and later in the units shown.
	points [][2]float64
	// ref is true for the curve of a reference.
	ref bool
	// values are those of the paths of group.
	values []string
	// marksOnly is true for points that no line joins.
	marksOnly bool
}

// Cases of a chart of the table are grouped by the paths of group. Without it, all cases form
// one line if their x differ; if not, they are grouped by all paths in which they differ.

// tableCurves makes the lines of a chart of the table: one for each group and measure,
// with points by ascending x. Without a group, cases with the same x are separated by
// the paths in which they differ.
func (d *figureBuilder) tableCurves(p *resolvedPanel, rows []*Row) []curve {
	var curves []curve
	// lines that would have several points at one x are split by what differs
	groups := p.groups
	if len(groups) == 0 && d.repeatsX(rows, p.X) {
		groups = slices.DeleteFunc(d.differingPaths(rows), func(path string) bool { return path == p.X })
	}
	for _, name := range p.names {
		for _, r := range rows {
			// cases without a number in both columns have no point
			x, ok1 := d.study.cell(r, p.X)
			y, ok2 := d.study.cell(r, name)
			if !ok1 || !ok2 || r.Case.IsReference {
				continue
			}
			label := d.caseLabel(p, r, groups)
			// the line that the case belongs to, new for the first case of a group
			k := slices.IndexFunc(curves, func(c curve) bool { return c.of == label && c.name == name })
			if k < 0 {
				k = len(curves)
				curves = append(curves, curve{of: label, name: name, values: d.values(r, groups)})
			}
			curves[k].points = append(curves[k].points, [2]float64{x, y})
		}
	}
	// the rows are in the order of the study file, points in that of x
	for i := range curves {
		slices.SortStableFunc(curves[i].points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	}
	return curves
}

// repeatsX reports whether two rows have the same value in the column x.
func (d *figureBuilder) repeatsX(rows []*Row, x string) bool {
	seen := map[float64]bool{}
	for _, r := range rows {
		v, ok := d.study.cell(r, x)
		if !ok {
			continue
		}
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

// historyCurves makes the lines of a chart over time: one for each column and case. A
// case whose tables lack a column has no line.
func (d *figureBuilder) historyCurves(p *resolvedPanel, rows []*Row) ([]curve, error) {
	// cases are named by the paths of group, or by those in which they differ
	// the paths by which lines are distinguished; none where all cases may be one line
	groups := p.groups
	if len(groups) == 0 {
		groups = d.differingPaths(rows)
	}
	var curves []curve
	rows, err := d.casesInWindow(p, rows)
	if err != nil {
		return nil, err
	}
	for i, c := range p.columns {
		for _, r := range rows {
			points, err := d.points(p, c, r)
			if err != nil {
				return nil, err
			}
			if points == nil {
				continue
			}
			// references have one common label
			label := d.caseLabel(p, r, groups)
			if r.Case.IsReference {
				label, _ = d.study.label(p, "reference")
			}
			curves = append(curves, curve{of: label, name: p.yNames()[i], points: points, ref: r.Case.IsReference, values: d.values(r, groups)})
		}
	}
	return curves, nil
}

// points returns the points of one column of a case within the window of the panel; nil
// where its table lacks a column.
func (d *figureBuilder) points(p *resolvedPanel, c *column, r *Row) ([][2]float64, error) {
	t, err := d.table(r.Case.Name, p.file)
	if err != nil {
		return nil, err
	}
	x, err := p.x.evaluate(t)
	if err != nil {
		return nil, err
	}
	y, err := c.evaluate(t)
	if err != nil || x == nil || y == nil {
		return nil, err
	}
	return pointsInWindow(t.Column(timeColumn), x, y, p.Over), nil
}

// casesInWindow returns the cases that have a row in the window of the panel. It is an
// error if there are cases and none of them has one.
func (d *figureBuilder) casesInWindow(p *resolvedPanel, rows []*Row) ([]*Row, error) {
	if p.Over == nil {
		return rows, nil
	}
	// the cases with a row in the window, and the end of the longest
	var some []*Row
	end := 0.0
	for _, r := range rows {
		t, err := d.table(r.Case.Name, p.file)
		if err != nil {
			return nil, err
		}
		time := t.Column(timeColumn)
		if slices.ContainsFunc(time, func(x float64) bool { return inWindow(x, p.Over) }) {
			some = append(some, r)
		}
		end = max(end, slices.Max(append([]float64{0}, time...)))
	}
	if len(rows) > 0 && len(some) == 0 {
		return nil, fmt.Errorf("over: no row lies between %g and %g s: the last one is at %g s", p.Over[0], p.Over[1], end)
	}
	return some, nil
}

// inWindow reports whether a time lies in a window, up to rounding. nil is any time.
func inWindow(t float64, over *[2]float64) bool {
	return over == nil || t >= over[0]-timeTolerance && t <= over[1]+timeTolerance
}

// pointsInWindow returns the points (x, y) of the rows in a window of time.
func pointsInWindow(time, x, y []float64, over *[2]float64) [][2]float64 {
	points := make([][2]float64, 0, len(x))
	for i := range x {
		if inWindow(time[i], over) {
			points = append(points, [2]float64{x[i], y[i]})
		}
	}
	return points
}

// table reads those columns of a case's table that the figure needs, once.
func (d *figureBuilder) table(name, file string) (*record.Table, error) {
	key := name + "/" + file
	if t := d.tables[key]; t != nil {
		return t, nil
	}
	t, err := record.ReadColumns(filepath.Join(d.dir, name), file, d.needs[file])
	if err == nil {
		d.tables[key] = t
	}
	return t, err
}

// differingPaths lists the paths in which the cases differ. Derived values are left
// out: they follow from others.
func (d *figureBuilder) differingPaths(rows []*Row) []string {
	var out []string
	for k, path := range d.study.Paths {
		if d.study.Derived(path) {
			continue
		}
		// compare each case with the first; references do not count
		var first *Row
		for _, r := range rows {
			if r.Case.IsReference {
				continue
			}
			if first == nil {
				first = r
			} else if !equalValues(r.Case.Values[k], first.Case.Values[k]) {
				out = append(out, path)
				break
			}
		}
	}
	return out
}

// Derived reports whether a path is the result of a formula in any sweep.
func (s *Study) Derived(path string) bool {
	if s.File.Derive.Get(path) != nil {
		return true
	}
	for _, name := range s.File.Sweeps.Keys {
		if s.File.Sweeps.Get(name).Derive.Get(path) != nil {
			return true
		}
	}
	return false
}

// values returns the values of some paths of a case; the path "sweep" is the name of
// its sweep.
func (d *figureBuilder) values(r *Row, paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		if path == "sweep" {
			out[i] = r.Case.Sweep
		} else {
			out[i] = r.Case.Values[slices.Index(d.study.Paths, path)]
		}
	}
	return out
}

// usesPowersOfTen reports whether labels write the values of a path with powers of ten:
// all of them are, as soon as one is below 0.001 or at least 10 000.
func (d *figureBuilder) usesPowersOfTen(path string) bool {
	k := slices.Index(d.study.Paths, path)
	return k >= 0 && slices.ContainsFunc(d.study.Cases, func(c Case) bool {
		// 0.001 to 9999 are readable without a power of ten
		x, ok := parseNumber(c.Values[k])
		a := math.Abs(x)
		return ok && !c.IsReference && a > 0 && (a < 1e-3 || a >= 1e4)
	})
}

// caseLabel names a case in the legend by its values of some paths: a label of the
// study where there is one, "quantity = value unit" for numbers, else the value.
func (d *figureBuilder) caseLabel(p *resolvedPanel, r *Row, groups []string) string {
	var parts []string
	values := d.values(r, groups)
	for i, path := range groups {
		value := values[i]
		// a label of the study for the value itself, such as "2": heavy, comes first
		text, named := d.study.label(p, value)
		if _, isNumber := parseNumber(value); isNumber && !named {
			// a number without a label is shown with the name of its path
			name, ok := d.study.label(p, path)
			if !ok {
				name = path[strings.LastIndexByte(path, '.')+1:]
			}
			// the label "h (s)" and the value 0.01 make "h = 0.01 s"
			quantity, unit := splitUnit(name)
			text = quantity + " = " + formatNumber(value, d.usesPowersOfTen(path))
			if unit != "" {
				text += " " + unit
			}
		}
		// the same text is not repeated: two paths may have one label
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// cell returns a varied value or a measure of a row as a number; false where it is none.
func (s *Study) cell(r *Row, column string) (float64, bool) {
	if k := slices.Index(s.Paths, column); k >= 0 {
		return parseNumber(r.Case.Values[k])
	}
	v := r.Values[slices.Index(s.File.Measures.Keys, column)]
	return v, !math.IsNaN(v)
}
