package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/study"
)

// stepDefaults are the columns of steps.csv that are plotted unless columns are given.
var stepDefaults = []string{"newton_iterations", "contacts", "penetration_m", "wall_ms"}

// plotFlags are the flags of plot.
type plotFlags struct {
	out, title, x, over, xRange, yRange string
	steps                               bool
	marks                               []string
	peaks                               int
	panels, hLines                      []string
	plot                                study.Plot
}

// plotResult is the JSON object of plot.
type plotResult struct {
	File    string   `json:"file"`
	Columns []string `json:"columns"`
	Rows    int      `json:"rows"`
	Peaks   []lines  `json:"peaks,omitempty"` // of spectra
}

// lines are the peaks of the spectrum of a column.
type lines struct {
	Column string        `json:"column"`
	Peaks  []render.Peak `json:"peaks"`
}

func (a *app) plotCommand() *cobra.Command {
	var o plotFlags
	cmd := &cobra.Command{
		Use:   "plot RUN [COLUMN…]",
		Short: "Plot a run over time, or draw the charts of a study again",
		Long: `Plot signals of a run over time, by default all of them, as a chart with the width of a column
of a paper. There is one panel for each unit, that of the signal or the ending of its name (grip_N,
tip_x, peak_Pa), or the panels given by --panel. A column may be a formula:
"1e3*(tip_x - base_x)". With --fft, the panels show amplitude spectra (mean removed, Hann window)
over the frequency. The extension of the file is the format: .png, .svg or .pdf.

For a study folder, the charts of the study are drawn again.`,
		Example: `  curlfree plot runs/finray-grasp
  curlfree plot runs/finray-grasp grip_left_N part_slip -o grip.pdf
  curlfree plot runs/finray-grasp --steps newton_iterations wall_ms --log-y
  curlfree plot runs/belt --panel slip,rise --panel push_N --over 0.1:0.5 --x-unit ms --hline 1e-4=tolerance
  curlfree plot runs/slide block_y --x block_x
  curlfree plot runs/gearbox torque_Nm --fft --over 0.2:1 --x-range 0:500 --mark 12.73=worm --log-y
  curlfree plot runs/belt-study`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.plot(&o, args[0], args[1:]) },
	}
	o.add(cmd)
	return cmd
}

// plot plots a run folder, or draws the charts of a study folder again.
func (a *app) plot(o *plotFlags, dir string, columns []string) error {
	file, ok := study.FileOf(dir)
	switch {
	case !ok:
		return a.plotRun(o, dir, columns)
	case len(columns) > 0:
		return fail(exitUsage, fmt.Errorf("%s is the folder of a study, whose file defines the charts: leave the columns out", dir))
	}
	return a.redraw(file, dir)
}

// add adds the flags to a command.
func (o *plotFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "file to write, .png, .svg or .pdf (default RUN/signals.png)")
	f.BoolVar(&o.steps, "steps", false, "plot columns of steps.csv instead of signals: iterations, contacts, times")
	f.StringArrayVar(&o.panels, "panel", nil, "columns of a panel, separated by commas; may be repeated")
	f.StringVarP(&o.x, "x", "x", "", "column on the x axis instead of the time") // completion needs the short form
	f.StringVar(&o.over, "over", "", "window of time FROM:TO, s")
	f.StringVar(&o.xRange, "x-range", "", "limits FROM:TO of the x axis, in the unit shown; one of them may be omitted")
	f.StringVar(&o.yRange, "y-range", "", "limits FROM:TO of the y axes")
	f.BoolVar(&o.plot.LogX, "log-x", false, "logarithmic x axis")
	f.BoolVar(&o.plot.LogY, "log-y", false, "logarithmic y axes")
	f.StringVar(&o.plot.XUnit, "x-unit", "", "unit shown on the x axis, such as ms")
	f.StringVar(&o.plot.YUnit, "y-unit", "", "unit shown on the y axes, such as mm")
	f.StringVar(&o.plot.XLabel, "x-label", "", "label of the x axis")
	f.StringVar(&o.plot.YLabel, "y-label", "", "label of the y axes")
	f.StringArrayVar(&o.hLines, "hline", nil, "dashed horizontal line VALUE or VALUE=LABEL; may be repeated")
	f.BoolVar(&o.plot.FFT, "fft", false, "plot amplitude spectra; --over is the window of time to transform, --x-range the range of frequencies")
	f.StringArrayVar(&o.marks, "mark", nil, "with --fft: dashed vertical line at a frequency `HZ=LABEL`; may be repeated")
	f.IntVar(&o.peaks, "peaks", 6, "with --fft: number of peaks labelled with their frequency")
	f.IntVar(&o.plot.Columns, "columns", 1, "number of panels side by side")
	f.Float64Var(&o.plot.Width, "width", 0, "width of the chart, cm (default 8.6 for one column of panels)")
	f.Float64Var(&o.plot.Height, "height", 0, "height of each panel, cm")
	f.StringVar(&o.plot.Legend, "legend", "", "place of the legend: "+strings.Join(render.Legends, ", "))
	f.StringVar(&o.title, "title", "", "title above the chart")
}

// plotRun plots columns of a run folder.
func (a *app) plotRun(o *plotFlags, dir string, columns []string) error {
	table, file := record.SignalsFile, "signals.png"
	if o.steps {
		table, file = record.StepsFile, "steps.png"
	}
	if o.plot.FFT {
		file = "spectrum.png"
	}
	if o.out == "" {
		o.out = filepath.Join(dir, file)
	}
	if err := a.mayPlot(o.out, dir, table); err != nil {
		return err
	}
	if err := o.fill(dir, table, columns); err != nil {
		return fail(exitUsage, err)
	}
	fig, err := study.RunFigure(dir, &o.plot)
	if err != nil {
		return fail(exitUsage, fmt.Errorf("%s: %w", filepath.Join(dir, table), err))
	}
	if err := fig.Write(o.out); err != nil {
		return fail(exitOutput, err)
	}
	return a.printPlot(o, fig)
}

// mayPlot refuses a file that is no chart or not to be replaced, and a folder without the table.
func (a *app) mayPlot(out, dir, table string) error {
	if ext := strings.ToLower(filepath.Ext(out)); !slices.Contains(render.ChartFormats, ext) {
		return fail(exitUsage, fmt.Errorf("-o %s: the file must end in %s", out, strings.Join(render.ChartFormats, ", ")))
	}
	if _, err := os.Stat(filepath.Join(dir, table)); err != nil {
		if _, err := record.ReadHeader(dir, table); err != nil {
			return fail(exitInput, fmt.Errorf("%w: is this the folder that curlfree run -o wrote?", err))
		}
	}
	return a.mayWrite(out)
}

// printPlot prints the file of a chart and the peaks of its spectra.
func (a *app) printPlot(o *plotFlags, fig *render.Figure) error {
	r := plotResult{File: o.out}
	for i := range fig.Charts {
		p := &o.plot.Panels[i]
		columns := slices.Concat(p.Signals, p.Steps)
		r.Columns = append(r.Columns, columns...)
		for k, l := range fig.Charts[i].Lines {
			r.Rows = max(r.Rows, len(l.Points))
			if o.plot.FFT {
				r.Peaks = append(r.Peaks, lines{columns[k], l.Peaks})
			}
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	for _, l := range r.Peaks {
		for _, p := range l.Peaks {
			a.say("%s: %.4g at %.5g Hz", l.Column, p.Amplitude, p.Frequency)
		}
	}
	a.say("%s", o.out)
	return nil
}

// fill sets the panels and limits of the plot from the flags.
func (o *plotFlags) fill(dir, table string, columns []string) error {
	p := &o.plot
	p.Title, p.X = o.title, o.x
	if err := o.fillPanels(dir, table, columns); err != nil {
		return err
	}
	letters := false
	p.Letters = &letters
	from, to, err := parseSpan("--over", o.over)
	if err != nil {
		return err
	}
	if from != nil && to != nil {
		p.Over = &[2]float64{*from, *to}
	} else if o.over != "" {
		return fmt.Errorf("--over %s: give FROM:TO", o.over)
	}
	if p.XMin, p.XMax, err = parseSpan("--x-range", o.xRange); err != nil {
		return err
	}
	if p.YMin, p.YMax, err = parseSpan("--y-range", o.yRange); err != nil {
		return err
	}
	for _, h := range o.hLines {
		line, err := parseLine(h)
		if err != nil {
			return fmt.Errorf("--hline %s: give VALUE or VALUE=LABEL", h)
		}
		p.HLines = append(p.HLines, line)
	}
	return o.spectra()
}

// parseLine parses VALUE or VALUE=LABEL.
func parseLine(text string) (study.GuideLine, error) {
	value, label, _ := strings.Cut(text, "=")
	at, err := strconv.ParseFloat(value, 64)
	return study.GuideLine{At: at, Label: label}, err
}

// fillPanels makes a panel for each unit of the columns, or those of --panel.
func (o *plotFlags) fillPanels(dir, table string, columns []string) (err error) {
	p := &o.plot
	if len(o.panels) == 0 {
		if len(columns) == 0 && o.steps {
			columns = stepDefaults
		}
		p.Panels, err = study.PanelsByUnit(dir, table, columns)
		return err
	}
	if len(columns) > 0 {
		return errors.New("give columns either after RUN or with --panel, not both")
	}
	for _, list := range o.panels {
		panel, names := study.Panel{}, splitColumns(list)
		if o.steps {
			panel.Steps = names
		} else {
			panel.Signals = names
		}
		p.Panels = append(p.Panels, panel)
	}
	return nil
}

// spectra applies the flags of spectra and refuses those that do not go with them.
func (o *plotFlags) spectra() error {
	p := &o.plot
	switch {
	case !p.FFT && len(o.marks) > 0:
		return errors.New("--mark is a frequency: it needs --fft")
	case !p.FFT:
		return nil
	case o.x != "" || p.XUnit != "":
		return errors.New("--x and --x-unit cannot be used with --fft: the x axis of spectra is the frequency in Hz")
	case o.peaks < 0:
		return fmt.Errorf("--peaks %d: give 0 or more", o.peaks)
	}
	p.Peaks = &o.peaks
	for _, m := range o.marks {
		line, err := parseLine(m)
		if err != nil || !(line.At >= 0) {
			return fmt.Errorf("--mark %s: give HZ or HZ=LABEL, such as 12.73=worm", m)
		}
		p.VLines = append(p.VLines, line)
	}
	return nil
}

// parseSpan parses FROM:TO, either of which may be empty.
func parseSpan(flag, text string) (from, to *float64, err error) {
	if text == "" {
		return nil, nil, nil
	}
	bad := fmt.Errorf("%s %s: give FROM:TO with FROM < TO, such as 0.1:0.5", flag, text)
	parts := strings.Split(text, ":")
	if len(parts) != 2 {
		return nil, nil, bad
	}
	for i, to := range []**float64{&from, &to} {
		if parts[i] == "" {
			continue
		}
		x, err := strconv.ParseFloat(parts[i], 64)
		if err != nil {
			return nil, nil, bad
		}
		*to = &x
	}
	if from != nil && to != nil && !(*from < *to) {
		return nil, nil, bad
	}
	return from, to, nil
}

// splitColumns splits at commas that are not inside brackets.
func splitColumns(list string) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range list {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == ',' && depth == 0:
			out = append(out, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// redraw draws the charts of a study folder again.
func (a *app) redraw(file, dir string) error {
	s, err := study.Load(file)
	if err != nil {
		return fail(exitInput, err)
	}
	if err := a.mayRedraw(s, dir); err != nil {
		return err
	}
	rows, err := s.Redraw(dir)
	if err != nil {
		return fail(exitOutput, err)
	}
	return a.reportStudy(s, dir, rows)
}
