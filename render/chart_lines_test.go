package render

import (
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Rules go from side to side of the frame at their value; those outside are not drawn.
func TestRulesCrossTheFrame(t *testing.T) {
	c := limited(0, 4, -1, 1, [2]float64{0, 0}, [2]float64{4, 0})
	c.Rules = []Rule{{At: 0.5}, {Upright: true, At: 1}, {At: 1.5}, {Upright: true, At: -0.1}}
	d := drawn(&Figure{Charts: []Chart{c}})
	f := d.layout.panels[0].frame
	got := d.colored(aside.Color)
	if len(got) != 2 {
		t.Fatalf("%d rules are drawn, want 2", len(got))
	}
	level, upright := got[0].points, got[1].points
	if y := f.Min.Y + 0.75*f.Size().Y; !near(level[0].Y, y) || !near(level[1].Y, y) || !near(level[0].X, f.Min.X) || !near(level[1].X, f.Max.X) {
		t.Errorf("the level rule is %v, the frame %v", level, f)
	}
	if x := f.Min.X + 0.25*f.Size().X; !near(upright[0].X, x) || !near(upright[1].X, x) || !near(upright[0].Y, f.Min.Y) || !near(upright[1].Y, f.Max.Y) {
		t.Errorf("the upright rule is %v, the frame %v", upright, f)
	}
}

// The label of a rule is beside it, in the frame, where no line is.
func TestLabelsOfRulesKeepOffLines(t *testing.T) {
	c := limited(0, 1, 0, 1, [2]float64{0.5, 0.52}, [2]float64{1, 0.52})
	c.Rules = []Rule{{At: 0.5, Label: "bound"}}
	d := drawn(&Figure{Charts: []Chart{c}})
	f, w := d.layout.panels[0].frame, d.find(t, "bound")
	b, line := boxOf(w), f.Min.Y+0.52*f.Size().Y
	if !holds(f, b) {
		t.Errorf("the label %v is out of the frame %v", b, f)
	}
	if covers := b.Max.X > f.Min.X+f.Size().X/2 && b.Min.Y < line && b.Max.Y > line; covers {
		t.Errorf("the label %v covers the line at %v", b, line)
	}
	if rule := f.Min.Y + f.Size().Y/2; b.Min.Y-rule > 10 || rule-b.Max.Y > 10 {
		t.Errorf("the label %v is far from its rule at %v", b, rule)
	}
}

// A note has its point at its left end, its middle or its right end, and moves in from
// the edges.
func TestNotesAreAligned(t *testing.T) {
	c := limited(0, 1, 0, 1, [2]float64{0, 0}, [2]float64{1, 0})
	c.Notes = []Note{
		{At: [2]float64{0.5, 0.2}, Text: "left"}, {At: [2]float64{0.5, 0.4}, Text: "center", Align: "center"},
		{At: [2]float64{0.5, 0.6}, Text: "right", Align: "right"}, {At: [2]float64{1, 0.8}, Text: "edge"}, {At: [2]float64{2, 0.8}, Text: "outside"},
	}
	d := drawn(&Figure{Charts: []Chart{c}})
	f := d.layout.panels[0].frame
	for text, part := range map[string]vg.Length{"left": 0, "center": 0.5, "right": 1} {
		w := d.find(t, text)
		if x := w.at.X + part*textWidth(text, noteSize); !near(x, (f.Min.X+f.Max.X)/2) {
			t.Errorf("%s: its point is at %v, want the middle of %v", text, x, f)
		}
	}
	if b := boxOf(d.find(t, "edge")); !holds(f, b) {
		t.Errorf("a note at the edge takes %v of the frame %v", b, f)
	}
	for _, w := range d.texts {
		if w.text == "outside" {
			t.Error("a note outside of the frame is written")
		}
	}
}

// Lines of few points have a mark at each; bare ones have nothing else.
func TestMarksAreAtThePoints(t *testing.T) {
	c := limited(0, 1, 0, 1, [2]float64{0.1, 0.1}, [2]float64{0.5, 0.9}, [2]float64{0.9, 0.1}, [2]float64{5, 5})
	c.Lines[0].Style = Style{Mark: 1, Color: 1}
	fills := func() (n int) {
		for _, f := range drawn(&Figure{Charts: []Chart{c}}).fills {
			if f == chartColors[1] {
				n++
			}
		}
		return n
	}
	if n := fills(); n != 3 {
		t.Errorf("%d marks for three points in the frame", n)
	}
	c.Lines[0].Style.MarksOnly = true
	if n := fills(); n != 3 {
		t.Errorf("%d marks of a bare line", n)
	}
	if lines := drawn(&Figure{Charts: []Chart{c}}).colored(chartColors[1]); len(lines) != 0 {
		t.Errorf("a bare line is drawn: %v", lines)
	}
}

// Points without a line have a mark each, however many they are, also above each other.
func TestPointsAloneAllHaveTheirMarks(t *testing.T) {
	for _, n := range []int{41, 120, 3000} {
		var points [][2]float64
		for k := range n {
			points = append(points, [2]float64{0.5, (float64(k) + 0.5) / float64(n)})
		}
		c := limited(0, 1, 0, 1, points...)
		c.Lines[0].Style = Style{Mark: 1, Color: 1, MarksOnly: true}
		marks := 0
		for _, f := range drawn(&Figure{Charts: []Chart{c}}).fills {
			if f == chartColors[1] {
				marks++
			}
		}
		if marks != n {
			t.Errorf("%d marks for %d points", marks, n)
		}
	}
}

// Marks along a line of many points are at equal distances along it.
func TestMarksAlongLinesAreEvenlySpaced(t *testing.T) {
	var points [][2]float64
	for k := range 101 {
		points = append(points, [2]float64{float64(k) / 100, 0.5})
	}
	c := limited(0, 1, 0, 1, points...)
	c.Lines[0].Style.Mark = 1
	p := (&Figure{Charts: []Chart{c}}).layOut().panels[0]
	rec := &recorder.Canvas{}
	p.drawLine(vgdraw.NewCanvas(rec, 1000, 1000), &p.Lines[0], 0)
	var xs []vg.Length
	for _, a := range rec.Actions {
		if a, ok := a.(*recorder.Fill); ok {
			var x vg.Length
			for _, q := range a.Path { // of a circle: its arc's middle
				if q.Type == vg.ArcComp {
					x = q.Pos.X
				}
			}
			xs = append(xs, x)
		}
	}
	if want := int(p.frame.Size().X / markSpacing); len(xs) < want || len(xs) > want+1 {
		t.Fatalf("%d marks over %v points", len(xs), p.frame.Size().X)
	}
	for i := 1; i < len(xs); i++ {
		if !near(xs[i]-xs[i-1], markSpacing) {
			t.Errorf("marks %d and %d are %v apart", i-1, i, xs[i]-xs[i-1])
		}
	}
}

// luminance is that of WCAG 2: 0 of black, 1 of white.
func luminance(c color.NRGBA) float64 {
	l := func(x uint8) float64 { return decodeSRGB[x] }
	return 0.2126*l(c.R) + 0.7152*l(c.G) + 0.0722*l(c.B)
}

// Lines stand out from white by a contrast of 1.9 at least, and from each other.
func TestColoursOfLinesStandOut(t *testing.T) {
	for i, c := range chartColors {
		if contrast := 1.05 / (luminance(c) + 0.05); contrast < 1.9 {
			t.Errorf("colour %d has a contrast of %.2f to white", i, contrast)
		}
		for j, o := range chartColors[:i] {
			if d := max(apart(c.R, o.R), apart(c.G, o.G), apart(c.B, o.B)); d < 40 {
				t.Errorf("colours %d and %d differ by %d", i, j, d)
			}
		}
	}
}

// Numbers of colours, dashes and marks beyond the last start again.
func TestStylesRepeat(t *testing.T) {
	for k := range 20 {
		s := Style{Color: k, Dash: k, Mark: k + 1}
		again := Style{Color: k + len(chartColors), Dash: k + len(chartDashes), Mark: k + 1 + len(chartMarks)}
		a, b := s.stroke(), again.stroke()
		if a.Color != b.Color || len(a.Dashes) != len(b.Dashes) || a.Width != b.Width {
			t.Errorf("style %d is drawn as %v, a round later as %v", k, a, b)
		}
		if g, h := s.glyph(), again.glyph(); g.Shape != h.Shape || g.Radius != h.Radius {
			t.Errorf("mark %d is %v, a round later %v", k, g, h)
		}
	}
	wide := Style{Color: 3, Wide: true}.stroke()
	if g, ok := wide.Color.(color.Gray); !ok || g.Y < 128 || wide.Width <= lineWidth {
		t.Errorf("a wide line is drawn as %v", wide)
	}
}

// A thinned curve has in each column of pixels the lowest and the highest point of the
// whole curve.
func TestThinnedCurvesKeepTheirEnvelope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	run := make([]vg.Point, 20000)
	for i := range run {
		run[i] = vg.Point{X: vg.Length(i) / 400, Y: vg.Length(rng.NormFloat64() * 20)}
	}
	type span struct{ lo, hi vg.Length }
	envelope := func(points []vg.Point) map[int]span {
		m := map[int]span{}
		for _, p := range points {
			k := int(math.Floor(float64(p.X / pixel)))
			s, ok := m[k]
			if !ok {
				s = span{p.Y, p.Y}
			}
			m[k] = span{min(s.lo, p.Y), max(s.hi, p.Y)}
		}
		return m
	}
	want, got := envelope(run), envelope(thinned(append([]vg.Point(nil), run...)))
	if len(want) != len(got) {
		t.Errorf("%d columns, want %d", len(got), len(want))
	}
	for k, s := range want {
		if got[k] != s {
			t.Errorf("column %d reaches over %v, want %v", k, got[k], s)
		}
	}
	if few := thinned(run[:1999]); len(few) != 1999 {
		t.Errorf("a short curve keeps %d of 1999 points", len(few))
	}
}

// crowd counts the points within a box, and five for each mark that meets it.
func TestCrowdCountsPointsAndMarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := &panel{}
	for range 300 {
		p.room = append(p.room, vg.Point{X: vg.Length(rng.Float64()), Y: vg.Length(rng.Float64())})
	}
	p.boxes = []vg.Rectangle{boxAt(vg.Point{X: 0.4, Y: 0.4}, 0.2, 0.2), boxAt(vg.Point{X: 5, Y: 5}, 1, 1)}
	for _, c := range []struct {
		box   vg.Rectangle
		marks int
	}{{boxAt(vg.Point{}, 0.5, 0.5), 1}, {boxAt(vg.Point{X: 0.7}, 0.3, 1), 0}, {boxAt(vg.Point{X: -1, Y: -1}, 20, 20), 2}} {
		want := 5 * c.marks
		for _, q := range p.room {
			if q.X > c.box.Min.X && q.X < c.box.Max.X && q.Y > c.box.Min.Y && q.Y < c.box.Max.Y {
				want++
			}
		}
		if got := p.crowd(c.box); got != want {
			t.Errorf("%v covers %d, want %d", c.box, got, want)
		}
	}
}

// Points to avoid are at most two points of length apart along a curve.
func TestOccupiedPointsAreDense(t *testing.T) {
	p := &panel{}
	p.occupy([]vg.Point{{}, {X: 30, Y: 40}, {X: 30, Y: 41}})
	if len(p.room) < 26 {
		t.Errorf("%d points over a length of 51", len(p.room))
	}
	for i := 1; i < len(p.room); i++ {
		a, b := p.room[i-1], p.room[i]
		if d := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)); d > 2+1e-9 {
			t.Errorf("points %d and %d are %g apart", i-1, i, d)
		}
	}
	if last := p.room[len(p.room)-1]; last != (vg.Point{X: 30, Y: 41}) {
		t.Errorf("the last point is %v", last)
	}
}

// Counts have whole ticks, and a constant one a range that contains the whole numbers beside it; quantities with a unit
// do not become counts where their values happen to be whole.
func TestCountsHaveWholeTicks(t *testing.T) {
	for _, c := range []struct {
		y     []float64
		title string
		want  string
	}{
		{[]float64{1, 1, 1}, "contacts", "0 1 2"}, {[]float64{0, 0, 0}, "contacts", "0 1"}, {[]float64{0, 1, 1}, "contacts", "0 1"},
		{[]float64{1, 2, 1}, "newton iterations", "1 2"}, {[]float64{40, 40, 40}, "contacts", "36 38 40 42 44"},
		{[]float64{2, 2, 2}, "force (N)", "1.8 1.9 2.0 2.1 2.2"}, {[]float64{0, 0.5, 1}, "share", "0.0 0.2 0.4 0.6 0.8 1.0"},
	} {
		l := Line{}
		for i, y := range c.y {
			l.Points = append(l.Points, [2]float64{float64(i), y})
		}
		p := (&Figure{Width: 8.9, Height: 4.2, Charts: []Chart{{Y: c.title, Lines: []Line{l}}}}).layOut().panels[0]
		var labels []string
		for _, t := range p.axes[1].ticks {
			labels = append(labels, t.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v of %s: ticks %s, want %s", c.y, c.title, got, c.want)
		}
	}
}
