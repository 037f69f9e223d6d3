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

// curve is a line before it has a style.
type curve struct {
	of     string // label of the case or group; may be empty
	name   string // of the column
	points [][2]float64
	ref    bool
	values []string // of the groups
}

// tableCurves makes a line for each group and measure, points by ascending x.
// Without a group, cases with the same x are told apart by what they differ in.
func (d *figureBuilder) tableCurves(p *resolvedPanel, rows []*Row) []curve {
	var curves []curve
	groups := p.groups
	if len(groups) == 0 && d.repeatsX(rows, p.X) {
		groups = slices.DeleteFunc(d.differingPaths(rows), func(path string) bool { return path == p.X })
	}
	for _, name := range p.names {
		for _, r := range rows {
			x, ok1 := d.study.cell(r, p.X)
			y, ok2 := d.study.cell(r, name)
			if !ok1 || !ok2 || r.Case.IsReference {
				continue
			}
			label := d.caseLabel(p, r, groups)
			k := slices.IndexFunc(curves, func(c curve) bool { return c.of == label && c.name == name })
			if k < 0 {
				k = len(curves)
				curves = append(curves, curve{of: label, name: name, values: d.values(r, groups)})
			}
			curves[k].points = append(curves[k].points, [2]float64{x, y})
		}
	}
	for i := range curves {
		slices.SortStableFunc(curves[i].points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	}
	return curves
}

// repeats reports whether two rows have the same x.
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

// histories makes a line for each case and column.
func (d *figureBuilder) historyCurves(p *resolvedPanel, rows []*Row) ([]curve, error) {
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
			t, err := d.table(r.Case.Name, p.file)
			if err != nil {
				return nil, err
			}
			x, err := p.x.evaluate(t)
			if err != nil {
				return nil, err
			}
			y, err := c.evaluate(t)
			if err != nil {
				return nil, err
			}
			if x == nil || y == nil {
				continue
			}
			label := d.caseLabel(p, r, groups)
			if r.Case.IsReference {
				label, _ = d.study.label(p, "reference")
			}
			curves = append(curves, curve{of: label, name: p.yNames()[i], points: pointsInWindow(t.Column(timeColumn), x, y, p.Over), ref: r.Case.IsReference, values: d.values(r, groups)})
		}
	}
	return curves, nil
}

// underway returns the cases that have a row in the panel's window of time; an error
// if there are cases, but none has.
func (d *figureBuilder) casesInWindow(p *resolvedPanel, rows []*Row) ([]*Row, error) {
	if p.Over == nil {
		return rows, nil
	}
	var some []*Row
	end := 0.0
	for _, r := range rows {
		t, err := d.table(r.Case.Name, p.file)
		if err != nil {
			return nil, err
		}
		time := t.Column(timeColumn)
		if slices.ContainsFunc(time, func(x float64) bool { return x >= p.Over[0]-timeTolerance && x <= p.Over[1]+timeTolerance }) {
			some = append(some, r)
		}
		end = max(end, slices.Max(append([]float64{0}, time...)))
	}
	if len(rows) > 0 && len(some) == 0 {
		return nil, fmt.Errorf("over: there is no row from %g to %g s: the last is at %g s", p.Over[0], p.Over[1], end)
	}
	return some, nil
}

// within pairs the values of a window of time.
func pointsInWindow(time, x, y []float64, over *[2]float64) [][2]float64 {
	points := make([][2]float64, 0, len(x))
	for i := range x {
		if over == nil || time[i] >= over[0]-timeTolerance && time[i] <= over[1]+timeTolerance {
			points = append(points, [2]float64{x[i], y[i]})
		}
	}
	return points
}

// table reads the columns that the figure needs of a case's table.
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

// differing lists the paths, derived ones apart, in which cases differ.
func (d *figureBuilder) differingPaths(rows []*Row) []string {
	var out []string
	for k, path := range d.study.Paths {
		if d.study.derived(path) {
			continue
		}
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

// values returns a case's values of paths.
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

// wide reports whether the values of a path have numbers that only powers of ten
// can tell: then all are written so.
func (d *figureBuilder) usesPowersOfTen(path string) bool {
	k := slices.Index(d.study.Paths, path)
	return k >= 0 && slices.ContainsFunc(d.study.Cases, func(c Case) bool {
		x, ok := parseNumber(c.Values[k])
		a := math.Abs(x)
		return ok && !c.IsReference && a > 0 && (a < 1e-3 || a >= 1e4)
	})
}

// caseLabel names a case by its values of some paths.
func (d *figureBuilder) caseLabel(p *resolvedPanel, r *Row, groups []string) string {
	var parts []string
	values := d.values(r, groups)
	for i, path := range groups {
		value := values[i]
		text, named := d.study.label(p, value)
		if _, isNumber := parseNumber(value); isNumber && !named {
			name, ok := d.study.label(p, path)
			if !ok {
				name = path[strings.LastIndexByte(path, '.')+1:]
			}
			// "h (s)" and 0.01 make "h = 0.01 s"
			quantity, unit := splitUnit(name)
			text = quantity + " = " + formatNumber(value, d.usesPowersOfTen(path))
			if unit != "" {
				text += " " + unit
			}
		}
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// cell returns a varied value or a measure of a row as a number.
func (s *Study) cell(r *Row, column string) (float64, bool) {
	if k := slices.Index(s.Paths, column); k >= 0 {
		return parseNumber(r.Case.Values[k])
	}
	v := r.Values[slices.Index(s.File.Measures.Keys, column)]
	return v, !math.IsNaN(v)
}
