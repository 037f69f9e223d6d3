package study

import (
	"cmp"
	"fmt"
	"slices"
)

// Charts of the table whose points are distinguished by results: a map of success over two paths, and the
// designs of a search with their front. They are marks without lines, except for the front.

// Labels of such points, which the key labels of a plot or study replaces.
const (
	successLabel = "success"
	failureLabel = "failure"
	designsLabel = "designs"
	frontLabel   = "front"
)

// splits reports whether the panel is such a chart.
func (p *resolvedPanel) splits() bool { return p.Success != "" || p.Front }

// split checks the keys success and front.
func (r *panelResolver) split() {
	// keys that exclude each other are reported before conditions that do not compile
	p := r.p
	if !p.splits() {
		return
	}
	switch {
	case p.file != "" || len(p.names) != 1:
		r.failPanel(": success and front show the table: give x and y")
	case p.Success != "" && p.Front:
		r.failPanel(": success and front exclude each other")
	case p.Front && r.study.File.Pareto == nil:
		r.fail("front", "the study has no pareto")
	case p.Success != "":
		// compiled with the names of any case: all have the same
		if _, err := condition(p.Success, r.study.whereEnv(&Row{Case: r.study.Cases[0]})); err != nil {
			r.fail("success", "%v", err)
		}
	}
}

// splitCurves returns the points of such a chart: those that meet the condition and the others, or all
// designs and, once more, those on the front.
func (d *figureBuilder) splitCurves(p *resolvedPanel, rows []*Row) ([]curve, error) {
	labels := []string{successLabel, failureLabel}
	if p.Front {
		labels = []string{designsLabel, frontLabel}
	}
	// marks alone, since neighbours in the table are no neighbours in the chart; the front is one line
	curves := make([]curve, 2)
	for k, label := range labels {
		curves[k].of, _ = d.study.label(p, label)
		curves[k].name, curves[k].marksOnly = p.names[0], labels[k] != frontLabel
	}
	// the front of all cases, whichever the panel shows
	front := map[string]bool{}
	if p.Front {
		on, err := d.study.onFront(d.rows)
		if err != nil {
			return nil, err
		}
		for i, yes := range on {
			front[d.rows[i].Case.Name] = yes
		}
	}
	for _, r := range rows {
		x, ok1 := d.study.cell(r, p.X)
		y, ok2 := d.study.cell(r, p.names[0])
		// a case that failed, or has no such measure, has no place in the chart
		if !ok1 || !ok2 {
			continue
		}
		k := 0
		if p.Front && front[r.Case.Name] {
			curves[1].points = append(curves[1].points, [2]float64{x, y}) // besides its mark among all
		} else if !p.Front {
			ok, err := d.study.holds(p.Success, r)
			if err != nil {
				return nil, fmt.Errorf("success: %w", err)
			}
			if !ok {
				k = 1
			}
		}
		curves[k].points = append(curves[k].points, [2]float64{x, y})
	}
	// from left to right, so that the line of the front runs along it
	for k := range curves {
		slices.SortStableFunc(curves[k].points, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	}
	return slices.DeleteFunc(curves, func(c curve) bool { return len(c.points) == 0 }), nil
}
