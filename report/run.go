package report

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/study"
)

// Bounds of what a report shows.
const (
	stripTimes  = 4   // pictures of a run
	mostBodies  = 12  // rows of tables of bodies
	mostMaps    = 4   // faces of deformables
	mostCases   = 200 // rows of the table of a study
	mostPanels  = 12  // panels of a chart of signals
	stripWidth  = 640 // pixels of a picture
	stripHeight = 480
)

// Run makes the report of a run folder.
func Run(dir string) (*Document, error) {
	var s record.Summary
	b, err := inputfile.Read(filepath.Join(dir, record.SummaryFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: a report needs a run that has ended", dir, err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, record.SummaryFile), err)
	}
	rec, err := record.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	d := &Document{Kind: "run", Title: firstLine(rec.Static.Title, filepath.Base(s.Scene)), Facts: runFacts(&s)}
	d.Verdict, d.State = verdict(&s)
	pictures, err := strip(rec)
	if err != nil {
		return nil, err
	}
	signals, err := signalCharts(dir)
	if err != nil {
		return nil, err
	}
	maps, err := pressureMaps(rec)
	if err != nil {
		return nil, err
	}
	health, err := health(dir, &s)
	if err != nil {
		return nil, err
	}
	d.add(pictures, checks(&s), signals, maps, simulated(&s, rec), health, timing(&s), warnings(&s))
	return d, rec.Err()
}

// add appends the sections that have content.
func (d *Document) add(sections ...*Section) {
	for _, s := range sections {
		if s != nil {
			d.Sections = append(d.Sections, s)
		}
	}
}

// firstLine returns the first line of a text, or another text where that is empty.
func firstLine(text, other string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text == "" {
		return other
	}
	return text
}

// runFacts identify a run.
func runFacts(s *record.Summary) []Fact {
	return []Fact{
		{Name: "scene", Value: filepath.Base(s.Scene)},
		{Name: "duration", Value: num(s.Duration) + " s"},
		{Name: "time step", Value: quantity(s.TimeStep, "s")},
		{Name: "contact law", Value: s.ContactModel},
		{Name: "degrees of freedom", Value: fmt.Sprintf("%d rigid, %d deformable", s.Dofs.Rigid, s.Dofs.Deformable)},
		{Name: "version", Value: s.Version},
		{Name: "digest of inputs", Value: s.Inputs},
		{Name: "hash of the last state", Value: s.StateHash},
	}
}

// verdict tells whether all expectations are met.
func verdict(s *record.Summary) (string, State) {
	failed, open := len(s.FailedChecks()), len(s.UnreachedChecks())
	switch {
	case failed > 0:
		return fmt.Sprintf("%d of %d checks failed", failed, len(s.Checks)), Bad
	case s.Unconverged > 0:
		return fmt.Sprintf("%d steps did not converge", s.Unconverged), Bad
	case len(s.Checks) == 0:
		return "nothing was expected", Plain
	case open > 0:
		return fmt.Sprintf("%d of %d checks were not reached", open, len(s.Checks)), Open
	}
	return fmt.Sprintf("all %d checks hold", len(s.Checks)), Good
}

// strip draws pictures at times from the start to the end.
func strip(rec *record.Recording) (*Section, error) {
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return nil, err
	}
	opt.Size = [2]int{stripWidth, stripHeight}
	p, err := render.NewPainter(rec, opt)
	if err != nil {
		return nil, err
	}
	s := &Section{Title: "Pictures"}
	first, last := rec.Time(0), rec.Time(rec.Len()-1)
	n := min(stripTimes, rec.Len())
	for k := range n {
		t := last
		if n > 1 {
			t = first + (last-first)*float64(k)/float64(n-1)
		}
		png, err := pngOf(p.Picture(t))
		if err != nil {
			return nil, err
		}
		s.Figures = append(s.Figures, Figure{Caption: fmt.Sprintf("t = %.4g s", t), PNG: png, Share: 0.5})
	}
	return s, rec.Err()
}

// checks are the expectations of the scene.
func checks(s *record.Summary) *Section {
	if len(s.Checks) == 0 {
		return nil
	}
	t := &Table{Head: []string{"check", "of", "value", "bound", "verdict"}}
	for _, c := range s.Checks {
		state, word := Good, "holds"
		switch {
		case c.NotReached:
			state, word = Open, "not reached"
		case !c.OK:
			state, word = Bad, "fails"
		}
		unit := checkedUnit(&c, s.SignalUnits)
		value := strings.TrimSpace(precise(c.Value) + " " + unit)
		if c.NotReached {
			value = "–"
		}
		t.Rows = append(t.Rows, TableRow{[]string{c.Name, checkedOf(&c), value, strings.TrimSpace(bound(c.Bound) + " " + unit), word}, state})
	}
	return &Section{Title: "Checks", Tables: []*Table{t}}
}

// checkedOf tells what was compared: a statistic of a signal, or a number of the run.
func checkedOf(c *record.CheckResult) string {
	switch {
	case c.Run != "":
		return c.Run
	case c.Signal == "":
		return "–" // runs of older versions do not say
	case c.Stat == "":
		return c.Signal + ", last"
	}
	return c.Signal + ", " + strings.ReplaceAll(c.Stat, "_", " ")
}

// checkedUnit returns the unit of what was compared; empty for pure numbers and where nobody says it. Signals that a
// scene scales tell their unit by their name alone, as numbers of the run do.
func checkedUnit(c *record.CheckResult, units map[string]string) string {
	if c.Stat == "relative_std" {
		return ""
	}
	unit := units[c.Signal]
	if unit == "" {
		unit, _ = render.Unit(c.Signal + c.Run) // one of them is empty
	}
	if unit == "1" {
		return ""
	}
	return unit
}

// precise writes a number with the six digits that bounds have.
func precise(x float64) string {
	return strings.ReplaceAll(strconv.FormatFloat(x, 'g', 6, 64), "-", "−")
}

// bound writes a bound with the signs of print.
func bound(text string) string {
	return strings.NewReplacer(">=", "≥", "<=", "≤", "-", "−").Replace(text)
}

// signalCharts draws all signals over time, a panel for each unit.
func signalCharts(dir string) (*Section, error) {
	head, err := record.ReadHeader(dir, record.SignalsFile)
	if err != nil || len(head) < 2 {
		return nil, nil // a run without signals has no chart
	}
	panels, err := study.PanelsByUnit(dir, record.SignalsFile, nil)
	if err != nil {
		return nil, err
	}
	s := &Section{Title: "Signals"}
	if len(panels) > mostPanels {
		s.Note = fmt.Sprintf("The first %d of %d panels.", mostPanels, len(panels))
		panels = panels[:mostPanels]
	}
	// charts of two columns fill the page; each figure has its own panels, so that pages can break
	for chunk := range slices.Chunk(panels, 2) {
		f, err := runChart(dir, chunk)
		if err != nil {
			return nil, err
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

// runChart draws panels of a run folder side by side.
func runChart(dir string, panels []study.Panel) (Figure, error) {
	letters := false
	fig, err := study.RunFigure(dir, &study.Plot{Panels: panels, Columns: len(panels), Width: 8.9 * float64(len(panels)), Height: 4.2, Letters: &letters})
	if err != nil {
		return Figure{}, err
	}
	f, err := chart(fig)
	f.Share = 0.5 * float64(len(panels))
	return f, err
}

// pressureMaps unrolls the faces of deformables that contacts press.
func pressureMaps(rec *record.Recording) (*Section, error) {
	s := &Section{Title: "Pressure on faces", Note: "Faces of deformables unrolled into a plane, at the time of the largest normal force and at the end. Pressure is force per area of the undeformed face."}
	for i := range rec.Static.Deformables {
		if len(s.Figures) == mostMaps {
			break
		}
		face, err := rec.Unroll(rec.Static.Deformables[i].Name, r3.Vec{})
		if rec.Err() != nil {
			return nil, rec.Err()
		}
		if err != nil {
			continue // nothing presses on it
		}
		k, err := rec.MostPressed(face)
		if err != nil {
			return nil, err
		}
		var maps []*record.Taxels
		for _, k := range slices.Compact([]int{k, rec.Len() - 1}) {
			x, err := rec.Taxels(face, k, face.DefaultCell())
			if err != nil {
				return nil, err
			}
			maps = append(maps, x)
		}
		f, err := chart(render.TaxelFigure(face, maps))
		if err != nil {
			return nil, err
		}
		f.Caption = fmt.Sprintf("%s: normal force %s N at %s s", face.Body, num(maps[0].Normal), num(maps[0].Time))
		s.Figures = append(s.Figures, f)
	}
	if len(s.Figures) == 0 {
		return nil, nil
	}
	return s, nil
}

// simulated tells which bodies there were, with the quality of their meshes, and the parts of the scene file that say
// what they are made of.
func simulated(s *record.Summary, rec *record.Recording) *Section {
	sec := &Section{Title: "What was simulated"}
	if n := len(rec.Static.Deformables); n > 0 {
		t := &Table{Head: []string{"deformable", "vertices", "tetrahedra", "volume", "edges", "least angle", "radius ratio, mean and least"}}
		for i := range rec.Static.Deformables[:min(n, mostBodies)] {
			d := &rec.Static.Deformables[i]
			q := meshes.TetQuality(&meshes.Tet{Verts: d.Rest, Tets: d.Tets})
			t.Rows = append(t.Rows, TableRow{Cells: []string{
				d.Name, fmt.Sprint(len(d.Rest)), fmt.Sprint(len(d.Tets)), num(q.Volume*1e6) + " cm³",
				quantity(q.MinEdge, "m") + " to " + quantity(q.MaxEdge, "m"), fmt.Sprintf("%.0f°", q.MinDihedral*180/math.Pi),
				fmt.Sprintf("%.2f, %.2f", q.MeanRatio, q.MinRatio),
			}})
		}
		sec.Tables = append(sec.Tables, t)
	}
	if n := len(rec.Static.Bodies); n > 0 {
		shapes := make([]int, n)
		for i := range rec.Static.Geoms {
			if b := rec.Static.Geoms[i].Body; b >= 0 {
				shapes[b]++
			}
		}
		t := &Table{Head: []string{"rigid body", "shapes"}}
		for i, name := range rec.Static.Bodies[:min(n, mostBodies)] {
			t.Rows = append(t.Rows, TableRow{Cells: []string{name, fmt.Sprint(shapes[i])}})
		}
		sec.Tables = append(sec.Tables, t)
		if n > mostBodies {
			sec.Note = fmt.Sprintf("The first %d of %d rigid bodies.", mostBodies, n)
		}
	}
	tables, note := sceneParts(s.Scene)
	sec.Tables = append(sec.Tables, tables...)
	sec.Note = strings.TrimSpace(sec.Note + " " + note)
	return sec
}

// health shows how well the steps were solved.
func health(dir string, s *record.Summary) (*Section, error) {
	lag := &s.FrictionLag
	sec := &Section{Title: "Health of the solver", Facts: []Fact{
		judged("steps that did not converge", fmt.Sprintf("%d of %d", s.Unconverged, s.Steps), s.Unconverged == 0),
		judged("steps whose deformables did not converge", fmt.Sprint(s.FreeMotionUnconverged), s.FreeMotionUnconverged == 0),
		{Name: "Newton iterations", Value: fmt.Sprintf("%.3g in the mean, at most %g", s.Newton.Mean, s.Newton.Max)},
		{Name: "contacts", Value: fmt.Sprintf("%.4g in the mean, at most %g", s.Contacts.Mean, s.Contacts.Max)},
		{Name: "largest penetration", Value: quantity(s.Penetration, "m")},
		judged("penetration over thickness", num(s.RelativePenetration), s.RelativePenetration < 0.1),
		judged("friction lacking in one contact", fmt.Sprintf("%.2g %%", 100*lag.Share), lag.Share < 0.1),
		{Name: "energy gained by the scheme", Value: quantity(s.EnergyGained, "J")},
	}}
	if d := s.DeepestPenetration; d != nil {
		sec.Facts = append(sec.Facts, Fact{Name: "deepest", Value: fmt.Sprintf("%s, %s at %s s", d.Bodies, quantity(d.Depth, "m"), num(d.Time))})
	}
	names := []string{"newton_iterations", "residual", "contacts", "penetration_m", "kinetic_J", "energy_gained_J", "lacking_friction", "wall_ms"}
	steps, err := record.ReadColumns(dir, record.StepsFile, names)
	if err != nil {
		return sec, nil // the numbers are those of the summary
	}
	var panels []study.Panel
	var zero []string
	for _, column := range names {
		switch x := steps.Column(column); {
		case x == nil:
		case !slices.ContainsFunc(x, func(v float64) bool { return v != 0 }):
			zero = append(zero, strings.ReplaceAll(render.TrimUnit(column), "_", " ")) // a line at 0 needs no chart
		default:
			panels = append(panels, study.Panel{Steps: []string{column}})
		}
	}
	if len(zero) > 0 {
		sec.Note = "Zero in all steps: " + strings.Join(zero, ", ") + "."
	}
	for chunk := range slices.Chunk(panels, 2) {
		f, err := runChart(dir, chunk)
		if err != nil {
			return nil, err
		}
		sec.Figures = append(sec.Figures, f)
	}
	return sec, nil
}

// judged is a fact with a verdict.
func judged(name, value string, good bool) Fact {
	state := Good
	if !good {
		state = Bad
	}
	return Fact{name, value, state}
}

// timing tells what steps took.
func timing(s *record.Summary) *Section {
	sec := &Section{Title: "Time", Facts: []Fact{
		{Name: "wall-clock time", Value: quantity(s.Wall, "s")},
		{Name: "simulated time over it", Value: num(s.RealTime)},
		{Name: "step", Value: fmt.Sprintf("%.4g ms in the mean, %.4g ms median, %.4g ms at 95 %%, at most %.4g ms", s.StepMs.Mean, s.StepMs.P50, s.StepMs.P95, s.StepMs.Max)},
		{Name: "threads", Value: fmt.Sprint(s.Threads)},
		{Name: "kernel", Value: s.Kernel},
	}}
	t := &Table{Head: []string{"stage", "mean", "share"}}
	total := 0.0
	for _, ms := range s.StageMs {
		total += ms
	}
	// the stages in the order of a step; unknown ones after them
	names := []string{"place", "collide", "free_motion", "constrain", "solve", "advance"}
	for _, name := range names {
		if ms, ok := s.StageMs[name]; ok && total > 0 {
			t.Rows = append(t.Rows, TableRow{Cells: []string{strings.ReplaceAll(name, "_", " "), fmt.Sprintf("%.3g ms", ms), fmt.Sprintf("%.0f %%", 100*ms/total)}})
		}
	}
	sec.Tables = append(sec.Tables, t)
	return sec
}

// warnings are those of the scene and of the run.
func warnings(s *record.Summary) *Section {
	if len(s.Warnings) == 0 {
		return nil
	}
	return &Section{Title: "Warnings", Texts: s.Warnings}
}
