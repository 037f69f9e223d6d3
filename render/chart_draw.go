package render

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A chart is painted from back to front: grid, guide line and rules, lines with marks, frame with ticks,
// then words. Coordinates are points (1/72 inch) from the lower left corner of the figure, y upwards.
// A value v of an axis stands in the frame [min, max] at
//
// 	min + u (max − min),  u of the axis as in chart_axis.go.
//
// Words are written where they cover least. A place is judged by crowd, the number of points on lines
// that it would cover, with five for each mark or word; a place that is not wholly in the frame counts
// 1000 more. Each word that is written adds its box, so that later words keep off it.
//
// Around a frame are, from the frame outward,
//
// 	left:   ticks, tick labels (right-aligned), title (upwards)
// 	below:  ticks, tick labels, title
// 	above:  letter and title, legend
// 	right:  half of the last tick label where it stands out

// Pens, widths in points: frames and ticks; the grid; rules and guide lines.
var (
	thin  = vgdraw.LineStyle{Color: chartInk, Width: 0.5}
	faint = vgdraw.LineStyle{Color: color.Gray{228}, Width: 0.4}
	aside = vgdraw.LineStyle{Color: color.Gray{100}, Width: 0.8, Dashes: []vg.Length{3, 2}}
)

// draw paints the figure.
func (l *layout) draw(c vgdraw.Canvas) {
	// the paper, the title and the shared legend; then the charts
	c.FillPolygon(color.White, []vg.Point{{}, {X: l.width}, {X: l.width, Y: l.height}, {Y: l.height}})
	if l.fig.Title != "" {
		write(c, l.fig.Title, titleSize, l.width/2, l.height-margin-ascent(titleSize), 0.5)
	}
	for i, line := range l.note {
		write(c, line, noteSize, l.width/2, l.height+l.noteAt-vg.Length(i)*lineHeight(noteSize)-ascent(noteSize), 0.5)
	}
	if l.keys != nil {
		drawKeys(c, l.keys, l.keysAt, l.keysWidth)
	}
	for _, p := range l.panels {
		p.draw(c)
	}
}

// draw draws the chart: grid below, then rules, lines, axes, legend and notes.
func (p *panel) draw(c vgdraw.Canvas) {
	// words keep off each other, but not off those of the picture before
	// the same figure may be drawn again, into a file of another format
	defer func(n int) { p.boxes = p.boxes[:n] }(len(p.boxes))
	if p.Cells == nil {
		p.drawGrid(c)
	}
	p.drawCells(c)
	// lines of reference are below the data
	if g, ok := p.guide(); ok {
		inside := vgdraw.Canvas{Canvas: c.Canvas, Rectangle: p.frame}
		for _, piece := range inside.ClipLinesXY([]vg.Point{p.point(g[0]), p.point(g[1])}) {
			c.StrokeLines(aside, piece)
		}
	}
	p.drawRules(c)
	for i := range p.Lines {
		p.drawLine(c, &p.Lines[i], i)
	}
	// The frame covers the ends of lines. Texts come last, each keeps off those before.
	p.drawAxes(c)
	p.drawNotes(c)
	p.labelRules(c)
	p.drawLegend(c)
}

// inFrame reports whether an axis value is within the frame.
func inFrame(at float64) bool { return at > -1e-9 && at < 1+1e-9 }

// drawGrid draws faint lines at the labelled ticks.
func (p *panel) drawGrid(c vgdraw.Canvas) {
	// vertical lines at labels of x, horizontal ones at those of y
	f := p.frame
	for _, t := range p.axes[0].ticks {
		if t.label != "" {
			x := p.onAxis(0, t.at)
			c.StrokeLine2(faint, x, f.Min.Y, x, f.Max.Y)
		}
	}
	for _, t := range p.axes[1].ticks {
		if t.label != "" {
			y := p.onAxis(1, t.at)
			c.StrokeLine2(faint, f.Min.X, y, f.Max.X, y)
		}
	}
}

// onAxis returns the canvas coordinate of a value of axis k.
func (p *panel) onAxis(k int, v float64) vg.Length {
	// u of the value, then the frame along that axis
	at := vg.Length(p.axes[k].at(v))
	if k == 0 {
		return p.frame.Min.X + at*(p.frame.Max.X-p.frame.Min.X)
	}
	return p.frame.Min.Y + at*(p.frame.Max.Y-p.frame.Min.Y)
}

// drawAxes draws the frame, ticks with their labels, and titles.
func (p *panel) drawAxes(c vgdraw.Canvas) {
	// the frame
	f := p.frame
	c.StrokeLines(thin, []vg.Point{f.Min, {X: f.Max.X, Y: f.Min.Y}, f.Max, {X: f.Min.X, Y: f.Max.Y}, f.Min})
	// ticks and labels of x, their capitals below the ticks
	base := f.Min.Y - tickLen - tickGap - capHeight(tickSize)
	for _, t := range p.axes[0].ticks {
		x := p.onAxis(0, t.at)
		c.StrokeLine2(thin, x, f.Min.Y, x, f.Min.Y-t.length())
		if p.showX {
			write(c, t.label, tickSize, x, base, 0.5)
		}
	}
	// ticks and labels of y, right-aligned and centred at their ticks
	for _, t := range p.axes[1].ticks {
		y := p.onAxis(1, t.at)
		c.StrokeLine2(thin, f.Min.X, y, f.Min.X-t.length(), y)
		if p.showY {
			write(c, t.label, tickSize, f.Min.X-tickLen-tickGap, y-capHeight(tickSize)/2, 1)
		}
	}
	// titles at the outer ends of the margins
	if p.showX {
		y := f.Min.Y - p.bottomMargin() + 0.25*textSize
		write(c, p.axes[0].text(), textSize, (f.Min.X+f.Max.X)/2, y, 0.5)
	}
	if p.showY {
		writeUp(c, p.axes[1].text(), textSize, f.Min.X-p.leftMargin()+ascent(textSize), (f.Min.Y+f.Max.Y)/2)
	}
	// letter and title above the frame
	head := p.letter
	if p.Title != "" {
		// a space only between letter and title
		head += map[bool]string{true: " "}[head != ""] + p.Title
	}
	if head != "" {
		write(c, head, textSize, f.Min.X, f.Max.Y+3, 0)
	}
	p.drawCellScale(c)
}

// headHeight is the room that a title or a letter takes above the frame.
func (p *panel) headHeight() vg.Length {
	if p.Title == "" && p.letter == "" && p.Cells == nil {
		return 0
	}
	return lineHeight(textSize)
}

// text is the axis' label, with the power of ten that its numbers leave out before
// the unit.
func (a *axis) text() string {
	// in front of the unit in parentheses, or in parentheses of its own
	switch i := strings.LastIndex(a.label, " ("); {
	case a.factor == "":
		return a.label
	case i >= 0 && strings.HasSuffix(a.label, ")"):
		return a.label[:i+2] + a.factor + " " + a.label[i+2:]
	}
	return strings.TrimSpace(a.label + " (" + a.factor + ")")
}

// length returns the length of a tick: ticks without a label are shorter.
func (t axisTick) length() vg.Length {
	if t.label == "" {
		return tickLen * 0.6
	}
	return tickLen
}

// leftMargin is the room left of the frame for the y axis.
func (p *panel) leftMargin() vg.Length {
	// a chart that shares its y axis has ticks only
	w := tickLen
	if !p.showY {
		return w
	}
	// the longest label, and the title that runs upwards
	widest := vg.Length(0)
	for _, t := range p.axes[1].ticks {
		widest = max(widest, textWidth(t.label, tickSize))
	}
	w += tickGap + widest
	if p.axes[1].text() != "" {
		w += labelGap + lineHeight(textSize)
	}
	return w
}

// bottomMargin is the room below the frame for the x axis.
func (p *panel) bottomMargin() vg.Length {
	// a chart that shares its x axis has ticks, and 3 points to the chart below
	if !p.showX {
		return tickLen + 3
	}
	// ticks, labels, and the title where there is one
	h := tickLen + tickGap + lineHeight(tickSize)
	if p.axes[0].text() != "" {
		h += lineHeight(textSize)
	}
	return h
}

// topMargin is the room above the frame for titles and a legend there.
func (p *panel) topMargin(width vg.Length) vg.Length {
	// 3 points under the title keep its descenders off the frame
	h := 3 + p.headHeight()
	if p.scaleAbove(width) {
		h += p.headHeight()
	}
	if p.above && len(p.keys) > 0 {
		h += keysHeight(p.keys, width) + 2
	}
	return h
}

// rightMargin is the room right of frames, for labels that stand out.
func (l *layout) rightMargin() vg.Length {
	w := vg.Length(2)
	// the last label of x may reach beyond the frame by half of its width
	for _, p := range l.panels {
		if n := len(p.axes[0].ticks); n > 0 && p.showX {
			// only a label that is centred near the end of the axis stands out
			t := p.axes[0].ticks[n-1]
			if p.axes[0].at(t.at) > 0.93 {
				w = max(w, textWidth(t.label, tickSize)/2)
			}
		}
	}
	return w
}

// drawRules draws the rules and their labels.
func (p *panel) drawRules(c vgdraw.Canvas) {
	for _, r := range p.Rules {
		if line := p.ruleLine(r); line != nil {
			c.StrokeLines(aside, line)
		}
	}
}

// ruleLine returns the ends of a rule, nil where it is out of the frame.
func (p *panel) ruleLine(r Rule) []vg.Point {
	// the axis on which the rule has its value
	k := 1
	if r.Upright {
		k = 0
	}
	// a logarithmic axis has no place for values of 0 and below
	if p.axes[k].log && r.At <= 0 || !inFrame(p.axes[k].at(r.At)) {
		return nil
	}
	// from side to side of the frame, or from its bottom to its top
	at := p.onAxis(k, r.At)
	if r.Upright {
		return []vg.Point{{X: at, Y: p.frame.Min.Y}, {X: at, Y: p.frame.Max.Y}}
	}
	return []vg.Point{{X: p.frame.Min.X, Y: at}, {X: p.frame.Max.X, Y: at}}
}

// labelRules writes the labels of rules beside them, where there is most room.
func (p *panel) labelRules(c vgdraw.Canvas) {
	// labels follow each other: one keeps off those before it
	f := p.frame
	for _, r := range p.Rules {
		line := p.ruleLine(r)
		if r.Label == "" || line == nil {
			continue
		}
		// w and h are the size of the label
		w, h := textWidth(r.Label, noteSize), lineHeight(noteSize)
		// on either side of the rule, at its ends or in its middle
		var places []vg.Point // lower left corners
		if r.Upright {
			x := line[0].X
			for _, y := range []vg.Length{f.Max.Y - h - 2, f.Min.Y + 2, (f.Min.Y + f.Max.Y - h) / 2} {
				places = append(places, vg.Point{X: x + 2, Y: y}, vg.Point{X: x - 2 - w, Y: y})
			}
		} else {
			y := line[0].Y
			for _, x := range []vg.Length{f.Max.X - w - 3, f.Min.X + 3, (f.Min.X + f.Max.X - w) / 2} {
				places = append(places, vg.Point{X: x, Y: y + 1.5}, vg.Point{X: x, Y: y - h - 0.5})
			}
		}
		// the place that covers least; outside of the frame only if all are
		best, least := places[0], math.MaxInt
		for _, at := range places {
			box := boxAt(at, w, h)
			// 0.4 points less at top and bottom: letters do not fill the height of their line
			n := p.crowd(vg.Rectangle{Min: vg.Point{X: box.Min.X, Y: box.Min.Y + 0.4}, Max: vg.Point{X: box.Max.X, Y: box.Max.Y - 0.4}})
			// a label outside is clipped by nothing, but reads as part of another chart
			if !holds(f, box) {
				n += 1000
			}
			if n < least {
				best, least = at, n
			}
		}
		// the base line is 0.28 of the size above the lower edge of the box
		write(c, r.Label, noteSize, best.X, best.Y+0.28*noteSize, 0)
		p.boxes = append(p.boxes, boxAt(best, w, h))
	}
}

// boxAt returns the box of a size whose lower left corner is at a point.
func boxAt(at vg.Point, w, h vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: at, Max: vg.Point{X: at.X + w, Y: at.Y + h}}
}

// holds reports whether a box is within a frame.
func holds(f, box vg.Rectangle) bool {
	return box.Min.X >= f.Min.X && box.Max.X <= f.Max.X && box.Min.Y >= f.Min.Y && box.Max.Y <= f.Max.Y
}

// drawNotes writes the notes.
func (p *panel) drawNotes(c vgdraw.Canvas) {
	for _, n := range p.Notes {
		// a note whose point is out of sight is left out, as points of lines are
		if !p.visible(n.At) || !inFrame(p.axes[0].at(n.At[0])) || !inFrame(p.axes[1].at(n.At[1])) {
			continue
		}
		// the point on the canvas
		at := p.point(n.At)
		// the part of the text left of the point
		align := map[string]float64{"center": 0.5, "right": 1}[n.Align]
		w := textWidth(n.Text, noteSize)
		// a note at the edge moves in
		x := at.X - vg.Length(align)*w
		x = max(p.frame.Min.X+2, min(x, p.frame.Max.X-w-2))
		write(c, n.Text, noteSize, x, at.Y-capHeight(noteSize)/2, 0)
		p.boxes = append(p.boxes, boxAt(vg.Point{X: x, Y: at.Y - noteSize/2}, w, noteSize))
	}
}

// orderName is the name of the guide line in the legend.
func orderName(order float64) string { return fmt.Sprintf("order %g", order) }
