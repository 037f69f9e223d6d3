package study

import (
	"reflect"
	"slices"

	"github.com/curlfree/curlfree/scene"
)

// Plot is a figure: one panel, or several panels that take from the plot whatever they
// do not define themselves.
type Plot struct {
	// Panel is the only panel, or what the panels have in common.
	Panel

	// Panels are the panels, row by row. Empty: one panel.
	Panels []Panel `key:"panels"`

	// Columns is the number of panels side by side; default 1.
	Columns int `key:"columns"`

	// Width is the width of the figure, cm; default 8.6 for one column of panels and
	// 17.8 for several.
	Width float64 `key:"width"`

	// Height is the height of the frame of each panel, cm.
	Height float64 `key:"height"`

	// ShareX gives panels above each other one x axis; default: where all panels show
	// the same quantity over the same range.
	ShareX *bool `key:"share_x"`

	// ShareY gives panels side by side one y axis; default false.
	ShareY *bool `key:"share_y"`

	// Letters labels panels (a), (b), …; default with several panels.
	Letters *bool `key:"letters"`
}

// Panel is a chart, either of the table of cases (y or measures) or of what happened
// over time in chosen cases (signals or steps). Exactly one of these four keys is given.
type Panel struct {
	// Pos is the position of the panel in the study file.
	scene.Pos

	// Title stands above the panel.
	Title string `key:"title"`

	// X is the column on the x axis. In a chart of the table: a path or a measure. In a
	// chart over time: a column or formula, default the time.
	X string `key:"x"`

	// Y is the measure on the y axis.
	Y string `key:"y"`

	// Measures are several measures on the y axis.
	Measures []string `key:"measures"`

	// Signals are columns of signals.csv, or formulas over its columns.
	Signals []string `key:"signals"`

	// Steps are columns of steps.csv, or formulas over its columns.
	Steps []string `key:"steps"`

	// Where is a condition over values and measures. Only cases that meet it are shown.
	Where string `key:"where"`

	// Reference also shows the references of the cases, as wide lines below the others.
	Reference bool `key:"reference"`

	// Success is a condition over values and measures. The panel is a map of the cases over x and y,
	// which may be paths: those that meet it and those that do not have marks of their own.
	Success string `key:"success"`

	// Front marks all cases of a study with pareto, and joins those on the front by a line.
	Front bool `key:"front"`

	// Group lists paths, separated by commas. Cases with the same values of these form
	// one line. Default: the paths in which the cases differ.
	Group string `key:"group"`

	// Over restricts signals and steps to a window of time [from, to], s.
	Over *[2]float64 `key:"over,inf"`

	// FFT shows amplitude spectra of signals or steps: x is the frequency (Hz), y the
	// amplitude in the unit of the column.
	FFT bool `key:"fft"`

	// Peaks is the number of peaks of each spectrum that are labelled with their
	// frequency; default 6.
	Peaks *int `key:"peaks"`

	// LogX makes the x axis logarithmic.
	LogX bool `key:"log_x"`
	// LogY makes the y axis logarithmic.
	LogY bool `key:"log_y"`

	// XMin is the lower limit of x in the unit shown; nil: from the data.
	XMin *float64 `key:"x_min"`
	// XMax is the upper limit of x in the unit shown; nil: from the data.
	XMax *float64 `key:"x_max"`
	// YMin is the lower limit of y in the unit shown; nil: from the data.
	YMin *float64 `key:"y_min"`
	// YMax is the upper limit of y in the unit shown; nil: from the data.
	YMax *float64 `key:"y_max"`

	// XUnit is the unit shown on the x axis, such as ms. Values are converted from the
	// SI unit in which the name of the column ends.
	XUnit string `key:"x_unit"`
	// YUnit is the unit shown on the y axis, such as mm. Values are converted from the
	// SI unit in which the name of the column ends.
	YUnit string `key:"y_unit"`

	// XLabel replaces the title of the x axis, "quantity (unit)".
	XLabel string `key:"x_label"`
	// YLabel replaces the title of the y axis, "quantity (unit)".
	YLabel string `key:"y_label"`

	// Order draws a guide line of this slope on two logarithmic axes. 0: none.
	Order float64 `key:"order"`

	// Fit shows fitted orders in the legend, on two logarithmic axes; default true.
	Fit *bool `key:"fit"`

	// Marks draws a mark at each point; default only in charts of the table.
	Marks *bool `key:"marks"`

	// Legend is the position of the legend, one of render.Legends; default chosen where
	// it covers least.
	Legend string `key:"legend"`

	// Labels replace those of the study in this panel.
	Labels scene.Named[string] `key:"labels"`

	// HLines are horizontal lines across the panel, at values of y.
	HLines []GuideLine `key:"h_lines"`

	// VLines are vertical lines across the panel, at values of x.
	VLines []GuideLine `key:"v_lines"`

	// Notes are texts in the panel.
	Notes []Note `key:"notes"`
}

// GuideLine is a dashed straight line across a panel.
type GuideLine struct {
	// At is the coordinate, in the unit shown on the axis.
	At float64 `key:"at"`

	// Label is the text at the line; empty: none.
	Label string `key:"label"`
}

// Note is a text in a panel. In charts ^{…} raises and _{…} lowers a part of it, as in all
// texts of a figure.
type Note struct {
	// At is the position (x, y), in the units shown on the axes.
	At [2]float64 `key:"at"`

	// Text is the text.
	Text string `key:"text"`

	// Align is the side of the text that lies at the position: left, center or right.
	Align string `key:"align"`
}

// defaultPeaks is how many peaks of a spectrum are labelled unless a panel says.
const defaultPeaks = 6

// resolvedPlot is a Plot whose names are resolved.
type resolvedPlot struct {
	// name is the file name without extension.
	name string
	plot *Plot
	// panels are the panels with what they take from the plot.
	panels []*resolvedPanel
}

// resolvedPanel is a Panel whose names are resolved, with what it takes from its plot.
type resolvedPanel struct {
	Panel
	// columns are those on the y axis of a chart over time.
	columns []*column
	// x is the column on the x axis of a chart over time.
	x *column
	// file is the table of a chart over time; empty in a chart of the table of cases.
	file string
	// names are the measures of a chart of the table of cases.
	names []string
	// groups are the paths of Group.
	groups []string
}

// sources are the fields of Panel that say what it shows. A panel that has one of them
// takes none of them from its plot.
var sources = []string{"Y", "Measures", "Signals", "Steps"}

// A panel takes every field that is zero from its plot, so that common settings are written
// once. A field cannot be reset to zero in a panel: a plot with log_y: true has no panel with a
// linear y axis.

// inherit fills the fields that are zero from the plot, except for title and position.
func (p *Panel) inherit(plot *Panel) {
	mine, theirs := reflect.ValueOf(p).Elem(), reflect.ValueOf(plot).Elem()
	own := slices.ContainsFunc(sources, func(f string) bool { return !mine.FieldByName(f).IsZero() })
	for i := range mine.NumField() {
		name := mine.Type().Field(i).Name
		if name == "Title" || name == "Pos" || own && slices.Contains(sources, name) || !mine.Field(i).IsZero() {
			continue
		}
		mine.Field(i).Set(theirs.Field(i))
	}
}

// xName returns the column on the x axis.
func (p *resolvedPanel) xName() string {
	if p.file != "" && (p.X == "" || p.X == "time") {
		return timeColumn
	}
	return p.X
}

// yNames returns the columns on the y axis.
func (p *resolvedPanel) yNames() []string {
	switch {
	case p.Signals != nil:
		return p.Signals
	case p.Steps != nil:
		return p.Steps
	}
	return p.names
}

// label returns the text with which charts show a value, path or column, and whether
// the panel or the study defines it.
func (s *Study) label(p *resolvedPanel, name string) (string, bool) {
	if l := p.Labels.Get(name); l != nil {
		return *l, true
	}
	if l := s.File.Labels.Get(name); l != nil {
		return *l, true
	}
	return name, false
}
