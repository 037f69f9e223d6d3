package render

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Converting there and back is no change, for every pair of units of one quantity.
func TestConversionsAreInverse(t *testing.T) {
	suffix := map[string]string{"mm": "_mm", "ms": "_ms", "kPa": "_kPa", "MPa": "_MPa", "°": "_deg", "N cm": "_Ncm", "N mm": "_Nmm", "m": "_m", "s": "_s", "Pa": "_Pa", "rad": "_rad", "N m": "_Nm"}
	for a, of := range suffix {
		for b, to := range suffix {
			forth, _, err := Convert("x"+of, b)
			back, _, err2 := Convert("x"+to, a)
			if (err == nil) != (err2 == nil) {
				t.Errorf("%s to %s: %v, back %v", a, b, err, err2)
			}
			if err == nil && math.Abs(forth*back-1) > 1e-12 {
				t.Errorf("%s to %s and back changes numbers by %g", a, b, forth*back)
			}
		}
	}
}

// A unit has the quantity that is measured in it, whatever its prefix; metres are open.
func TestUnitsHaveQuantities(t *testing.T) {
	for unit, want := range map[string]string{
		"N": "force", "mN": "force", "kPa": "stress", "J": "energy", "N m": "torque", "N mm": "torque", "ms": "time", "°": "angle", "Hz": "frequency",
		"mm/s": "velocity", "m": "", "mm": "", "": "", "%": "", "furlong": "",
	} {
		if got := Quantity(unit); got != want {
			t.Errorf("%q measures %q, want %q", unit, got, want)
		}
	}
}

// Numbers in a readable unit are the same lengths, forces and so on, and have few digits.
func TestReadableUnitsKeepTheValue(t *testing.T) {
	for _, unit := range []string{"m", "Pa", "N", "J", "W"} {
		for e := -8; e <= 8; e++ {
			top := 3 * math.Pow(10, float64(e))
			factor, name := Readable(unit, top)
			scale := map[string]float64{unit: 1, "m" + unit: 1e-3, "µ" + unit: 1e-6, "k" + unit: 1e3, "M" + unit: 1e6, "G" + unit: 1e9}[name]
			if math.Abs(top*factor*scale/top-1) > 1e-12 {
				t.Errorf("%g %s becomes %g %s", top, unit, top*factor, name)
			}
			if x := top * factor; unit != "m" && e > -7 && (x < 0.05 || x >= 1e4) {
				t.Errorf("%g %s is shown as %g %s", top, unit, x, name)
			}
		}
	}
	if f, name := Readable("rad", 1e-9); f != 1 || name != "rad" {
		t.Errorf("radians are shown as %s times %g", name, f)
	}
	if f, name := Readable("m", 0); f != 1 || name != "m" {
		t.Errorf("nothing is shown in %s times %g", name, f)
	}
}

func TestAmplitudesAreWorded(t *testing.T) {
	for label, want := range map[string]string{"force (N)": "amplitude of force (N)", "": "amplitude", "value (mm)": "amplitude (mm)", "value": "amplitude"} {
		if got := Amplitude(label); got != want {
			t.Errorf("%q becomes %q, want %q", label, got, want)
		}
	}
}

// Frequencies are written to four digits: reading the text gives the number up to 5e-4.
func TestFrequenciesAreWrittenToFourDigits(t *testing.T) {
	for _, f := range []float64{50, 123.456, 0.5, 1e-3, 12345.6, 99999, 1.5e7, 2e-5, 100} {
		s := hertz(f)
		x, err := strconv.ParseFloat(strings.TrimSuffix(s, " Hz"), 64)
		if err != nil || math.Abs(x/f-1) > 5e-4 {
			t.Errorf("%g is written %q", f, s)
		}
		if f >= 1e-3 && f < 1e6 && strings.Contains(s, "e") {
			t.Errorf("%g is written with an exponent: %q", f, s)
		}
	}
}

// Numbers have a minus sign, not a hyphen, and zero has none.
func TestNumbersAreSigned(t *testing.T) {
	for number, want := range map[string]string{"-1.5": "−1.5", "-0.00": "0.00", "-0": "0", "2": "2", "-10": "−10", "0.0": "0.0"} {
		if got := signed(number); got != want {
			t.Errorf("%s becomes %s, want %s", number, got, want)
		}
	}
	if power(-3) != "10^{−3}" || power(12) != "10^{12}" {
		t.Errorf("powers %s and %s", power(-3), power(12))
	}
}

// floorMod returns what added to a multiple of b gives a, from 0 to b−1.
func TestFloorModIsTheRemainder(t *testing.T) {
	for a := -20; a <= 20; a++ {
		for b := 1; b < 7; b++ {
			if r := floorMod(a, b); r < 0 || r >= b || (a-r)%b != 0 {
				t.Errorf("%d mod %d is %d", a, b, r)
			}
		}
	}
}

// Steps of scales are 1, 2, 2.5 or 5 times a power of ten and within a quarter and a half
// of what is asked for; their digits write multiples exactly.
func TestStepsAreRound(t *testing.T) {
	for k := range 400 {
		x := math.Pow(10, float64(k)/50-4)
		s := roundStep(x)
		m := s / math.Pow(10, math.Floor(math.Log10(s)+1e-9))
		round := false
		for _, r := range []float64{1, 2, 2.5, 5} {
			round = round || math.Abs(m-r) < 1e-9
		}
		if !round || s < x/1.25*(1-1e-9) || s > 2*x {
			t.Errorf("%g is rounded to the step %g", x, s)
		}
		for _, n := range []float64{1, 3, 7} {
			text := strconv.FormatFloat(n*s, 'f', decimals(s), 64)
			if y, _ := strconv.ParseFloat(text, 64); math.Abs(y-n*s) > 1e-6*s {
				t.Errorf("%g steps of %g are written %s", n, s, text)
			}
		}
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if s := roundStep(x); s != 1 {
			t.Errorf("the step for %g is %g", x, s)
		}
	}
}

// Pieces of a text give it back with their marks.
func TestPiecesGiveTheTextBack(t *testing.T) {
	for _, text := range []string{"", "plain", "10^{−3}", "a_{b}c^{d}e", "^{x}_{y}", "open ^{brace", "a^b", "x_{1} y_{2} z"} {
		got := ""
		for _, p := range pieces(text) {
			got += map[int]string{0: p.text, 1: "^{" + p.text + "}", -1: "_{" + p.text + "}"}[p.level]
		}
		if got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
}

// Widths grow with the size of letters and add up over pieces.
func TestWidthsOfTexts(t *testing.T) {
	if a, b := textWidth("force (N)", 8), textWidth("force (N)", 16); math.Abs(float64(b/a)-2) > 0.01 {
		t.Errorf("at twice the size a text is %v wide, at once %v", b, a)
	}
	sum := textWidth("10", 8) + textWidth("−3", 8*subSize)
	if w := textWidth("10^{−3}", 8); !near(w, sum) {
		t.Errorf("10^{−3} is %v wide, its pieces %v", w, sum)
	}
	if textWidth("", 8) != 0 {
		t.Error("no text has a width")
	}
}

// Text is aligned as asked, raised above and lowered below the base line.
func TestTextIsWrittenWhereAsked(t *testing.T) {
	for _, align := range []float64{0, 0.5, 1} {
		rec := &recorder.Canvas{}
		write(vgdraw.NewCanvas(rec, 100, 100), "a^{b}_{c}", 10, 50, 20, align)
		var at []vg.Point
		var sizes []vg.Length
		for _, a := range rec.Actions {
			if a, ok := a.(*recorder.FillString); ok {
				at, sizes = append(at, a.Point), append(sizes, a.Size)
			}
		}
		if len(at) != 3 {
			t.Fatalf("%d pieces are written", len(at))
		}
		if w := textWidth("a^{b}_{c}", 10); !near(at[0].X, 50-vg.Length(align)*w) || at[0].Y != 20 {
			t.Errorf("aligned by %g: it starts at %v", align, at[0])
		}
		if !(at[1].Y > 20 && at[2].Y < 20 && at[0].X < at[1].X && at[1].X < at[2].X) || !near(sizes[1], 10*subSize) {
			t.Errorf("pieces at %v of sizes %v", at, sizes)
		}
	}
}

// Without widths and heights that are given, columns are 8.6 cm wide and the frames of
// several rows lower than a single one.
func TestFiguresHaveTheirSize(t *testing.T) {
	charts := func(n int) (out []Chart) {
		for range n {
			out = append(out, chartOf("a"))
		}
		return out
	}
	for _, c := range []struct {
		f             Figure
		width, height float64 // of the figure, and of a frame, cm
	}{
		{Figure{Charts: charts(1)}, 8.6, 5}, {Figure{Charts: charts(2)}, 8.6, 3.3}, {Figure{Charts: charts(2), Columns: 2}, 17.8, 5},
		{Figure{Charts: charts(1), Width: 12, Height: 7}, 12, 7}, {Figure{Charts: charts(1), Columns: 3}, 8.6, 5},
	} {
		l := c.f.layOut()
		if w, h := float64(l.width/cm), float64(l.panels[0].frame.Size().Y/cm); math.Abs(w-c.width) > 1e-9 || math.Abs(h-c.height) > 1e-9 {
			t.Errorf("%d charts in %d columns: %g cm wide, a frame %g cm high", len(c.f.Charts), c.f.Columns, w, h)
		}
	}
}

// Limits of axes that nothing gives are round the data with room, or as asked for.
func TestLimitsOfAxesSettle(t *testing.T) {
	two := 2.0
	for name, c := range map[string]struct {
		a      axis
		lo, hi *float64
		tight  bool
		want   [2]float64
	}{
		"loose":     {axis{lo: 0, hi: 10}, nil, nil, false, [2]float64{-0.6, 10.6}},
		"tight":     {axis{lo: 0, hi: 10}, nil, nil, true, [2]float64{0, 10}},
		"constant":  {axis{lo: 5, hi: 5}, nil, nil, true, [2]float64{4.5, 5.5}},
		"zero":      {axis{}, nil, nil, true, [2]float64{-1, 1}},
		"nothing":   {axis{lo: math.Inf(1), hi: math.Inf(-1)}, nil, nil, true, [2]float64{0, 1}},
		"given":     {axis{lo: 0, hi: 10}, &two, nil, true, [2]float64{2, 10}},
		"upside":    {axis{lo: 0, hi: 1}, &two, nil, true, [2]float64{1.5, 2.5}},
		"log":       {axis{lo: 1, hi: 1000, log: true}, nil, nil, false, [2]float64{math.Pow(10, -0.18), math.Pow(10, 3.18)}},
		"log empty": {axis{lo: math.Inf(1), hi: math.Inf(-1), log: true}, &two, nil, false, [2]float64{2, math.Pow(10, math.Log10(10)+0.06*math.Log10(5))}},
	} {
		a := c.a
		a.settle(c.lo, c.hi, c.tight)
		if name == "log empty" {
			if a.lo != 2 || !(a.hi >= 10) {
				t.Errorf("%s: %g to %g", name, a.lo, a.hi)
			}
			continue
		}
		if math.Abs(a.lo-c.want[0]) > 1e-9*max(1, math.Abs(c.want[0])) || math.Abs(a.hi/c.want[1]-1) > 1e-9 {
			t.Errorf("%s: %g to %g, want %v", name, a.lo, a.hi, c.want)
		}
	}
}
