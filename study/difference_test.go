package study

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// tableOf makes a table of the time and columns.
func tableOf(time []float64, names []string, data ...[]float64) *record.Table {
	return &record.Table{Columns: append([]string{timeColumn}, names...), Data: append([][]float64{time}, data...)}
}

// randomTable has ascending times up to about end and normal values.
func randomTable(r *rand.Rand, names []string, rows int, end float64) *record.Table {
	time := make([]float64, rows)
	for i := range time {
		time[i] = end * r.Float64()
	}
	time[0] = 0
	slices.Sort(time)
	data := make([][]float64, len(names))
	for k := range data {
		data[k] = make([]float64, rows)
		for i := range data[k] {
			data[k][i] = r.NormFloat64()
		}
	}
	return tableOf(time, names, data...)
}

// linear is the piecewise linear interpolant, by a search over all intervals.
func linear(t, x []float64, at float64) float64 {
	if at <= t[0] {
		return x[0]
	}
	for i := 1; i < len(t); i++ {
		if at <= t[i] {
			s := (at - t[i-1]) / (t[i] - t[i-1])
			return (1-s)*x[i-1] + s*x[i]
		}
	}
	return x[len(x)-1]
}

// bruteDifference evaluates the definitions (1) to (4) directly.
func bruteDifference(m *resolvedMeasure, t, ref *record.Table, names []string) float64 {
	time, refTime := t.Column(timeColumn), ref.Column(timeColumn)
	from, to := m.window()
	var squares, largest, refSquares, span float64
	n := 0
	for i, at := range time {
		if at < from || at > to || at <= refTime[0] || at > refTime[len(refTime)-1] {
			continue
		}
		n++
		for _, name := range names {
			r := linear(refTime, ref.Column(name), at)
			e := t.Column(name)[i] - r
			squares, refSquares = squares+e*e, refSquares+r*r
			largest = math.Max(largest, math.Abs(e))
		}
	}
	for _, name := range names {
		low, high := math.Inf(1), math.Inf(-1)
		for _, at := range time {
			if at < from || at > to || at <= refTime[0] || at > refTime[len(refTime)-1] {
				continue
			}
			r := linear(refTime, ref.Column(name), at)
			low, high = math.Min(low, r), math.Max(high, r)
		}
		span = math.Max(span, high-low)
	}
	if n == 0 {
		return math.NaN()
	}
	value := math.Sqrt(squares / float64(n))
	if m.Max != nil {
		value = largest
	}
	switch m.RelativeTo {
	case "rms":
		return value / math.Sqrt(refSquares/float64(n))
	case "range":
		return value / span
	}
	return value / m.scale
}

// differenceOf makes a measure.
func differenceOf(largest bool, relative string, over *[2]float64, names ...string) *resolvedMeasure {
	m := &resolvedMeasure{Measure: &Measure{RelativeTo: relative, Over: over}, scale: 1}
	if x, ok := parseNumber(relative); ok {
		m.scale = x
	}
	if largest {
		m.Max = names
	} else {
		m.RMS = names
	}
	return m
}

// Differences of tables with rows at different times agree with their definition, for
// any window, number of signals and scale.
func TestDifferencesAgreeWithTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	names := []string{"a", "b", "c"}
	none := 0
	for range 500 {
		x, ref := randomTable(r, names, 2+r.Intn(40), 1), randomTable(r, names, 2+r.Intn(40), 0.5+r.Float64())
		var over *[2]float64
		if r.Intn(2) == 0 {
			from := 1.2 * r.Float64()
			over = &[2]float64{from, from + r.Float64()}
		}
		m := differenceOf(r.Intn(2) == 0, []string{"", "rms", "range", "2.5"}[r.Intn(4)], over, names[:1+r.Intn(3)]...)
		used := append(slices.Clone(m.RMS), m.Max...)
		got, want := m.difference(x, ref), bruteDifference(m, x, ref, used)
		if math.IsNaN(want) {
			none++
		}
		if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-12*math.Abs(want) && !(math.IsInf(got, 1) && math.IsInf(want, 1)) {
			t.Errorf("%+v over %v: %v, want %v", *m.Measure, m.Over, got, want)
		}
	}
	if none == 0 || none > 250 {
		t.Errorf("%d of 500 have no rows", none)
	}
}

// samples evaluates a function at n + 1 evenly spaced times in [0, 1].
func samples(n int, f func(t float64) float64) *record.Table {
	time, x := make([]float64, n+1), make([]float64, n+1)
	for i := range time {
		time[i] = float64(i) / float64(n)
		x[i] = f(time[i])
	}
	return tableOf(time, []string{"x"}, x)
}

// The difference of two sines of one frequency and phase, with amplitudes A and B, has the
// rms |A − B|/√2 over whole periods; relative to the rms of the reference it is |A − B|/B
// and relative to its range |A − B|/(2√2 B).
func TestDifferencesOfSines(t *testing.T) {
	const A, B, n = 1.3, 0.9, 960
	sine := func(a float64) *record.Table {
		return samples(n, func(t float64) float64 { return a * math.Sin(2*math.Pi*4*t) })
	}
	x, ref := sine(A), sine(B)
	for relative, want := range map[string]float64{
		"": (A - B) / math.Sqrt2, "rms": (A - B) / B, "range": (A - B) / (2 * math.Sqrt2 * B), "10": (A - B) / math.Sqrt2 / 10,
	} {
		if got := differenceOf(false, relative, nil, "x").difference(x, ref); math.Abs(got-want) > 1e-12 {
			t.Errorf("rms relative to %q: %v, want %v", relative, got, want)
		}
	}
	if got := differenceOf(true, "", nil, "x").difference(x, ref); math.Abs(got-(A-B)) > 1e-12 {
		t.Errorf("largest: %v, want %v", got, A-B)
	}
}

// A constant offset c is the rms and the largest difference, over any window; the error of
// a coarse interpolant of t² with rows every 1/n is at most 1/(4 n²), in the middle.
func TestDifferencesOfPolynomials(t *testing.T) {
	ref := samples(50, func(t float64) float64 { return 3*t - 1 })
	x := samples(37, func(t float64) float64 { return 3*t - 1 + 0.25 })
	for _, over := range []*[2]float64{nil, {0.2, 0.7}, {0.5, 0.6}} {
		for _, largest := range []bool{false, true} {
			if got := differenceOf(largest, "", over, "x").difference(x, ref); math.Abs(got-0.25) > 1e-12 {
				t.Errorf("over %v: %v, want 0.25", over, got)
			}
		}
	}
	const n = 10
	square := func(t float64) float64 { return t * t }
	if got, want := differenceOf(true, "", nil, "x").difference(samples(2*n, square), samples(n, square)), 0.25/(n*n); math.Abs(got-want) > 1e-12 {
		t.Errorf("largest error of the interpolant: %v, want %v", got, want)
	}
}

// The row at the start is an input: a difference there does not count.
func TestDifferencesLeaveOutTheStart(t *testing.T) {
	ref := tableOf([]float64{0, 1, 2}, []string{"x"}, []float64{0, 0, 0})
	x := tableOf([]float64{0, 1, 2}, []string{"x"}, []float64{100, 3, 4})
	if got := differenceOf(false, "", nil, "x").difference(x, ref); math.Abs(got-math.Sqrt(12.5)) > 1e-15 {
		t.Errorf("rms %v, want √12.5", got)
	}
	if got := differenceOf(true, "", nil, "x").difference(x, ref); got != 4 {
		t.Errorf("largest %v, want 4", got)
	}
	for name, table := range map[string]*record.Table{
		"an empty reference":    tableOf(nil, []string{"x"}, nil),
		"a missing signal":      tableOf([]float64{0, 2}, []string{"y"}, []float64{0, 0}),
		"a reference of before": tableOf([]float64{-2, -1}, []string{"x"}, []float64{0, 0}),
	} {
		if got := differenceOf(false, "", nil, "x").difference(x, table); !math.IsNaN(got) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// rms differences are a norm: they scale with the signals and obey the triangle
// inequality.
func TestDifferencesAreANorm(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 100 {
		a, b, c := randomTable(r, []string{"x"}, 30, 1), randomTable(r, []string{"x"}, 30, 1), randomTable(r, []string{"x"}, 30, 1)
		b.Data[0], c.Data[0] = a.Data[0], a.Data[0] // rows at the same times
		for _, largest := range []bool{false, true} {
			m := differenceOf(largest, "", nil, "x")
			ab, bc, ac := m.difference(a, b), m.difference(b, c), m.difference(a, c)
			if ac > ab+bc+1e-12 || math.Abs(ab-m.difference(b, a)) > 1e-12 || m.difference(a, a) > 1e-14 {
				t.Errorf("distances %v, %v and %v", ab, bc, ac)
			}
			scaled := func(t *record.Table) *record.Table {
				x := make([]float64, len(t.Data[1]))
				for i := range x {
					x[i] = -4 * t.Data[1][i]
				}
				return tableOf(t.Data[0], []string{"x"}, x)
			}
			if got := m.difference(scaled(a), scaled(b)); math.Abs(got-4*ab) > 1e-12*ab {
				t.Errorf("4 times the signals differ by %v, want %v", got, 4*ab)
			}
		}
	}
}

// Interpolation with an index that only advances agrees with a search, for ascending
// times.
func TestInterpolationAgreesWithASearch(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 200 {
		table := randomTable(r, []string{"x"}, 2+r.Intn(20), 1)
		time, x := table.Data[0], table.Data[1]
		at := make([]float64, 40)
		for i := range at {
			at[i] = 1.4*r.Float64() - 0.2
		}
		slices.Sort(at)
		k := 0
		for _, t0 := range at {
			var got float64
			got, k = interpolate(time, x, t0, k)
			if want := linear(time, x, t0); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("at %v: %v, want %v", t0, got, want)
			}
		}
	}
}

// Rows of windows count with the rounding of times in files.
func TestWindowsIncludeTheirEnds(t *testing.T) {
	over := &[2]float64{0.1, 0.3}
	for at, want := range map[float64]bool{0.1: true, 0.3: true, 0.30000000000000004: true, 0.1 - 1e-12: true, 0.0999: false, 0.3001: false, 0.2: true} {
		if inWindow(at, over) != want || !inWindow(at, nil) {
			t.Errorf("%v is in the window: %v", at, !want)
		}
	}
	points := pointsInWindow([]float64{0, 0.1, 0.2, 0.30000000000000004, 0.4}, []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, over)
	if fmt.Sprint(points) != "[[2 7] [3 8] [4 9]]" {
		t.Errorf("points %v", points)
	}
}

// Columns are evaluated row by row as Go evaluates them; a table without a column that is
// needed gives nothing.
func TestColumnsOfTables(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	known := []string{timeColumn, "a", "b"}
	table := randomTable(r, known[1:], 50, 1)
	a, b := table.Column("a"), table.Column("b")
	for text, want := range map[string]func(i int) float64{
		"a":              func(i int) float64 { return a[i] },
		"2*a - b":        func(i int) float64 { return 2*a[i] - b[i] },
		"sqrt(a^2+b^2)":  func(i int) float64 { return math.Sqrt(math.Pow(a[i], 2) + math.Pow(b[i], 2)) },
		"a > b ? 1 : -1": func(i int) float64 { return map[bool]float64{true: 1, false: -1}[a[i] > b[i]] },
		"7":              func(i int) float64 { return 7 },
		"time_s":         func(i int) float64 { return table.Column(timeColumn)[i] },
	} {
		c, err := newColumn(text, known, false)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := c.evaluate(table)
		if err != nil || len(got) != 50 {
			t.Errorf("%s: %d rows, %v", text, len(got), err)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-want(i)) > 1e-15 {
				t.Errorf("%s is %v in row %d, want %v", text, got[i], i, want(i))
			}
		}
		if missing, err := c.evaluate(tableOf([]float64{0}, []string{"z"}, []float64{1})); strings.ContainsAny(text, "ab") && (missing != nil || err != nil) {
			t.Errorf("%s of a table without a and b: %v, %v", text, missing, err)
		}
	}
	c, err := newColumn("a > b and time_s > 0.5", known, true)
	if err != nil {
		t.Fatal(err)
	}
	holds, err := c.evaluate(table)
	for i := range holds {
		if want := a[i] > b[i] && table.Data[0][i] > 0.5; err != nil || (holds[i] == 1) != want || holds[i] != 0 && holds[i] != 1 {
			t.Errorf("row %d: %v, %v", i, holds[i], err)
		}
	}
	for text, want := range map[string]string{"a + x": "unknown name x", "a >": "character", "s": "unknown name s"} {
		if _, err := newColumn(text, known, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := newColumn("a", known, true); err == nil {
		t.Error("a number is a condition")
	}
}
