package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"curlfree/record"
	"curlfree/render"
)

// stepDefaults are the columns of steps.csv plotted when none is named.
var stepDefaults = []string{"newton_iterations", "contacts", "penetration_m", "wall_ms"}

func (a *app) plotCommand() *cobra.Command {
	var (
		out, title string
		steps      bool
	)
	cmd := &cobra.Command{
		Use:   "plot RUN [SIGNAL…]",
		Short: "Plot the signals of a run over time",
		Long: `Plot signals of a run, all by default, as a chart that fits a column of a paper: one panel
for each unit, which is read off the end of the signal's name (grip_N, tip_x, peak_Pa).
The file's ending says the format: .png, .svg or .pdf.`,
		Example: `  curlfree plot runs/finray-grasp
  curlfree plot runs/finray-grasp grip_left_N part_slip -o grip.pdf
  curlfree plot runs/finray-grasp --steps newton_iterations wall_ms`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name, file := record.SignalsFile, "signals.png"
			if steps {
				name, file = record.StepsFile, "steps.png"
			}
			if out == "" {
				out = filepath.Join(args[0], file)
			}
			if ext := strings.ToLower(filepath.Ext(out)); !slices.Contains(render.ChartFormats, ext) {
				return fail(exitUsage, fmt.Errorf("-o %s: the file must end in %s", out, strings.Join(render.ChartFormats, ", ")))
			}
			t, err := record.ReadTable(args[0], name)
			if err != nil {
				return fail(exitInput, fmt.Errorf("%w: is this the folder that curlfree run -o wrote?", err))
			}
			names := args[1:]
			if len(names) == 0 && steps {
				names = stepDefaults
			}
			series, err := render.Columns(t, names)
			if err != nil {
				return fail(exitUsage, fmt.Errorf("%s: %w", filepath.Join(args[0], name), err))
			}
			if err := render.Chart(out, title, series); err != nil {
				return fail(exitOutput, err)
			}
			if a.json {
				names = nil
				for _, s := range series {
					names = append(names, s.Name)
				}
				return a.printJSON(struct {
					File    string   `json:"file"`
					Columns []string `json:"columns"`
					Rows    int      `json:"rows"`
				}{out, names, len(series[0].T)})
			}
			a.say("%s", out)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "file to write, .png, .svg or .pdf (default RUN/signals.png)")
	f.BoolVar(&steps, "steps", false, "plot columns of steps.csv instead: iterations, contacts, times")
	f.StringVar(&title, "title", "", "title above the chart")
	return cmd
}
