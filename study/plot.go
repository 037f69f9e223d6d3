package study

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"curlfree/render"
)

// plots draws the study's charts as PNG and SVG.
func (s *Study) plots(dir string, rows []Row) error {
	for _, name := range s.File.Plots.Keys {
		p := s.File.Plots.Get(name)
		c := render.XY{
			X: cmp.Or(p.XName, p.X), Y: cmp.Or(p.YName, p.Y), LogX: p.LogX, LogY: p.LogY, Order: p.Order,
		}
		c.Lines = s.lines(p, rows)
		for _, ext := range []string{".png", ".svg"} {
			if err := c.Write(filepath.Join(dir, name+ext)); err != nil {
				return fmt.Errorf("plot %s: %w", name, err)
			}
		}
	}
	return nil
}

// lines returns a line for each value of the group, points by ascending x; on
// logarithmic axes its name tells the fitted order.
func (s *Study) lines(p *Plot, rows []Row) []render.Line {
	var lines []render.Line
	for i := range rows {
		r := &rows[i]
		if r.Case.Ref || r.Status != "done" {
			continue
		}
		x, ok1 := s.cell(r, p.X)
		y, ok2 := s.cell(r, p.Y)
		if !ok1 || !ok2 {
			continue
		}
		label := ""
		if p.Group != "" {
			label = r.Case.Values[slices.Index(s.Paths, p.Group)]
		}
		k := slices.IndexFunc(lines, func(l render.Line) bool { return l.Name == label })
		if k < 0 {
			k = len(lines)
			lines = append(lines, render.Line{Name: label})
		}
		lines[k].Points = append(lines[k].Points, [2]float64{x, y})
	}
	for i := range lines {
		l := &lines[i]
		slices.SortStableFunc(l.Points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		if p.LogX && p.LogY {
			if order, ok := fittedOrder(l.Points); ok {
				l.Name += fmt.Sprintf(" (order %.2f)", order)
			}
		}
	}
	return lines
}

// cell returns a varied value or a measure of a row as a number.
func (s *Study) cell(r *Row, column string) (float64, bool) {
	if k := slices.Index(s.Paths, column); k >= 0 {
		return number(r.Case.Values[k])
	}
	v := r.Values[slices.Index(s.File.Measures.Keys, column)]
	return v, !math.IsNaN(v)
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
