package study

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sort"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// Measure is one number of each case: exactly one of signal, steps, run,
// rms_difference, max_difference, first, last, count and expr.
type Measure struct {
	scene.Pos
	Signal     string      `yaml:"signal"`         // column of signals.csv, or a formula over such
	Steps      string      `yaml:"steps"`          // column of steps.csv, or a formula over such
	Run        string      `yaml:"run"`            // number of run.json
	RMS        []string    `yaml:"rms_difference"` // signals: √(time mean of |difference from the reference|²)
	Max        []string    `yaml:"max_difference"` // signals: largest |difference from the reference|
	First      string      `yaml:"first"`          // condition over columns: the first time that it holds, s
	Last       string      `yaml:"last"`           // the last time
	Count      string      `yaml:"count"`          // how many rows it holds in
	Expr       string      `yaml:"expr"`           // formula over measures above and values of the case
	Stat       string      `yaml:"stat"`           // of signal and steps: last, mean, max, …
	Over       *[2]float64 `yaml:"over,inf"`       // s
	RelativeTo string      `yaml:"relative_to"`    // of differences: rms or range of the reference, or a number
}

// measure is a Measure ready to use.
type measure struct {
	*Measure
	name   string
	column *column     // of signal, steps, first, last and count
	file   string      // table that column is of
	expr   *expression // of expr
	scale  float64     // of differences, 1: none
}

// column is a column of a table, or a formula over columns.
type column struct {
	text  string
	names []string    // columns that it needs
	expr  *expression // nil: the column names[0] itself
}

// newColumn looks the text up among the columns, and else reads it as a formula.
func newColumn(text string, known []string, truth bool) (*column, error) {
	if slices.Contains(known, text) && !truth {
		return &column{text: text, names: []string{text}}, nil
	}
	env := map[string]any{}
	for _, n := range known {
		env[n] = 0.0
	}
	read := func(s string, env map[string]any) (*expression, error) { return compile(s, env) }
	if truth {
		read = condition
	}
	e, err := read(text, env)
	if err != nil {
		return nil, err
	}
	c := &column{text: text, expr: e}
	for _, n := range e.names {
		if slices.Contains(known, n) {
			c.names = append(c.names, n)
		}
	}
	return c, nil
}

// over returns the column's values; a condition is 1 where it holds. It is nil
// where the table lacks a column.
func (c *column) over(t *record.Table) ([]float64, error) {
	data := make([][]float64, len(c.names))
	for i, n := range c.names {
		if data[i] = t.Column(n); data[i] == nil {
			return nil, nil
		}
	}
	if c.expr == nil {
		return data[0], nil
	}
	env := make(map[string]any, len(c.names))
	out := make([]float64, rows(t))
	for k := range out {
		for i, n := range c.names {
			env[n] = data[i][k]
		}
		v, err := c.expr.value(env)
		if err != nil {
			return nil, err
		}
		if b, ok := v.(bool); ok {
			if b {
				out[k] = 1
			}
		} else if out[k], ok = float(v); !ok {
			return nil, fmt.Errorf("%q is %v, not a number", c.text, v)
		}
	}
	return out, nil
}

func rows(t *record.Table) int {
	if len(t.Data) == 0 {
		return 0
	}
	return len(t.Data[0])
}

// needs lists the columns of a file that the measures read.
func (s *Study) needs(file string) []string {
	names := []string{"time_s"}
	for i := range s.measures {
		m := &s.measures[i]
		if m.column != nil && m.file == file {
			names = append(names, m.column.names...)
		}
		if file == record.SignalsFile {
			names = append(append(names, m.RMS...), m.Max...)
		}
	}
	return names
}

// tables reads those tables of run folders that measures need, each once.
type tables struct {
	study *Study
	dir   string // of the cases
	kept  map[string]*record.Table
}

func (t *tables) get(name, file string) (*record.Table, error) {
	key := name + "/" + file
	if have := t.kept[key]; have != nil {
		return have, nil
	}
	table, err := record.ReadColumns(filepath.Join(t.dir, name), file, t.study.needs(file))
	if err != nil {
		return nil, err
	}
	if table.Column("time_s") == nil {
		return nil, fmt.Errorf("%s: there is no column time_s", filepath.Join(t.dir, name, file))
	}
	t.kept[key] = table
	return table, nil
}

// drop forgets the tables of a case.
func (t *tables) drop(name string) {
	delete(t.kept, name+"/"+record.SignalsFile)
	delete(t.kept, name+"/"+record.StepsFile)
}

// measureAll fills the values of rows that are done. Cases of one reference
// follow each other, so that few tables are held at a time.
func (s *Study) measureAll(dir string, rows []Row) error {
	t := &tables{study: s, dir: filepath.Join(dir, casesFolder), kept: map[string]*record.Table{}}
	order := make([]int, len(rows))
	done := map[string]bool{}
	for i := range rows {
		order[i] = i
		done[rows[i].Case.Name] = rows[i].Done()
		rows[i].Values = make([]float64, len(s.measures))
		for k := range rows[i].Values {
			rows[i].Values[k] = math.NaN()
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return rows[order[a]].Case.Reference < rows[order[b]].Case.Reference })
	ref := ""
	for _, i := range order {
		r := &rows[i]
		if !r.Done() {
			continue
		}
		if r.Case.Reference != ref {
			t.drop(ref)
			ref = r.Case.Reference
		}
		for k := range s.measures {
			v, err := s.measures[k].value(s, t, r, done[ref])
			if err != nil {
				return fmt.Errorf("case %s: measure %s: %w", r.Case.Name, s.measures[k].name, err)
			}
			r.Values[k] = v
		}
		if r.Case.Name != ref {
			t.drop(r.Case.Name)
		}
	}
	return nil
}

// value takes the measure of a row. NaN stands for none.
func (m *measure) value(s *Study, t *tables, r *Row, hasRef bool) (float64, error) {
	switch {
	case m.Run != "":
		v, _ := r.Summary.Number(m.Run)
		return v, nil
	case m.Expr != "":
		return m.combined(s, r)
	case m.RMS != nil || m.Max != nil:
		if !hasRef {
			return math.NaN(), nil
		}
		mine, err := t.get(r.Case.Name, record.SignalsFile)
		if err != nil {
			return 0, err
		}
		ref, err := t.get(r.Case.Reference, record.SignalsFile)
		if err != nil {
			return 0, err
		}
		return m.difference(mine, ref), nil
	}
	table, err := t.get(r.Case.Name, m.file)
	if err != nil {
		return 0, err
	}
	y, err := m.column.over(table)
	if err != nil || y == nil {
		return math.NaN(), err
	}
	time := table.Column("time_s")
	if m.Signal != "" || m.Steps != "" {
		from, to := m.window()
		c := record.Check{Signal: "y", Stat: m.Stat, From: from, To: to}
		return c.Statistic(&record.Table{Columns: []string{"time_s", "y"}, Data: [][]float64{time, y}}), nil
	}
	return m.moment(time, y), nil
}

// moment returns the first or last time that a condition holds, NaN where it never
// does, or how often it does.
func (m *measure) moment(time, holds []float64) float64 {
	from, to := m.window()
	first, last, count := math.NaN(), math.NaN(), 0
	for i, h := range holds {
		if h == 0 || time[i] < from-slack || time[i] > to+slack {
			continue
		}
		if count++; count == 1 {
			first = time[i]
		}
		last = time[i]
	}
	switch {
	case m.First != "":
		return first
	case m.Last != "":
		return last
	}
	return float64(count)
}

// combined evaluates a formula over other measures and the case's values.
func (m *measure) combined(s *Study, r *Row) (float64, error) {
	env := s.formulaEnv(&r.Case)
	for k := range s.measures {
		env[s.measures[k].name] = r.Values[k]
	}
	return m.expr.number(env)
}

// slack of windows: rows have round-off, s.
const slack = 1e-9

// window returns the times that a measure looks at.
func (m *Measure) window() (from, to float64) {
	if m.Over == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return m.Over[0], m.Over[1]
}

// difference compares signals with the reference, interpolated linearly at the
// times of the case's rows; the start, which is an input, is left out. It is NaN
// where no row lies within the window and the reference's time.
func (m *measure) difference(t, ref *record.Table) float64 {
	names := append(slices.Clone(m.RMS), m.Max...)
	from, to := m.window()
	time, refTime := t.Column("time_s"), ref.Column("time_s")
	if len(refTime) == 0 {
		return math.NaN()
	}
	// rows compared: those within the window and the reference's time
	lo, hi := 0, len(time)
	for lo < hi && (time[lo] < from-slack || time[lo] <= refTime[0]+slack) {
		lo++
	}
	for hi > lo && (time[hi-1] > to+slack || time[hi-1] > refTime[len(refTime)-1]+slack) {
		hi--
	}
	if lo == hi {
		return math.NaN()
	}
	n := float64(hi - lo)
	sum, top, norm, span := 0.0, 0.0, 0.0, 0.0
	for _, name := range names {
		x, xr := t.Column(name), ref.Column(name)
		if x == nil || xr == nil {
			return math.NaN()
		}
		low, high := math.Inf(1), math.Inf(-1)
		k := 0
		for i := lo; i < hi; i++ {
			var want float64
			want, k = interpolate(refTime, xr, time[i], k)
			d := x[i] - want
			sum += d * d
			top = max(top, math.Abs(d))
			norm += want * want
			low, high = min(low, want), max(high, want)
		}
		span = max(span, high-low)
	}
	out := math.Sqrt(sum / n)
	if m.Max != nil {
		out = top
	}
	switch m.RelativeTo {
	case "rms":
		return out / math.Sqrt(norm/n)
	case "range":
		return out / span
	}
	return out / m.scale
}

// interpolate returns the piecewise linear function through (t, x) at a time, and
// where in t that is. Times asked for ascend from call to call; k is where the
// last one was, 0 at first.
func interpolate(t, x []float64, at float64, k int) (float64, int) {
	for k+1 < len(t) && t[k+1] < at {
		k++
	}
	switch {
	case at <= t[k] || k+1 == len(t):
		return x[k], k
	case t[k+1] == t[k]:
		return x[k+1], k
	}
	return x[k] + (x[k+1]-x[k])*((at-t[k])/(t[k+1]-t[k])), k
}
