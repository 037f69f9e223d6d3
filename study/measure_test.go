package study

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// measured makes a study with one case whose tables are given, and returns its measures.
func measured(t *testing.T, measures, signals, steps string) map[string]float64 {
	t.Helper()
	s := mustLoad(t, "scene: scene.yaml\nset: {k: 3}\nmeasures:\n"+measures)
	dir := t.TempDir()
	fakeCase(t, dir, s.Cases[0].Name, signals, steps)
	rows, err := s.Redraw(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for k, name := range s.File.Measures.Keys {
		out[name] = rows[0].Values[k]
	}
	return out
}

// csvOf writes a table of the time, every h, and one column.
func csvOf(column string, h float64, values []float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "time_s,%s\n", column)
	for i, x := range values {
		fmt.Fprintf(&b, "%.17g,%.17g\n", h*float64(i), x)
	}
	return b.String()
}

// Of the ramp x_i = i, i = 0 … n, all statistics are known in closed form:
//
//	mean n/2, median n/2, p95 0.95 n, rms √(n(2n+1)/6), std √(n(n+2)/12), range n
func TestStatisticsOfARamp(t *testing.T) {
	const n = 100
	ramp := make([]float64, n+1)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	want := map[string]float64{
		"last": n, "first": 0, "min": 0, "max": n, "abs_max": n, "mean": n / 2., "median": n / 2., "p95": 0.95 * n,
		"rms": math.Sqrt(n * (2*n + 1) / 6.), "std": math.Sqrt(n * (n + 2) / 12.), "range": n,
		"relative_std": math.Sqrt(n*(n+2)/12.) / (n / 2.),
	}
	var b strings.Builder
	for _, stat := range record.Stats {
		fmt.Fprintf(&b, "  %s: {signal: z, stat: %s}\n  neg_%s: {signal: -2*z, stat: %s}\n", stat, stat, stat, stat)
		if _, ok := want[stat]; !ok {
			t.Errorf("the statistic %s has no closed form here", stat)
		}
	}
	got := measured(t, b.String(), csvOf("z", 0.01, ramp), "time_s,contacts\n0,1\n")
	for stat, w := range want {
		if math.Abs(got[stat]-w) > 1e-12*n {
			t.Errorf("%s is %v, want %v", stat, got[stat], w)
		}
	}
	// of −2 x: minima and maxima change places, spreads double
	for stat, w := range map[string]float64{"min": -2 * n, "max": 0, "abs_max": 2 * n, "mean": -n, "std": 2 * want["std"], "range": 2 * n, "rms": 2 * want["rms"], "relative_std": want["relative_std"]} {
		if math.Abs(got["neg_"+stat]-w) > 1e-12*n {
			t.Errorf("%s of −2 x is %v, want %v", stat, got["neg_"+stat], w)
		}
	}
}

// Windows choose rows: of x_i = i every 0.01 s, those from 0.2 to 0.4 s are 20 … 40.
func TestStatisticsOverWindows(t *testing.T) {
	ramp := make([]float64, 101)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	got := measured(t, `
  first: {signal: z, stat: first, over: [0.2, 0.4]}
  last: {signal: z, stat: last, over: [0.2, 0.4]}
  mean: {signal: z, stat: mean, over: [0.2, 0.4]}
  open: {signal: z, stat: min, over: [0.9, .inf]}
  instant: {signal: z, over: [0.5, 0.5]}
  none: {signal: z, over: [2, 3]}
  count: {count: z >= 0, over: [0.2, 0.4]}
  contacts: {steps: contacts, stat: max, over: [0, 0.1]}
  late: {steps: 10*contacts, stat: max, over: [0.1, 1]}
`, csvOf("z", 0.01, ramp), "time_s,contacts\n0.05,1\n0.2,2\n0.3,5\n")
	for name, want := range map[string]float64{"first": 20, "last": 40, "mean": 30, "open": 90, "instant": 50, "count": 21, "contacts": 1, "late": 50} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if !math.IsNaN(got["none"]) {
		t.Errorf("no row has the value %v", got["none"])
	}
}

// The crossing of a threshold by a cosine of period 1 s, sampled every 1 ms, is found to
// one sample; the twin counts rows directly.
func TestEventsAgainstAllRows(t *testing.T) {
	const h = 1e-3
	x := make([]float64, 3001)
	for i := range x {
		x[i] = math.Cos(2 * math.Pi * h * float64(i))
	}
	for _, level := range []float64{-0.9, -0.3, 0, 0.5, 0.99} {
		first, last, count := math.NaN(), math.NaN(), 0.0
		for i, v := range x {
			if at := h * float64(i); v < level && at > 0.4-1e-9 && at < 2.6+1e-9 {
				if count == 0 {
					first = at
				}
				last, count = at, count+1
			}
		}
		got := measured(t, fmt.Sprintf(`
  first: {first: z < %[1]g, over: [0.4, 2.6]}
  last: {last: z < %[1]g, over: [0.4, 2.6]}
  count: {count: z < %[1]g, over: [0.4, 2.6]}
  start: {first: z < %[1]g}
`, level), csvOf("z", h, x), "time_s,contacts\n0,1\n")
		if math.Abs(got["first"]-first) > 1e-12 || math.Abs(got["last"]-last) > 1e-12 || got["count"] != count {
			t.Errorf("below %g: %v, want %v, %v, %v", level, got, first, last, count)
		}
		if exact := math.Acos(level) / (2 * math.Pi); got["start"] < exact || got["start"] > exact+h+1e-12 {
			t.Errorf("below %g from %v s, want %v", level, got["start"], exact)
		}
	}
}

// Formulas over measures: random linear combinations of two measures and a variable.
func TestMeasuresOfMeasures(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 10 {
		a, b := math.Round(100*r.NormFloat64())/16, math.Round(100*r.NormFloat64())/16
		got := measured(t, fmt.Sprintf(`
  top: {signal: z, stat: max}
  low: {signal: z, stat: min}
  mix: {expr: "%g*top + (%g)*low + k"}
  more: {expr: "mix > 0 ? sqrt(mix) : -1"}
`, a, b), "time_s,z\n0,2\n1,-3\n2,5\n", "time_s,contacts\n0,1\n")
		mix := a*5 + b*-3 + 3
		want := -1.0
		if mix > 0 {
			want = math.Sqrt(mix)
		}
		if math.Abs(got["mix"]-mix) > 1e-12 || math.Abs(got["more"]-want) > 1e-12 {
			t.Errorf("%v, want mix %v and more %v", got, mix, want)
		}
	}
}

// A measure whose table is damaged is an error that names case, measure and file.
func TestMeasuresOfDamagedTables(t *testing.T) {
	for _, c := range []struct{ signals, steps, want string }{
		{"time_s,z\n0,x\n", "time_s,contacts\n0,1\n", "measure top"},
		{"z\n1\n", "time_s,contacts\n0,1\n", "signals.csv has no column time_s"},
	} {
		s := mustLoad(t, "scene: scene.yaml\nmeasures: {top: {signal: z, stat: max}}\n")
		dir := t.TempDir()
		fakeCase(t, dir, s.Cases[0].Name, c.signals, c.steps)
		if _, err := s.Redraw(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "case "+s.Cases[0].Name) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
	// a table without the signal, of an older version of the scene, has no value
	s := mustLoad(t, "scene: scene.yaml\nmeasures: {top: {signal: z, stat: max}, n: {count: z > 0}}\n")
	dir := t.TempDir()
	fakeCase(t, dir, s.Cases[0].Name, "time_s,y\n0,1\n", "time_s,contacts\n0,1\n")
	rows, err := s.Redraw(dir)
	if err != nil || !math.IsNaN(rows[0].Values[0]) || !math.IsNaN(rows[0].Values[1]) {
		t.Errorf("%v, %+v", err, rows)
	}
}

// A difference from a reference that has no result has no value.
func TestDifferencesNeedTheResultOfTheReference(t *testing.T) {
	s := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.02, 0.01]}\nreference: {time.step: 0.001}\nmeasures: {e: {rms_difference: [z]}, z: {signal: z}}\n")
	dir := t.TempDir()
	for i := range 2 {
		fakeCase(t, dir, s.Cases[i].Name, "time_s,z\n0,1\n1,2\n", "time_s,contacts\n0,1\n")
	}
	rows, err := s.Redraw(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if !math.IsNaN(rows[i].Values[0]) || rows[i].Values[1] != 2 {
			t.Errorf("case %d: %v", i, rows[i].Values)
		}
	}
	if rows[2].Status != "not run yet" || !math.IsNaN(rows[2].Values[1]) {
		t.Errorf("the reference: %+v", rows[2])
	}
}

func TestMistakesOfMeasuresSayWhatToGive(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                            "give exactly one of signal, steps, run",
		"{run: stepz}":                  `m.run: unknown "stepz": did you mean "steps"`,
		"{signal: zz}":                  `m.signal: unknown signal "zz": did you mean "z"`,
		"{signal: z + q}":               "unknown name q",
		"{steps: z}":                    `m.steps: unknown column "z"`,
		"{signal: z, stat: average}":    `m.stat: unknown "average"`,
		"{run: steps, stat: max}":       "m.stat: only signal and steps have a statistic",
		"{signal: z, over: [1, 0]}":     "m.over: [1, 0] contains no time",
		"{first: z}":                    "measures.m: ",
		"{last: w > 0}":                 "unknown name w",
		"{expr: other}":                 "unknown name other",
		"{expr: 'mass +'}":              "m.expr: ",
		"{rms_difference: [z]}":         "a difference needs a reference",
		"{max_difference: [y]}":         `unknown signal "y"`,
		"{expr: '1', relative_to: rms}": "it applies only to rms_difference and max_difference",
	} {
		_, err := Load(write(t, "scene: scene.yaml\nmeasures:\n  m: "+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "study.yaml:3:3: measures.m") {
			t.Errorf("%s:\n%v\nwant %q in it", text, err, want)
		}
	}
	for name, want := range map[string]string{"case": "another column", "sweep": "another column", "mass": "another column"} {
		_, err := Load(write(t, "scene: scene.yaml\ncases: {mass: [1]}\nmeasures:\n  "+name+": {signal: z}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a measure called %s: %v", name, err)
		}
	}
}
