package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/study"
)

// studyResult is what study prints as JSON.
type studyResult struct {
	Study  string   `json:"study"`
	Folder string   `json:"folder"`
	Table  string   `json:"table"`
	Plots  []string `json:"plots"`
	Cases  int      `json:"cases"`
	Failed int      `json:"failed"`
	Unmet  int      `json:"expectations_not_met"` // cases that ran, but not as the scene expects
}

func (a *app) studyCommand() *cobra.Command {
	var (
		out       string
		plotsOnly bool
		dryRun    bool
		opt       study.Options
	)
	cmd := &cobra.Command{
		Use:   "study FILE",
		Short: "Run a scene over tables of parameters",
		Long: `Run a scene with every combination of the values that a study file lists, several cases at a
time. Every case leaves a run folder; cases.csv has one row each; charts are drawn as PNG and SVG. A study
that was interrupted goes on where it was; cases whose inputs did not change (scene, values, program) are not run again, nor are
those that failed with the same inputs, unless --retry asks for it.

Cases may well leave what the scene expects of its own values: they are named, and counted at the end. It is a
failure only where the study lists those expectations that its cases must meet.

Exit codes: 0 all cases ran, 1 one did not meet what the study expects, 2 usage, 3 invalid study or scene, 4 a case failed (the others are in the
table), 5 results could not be written, 130 interrupted.`,
		Example: `  curlfree study examples/sliding-block/study.yaml --jobs 2
  curlfree study examples/sliding-block/study.yaml --dry-run
  curlfree study examples/sliding-block/study.yaml --plots-only`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := study.Load(args[0])
			if err != nil {
				return fail(exitInput, err)
			}
			if out == "" {
				out = filepath.Join("runs", studyName(args[0]))
			}
			if plotsOnly {
				rows, err := s.Redraw(out)
				if err != nil {
					return fail(exitOutput, err)
				}
				return a.reportStudy(s, out, rows)
			}
			if err := s.Check(); err != nil {
				return fail(exitInput, err)
			}
			if dryRun {
				return a.listCases(s)
			}
			bar := newBar(a.stderr)
			opt.Dir, opt.Version = out, version()
			opt.Progress = func(done, total int, share float64) { bar.at(share, 1) }
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			rows, err := s.Run(ctx, opt)
			bar.done()
			switch {
			case errors.Is(err, run.ErrInterrupted):
				return fail(exitInterrupted, fmt.Errorf("interrupted: the same command goes on where this one stopped"))
			case err != nil:
				return fail(exitOutput, err)
			}
			return a.reportStudy(s, out, rows)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "study folder (default runs/NAME-study)")
	f.IntVar(&opt.Jobs, "jobs", runtime.NumCPU(), "cases at a time")
	f.BoolVar(&opt.Retry, "retry", false, "run cases again that failed with the same inputs")
	f.BoolVar(&plotsOnly, "plots-only", false, "run nothing: measure and draw again what is there")
	f.BoolVar(&dryRun, "dry-run", false, "run nothing: check every case and list them")
	cmd.MarkFlagsMutuallyExclusive("plots-only", "dry-run")
	return cmd
}

// reportStudy says what became of a study's cases.
func (a *app) reportStudy(s *study.Study, dir string, rows []study.Row) error {
	r := studyResult{Study: s.Path, Folder: dir, Table: filepath.Join(dir, study.TableFile), Cases: len(rows)}
	for _, name := range s.File.Plots.Keys {
		r.Plots = append(r.Plots, filepath.Join(dir, name+".png"))
	}
	offBy := map[string][]string{} // cases, by the expectations that they do not meet
	for i := range rows {
		name := rows[i].Case.Name
		if !rows[i].Done() {
			r.Failed++
			fmt.Fprintf(a.stderr, "case %s: %s\n", name, rows[i].Status)
		} else if unmet := strings.Join(s.Unmet(&rows[i]), ", "); unmet != "" {
			r.Unmet++
			offBy[unmet] = append(offBy[unmet], name)
		}
	}
	for _, unmet := range slices.Sorted(maps.Keys(offBy)) {
		fmt.Fprintf(a.stderr, "not as expected in %s: %s\n", unmet, atMost(8, offBy[unmet]))
	}
	var err error
	if a.json {
		err = a.printJSON(r)
	} else {
		a.say("%d cases, %d failed, %d ran otherwise than expected; table in %s", r.Cases, r.Failed, r.Unmet, r.Table)
	}
	switch {
	case err != nil:
		return err
	case r.Failed > 0:
		return fail(exitSolver, fmt.Errorf("%d of %d cases failed", r.Failed, r.Cases))
	case r.Unmet > 0 && s.File.Expect != nil:
		return fail(exitCheck, fmt.Errorf("%d of %d cases are not as the study expects", r.Unmet, r.Cases))
	}
	return nil
}

// atMost lists the first n names and counts the others.
func atMost(n int, names []string) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more cases", strings.Join(names[:n], ", "), len(names)-n)
}

// listCases prints the cases of a study and their values.
func (a *app) listCases(s *study.Study) error {
	if a.json {
		type item struct {
			Case      string            `json:"case"`
			Sweep     string            `json:"sweep,omitempty"`
			Values    map[string]string `json:"values"`
			Reference string            `json:"reference,omitempty"`
		}
		items := make([]item, len(s.Cases))
		for i, c := range s.Cases {
			items[i] = item{c.Name, c.Sweep, map[string]string{}, c.Reference}
			for k, p := range s.Paths {
				items[i].Values[p] = c.Values[k]
			}
		}
		return a.printJSON(items)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(append([]string{"case", "steps"}, s.Paths...), "\t"))
	for i := range s.Cases {
		c := &s.Cases[i]
		fmt.Fprintln(w, strings.Join(append([]string{c.Name, fmt.Sprintf("%.0f", c.Steps)}, c.Values...), "\t"))
	}
	return w.Flush()
}

// studyName names a study by its folder when the file is just study.yaml.
func studyName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if abs, err := filepath.Abs(path); err == nil && base == "study" {
		base = filepath.Base(filepath.Dir(abs)) + "-study"
	}
	return base
}
