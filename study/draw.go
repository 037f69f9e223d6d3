package study

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// draw draws the figures of the study as PNG and SVG. A figure that is empty because
// cases failed is left out: the table names the failures.
func (s *Study) draw(dir string, rows []Row) error {
	var errs []error
	for i := range s.plots {
		f := &s.plots[i]
		out, err := s.buildFigure(f, filepath.Join(dir, casesFolder), rows)
		// an empty figure is an error only if all cases are done
		if errors.Is(err, errEmptyFigure) && slices.ContainsFunc(rows, func(r Row) bool { return !r.Done() }) {
			continue
		}
		if err == nil {
			// PNG for the screen, SVG for documents
			base := filepath.Join(dir, f.name)
			err = out.Write(base+".png", base+".svg")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("plot %s: %w", f.name, err))
		}
	}
	return errors.Join(errs...)
}

// A figure is built in two steps: first all numbers are read from the tables of the cases, then
// axes, styles and legends are chosen for what was found. Panels of one figure share the tables
// and the styles of cases.
//
//	choose    cases that meet where:, and their references      rows
//	curves    points in SI units                                curves.go
//	axes      titles and units from names of columns            axes.go
//	styles    colours, marks and dashes by what lines differ in style.go

// errEmptyFigure is returned for a figure without lines.
var errEmptyFigure = errors.New("nothing to draw: no case has the columns and meets the conditions")

// figureBuilder collects the data of a figure.
type figureBuilder struct {
	study *Study
	// dir is the folder with the run folders of the cases.
	dir string
	// rows are all rows of the table; panels choose among those that are done.
	rows []Row
	// tables are the tables that were read, by case and file.
	tables map[string]*record.Table
	// needs are the columns that the figure reads, by file.
	needs map[string][]string

	// Cases keep their styles from panel to panel: a label, or a value of the first or
	// second path of group, has the style of its index in these lists.
	labels          []string
	firsts, seconds []string
}

// buildFigure collects the numbers of a figure.
func (s *Study) buildFigure(f *resolvedPlot, dir string, rows []Row) (*render.Figure, error) {
	d := &figureBuilder{study: s, dir: dir, rows: rows, tables: map[string]*record.Table{}, needs: map[string][]string{}}
	// read only the columns that the figure shows: tables may have hundreds
	d.collectNeeds(f.panels)
	out := &render.Figure{Columns: f.plot.Columns, Width: f.plot.Width, Height: f.plot.Height, Letters: len(f.panels) > 1}
	// the title of a plot with one panel is that of the panel
	if len(f.plot.Panels) > 0 {
		out.Title = f.plot.Title
	}
	// the charts of the panels
	lines := 0
	for _, p := range f.panels {
		c, err := d.chart(p)
		if err != nil {
			return nil, err
		}
		lines += len(c.Lines)
		out.Charts = append(out.Charts, *c)
	}
	if lines == 0 {
		return nil, errEmptyFigure
	}
	if err := addSpectra(out, f.panels); err != nil {
		return nil, err
	}
	// defaults of the layout, and what the plot gives instead
	out.ShareX = out.Columns <= 1 && len(f.panels) > 1 && sameX(f.panels)
	override(&out.ShareX, f.plot.ShareX)
	override(&out.ShareY, f.plot.ShareY)
	override(&out.Letters, f.plot.Letters)
	return out, nil
}

// override replaces a default where the plot gives a value.
func override(value, given *bool) {
	if given != nil {
		*value = *given
	}
}

// collectNeeds lists the columns that panels need of each file, so that a table is read
// once for all panels.
func (d *figureBuilder) collectNeeds(panels []*resolvedPanel) {
	for _, p := range panels {
		if p.file == "" {
			continue
		}
		need := append(d.needs[p.file], timeColumn)
		for _, c := range append([]*column{p.x}, p.columns...) {
			// x and y of each column may be formulas of several columns
			need = union(need, c.names)
		}
		d.needs[p.file] = need
	}
}

// addSpectra turns the panels with fft into amplitude spectra.
func addSpectra(out *render.Figure, panels []*resolvedPanel) error {
	for i, p := range panels {
		if !p.FFT {
			continue
		}
		// a panel without peaks: gets the default
		peaks := defaultPeaks
		if p.Peaks != nil {
			peaks = *p.Peaks
		}
		if err := out.Spectrum(i, peaks); err != nil {
			return err
		}
	}
	return nil
}

// sameX reports whether panels show the same quantity over the same range of x.
func sameX(panels []*resolvedPanel) bool {
	// two axes are the same if these are equal
	type axisOfX struct {
		name, unit, label string
		fft, log, history bool
		low, high         float64
		hasLow, hasHigh   bool
	}
	// limits are pointers: their values are compared, not their addresses
	of := func(p *resolvedPanel) axisOfX {
		a := axisOfX{name: p.xName(), unit: p.XUnit, label: p.XLabel, fft: p.FFT, log: p.LogX, history: p.file != ""}
		if p.XMin != nil {
			a.low, a.hasLow = *p.XMin, true
		}
		if p.XMax != nil {
			a.high, a.hasHigh = *p.XMax, true
		}
		return a
	}
	return !slices.ContainsFunc(panels, func(p *resolvedPanel) bool { return of(p) != of(panels[0]) })
}

// chart makes the chart of a panel.
func (d *figureBuilder) chart(p *resolvedPanel) (*render.Chart, error) {
	// the curves of the cases that the panel shows
	chosen, err := d.choose(p)
	if err != nil {
		return nil, err
	}
	// values of a split, of the table of cases, or over time
	var curves []curve
	if p.splits() {
		if curves, err = d.splitCurves(p, chosen); err != nil {
			return nil, err
		}
	} else if p.file == "" {
		curves = d.tableCurves(p, chosen)
	} else if curves, err = d.historyCurves(p, chosen); err != nil {
		return nil, err
	}
	// limits, titles and units of the axes
	c := &render.Chart{Title: p.Title, LogX: p.LogX, LogY: p.LogY, Legend: p.Legend, Order: p.Order,
		Min: [2]*float64{p.XMin, p.YMin}, Max: [2]*float64{p.XMax, p.YMax}}
	if err := d.axes(p, c, curves); err != nil {
		return nil, err
	}
	if p.FFT {
		// an empty title of x becomes "frequency (Hz)"
		if c.X = p.XLabel; p.YLabel == "" {
			c.Y = render.Amplitude(c.Y)
		}
	}
	// colours, marks and dash patterns, then lines and texts over the curves
	d.applyStyles(p, c, curves)
	for _, g := range p.HLines {
		c.Rules = append(c.Rules, render.Rule{At: g.At, Label: g.Label})
	}
	for _, g := range p.VLines {
		c.Rules = append(c.Rules, render.Rule{Upright: true, At: g.At, Label: g.Label})
	}
	for _, n := range p.Notes {
		c.Notes = append(c.Notes, render.Note(n))
	}
	return c, nil
}

// whereEnv returns the values that the condition of a panel can use: those of the case,
// its measures, and reference.
func (s *Study) whereEnv(r *Row) map[string]any {
	env := s.formulaEnv(&r.Case)
	env["reference"] = r.Case.IsReference
	// measures by their order in the file
	for k, name := range s.File.Measures.Keys {
		// without results the names still exist, for the check of the condition
		env[name] = math.NaN()
		if k < len(r.Values) {
			env[name] = r.Values[k]
		}
	}
	return env
}

// choose returns the rows that a panel shows: those of the table that are done and meet
// its condition, and before them their references if it shows them, so that others are
// drawn over these.
func (d *figureBuilder) choose(p *resolvedPanel) ([]*Row, error) {
	// the cases of the table
	var chosen []*Row
	// names of the references that the chosen cases want
	refs := map[string]bool{}
	for i := range d.rows {
		r := &d.rows[i]
		if r.Case.IsReference || !r.Done() {
			continue
		}
		if ok, err := d.meets(p, r); err != nil {
			return nil, fmt.Errorf("where: %w", err)
		} else if !ok {
			continue
		}
		chosen = append(chosen, r)
		refs[r.Case.Reference] = true
	}
	// panels without reference: true show the cases alone
	if !p.Reference {
		return chosen, nil
	}
	// their references, in the order of the table
	var first []*Row
	for i := range d.rows {
		if r := &d.rows[i]; r.Case.IsReference && r.Done() && refs[r.Case.Name] {
			first = append(first, r)
		}
	}
	return append(first, chosen...), nil
}

// meets reports whether a row meets the condition of a panel.
func (d *figureBuilder) meets(p *resolvedPanel, r *Row) (bool, error) {
	if p.Where == "" {
		return true, nil
	}
	env := d.study.whereEnv(r)
	e, err := condition(p.Where, env)
	if err != nil {
		return false, err
	}
	v, err := e.value(env)
	return v == true, err
}
