package render

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Maps: rectangles of a chart in the colours of a scale, from 0 to a round number, which stands above the frame at the
// right. Each rectangle goes on below its neighbours to the right and above, which are drawn later, so that no seam shows between them.

// Cells are the rectangles of a map.
type Cells struct {
	// Rects are left, bottom, right and top of each, in the units of the axes.
	Rects [][4]float64
	// Values are those of the rectangles; none is shown below 0 or above Top. NaN is no value, which is shown grey.
	Values []float64
	// Top is the value at the end of the scale, in Unit.
	Top float64
	// Unit is the unit of the values.
	Unit string
	// Without says what a grey rectangle is, beside the scale.
	Without string
	// Labels are texts in the middle of the rectangles, nil: none.
	Labels []string
}

// NewCells returns rectangles whose scale ends at a round number that 99 % of the values do not exceed; least is the
// least such number.
func NewCells(rects [][4]float64, values []float64, least float64, unit string) *Cells {
	top := max(least, mostBelow(append([]float64(nil), values...)))
	return &Cells{Rects: rects, Values: values, Top: roundUp(top), Unit: unit}
}

// color is that of a value.
func (m *Cells) color(v float64) color.Color {
	if math.IsNaN(v) {
		return noValue
	}
	return colormap(max(0, min(1, v/m.Top)))
}

// noValue is the colour of rectangles without a value, lighter than all of the scale but its upper end, and without a hue.
var noValue = color.Gray{222}

// drawCells draws the rectangles of a chart within its frame.
func (p *panel) drawCells(c vgdraw.Canvas) {
	m := p.Cells
	if m == nil {
		return
	}
	// viewers blend pixels at edges with what was drawn before: that must be the neighbour, not the paper
	// cells at the limits of the axes are cut there
	inside := vgdraw.Canvas{Canvas: c.Canvas, Rectangle: p.frame}
	for i, r := range m.Rects {
		a, b := p.point([2]float64{r[0], r[1]}), p.point([2]float64{r[2], r[3]})
		box := []vg.Point{a, {X: b.X + seam, Y: a.Y}, {X: b.X + seam, Y: b.Y + seam}, {X: a.X, Y: b.Y + seam}}
		c.FillPolygon(m.color(m.Values[i]), inside.ClipPolygonXY(box))
	}
	for i, text := range m.Labels {
		r := m.Rects[i]
		a, b := p.point([2]float64{r[0], r[1]}), p.point([2]float64{r[2], r[3]})
		at := vg.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2} // on paper, since axes may be logarithmic
		// dark letters on light colours
		ink := color.Color(color.White)
		if m.Values[i] > 0.55*m.Top {
			ink = color.Black
		}
		writeIn(c, ink, text, noteSize, at.X, at.Y-capHeight(noteSize)/2, 0.5)
	}
}

// seam is how far rectangles go on below later neighbours, points: a pixel of a screen.
const seam = 0.75

// drawCellScale draws the scale of colours at the right end of the line of the title.
func (p *panel) drawCellScale(c vgdraw.Canvas) {
	m := p.Cells
	if m == nil {
		return
	}
	const width, height, steps = 60, 5, 120
	// the scale ends at a round number, which single values may exceed
	label := strconv.FormatFloat(m.Top, 'g', 4, 64)
	for _, v := range m.Values {
		if v > m.Top*(1+1e-6) {
			label = "≥" + label
			break
		}
	}
	if m.Unit != "" {
		label += " " + m.Unit
	}
	// from right to left: the label of the top, the bar, and 0
	y := p.frame.Max.Y + 3
	x := p.frame.Max.X - textWidth(label, noteSize)
	write(c, label, noteSize, x, y, 0)
	x -= width + 3
	for i := range steps {
		a, b := x+vg.Length(i)*width/steps, x+min(width, vg.Length(i+1)*width/steps+seam)
		c.FillPolygon(colormap((float64(i)+0.5)/steps), []vg.Point{{X: a, Y: y}, {X: b, Y: y}, {X: b, Y: y + height}, {X: a, Y: y + height}})
	}
	write(c, "0", noteSize, x-3, y, 1)
	if m.Without != "" && slices.ContainsFunc(m.Values, math.IsNaN) {
		x -= 3 + textWidth("0", noteSize) + 8 + textWidth(m.Without, noteSize)
		write(c, m.Without, noteSize, x, y, 0)
		x -= 3 + height
		c.FillPolygon(noValue, []vg.Point{{X: x, Y: y}, {X: x + height, Y: y}, {X: x + height, Y: y + height}, {X: x, Y: y + height}})
	}
}
