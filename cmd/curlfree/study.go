package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"curlfree/run"
	"curlfree/study"
)

// studyResult is what study prints as JSON.
type studyResult struct {
	Study  string `json:"study"`
	Folder string `json:"folder"`
	Table  string `json:"table"`
	Cases  int    `json:"cases"`
	Failed int    `json:"failed"`
}

func (a *app) studyCommand() *cobra.Command {
	var (
		out  string
		jobs int
	)
	cmd := &cobra.Command{
		Use:   "study FILE",
		Short: "Run a scene over a table of parameters",
		Long: `Run a scene with every combination of the values that a study file lists, several cases at a
time. Every case leaves a run folder; cases.csv has one row each. A study that was interrupted goes on
where it was; cases whose inputs did not change are not run again.

Exit codes: 0 all cases ran, 2 usage, 3 invalid study or scene, 4 a case failed (the others are in the
table), 5 results could not be written, 130 interrupted.`,
		Example: "  curlfree study examples/sliding-block/study.yaml --jobs 2",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := study.Load(args[0])
			if err != nil {
				return fail(exitInput, err)
			}
			if out == "" {
				out = filepath.Join("runs", studyName(args[0]))
			}
			bar := newBar(a.stderr)
			rows, err := s.Run(cmd.Context(), study.Options{
				Dir: out, Jobs: jobs, Version: version(),
				Progress: func(done, total int, share float64) { bar.at(share, 1) },
			})
			bar.done()
			switch {
			case errors.Is(err, run.ErrInterrupted):
				return fail(exitInterrupted, fmt.Errorf("interrupted: the same command goes on where this one stopped"))
			case err != nil:
				return fail(exitOutput, err)
			}
			r := studyResult{Study: args[0], Folder: out, Table: filepath.Join(out, study.TableFile), Cases: len(rows)}
			for i := range rows {
				if rows[i].Status != "done" {
					r.Failed++
					fmt.Fprintf(a.stderr, "case %s: %s\n", rows[i].Case.Name, rows[i].Status)
				}
			}
			if a.json {
				err = a.printJSON(r)
			} else {
				a.say("%d cases, %d failed; table in %s", r.Cases, r.Failed, r.Table)
			}
			if err == nil && r.Failed > 0 {
				return fail(exitSolver, fmt.Errorf("%d of %d cases failed", r.Failed, r.Cases))
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "study folder (default runs/NAME-study)")
	cmd.Flags().IntVar(&jobs, "jobs", runtime.NumCPU(), "cases at a time")
	return cmd
}

// studyName names a study by its folder when the file is just study.yaml.
func studyName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if abs, err := filepath.Abs(path); err == nil && base == "study" {
		base = filepath.Base(filepath.Dir(abs)) + "-study"
	}
	return base
}
