package render

import (
	"fmt"
	"io"
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
	// Note is a smaller text below the title, in as many lines as it takes; may be empty.
	Note string
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
	// Legend is the position of the legend, one of Legends; empty: auto.
	Legend string
	// Order is the slope of a guide line y ∝ x^Order, where both axes are logarithmic;
	// 0: no guide line.
	Order float64
	// Rules are straight lines across the frame.
	Rules []Rule
	// Notes are texts within the frame.
	Notes []Note
	// Cells are rectangles in the colours of a scale, below all lines; nil: none.
	Cells *Cells
}

// Line is a curve. Points that are not finite, or that a logarithmic axis cannot show,
// interrupt it.
type Line struct {
	// Name is its text in the legend; empty: it has none.
	Name string
	// Points are (x, y).
	Points [][2]float64
	// Style is the colour, dash pattern and mark of the line.
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
	// MarksOnly leaves out the line and draws marks only.
	MarksOnly bool
	// Bold draws marks large, black on white, as they are seen on the colours of a map.
	Bold bool
	// Wide draws a wide grey line, whatever the colour, as a background for other lines.
	Wide bool
}

// Key is an entry of a legend.
type Key struct {
	// Name is the text.
	Name string
	// Style is the style of the line sample beside the text.
	Style Style
	// Grey reports that the key stands for a dash pattern of any colour.
	Grey bool
	// guide reports that the key is that of the guide line.
	guide bool
}

// Rule is a straight line across a chart.
type Rule struct {
	// Upright reports that the line is vertical, at an x; else it is horizontal, at a y.
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
	// Align is the part of the text that lies at the point At: left (default), center or right.
	Align string
}

// Legends are the positions of legends. With auto a legend is placed where it hides
// the least of the lines, and axes are extended if it would hide lines everywhere.
var Legends = []string{"auto", "none", "above", "top_left", "top_right", "bottom_left", "bottom_right", "top", "bottom"}

// ChartFormats lists the extensions of the files that figures are written as.
var ChartFormats = []string{".png", ".svg", ".pdf"}

// cm is a centimetre in points.
const cm = vg.Centimeter

// Write draws the figure once into each of the files, whose extensions give the
// formats. Files are written whole or not at all. It returns an error for an unknown
// extension before it writes any file.
func (f *Figure) Write(paths ...string) error {
	// all extensions are checked before the first file is written
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
	// vector formats embed or name their fonts; pictures have 300 pixels per inch
	switch ext {
	case ".svg":
		c := vgsvg.New(w, h)
		return c, markText(func(out io.Writer) error { _, err := c.WriteTo(out); return err }, "<!-- ", " -->\n")
	case ".pdf":
		c := vgpdf.New(w, h)
		c.EmbedFonts(true)
		return c, markText(func(out io.Writer) error { _, err := c.WriteTo(out); return err }, "\n% ", "\n")
	}
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(300))
	return c, func(out io.Writer) error {
		_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&pngMarker{w: out})
		return err
	}
}

// layout is a figure with the places of its parts, in points (1/72 inch) from the lower
// left corner of the figure. With the margins of the axes around each frame, the rows of
// a figure are from top to bottom
//
//	title | shared legend | (top margin, frame, bottom margin) of each row
//
// and all frames of a figure have the same width and the same height.
type layout struct {
	fig *Figure
	// width and height are the size of the figure.
	width, height vg.Length
	// panels are the charts, row by row.
	panels []*panel
	// keys are the entries of a legend that all charts share, above them; nil: none.
	keys []Key
	// keysAt is the upper left corner of the shared legend, keysWidth its width.
	keysAt    vg.Point
	keysWidth vg.Length
	// note are the lines of the note, from noteAt down, measured from the upper edge.
	note   []string
	noteAt vg.Length
}

// panel is a chart with its axes and the place of its frame.
type panel struct {
	*Chart
	// axes are those of x and y.
	axes [2]axis
	// frame is the rectangle between the axes, which lines are clipped to.
	frame vg.Rectangle
	// keys are the entries of its own legend; nil: it has none, or shares one.
	keys []Key
	// above reports that the legend stands above the frame.
	above bool
	// letter is (a), (b), …; may be empty.
	letter string
	// showX and showY say that it has its own labels and title of the axis, not those of
	// the chart below it or left of it.
	showX, showY bool
	// room are points on lines, at most 2 apart, and boxes are the boxes of marks and of
	// texts: other texts keep off both.
	room  []vg.Point
	boxes []vg.Rectangle
}

// Gaps between parts of a figure, points.
const (
	// margin is that around the figure.
	margin = vg.Length(3)
	// tickLen is the length of a labelled tick, tickGap the gap between it and its label.
	tickLen = vg.Length(2.5)
	tickGap = vg.Length(2)
	// labelGap is the gap between labels of the y axis and its title.
	labelGap = vg.Length(2.5)
)

// layOut chooses limits, legends and frames. Frames are placed twice where a legend
// makes an axis longer, because its ticks then change the margins.
func (f *Figure) layOut() *layout {
	// the size of the grid and of the figure, where it is not given
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
	// each chart with the parts that it shows itself
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
	// limits first, then frames, then legends, which may lengthen axes
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
	left, w, right, gap := l.widths(columns, height)
	// heights are summed from the top, y is measured up from the bottom
	y := -margin
	// the title and the shared legend
	if l.fig.Title != "" {
		y -= lineHeight(titleSize) + 2
	}
	l.note = nil
	if l.fig.Note != "" {
		l.note = wrapped(l.fig.Note, noteSize, l.width-2*margin)
		l.noteAt = y
		y -= vg.Length(len(l.note))*lineHeight(noteSize) + 2
	}
	if l.keys != nil {
		l.keysWidth = l.width - 2*margin
		l.keysAt = vg.Point{X: margin, Y: y}
		y -= keysHeight(l.keys, l.keysWidth) + 2
	}
	// rows of charts: the largest margins of a row apply to all of its charts
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
	// the height is known now: measure from the bottom
	l.height = -y + margin
	for _, p := range l.panels {
		p.frame.Min.Y += l.height
		p.frame.Max.Y += l.height
		p.survey()
	}
	l.keysAt.Y += l.height
}

// widths chooses the ticks of all axes and returns the left margin of each column, the width of
// frames, the margin right of them, and the gap between columns.
func (l *layout) widths(columns int, height vg.Length) (left []vg.Length, w, right, gap vg.Length) {
	// ticks need about the size of frames, and frames the width of tick labels
	guess := l.width/vg.Length(columns) - 40
	left = make([]vg.Length, columns)
	for i, p := range l.panels {
		p.axes[0].mark(guess, false)
		p.axes[1].mark(height, true)
		left[i%columns] = max(left[i%columns], p.leftMargin())
	}
	// The width that margins and gaps leave is shared evenly by the columns.
	if columns > 1 {
		gap = 8
	}
	sum := vg.Length(0)
	for _, w := range left {
		sum += w
	}
	right = l.rightMargin()
	w = (l.width - 2*margin - sum - vg.Length(columns-1)*(gap+right) - right) / vg.Length(columns)
	return left, max(w, 20), right, gap
}

// shareKeys takes the legend out of the charts where it is the same in all.
func (l *layout) shareKeys() {
	if len(l.panels) < 2 || len(l.panels[0].keys) == 0 {
		return
	}
	// only charts without a legend of their own choice take part
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
	// the extent of each chart on both of its axes
	for _, p := range l.panels {
		p.axes[0] = axis{log: p.LogX, label: AxisTitle(p.X)}
		p.axes[1] = axis{log: p.LogY, label: AxisTitle(p.Y)}
		for k := range 2 {
			p.axes[k].lo, p.axes[k].hi = p.extent(k)
		}
		p.axes[1].counts = p.counts()
	}
	// columns share x, rows share y
	if l.fig.ShareX {
		l.join(0, func(i, j int) bool { return i%columns == j%columns })
	}
	if l.fig.ShareY {
		l.join(1, func(i, j int) bool { return i/columns == j/columns })
	}
	// limits with room; lines over time fill the frame from side to side
	for _, p := range l.panels {
		for k := range 2 {
			p.axes[k].settle(p.Min[k], p.Max[k], k == 0 && p.ascending())
		}
	}
}

// join gives axis k of each chart the union of the limits of the charts that share it.
func (l *layout) join(k int, same func(i, j int) bool) {
	for i, p := range l.panels {
		for j, q := range l.panels {
			if same(i, j) {
				p.axes[k].lo, p.axes[k].hi = min(p.axes[k].lo, q.axes[k].lo), max(p.axes[k].hi, q.axes[k].hi)
			}
		}
	}
}
