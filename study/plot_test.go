package study

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/render"
)

// drawn makes the tables of the study's cases, of z = m (1 − t) with m its mass, and
// returns a figure.
func drawn(t *testing.T, plots, name string) (*render.Figure, error) {
	t.Helper()
	s, err := Load(write(t, `
scene: scene.yaml
cases: {bodies.ball.mass: [1, 2], time.step: [0.02, 0.01]}
reference: {time.step: 0.001}
labels: {bodies.ball.mass: "m (kg)", "2": heavy, z: "height (m)", reference: exact}
measures: {m: {signal: z, stat: first}, e: {expr: time.step*bodies.ball.mass}}
plots:
`+plots))
	if err != nil {
		return nil, err
	}
	dir := t.TempDir()
	for i := range s.Cases {
		m := at(t, s, &s.Cases[i], "bodies.ball.mass")
		signals := "time_s,z\n0,M\n0.5,0\n1,-M\n"
		fakeCase(t, dir, s.Cases[i].Name, strings.ReplaceAll(signals, "M", m), "time_s,contacts\n0.5,1\n1,2\n")
	}
	rows, err := s.Redraw(dir)
	if err != nil {
		return nil, err
	}
	for _, ext := range []string{".png", ".svg"} {
		if st, err := os.Stat(filepath.Join(dir, name+ext)); err != nil || st.Size() == 0 {
			t.Errorf("%s%s: %v", name, ext, err)
		}
	}
	i := slices.IndexFunc(s.plots, func(f resolvedPlot) bool { return f.name == name })
	return s.buildFigure(&s.plots[i], filepath.Join(dir, casesFolder), rows)
}

func names(c *render.Chart) string {
	var out []string
	for _, l := range c.Lines {
		out = append(out, l.Name)
	}
	return strings.Join(out, "; ")
}

func TestHistoriesOfChosenCases(t *testing.T) {
	f, err := drawn(t, `
  a:
    where: time.step == 1e-2
    reference: true
    over: [0.5, 1]
    panels:
      - {signals: [z], y_unit: mm, x_unit: ms, h_lines: [{at: 3, label: bound}], notes: [{at: [1, 2], text: here, align: right}]}
      - {steps: [contacts, 2*contacts], x_max: 2, title: steps}
      - {signals: [z], x: z + 1, group: bodies.ball.mass}
`, "a")
	if err != nil {
		t.Fatal(err)
	}
	c := f.Charts[0]
	// both references have one label and are drawn first
	if got := names(&c); got != "exact; exact; m = 1 kg; heavy" {
		t.Errorf("lines %q", got)
	}
	if !c.Lines[0].Style.Wide || c.Lines[2].Style == c.Lines[3].Style || c.Lines[3].Style.Dash == 0 {
		t.Errorf("styles %+v", c.Lines)
	}
	if got := c.Lines[3].Points; len(got) != 2 || got[0] != [2]float64{500, 0} || got[1] != [2]float64{1000, -2000} {
		t.Errorf("points %v", got)
	}
	if c.X != "time (ms)" || c.Y != "height (mm)" || len(c.Rules) != 1 || c.Rules[0].At != 3 || c.Notes[0].Align != "right" {
		t.Errorf("%+v", c)
	}
	c = f.Charts[1]
	if c.Title != "steps" || c.X != "time (s)" || len(c.Lines) != 8 || c.Max[0] == nil || *c.Max[0] != 2 {
		t.Errorf("%+v", c)
	}
	// cases by colour, columns by dash
	if len(c.Keys) != 5 || c.Keys[3].Name != "contacts" || !c.Keys[3].Grey || c.Keys[4].Style.Dash != 1 || c.Keys[2].Style.Color != 1 {
		t.Errorf("keys %+v", c.Keys)
	}
	if c.Lines[7].Points[1] != [2]float64{1, 4} {
		t.Errorf("twice the contacts: %v", c.Lines[7].Points)
	}
	c = f.Charts[2]
	if got := c.Lines[3].Points; c.X != "z + 1" || got[1] != [2]float64{-1, -2} {
		t.Errorf("%s: %v", c.X, got)
	}
	if f.ShareX || !f.Letters {
		t.Errorf("shares %v, letters %v", f.ShareX, f.Letters)
	}
}

func TestChartsOfTheTable(t *testing.T) {
	f, err := drawn(t, `
  a: {x: time.step, y: e, group: bodies.ball.mass, log_x: true, log_y: true, order: 1, x_unit: ms}
  b: {x: bodies.ball.mass, measures: [m, e], where: e > 0.011}
  c: {x: time.step, y: e, share_x: false, letters: true, panels: [{}, {fit: false, x_min: 0.01}]}
`, "a")
	if err != nil {
		t.Fatal(err)
	}
	c := f.Charts[0]
	if got := names(&c); got != "m = 1 kg, order 1.00; heavy, order 1.00" {
		t.Errorf("lines %q", got)
	}
	if got := c.Lines[1].Points; len(got) != 2 || math.Abs(got[0][0]-10) > 1e-12 || math.Abs(got[1][1]-0.04) > 1e-15 || c.X != "step (ms)" || c.Order != 1 {
		t.Errorf("%v, %+v", got, c)
	}
	f, err = drawn(t, "  b: {x: bodies.ball.mass, measures: [m, e], where: e > 0.011, y_label: both}\n", "b")
	if err != nil {
		t.Fatal(err)
	}
	// 0.02·1, 0.02·2 and 0.01·2 meet the condition, at two masses
	if c := f.Charts[0]; len(c.Lines) != 4 || len(c.Lines[0].Points) != 2 || len(c.Lines[1].Points) != 1 || c.X != "m (kg)" || c.Y != "both" {
		t.Errorf("%+v", c.Lines)
	}
	// without a group, cases of one x are distinguished
	f, err = drawn(t, "  c: {x: time.step, y: e, letters: false, panels: [{}, {fit: false, x_min: 0.01}]}\n", "c")
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Charts[0]; names(&c) != "m = 1 kg; heavy" || f.Letters || f.ShareX || len(f.Charts) != 2 {
		t.Errorf("%q", names(&c))
	}
}

// Of two groups the first has colours and marks, the second dashes.
func TestTwoGroupsHaveColoursAndDashes(t *testing.T) {
	f, err := drawn(t, "  a: {signals: [z], group: \"bodies.ball.mass, time.step\"}\n", "a")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []render.Style{{Mark: 1}, {Dash: 1, Mark: 1}, {Color: 1, Mark: 2}, {Color: 1, Dash: 1, Mark: 2}} {
		if got := f.Charts[0].Lines[i].Style; got != want {
			t.Errorf("line %d: %+v, want %+v", i, got, want)
		}
	}
	if got := names(&f.Charts[0]); got != "m = 1 kg, step = 0.02; m = 1 kg, step = 0.01; heavy, step = 0.02; heavy, step = 0.01" {
		t.Errorf("lines %q", got)
	}
}

func TestMistakesOfPlotsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"  a: {x: time.step}":  "exactly one of y, measures, signals and steps",
		"  a: {y: e}":          "plots.a.x",
		"  a: {signals: [zz]}": "study.yaml:8:17: plots.a.signals: unknown signal \"zz\"",
		"  a:\n    panels:\n      - {signals: [z]}\n      - {steps: [z]}": "study.yaml:11:18: plots.a.panels.1.steps",
		"  a: {signals: []}":                                    "plots.a.signals: the list is empty",
		"  a: {signals: [z], x: xx}":                            "plots.a.x: unknown signal",
		"  a: {signals: [z], where: mas > 1}":                   "plots.a.where: \"mas > 1\", character 1: unknown name mas",
		"  a: {signals: [z], where: bodies.ball.mas > 1}":       `bodies.ball has no "mas": did you mean "mass"`,
		"  a: {signals: [z], group: mass}":                      "is not varied",
		"  a: {signals: [z], legend: topleft}":                  `did you mean "top_left"`,
		"  a: {signals: [z], x_unit: mm}":                       "time_s is in s, which is not mm",
		"  a: {signals: [z], y_unit: mmm}":                      `unknown unit "mmm"`,
		"  a: {signals: [z], log_y: true, y_min: 0}":            "must be above 0",
		"  a: {x: time.step, y: e, fft: true}":                  "plots.a.fft: spectra exist of signals or steps over time only",
		"  a: {signals: [z], x: z, fft: true}":                  "plots.a.x: spectra are taken over time",
		"  a: {signals: [z], x_unit: ms, fft: true}":            "plots.a.x_unit: spectra are over the frequency",
		"  a: {signals: [z], peaks: 3}":                         "plots.a.peaks: only spectra have peaks",
		"  a: {signals: [z], peaks: -1, fft: true}":             "plots.a.peaks: -1 is negative: give 0 or more",
		"  a: {signals: [z], fft: true}":                        "3 samples are too few for a spectrum",
		"  a: {signals: [z], notes: [{at: [1, 2], align: up}]}": "left, center or right",
		"  a/b: {signals: [z]}":                                 "the name is used for a file",
		"  a: {signals: [z], where: bodies.ball.mass > 5}":      "nothing to draw",
	} {
		if _, err := drawn(t, text+"\n", "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %q in it", text, err, want)
		}
	}
}

// The spectrum of 0.3 sin 2π 12.5 t + 0.1 sin 2π 100 t has these two peaks; lines at
// named frequencies and limits are in Hz.
func TestPanelsShowSpectra(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("time_s,torque_Nm\n")
	for k := range 2000 {
		at := float64(k) * 1e-3
		fmt.Fprintf(&b, "%g,%g\n", at, 5+0.3*math.Sin(2*math.Pi*12.5*at)+0.1*math.Sin(2*math.Pi*100*at))
	}
	fakeCase(t, dir, "r", b.String(), "time_s,contacts\n1,5\n")
	marks := []GuideLine{{At: 12.5, Label: "worm"}}
	spectrum := Panel{Signals: []string{"torque_Nm"}, FFT: true, VLines: marks, Notes: []Note{{Text: "quiet"}}}
	short := spectrum
	high, none := 50.0, 0
	short.XMax, short.YLabel, short.XLabel, short.Peaks = &high, "torque", "f", &none
	f, err := RunFigure(filepath.Join(dir, casesFolder, "r"), &Plot{Panels: []Panel{{Signals: []string{"torque_Nm"}}, spectrum, short}})
	if err != nil {
		t.Fatal(err)
	}
	if c := &f.Charts[0]; c.Lines[0].Peaks != nil || c.X != "time (s)" || f.ShareX {
		t.Errorf("the chart over time: %q, one axis with the spectra: %v", c.X, f.ShareX)
	}
	c := &f.Charts[1]
	if peaks := c.Lines[0].Peaks; len(peaks) != 2 || math.Abs(peaks[0].Frequency-12.5) > 0.01 || math.Abs(peaks[0].Amplitude-0.3) > 1e-3 || math.Abs(peaks[1].Frequency-100) > 0.01 {
		t.Errorf("peaks %v", peaks)
	}
	if c.X != "frequency (Hz)" || c.Y != "amplitude of torque (N m)" || len(c.Rules) != 1 || !c.Rules[0].Upright || len(c.Notes) != 3 {
		t.Errorf("axes %q and %q, %v, %v", c.X, c.Y, c.Rules, c.Notes)
	}
	if c := &f.Charts[2]; c.X != "f" || c.Y != "torque" || len(c.Lines[0].Peaks) != 0 || *c.Max[0] != 50 {
		t.Errorf("axes %q and %q, %v", c.X, c.Y, c.Lines[0].Peaks)
	}
}

func TestNumbersAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"2e-3": "0.002", "2e-2": "2×10^{−2}", "1": "1", "1e-2": "0.01", "0.5": "0.5", "1000": "1000", "1e7": "10^{7}", "-2.5e-6": "−2.5×10^{−6}", "0": "0", "4e-6": "4×10^{−6}",
	} {
		if got := formatNumber(text, strings.Contains(want, "^")); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}

func TestSingleRunsHaveFiguresToo(t *testing.T) {
	dir := t.TempDir()
	fakeCase(t, dir, "r", "time_s,tip_x,grip_N,pull_N\n0,0,1,2\n1,1,2,3\n", "time_s,contacts\n1,5\n")
	run := filepath.Join(dir, casesFolder, "r")
	panels, err := PanelsByUnit(run, "signals.csv", nil)
	if err != nil || len(panels) != 2 || !slices.Equal(panels[1].Signals, []string{"grip_N", "pull_N"}) {
		t.Fatalf("%+v, %v", panels, err)
	}
	f, err := RunFigure(run, &Plot{Panels: panels, Panel: Panel{Title: "both"}})
	if err != nil || f.Title != "both" || len(f.Charts) != 2 || names(&f.Charts[1]) != "grip; pull" || f.Charts[1].Y != "force (N)" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := RunFigure(run, &Plot{Panels: []Panel{{Signals: []string{"grip_M"}}}}); err == nil || !strings.HasPrefix(err.Error(), "signals: unknown signal \"grip_M\": did you mean \"grip_N\"") {
		t.Errorf("got %v", err)
	}
	if _, err := RunFigure(run, &Plot{Panels: []Panel{{Signals: []string{"nosuch"}}}}); err == nil || !strings.HasSuffix(err.Error(), ": the choices are time_s, tip_x, grip_N, pull_N") {
		t.Errorf("got %v", err)
	}
}

// The worked example of the documentation is a study that loads.
func TestTheDocumentedStudyLoads(t *testing.T) {
	doc, err := os.ReadFile("../docs/scene.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(doc), "# Study files")
	_, text, ok2 := strings.Cut(text, "```yaml\n")
	text, _, ok3 := strings.Cut(text, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("there is no example")
	}
	path := write(t, text)
	const rod = `
time: {step: 1e-4, duration: 0.02}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  rod: {mass: 1, shapes: [{sphere: {radius: 0.1}}], pose: {xyz: [0, 0, 1]}}
signals:
  rod_x: {body: rod, position: x}
  rod_z: {body: rod, position: z}
  rod_force_N: {body: rod, contact_force: z}
`
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "rod.yaml"), []byte(rod), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	// three laws, two damped, three steps; a reference for each damping
	if len(s.Cases) != 20 {
		t.Errorf("%d cases", len(s.Cases))
	}
	want := 0.1275 + 2.3*(1.6e-4+4e-6)*10
	if z, _ := parseNumber(at(t, s, &s.Cases[17], "bodies.rod.pose.xyz.2")); math.Abs(z-want) > 1e-15 {
		t.Errorf("the rod starts at %v, want %v", z, want)
	}
}
