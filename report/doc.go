// Package report writes what a run or a study was into one file that can be sent to somebody: an HTML page without any
// other file, or a PDF. Both show the same Document:
//
//	run     pictures, what was simulated, checks with their verdicts, charts of all signals, pressure on faces of
//	        deformables, health of the solver, time that steps took; warnings beside the verdict
//	study   the table of cases, its charts, a map of success over two values, the best and the worst case
//
// The report is made from the files of a run or study folder. The scene file is read for materials and robots if it is
// still there.
//
// All texts from files are data: html/template escapes them in the page, and a PDF has no markup.
package report

// Document is the content of a report, in the order in which it is shown.
type Document struct {
	// Kind is run or study; Title is that of the scene or the study.
	Kind, Title string
	// Verdict says in a few words whether expectations are met.
	Verdict string
	// State is the state of the verdict; renderers choose its colour.
	State State
	// Warnings stand beside the verdict: checks that are met say nothing about them.
	Warnings []string
	// Facts identify what was simulated.
	Facts []Fact
	// Sections follow each other.
	Sections []*Section
}

// State is whether a number is as expected.
type State string

// States.
const (
	Plain State = ""     // nothing is expected
	Good  State = "good" // as expected
	Bad   State = "bad"  // not as expected
	Open  State = "open" // expected, but the run ended before
)

// Fact is a name and a value.
type Fact struct {
	// Name and Value are texts as they are shown; Value has its unit.
	Name, Value string
	// State colours the value.
	State State
}

// Section is a part with a title.
type Section struct {
	// Title is the heading.
	Title string
	// Note explains what is shown.
	Note string
	// Facts, tables, figures and texts follow each other in this order. Each may be empty.
	Facts []Fact
	// Tables follow the facts.
	Tables []*Table
	// Figures follow the tables.
	Figures []Figure
	// Texts are parts of files, line by line.
	Texts []string
}

// Table is a table; cells of numbers are right-aligned.
type Table struct {
	// Head has the title of each column.
	Head []string
	// Rows have a cell for each column.
	Rows []TableRow
}

// TableRow is a row of a table.
type TableRow struct {
	// Cells are texts as they are shown, one for each column.
	Cells []string
	// State colours the row.
	State State
}

// Figure is a picture or a chart.
type Figure struct {
	// Caption is the text below the figure.
	Caption string
	// PNG is the picture. SVG is the same as a drawing, nil for photographs.
	PNG, SVG []byte
	// Share is the part of the width of the page that it takes.
	Share float64
}
