package render

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestUnitsAreReadOffNames(t *testing.T) {
	for name, want := range map[string]string{
		"grip_left_N": "N", "max_von_mises_Pa": "Pa", "part_z": "m", "part_slip": "m", "kinetic_J": "J", "wall_ms": "ms",
		"penetration_m": "m", "joint_rad": "rad", "tip_m_per_s": "m/s", "contacts": "", "spin_rad_s": "rad/s", "lifted": "", "z": "m",
	} {
		if got, _ := Unit(name); got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
	if TrimUnit("grip_left_N") != "grip_left" || TrimUnit("part_z") != "part_z" || TrimUnit("contacts") != "contacts" {
		t.Error("names without their units")
	}
}

// Titles of axes have one style, quantity (unit), however they are given.
func TestAxisTitlesHaveOneStyle(t *testing.T) {
	for label, want := range map[string]string{
		"t, s": "t (s)", "force, N": "force (N)", "t (s)": "t (s)", "stiffness, N/m": "stiffness (N/m)", "": "",
		"creep, slow, µm/s": "creep, slow (µm/s)", "error of (x, z, θ)": "error of (x, z, θ)", "x, y": "x, y", "a, b, Pa/m": "a, b (Pa/m)",
	} {
		if got := AxisTitle(label); got != want {
			t.Errorf("%q becomes %q, want %q", label, got, want)
		}
	}
	f := Figure{Charts: []Chart{{X: "t, s", Y: "force, N", Lines: []Line{{Points: [][2]float64{{0, 1}, {1, 2}}}}}}}
	if l := f.layOut(); l.panels[0].axes[0].text() != "t (s)" || l.panels[0].axes[1].text() != "force (N)" {
		t.Errorf("axes %q and %q", l.panels[0].axes[0].text(), l.panels[0].axes[1].text())
	}
}

func TestUnitsAreConverted(t *testing.T) {
	for _, c := range []struct {
		column, unit string
		factor       float64
		shown        string
	}{
		{"rise_m", "mm", 1e3, "mm"}, {"block_x", "um", 1e6, "µm"}, {"slip", "mm/s", 1e3, "mm/s"}, {"wall_ms", "s", 1e-3, "s"},
		{"time_s", "ms", 1e3, "ms"}, {"joint_rad", "deg", 180 / math.Pi, "°"}, {"peak_kPa", "MPa", 1e-3, "MPa"},
	} {
		f, shown, err := Convert(c.column, c.unit)
		if err != nil || math.Abs(f-c.factor) > 1e-12*c.factor || shown != c.shown {
			t.Errorf("%s in %s: factor %v, %q, %v", c.column, c.unit, f, shown, err)
		}
	}
	if _, _, err := Convert("grip_N", "mm"); err == nil || !strings.Contains(err.Error(), "grip_N is in N") {
		t.Errorf("newtons in millimetres: %v", err)
	}
	if _, _, err := Convert("slip", "mmm"); err == nil || !strings.Contains(err.Error(), `did you mean "mm"`) {
		t.Errorf("an unknown unit: %v", err)
	}
}

// wave is a line of n points of a sine.
func wave(name string, n int, s Style) Line {
	l := Line{Name: name, Style: s}
	for i := range n {
		x := float64(i) / float64(n-1)
		l.Points = append(l.Points, [2]float64{x, math.Sin(9 * x)})
	}
	return l
}

func TestFiguresAreWrittenInEveryFormat(t *testing.T) {
	lines := []Line{wave("left", 50, Style{}), wave("right", 50, Style{Color: 1, Dash: 1})}
	lines[0].Points[7][1], lines[0].Points[8][1] = math.NaN(), math.Inf(1)
	f := &Figure{Title: "a title", Letters: true, Charts: []Chart{
		{X: "time (s)", Y: "force (N)", Lines: lines, Rules: []Rule{{At: 0.5, Label: "a bound"}}, Notes: []Note{{At: [2]float64{0.5, 0}, Text: "here"}}},
		{X: "time (s)", Y: "peak (kPa)", Lines: lines[:1]},
	}}
	dir := t.TempDir()
	for _, ext := range ChartFormats {
		path := filepath.Join(dir, "a"+ext)
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch ext {
		case ".png":
			img, err := png.Decode(bytes.NewReader(b))
			// 8.6 cm at 300 points per inch
			if err != nil || img.Bounds().Dx() != 1016 {
				t.Errorf("png: %v, %v", err, img.Bounds())
			}
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(b))
			for err == nil {
				_, err = d.Token()
			}
			if err != io.EOF {
				t.Errorf("svg: %v", err)
			}
			for _, s := range []string{"time (s)", "left", "force (N)", "peak (kPa)", "a title", "(b)", "a bound", "here", "−1"} {
				if !bytes.Contains(b, []byte(s)) {
					t.Errorf("svg: no text %q", s)
				}
			}
		case ".pdf":
			if !bytes.HasPrefix(b, []byte("%PDF")) {
				t.Error("pdf: no header")
			}
		}
	}
	if err := f.Write(filepath.Join(dir, "a.bmp")); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("an unknown ending: %v", err)
	}
}

// Constants, single points and lines without a finite number have a chart too, on
// both kinds of axes.
func TestChartsOfDegenerateLines(t *testing.T) {
	nan, zero, ten := math.NaN(), 0.0, 10.0
	for i, points := range [][][2]float64{
		{{0, 0}, {1, 0}}, {{0, 5}}, {{0, nan}, {1, nan}}, {{1, 1e300}, {2, -1e300}}, {{0, 1e-12}, {1, 2e-12}}, nil,
		{{1, 1}, {1, 1}}, {{math.Inf(-1), 2}, {3, 4}}, {{1e-320, 1}, {1e308, 2}},
	} {
		for _, log := range []bool{false, true} {
			f := &Figure{Charts: []Chart{
				{LogX: log, LogY: log, Order: 1, Lines: []Line{{Name: "a", Points: points, Style: Style{Mark: 1}}}},
				{LogX: log, LogY: log, Min: [2]*float64{&ten, &zero}, Max: [2]*float64{&zero, nil}, Lines: []Line{{Points: points}}},
			}}
			if err := f.Write(filepath.Join(t.TempDir(), "a.svg")); err != nil {
				t.Errorf("case %d: %v", i, err)
			}
		}
	}
}

func labels(a *axis) string {
	var out []string
	for _, t := range a.ticks {
		if t.label != "" {
			out = append(out, t.label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicksAreRoundAndDecadesLabelled(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		want   string
		factor string
	}{
		{0, 2, false, "0.0 0.5 1.0 1.5 2.0", ""},
		{-1, 1, false, "−1.0 −0.5 0.0 0.5 1.0", ""},
		{0, 3e-4, false, "0 50 100 150 200 250 300", "10^{−6}"},
		{2e-3, 5e-2, true, "10^{−3} 10^{−2} 10^{−1}", ""},
		{1e-4, 1e-1, true, "10^{−4} 10^{−3} 10^{−2} 10^{−1}", ""},
		{1, 1e12, true, "10^{0} 10^{3} 10^{6} 10^{9} 10^{12}", ""},
		{1.1, 1.9, true, "10^{0} 2×10^{0}", ""},
	} {
		a := axis{lo: c.lo, hi: c.hi, log: c.log}
		a.settle(nil, nil, true)
		a.mark(150, false)
		if got := labels(&a); got != c.want || a.factor != c.factor {
			t.Errorf("%g to %g: %s %q, want %s", c.lo, c.hi, got, a.factor, c.want)
		}
		if !a.fits(150, false) {
			t.Errorf("%g to %g: labels touch", c.lo, c.hi)
		}
	}
}

func TestTextIsRaisedAndLowered(t *testing.T) {
	got := pieces("10^{−3} v_{n} a_b {x}")
	want := []piece{{"10", 0}, {"−3", 1}, {" v", 0}, {"n", -1}, {" a_b {x}", 0}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
	if p := pieces("a^{b"); len(p) != 1 || p[0].text != "a^{b" {
		t.Errorf("an open brace: %v", p)
	}
	if w, plain := textWidth("10^{9}", 8), textWidth("109", 8); !(w < plain) {
		t.Errorf("a raised digit is as wide (%v) as another (%v)", w, plain)
	}
}

// A guide of order one lies below all points and is as steep as it says.
func TestGuideLinesLieBelowTheirLines(t *testing.T) {
	c := Chart{LogX: true, LogY: true, Order: 1, Lines: []Line{{Points: [][2]float64{{1e-3, 2e-5}, {1e-2, 3e-4}, {1e-1, 1e-3}}}}}
	g, ok := c.guide()
	if !ok {
		t.Fatal("no guide")
	}
	if slope := math.Log(g[1][1]/g[0][1]) / math.Log(g[1][0]/g[0][0]); math.Abs(slope-1) > 1e-12 {
		t.Errorf("slope %v", slope)
	}
	for _, p := range c.Lines[0].Points {
		if y := g[0][1] * p[0] / g[0][0]; y >= p[1] {
			t.Errorf("at %g the guide is at %g, the line at %g", p[0], y, p[1])
		}
	}
}

// Of many points those stay that are seen: extremes of every column of pixels.
func TestThinningKeepsPeaks(t *testing.T) {
	run := make([]vg.Point, 200000)
	for i := range run {
		run[i] = vg.Point{X: vg.Length(i) / 1000, Y: vg.Length(math.Sin(float64(i)))}
	}
	run[77777].Y = 50
	thin := thinned(run)
	if len(thin) > 4*200*7+10 {
		t.Errorf("%d points are left", len(thin))
	}
	top := vg.Length(0)
	for _, p := range thin {
		top = max(top, p.Y)
	}
	if top != 50 {
		t.Errorf("the peak of 50 is now %v", top)
	}
}

// A legend hides no line: where no corner is free it stands above.
func TestLegendsHideNothing(t *testing.T) {
	dense := Line{Name: "dense", Style: Style{Color: 1}}
	for i := range 400 {
		dense.Points = append(dense.Points, [2]float64{float64(i), float64(i%2)*2 - 1})
	}
	for name, c := range map[string]struct {
		lines []Line
		above bool
	}{
		"sine":  {[]Line{{Name: "a", Points: [][2]float64{{0, 0}, {1, 1}}}, {Name: "b", Points: [][2]float64{{0, 0}, {1, 0.5}}}}, false},
		"dense": {[]Line{{Name: "a"}, dense}, true},
	} {
		f := &Figure{Charts: []Chart{{Lines: c.lines}}}
		p := f.layOut().panels[0]
		if p.above != c.above {
			t.Errorf("%s: above is %v", name, p.above)
		}
		if !p.above {
			if box, hidden := p.legendPlace(); hidden != 0 || !holds(p.frame, box) {
				t.Errorf("%s: the legend hides %d points", name, hidden)
			}
		}
	}
}

// What several files show is the same.
func TestFiguresAreDrawnAlikeAgain(t *testing.T) {
	lines := []Line{wave("a", 60, Style{}), wave("b", 60, Style{Color: 1, Dash: 1})}
	f := &Figure{Charts: []Chart{{Lines: lines, Rules: []Rule{{At: 0.9, Label: "level"}, {At: 0.95, Label: "another"}}, Notes: []Note{{Text: "n"}}}}}
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.svg"), filepath.Join(dir, "b.svg")
	if err := f.Write(filepath.Join(dir, "c.png"), a, b); err != nil {
		t.Fatal(err)
	}
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil || !bytes.Equal(x, y) {
		t.Errorf("the second picture differs: %v", err)
	}
	if alone := filepath.Join(dir, "d.svg"); f.Write(alone) != nil {
		t.Error("cannot write again")
	} else if z, _ := os.ReadFile(alone); !bytes.Equal(x, z) {
		t.Error("a picture depends on those before")
	}
}

// A legend that finds no place gets one by a longer axis, if that need not be by much.
func TestAxesMakeRoomForLegends(t *testing.T) {
	line := func(name string) Line {
		l := Line{Name: name, Style: Style{Mark: 1}}
		for i := range 12 {
			l.Points = append(l.Points, [2]float64{float64(i), math.Abs(float64(i%4) - 1.5)})
		}
		return l
	}
	c := Chart{Lines: []Line{line("a name of some length for a line"), line("another name of some length"), line("and a third one for good measure")}}
	l := (&Figure{Charts: []Chart{c}}).layOut()
	p := l.panels[0]
	box, hidden := p.legendPlace()
	if p.above || hidden != 0 || !holds(p.frame, box) || p.axes[1].hi-p.axes[1].lo < 1.1 {
		t.Errorf("above %v, hides %d, axis %g to %g", p.above, hidden, p.axes[1].lo, p.axes[1].hi)
	}
	// limits that were asked for stay
	lo, hi := 0.4, 1.6
	c.Min[1], c.Max[1] = &lo, &hi
	p = (&Figure{Charts: []Chart{c}}).layOut().panels[0]
	if !p.above || p.axes[1].lo != lo || p.axes[1].hi != hi {
		t.Errorf("above %v, axis %g to %g", p.above, p.axes[1].lo, p.axes[1].hi)
	}
}

// Charts with the same legend share one.
func TestChartsShareALegend(t *testing.T) {
	lines := []Line{wave("a", 9, Style{}), wave("b", 9, Style{Color: 1})}
	f := &Figure{Charts: []Chart{{Lines: lines}, {Lines: lines}}, ShareX: true}
	l := f.layOut()
	if len(l.keys) != 2 || l.panels[0].keys != nil || l.panels[0].showX || !l.panels[1].showX {
		t.Errorf("keys %v", l.keys)
	}
	if a, b := l.panels[0].frame, l.panels[1].frame; a.Min.X != b.Min.X || a.Max.X != b.Max.X || a.Min.Y < b.Max.Y {
		t.Errorf("frames %v and %v", a, b)
	}
}
