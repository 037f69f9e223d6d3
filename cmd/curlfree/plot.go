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

// stepDefaults are the columns of steps.csv plotted when none is named.
var stepDefaults = []string{"newton_iterations", "contacts", "penetration_m", "wall_ms"}

// plotFlags are the options of plot.
type plotFlags struct {
	out, title, x, over, xRange, yRange string
	steps                               bool
	marks                               []string
	peaks                               int
	panels, hLines                      []string
	plot                                study.Plot
}

// plotResult is what plot prints as JSON.
type plotResult struct {
	File    string   `json:"file"`
	Columns []string `json:"columns"`
	Rows    int      `json:"rows"`
	Peaks   []lines  `json:"peaks,omitempty"` // of spectra
}

// lines are the peaks of one column's spectrum.
type lines struct {
	Column string        `json:"column"`
	Peaks  []render.Peak `json:"peaks"`
}

func (a *app) plotCommand() *cobra.Command {
	var o plotFlags
	cmd := &cobra.Command{
		Use:   "plot RUN [COLUMN…]",
		Short: "Plot a run over time, or draw the charts of a study again",
		Long: `Plot signals of a run, all by default, as a chart that fits a column of a paper: one panel
for each unit, which is read off the end of the signal's name (grip_N, tip_x, peak_Pa), or the panels
that --panel asks for. A column may be a formula: "1e3*(tip_x - base_x)". With --fft, the amplitudes
of the sines that the signals are made of, over their frequency (Hann's window, mean removed). The file's ending says the
format: .png, .svg or .pdf. Of the folder of a study, draw the study's own charts again.`,
		Example: `  curlfree plot runs/finray-grasp
  curlfree plot runs/finray-grasp grip_left_N part_slip -o grip.pdf
  curlfree plot runs/finray-grasp --steps newton_iterations wall_ms --log-y
  curlfree plot runs/belt --panel slip,rise --panel push_N --over 0.1:0.5 --x-unit ms --hline 1e-4=tolerance
  curlfree plot runs/slide block_y --x block_x
  curlfree plot runs/gearbox torque_Nm --fft --over 0.2:1 --x-range 0:500 --mark 12.73=worm --log-y
  curlfree plot runs/belt-study`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if file, ok := study.FileOf(args[0]); ok {
				if len(args) > 1 {
					return fail(exitUsage, fmt.Errorf("%s is the folder of a study, which says itself what to plot", args[0]))
				}
				return a.redraw(file, args[0])
			}
			return a.plotRun(&o, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "file to write, .png, .svg or .pdf (default RUN/signals.png)")
	f.BoolVar(&o.steps, "steps", false, "plot columns of steps.csv instead: iterations, contacts, times")
	f.StringArrayVar(&o.panels, "panel", nil, "columns of a panel, separated by commas; may be given several times")
	f.StringVar(&o.x, "x", "", "column to plot over, instead of the time")
	f.StringVar(&o.over, "over", "", "window of time FROM:TO, s")
	f.StringVar(&o.xRange, "x-range", "", "limits FROM:TO of the x axis, in the unit shown; either may be left out")
	f.StringVar(&o.yRange, "y-range", "", "limits FROM:TO of the y axes")
	f.BoolVar(&o.plot.LogX, "log-x", false, "logarithmic x axis")
	f.BoolVar(&o.plot.LogY, "log-y", false, "logarithmic y axes")
	f.StringVar(&o.plot.XUnit, "x-unit", "", "unit shown on the x axis, such as ms")
	f.StringVar(&o.plot.YUnit, "y-unit", "", "unit shown on the y axes, such as mm")
	f.StringVar(&o.plot.XLabel, "x-label", "", "label of the x axis")
	f.StringVar(&o.plot.YLabel, "y-label", "", "label of the y axes")
	f.StringArrayVar(&o.hLines, "hline", nil, "dashed line VALUE or VALUE=LABEL; may be given several times")
	f.BoolVar(&o.plot.FFT, "fft", false, "plot amplitude spectra; --over chooses the time that they are of, --x-range the frequencies shown")
	f.StringArrayVar(&o.marks, "mark", nil, "with --fft: dashed line at a frequency `HZ=LABEL`; may be given several times")
	f.IntVar(&o.peaks, "peaks", 6, "with --fft: how many peaks are labelled with their frequency")
	f.IntVar(&o.plot.Columns, "columns", 1, "panels side by side")
	f.Float64Var(&o.plot.Width, "width", 0, "cm, of the chart (default 8.6 for one column)")
	f.Float64Var(&o.plot.Height, "height", 0, "cm, of each panel")
	f.StringVar(&o.plot.Legend, "legend", "", "place of the legend: "+strings.Join(render.Legends, ", "))
	f.StringVar(&o.title, "title", "", "title above the chart")
	return cmd
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
	if ext := strings.ToLower(filepath.Ext(o.out)); !slices.Contains(render.ChartFormats, ext) {
		return fail(exitUsage, fmt.Errorf("-o %s: the file must end in %s", o.out, strings.Join(render.ChartFormats, ", ")))
	}
	if _, err := os.Stat(filepath.Join(dir, table)); err != nil {
		if _, err := record.ReadHeader(dir, table); err != nil {
			return fail(exitInput, fmt.Errorf("%w: is this the folder that curlfree run -o wrote?", err))
		}
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
	r := plotResult{File: o.out}
	if o.plot.FFT {
		for i, c := range fig.Charts {
			p := &o.plot.Panels[i]
			for k, l := range c.Lines {
				r.Peaks = append(r.Peaks, lines{slices.Concat(p.Signals, p.Steps)[k], l.Peaks})
			}
		}
	}
	if !a.json {
		for _, l := range r.Peaks {
			for _, p := range l.Peaks {
				a.say("%s: %.4g at %.5g Hz", l.Column, p.Amplitude, p.Frequency)
			}
		}
		a.say("%s", o.out)
		return nil
	}
	for _, p := range o.plot.Panels {
		r.Columns = append(append(r.Columns, p.Signals...), p.Steps...)
	}
	for _, c := range fig.Charts {
		for _, l := range c.Lines {
			r.Rows = max(r.Rows, len(l.Points))
		}
	}
	return a.printJSON(r)
}

// fill makes a plot of the options.
func (o *plotFlags) fill(dir, table string, columns []string) error {
	p := &o.plot
	p.Title, p.X = o.title, o.x
	var err error
	if len(o.panels) == 0 {
		if len(columns) == 0 && o.steps {
			columns = stepDefaults
		}
		if p.Panels, err = study.PanelsByUnit(dir, table, columns); err != nil {
			return err
		}
	} else if len(columns) > 0 {
		return fmt.Errorf("columns stand after RUN or after --panel, not both")
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
	letters := false
	p.Letters = &letters
	var from, to *float64
	if from, to, err = parseSpan("--over", o.over); err != nil {
		return err
	}
	if from != nil && to != nil {
		p.Over = &[2]float64{*from, *to}
	} else if o.over != "" {
		return fmt.Errorf("--over %s: FROM:TO is wanted", o.over)
	}
	if p.XMin, p.XMax, err = parseSpan("--x-range", o.xRange); err != nil {
		return err
	}
	if p.YMin, p.YMax, err = parseSpan("--y-range", o.yRange); err != nil {
		return err
	}
	for _, h := range o.hLines {
		value, label, _ := strings.Cut(h, "=")
		at, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("--hline %s: VALUE or VALUE=LABEL is wanted", h)
		}
		p.HLines = append(p.HLines, study.GuideLine{At: at, Label: label})
	}
	return o.spectra()
}

// spectra makes panels of spectra, where they are asked for.
func (o *plotFlags) spectra() error {
	p := &o.plot
	switch {
	case !p.FFT && len(o.marks) > 0:
		return errors.New("--mark is of frequencies: it goes with --fft")
	case !p.FFT:
		return nil
	case o.x != "" || p.XUnit != "":
		return errors.New("--x and --x-unit do not go with --fft: spectra are over the frequency, in Hz")
	case o.peaks < 0:
		return fmt.Errorf("--peaks %d: 0 or more are wanted", o.peaks)
	}
	p.Peaks = &o.peaks
	for _, m := range o.marks {
		value, label, _ := strings.Cut(m, "=")
		at, err := strconv.ParseFloat(value, 64)
		if err != nil || !(at >= 0) {
			return fmt.Errorf("--mark %s: HZ or HZ=LABEL is wanted, such as 12.73=worm", m)
		}
		p.VLines = append(p.VLines, study.GuideLine{At: at, Label: label})
	}
	return nil
}

// parseSpan reads FROM:TO, either of which may be empty.
func parseSpan(flag, text string) (from, to *float64, err error) {
	if text == "" {
		return nil, nil, nil
	}
	bad := fmt.Errorf("%s %s: FROM:TO is wanted, such as 0.1:0.5", flag, text)
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

// splitColumns splits at commas that no bracket encloses.
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

// redraw draws the charts of a study's folder again.
func (a *app) redraw(file, dir string) error {
	s, err := study.Load(file)
	if err != nil {
		return fail(exitInput, err)
	}
	rows, err := s.Redraw(dir)
	if err != nil {
		return fail(exitOutput, err)
	}
	return a.reportStudy(s, dir, rows)
}
