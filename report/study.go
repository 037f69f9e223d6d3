package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/internal/textcell"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/study"
)

// cases are the table of a study.
type cases struct {
	dir  string
	head []string
	rows [][]string
}

// column returns the number of a column, −1 without it.
func (c *cases) column(name string) int { return slices.Index(c.head, name) }

// cell returns a cell of a row by the name of its column; empty without it.
func (c *cases) cell(row int, name string) string {
	// rows of a damaged table may be short
	if k := c.column(name); k >= 0 && k < len(c.rows[row]) {
		return c.rows[row][k]
	}
	return ""
}

// state says whether a case is as expected.
func (c *cases) state(row int) State {
	switch expectations := c.cell(row, "expectations"); {
	case c.cell(row, "status") != "done":
		return Bad
	case expectations == "ok":
		return Good
	case expectations == "":
		return Plain
	}
	return Bad
}

// Study makes the report of a study folder, from its table and its charts.
func Study(dir string) (*Document, error) {
	file, ok := study.FileOf(dir)
	if !ok {
		return nil, fmt.Errorf("%s: no study here", dir)
	}
	// the table alone is enough: recordings of cases are read for pictures, where they were kept
	b, err := inputfile.Read(filepath.Join(dir, study.TableFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: a report needs the table of cases", dir, err)
	}
	table, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(table) < 2 {
		return nil, fmt.Errorf("%s: the table has no cases, or is damaged: %w", filepath.Join(dir, study.TableFile), err)
	}
	for i := range table {
		table[i] = textcell.UnescapeAll(table[i])
	}
	// columns are known by their names, which all versions share
	c := &cases{dir, table[0], table[1:]}
	d := &Document{Kind: "study", Title: filepath.Base(dir)}
	// the study file says which columns vary and which are measured; without it the table remains
	var paths, measures, plots []string
	derived := func(string) bool { return false }
	if s, err := study.Load(file); err == nil {
		derived = s.Derived
		d.Title = firstLine(s.File.Title, d.Title)
		paths, measures, plots = s.Paths, s.File.Measures.Keys, s.File.Plots.Keys
	}
	// derived values follow from the others: they span no map, and name no case
	chosen := slices.DeleteFunc(slices.Clone(paths), derived)
	c.judge(d, file)
	// the study has drawn them when it ran; a report draws none of them again
	charts, err := c.charts(plots)
	if err != nil {
		return nil, err
	}
	success, err := c.success(chosen, measures)
	if err != nil {
		return nil, err
	}
	extremes, err := c.extremes(chosen, measures)
	if err != nil {
		return nil, err
	}
	d.add(charts, success, extremes, c.table(paths, measures))
	return d, nil
}

// judge fills the verdict and the facts of a study.
func (c *cases) judge(d *Document, file string) {
	// cells that are no number count as 0: cases that failed have none
	count := map[State]int{}
	wall, steps, unconverged := 0.0, 0, 0
	for i := range c.rows {
		count[c.state(i)]++
		// s of the clock, steps, and steps that did not converge
		w, _ := strconv.ParseFloat(c.cell(i, "wall_s"), 64)
		n, _ := strconv.Atoi(c.cell(i, "steps"))
		u, _ := strconv.Atoi(c.cell(i, "unconverged_steps"))
		wall, steps, unconverged = wall+w, steps+n, unconverged+u
	}
	switch {
	// one case that is not as expected is the verdict of the study
	case count[Bad] > 0:
		d.Verdict, d.State = fmt.Sprintf("%d of %d cases are not as expected", count[Bad], len(c.rows)), Bad
	case count[Good] > 0:
		d.Verdict, d.State = fmt.Sprintf("all %d cases are as expected", len(c.rows)), Good
	default:
		d.Verdict = "nothing was expected"
	}
	d.Facts = []Fact{
		{Name: "study file", Value: filepath.Base(file)},
		{Name: "cases", Value: fmt.Sprint(len(c.rows))},
		{Name: "steps", Value: fmt.Sprint(steps)},
		judged("steps that did not converge", fmt.Sprint(unconverged), unconverged == 0),
		{Name: "wall-clock time of all cases", Value: quantity(wall, "s")},
	}
}

// charts are those that the study has drawn.
func (c *cases) charts(plots []string) (*Section, error) {
	s := &Section{Title: "Charts"}
	for _, name := range plots {
		path := filepath.Join(c.dir, name)
		pic, err := os.ReadFile(path + ".png")
		if err != nil {
			continue // a chart of another format, or not drawn yet
		}
		// a drawing where there is one: it stays sharp on any screen
		f := Figure{PNG: pic, Share: share(pic)}
		f.SVG, _ = os.ReadFile(path + ".svg")
		s.Figures = append(s.Figures, f)
	}
	if len(s.Figures) == 0 {
		return nil, nil
	}
	return s, nil
}

// share is the part of a page that a chart of 300 pixels per inch takes: narrow ones stand side by side.
func share(pic []byte) float64 {
	// 11 cm is what two charts beside each other leave to one, with some air
	c, err := png.DecodeConfig(bytes.NewReader(pic))
	if err != nil || float64(c.Width)/300*2.54 > 11 {
		return 1
	}
	return 0.5
}

// hasScale reports whether a scale of colours from 0 shows a column: its numbers differ, and none is negative.
func (c *cases) hasScale(name string) bool {
	least, largest := c.ends(name)
	if least < 0 {
		return false
	}
	lo, _ := strconv.ParseFloat(c.cell(least, name), 64)
	hi, _ := strconv.ParseFloat(c.cell(largest, name), 64)
	return lo >= 0 && hi > lo
}

// someBad reports whether a case is not as expected.
func (c *cases) someBad() bool {
	for i := range c.rows {
		if c.state(i) == Bad {
			return true
		}
	}
	return false
}

// extremes shows the cases with the least and the largest first measure, and the first case that is not as expected.
func (c *cases) extremes(paths, measures []string) (*Section, error) {
	s := &Section{Title: "Cases at the ends"}
	// the least, the largest and the failed case may be one
	shown := map[int]bool{}
	show := func(row int, why string) error {
		if row < 0 || shown[row] {
			return nil
		}
		shown[row] = true
		pic, err := c.picture(row)
		if err != nil || pic == nil {
			return err
		}
		// the values that make this case, as the table has them
		var values []string
		for _, p := range paths {
			if v := c.cell(row, p); v != "" {
				values = append(values, p+" = "+withUnit(v, unitOfPath(p)))
			}
		}
		b, err := pngOf(pic)
		s.Figures = append(s.Figures, Figure{Caption: why + ": " + strings.Join(values, ", "), PNG: b, Share: 0.5})
		return err
	}
	// the first of them: others often have the same cause
	bad := -1
	for i := range c.rows {
		if c.state(i) == Bad && bad < 0 {
			bad = i
		}
	}
	if len(measures) > 0 {
		// the first measure is what the study is about
		least, largest := c.ends(measures[0])
		for _, e := range []struct {
			row  int
			word string
		}{{least, "least "}, {largest, "largest "}} {
			if e.row >= 0 {
				if err := show(e.row, e.word+strings.ReplaceAll(render.TrimUnit(measures[0]), "_", " ")+", "+c.measured(e.row, measures[0])); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := show(bad, "not as expected"); err != nil {
		return nil, err
	}
	if len(s.Figures) == 0 {
		return nil, nil
	}
	return s, nil
}

// ends returns the rows with the least and the largest finite value of a column, −1 without any.
func (c *cases) ends(name string) (least, largest int) {
	least, largest = -1, -1
	at := func(row int) float64 { v, _ := strconv.ParseFloat(c.cell(row, name), 64); return v }
	for i := range c.rows {
		// failed cases have no number, and must not be the best
		if v, err := strconv.ParseFloat(c.cell(i, name), 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if least < 0 || cmp.Less(at(i), at(least)) {
			least = i
		}
		if largest < 0 || at(i) > at(largest) {
			largest = i
		}
	}
	return least, largest
}

// picture draws a case at its end; nil for one without a recording.
func (c *cases) picture(row int) (image.Image, error) {
	name := c.cell(row, "case")
	if !filepath.IsLocal(name) {
		return nil, nil // a table that was changed must not lead out of its folder
	}
	rec, err := record.ReadRun(filepath.Join(c.dir, "cases", name))
	if err != nil {
		return nil, nil // the study keeps no recording of it
	}
	defer rec.Close()
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return nil, err
	}
	opt.Size, opt.Letters = [2]int{stripWidth, stripHeight}, stripLetters
	// at the end, or when the scene says that there is something to see
	t := rec.Time(rec.Len() - 1)
	if opt.Picture != nil {
		t = *opt.Picture
	}
	return render.Picture(rec, t, opt)
}

// measured writes a measure of a case with the unit that its name says.
func (c *cases) measured(row int, name string) string {
	unit, _ := render.Unit(name)
	if v, err := strconv.ParseFloat(c.cell(row, name), 64); err == nil {
		return quantity(v, unit)
	}
	return c.cell(row, name)
}

// short writes a cell that is a number, times a factor, with four digits.
func short(cell string, factor float64) string {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return num(v * factor)
	}
	return cell
}

// columnUnit returns the head of a column of the table, and the factor of its numbers: all have the unit that suits the
// largest, as µs for steps of some 10⁻⁵ s.
func (c *cases) columnUnit(name string) (factor float64, head string) {
	unit := unitOfPath(name)
	if unit == "" {
		return 1, axisTitle(name)
	}
	top := 0.0
	for i := range c.rows {
		if v, err := strconv.ParseFloat(c.cell(i, name), 64); err == nil {
			top = max(top, math.Abs(v))
		}
	}
	factor, unit = scaled(top, unit)
	return factor, name + " (" + unit + ")"
}

// table shows the cases: what varies, what is measured, and whether it is as expected.
func (c *cases) table(paths, measures []string) *Section {
	// what varies stands before what follows from it
	columns := slices.Concat([]string{}, paths, measures)
	// a study file that is gone: all columns but those of bookkeeping
	if len(columns) == 0 {
		columns = slices.DeleteFunc(slices.Clone(c.head), func(name string) bool {
			return slices.Contains([]string{"state_hash", "wall_s", "unconverged_steps", "expectations", "status"}, name)
		})
	}
	s := &Section{Title: "Cases"}
	names := append(slices.Clone(columns), "expectations", "status")
	t := &Table{}
	factors := make([]float64, len(names))
	for k, name := range names {
		// measures show their unit by their name, values of the scene do not
		var title string
		factors[k], title = c.columnUnit(name)
		t.Head = append(t.Head, title)
	}
	for i := range c.rows[:min(len(c.rows), mostCases)] {
		// the verdict colours the last cell
		row := TableRow{State: c.state(i)}
		for k, name := range names {
			row.Cells = append(row.Cells, cmp.Or(short(c.cell(i, name), factors[k]), "–"))
		}
		t.Rows = append(t.Rows, row)
	}
	if n := len(c.rows); n > mostCases {
		s.Note = fmt.Sprintf("The first %d of %d cases; %s has all.", mostCases, n, study.TableFile)
	}
	s.Tables = []*Table{t}
	return s
}
