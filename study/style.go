package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/curlfree/curlfree/render"
)

// Styles. render.Style has an index of a colour, of a dash pattern and of a mark. Within a
// figure, a case has the same indices in all panels: they are the position of its label
// among all labels that occurred so far. Colours and dash patterns together make lines
// distinguishable in print without colour.

// applyStyles gives the curves of a chart their styles and the legend its keys.
//
//	lines differ in              colour, mark    dash pattern
//	cases or columns             one of them     the same
//	cases and columns            case            column
//	two paths of group           first path      second path
//
// References are wide grey lines.
func (d *figureBuilder) applyStyles(p *resolvedPanel, c *render.Chart, curves []curve) {
	// the labels and columns that occur in the chart
	var cases, columns []string
	for i := range curves {
		if !curves[i].ref {
			cases = union(cases, []string{curves[i].of})
		}
		columns = union(columns, []string{curves[i].name})
	}
	// labels keep their index from panel to panel, so that a case has one colour
	if len(cases) > 1 {
		d.labels = union(d.labels, cases)
	}
	// lines that differ in two respects
	both := len(cases) > 1 && len(columns) > 1
	pairs := len(columns) == 1 && d.assignGroups(curves)
	// points of the table are marked; curves over time only where colours do not suffice
	marks := p.file == "" || !p.FFT && (both || pairs)
	if p.Marks != nil {
		marks = *p.Marks
	}
	for i := range curves {
		v := &curves[i]
		// each mark belongs to a colour
		style := d.caseStyle(v, len(cases), slices.Index(columns, v.name), both)
		if pairs && !v.ref {
			style.Color, style.Dash = slices.Index(d.firsts, v.values[0]), slices.Index(d.seconds, v.values[1])
		}
		if marks && !v.ref {
			style.Mark = 1 + style.Color
		}
		style.MarksOnly = v.marksOnly
		c.Lines = append(c.Lines, render.Line{Name: d.legendName(p, v, len(cases), len(columns)), Points: v.points, Style: style})
	}
	// the legend names cases and columns separately instead of each line
	if both {
		c.Keys = d.legendKeys(p, c, curves, columns)
	}
}

// assignGroups reports whether the cases are distinguished by two paths of group, each with
// several values, and gives these values the next free styles.
func (d *figureBuilder) assignGroups(curves []curve) bool {
	// the values of the two paths that occur
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
	// one value of a path needs no style of its own
	if len(firsts) < 2 || len(seconds) < 2 {
		return false
	}
	d.firsts, d.seconds = union(d.firsts, firsts), union(d.seconds, seconds)
	return true
}

// caseStyle returns the style of a curve without its mark; cases is the number of
// labels in the chart and column the index of the curve's column.
func (d *figureBuilder) caseStyle(v *curve, cases, column int, both bool) render.Style {
	// the index of the label is the number of its colour
	number := slices.Index(d.labels, v.of)
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

// legendName returns the name of a line in the legend: the label of its case or, where
// only columns differ, the name of its column. It is empty where separate keys name
// cases and columns. Charts of the table with two logarithmic axes add the fitted order.
func (d *figureBuilder) legendName(p *resolvedPanel, v *curve, cases, columns int) string {
	name := v.of
	switch {
	case columns > 1 && (cases > 1 || v.ref):
		name = ""
	case columns > 1:
		name = d.columnName(p, v.name)
	}
	// the order of convergence is the slope in a chart with two logarithmic axes
	if p.file == "" && p.LogX && p.LogY && (p.Fit == nil || *p.Fit) {
		if order, ok := fittedOrder(v.points); ok {
			fit := "order " + signed(strconv.FormatFloat(order, 'f', 2, 64))
			name = strings.TrimPrefix(name+", "+fit, ", ")
		}
	}
	return name
}

// columnName returns the name of a column in the legend, with its unit where the axis has none,
// because it shows columns of different units.
func (d *figureBuilder) columnName(p *resolvedPanel, name string) string {
	text := plainName(name)
	if l, named := d.study.label(p, name); named {
		text = l
		if statedUnit(l) != "" {
			text, _ = splitUnit(l)
		}
	}
	unit, _, _ := d.study.columnUnit(p, name)
	if common, _ := d.commonUnit(p, p.yNames()); unit == "" || common != "" || p.YUnit != "" || statedUnit(p.YLabel) != "" {
		return text
	}
	return text + " (" + unit + ")"
}

// A legend with one entry for each line would repeat every case for every column. With two
// respects, cases and columns are therefore listed one after the other.

// legendKeys returns separate keys of the legend: the cases by their colours, then the
// columns by their dash patterns.
func (d *figureBuilder) legendKeys(p *resolvedPanel, c *render.Chart, curves []curve, columns []string) []render.Key {
	var keys []render.Key
	for i := range curves {
		// the key of a case shows its colour and mark without a dash pattern
		s := c.Lines[i].Style
		s.Dash = 0
		if k := (render.Key{Name: curves[i].of, Style: s}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	// the key of a column shows its dash pattern in grey
	for i, name := range columns {
		keys = append(keys, render.Key{Name: d.columnName(p, name), Style: render.Style{Dash: i}, Grey: true})
	}
	return keys
}

// fittedOrder returns the order p of y = c xᵖ that fits the points with positive
// coordinates best, by least squares of log y over log x:
//
//	p = Σ (X_i − X̄)(Y_i − Ȳ) / Σ (X_i − X̄)²,  X = log x, Y = log y
//
// It is false where fewer than two points or no two different x are given.
func fittedOrder(points [][2]float64) (float64, bool) {
	// only points with positive coordinates have logarithms
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
