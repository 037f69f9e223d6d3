package render

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"curlfree/internal/whole"
)

// XY is a chart of numbers against numbers, such as errors against steps.
type XY struct {
	Title, X, Y string // labels, with units
	LogX, LogY  bool
	Order       float64 // guide line of this order through the first line, on logarithmic axes; 0: none
	Lines       []Line
}

// Line is one curve with marks at its points.
type Line struct {
	Name   string
	Points [][2]float64
}

// Write draws the chart into a file of one of ChartFormats, as wide as a column of
// a paper. Points that a logarithmic axis cannot show are left out.
func (c *XY) Write(path string) error {
	ext := strings.ToLower(filepath.Ext(path))
	if !slices.Contains(ChartFormats, ext) {
		return fmt.Errorf("%s: charts are written as %s", path, strings.Join(ChartFormats, ", "))
	}
	p := styled()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	shown := 0
	for i, l := range c.Lines {
		pts := c.visible(l.Points)
		if len(pts) == 0 {
			continue
		}
		shown++
		line, marks, err := plotter.NewLinePoints(pts)
		if err != nil {
			return err
		}
		k := chartColors[i%len(chartColors)]
		line.Color, line.Width = k, 1
		marks.Color, marks.Radius = k, 1.8
		marks.Shape = []vgdraw.GlyphDrawer{vgdraw.CircleGlyph{}, vgdraw.BoxGlyph{}, vgdraw.PyramidGlyph{}, vgdraw.CrossGlyph{}}[i%4]
		p.Add(line, marks)
		if l.Name != "" {
			p.Legend.Add(l.Name, line, marks)
		}
		if shown == 1 && c.Order != 0 && c.LogX && c.LogY {
			if err := c.guide(p, pts); err != nil {
				return err
			}
		}
	}
	if shown == 0 {
		return fmt.Errorf("nothing to plot: no case has both %s and %s", c.X, c.Y)
	}
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		widen(&p.X)
	}
	if c.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		widen(&p.Y)
	}
	p.Legend.Top = !(c.LogX && c.LogY) // errors rise with steps: the lower right is free
	const width, height = 3.5 * vg.Inch, 2.6 * vg.Inch
	canvas, write := newCanvas(ext, width, height)
	p.Draw(vgdraw.Crop(vgdraw.New(canvas), 4, -8, 4, -5))
	return whole.Write(path, write)
}

// visible keeps the finite points that the axes can show.
func (c *XY) visible(points [][2]float64) plotter.XYs {
	var pts plotter.XYs
	for _, p := range points {
		if math.IsInf(p[0], 0) || math.IsInf(p[1], 0) || p[0] != p[0] || p[1] != p[1] ||
			c.LogX && p[0] <= 0 || c.LogY && p[1] <= 0 {
			continue
		}
		pts = append(pts, plotter.XY{X: p[0], Y: p[1]})
	}
	return pts
}

// guide draws a dashed line of the order from the line's last point.
func (c *XY) guide(p *plot.Plot, pts plotter.XYs) error {
	a, b := pts[0], pts[len(pts)-1]
	g, err := plotter.NewLine(plotter.XYs{{X: a.X, Y: b.Y * math.Pow(a.X/b.X, c.Order)}, b})
	if err != nil {
		return err
	}
	g.Color, g.Width, g.Dashes = color.Gray{120}, 0.8, []vg.Length{3, 2}
	p.Add(g)
	p.Legend.Add(fmt.Sprintf("order %g", c.Order), g)
	return nil
}

// widen leaves room at the ends of a logarithmic axis, and gives one that shows a
// single value a decade.
func widen(a *plot.Axis) {
	if a.Min == a.Max {
		a.Min, a.Max = a.Min/3, a.Max*3
	}
	m := math.Pow(a.Max/a.Min, 0.04)
	a.Min, a.Max = a.Min/m, a.Max*m
}
