package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// A panel is resolved before any case runs: its columns exist, its condition compiles, its
// units can be converted to, and its options do not contradict each other. All faults of
// all panels are reported together, each with its position in the file.
//
// A study of hundreds of cases may run for days: a misspelled column is found before the first.

// resolvePlot resolves the names of a plot and returns all of its faults.
func (s *Study) resolvePlot(name string, plot *Plot) (resolvedPlot, []error) {
	f := resolvedPlot{name: name, plot: plot}
	at := "plots/" + name
	var errs []error
	if name == "" || fileSafe(name) != name {
		errs = append(errs, s.fail(at, "plots.%s: the name is used for a file: only letters, digits, -, + and . are allowed", name))
	}
	// a plot without panels is itself the only panel
	panels := plot.Panels
	if len(panels) == 0 {
		panels = []Panel{plot.Panel}
	}
	for i := range panels {
		// panels take from the plot what they do not define
		p := &resolvedPanel{Panel: panels[i]}
		where := at
		if len(plot.Panels) > 0 {
			p.inherit(&plot.Panel)
			where = fmt.Sprintf("%s/panels/%d", at, i)
		}
		r := panelResolver{study: s, p: p, at: where}
		r.resolve()
		errs = append(errs, r.errs...)
		f.panels = append(f.panels, p)
	}
	return f, errs
}

// panelResolver resolves the names of a panel and collects its faults.
type panelResolver struct {
	study *Study
	// p is the panel; its resolved fields are filled in.
	p *resolvedPanel
	// at is the position of the panel in the study file.
	at string
	// errs are the faults so far.
	errs []error
}

// fail notes a fault of a key of the panel.
func (r *panelResolver) fail(key, format string, args ...any) {
	r.errs = append(r.errs, r.study.fail(r.at+"/"+key, dottedPath(r.at)+"."+key+": "+format, args...))
}

// failPanel notes a fault of the panel as a whole.
func (r *panelResolver) failPanel(format string, args ...any) {
	r.errs = append(r.errs, r.study.fail(r.at, dottedPath(r.at)+format, args...))
}

// resolve resolves the panel. A panel that does not say what it shows is not examined
// further.
func (r *panelResolver) resolve() {
	// what the panel shows
	p, given := r.p, 0
	for _, has := range []bool{p.Y != "", p.Measures != nil, p.Signals != nil, p.Steps != nil} {
		if has {
			given++
		}
	}
	if given != 1 {
		r.failPanel(": give exactly one of y, measures, signals and steps")
		return
	}
	if p.Y != "" || p.Measures != nil {
		r.tableColumns()
	} else {
		r.runColumns()
	}
	r.group()
	r.condition()
	r.split()
	if p.FFT {
		r.spectrum()
	} else if p.Peaks != nil {
		r.fail("peaks", "only spectra have peaks: add fft: true")
	}
	r.appearance()
	r.units()
}

// The two kinds of panels differ in the source of their columns: the table of cases, or a table
// of each run.

// tableColumns resolves the columns of a chart of the table of cases.
func (r *panelResolver) tableColumns() {
	p := r.p
	// y is short for a list of one
	// y and measures are one list
	p.names = p.Measures
	if p.Y != "" {
		p.names = []string{p.Y}
	} else if len(p.names) == 0 {
		r.fail("measures", "the list is empty")
	}
	for _, c := range append([]string{p.X}, p.names...) {
		if c == "" {
			r.fail("x", "give a column of the table%s", kinds.Suggest("", r.study.columns))
		} else if !slices.Contains(r.study.columns, c) {
			r.failPanel(": unknown column %q%s", c, kinds.Suggest(c, r.study.columns))
		}
	}
}

// runColumns resolves the columns of a chart over time.
func (r *panelResolver) runColumns() {
	p, s := r.p, r.study
	// the table of the run that the columns belong to
	p.file = record.SignalsFile
	names, key := p.Signals, "signals"
	if p.Steps != nil {
		p.file, names, key = record.StepsFile, p.Steps, "steps"
	}
	// columns or formulas on the y axis; faults have the position of their element
	for i, n := range names {
		// a column by its name, or a formula such as push_N/area_m2
		c, err := s.resolveColumn(n, p.file)
		if err != nil {
			r.errs = append(r.errs, s.fail(fmt.Sprintf("%s/%s/%d", r.at, key, i), "%s.%s: %v", dottedPath(r.at), key, err))
		}
		p.columns = append(p.columns, c)
	}
	if len(names) == 0 {
		r.errs = append(r.errs, s.fail(r.at+"/"+key, "%s.%s: the list is empty", dottedPath(r.at), key))
	}
	// the column or formula on the x axis
	var err error
	if p.x, err = s.resolveColumn(p.xName(), p.file); err != nil {
		r.fail("x", "%v", err)
	}
}

// group resolves the paths of group.
func (r *panelResolver) group() {
	// the name of the sweep is a path, too
	for _, g := range strings.Split(r.p.Group, ",") {
		if g = strings.TrimSpace(g); g == "" {
			continue
		}
		if g != "sweep" && !slices.Contains(r.study.Paths, g) {
			r.fail("group", "%q is not varied%s", g, kinds.Suggest(g, r.study.Paths))
		}
		r.p.groups = append(r.p.groups, g)
	}
}

// condition compiles where once, for its faults.
func (r *panelResolver) condition() {
	// a plot of a single run has a case without values
	if r.p.Where == "" || len(r.study.Cases) == 0 {
		return
	}
	if _, err := condition(r.p.Where, r.study.whereEnv(&Row{Case: r.study.Cases[0]})); err != nil {
		r.fail("where", "%v", err)
	}
}

// spectrum refuses settings that spectra cannot have.
func (r *panelResolver) spectrum() {
	p := r.p
	// the abscissa of a spectrum is the frequency, from the times of the rows
	if p.file == "" {
		r.fail("fft", "spectra exist of signals or steps over time only, not of the table of cases")
	} else if p.xName() != timeColumn {
		r.fail("x", "spectra are taken over time: leave x out")
	}
	if p.XUnit != "" {
		r.fail("x_unit", "spectra are over the frequency in Hz: leave x_unit out")
	}
	if p.Peaks != nil && *p.Peaks < 0 {
		r.fail("peaks", "%d is negative: give 0 or more", *p.Peaks)
	}
}

// appearance checks legend, notes and the limits of logarithmic axes.
func (r *panelResolver) appearance() {
	p := r.p
	// names of places are those of package render
	if p.Legend != "" && !slices.Contains(render.Legends, p.Legend) {
		r.fail("legend", "unknown %q%s", p.Legend, kinds.Suggest(p.Legend, render.Legends))
	}
	for _, n := range p.Notes {
		if !slices.Contains([]string{"", "left", "center", "right"}, n.Align) {
			r.fail("notes", "align: give left, center or right, not %q", n.Align)
		}
	}
	// the logarithm of a limit must exist
	if p.LogX && p.XMin != nil && *p.XMin <= 0 || p.LogY && p.YMin != nil && *p.YMin <= 0 {
		r.failPanel(": the lower limit of a logarithmic axis must be above 0")
	}
}

// units checks that columns can be shown in the units of the axes.
func (r *panelResolver) units() {
	p := r.p
	if p.XUnit != "" {
		if _, _, err := r.study.convert(p, p.xName(), p.XUnit); err != nil {
			r.fail("x_unit", "%v", err)
		}
	}
	if p.YUnit == "" {
		return
	}
	// one fault is enough: they are alike
	for _, name := range p.yNames() {
		if _, _, err := r.study.convert(p, name, p.YUnit); err != nil {
			r.fail("y_unit", "%v", err)
			return
		}
	}
}
