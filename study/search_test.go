package study

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/run"
)

// A ball falls from z0 with v0 for 0.1 s in steps of 0.05 s: its height is z0 + 0.1 v0 − 3 g h² at the
// end, so that it is above 0.9 m where z0 > 0.9 + 3·9.81·0.0025 − 0.1 v0.
const refinedStudy = `
scene: scene.yaml
set: {time.step: 0.05, time.duration: 0.1}
cases: {lift: [0, 0.2], up: [-1, 0, 1.0]}
derive: {bodies.ball.pose.xyz.2: 0.9 + lift, bodies.ball.velocity: "[0, 0, up]"}
measures: {height: {signal: z}}
refine: {success: height > 0.9, tolerance: {lift: 0.01, up: 0.125}}
plots: {map: {x: lift, y: up, success: height > 0.9}}
`

// Every line that crosses the boundary has neighbours on both sides of it within the tolerance, the
// boundary lies between them, and no line that does not cross it has more cases.
func TestBoundariesAreBisectedToTheirTolerance(t *testing.T) {
	s := mustLoad(t, refinedStudy)
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	at := func(r *Row, path string) float64 {
		x, _ := s.cell(r, path)
		return x
	}
	border := func(up float64) float64 { return 3*9.81*0.0025 - 0.1*up } // in lift
	for _, axis := range [][2]string{{"lift", "up"}, {"up", "lift"}} {
		lines := map[float64][]*Row{}
		for i := range rows {
			y := at(&rows[i], axis[1])
			lines[y] = append(lines[y], &rows[i])
		}
		for y, line := range lines {
			slices.SortFunc(line, func(a, b *Row) int { return int(math.Copysign(1, at(a, axis[0])-at(b, axis[0]))) })
			for k, r := range line {
				success := r.Values[0] > 0.9
				if want := at(r, "lift") > border(at(r, "up")); success != want {
					t.Errorf("lift %g, up %g: success %v", at(r, "lift"), at(r, "up"), success)
				}
				if k == 0 || line[k-1].Values[0] > 0.9 == success {
					continue
				}
				if gap := at(r, axis[0]) - at(line[k-1], axis[0]); gap > *s.File.Refine.Tolerance.Get(axis[0])*(1+1e-9) {
					t.Errorf("%s = %g: the boundary is known to %g in %s", axis[1], y, gap, axis[0])
				}
			}
		}
	}
	// up −1 and up 0 cross at lifts 0.17 and 0.07; up 1 does not: 5 halvings of 0.2 each. Lift 0 crosses
	// between 0 and 1: 3 halvings; lift 0.2 does not; nor do lines of single cases.
	if len(rows) < 6+5+5+3 || len(rows) > 80 {
		t.Errorf("%d cases", len(rows))
	}
	// redrawn, run again and interrupted anywhere, it is the same table
	want := results(t, dir)
	if _, err := mustReload(t, s).Redraw(dir); err != nil || results(t, dir) != want {
		t.Errorf("redrawn (%v):\n%s\nwant\n%s", err, results(t, dir), want)
	}
	again, calls := t.TempDir(), 0
	for stop := 5; ; stop += 9 {
		ctx, cancel := context.WithCancel(t.Context())
		calls = 0
		_, err := s.Run(ctx, Options{Dir: again, Jobs: 1, Progress: func(int, int, float64) {
			if calls++; calls == stop {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			break
		} else if !errors.Is(err, run.ErrInterrupted) {
			t.Fatal(err)
		}
	}
	if results(t, again) != want {
		t.Errorf("interrupted again and again:\n%s\nwant\n%s", results(t, again), want)
	}
	for _, name := range []string{"map.png", "map.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// mustReload loads the file of a study again.
func mustReload(t *testing.T, s *Study) *Study {
	t.Helper()
	again, err := Load(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// On ZDT1 (Zitzler, Deb and Thiele 2000) the front is f2 = 1 − √f1 with all further genes 0.
func TestNSGA2FindsTheFrontOfZDT1(t *testing.T) {
	const m, n = 6, 40
	zdt1 := func(x []float64) *design {
		g := 1.0
		for _, v := range x[1:] {
			g += 9 * v / (m - 1)
		}
		return &design{genes: x, objectives: []float64{x[0], g * (1 - math.Sqrt(x[0]/g))}, feasible: true}
	}
	r := newRandom(1, 0)
	var all []*design
	for _, u := range cube("latin_hypercube", n, m, 1, 0) {
		all = append(all, zdt1(u))
	}
	for range 100 {
		parents := selectDesigns(all, n)
		all = slices.Clone(parents)
		for _, u := range offspring(parents, n, r) {
			all = append(all, zdt1(u))
		}
	}
	front := selectDesigns(all, n)
	low, high := 1.0, 0.0
	for _, d := range front {
		if d.rank > 0 {
			t.Errorf("rank %d", d.rank)
		}
		f1, f2 := d.objectives[0], d.objectives[1]
		if off := f2 - (1 - math.Sqrt(f1)); off > 0.05 || off < -1e-12 {
			t.Errorf("f = (%g, %g) is %g off the front", f1, f2, off)
		}
		low, high = math.Min(low, f1), math.Max(high, f1)
	}
	// crowding spreads the designs over the whole front
	if low > 0.02 || high < 0.95 {
		t.Errorf("the front reaches from f1 = %g to %g", low, high)
	}
}

// Ranks are those of the definition: by brute force, the front of what lower ranks leave.
func TestRanksAreFrontsOfWhatLowerRanksLeave(t *testing.T) {
	r := newRandom(4, 0)
	var all []*design
	for range 60 {
		d := &design{objectives: []float64{math.Floor(8 * uniform(r)), math.Floor(8 * uniform(r))}, feasible: uniform(r) < 0.8}
		all = append(all, d)
	}
	rankDesigns(all)
	left := slices.Clone(all)
	for rank := 0; len(left) > 0; rank++ {
		var front, rest []*design
		for _, d := range left {
			if slices.ContainsFunc(left, func(e *design) bool { return e.dominates(d) }) {
				rest = append(rest, d)
			} else {
				front = append(front, d)
			}
		}
		for _, d := range front {
			if d.rank != rank {
				t.Errorf("rank %d, want %d", d.rank, rank)
			}
		}
		left = rest
	}
}

// The measures are those of Schaffer's problem, a² and (a − 2)²; designs with b > 0.5 are not allowed.
const paretoStudy = `
scene: scene.yaml
set: {time.step: 0.05, time.duration: 0.05}
sample: {kind: latin_hypercube, cases: 12, seed: 1, values: {a: {uniform: [-10, 10]}, b: {uniform: [0, 1]}}}
derive: {bodies.ball.pose.xyz.2: a + 20, bodies.ball.mass: 1 + b}
measures: {left: {expr: a^2}, right: {expr: -(a - 2)^2}}
pareto: {minimize: [left], maximize: [right], require: b <= 0.5, generations: 8, seed: 3}
plots: {front: {x: left, y: right, front: true}}
`

// The search comes to the front 0 ≤ a ≤ 2, keeps to its condition, and makes the same cases again.
func TestParetoSearchesComeToTheFront(t *testing.T) {
	s := mustLoad(t, paretoStudy)
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	// children that are their parents do not run again
	if len(rows) < 12*7 || len(rows) > 12*9 {
		t.Errorf("%d cases", len(rows))
	}
	c := readCases(t, dir)
	front, near := 0, 0
	for i := range rows {
		a, _ := parseNumber(c["a"][i])
		b, _ := parseNumber(c["b"][i])
		if c[generationName][i] == "8" && a > -0.2 && a < 2.2 {
			near++
		}
		if c[frontColumn][i] != "true" {
			continue
		}
		front++
		if a < -0.3 || a > 2.3 || b > 0.5 {
			t.Errorf("a = %g, b = %g is on the front", a, b)
		}
	}
	if front < 12 || near < 8 {
		t.Errorf("%d cases on the front, %d of the last generation near it", front, near)
	}
	want := results(t, dir)
	if _, err := mustReload(t, s).Redraw(dir); err != nil || results(t, dir) != want {
		t.Errorf("redrawn (%v): another table", err)
	}
	other := t.TempDir()
	if _, err := s.Run(t.Context(), Options{Dir: other, Jobs: 1}); err != nil || results(t, other) != want {
		t.Errorf("run again (%v): another table", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "front.svg")); err != nil {
		t.Error(err)
	}
	if _, err := s.MakePlan(Options{Dir: t.TempDir()}); !errors.Is(err, errSearchPlanned) {
		t.Errorf("a plan of a search: %v", err)
	}
}

// Faults of searches are found before any case runs.
func TestFaultsOfSearches(t *testing.T) {
	const grid, sample = "cases: {time.step: [0.01, 0.02]}\n", "sample: {kind: sobol, cases: 4, values: {a: {uniform: [0, 1]}}}\n"
	for text, want := range map[string]string{
		grid + "refine: {tolerance: {time.step: 1e-3}}":                                               "refine.success is missing",
		grid + "refine: {success: drop < 1}":                                                          "refine.tolerance is missing",
		grid + "refine: {success: drup < 1, tolerance: {time.step: 1e-3}}":                            "refine.success",
		grid + "refine: {success: drop < 1, tolerance: {time.step: 0}}":                               "give a number above 0",
		grid + "refine: {success: drop < 1, tolerance: {time.stop: 1}}":                               "time.stop is not varied",
		grid + "set: {a: red}\nrefine: {success: drop < 1, tolerance: {a: 1}}":                        "only numbers",
		grid + "reference: {time.step: 1e-3}\nrefine: {success: drop < 1, tolerance: {time.step: 1}}": "neither sweeps nor a reference",
		grid + "pareto: {minimize: [drop, end]}":                                                      "give sample",
		sample + "pareto: {minimize: [drop]}":                                                         "two measures",
		sample + "pareto: {minimize: [drop], maximize: [ent]}":                                        `did you mean "end"`,
		sample + "pareto: {minimize: [drop, end], require: x > 1}":                                    "pareto.require",
		sample + "pareto: {minimize: [drop, end], generations: -1}":                                   "below 0",
		sample + "pareto: {minimize: [drop, end]}\nrefine: {success: drop < 1, tolerance: {a: 1}}":    "exclude each other",
		sample + "plots: {p: {x: drop, y: end, front: true}}":                                         "pareto",
		sample + "plots: {p: {x: drop, y: end, success: drup > 1}}":                                   "success",
		sample + "plots: {p: {signals: [z], success: drop > 1}}":                                      "success",
	} {
		_, err := Load(write(t, "scene: scene.yaml\n"+text+"\nmeasures: {drop: {signal: z}, end: {signal: z, stat: max}}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", text, err, want)
		}
	}
}
