package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene"
)

// Plot is a figure: one panel, or several that take from the plot what they do
// not say themselves.
type Plot struct {
	Panel
	Panels  []Panel `key:"panels"`
	Columns int     `key:"columns"` // panels side by side, default 1
	Width   float64 `key:"width"`   // cm, default 8.6 for a column, 17.8 for two
	Height  float64 `key:"height"`  // cm, of each panel's frame
	ShareX  *bool   `key:"share_x"` // one x axis for panels above each other, default where they show the same over the same
	ShareY  *bool   `key:"share_y"` // one y axis for panels side by side, default false
	Letters *bool   `key:"letters"` // (a), (b), …; default with several panels
}

// Panel is a chart: of the table (y or measures), or of what happened over time in
// chosen cases (signals or steps).
type Panel struct {
	scene.Pos
	Title     string   `key:"title"`
	X         string   `key:"x"`        // of the table: a path or a measure; else a column, default time_s
	Y         string   `key:"y"`        // measure
	Measures  []string `key:"measures"` // several
	Signals   []string `key:"signals"`  // columns of signals.csv, or formulas over such
	Steps     []string `key:"steps"`    // columns of steps.csv, or formulas over such
	Where     string   `key:"where"`    // condition over values and measures that cases must meet
	Reference bool     `key:"reference"`
	Group     string   `key:"group"` // paths, separated by commas, whose values tell lines apart

	Over   *[2]float64 `key:"over,inf"` // s, of signals and steps
	FFT    bool        `key:"fft"`      // amplitude spectra in place of signals or steps; x and y are then frequency (Hz) and amplitude
	Peaks  *int        `key:"peaks"`    // of a spectrum, that are labelled with their frequency
	LogX   bool        `key:"log_x"`
	LogY   bool        `key:"log_y"`
	XMin   *float64    `key:"x_min"` // limits are in the units shown
	XMax   *float64    `key:"x_max"`
	YMin   *float64    `key:"y_min"`
	YMax   *float64    `key:"y_max"`
	XUnit  string      `key:"x_unit"` // mm, ms, …: numbers are converted
	YUnit  string      `key:"y_unit"`
	XLabel string      `key:"x_label"`
	YLabel string      `key:"y_label"`

	Order  float64             `key:"order"` // guide line of this order, on logarithmic axes
	Fit    *bool               `key:"fit"`   // fitted orders in the legend, on logarithmic axes; default true
	Marks  *bool               `key:"marks"` // marks on lines; default: of the table
	Legend string              `key:"legend"`
	Labels scene.Named[string] `key:"labels"` // in place of the study's
	HLines []GuideLine         `key:"h_lines"`
	VLines []GuideLine         `key:"v_lines"`
	Notes  []Note              `key:"notes"`
}

// GuideLine is a straight line across a panel.
type GuideLine struct {
	At    float64 `key:"at"`
	Label string  `key:"label"`
}

// Note is a text in a panel.
type Note struct {
	At    [2]float64 `key:"at"`
	Text  string     `key:"text"`
	Align string     `key:"align"` // left, center, right
}

// defaultPeaks is how many peaks of a spectrum are labelled.
const defaultPeaks = 6

// figure is a Plot whose names are looked up.
type resolvedPlot struct {
	name   string
	plot   *Plot
	panels []*resolvedPanel
}

// panel is a Panel with what it takes from its plot.
type resolvedPanel struct {
	Panel
	columns []*column // y of a history
	x       *column   // of a history
	file    string    // table of a history; empty: of the study's table
	names   []string  // measures, of the study's table
	groups  []string
}

// sources are the keys that say what a panel shows: the first that a panel has
// replaces all of its plot's.
var sources = []string{"Y", "Measures", "Signals", "Steps"}

// inherit fills what a panel does not say.
func (p *Panel) inherit(plot *Panel) {
	mine, theirs := reflect.ValueOf(p).Elem(), reflect.ValueOf(plot).Elem()
	own := slices.ContainsFunc(sources, func(f string) bool { return !mine.FieldByName(f).IsZero() })
	for i := range mine.NumField() {
		name := mine.Type().Field(i).Name
		if name == "Title" || name == "Pos" || own && slices.Contains(sources, name) || !mine.Field(i).IsZero() {
			continue
		}
		mine.Field(i).Set(theirs.Field(i))
	}
}

// newFigure reads a plot. Its faults are all returned.
func (s *Study) resolvePlot(name string, plot *Plot) (resolvedPlot, []error) {
	f := resolvedPlot{name: name, plot: plot}
	at := "plots/" + name
	var errs []error
	if name == "" || fileSafe(name) != name {
		errs = append(errs, s.fail(at, "plots.%s: the name becomes a file's: letters, digits, - and . are wanted", name))
	}
	panels := plot.Panels
	if len(panels) == 0 {
		panels = []Panel{plot.Panel}
	}
	for i := range panels {
		p := &resolvedPanel{Panel: panels[i]}
		where := at
		if len(plot.Panels) > 0 {
			p.inherit(&plot.Panel)
			where = fmt.Sprintf("%s/panels/%d", at, i)
		}
		errs = append(errs, s.resolvePanel(p, where)...)
		f.panels = append(f.panels, p)
	}
	return f, errs
}

// readPanel looks a panel's names up.
func (s *Study) resolvePanel(p *resolvedPanel, at string) (errs []error) {
	fail := func(key, format string, args ...any) {
		errs = append(errs, s.fail(at+"/"+key, dottedPath(at)+"."+key+": "+format, args...))
	}
	chosen := 0
	for _, given := range []bool{p.Y != "", p.Measures != nil, p.Signals != nil, p.Steps != nil} {
		if given {
			chosen++
		}
	}
	if chosen != 1 {
		return append(errs, s.fail(at, "%s: exactly one of y, measures, signals and steps is wanted", dottedPath(at)))
	}
	if p.Y != "" || p.Measures != nil {
		p.names = p.Measures
		if p.Y != "" {
			p.names = []string{p.Y}
		}
		for _, c := range append([]string{p.X}, p.names...) {
			if c == "" {
				fail("x", "a column of the table is wanted%s", kinds.Suggest("", s.columns))
			} else if !slices.Contains(s.columns, c) {
				errs = append(errs, s.fail(at, "%s: unknown column %q%s", dottedPath(at), c, kinds.Suggest(c, s.columns)))
			}
		}
	} else {
		errs = append(errs, s.resolveHistory(p, at)...)
	}
	for _, g := range strings.Split(p.Group, ",") {
		if g = strings.TrimSpace(g); g == "" {
			continue
		}
		if g != "sweep" && !slices.Contains(s.Paths, g) {
			fail("group", "%q is not varied%s", g, kinds.Suggest(g, s.Paths))
		}
		p.groups = append(p.groups, g)
	}
	if p.Where != "" && len(s.Cases) > 0 {
		if _, err := condition(p.Where, s.whereEnv(&Row{Case: s.Cases[0]})); err != nil {
			fail("where", "%v", err)
		}
	}
	if p.FFT {
		s.checkSpectrum(p, fail)
	} else if p.Peaks != nil {
		fail("peaks", "peaks are of spectra: they go with fft: true")
	}
	if p.Legend != "" && !slices.Contains(render.Legends, p.Legend) {
		fail("legend", "unknown %q%s", p.Legend, kinds.Suggest(p.Legend, render.Legends))
	}
	for _, n := range p.Notes {
		if !slices.Contains([]string{"", "left", "center", "right"}, n.Align) {
			fail("notes", "align: left, center or right is wanted, not %q", n.Align)
		}
	}
	for axis, u := range map[string]string{"x_unit": p.XUnit, "y_unit": p.YUnit} {
		if u == "" {
			continue
		}
		name := p.xName()
		if axis == "y_unit" {
			name = p.yNames()[0]
		}
		if _, _, err := render.Convert(name, u); err != nil {
			fail(axis, "%v", err)
		}
	}
	if p.LogX && p.XMin != nil && *p.XMin <= 0 || p.LogY && p.YMin != nil && *p.YMin <= 0 {
		errs = append(errs, s.fail(at, "%s: a logarithmic axis begins above 0", dottedPath(at)))
	}
	return errs
}

// readSpectrum refuses what a spectrum cannot be of.
func (s *Study) checkSpectrum(p *resolvedPanel, fail func(key, format string, args ...any)) {
	if p.file == "" {
		fail("fft", "spectra are of signals or steps over time, not of the table")
	} else if p.xName() != timeColumn {
		fail("x", "spectra are of signals over time: leave x out")
	}
	if p.XUnit != "" {
		fail("x_unit", "spectra are over the frequency in Hz: leave x_unit out")
	}
	if p.Peaks != nil && *p.Peaks < 0 {
		fail("peaks", "%d: 0 or more are wanted", *p.Peaks)
	}
}

// readHistory looks the columns of a panel over time up.
func (s *Study) resolveHistory(p *resolvedPanel, at string) (errs []error) {
	p.file = record.SignalsFile
	names, key := p.Signals, "signals"
	if p.Steps != nil {
		p.file, names, key = record.StepsFile, p.Steps, "steps"
	}
	for i, n := range names {
		c, err := s.resolveColumn(n, p.file)
		if err != nil {
			errs = append(errs, s.fail(fmt.Sprintf("%s/%s/%d", at, key, i), "%s.%s: %v", dottedPath(at), key, err))
		}
		p.columns = append(p.columns, c)
	}
	if len(names) == 0 {
		errs = append(errs, s.fail(at+"/"+key, "%s.%s is empty", dottedPath(at), key))
	}
	x := p.X
	if x == "" || x == "time" {
		x = timeColumn
	}
	var err error
	if p.x, err = s.resolveColumn(x, p.file); err != nil {
		errs = append(errs, s.fail(at+"/x", "%s.x: %v", dottedPath(at), err))
	}
	return errs
}

func (p *resolvedPanel) xName() string {
	if p.file != "" && (p.X == "" || p.X == "time") {
		return timeColumn
	}
	return p.X
}

func (p *resolvedPanel) yNames() []string {
	switch {
	case p.Signals != nil:
		return p.Signals
	case p.Steps != nil:
		return p.Steps
	}
	return p.names
}

// label returns what charts call a value, path or column, and whether the study
// says so.
func (s *Study) label(p *resolvedPanel, name string) (string, bool) {
	if l := p.Labels.Get(name); l != nil {
		return *l, true
	}
	if l := s.File.Labels.Get(name); l != nil {
		return *l, true
	}
	return name, false
}
