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

// state tells whether a case is as expected.
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
	// the study file tells which columns vary and which are measured; without it the table remains
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

// axis is a value that varies over the cases, as an axis of a map.
type axis struct {
	name string
	// values are its numbers in rising order; edges are between and beside them.
	values, edges []float64
	log           bool
}

// newAxis returns the axis of a column whose cells are numbers, at least two different ones; nil for others.
func (c *cases) newAxis(name string) *axis {
	a := &axis{name: name}
	for i := range c.rows {
		v, err := strconv.ParseFloat(c.cell(i, name), 64)
		if err != nil {
			return nil
		}
		a.values = append(a.values, v)
	}
	// each value once, however many cases have it
	slices.Sort(a.values)
	a.values = slices.Compact(a.values)
	n := len(a.values)
	if n < 2 {
		return nil
	}
	// values over more than a decade and a half are sown on a logarithmic axis
	a.log = a.values[0] > 0 && a.values[n-1] > 30*a.values[0]
	// edges are halfway on the axis as it is drawn
	to, from := func(x float64) float64 { return x }, func(x float64) float64 { return x }
	if a.log {
		to, from = math.Log, math.Exp
	}
	for i := range n + 1 {
		// neighbours of edge i
		lo, hi := max(i-1, 0), min(i, n-1)
		// beyond the ends half of the nearest distance
		x := (to(a.values[lo]) + to(a.values[hi])) / 2
		if i == 0 {
			x -= (to(a.values[1]) - to(a.values[0])) / 2
		}
		if i == n {
			x += (to(a.values[n-1]) - to(a.values[n-2])) / 2
		}
		a.edges = append(a.edges, from(x))
	}
	return a
}

// success is a map over the two values that vary: the share of cases that are as expected, or the first measure with a
// scale of colours where nothing is expected, or all cases are as expected, which the verdict tells. It returns nil where not two numbers vary.
func (c *cases) success(paths, measures []string) (*Section, error) {
	var axes []*axis
	for _, p := range paths {
		if a := c.newAxis(p); a != nil {
			axes = append(axes, a)
		}
	}
	// three values have no plane, and one has a chart
	if len(axes) != 2 {
		return nil, nil
	}
	// a map of one colour shows nothing
	judged := slices.ContainsFunc(c.rows, func(r []string) bool { k := c.column("expectations"); return k >= 0 && r[k] != "" }) && c.someBad()
	measures = slices.DeleteFunc(slices.Clone(measures), func(m string) bool { return !c.hasScale(m) })
	if !judged && len(measures) == 0 {
		return nil, nil
	}
	x, y := axes[0], axes[1]
	// sums over all cases of a cell, since others may vary besides the two axes
	sum, count := make([]float64, len(x.values)*len(y.values)), make([]float64, len(x.values)*len(y.values))
	for i := range c.rows {
		vx, _ := strconv.ParseFloat(c.cell(i, x.name), 64)
		vy, _ := strconv.ParseFloat(c.cell(i, y.name), 64)
		// cells by rows of y
		k := slices.Index(x.values, vx) + len(x.values)*slices.Index(y.values, vy)
		v := 0.0
		switch {
		case !judged:
			var err error
			if v, err = strconv.ParseFloat(c.cell(i, measures[0]), 64); err != nil || math.IsNaN(v) {
				continue
			}
		case c.state(i) == Good:
			v = 100
		}
		sum[k], count[k] = sum[k]+v, count[k]+1
	}
	return c.cellMap(x, y, sum, count, judged, measures)
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

// cellMap draws the means of cells over the plane of two axes: shares of cases in %, or a measure.
func (c *cases) cellMap(x, y *axis, sum, count []float64, judged bool, measures []string) (*Section, error) {
	// share of the cases in a cell; the scale ends at all of them
	title, unit := "cases as expected", "%"
	if !judged {
		unit, _ = render.Unit(measures[0])
		title = strings.ReplaceAll(render.TrimUnit(measures[0]), "_", " ")
	}
	cells := &render.Cells{Unit: unit, Top: 100}
	for k := range sum {
		// a cell without a case stays white: nothing is known there
		if count[k] == 0 {
			continue
		}
		i, j := k%len(x.values), k/len(x.values)
		cells.Rects = append(cells.Rects, [4]float64{x.edges[i], y.edges[j], x.edges[i+1], y.edges[j+1]})
		v := sum[k] / count[k]
		cells.Values = append(cells.Values, v)
		cells.Labels = append(cells.Labels, digits(v, 3))
	}
	// no case has a number
	if len(cells.Rects) == 0 {
		return nil, nil
	}
	if !judged {
		cells.Top = render.NewCells(nil, cells.Values, 0, "").Top
	}
	if len(x.values)*len(y.values) > 150 {
		cells.Labels = nil // there is no room for them
	}
	// the axes end at the outer edges of the cells, so that no cell is cut
	n, m := len(x.edges)-1, len(y.edges)-1
	f, err := chart(&render.Figure{Width: 14, Height: 7, Charts: []render.Chart{{
		Title: title, X: axisTitle(x.name), Y: axisTitle(y.name), LogX: x.log, LogY: y.log,
		Min: [2]*float64{&x.edges[0], &y.edges[0]}, Max: [2]*float64{&x.edges[n], &y.edges[m]}, Cells: cells,
	}}})
	return &Section{Title: "Map over " + x.name + " and " + y.name, Figures: []Figure{f}}, err
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

// measured writes a measure of a case with the unit that its name tells.
func (c *cases) measured(row int, name string) string {
	unit, _ := render.Unit(name)
	if v, err := strconv.ParseFloat(c.cell(row, name), 64); err == nil {
		return quantity(v, unit)
	}
	return c.cell(row, name)
}

// axisTitle is a path of a scene with the unit of its values.
func axisTitle(path string) string {
	if unit := unitOfPath(path); unit != "" {
		return path + " (" + unit + ")"
	}
	return render.AxisTitle(path)
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
		// measures tell their unit by their name, values of the scene do not
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
