package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// value reads the number of a tick's label.
func value(t *testing.T, label string) float64 {
	t.Helper()
	label = strings.Replace(label, "−", "-", 1)
	if m, p, ok := strings.Cut(label, "×"); ok {
		return value(t, m) * value(t, p)
	}
	if e, ok := strings.CutPrefix(label, "10^{"); ok {
		return math.Pow(10, value(t, strings.TrimSuffix(strings.Replace(e, "−", "-", 1), "}")))
	}
	x, err := strconv.ParseFloat(label, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Labels of ticks are the values at their places, within the axis, evenly spaced or
// round in every decade, and do not overlap.
func TestTicksStandAtTheirValues(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
	}{
		{0, 1, false}, {-3, 7, false}, {0.98, 1.02, false}, {-1e-7, 3e-7, false}, {0, 1e9, false}, {12345, 12346, false}, {-5, -4.5, false},
		{1e-3, 1e3, true}, {1, 40, true}, {0.2, 0.9, true}, {1e-12, 1, true}, {3, 5, true},
	} {
		for _, length := range []vg.Length{60, 150, 400} {
			a := axis{log: c.log}
			a.lo, a.hi = c.lo, c.hi
			lo, hi := c.lo, c.hi
			a.settle(&lo, &hi, true)
			a.mark(length, false)
			factor := 1.0
			if a.factor != "" {
				factor = value(t, a.factor)
			}
			labelled := 0
			for _, k := range a.ticks {
				if u := a.at(k.at); u < -1e-9 || u > 1+1e-9 {
					t.Errorf("%+v: a tick at %g of the axis", c, u)
				}
				if k.label == "" {
					continue
				}
				labelled++
				if x := value(t, k.label) * factor; math.Abs(x-k.at) > 1e-9*math.Max(math.Abs(x), 1e-3*(c.hi-c.lo)) {
					t.Errorf("%+v: label %s×%s at %g", c, k.label, a.factor, k.at)
				}
			}
			if labelled < 2 && length > 60 {
				t.Errorf("%+v, %g points: %d labels", c, length, labelled)
			}
			if labelled > 2 && length > 60 && !a.fits(length, false) {
				t.Errorf("%+v, %g points: labels %s overlap", c, length, labels(&a))
			}
		}
	}
}

// A value is as far along its axis as its difference, or its ratio, is of the whole.
func TestAxesAreLinearOrLogarithmic(t *testing.T) {
	lin, log := axis{lo: -2, hi: 6}, axis{lo: 0.01, hi: 100, log: true}
	for x, want := range map[float64]float64{-2: 0, 0: 0.25, 6: 1, 10: 1.5} {
		if got := lin.at(x); math.Abs(got-want) > 1e-15 {
			t.Errorf("%g is at %g, want %g", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0.01: 0, 0.1: 0.25, 1: 0.5, 100: 1} {
		if got := log.at(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g is at %g of the logarithmic axis, want %g", x, got, want)
		}
	}
	lin.lengthen(0.5, true)
	log.lengthen(0.5, false)
	if lin.hi != 10 || lin.lo != -2 || math.Abs(log.lo-1e-4) > 1e-12 || log.hi != 100 {
		t.Errorf("lengthened by a half: %+v, %+v", lin, log)
	}
}

// chartOf is a chart of y = x from 0 to 1.
func chartOf(name string) Chart {
	return Chart{X: "t (s)", Y: "F (N)", Lines: []Line{{Name: name, Points: [][2]float64{{0, 0}, {0.5, 0.5}, {1, 1}}}}}
}

// Charts of a grid have equal frames that do not overlap, inside of the figure.
func TestFramesFormAGrid(t *testing.T) {
	for _, share := range []bool{false, true} {
		f := Figure{Title: "all", Columns: 2, Letters: true, ShareX: share, ShareY: share}
		for range 5 {
			f.Charts = append(f.Charts, chartOf("line"))
		}
		l := f.layOut()
		size := l.panels[0].frame.Size()
		for i, p := range l.panels {
			if s := p.frame.Size(); math.Abs(float64(s.X-size.X))+math.Abs(float64(s.Y-size.Y)) > 1e-6 {
				t.Errorf("frame %d is %v, the first %v", i, s, size)
			}
			if p.frame.Min.X < 0 || p.frame.Min.Y < 0 || p.frame.Max.X > l.width || p.frame.Max.Y > l.height {
				t.Errorf("frame %d is outside of the figure", i)
			}
			for j, q := range l.panels[:i] {
				if p.frame.Min.X < q.frame.Max.X && q.frame.Min.X < p.frame.Max.X && p.frame.Min.Y < q.frame.Max.Y && q.frame.Min.Y < p.frame.Max.Y {
					t.Errorf("frames %d and %d overlap", i, j)
				}
			}
			if p.letter != "("+string(rune('a'+i))+")" {
				t.Errorf("letter %q", p.letter)
			}
			if wantX, wantY := !share || i >= 3, !share || i%2 == 0; p.showX != wantX || p.showY != wantY {
				t.Errorf("share %t, chart %d has an x axis: %t, a y axis: %t", share, i, p.showX, p.showY)
			}
		}
	}
}

// The point (x, y) of a chart is drawn at its part of the frame.
func TestPointsAreAtTheirPartOfTheFrame(t *testing.T) {
	c := chartOf("")
	lo, hi := 0.0, 2.0
	c.Min, c.Max = [2]*float64{&lo, &lo}, [2]*float64{&hi, &hi}
	f := Figure{Charts: []Chart{c}}
	p := f.layOut().panels[0]
	got, size := p.point([2]float64{0.5, 1.5}), p.frame.Size()
	want := vg.Point{X: p.frame.Min.X + size.X/4, Y: p.frame.Min.Y + 3*size.Y/4}
	if math.Abs(float64(got.X-want.X))+math.Abs(float64(got.Y-want.Y)) > 1e-9 {
		t.Errorf("at %v, want %v", got, want)
	}
}

// Limits fit what lines, rules and guides show, and only that.
func TestLimitsFitWhatIsShown(t *testing.T) {
	c := Chart{Lines: []Line{{Points: [][2]float64{{0, 1}, {1, 3}, {2, math.NaN()}, {3, math.Inf(1)}}}}}
	if lo, hi := c.extent(1); lo != 1 || hi != 3 {
		t.Errorf("y from %g to %g", lo, hi)
	}
	c.Rules = []Rule{{At: 5}, {Upright: true, At: -1}}
	if lo, hi := c.extent(1); lo != 1 || hi != 5 {
		t.Errorf("with a rule, y from %g to %g", lo, hi)
	}
	if lo, hi := c.extent(0); lo != -1 || hi != 1 {
		t.Errorf("with a rule, x from %g to %g", lo, hi)
	}
	half := 0.5
	c.Rules, c.Min[0] = nil, &half
	if lo, hi := c.extent(1); lo != 3 || hi != 3 {
		t.Errorf("of points from x = ½ on, y from %g to %g", lo, hi)
	}
	log := Chart{LogX: true, LogY: true, Lines: []Line{{Points: [][2]float64{{-1, 1}, {0, 2}, {1, -3}, {10, 4}, {100, 8}}}}}
	if lo, hi := log.extent(0); lo != 10 || hi != 100 {
		t.Errorf("logarithmic x from %g to %g", lo, hi)
	}
	if lo, hi := (&Chart{}).extent(0); !(lo > hi) {
		t.Errorf("nothing reaches from %g to %g", lo, hi)
	}
}

// Legends have a key for each named line, of different styles once.
func TestLegendsNameTheirLines(t *testing.T) {
	c := Chart{Lines: []Line{{Name: "a"}, {Name: ""}, {Name: "b", Style: Style{Color: 1}}, {Name: "a"}}}
	var names []string
	for _, k := range c.legendKeys() {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("keys %q", names)
	}
	c.Legend = "none"
	if len(c.legendKeys()) != 0 {
		t.Error("a legend where there is to be none")
	}
}

// Keys break into even rows, each no wider than there is room.
func TestKeysBreakIntoRows(t *testing.T) {
	var keys []Key
	for range 7 {
		keys = append(keys, Key{Name: "a line of some length"})
	}
	one := keyWidth(keys[0])
	for _, width := range []vg.Length{one + 1, 2.5 * one, 4 * one, 20 * one} {
		rows, _ := keyRows(keys, width)
		n := 0
		for _, r := range rows {
			n += len(r)
			if w := vg.Length(len(r))*one + vg.Length(len(r)-1)*keyGap; w > width && len(r) > 1 {
				t.Errorf("a row of %d keys is %g wide, room is %g", len(r), w, width)
			}
		}
		if n != len(keys) || keysHeight(keys, width) != vg.Length(len(rows))*keyHeight {
			t.Errorf("%d keys in %d rows", n, len(rows))
		}
	}
}
