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

// draw draws the study's figures as PNG and SVG.
func (s *Study) draw(dir string, rows []Row) error {
	var errs []error
	for i := range s.plots {
		f := &s.plots[i]
		out, err := s.buildFigure(f, filepath.Join(dir, casesFolder), rows)
		if errors.Is(err, errEmptyFigure) && slices.ContainsFunc(rows, func(r Row) bool { return !r.Done() }) {
			continue // the table says why
		}
		if err == nil {
			base := filepath.Join(dir, f.name)
			err = out.Write(base+".png", base+".svg")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("plot %s: %w", f.name, err))
		}
	}
	return errors.Join(errs...)
}

// errEmptyFigure marks a figure that would be empty.
var errEmptyFigure = errors.New("nothing to draw: no case has what it asks for")

// figure gathers the numbers of a figure.
func (s *Study) buildFigure(f *resolvedPlot, dir string, rows []Row) (*render.Figure, error) {
	d := &figureBuilder{study: s, dir: dir, rows: rows, tables: map[string]*record.Table{}, needs: map[string][]string{}}
	for _, p := range f.panels {
		if p.file == "" {
			continue
		}
		need := append(d.needs[p.file], timeColumn)
		for _, c := range append([]*column{p.x}, p.columns...) {
			need = union(need, c.names)
		}
		d.needs[p.file] = need
	}
	out := &render.Figure{Columns: f.plot.Columns, Width: f.plot.Width, Height: f.plot.Height, Letters: len(f.panels) > 1}
	if len(f.plot.Panels) > 0 {
		out.Title = f.plot.Title
	}
	some := false
	for _, p := range f.panels {
		c, err := d.chart(p)
		if err != nil {
			return nil, err
		}
		some = some || len(c.Lines) > 0
		out.Charts = append(out.Charts, *c)
	}
	if !some {
		return nil, errEmptyFigure
	}
	for i, p := range f.panels {
		if p.FFT {
			most := defaultPeaks
			if p.Peaks != nil {
				most = *p.Peaks
			}
			if err := out.Spectrum(i, most); err != nil {
				return nil, err
			}
		}
	}
	out.ShareX = out.Columns <= 1 && len(f.panels) > 1 && sameX(f.panels)
	for _, w := range []struct {
		to   *bool
		wish *bool
	}{{&out.ShareX, f.plot.ShareX}, {&out.ShareY, f.plot.ShareY}, {&out.Letters, f.plot.Letters}} {
		if w.wish != nil {
			*w.to = *w.wish
		}
	}
	return out, nil
}

// sameX reports whether panels show the same quantity over the same range.
func sameX(panels []*resolvedPanel) bool {
	limit := func(x *float64) float64 {
		if x == nil {
			return math.Inf(1)
		}
		return *x
	}
	a := panels[0]
	for _, b := range panels[1:] {
		if a.xName() != b.xName() || a.FFT != b.FFT || a.XUnit != b.XUnit || a.LogX != b.LogX || a.XLabel != b.XLabel || (a.file == "") != (b.file == "") ||
			limit(a.XMin) != limit(b.XMin) || limit(a.XMax) != limit(b.XMax) {
			return false
		}
	}
	return true
}

// drawing is a figure being gathered.
type figureBuilder struct {
	study  *Study
	dir    string // of the cases
	rows   []Row
	tables map[string]*record.Table // read so far
	needs  map[string][]string      // columns of each file
	lines  []string                 // labels of cases in the order of their styles
	// values of the first and second of two groups in the order of their styles
	firsts, seconds []string
}

// chart makes one panel.
func (d *figureBuilder) chart(p *resolvedPanel) (*render.Chart, error) {
	chosen, err := d.choose(p)
	if err != nil {
		return nil, err
	}
	var curves []curve
	if p.file == "" {
		curves = d.tableCurves(p, chosen)
	} else if curves, err = d.historyCurves(p, chosen); err != nil {
		return nil, err
	}
	c := &render.Chart{Title: p.Title, LogX: p.LogX, LogY: p.LogY, Legend: p.Legend, Order: p.Order,
		Min: [2]*float64{p.XMin, p.YMin}, Max: [2]*float64{p.XMax, p.YMax}}
	if err := d.axes(p, c, curves); err != nil {
		return nil, err
	}
	if p.FFT {
		if c.X = p.XLabel; p.YLabel == "" {
			c.Y = render.Amplitude(c.Y)
		}
	}
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

// whereEnv is what the condition of a panel can name.
func (s *Study) whereEnv(r *Row) map[string]any {
	env := s.formulaEnv(&r.Case)
	env["reference"] = r.Case.IsReference
	for k, name := range s.File.Measures.Keys {
		env[name] = math.NaN()
		if k < len(r.Values) {
			env[name] = r.Values[k]
		}
	}
	return env
}

// choose returns the rows that a panel shows: those that are done and meet its
// condition, and their references where it wants them.
func (d *figureBuilder) choose(p *resolvedPanel) ([]*Row, error) {
	var chosen []*Row
	refs := map[string]bool{}
	for i := range d.rows {
		r := &d.rows[i]
		if r.Case.IsReference || !r.Done() {
			continue
		}
		if p.Where != "" {
			env := d.study.whereEnv(r)
			e, err := condition(p.Where, env)
			if err != nil {
				return nil, fmt.Errorf("where: %w", err)
			}
			v, err := e.value(env)
			if err != nil {
				return nil, fmt.Errorf("where: %w", err)
			}
			if v != true {
				continue
			}
		}
		chosen = append(chosen, r)
		refs[r.Case.Reference] = true
	}
	if !p.Reference {
		return chosen, nil
	}
	// references first: others are drawn over them
	var first []*Row
	for i := range d.rows {
		if r := &d.rows[i]; r.Case.IsReference && r.Done() && refs[r.Case.Name] {
			first = append(first, r)
		}
	}
	return append(first, chosen...), nil
}
