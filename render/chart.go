package render

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/curlfree/curlfree/internal/atomicfile"
)

// Figure is one file of charts, made for the columns of a paper: 8.6 cm wide, with
// letters of 8 points.
type Figure struct {
	// Title stands above all charts; may be empty.
	Title string
	// Charts are the charts, row by row.
	Charts []Chart
	// Columns is the number of charts side by side; 0: 1.
	Columns int
	// Width is the width of the figure, cm; 0: 8.6 for one column, 17.8 for two.
	Width float64
	// Height is the height of the frame of each chart, cm; 0: by the number of charts.
	Height float64
	// ShareX gives the charts of a column one x axis, titled below the last.
	ShareX bool
	// ShareY gives the charts of a row one y axis, titled left of the first.
	ShareY bool
	// Letters puts (a), (b), … above the charts.
	Letters bool
}

// Chart is a frame with lines over two axes. In its texts ^{…} raises and _{…} lowers.
type Chart struct {
	// Title stands above the frame; X and Y are the titles of the axes, see AxisTitle.
	Title, X, Y string
	// LogX and LogY make an axis logarithmic.
	LogX, LogY bool
	// Min and Max are the limits of x and y; nil: as the lines need.
	Min, Max [2]*float64
	// Lines are drawn in this order.
	Lines []Line
	// Keys are the entries of the legend; nil: one for each named line.
	Keys []Key
	// Legend is the place of the legend, one of Legends; empty: auto.
	Legend string
	// Order is the slope of a guide line y ∝ x^Order, where both axes are logarithmic;
	// 0: no guide line.
	Order float64
	// Rules are straight lines across the frame.
	Rules []Rule
	// Notes are texts within the frame.
	Notes []Note
}

// Line is a curve. Points that are not finite, or that a logarithmic axis cannot show,
// interrupt it.
type Line struct {
	// Name is its text in the legend; empty: it has none.
	Name string
	// Points are (x, y).
	Points [][2]float64
	// Style is how it is drawn.
	Style Style
	// Peaks are the peaks of a spectrum, the largest first.
	Peaks []Peak
}

// Style distinguishes lines by numbers of a colour, a dash pattern and a mark. Each
// repeats after a few.
type Style struct {
	// Color is the number of a colour, from 0.
	Color int
	// Dash is the number of a dash pattern; 0 is a solid line.
	Dash int
	// Mark is the number of a mark, from 1; 0: no marks. Lines of few points have one
	// at every point, others here and there.
	Mark int
	// Bare leaves out the line and draws marks only.
	Bare bool
	// Wide draws a wide grey line, whatever the colour, for others to be seen on.
	Wide bool
}

// Key is an entry of a legend.
type Key struct {
	// Name is the text.
	Name string
	// Style is that of the sample beside the text.
	Style Style
	// Grey reports that the key stands for a dash pattern of any colour.
	Grey  bool
	guide bool // the key is of the guide line
}

// Rule is a straight line across a chart.
type Rule struct {
	// Upright reports that the line stands at an x; else it is level, at a y.
	Upright bool
	// At is the x or y of the line, in the unit of the axis.
	At float64
	// Label is a text beside the line; may be empty.
	Label string
}

// Note is a text within a chart.
type Note struct {
	// At is a point (x, y) in the units of the axes.
	At [2]float64
	// Text is the text.
	Text string
	// Align is the place of At in the text: left (default), center or right.
	Align string
}

// Legends are the places of legends. With auto a legend goes where it hides the least
// of the lines, and axes grow if it hides some everywhere.
var Legends = []string{"auto", "none", "above", "top_left", "top_right", "bottom_left", "bottom_right", "top", "bottom"}

// ChartFormats lists the extensions of the files that figures are written as.
var ChartFormats = []string{".png", ".svg", ".pdf"}

// cm is a centimetre in points.
const cm = vg.Centimeter

// Write draws the figure once into each of the files, whose extensions give the
// formats. Files are written whole or not at all. It returns an error for an unknown
// extension before it writes any file.
func (f *Figure) Write(paths ...string) error {
	for _, path := range paths {
		ext := strings.ToLower(filepath.Ext(path))
		if !slices.Contains(ChartFormats, ext) {
			return fmt.Errorf("%s: charts are written as %s", path, strings.Join(ChartFormats, ", "))
		}
	}
	l := f.layOut()
	for _, path := range paths {
		canvas, write := newCanvas(strings.ToLower(filepath.Ext(path)), l.width, l.height)
		l.draw(vgdraw.New(canvas))
		if err := atomicfile.Write(path, write); err != nil {
			return err
		}
	}
	return nil
}

// newCanvas returns a canvas for a file extension and what writes its content.
func newCanvas(ext string, w, h vg.Length) (vg.CanvasSizer, func(out io.Writer) error) {
	switch ext {
	case ".svg":
		c := vgsvg.New(w, h)
		return c, func(out io.Writer) error { _, err := c.WriteTo(out); return err }
	case ".pdf":
		c := vgpdf.New(w, h)
		c.EmbedFonts(true)
		return c, func(out io.Writer) error { _, err := c.WriteTo(out); return err }
	}
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(300))
	return c, func(out io.Writer) error { _, err := vgimg.PngCanvas{Canvas: c}.WriteTo(out); return err }
}

// layout is a figure with the places of its parts, in points from the lower left.
type layout struct {
	fig           *Figure
	width, height vg.Length
	panels        []*panel
	keys          []Key // of a legend that all charts share, above them
	keysAt        vg.Point
	keysWidth     vg.Length
}

// panel is a chart with its axes and the place of its frame.
type panel struct {
	*Chart
	axes   [2]axis
	frame  vg.Rectangle
	keys   []Key
	above  bool // the legend stands above the frame
	letter string
	showX  bool // its own x axis
	showY  bool
	room   []vg.Point // where lines are, so that texts can keep off them
	boxes  []vg.Rectangle
}

// Gaps between parts of a figure, points.
const (
	margin   = vg.Length(3)
	tickLen  = vg.Length(2.5)
	tickGap  = vg.Length(2)
	labelGap = vg.Length(2.5)
)

// layOut chooses limits, legends and frames. Frames are placed twice where a legend
// makes an axis longer, because its ticks then change the margins.
func (f *Figure) layOut() *layout {
	columns := max(1, min(f.Columns, len(f.Charts)))
	rows := (len(f.Charts) + columns - 1) / columns
	l := &layout{fig: f, width: vg.Length(f.Width) * cm}
	if f.Width <= 0 {
		l.width = vg.Length(8.6*float64(columns)+0.6*float64(columns-1)) * cm
	}
	height := vg.Length(f.Height) * cm
	if f.Height <= 0 {
		height = 5 * cm
		if rows > 1 {
			height = 3.3 * cm
		}
	}
	for i := range f.Charts {
		p := &panel{Chart: &f.Charts[i], keys: f.Charts[i].legendKeys()}
		p.above = p.Legend == "above"
		p.showX = !f.ShareX || i+columns >= len(f.Charts)
		p.showY = !f.ShareY || i%columns == 0
		if f.Letters {
			p.letter = fmt.Sprintf("(%c)", 'a'+i%26)
		}
		l.panels = append(l.panels, p)
	}
	l.limits(columns)
	l.shareKeys()
	l.place(columns, rows, height)
	moved := false
	for _, p := range l.panels {
		moved = p.clearLegend(f.ShareY) || moved
	}
	if moved {
		l.place(columns, rows, height)
	}
	return l
}

// place chooses the ticks of the axes and sets the frames.
func (l *layout) place(columns, rows int, height vg.Length) {
	// ticks need about the size of frames, and frames the width of tick labels
	guess := l.width/vg.Length(columns) - 40
	left := make([]vg.Length, columns)
	for i, p := range l.panels {
		p.axes[0].mark(guess, false)
		p.axes[1].mark(height, true)
		left[i%columns] = max(left[i%columns], p.leftMargin())
	}
	gap := vg.Length(0)
	if columns > 1 {
		gap = 8
	}
	sum := vg.Length(0)
	for _, w := range left {
		sum += w
	}
	right := l.rightMargin()
	w := (l.width - 2*margin - sum - vg.Length(columns-1)*(gap+right) - right) / vg.Length(columns)
	w = max(w, 20)
	// heights are summed from the top, y is measured up from the bottom
	y := -margin
	if l.fig.Title != "" {
		y -= lineHeight(titleSize) + 2
	}
	if l.keys != nil {
		l.keysWidth = l.width - 2*margin
		l.keysAt = vg.Point{X: margin, Y: y}
		y -= keysHeight(l.keys, l.keysWidth) + 2
	}
	for r := range rows {
		row := l.panels[r*columns : min(len(l.panels), (r+1)*columns)]
		top, bottom := vg.Length(0), vg.Length(0)
		for _, p := range row {
			top, bottom = max(top, p.topMargin(w)), max(bottom, p.bottomMargin())
		}
		y -= top
		x := margin
		for k, p := range row {
			x += left[k]
			p.frame = vg.Rectangle{Min: vg.Point{X: x, Y: y - height}, Max: vg.Point{X: x + w, Y: y}}
			x += w + right + gap
		}
		y -= height + bottom
	}
	l.height = -y + margin
	for _, p := range l.panels {
		p.frame.Min.Y += l.height
		p.frame.Max.Y += l.height
		p.survey()
	}
	l.keysAt.Y += l.height
}

// shareKeys takes the legend out of the charts where it is the same in all.
func (l *layout) shareKeys() {
	if len(l.panels) < 2 || len(l.panels[0].keys) == 0 {
		return
	}
	for _, p := range l.panels {
		if !slices.Equal(p.keys, l.panels[0].keys) || p.Legend != "" && p.Legend != "auto" {
			return
		}
	}
	l.keys = l.panels[0].keys
	for _, p := range l.panels {
		p.keys = nil
	}
}

// limits chooses the limits of all axes; shared axes get the same.
func (l *layout) limits(columns int) {
	for _, p := range l.panels {
		p.axes[0] = axis{log: p.LogX, label: AxisTitle(p.X)}
		p.axes[1] = axis{log: p.LogY, label: AxisTitle(p.Y)}
		for k := range 2 {
			p.axes[k].lo, p.axes[k].hi = p.extent(k)
		}
	}
	// the union over the charts that share an axis
	join := func(k int, same func(i, j int) bool) {
		for i, p := range l.panels {
			for j, q := range l.panels {
				if same(i, j) {
					p.axes[k].lo, p.axes[k].hi = min(p.axes[k].lo, q.axes[k].lo), max(p.axes[k].hi, q.axes[k].hi)
				}
			}
		}
	}
	if l.fig.ShareX {
		join(0, func(i, j int) bool { return i%columns == j%columns })
	}
	if l.fig.ShareY {
		join(1, func(i, j int) bool { return i/columns == j/columns })
	}
	for _, p := range l.panels {
		for k := range 2 {
			p.axes[k].settle(p.Min[k], p.Max[k], k == 0 && p.ascending())
		}
	}
}

// extent is the range of what lines, the guide and rules show on an axis; empty
// (lo > hi) where there is nothing.
func (c *Chart) extent(k int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	log := [2]bool{c.LogX, c.LogY}[k]
	take := func(x float64) {
		if !math.IsInf(x, 0) && !math.IsNaN(x) && !(log && x <= 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if c.visible(p) && c.within(p, 1-k) {
				take(p[k])
			}
		}
	}
	for _, r := range c.Rules {
		if r.Upright == (k == 0) {
			take(r.At)
		}
	}
	if g, ok := c.guide(); ok {
		take(g[0][k])
		take(g[1][k])
	}
	return lo, hi
}

// within reports whether a point is within the limits given for axis k, so that
// the other axis fits what is shown.
func (c *Chart) within(p [2]float64, k int) bool {
	return (c.Min[k] == nil || p[k] >= *c.Min[k]) && (c.Max[k] == nil || p[k] <= *c.Max[k])
}

// visible reports whether the axes can show a point.
func (c *Chart) visible(p [2]float64) bool {
	for k, log := range [2]bool{c.LogX, c.LogY} {
		if math.IsNaN(p[k]) || math.Abs(p[k]) > math.MaxFloat64/4 || log && p[k] <= 0 {
			return false
		}
	}
	return true
}

// ascending reports whether lines run from left to right without marks at their
// ends, such as over time: they may fill the frame.
func (c *Chart) ascending() bool {
	for _, l := range c.Lines {
		if l.Style.Mark > 0 && len(l.Points) <= fewPoints {
			return false
		}
		for i := 1; i < len(l.Points); i++ {
			if l.Points[i][0] < l.Points[i-1][0] {
				return false
			}
		}
	}
	return true
}

// guide returns the ends of the guide line: below all points where that is near,
// else below the last.
func (c *Chart) guide() (ends [2][2]float64, ok bool) {
	if c.Order == 0 || !c.LogX || !c.LogY {
		return ends, false
	}
	x0, x1, below, lowest, last := math.Inf(1), 0.0, math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if !c.visible(p) {
				continue
			}
			if p[0] > x1 {
				x1, last = p[0], math.Inf(1)
			}
			if p[0] == x1 {
				last = min(last, p[1])
			}
			x0 = min(x0, p[0])
			lowest = min(lowest, p[1])
			below = min(below, p[1]/math.Pow(p[0], c.Order))
		}
	}
	if !(x1 > x0) {
		return ends, false
	}
	const off = 0.6
	factor := off * below
	if factor*math.Pow(x0, c.Order) < lowest/10 {
		factor = off * last / math.Pow(x1, c.Order)
	}
	at := func(x float64) [2]float64 { return [2]float64{x, factor * math.Pow(x, c.Order)} }
	return [2][2]float64{at(x0), at(x1)}, true
}
