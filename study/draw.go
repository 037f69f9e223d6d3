package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"curlfree/record"
	"curlfree/render"
)

// draw draws the study's figures as PNG and SVG.
func (s *Study) draw(dir string, rows []Row) error {
	var errs []error
	for i := range s.plots {
		f := &s.plots[i]
		out, err := s.figure(f, filepath.Join(dir, casesFolder), rows)
		if errors.Is(err, errNothing) && slices.ContainsFunc(rows, func(r Row) bool { return !r.Done() }) {
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

// errNothing marks a figure that would be empty.
var errNothing = errors.New("nothing to draw: no case has what it asks for")

// figure gathers the numbers of a figure.
func (s *Study) figure(f *figure, dir string, rows []Row) (*render.Figure, error) {
	d := &drawing{study: s, dir: dir, rows: rows, tables: map[string]*record.Table{}, needs: map[string][]string{}}
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
		return nil, errNothing
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
func sameX(panels []*panel) bool {
	limit := func(x *float64) float64 {
		if x == nil {
			return math.Inf(1)
		}
		return *x
	}
	a := panels[0]
	for _, b := range panels[1:] {
		if a.xName() != b.xName() || a.XUnit != b.XUnit || a.LogX != b.LogX || a.XLabel != b.XLabel || (a.file == "") != (b.file == "") ||
			limit(a.XMin) != limit(b.XMin) || limit(a.XMax) != limit(b.XMax) {
			return false
		}
	}
	return true
}

// drawing is a figure being gathered.
type drawing struct {
	study  *Study
	dir    string // of the cases
	rows   []Row
	tables map[string]*record.Table // read so far
	needs  map[string][]string      // columns of each file
	lines  []string                 // labels of cases in the order of their styles
}

// curve is a line before it has a style.
type curve struct {
	of     string // label of the case or group; may be empty
	name   string // of the column
	points [][2]float64
	ref    bool
}

// chart makes one panel.
func (d *drawing) chart(p *panel) (*render.Chart, error) {
	chosen, err := d.choose(p)
	if err != nil {
		return nil, err
	}
	var curves []curve
	if p.file == "" {
		curves = d.tableCurves(p, chosen)
	} else if curves, err = d.histories(p, chosen); err != nil {
		return nil, err
	}
	c := &render.Chart{Title: p.Title, LogX: p.LogX, LogY: p.LogY, Legend: p.Legend, Order: p.Order,
		Min: [2]*float64{p.XMin, p.YMin}, Max: [2]*float64{p.XMax, p.YMax}}
	if err := d.axes(p, c, curves); err != nil {
		return nil, err
	}
	d.styled(p, c, curves)
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
	env["reference"] = r.Case.Ref
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
func (d *drawing) choose(p *panel) ([]*Row, error) {
	var chosen []*Row
	refs := map[string]bool{}
	for i := range d.rows {
		r := &d.rows[i]
		if r.Case.Ref || !r.Done() {
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
		if r := &d.rows[i]; r.Case.Ref && r.Done() && refs[r.Case.Name] {
			first = append(first, r)
		}
	}
	return append(first, chosen...), nil
}

// tableCurves makes a line for each group and measure, points by ascending x.
// Without a group, cases with the same x are told apart by what they differ in.
func (d *drawing) tableCurves(p *panel, rows []*Row) []curve {
	var curves []curve
	groups := p.groups
	if len(groups) == 0 && d.repeats(rows, p.X) {
		groups = slices.DeleteFunc(d.differing(rows), func(path string) bool { return path == p.X })
	}
	for _, name := range p.names {
		for _, r := range rows {
			x, ok1 := d.study.cell(r, p.X)
			y, ok2 := d.study.cell(r, name)
			if !ok1 || !ok2 || r.Case.Ref {
				continue
			}
			label := d.caseLabel(p, r, groups)
			k := slices.IndexFunc(curves, func(c curve) bool { return c.of == label && c.name == name })
			if k < 0 {
				k = len(curves)
				curves = append(curves, curve{of: label, name: name})
			}
			curves[k].points = append(curves[k].points, [2]float64{x, y})
		}
	}
	for i := range curves {
		slices.SortStableFunc(curves[i].points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	}
	return curves
}

// repeats reports whether two rows have the same x.
func (d *drawing) repeats(rows []*Row, x string) bool {
	seen := map[float64]bool{}
	for _, r := range rows {
		v, ok := d.study.cell(r, x)
		if !ok {
			continue
		}
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

// histories makes a line for each case and column.
func (d *drawing) histories(p *panel, rows []*Row) ([]curve, error) {
	groups := p.groups
	if len(groups) == 0 {
		groups = d.differing(rows)
	}
	var curves []curve
	for i, c := range p.columns {
		for _, r := range rows {
			t, err := d.table(r.Case.Name, p.file)
			if err != nil {
				return nil, err
			}
			x, err := p.x.over(t)
			if err != nil {
				return nil, err
			}
			y, err := c.over(t)
			if err != nil {
				return nil, err
			}
			if x == nil || y == nil {
				continue
			}
			label := d.caseLabel(p, r, groups)
			if r.Case.Ref {
				label, _ = d.study.label(p, "reference")
			}
			curves = append(curves, curve{of: label, name: p.yNames()[i], points: within(t.Column(timeColumn), x, y, p.Over), ref: r.Case.Ref})
		}
	}
	return curves, nil
}

// within pairs the values of a window of time.
func within(time, x, y []float64, over *[2]float64) [][2]float64 {
	points := make([][2]float64, 0, len(x))
	for i := range x {
		if over == nil || time[i] >= over[0]-slack && time[i] <= over[1]+slack {
			points = append(points, [2]float64{x[i], y[i]})
		}
	}
	return points
}

// table reads the columns that the figure needs of a case's table.
func (d *drawing) table(name, file string) (*record.Table, error) {
	key := name + "/" + file
	if t := d.tables[key]; t != nil {
		return t, nil
	}
	t, err := record.ReadColumns(filepath.Join(d.dir, name), file, d.needs[file])
	if err == nil {
		d.tables[key] = t
	}
	return t, err
}

// differing lists the paths, derived ones apart, in which cases differ.
func (d *drawing) differing(rows []*Row) []string {
	var out []string
	for k, path := range d.study.Paths {
		if d.study.derived(path) {
			continue
		}
		var first *Row
		for _, r := range rows {
			if r.Case.Ref {
				continue
			}
			if first == nil {
				first = r
			} else if !same(r.Case.Values[k], first.Case.Values[k]) {
				out = append(out, path)
				break
			}
		}
	}
	return out
}

// caseLabel names a case by its values of some paths.
func (d *drawing) caseLabel(p *panel, r *Row, groups []string) string {
	var parts []string
	for _, path := range groups {
		value := r.Case.Sweep
		if path != "sweep" {
			value = r.Case.Values[slices.Index(d.study.Paths, path)]
		}
		text, named := d.study.label(p, value)
		if _, isNumber := number(value); isNumber && !named {
			name, ok := d.study.label(p, path)
			if !ok {
				name = path[strings.LastIndexByte(path, '.')+1:]
			}
			// "h (s)" and 0.01 make "h = 0.01 s"
			quantity, unit := parted(name)
			text = quantity + " = " + readable(value)
			if unit != "" {
				text += " " + unit
			}
		}
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// readable writes a number as papers do: 0.002, or 2×10^{−6} where that is shorter.
func readable(text string) string {
	x, _ := number(text)
	if a := math.Abs(x); a == 0 || a >= 1e-3 && a < 1e4 {
		return signed(strconv.FormatFloat(x, 'f', -1, 64))
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	power := "10^{" + signed(strconv.Itoa(n)) + "}"
	if digits == "1" {
		return power
	}
	return signed(digits) + "×" + power
}

func signed(number string) string { return strings.ReplaceAll(number, "-", "−") }

// parted splits "h (s)" into the quantity and its unit.
func parted(label string) (quantity, unit string) {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.HasSuffix(label, ")") {
		return label[:i], label[i+2 : len(label)-1]
	}
	return label, ""
}

// cell returns a varied value or a measure of a row as a number.
func (s *Study) cell(r *Row, column string) (float64, bool) {
	if k := slices.Index(s.Paths, column); k >= 0 {
		return number(r.Case.Values[k])
	}
	v := r.Values[slices.Index(s.File.Measures.Keys, column)]
	return v, !math.IsNaN(v)
}

// axes converts the curves to the units shown and names the axes.
func (d *drawing) axes(p *panel, c *render.Chart, curves []curve) error {
	xs, ys := []string{p.xName()}, p.yNames()
	var err error
	if c.X, err = d.axis(p, 0, xs, p.XUnit, p.XLabel, curves); err != nil {
		return err
	}
	c.Y, err = d.axis(p, 1, ys, p.YUnit, p.YLabel, curves)
	return err
}

// axis converts coordinate k of curves and returns the axis' label.
func (d *drawing) axis(p *panel, k int, columns []string, unit, label string, curves []curve) (string, error) {
	log := [2]bool{p.LogX, p.LogY}[k]
	shown := unit
	factors := map[string]float64{}
	if unit != "" {
		for _, name := range columns {
			f, u, err := render.Convert(name, unit)
			if err != nil {
				return "", err
			}
			factors[name], shown = f, u
		}
	} else {
		u, sure := commonUnit(columns)
		shown = u
		limited := [2]*float64{p.XMin, p.YMin}[k] != nil || [2]*float64{p.XMax, p.YMax}[k] != nil
		if sure && !log && !limited && !d.ruled(p, k) && k == 1 {
			f, u := render.Readable(u, largest(curves, k))
			shown = u
			for _, name := range columns {
				factors[name] = f
			}
		}
	}
	for i := range curves {
		name := columns[0]
		if k == 1 {
			name = curves[i].name
		}
		if f, ok := factors[name]; ok && f != 1 {
			for j := range curves[i].points {
				curves[i].points[j][k] *= f
			}
		}
	}
	if label != "" {
		return label, nil
	}
	text, named := d.axisName(p, columns)
	if text == "" {
		text = cmp.Or(render.Quantity(shown), "value")
	}
	quantity, has := parted(text)
	switch {
	case shown == "" || named && has != "" && unit == "" && len(factors) == 0:
		return text, nil
	case named && has != "":
		text = quantity // its unit was converted
	}
	return text + " (" + shown + ")", nil
}

// ruled reports whether numbers of the plot are given in the units of an axis.
func (d *drawing) ruled(p *panel, k int) bool {
	return len(p.Notes) > 0 || k == 0 && len(p.VLines) > 0 || k == 1 && len(p.HLines) > 0
}

// commonUnit returns the unit that the columns' names say, if all say the same;
// sure if it is in every name.
func commonUnit(columns []string) (unit string, sure bool) {
	sure = true
	for i, name := range columns {
		u, _ := render.Unit(name)
		if !isWord(name) {
			u = "" // a formula
		}
		if i > 0 && u != unit {
			return "", false
		}
		unit = u
		sure = sure && u != "" && (render.Bare(name) != name || slices.Contains([]string{"m", "N", "Pa", "J", "W"}, u))
	}
	return unit, sure
}

func largest(curves []curve, k int) float64 {
	top := 0.0
	for i := range curves {
		for _, p := range curves[i].points {
			if a := math.Abs(p[k]); a < math.MaxFloat64 {
				top = max(top, a)
			}
		}
	}
	return top
}

// axisName names what columns show, empty for different things, and reports
// whether the study says so.
func (d *drawing) axisName(p *panel, columns []string) (string, bool) {
	if len(columns) == 1 {
		if l, ok := d.study.label(p, columns[0]); ok {
			return l, true
		}
		return spoken(columns[0]), false
	}
	common := ""
	for i, name := range columns {
		_, q := render.Unit(name)
		if i > 0 && q != common {
			return "", false
		}
		common = q
	}
	return common, false
}

// styled gives curves their styles and the legend its keys: what tells lines apart
// has colours, marks and dashes; where cases and columns both do, cases have
// colours and marks, columns dashes.
func (d *drawing) styled(p *panel, c *render.Chart, curves []curve) {
	var cases, columns []string
	for i := range curves {
		if !curves[i].ref {
			cases = union(cases, []string{curves[i].of})
		}
		columns = union(columns, []string{curves[i].name})
	}
	if len(cases) > 1 {
		d.lines = union(d.lines, cases)
	}
	both := len(cases) > 1 && len(columns) > 1
	marks := p.file == "" || both
	if p.Marks != nil {
		marks = *p.Marks
	}
	for i := range curves {
		v := &curves[i]
		style := d.style(v, len(cases), slices.Index(columns, v.name), both)
		if marks && !v.ref {
			style.Mark = 1 + style.Color
		}
		c.Lines = append(c.Lines, render.Line{Name: d.lineName(p, v, len(cases), len(columns)), Points: v.points, Style: style})
	}
	if both {
		c.Keys = d.keys(p, c, curves, columns)
	}
}

func (d *drawing) style(v *curve, cases, column int, both bool) render.Style {
	number := slices.Index(d.lines, v.of)
	switch {
	case v.ref:
		return render.Style{Wide: true, Dash: map[bool]int{true: column}[both]}
	case both:
		return render.Style{Color: number, Dash: column}
	case cases > 1:
		return render.Style{Color: number, Dash: number}
	}
	return render.Style{Color: column, Dash: column}
}

// lineName is what the legend calls a line.
func (d *drawing) lineName(p *panel, v *curve, cases, columns int) string {
	name := v.of
	switch {
	case columns > 1 && (cases > 1 || v.ref):
		name = ""
	case columns > 1:
		name = d.columnName(p, v.name)
	}
	if p.file == "" && p.LogX && p.LogY && (p.Fit == nil || *p.Fit) {
		if order, ok := fittedOrder(v.points); ok {
			fit := "order " + signed(strconv.FormatFloat(order, 'f', 2, 64))
			name = strings.TrimPrefix(name+", "+fit, ", ")
		}
	}
	return name
}

// spoken is a path or column as people say it: its last part, without the unit.
func spoken(name string) string {
	if !isWord(name) {
		return name
	}
	name = render.Bare(name[strings.LastIndexByte(name, '.')+1:])
	return strings.ReplaceAll(name, "_", " ")
}

func (d *drawing) columnName(p *panel, name string) string {
	l, named := d.study.label(p, name)
	if !named {
		return spoken(name)
	}
	q, _ := parted(l)
	return q
}

// keys lists cases by their colours, then columns by their dashes.
func (d *drawing) keys(p *panel, c *render.Chart, curves []curve, columns []string) []render.Key {
	var keys []render.Key
	for i := range curves {
		s := c.Lines[i].Style
		s.Dash = 0
		if k := (render.Key{Name: curves[i].of, Style: s}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for i, name := range columns {
		keys = append(keys, render.Key{Name: d.columnName(p, name), Style: render.Style{Dash: i}, Grey: true})
	}
	return keys
}

// derived reports whether a path is the result of a formula.
func (s *Study) derived(path string) bool {
	if s.File.Derive.Get(path) != nil {
		return true
	}
	for _, name := range s.File.Sweeps.Keys {
		if s.File.Sweeps.Get(name).Derive.Get(path) != nil {
			return true
		}
	}
	return false
}

// fittedOrder is the least-squares slope of log y over log x.
func fittedOrder(points [][2]float64) (float64, bool) {
	var x, y []float64
	for _, p := range points {
		if p[0] > 0 && p[1] > 0 {
			x, y = append(x, math.Log(p[0])), append(y, math.Log(p[1]))
		}
	}
	if len(x) < 2 || x[0] == x[len(x)-1] {
		return 0, false
	}
	_, order := stat.LinearRegression(x, y, nil, false)
	return order, true
}
