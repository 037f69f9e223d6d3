package study

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/render"
)

// Written numbers read back as the same value, with and without a power of ten.
func TestFormattedNumbersKeepTheirValue(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	plain := strings.NewReplacer("×10^{", "e", "}", "", "−", "-")
	for range 2000 {
		x := math.Pow(10, 12*r.Float64()-6)
		if r.Intn(2) == 0 {
			x = -x
		}
		for _, power := range []bool{false, true} {
			text := formatNumber(fmt.Sprint(x), power)
			exact := plain.Replace(text)
			if rest, ok := strings.CutPrefix(exact, "10^{"); ok {
				exact = "1e" + rest
			}
			if got, ok := parseNumber(exact); !ok || got != x || strings.Contains(text, "-") || !power && strings.Contains(text, "^") {
				t.Errorf("%v is written %s", x, text)
			}
		}
	}
}

func TestLabelsAreSplitIntoQuantityAndUnit(t *testing.T) {
	for label, want := range map[string][2]string{
		"h (s)": {"h", "s"}, "force (N)": {"force", "N"}, "f(x) (m/s)": {"f(x)", "m/s"}, "h": {"h", ""}, "(s)": {"(s)", ""},
		"h (s) late": {"h (s) late", ""}, "": {"", ""}, "a (b) (c)": {"a (b)", "c"},
	} {
		if q, u := splitUnit(label); q != want[0] || u != want[1] {
			t.Errorf("%q is split into %q and %q", label, q, u)
		}
	}
	for name, want := range map[string]string{
		"time.step": "step", "grip_left_N": "grip left", "tip_x": "tip x", "bodies.rod.pose.xyz.2": "2", "time_s": "time", "2*tip_x": "2*tip_x", "E": "E",
	} {
		if got := plainName(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}

func TestUnitsOfLabelsAreReported(t *testing.T) {
	for _, unit := range []string{
		"s", "N", "mm", "µm", "kPa", "N/m", "N m", "Nm", "N cm", "N s²/m", "m/s^{2}", "m/s²", "m s⁻²", "1/s", "kg/m³", "rad/s", "mrad", "°", "deg", "%", "–", "-", "1", "mm²", "rpm", "K", "N·m",
	} {
		if got := statedUnit("a (" + unit + ")"); got != unit {
			t.Errorf("%q is not taken for a unit", unit)
		}
	}
	for _, word := range []string{"left", "top", "max", "a", "upper half", "mean of 5", "step 2", "i", "∞", "", "x/y"} {
		if got := statedUnit("a (" + word + ")"); got != "" {
			t.Errorf("%q is taken for a unit", word)
		}
	}
}

// oneChart draws columns of a table with rows at 0 and 1 s and the values 0 and top.
func oneChart(t *testing.T, p Panel, columns []string, top float64) *render.Chart {
	t.Helper()
	dir := t.TempDir()
	table := "time_s," + strings.Join(columns, ",") + "\n0" + strings.Repeat(",0", len(columns)) + "\n1" + strings.Repeat(fmt.Sprintf(",%g", top), len(columns)) + "\n"
	fakeCase(t, dir, "r", table, "time_s,contacts\n1,5\n")
	f, err := RunFigure(filepath.Join(dir, casesFolder, "r"), &Plot{Panel: p})
	if err != nil {
		t.Fatal(err)
	}
	return &f.Charts[0]
}

// labelled returns what gives a panel labels for columns: names and labels in turn.
func labelled(pairs ...string) func(p *Panel) {
	return func(p *Panel) {
		for i := 0; i < len(pairs); i += 2 {
			if p.Labels.Item == nil {
				p.Labels.Item = map[string]*string{}
			}
			p.Labels.Item[pairs[i]] = &pairs[i+1]
		}
	}
}

// Titles of axes are "quantity (unit)"; values are converted to the unit shown.
func TestTitlesOfAxesSayQuantityAndUnit(t *testing.T) {
	low := 0.0
	for _, c := range []struct {
		columns []string
		top     float64
		set     func(p *Panel)
		x, y    string
		value   float64 // of y at the end
	}{
		{[]string{"grip_N"}, 5, nil, "time (s)", "grip (N)", 5},
		{[]string{"grip_N"}, 5e6, nil, "time (s)", "grip (MN)", 5},
		{[]string{"gap_m"}, 2e-3, nil, "time (s)", "gap (mm)", 2},
		{[]string{"gap_m"}, 2e-3, func(p *Panel) { p.YMin = &low }, "time (s)", "gap (m)", 2e-3},
		{[]string{"gap_m"}, 2e-3, func(p *Panel) { p.HLines = []GuideLine{{At: 1e-3}} }, "time (s)", "gap (m)", 2e-3},
		{[]string{"gap_m"}, 2e-3, func(p *Panel) { p.LogY = true }, "time (s)", "gap (m)", 2e-3},
		{[]string{"gap_m"}, 2e-3, func(p *Panel) { p.YUnit, p.XUnit = "um", "ms" }, "time (ms)", "gap (µm)", 2000},
		{[]string{"left_N", "right_N"}, 5, nil, "time (s)", "force (N)", 5},
		{[]string{"left_N", "gap_m"}, 5, nil, "time (s)", "value", 5},
		{[]string{"grip_N"}, 5, func(p *Panel) { p.YLabel, p.XLabel = "F", "t (s)" }, "t (s)", "F", 5},
		// a title of the panel states the unit of values that keep it
		{[]string{"grip_N"}, 5e6, func(p *Panel) { p.YLabel = "F (N)" }, "time (s)", "F (N)", 5e6},
		{[]string{"gap_m"}, 2e-3, func(p *Panel) { p.YLabel, p.YUnit = "gap (mm)", "mm" }, "time (s)", "gap (mm)", 2},
		// so does a label; names that look like a unit, percents and numbers included
		{[]string{"m"}, 5, labelled("m", "top (N)"), "time (s)", "top (N)", 5},
		{[]string{"m"}, 2e-3, labelled("m", "top (N)"), "time (s)", "top (N)", 2e-3},
		{[]string{"m"}, 2e-3, labelled("m", "top"), "time (s)", "top (mm)", 2},
		{[]string{"gap_m"}, 2e-3, labelled("gap_m", "gap (m)"), "time (s)", "gap (m)", 2e-3},
		{[]string{"error_m"}, 2e-3, labelled("error_m", "error (%)"), "time (s)", "error (%)", 2e-3},
		{[]string{"N"}, 2e-3, labelled("N", "share (–)"), "time (s)", "share (–)", 2e-3},
		{[]string{"grip_N"}, 5e6, labelled("grip_N", "grip (kN)"), "time (s)", "grip (kN)", 5e6},
		// labels of several columns: their units count, not those of the names
		{[]string{"m", "x"}, 2e-3, labelled("m", "top (N)", "x", "low (N)"), "time (s)", "force (N)", 2e-3},
		{[]string{"m", "grip_N"}, 5, labelled("m", "top (N)"), "time (s)", "force (N)", 5},
		{[]string{"left_N", "right_N"}, 5, labelled("left_N", "grip (left)", "right_N", "grip (right)"), "time (s)", "force (N)", 5},
		{[]string{"grip_N"}, 5e6, labelled("grip_N", "grip (left)"), "time (s)", "grip (left) (MN)", 5},
		{[]string{"m", "z"}, 2e-3, labelled("m", "top (N)"), "time (s)", "value", 2e-3},
		{[]string{"share"}, 5, nil, "time (s)", "share", 5},
	} {
		p := Panel{Signals: c.columns}
		if c.set != nil {
			c.set(&p)
		}
		chart := oneChart(t, p, c.columns, c.top)
		points := chart.Lines[0].Points
		if got := points[len(points)-1][1]; chart.X != c.x || chart.Y != c.y || math.Abs(got-c.value) > 1e-12*c.value {
			t.Errorf("%v up to %g: axes %q and %q, value %v, want %q, %q and %v", c.columns, c.top, chart.X, chart.Y, got, c.x, c.y, c.value)
		}
	}
	// a formula has no unit of its own
	if c := oneChart(t, Panel{Signals: []string{"2*grip_N"}}, []string{"grip_N"}, 5); c.Y != "2*grip_N" || c.Lines[0].Points[1][1] != 10 {
		t.Errorf("a formula: %q, %v", c.Y, c.Lines[0].Points)
	}
	if c := oneChart(t, Panel{Signals: []string{"1/grip_N", "2/grip_N"}}, []string{"grip_N"}, 5); c.Y != "value" {
		t.Errorf("two formulas: %q", c.Y)
	}
}

// A label with a unit states that of the values: they are not converted, unless the panel
// gives a unit.
func TestLabelsStateTheUnitOfValues(t *testing.T) {
	for _, c := range []struct {
		plot, y string
		value   float64
	}{
		{"{signals: [z]}", "height (m)", 2},
		{"{signals: [z], y_unit: mm}", "height (mm)", 2000},
		{"{x: time.step, y: e, group: bodies.ball.mass}", "energy (J)", 1},
	} {
		f, err := drawn(t, "  a: "+strings.Replace(c.plot, "}", ", labels: {z: \"height (m)\", e: \"energy (J)\"}}", 1)+"\n", "a")
		if err != nil {
			t.Fatal(err)
		}
		lines := f.Charts[0].Lines
		if got := lines[len(lines)-1].Points[0][1]; f.Charts[0].Y != c.y || c.value > 1 && math.Abs(got-c.value) > 1e-9 {
			t.Errorf("%s: axis %q, value %v, want %q and %v", c.plot, f.Charts[0].Y, got, c.y, c.value)
		}
	}
}

// A unit of the panel is converted to from that of a label, whatever the name of the column ends in:
// 3 mm are 3000 µm, and 5 kN are no length.
func TestUnitsOfPanelsStartFromThoseOfLabels(t *testing.T) {
	for _, c := range []struct {
		column, label, unit string
		y                   string // title of the axis
		factor              float64
	}{
		{"gap", "gap (mm)", "um", "gap (µm)", 1000},
		{"gap_m", "gap (mm)", "m", "gap (m)", 1e-3},
		{"gap_x", "gap (µm)", "mm", "gap (mm)", 1e-3},
		{"turn", "angle (°)", "rad", "angle (rad)", math.Pi / 180},
		{"top_N", "top (kN)", "N", "top (N)", 1000},
		{"gap_mm", "gap", "m", "gap (m)", 1e-3}, // the label states no unit, the name does
		{"gap_mm", "gap (left)", "m", "gap (left) (m)", 1e-3},
	} {
		p := Panel{YUnit: c.unit, Signals: []string{c.column}}
		labelled(c.column, c.label)(&p)
		chart := oneChart(t, p, []string{c.column}, 3)
		if got := chart.Lines[0].Points[1][1]; math.Abs(got/(3*c.factor)-1) > 1e-12 || chart.Y != c.y {
			t.Errorf("%s in %s: %q up to %g, want %q up to %g", c.label, c.unit, chart.Y, got, c.y, 3*c.factor)
		}
		// the x axis likewise
		p = Panel{XUnit: c.unit, Signals: []string{"other"}, X: c.column}
		labelled(c.column, c.label)(&p)
		chart = oneChart(t, p, []string{c.column, "other"}, 3)
		if got := chart.Lines[0].Points[1][0]; math.Abs(got/(3*c.factor)-1) > 1e-12 || chart.X != c.y {
			t.Errorf("x %s in %s: %q up to %g", c.label, c.unit, chart.X, got)
		}
	}
	// every column is checked, with its own unit
	dir := t.TempDir()
	fakeCase(t, dir, "r", "time_s,gap,top\n0,0,0\n1,1,1\n", "time_s,contacts\n1,5\n")
	p := Panel{YUnit: "mm", Signals: []string{"gap", "top"}}
	labelled("gap", "gap (m)", "top", "top (kN)")(&p)
	_, err := RunFigure(filepath.Join(dir, casesFolder, "r"), &Plot{Panel: p})
	if err == nil || !strings.Contains(err.Error(), "y_unit: top: the values are in kN, which is not mm") {
		t.Errorf("a force in mm: %v", err)
	}
	p.YUnit = "mmm"
	if _, err = RunFigure(filepath.Join(dir, casesFolder, "r"), &Plot{Panel: p}); err == nil || !strings.Contains(err.Error(), `unknown unit "mmm"`) {
		t.Errorf("an unknown unit: %v", err)
	}
}

// Legends state the units of columns that share an axis without a unit, and leave out the one that
// the axis states. What stands in parentheses and is no unit stays.
func TestLegendsStateTheUnitsThatTheAxisDoesNot(t *testing.T) {
	for _, c := range []struct {
		columns []string
		set     func(p *Panel)
		want    string
	}{
		{[]string{"left_N", "gap_mm"}, nil, "left (N); gap (mm)"},
		{[]string{"left_N", "right_N"}, nil, "left; right"},
		{[]string{"a", "b"}, labelled("a", "top (kN)", "b", "gap (mm)"), "top (kN); gap (mm)"},
		{[]string{"a", "b"}, labelled("a", "top (kN)", "b", "low (kN)"), "top; low"},
		{[]string{"left_N", "right_N"}, labelled("left_N", "grip (left)", "right_N", "grip (right)"), "grip (left); grip (right)"},
		{[]string{"left_N", "share"}, nil, "left (N); share"},
		{[]string{"gap_m", "height_mm"}, func(p *Panel) { p.YUnit = "mm" }, "gap; height"},
		{[]string{"left_N", "gap_mm"}, func(p *Panel) { p.YLabel = "all (N)" }, "left; gap"},
	} {
		p := Panel{Signals: c.columns}
		if c.set != nil {
			c.set(&p)
		}
		if got := names(oneChart(t, p, c.columns, 5)); got != c.want {
			t.Errorf("%v: legend %q, want %q", c.columns, got, c.want)
		}
	}
}

// Signals are shown with the unit that the run states: a force push_x is no position. Those of
// different units get panels of their own, and so do those of which nothing is known.
func TestPlotsTakeTheUnitsOfSignals(t *testing.T) {
	dir := t.TempDir()
	fakeCase(t, dir, "r", "time_s,push_x,pull_y,tip_x,rest,count,hits,turn_mm\n0,0,0,0,0,0,0,0\n1,5,5,5,5,5,5,5\n", "time_s,contacts,passes\n1,5,1\n")
	run := filepath.Join(dir, casesFolder, "r")
	panelsOf := func(file string) (list []string) {
		panels, err := PanelsByUnit(run, file, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range panels {
			list = append(list, strings.Join(append(p.Signals, p.Steps...), " "))
		}
		return list
	}
	// before the run has ended names are all that is known; counts of steps share a panel
	if got, want := strings.Join(panelsOf("signals.csv"), "; "), "push_x pull_y tip_x; rest; count; hits; turn_mm"; got != want {
		t.Errorf("panels %s, want %s", got, want)
	}
	if got := strings.Join(panelsOf("steps.csv"), "; "); got != "contacts passes" {
		t.Errorf("panels of steps: %s", got)
	}
	summary := `{"signal_units": {"push_x": "N", "pull_y": "N", "tip_x": "m", "rest": "N", "count": "1", "hits": "1", "turn_mm": "m"}}`
	if err := os.WriteFile(filepath.Join(run, "run.json"), []byte(summary), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(panelsOf("signals.csv"), "; "), "push_x pull_y rest; tip_x; count hits; turn_mm"; got != want {
		t.Errorf("panels %s, want %s", got, want)
	}
	for _, c := range []struct{ columns, unit, y, legend string }{
		{"push_x,pull_y", "", "force (N)", "push x; pull y"},
		{"push_x,tip_x", "", "value", "push x (N); tip x (m)"},
		{"rest", "kN", "rest (kN)", ""},
		{"tip_x", "mm", "tip x (mm)", ""},
	} {
		f, err := RunFigure(run, &Plot{Panel: Panel{Signals: strings.Split(c.columns, ","), YUnit: c.unit}})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(&f.Charts[0]); f.Charts[0].Y != c.y || got != c.legend {
			t.Errorf("%s: %q with %q, want %q with %q", c.columns, f.Charts[0].Y, got, c.y, c.legend)
		}
	}
	if _, err := RunFigure(run, &Plot{Panel: Panel{Signals: []string{"push_x"}, YUnit: "mm"}}); err == nil || !strings.Contains(err.Error(), "push_x: the values are in N, which is not mm") {
		t.Errorf("a force in mm: %v", err)
	}
}

// Lines of a chart can be distinguished: no two have the same style, whatever cases, columns
// and groups there are, and a case has one colour in all panels.
func TestLinesCanBeDistinguished(t *testing.T) {
	for _, plot := range []string{
		"{signals: [z]}", "{signals: [z, 2*z]}", "{signals: [z, 2*z, 3*z], where: time.step > 0.015}", "{steps: [contacts]}",
		"{x: time.step, y: e, group: bodies.ball.mass}", "{x: time.step, measures: [m, e], group: bodies.ball.mass}",
		"{signals: [z], group: 'bodies.ball.mass, time.step'}", "{x: bodies.ball.mass, measures: [m, e]}",
	} {
		f, err := drawn(t, "  a: "+plot+"\n", "a")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[render.Style]bool{}
		for _, l := range f.Charts[0].Lines {
			if seen[l.Style] {
				t.Errorf("%s: two lines have the style %+v", plot, l.Style)
			}
			seen[l.Style] = true
		}
	}
	f, err := drawn(t, "  a:\n    where: time.step == 0.01\n    panels: [{signals: [z]}, {steps: [contacts]}, {signals: [2*z], where: bodies.ball.mass > 0}]\n", "a")
	if err != nil {
		t.Fatal(err)
	}
	colors := map[string]int{}
	for i := range 2 {
		for _, l := range f.Charts[i].Lines {
			if c, ok := colors[l.Name]; ok && c != l.Style.Color {
				t.Errorf("%s has the colours %d and %d", l.Name, c, l.Style.Color)
			}
			colors[l.Name] = l.Style.Color
		}
	}
	if len(colors) != 2 || colors["heavy"] == colors["m = 1 kg"] {
		t.Errorf("colours %v", colors)
	}
}

// Tables of points: one line for each group, ascending in x, of the cases that have both
// numbers.
func TestPointsOfTheTable(t *testing.T) {
	f, err := drawn(t, "  a: {x: time.step, y: e, group: bodies.ball.mass, fit: false}\n  b: {x: e, y: m}\n", "a")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[[0.01 0.01] [0.02 0.02]]", "[[0.01 0.02] [0.02 0.04]]"} {
		if got := fmt.Sprint(f.Charts[0].Lines[i].Points); got != want {
			t.Errorf("line %d: %s, want %s", i, got, want)
		}
	}
	if f.Charts[0].Lines[0].Style.Mark == 0 {
		t.Error("points of the table have no marks")
	}
}

// Panels that show the same x above each other share its axis; any difference in name,
// unit, limits, kind or scale keeps them apart.
func TestPanelsShareEqualAxesOnly(t *testing.T) {
	limit, other := 1.0, 2.0
	base := func() *resolvedPanel { return &resolvedPanel{Panel: Panel{X: "a"}} }
	for name, change := range map[string]func(p *resolvedPanel){
		"name": func(p *resolvedPanel) { p.X = "b" }, "unit": func(p *resolvedPanel) { p.XUnit = "mm" }, "label": func(p *resolvedPanel) { p.XLabel = "l" },
		"log": func(p *resolvedPanel) { p.LogX = true }, "fft": func(p *resolvedPanel) { p.FFT = true }, "file": func(p *resolvedPanel) { p.file = "f" },
		"min": func(p *resolvedPanel) { p.XMin = &limit }, "max": func(p *resolvedPanel) { p.XMax = &other },
	} {
		p := base()
		change(p)
		if sameX([]*resolvedPanel{base(), p}) || !sameX([]*resolvedPanel{p, p}) || !sameX([]*resolvedPanel{base(), base(), base()}) {
			t.Errorf("panels that differ in %s", name)
		}
	}
	a, b, equal := base(), base(), 1.0
	a.XMin, b.XMin = &limit, &equal
	if !sameX([]*resolvedPanel{a, b}) {
		t.Error("equal limits are not the same")
	}
}

func TestMistakesOfPanelsSayWhatToGive(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                   "plots.a: give exactly one of y, measures, signals and steps",
		"{y: e, signals: [z]}": "give exactly one of",
		"{x: time.step, y: f}": `plots.a: unknown column "f"`,
		"{x: q, y: e}":         `unknown column "q"`,
		"{x: time.step, measures: [], y_unit: m}": "plots.a.measures: the list is empty",
		"{steps: [], y_unit: m}":                  "plots.a.steps: the list is empty",
		"{signals: [z, z+]}":                      "study.yaml:8:20: plots.a.signals: ",
		"{steps: [z]}":                            `plots.a.steps: unknown column "z"`,
		"{signals: [z], over: [5, 6]}":            "no row lies between 5 and 6 s: the last one is at 1 s",
		"{signals: [z], where: 1 + 1}":            "plots.a.where: ",
		"{signals: [z], log_x: true, x_min: -1}":  "the lower limit of a logarithmic axis must be above 0",
		"{x: time.step, y: e, x_unit: kgg}":       `plots.a.x_unit: unknown unit "kgg"`,
	} {
		if _, err := drawn(t, "  a: "+text+"\n", "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %q in it", text, err, want)
		}
	}
}
