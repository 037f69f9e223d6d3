package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/curlfree/curlfree/render"
)

// styled gives curves their styles and the legend its keys: what tells lines apart
// has colours, marks and dashes; where cases and columns both do, or two groups,
// the first have colours and marks, the second dashes.
func (d *figureBuilder) applyStyles(p *resolvedPanel, c *render.Chart, curves []curve) {
	var cases, columns []string
	for i := range curves {
		if !curves[i].ref {
			cases = union(cases, []string{curves[i].of})
		}
		columns = union(columns, []string{curves[i].name})
	}
	if len(cases) > 1 {
		d.lines = union(d.lines, cases)
	}
	both := len(cases) > 1 && len(columns) > 1
	pairs := len(columns) == 1 && d.assignGroups(curves)
	marks := p.file == "" || !p.FFT && (both || pairs)
	if p.Marks != nil {
		marks = *p.Marks
	}
	for i := range curves {
		v := &curves[i]
		style := d.caseStyle(v, len(cases), slices.Index(columns, v.name), both)
		if pairs && !v.ref {
			style.Color, style.Dash = slices.Index(d.firsts, v.values[0]), slices.Index(d.seconds, v.values[1])
		}
		if marks && !v.ref {
			style.Mark = 1 + style.Color
		}
		c.Lines = append(c.Lines, render.Line{Name: d.legendName(p, v, len(cases), len(columns)), Points: v.points, Style: style})
	}
	if both {
		c.Keys = d.legendKeys(p, c, curves, columns)
	}
}

// pairs reports whether cases differ in two groups, and gives their values numbers.
func (d *figureBuilder) assignGroups(curves []curve) bool {
	var firsts, seconds []string
	for _, v := range curves {
		if v.ref {
			continue
		}
		if len(v.values) != 2 {
			return false
		}
		firsts, seconds = union(firsts, v.values[:1]), union(seconds, v.values[1:])
	}
	if len(firsts) < 2 || len(seconds) < 2 {
		return false
	}
	d.firsts, d.seconds = union(d.firsts, firsts), union(d.seconds, seconds)
	return true
}

func (d *figureBuilder) caseStyle(v *curve, cases, column int, both bool) render.Style {
	number := slices.Index(d.lines, v.of)
	switch {
	case v.ref:
		return render.Style{Wide: true, Dash: map[bool]int{true: column}[both]}
	case both:
		return render.Style{Color: number, Dash: column}
	case cases > 1:
		return render.Style{Color: number, Dash: number}
	}
	return render.Style{Color: column, Dash: column}
}

// lineName is what the legend calls a line.
func (d *figureBuilder) legendName(p *resolvedPanel, v *curve, cases, columns int) string {
	name := v.of
	switch {
	case columns > 1 && (cases > 1 || v.ref):
		name = ""
	case columns > 1:
		name = d.columnName(p, v.name)
	}
	if p.file == "" && p.LogX && p.LogY && (p.Fit == nil || *p.Fit) {
		if order, ok := fittedOrder(v.points); ok {
			fit := "order " + signed(strconv.FormatFloat(order, 'f', 2, 64))
			name = strings.TrimPrefix(name+", "+fit, ", ")
		}
	}
	return name
}

func (d *figureBuilder) columnName(p *resolvedPanel, name string) string {
	l, named := d.study.label(p, name)
	if !named {
		return plainName(name)
	}
	q, _ := splitUnit(l)
	return q
}

// keys lists cases by their colours, then columns by their dashes.
func (d *figureBuilder) legendKeys(p *resolvedPanel, c *render.Chart, curves []curve, columns []string) []render.Key {
	var keys []render.Key
	for i := range curves {
		s := c.Lines[i].Style
		s.Dash = 0
		if k := (render.Key{Name: curves[i].of, Style: s}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for i, name := range columns {
		keys = append(keys, render.Key{Name: d.columnName(p, name), Style: render.Style{Dash: i}, Grey: true})
	}
	return keys
}

// derived reports whether a path is the result of a formula.
func (s *Study) derived(path string) bool {
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

// fittedOrder is the least-squares slope of log y over log x.
func fittedOrder(points [][2]float64) (float64, bool) {
	var x, y []float64
	for _, p := range points {
		if p[0] > 0 && p[1] > 0 {
			x, y = append(x, math.Log(p[0])), append(y, math.Log(p[1]))
		}
	}
	if len(x) < 2 || x[0] == x[len(x)-1] {
		return 0, false
	}
	_, order := stat.LinearRegression(x, y, nil, false)
	return order, true
}
