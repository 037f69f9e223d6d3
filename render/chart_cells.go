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
// right. Each rectangle continues below its neighbours to the right and above, which are drawn later, so that no seam
// shows between them.

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

// noValue is the colour of rectangles without a value, lighter than all of the scale but its upper end, and without a
// hue.
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

// seam is how far rectangles continue below later neighbours, points: a pixel of a screen.
const seam = 0.75

// drawCellScale draws the scale of colours at the right end of the line of the title, or above the title where both do
// not fit into one line.
func (p *panel) drawCellScale(c vgdraw.Canvas) {
	if p.Cells == nil {
		return
	}
	x, y := p.frame.Max.X, p.frame.Max.Y+3
	if p.scaleAbove(p.frame.Max.X - p.frame.Min.X) {
		y += p.headHeight()
	}
	for _, part := range p.scaleParts() {
		x -= part.width
		if part.draw != nil {
			part.draw(c, x, y)
		}
	}
}

// scaleAbove reports whether the scale of colours stands above the title, for a frame of a width.
func (p *panel) scaleAbove(width vg.Length) bool {
	if p.Cells == nil || p.Title == "" {
		return false
	}
	sum := textWidth(p.letter+" "+p.Title, noteSize) + 8
	for _, part := range p.scaleParts() {
		sum += part.width
	}
	return sum > width
}

// scalePart is a part of a scale of colours, drawn from its lower left corner; nil: a gap.
type scalePart struct {
	width vg.Length
	draw  func(c vgdraw.Canvas, x, y vg.Length)
}

// scaleParts are the parts of the scale from right to left: the label of the top, the bar and 0, where there are
// values; what grey means, where there is some.
func (p *panel) scaleParts() (parts []scalePart) {
	const width, height, steps = 60, 5, 120
	m := p.Cells
	label := func(text string) scalePart {
		return scalePart{textWidth(text, noteSize), func(c vgdraw.Canvas, x, y vg.Length) { write(c, text, noteSize, x, y, 0) }}
	}
	box := func(c vgdraw.Canvas, ink color.Color, x, y, w vg.Length) {
		c.FillPolygon(ink, []vg.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + height}, {X: x, Y: y + height}})
	}
	gap := func(w vg.Length) scalePart { return scalePart{width: w} }
	if slices.ContainsFunc(m.Values, func(v float64) bool { return !math.IsNaN(v) }) {
		// the scale ends at a round number, which single values may exceed
		top := strconv.FormatFloat(m.Top, 'g', 4, 64)
		if slices.ContainsFunc(m.Values, func(v float64) bool { return v > m.Top*(1+1e-6) }) {
			top = "≥" + top
		}
		if m.Unit != "" {
			top += " " + m.Unit
		}
		bar := func(c vgdraw.Canvas, x, y vg.Length) {
			for i := range steps {
				a := vg.Length(i) * width / steps
				box(c, colormap((float64(i)+0.5)/steps), x+a, y, min(width, vg.Length(i+1)*width/steps+seam)-a)
			}
		}
		parts = append(parts, label(top), gap(3), scalePart{width, bar}, gap(3), label("0"))
	}
	if m.Without != "" && slices.ContainsFunc(m.Values, math.IsNaN) {
		parts = append(parts, gap(8), label(m.Without), gap(3),
			scalePart{height, func(c vgdraw.Canvas, x, y vg.Length) { box(c, noValue, x, y, height) }})
	}
	return parts
}
