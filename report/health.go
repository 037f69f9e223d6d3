package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/study"
)

// How well a run was computed, and how fast. The scheme has errors of its own, which a reader of results needs:
//
//	did not converge         Newton's method stopped before its tolerance: the step is no solution
//	penetration / thickness  bodies overlap by what springs of contacts yield; near 1 a thin body may be passed
//	friction lacking         the lagged law bounds friction by the normal force of the step before; what a contact
//	                         would have needed beyond it, over what it may have
//	energy gained            J that the scheme added over the run, which physics does not give
//
// Charts are those of steps.csv, one for each column, over time (s).

// health shows how well the steps were solved.
func health(dir string, s *record.Summary) (*Section, error) {
	// friction of the lagged law is bounded by the normal force of the step before: what is lacking is its error
	lag := &s.FrictionLag
	// bounds of these verdicts: every step converges, overlaps stay below a tenth of the thickness, and friction lacks
	// less than a tenth
	sec := &Section{Title: "Health of the solver", Facts: []Fact{
		judged("steps that did not converge", fmt.Sprintf("%d of %d", s.Unconverged, s.Steps), s.Unconverged == 0),
		judged("steps whose deformables did not converge", fmt.Sprint(s.FreeMotionUnconverged), s.FreeMotionUnconverged == 0),
		{Name: "Newton iterations", Value: "mean " + digits(s.Newton.Mean, 3) + ", at most " + num(s.Newton.Max)},
		{Name: "contacts", Value: "mean " + num(s.Contacts.Mean) + ", at most " + num(s.Contacts.Max)},
		{Name: "largest penetration", Value: quantity(s.Penetration, "m")},
		judged("penetration over thickness", num(s.RelativePenetration), s.RelativePenetration < 0.1),
		judged("friction lacking in one contact", digits(100*lag.Share, 2)+" %", lag.Share < 0.1),
		{Name: "energy gained by the scheme", Value: quantity(s.EnergyGained, "J")},
	}}
	// by name, since the pair shows what to stiffen
	if d := s.DeepestPenetration; d != nil {
		sec.Facts = append(sec.Facts, Fact{Name: "deepest", Value: fmt.Sprintf("%s, %s at %s s", d.Bodies, quantity(d.Depth, "m"), num(d.Time))})
	}
	names := []string{"newton_iterations", "residual", "contacts", "penetration_m", "kinetic_J", "energy_gained_J", "numerical_J", "viscous_J", "lacking_friction"}
	if l := s.StepLengths; l != nil {
		sec.Facts = append(sec.Facts,
			Fact{Name: "steps", Value: fmt.Sprintf("%d of %s to %s, %d rejected", l.Taken, quantity(l.Least, "s"), quantity(l.Most, "s"), l.Rejected)},
			judged(fmt.Sprintf("steps of the least length with an error above %g", l.Accuracy), fmt.Sprint(l.Short), 100*l.Short <= l.Taken))
		names = append(names, "least_step_s", "error_over_accuracy", "rejected")
	}
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
			p := study.Panel{Steps: []string{column}}
			if word, ok := stepWords[column]; ok {
				p.Labels.Keys, p.Labels.Item = []string{column}, map[string]*string{column: &word}
			}
			panels = append(panels, p)
		}
	}
	if len(zero) > 0 {
		sec.Note = "Zero in all steps: " + strings.Join(zero, ", ") + "."
	}
	sec.Figures, err = runCharts(dir, panels)
	return sec, err
}

// stepWords are titles of columns whose names say too little.
var stepWords = map[string]string{
	"newton_iterations": "Newton iterations", "kinetic_J": "kinetic energy", "numerical_J": "numerical dissipation", "viscous_J": "viscous dissipation", "least_step_s": "shortest step", "error_over_accuracy": "error over accuracy", "rejected": "rejected steps",
}

// judged is a fact with a verdict.
func judged(name, value string, good bool) Fact {
	// a number that nobody can judge has the state Plain, and does not come here
	state := Good
	if !good {
		state = Bad
	}
	return Fact{name, value, state}
}

// timing says what steps took.
func timing(dir string, s *record.Summary) (*Section, error) {
	// all times are those of the machine that ran it: they say nothing about the physics
	sec := &Section{Title: "Time", Facts: []Fact{
		{Name: "wall-clock time", Value: quantity(s.Wall, "s")},
		{Name: "simulated time over it", Value: num(s.RealTime)},
		{Name: "step", Value: fmt.Sprintf("%s ms in the mean, %s ms median, %s ms at 95 %%, at most %s ms", num(s.StepMs.Mean), num(s.StepMs.P50), num(s.StepMs.P95), num(s.StepMs.Max))},
		{Name: "threads", Value: fmt.Sprint(s.Threads)},
		{Name: "kernel", Value: s.Kernel},
	}}
	t := &Table{Head: []string{"stage", "mean", "share"}}
	// the share is of the stages' sum, which is less than the step's time
	total := 0.0
	for _, ms := range s.StageMs {
		total += ms
	}
	// the stages in the order of a step; unknown ones after them
	names := []string{"place", "collide", "free_motion", "constrain", "solve", "advance"}
	for _, name := range names {
		if ms, ok := s.StageMs[name]; ok && total > 0 {
			t.Rows = append(t.Rows, TableRow{Cells: []string{strings.ReplaceAll(name, "_", " "), digits(ms, 3) + " ms", digits(100*ms/total, 2) + " %"}})
		}
	}
	sec.Tables = append(sec.Tables, t)
	const column, word = "wall_ms", "time of a step"
	steps, err := record.ReadColumns(dir, record.StepsFile, []string{column})
	if err != nil || steps.Column(column) == nil {
		return sec, nil // the numbers are those of the summary
	}
	title := word
	p := study.Panel{Steps: []string{column}}
	p.Labels.Keys, p.Labels.Item = []string{column}, map[string]*string{column: &title}
	sec.Figures, err = runCharts(dir, []study.Panel{p})
	return sec, err
}
