package render

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// stroked is a curve on the canvas with its pen.
type stroked struct {
	pen    vgdraw.LineStyle
	points []vg.Point
}

// written is a piece of text on the canvas. turned reports that it runs upwards.
type written struct {
	text   string
	at     vg.Point // left end of its base line
	size   vg.Length
	turned bool
}

// drawing records what a figure draws, in order.
type drawing struct {
	layout  *layout
	strokes []stroked
	texts   []written
	fills   []color.Color
}

// drawn draws a figure on a recording canvas.
func drawn(f *Figure) *drawing {
	d := &drawing{layout: f.layOut()}
	rec := &recorder.Canvas{}
	d.layout.draw(vgdraw.NewCanvas(rec, d.layout.width, d.layout.height))
	var pen vgdraw.LineStyle
	var origin vg.Point
	turned := false
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			pen.Color = a.Color
		case *recorder.SetLineWidth:
			pen.Width = a.Width
		case *recorder.SetLineDash:
			pen.Dashes = a.Dashes
		case *recorder.Translate:
			origin = a.Point
		case *recorder.Rotate:
			turned = true
		case *recorder.Pop:
			origin, turned = vg.Point{}, false
		case *recorder.Fill:
			d.fills = append(d.fills, pen.Color)
		case *recorder.Stroke:
			s := stroked{pen: pen}
			for _, c := range a.Path {
				if c.Type == vg.MoveComp || c.Type == vg.LineComp {
					s.points = append(s.points, c.Pos)
				}
			}
			d.strokes = append(d.strokes, s)
		case *recorder.FillString:
			at := a.Point
			if turned {
				at = vg.Point{X: -a.Point.Y, Y: a.Point.X}
			}
			d.texts = append(d.texts, written{a.String, at.Add(origin), a.Size, turned})
		}
	}
	return d
}

// colored returns the strokes of a colour, as lines in the chart have.
func (d *drawing) colored(c color.Color) (out []stroked) {
	for _, s := range d.strokes {
		if s.pen.Color == c {
			out = append(out, s)
		}
	}
	return out
}

// find returns the only text that reads s.
func (d *drawing) find(t *testing.T, s string) written {
	t.Helper()
	var found []written
	for _, w := range d.texts {
		if w.text == s {
			found = append(found, w)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d texts %q", len(found), s)
	}
	return found[0]
}

// near reports whether two lengths are equal to a thousandth of a point.
func near(a, b vg.Length) bool { return math.Abs(float64(a-b)) < 1e-3 }

// limited is a chart with limits.
func limited(x0, x1, y0, y1 float64, points ...[2]float64) Chart {
	return Chart{X: "t (s)", Y: "F (N)", Min: [2]*float64{&x0, &y0}, Max: [2]*float64{&x1, &y1}, Lines: []Line{{Points: points}}}
}

// A line over linear axes goes through the points of the frame that proportion gives.
func TestLinesAreDrawnWhereTheDataAre(t *testing.T) {
	d := drawn(&Figure{Charts: []Chart{limited(-1, 3, 0, 10, [2]float64{-1, 5}, [2]float64{0, 10}, [2]float64{3, 2.5})}})
	f := d.layout.panels[0].frame
	lines := d.colored(chartColors[0])
	if len(lines) != 1 || len(lines[0].points) != 3 {
		t.Fatalf("strokes %v", lines)
	}
	for i, want := range [][2]vg.Length{{0, 0.5}, {0.25, 1}, {1, 0.25}} {
		p := lines[0].points[i]
		if !near(p.X, f.Min.X+want[0]*f.Size().X) || !near(p.Y, f.Min.Y+want[1]*f.Size().Y) {
			t.Errorf("point %d at %v, want %v of the frame %v", i, p, want, f)
		}
	}
}

// Over logarithmic axes the ratios count.
func TestLinesOverLogarithmicAxesAreDrawnByRatios(t *testing.T) {
	c := limited(1, 100, 1e-3, 1, [2]float64{1, 1e-3}, [2]float64{10, 1e-2}, [2]float64{100, 1})
	c.LogX, c.LogY = true, true
	d := drawn(&Figure{Charts: []Chart{c}})
	f := d.layout.panels[0].frame
	points := d.colored(chartColors[0])[0].points
	for i, want := range [][2]vg.Length{{0, 0}, {0.5, 1. / 3}, {1, 1}} {
		if p := points[i]; !near(p.X, f.Min.X+want[0]*f.Size().X) || !near(p.Y, f.Min.Y+want[1]*f.Size().Y) {
			t.Errorf("point %d at %v, want %v of the frame %v", i, p, want, f)
		}
	}
}

// A line beyond the limits ends at the frame, where it crosses the limit.
func TestLinesAreClippedAtTheFrame(t *testing.T) {
	d := drawn(&Figure{Charts: []Chart{limited(0, 1, 0, 1, [2]float64{-1, -1}, [2]float64{2, 2})}})
	f := d.layout.panels[0].frame
	points := d.colored(chartColors[0])[0].points
	first, last := points[0], points[len(points)-1]
	if !near(first.X, f.Min.X) || !near(first.Y, f.Min.Y) || !near(last.X, f.Max.X) || !near(last.Y, f.Max.Y) {
		t.Errorf("the diagonal goes from %v to %v, the frame is %v", first, last, f)
	}
	d = drawn(&Figure{Charts: []Chart{limited(0, 1, 0, 1, [2]float64{-1, 7}, [2]float64{2, 7})}})
	if lines := d.colored(chartColors[0]); len(lines) != 0 {
		t.Errorf("a line outside of the frame is drawn: %v", lines)
	}
}

// Points that are not finite interrupt a line, and so do those that a logarithmic axis
// cannot show.
func TestGapsInterruptLines(t *testing.T) {
	points := [][2]float64{{1, 1}, {2, 2}, {3, math.NaN()}, {4, 1}, {5, 3}, {6, -1}, {7, 2}, {8, 2}}
	for log, want := range map[bool]int{false: 2, true: 3} {
		c := Chart{LogY: log, Lines: []Line{{Points: points}}}
		if lines := drawn(&Figure{Charts: []Chart{c}}).colored(chartColors[0]); len(lines) != want {
			t.Errorf("logarithmic %t: %d pieces, want %d", log, len(lines), want)
		}
	}
}

// Below each label of the x axis, and left of each of the y axis, is a tick at its value.
func TestLabelsOfTicksStandAtTheirValues(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := limited(1, 1000, 2, 50, [2]float64{1, 2}, [2]float64{1000, 50})
		c.LogX = log
		d := drawn(&Figure{Charts: []Chart{c}})
		p := d.layout.panels[0]
		f := p.frame
		ends := map[[2]int]bool{} // ticks' inner ends, in thousandths of a point
		key := func(q vg.Point) [2]int {
			return [2]int{int(math.Round(float64(q.X) * 1e3)), int(math.Round(float64(q.Y) * 1e3))}
		}
		for _, s := range d.strokes {
			if len(s.points) == 2 && s.pen.Color == chartInk {
				ends[key(s.points[0])] = true
			}
		}
		x := func(v float64) vg.Length {
			u := (v - 1) / 999
			if log {
				u = math.Log10(v) / 3
			}
			return f.Min.X + vg.Length(u)*f.Size().X
		}
		for _, k := range p.axes[0].ticks {
			at := vg.Point{X: x(k.at), Y: f.Min.Y}
			if !ends[key(at)] {
				t.Errorf("no tick at x = %g", k.at)
			}
			if k.label == "" || log {
				continue
			}
			if w := d.find(t, k.label); !near(w.at.X+textWidth(k.label, tickSize)/2, at.X) || w.at.Y > f.Min.Y-tickLen {
				t.Errorf("the label %s is at %v, its tick at %v", k.label, w.at, at)
			}
		}
		for _, k := range p.axes[1].ticks {
			at := vg.Point{X: f.Min.X, Y: f.Min.Y + vg.Length((k.at-2)/48)*f.Size().Y}
			if !ends[key(at)] {
				t.Errorf("no tick at y = %g", k.at)
			}
		}
	}
}

// boxOf is the box of a text, from its base line to the height of capitals.
func boxOf(w written) vg.Rectangle {
	width, height := textWidth(w.text, w.size), capHeight(w.size)
	if w.turned {
		return vg.Rectangle{Min: vg.Point{X: w.at.X - height, Y: w.at.Y}, Max: vg.Point{X: w.at.X, Y: w.at.Y + width}}
	}
	return boxAt(w.at, width, height)
}

// All texts of a figure are within it and cover neither each other nor a frame's inside,
// but for the legends and notes there.
func TestTextsOfFiguresDoNotOverlap(t *testing.T) {
	for _, columns := range []int{1, 2} {
		for _, share := range []bool{false, true} {
			f := &Figure{Title: "All charts", Columns: columns, ShareX: share, ShareY: share, Letters: true}
			for k := range 4 {
				c := limited(0, 1e-4, -1000, 3000*float64(k+1), [2]float64{0, 0}, [2]float64{1e-4, 3000})
				c.Title = "chart"
				f.Charts = append(f.Charts, c)
			}
			d := drawn(f)
			for i, w := range d.texts {
				b := boxOf(w)
				if b.Min.X < 0 || b.Min.Y < 0 || b.Max.X > d.layout.width || b.Max.Y > d.layout.height {
					t.Errorf("%d columns: %q is outside of the figure: %v", columns, w.text, b)
				}
				for _, v := range d.texts[:i] {
					a := boxOf(v)
					const touch = 0.5 // raised text is close to what it follows
					if a.Min.X < b.Max.X-touch && b.Min.X < a.Max.X-touch && a.Min.Y < b.Max.Y-touch && b.Min.Y < a.Max.Y-touch {
						t.Errorf("%d columns: %q and %q overlap", columns, v.text, w.text)
					}
				}
				for k, p := range d.layout.panels {
					if b.Max.X > p.frame.Min.X && b.Min.X < p.frame.Max.X && b.Max.Y > p.frame.Min.Y && b.Min.Y < p.frame.Max.Y {
						t.Errorf("%d columns: %q is in frame %d", columns, w.text, k)
					}
				}
			}
		}
	}
}

// Titles of axes are centred along their frames; that of y runs upwards.
func TestTitlesOfAxesAreCentred(t *testing.T) {
	d := drawn(&Figure{Charts: []Chart{limited(0, 1, 0, 1, [2]float64{0, 0}, [2]float64{1, 1})}})
	f := d.layout.panels[0].frame
	x, y := d.find(t, "t (s)"), d.find(t, "F (N)")
	if !near(x.at.X+textWidth(x.text, textSize)/2, (f.Min.X+f.Max.X)/2) || x.turned || x.at.Y > f.Min.Y {
		t.Errorf("the title of x is at %v, the frame is %v", x.at, f)
	}
	if !near(y.at.Y+textWidth(y.text, textSize)/2, (f.Min.Y+f.Max.Y)/2) || !y.turned || y.at.X > f.Min.X {
		t.Errorf("the title of y is at %v, the frame is %v", y.at, f)
	}
}

// A power of ten that the labels leave out stands in the title, before the unit.
func TestTitlesTakeThePowerOfTenOfTheLabels(t *testing.T) {
	for label, want := range map[string]string{
		"force (N)": "force (10^{3} N)", "count": "count (10^{3})", "": "(10^{3})", "f (x) of y": "f (x) of y (10^{3})",
	} {
		a := axis{label: label, factor: "10^{3}"}
		if got := a.text(); got != want {
			t.Errorf("%q with a factor is %q, want %q", label, got, want)
		}
		if a.factor = ""; a.text() != label {
			t.Errorf("%q without a factor is %q", label, a.text())
		}
	}
}

// A legend that is given a place stands in that corner of the frame, or in the middle.
func TestLegendsStandWhereTheyAreAskedFor(t *testing.T) {
	for _, place := range Legends[3:] {
		c := limited(0, 1, 0, 1, [2]float64{0, 0}, [2]float64{1, 1})
		c.Legend, c.Lines[0].Name = place, "first"
		c.Lines = append(c.Lines, Line{Name: "second", Style: Style{Color: 1}, Points: [][2]float64{{0, 1}, {1, 0}}})
		d := drawn(&Figure{Charts: []Chart{c}})
		f := d.layout.panels[0].frame
		first, second := d.find(t, "first"), d.find(t, "second")
		if !(first.at.Y > second.at.Y) || !near(first.at.X, second.at.X) {
			t.Errorf("%s: the entries are at %v and %v", place, first.at, second.at)
		}
		left, top := boxOf(first).Min.X-sampleGap-sampleWidth, boxOf(first).Max.Y
		right, bottom := boxOf(second).Max.X, boxOf(second).Min.Y
		size := f.Size()
		for side, gap := range map[string]vg.Length{"left": left - f.Min.X, "right": f.Max.X - right, "top": f.Max.Y - top, "bottom": bottom - f.Min.Y} {
			if gap < 0 {
				t.Errorf("%s: the legend stands out at the %s", place, side)
			}
			if strings.Contains(place, side) && gap > 0.1*max(size.X, size.Y) {
				t.Errorf("%s: the gap at the %s is %v", place, side, gap)
			}
		}
		if !strings.Contains(place, "_") && math.Abs(float64((left+right)/2-(f.Min.X+f.Max.X)/2)) > 5 {
			t.Errorf("%s: the legend's middle is at %v, that of the frame at %v", place, (left+right)/2, (f.Min.X+f.Max.X)/2)
		}
	}
}

// Above the frame means above it, and none means nowhere.
func TestLegendsAboveAndNone(t *testing.T) {
	c := limited(0, 1, 0, 1, [2]float64{0, 0}, [2]float64{1, 1})
	c.Lines[0].Name, c.Legend = "first", "above"
	c.Lines = append(c.Lines, Line{Name: "second", Style: Style{Color: 1}})
	d := drawn(&Figure{Charts: []Chart{c}})
	if w := d.find(t, "second"); w.at.Y < d.layout.panels[0].frame.Max.Y {
		t.Errorf("the entry is at %v, below the top of the frame", w.at)
	}
	c.Legend = "none"
	for _, w := range drawn(&Figure{Charts: []Chart{c}}).texts {
		if w.text == "first" || w.text == "second" {
			t.Errorf("an entry %q", w.text)
		}
	}
}

// Samples in the legend have the pens of their lines.
func TestSamplesOfTheLegendHaveThePenOfTheLine(t *testing.T) {
	c := limited(0, 1, 0, 1, [2]float64{0, 0}, [2]float64{1, 1})
	c.Lines[0].Name = "a"
	c.Lines = append(c.Lines, Line{Name: "b", Style: Style{Color: 2, Dash: 3}, Points: [][2]float64{{0, 1}, {1, 0}}})
	d := drawn(&Figure{Charts: []Chart{c}})
	got := d.colored(chartColors[2])
	if len(got) != 2 || !slices.Equal(got[0].pen.Dashes, chartDashes[3]) || !slices.Equal(got[1].pen.Dashes, chartDashes[3]) || got[0].pen.Width != got[1].pen.Width {
		t.Errorf("line and sample: %v", got)
	}
	if l := got[1].points[1].X - got[1].points[0].X; !near(l, sampleWidth) {
		t.Errorf("the sample is %v long", l)
	}
}
