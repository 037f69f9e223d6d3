package render

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"curlfree/internal/whole"
	"curlfree/record"
)

// Series is one column of a table over time.
type Series struct {
	Name string
	T, Y []float64
}

// Columns picks columns of a table by name, all but the time for none. An unknown
// name is an error that names the nearest.
func Columns(t *record.Table, names []string) ([]Series, error) {
	time := t.Column("time_s")
	if time == nil {
		return nil, fmt.Errorf("the table has no column time_s")
	}
	var known []string
	for _, c := range t.Columns {
		if c != "time_s" {
			known = append(known, c)
		}
	}
	if len(names) == 0 {
		names = known
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is nothing to plot: the table has no column but the time")
	}
	var out []Series
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no column %q%s", n, record.Suggest(n, known))
		}
		out = append(out, Series{n, time, t.Column(n)})
	}
	return out, nil
}

// units of columns by what their names end in, longest first.
var units = []struct{ suffix, unit, quantity string }{
	{"_rad_per_s", "rad/s", "angular velocity"}, {"_m_per_s", "m/s", "velocity"}, {"_m_s", "m/s", "velocity"},
	{"_rad_s", "rad/s", "angular velocity"}, {"_deg", "°", "angle"}, {"_rad", "rad", "angle"},
	{"_Nm", "N m", "torque"}, {"_N_m", "N m", "torque"}, {"_Ns", "N s", "impulse"}, {"_kPa", "kPa", "stress"},
	{"_MPa", "MPa", "stress"}, {"_Pa", "Pa", "stress"}, {"_mm", "mm", "length"}, {"_ms", "ms", "time"},
	{"_N", "N", "force"}, {"_J", "J", "energy"}, {"_W", "W", "power"}, {"_kg", "kg", "mass"}, {"_Hz", "Hz", "frequency"},
	{"_m2", "m²", "area"}, {"_m", "m", "length"}, {"_s", "s", "time"},
	{"_x", "m", "position"}, {"_y", "m", "position"}, {"_z", "m", "position"}, {"_slip", "m", "slip"},
}

// unitOf reads the unit and the quantity off a column's name; both are empty for
// a plain number.
func unitOf(name string) (unit, quantity string) {
	for _, u := range units {
		if strings.HasSuffix(name, u.suffix) || name == u.suffix[1:] {
			return u.unit, u.quantity
		}
	}
	return "", ""
}

// chartColors are told apart by all kinds of eyes, on screen and in print (Okabe
// and Ito, 2008; the yellow, too pale for lines, left out).
var chartColors = []color.NRGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {230, 159, 0, 255}, {60, 60, 60, 255},
}

// ChartFormats lists the endings of files that Chart can write.
var ChartFormats = []string{".png", ".svg", ".pdf"}

// Chart draws series over time into a file of one of ChartFormats: a panel for
// each unit, one below the other, as wide as a column of a paper. The title may
// be empty.
func Chart(path, title string, series []Series) error {
	ext := strings.ToLower(filepath.Ext(path))
	if !slices.Contains(ChartFormats, ext) {
		return fmt.Errorf("%s: charts are written as %s", path, strings.Join(ChartFormats, ", "))
	}
	var order []string
	panels := map[string][]Series{}
	for _, s := range series {
		u, _ := unitOf(s.Name)
		if panels[u] == nil {
			order = append(order, u)
		}
		panels[u] = append(panels[u], s)
	}
	plots := make([][]*plot.Plot, len(order))
	var heights []vg.Length
	total := vg.Length(0)
	for i, u := range order {
		p, err := panel(u, panels[u])
		if err != nil {
			return err
		}
		if i == 0 {
			p.Title.Text = title
		}
		if i == len(order)-1 {
			p.X.Label.Text = "time, s"
		}
		plots[i] = []*plot.Plot{p}
		h := 1.55*vg.Inch + vg.Length(max(0, len(panels[u])-8))*9
		heights = append(heights, h)
		total += h
	}
	const width = 3.5 * vg.Inch
	total += 0.35 * vg.Inch
	canvas, write := newCanvas(ext, width, total)
	stack(vgdraw.New(canvas), plots, heights)
	return whole.Write(path, write)
}

// stack draws the plots one below the other with their time axes aligned.
func stack(dc vgdraw.Canvas, plots [][]*plot.Plot, heights []vg.Length) {
	dc = vgdraw.Crop(dc, 4, -6, 4, -5)
	room, sum := dc.Max.Y-dc.Min.Y, vg.Length(0)
	for _, h := range heights {
		sum += h
	}
	// gonum aligns tiles of equal size; panels differ only when legends are long
	tiles := vgdraw.Tiles{Rows: len(plots), Cols: 1, PadY: 7}
	canvases := plot.Align(plots, tiles, dc)
	top := dc.Max.Y
	for i := range plots {
		c := canvases[i][0]
		h := heights[i] / sum * room
		c.Max.Y, c.Min.Y = top, top-h+7
		top -= h
		plots[i][0].Draw(c)
	}
}

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

// styled returns an empty plot in the style of all charts.
func styled() *plot.Plot {
	p := plot.New()
	sans := func(f *font.Font, size vg.Length) {
		*f = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	}
	sans(&p.Title.TextStyle.Font, 9)
	sans(&p.X.Label.TextStyle.Font, 8)
	sans(&p.Y.Label.TextStyle.Font, 8)
	sans(&p.X.Tick.Label.Font, 7)
	sans(&p.Y.Tick.Label.Font, 7)
	sans(&p.Legend.TextStyle.Font, 7)
	p.X.Padding, p.Y.Padding = 0, 0
	p.Y.Label.Padding = 2
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Width, a.Tick.LineStyle.Width, a.Tick.Length = 0.5, 0.5, 3
	}
	p.Title.Padding = 3
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{228}, color.Gray{228}
	grid.Horizontal.Width, grid.Vertical.Width = 0.4, 0.4
	p.Add(grid)
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = 14
	p.Legend.Padding, p.Legend.XOffs = 1.5, -4
	return p
}

// panel plots series of one unit.
func panel(unit string, series []Series) (*plot.Plot, error) {
	p := styled()
	factor, shown := prefixed(unit, series)
	quantities := map[string]bool{}
	for i, s := range series {
		_, q := unitOf(s.Name)
		quantities[q] = true
		// runs of finite numbers: a gap where there is none
		first := true
		for _, run := range finiteRuns(s, factor) {
			line, err := plotter.NewLine(run)
			if err != nil {
				return nil, err
			}
			line.Color, line.Width = chartColors[i%len(chartColors)], 1
			if k := i / len(chartColors); k > 0 {
				line.Dashes = []vg.Length{vg.Length(4 / k), 1.5}
			}
			p.Add(line)
			if first && len(series) > 1 {
				p.Legend.Add(bare(s.Name), line)
			}
			first = false
		}
	}
	q := "value"
	if len(series) == 1 {
		q = bare(series[0].Name)
	} else if len(quantities) == 1 {
		for k := range quantities {
			if k != "" {
				q = k
			}
		}
	}
	p.Y.Label.Text = q
	if unit != "" {
		p.Y.Label.Text += ", " + shown
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticker(6), ticker(4)
	margins(p, series)
	return p, nil
}

// bare is a column's name without the unit that it ends in.
func bare(name string) string {
	for _, u := range units {
		if s, ok := strings.CutSuffix(name, u.suffix); ok && s != "" && strings.Contains(u.suffix, u.unit) {
			return s
		}
	}
	return name
}

// prefixed chooses the unit that a panel shows: with a prefix where numbers would
// have many digits.
func prefixed(unit string, series []Series) (factor float64, name string) {
	top := 0.0
	for _, s := range series {
		for _, y := range s.Y {
			if a := math.Abs(y); a < math.MaxFloat64 {
				top = max(top, a)
			}
		}
	}
	switch unit {
	case "m", "Pa", "N", "J", "W":
		if top > 0 && (top >= 1e4 || top < 0.05) {
			return scaleOf(top, unit)
		}
	}
	return 1, unit
}

// ticker marks about so many round numbers, with the digits that tell them apart.
type ticker int

// Ticks implements plot.Ticker.
func (n ticker) Ticks(lo, hi float64) []plot.Tick {
	step := roundStep((hi - lo) / float64(n))
	digits := decimals(step)
	var out []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step && len(out) < 100; k++ {
		x := k * step
		label := strconv.FormatFloat(x+0, 'f', digits, 64)
		if a := max(math.Abs(lo), math.Abs(hi)); a >= 1e6 || a < 1e-4 {
			label = strconv.FormatFloat(x, 'g', 6, 64)
		}
		out = append(out, plot.Tick{Value: x, Label: label})
	}
	return out
}

// margins gives lines room above and below, and constants a scale; the legend
// gets its lines' height on top.
func margins(p *plot.Plot, series []Series) {
	lo, hi := p.Y.Min, p.Y.Max
	if !(hi >= lo) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		lo, hi = 0, 1
	}
	if hi-lo < 1e-9*max(math.Abs(lo), math.Abs(hi)) || lo == hi {
		d := math.Abs(hi) * 0.1
		if d == 0 {
			d = 1
		}
		lo, hi = lo-d, hi+d
	}
	pad := 0.06 * (hi - lo)
	p.Y.Min, p.Y.Max = lo-pad, hi+pad
	if n := len(series); n > 1 {
		p.Y.Max += float64(min(n, 8)) * 0.09 * (hi - lo)
	}
	if !(p.X.Max > p.X.Min) {
		p.X.Min, p.X.Max = p.X.Min-0.5, p.X.Min+0.5
		if math.IsInf(p.X.Min, 0) || math.IsNaN(p.X.Min) {
			p.X.Min, p.X.Max = 0, 1
		}
	}
}

// finiteRuns cuts a series where it has no finite number, and shows it in a unit.
func finiteRuns(s Series, factor float64) []plotter.XYs {
	var runs []plotter.XYs
	var run plotter.XYs
	for i, y := range s.Y {
		if t := s.T[i]; !math.IsNaN(y-y) && !math.IsNaN(t-t) {
			run = append(run, plotter.XY{X: t, Y: y / factor})
			continue
		}
		if run != nil {
			runs, run = append(runs, run), nil
		}
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}
