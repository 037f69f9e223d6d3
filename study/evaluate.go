package study

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/record"
)

// Evaluation of measures. Tables of runs can have 10⁵ rows and hundreds of columns, and a
// study hundreds of cases. Therefore only the columns that measures use are read, and the
// tables of a case are freed as soon as its measures are known.
//
//	run                  a number of run.json
//	signal, steps        statistic of a column of a table
//	first, last, count   of a condition that is true in rows or not
//	rms, max             difference from the signals of the reference
//	of_reference         a measure of the reference
//	formula              of measures above, and of the values of the case

// neededColumns lists the columns of a file that the measures read.
func (s *Study) neededColumns(file string) []string {
	names := []string{timeColumn}
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

// tableCache reads the tables of run folders that measures need, each once.
type tableCache struct {
	study *Study
	// dir is the folder with the run folders of the cases.
	dir string
	// tables are those in memory, by case and file.
	tables map[string]*record.Table
}

// get returns a table of a case.
func (t *tableCache) get(name, file string) (*record.Table, error) {
	key := name + "/" + file
	if have := t.tables[key]; have != nil {
		return have, nil
	}
	table, err := record.ReadColumns(filepath.Join(t.dir, name), file, t.study.neededColumns(file))
	if err != nil {
		return nil, err
	}
	if table.Column(timeColumn) == nil {
		return nil, fmt.Errorf("%s has no column %s", filepath.Join(t.dir, name, file), timeColumn)
	}
	t.tables[key] = table
	return table, nil
}

// drop frees the tables of a case.
func (t *tableCache) drop(name string) {
	delete(t.tables, name+"/"+record.SignalsFile)
	delete(t.tables, name+"/"+record.StepsFile)
}

// At most two cases are in memory: the present one and its reference.

// measureAll computes the measures of all rows that are done. Cases with the same
// reference are processed one after the other, so that only the tables of one case and
// one reference are in memory at a time.
func (s *Study) measureAll(dir string, rows []Row) error {
	t := &tableCache{study: s, dir: filepath.Join(dir, casesFolder), tables: map[string]*record.Table{}}
	// values that are not computed below are NaN
	order := make([]int, len(rows))
	byName := map[string]*Row{}
	for i := range rows {
		order[i] = i
		byName[rows[i].Case.Name] = &rows[i]
		rows[i].Values = make([]float64, len(s.measures))
		for k := range rows[i].Values {
			rows[i].Values[k] = math.NaN()
		}
	}
	// stable: rows of one reference stay in the order of the table
	// group the rows by their reference, which is its own and comes first: its measures are those of of_reference
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &rows[a].Case, &rows[b].Case
		own := func(c *Case) int {
			if c.Name == c.Reference {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.Reference, y.Reference), cmp.Compare(own(x), own(y)))
	})
	ref := ""
	for _, i := range order {
		r := &rows[i]
		if !r.Done() {
			continue
		}
		// the tables of the previous reference are not needed any more
		if r.Case.Reference != ref {
			t.drop(ref)
			ref = r.Case.Reference
		}
		reference := byName[ref]
		if reference != nil && !reference.Done() {
			reference = nil
		}
		if err := s.measureRow(t, r, reference); err != nil {
			return err
		}
		// a case of the table may also be a reference: then its tables stay
		if r.Case.Name != ref {
			t.drop(r.Case.Name)
		}
	}
	return nil
}

// measureRow computes the measures of a row in the order of the file, since formulas
// use those before them. ref is nil without results of the reference.
func (s *Study) measureRow(t *tableCache, r, ref *Row) error {
	for k := range s.measures {
		v, err := s.measures[k].value(s, t, r, ref)
		if err != nil {
			return fmt.Errorf("case %s: measure %s: %w", r.Case.Name, s.measures[k].name, err)
		}
		r.Values[k] = v
	}
	return nil
}

// value computes a measure of a row. NaN means that it has no value: the reference has
// no results, or a table lacks a column.
func (m *resolvedMeasure) value(s *Study, t *tableCache, r, ref *Row) (float64, error) {
	switch {
	case m.Run != "":
		// a number that this version of run.json lacks is 0
		v, _ := r.Summary.Number(m.Run)
		return v, nil
	case m.Expr != "":
		return m.formulaValue(s, r)
	case m.OfReference != "":
		if ref == nil {
			return math.NaN(), nil
		}
		// for the reference itself this is its own value, computed above
		return ref.Values[m.reference], nil
	case m.RMS != nil || m.Max != nil:
		if ref == nil {
			return math.NaN(), nil
		}
		// the signals of the case and of its reference, each with rows of its own
		mine, err := t.get(r.Case.Name, record.SignalsFile)
		if err != nil {
			return 0, err
		}
		theirs, err := t.get(r.Case.Reference, record.SignalsFile)
		if err != nil {
			return 0, err
		}
		return m.difference(mine, theirs), nil
	}
	table, err := t.get(r.Case.Name, m.file)
	if err != nil {
		return 0, err
	}
	return m.ofTable(table)
}

// ofTable computes a measure of one column: a statistic of signal and steps, or the
// time or number of events of first, last and count.
func (m *resolvedMeasure) ofTable(table *record.Table) (float64, error) {
	y, err := m.column.evaluate(table)
	if err != nil || y == nil {
		return math.NaN(), err
	}
	// conditions are 1 or 0 in each row; other columns are reduced by the statistic
	time := table.Column(timeColumn)
	if m.Signal == "" && m.Steps == "" {
		return m.eventValue(time, y), nil
	}
	// the statistics are those of the expectations of scenes
	from, to := m.window()
	c := record.Check{Signal: "y", Stat: m.Stat, From: from, To: to}
	return c.Statistic(&record.Table{Columns: []string{timeColumn, "y"}, Data: [][]float64{time, y}}), nil
}

// eventValue returns the first or the last time at which a condition is true, NaN if it
// never is, or the number of rows in which it is.
func (m *resolvedMeasure) eventValue(time, holds []float64) float64 {
	from, to := m.window()
	// one pass over the rows in the window in which the condition is true
	first, last, count := math.NaN(), math.NaN(), 0
	for i, h := range holds {
		if h == 0 || time[i] < from-timeTolerance || time[i] > to+timeTolerance {
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

// formulaValue evaluates a formula over the values of the case and other measures.
func (m *resolvedMeasure) formulaValue(s *Study, r *Row) (float64, error) {
	// measures below this one are NaN here, and the formula cannot use them
	env := s.formulaEnv(&r.Case)
	for k := range s.measures {
		env[s.measures[k].name] = r.Values[k]
	}
	return m.expr.number(env)
}
