package bench

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/sim"
)

// Tables for terminals and for documents have the same columns, so that figures can be pasted from one
// into the other. Whatever the unit, three digits are shown: more are noise.

// column is a column of the table for terminals and documents.
type column struct {
	head string
	cell func(r *Result) string
}

// columns lists the columns of the table; times are in ms.
func columns() []column {
	// most columns are numbers with three digits
	number := func(of func(r *Result) float64) func(r *Result) string {
		return func(r *Result) string { return short(of(r)) }
	}
	cols := []column{
		{"scene", func(r *Result) string { return r.Scene }},
		{"dofs", func(r *Result) string { return fmt.Sprint(r.Dofs) }},
		{"contacts", number(func(r *Result) float64 { return r.Contacts.Mean })},
		{"Newton", number(func(r *Result) float64 { return r.Newton.Mean })},
		{"solves", number(func(r *Result) float64 { return r.Solves.Mean })},
		{"one", number(func(r *Result) float64 { return r.OneSolve })},
		{"ms", number(func(r *Result) float64 { return r.StepMs.Median })},
		{"p95", number(func(r *Result) float64 { return r.StepMs.P95 })},
		{"cpu", number(func(r *Result) float64 { return r.CPUMs })},
	}
	// stages in the order of a step
	for _, stage := range sim.StageNames {
		cols = append(cols, column{stage, number(func(r *Result) float64 { return r.StageMs[stage].Median })})
	}
	return append(cols,
		column{"factor", number(func(r *Result) float64 { return r.Factor.Ms })},
		column{"GF/s", number(func(r *Result) float64 { return r.Factor.GFlops })},
		column{"heap MB", number(func(r *Result) float64 { return r.HeapMB })},
		column{"peak MB", number(func(r *Result) float64 { return r.PeakMB })},
		column{"allocs", number(func(r *Result) float64 { return r.Allocations })},
		column{"noise", func(r *Result) string { return fmt.Sprintf("%.0f %%", 100*r.Noise) }},
	)
}

// short writes a number with about three digits.
func short(x float64) string {
	switch {
	// no digits below zero: 0 means not measured or none
	case x == 0:
		return "0"
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// nameWidth is the width of the column of names.
// Rows are printed as soon as a scene is measured, before the widths of later ones are known.
func nameWidth() int {
	// of all scenes, not only those measured: rows of several calls line up
	w := 0
	for _, s := range Scenes() {
		w = max(w, len(s.Name))
	}
	return w
}

// TableHeader returns the header of the table for terminals; times are in ms.
func TableHeader() string {
	return row(func(c column) string { return c.head })
}

// TableRow returns a result as a row of the table for terminals.
func (r *Result) TableRow() string {
	return row(func(c column) string { return c.cell(r) })
}

// row joins the cells of a row.
func row(cell func(c column) string) string {
	var b strings.Builder
	for i, c := range columns() {
		// names are flush left
		if i == 0 {
			fmt.Fprintf(&b, "%-*s", nameWidth(), cell(c))
			continue
		}
		// numbers are flush right below their heads
		fmt.Fprintf(&b, " %*s", max(7, len(c.head)), cell(c))
	}
	return b.String()
}

// Markdown returns the table for documents.
func Markdown(results []*Result) string {
	var b strings.Builder
	for _, c := range columns() {
		fmt.Fprintf(&b, "| %s ", c.head)
	}
	b.WriteString("|\n")
	// the line below the heads sets the alignment
	for i := range columns() {
		// names to the left, numbers to the right
		b.WriteString([]string{"|:--", "|--:"}[min(i, 1)])
	}
	b.WriteString("|\n")
	for _, r := range results {
		for _, c := range columns() {
			fmt.Fprintf(&b, "| %s ", c.cell(r))
		}
		b.WriteString("|\n")
	}
	return b.String()
}
