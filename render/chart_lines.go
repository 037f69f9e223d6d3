package render

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Lines of a chart differ in three ways at once, colour, dash pattern and mark, so that they can be distinguished
// in print without colour and by colour-blind readers. Numbers of a style count modulo the length
// of each list.
//
// A line is drawn in parts, from one point that the axes cannot show to the next. Long lines are
// thinned to what can be seen: per column of 0.15 points the first, lowest, highest and last point. A
// line of few points, and one of marks only, has a mark at each; others have marks every 42 points of way
// along the drawn line, and start them at different distances by their number.

// chartColors are the colours of lines, which colour-blind readers can distinguish, too
// (Okabe and Ito, Color Universal Design, 2008, without the yellow, which is too pale
// for lines).
var chartColors = []color.NRGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {230, 159, 0, 255}, {60, 60, 60, 255},
}

// chartDashes are the dash patterns: lengths of dashes and gaps in turn, points.
var chartDashes = [][]vg.Length{nil, {5, 1.8}, {1.3, 1.5}, {6, 1.5, 1.3, 1.5}, {9, 2.5}, {3, 1.3, 1.3, 1.3, 1.3, 1.3}}

// chartMarks are the marks, which differ enough at the size of letters.
var chartMarks = []vgdraw.GlyphDrawer{
	vgdraw.CircleGlyph{}, vgdraw.SquareGlyph{}, vgdraw.PyramidGlyph{}, diamond{}, vgdraw.CrossGlyph{}, vgdraw.RingGlyph{}, vgdraw.PlusGlyph{},
}

// openMark reports whether a mark is an outline. Those are drawn larger, so that other
// marks show inside of them.
func openMark(s vgdraw.GlyphDrawer) bool {
	switch s.(type) {
	case vgdraw.SquareGlyph, vgdraw.RingGlyph:
		return true
	}
	return false
}

// diamond is a square on its corner.
type diamond struct{}

// DrawGlyph implements vgdraw.GlyphDrawer.
func (diamond) DrawGlyph(c *vgdraw.Canvas, sty vgdraw.GlyphStyle, pt vg.Point) {
	// as much area as a circle of about the same radius
	r := 1.25 * sty.Radius
	c.FillPolygon(sty.Color, []vg.Point{{X: pt.X - r, Y: pt.Y}, {X: pt.X, Y: pt.Y - r}, {X: pt.X + r, Y: pt.Y}, {X: pt.X, Y: pt.Y + r}})
}

// Sizes of lines and marks, points.
const (
	// lineWidth is the width of lines, markRadius the radius of marks.
	lineWidth  = vg.Length(1)
	markRadius = vg.Length(1.9)
	// fewPoints is the largest number of points of a line that has a mark at each.
	fewPoints = 40
	// markSpacing is the distance between marks along other lines.
	markSpacing = vg.Length(42)
)

// stroke returns how the line is drawn.
func (s Style) stroke() vgdraw.LineStyle {
	// a reference is seen below lines of any colour
	if s.Wide {
		return vgdraw.LineStyle{Color: color.Gray{175}, Width: 2.4, Dashes: chartDashes[s.Dash%len(chartDashes)]}
	}
	return vgdraw.LineStyle{
		Color: chartColors[s.Color%len(chartColors)], Width: lineWidth, Dashes: chartDashes[s.Dash%len(chartDashes)],
	}
}

// glyph returns how a mark is drawn.
func (s Style) glyph() vgdraw.GlyphStyle {
	g := vgdraw.GlyphStyle{
		Color: chartColors[s.Color%len(chartColors)], Radius: markRadius, Shape: chartMarks[(s.Mark-1)%len(chartMarks)],
	}
	// others show inside
	if openMark(g.Shape) {
		g.Radius *= 1.3
	}
	return g
}

// point returns the place of a point of the chart on the canvas.
func (p *panel) point(v [2]float64) vg.Point {
	w, h := p.frame.Max.X-p.frame.Min.X, p.frame.Max.Y-p.frame.Min.Y
	// points far outside of the frame would overflow in the drawing package
	const far = 1e4
	// u and v of the axes, from 0 to 1 in the frame
	x := max(-far, min(far, p.axes[0].at(v[0])))
	y := max(-far, min(far, p.axes[1].at(v[1])))
	return vg.Point{X: p.frame.Min.X + vg.Length(x)*w, Y: p.frame.Min.Y + vg.Length(y)*h}
}

// curves returns the visible parts of a line on the canvas, thinned. Points that the
// axes cannot show separate the parts.
func (p *panel) curves(l *Line) [][]vg.Point {
	// runs are the finished parts, run is the part that grows
	var runs [][]vg.Point
	var run []vg.Point
	// end finishes the part that grows
	end := func() {
		switch {
		case l.Style.MarksOnly && len(run) > 0: // a cloud is not what a curve of its extremes shows
			runs = append(runs, run)
		case len(run) > 0:
			runs = append(runs, thinned(run))
		}
		run = nil
	}
	for _, v := range l.Points {
		if !p.visible(v) {
			end()
			continue
		}
		run = append(run, p.point(v))
	}
	end()
	return runs
}

// pixel is the size of details that thinning leaves out, points.
const pixel = vg.Length(0.15)

// thinned reduces a curve of many points without visible change: of those in a column
// of pixels it keeps the first, the lowest, the highest and the last. A column whose
// points are all within a pixel keeps one.
func thinned(run []vg.Point) []vg.Point {
	if len(run) < 2000 {
		return run
	}
	// The result overwrites the beginning of the curve: it never has more points.
	out := run[:1]
	// run[i:j] are the points in the column of run[i], lo and hi its extremes
	for i := 1; i < len(run); {
		// the column of pixels that point i lies in
		column := math.Floor(float64(run[i].X / pixel))
		j, lo, hi := i, i, i
		for ; j < len(run) && math.Floor(float64(run[j].X/pixel)) == column; j++ {
			if run[j].Y < run[lo].Y {
				lo = j
			}
			if run[j].Y > run[hi].Y {
				hi = j
			}
		}
		// a flat column needs one point, unless it ends the curve
		if run[hi].Y-run[lo].Y < pixel && j < len(run) {
			out = append(out, run[i])
			i = j
			continue
		}
		// the four points in the order of the curve, each once
		prev := -1
		for _, k := range [4]int{i, min(lo, hi), max(lo, hi), j - 1} {
			if k != prev {
				out = append(out, run[k])
			}
			prev = k
		}
		i = j
	}
	return out
}

// marked reports whether each point has its mark: those of short lines, and those that no line joins.
func (l *Line) marked() bool { return l.Style.MarksOnly || len(l.Points) <= fewPoints }

// drawLine draws line number `number` of the chart, clipped to the frame.
func (p *panel) drawLine(c vgdraw.Canvas, l *Line, number int) {
	// the line
	inside := vgdraw.Canvas{Canvas: c.Canvas, Rectangle: p.frame}
	runs := p.curves(l)
	if !l.Style.MarksOnly {
		for _, piece := range inside.ClipLinesXY(runs...) {
			c.StrokeLines(l.Style.stroke(), piece)
		}
	}
	if l.Style.Mark == 0 {
		return
	}
	// few points, or points alone: a mark at each
	if l.marked() {
		for _, run := range runs {
			for _, at := range run {
				p.mark(inside, l.Style, at)
			}
		}
		return
	}
	// marks of different lines start at different places, so that lines that coincide
	// show all their marks
	way := markSpacing * vg.Length(0.35+0.21*float64(number%4))
	// way is the distance from the start of the segment to the next mark
	for _, piece := range inside.ClipLinesXY(runs...) {
		for i := 1; i < len(piece); i++ {
			a, b := piece[i-1], piece[i]
			d := vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
			for way < d {
				t := way / d
				p.mark(inside, l.Style, vg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
				way += markSpacing
			}
			way -= d
		}
	}
}

// mark draws a mark if it is in the frame.
func (p *panel) mark(c vgdraw.Canvas, s Style, at vg.Point) {
	// a mark on the frame counts as inside, up to round-off
	const edge = 0.01
	if at.X < p.frame.Min.X-edge || at.X > p.frame.Max.X+edge || at.Y < p.frame.Min.Y-edge || at.Y > p.frame.Max.Y+edge {
		return
	}
	if s.Bold {
		// the same strokes, wide and white below, then black
		for i, ink := range [2]color.Color{color.White, color.Black} {
			r, w := 2*markRadius, [2]vg.Length{3, 1.2}[i]
			c.StrokeLine2(vgdraw.LineStyle{Color: ink, Width: w}, at.X-r-w/4, at.Y, at.X+r+w/4, at.Y)
			c.StrokeLine2(vgdraw.LineStyle{Color: ink, Width: w}, at.X, at.Y-r-w/4, at.X, at.Y+r+w/4)
		}
		return
	}
	c.DrawGlyphNoClip(s.glyph(), at)
}

// survey collects the places of lines, marks and rules, so that legends and notes can
// avoid them.
func (p *panel) survey() {
	// points along lines, and a box for each mark
	p.room, p.boxes = nil, nil
	inside := vgdraw.Canvas{Rectangle: p.frame}
	for i := range p.Lines {
		l := &p.Lines[i]
		runs := p.curves(l)
		if !l.Style.MarksOnly {
			for _, piece := range inside.ClipLinesXY(runs...) {
				p.occupy(piece)
			}
		}
		if l.Style.Mark > 0 && l.marked() {
			for _, run := range runs {
				for _, at := range run {
					p.boxes = append(p.boxes, grown(vg.Rectangle{Min: at, Max: at}, markRadius))
				}
			}
		}
	}
	// rules and the guide line
	for _, r := range p.Rules {
		p.occupy(p.ruleLine(r))
	}
	if g, ok := p.guide(); ok {
		for _, piece := range inside.ClipLinesXY([]vg.Point{p.point(g[0]), p.point(g[1])}) {
			p.occupy(piece)
		}
	}
}

// occupy adds points along a curve to the places to avoid.
func (p *panel) occupy(curve []vg.Point) {
	// a point every 2 points of way: no letter fits between
	const step = 2
	for i := 1; i < len(curve); i++ {
		// n equal parts of the segment, the last end excluded
		a, b := curve[i-1], curve[i]
		n := 1 + int(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))/step)
		for k := range n {
			t := vg.Length(k) / vg.Length(n)
			p.room = append(p.room, vg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
		}
	}
	if len(curve) > 0 {
		p.room = append(p.room, curve[len(curve)-1])
	}
}

// crowd returns how much of the chart a box would hide: points along lines, and five
// for each mark.
func (p *panel) crowd(box vg.Rectangle) int {
	// points strictly inside: a box may touch what it avoids
	n := 0
	for _, at := range p.room {
		if at.X > box.Min.X && at.X < box.Max.X && at.Y > box.Min.Y && at.Y < box.Max.Y {
			n++
		}
	}
	for _, b := range p.boxes {
		if b.Min.X < box.Max.X && b.Max.X > box.Min.X && b.Min.Y < box.Max.Y && b.Max.Y > box.Min.Y {
			n += 5
		}
	}
	return n
}
