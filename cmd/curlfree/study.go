package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/study"
	"github.com/curlfree/curlfree/workers"
)

// studyResult is the JSON object of study.
type studyResult struct {
	Study  string   `json:"study"`
	Folder string   `json:"folder"`
	Table  string   `json:"table"`
	Plots  []string `json:"plots"`
	Cases  int      `json:"cases"`
	Failed int      `json:"failed"`
	Unmet  int      `json:"expectations_not_met"`     // cases that ran but do not meet an expectation
	Short  int      `json:"expectations_not_reached"` // cases that ended before the window of an expectation
}

// studyFlags are the flags of study.
type studyFlags struct {
	out               string
	plotsOnly, dryRun bool
	parquet           bool
	opt               study.Options
}

func (a *app) studyCommand() *cobra.Command {
	var o studyFlags
	cmd := &cobra.Command{
		Use:   "study FILE",
		Short: "Run a scene over tables of parameters",
		Long: `Run a scene with every combination of the values that a study file lists, several cases at a
time. Each case gets a run folder and a row of cases.csv; charts are drawn as PNG and SVG.

A study that was interrupted continues where it stopped. Cases whose inputs (scene, values,
program) did not change are not run again, nor are those that failed, unless --retry is given.
On several machines: plan, exec, status and collect do the same in steps.

Cases that do not meet an expectation of their scene are listed and counted. They make the
study fail only if the study file lists the expectation under expect.

Exit codes: 0 all cases ran, 1 a case does not meet an expectation of the study, 2 usage,
3 invalid study or scene, 4 a case failed (the others are in the table), 5 results could not
be written, 130, 143, 129 ended by Ctrl-C, SIGTERM, SIGHUP.`,
		Example: `  curlfree study examples/sliding-block/study.yaml --jobs 2
  curlfree study examples/sliding-block/study.yaml --dry-run
  curlfree study examples/sliding-block/study.yaml --plots-only`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.study(cmd.Context(), args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "study folder (default runs/NAME-study)")
	f.IntVar(&o.opt.Jobs, "jobs", runtime.NumCPU(), "number of cases that run at a time")
	f.BoolVar(&o.opt.Retry, "retry", false, "run cases again that failed with the same inputs")
	f.BoolVar(&o.plotsOnly, "plots-only", false, "do not run: compute measures and draw charts from existing results")
	f.BoolVar(&o.dryRun, "dry-run", false, "do not run: check all cases and list them")
	f.BoolVar(&o.parquet, "parquet", false, parquetHelp)
	cmd.MarkFlagsMutuallyExclusive("plots-only", "dry-run")
	cmd.AddCommand(a.studyPlanCommand(), a.studyExecCommand(), a.studyStatusCommand(), a.studyCollectCommand(), a.studySubmitCommand())
	return cmd
}

// study runs a study file, lists its cases or draws its charts again.
func (a *app) study(ctx context.Context, file string, o *studyFlags) error {
	s, err := study.Load(file)
	if err != nil {
		return fail(exitInput, err)
	}
	if o.out == "" {
		o.out = filepath.Join("runs", studyName(file))
	}
	if o.plotsOnly {
		if err := a.mayRedraw(s, o.out); err != nil {
			return err
		}
		rows, err := s.Redraw(o.out)
		if err == nil && o.parquet {
			err = a.writeParquet(s, o.out, rows)
		}
		if err != nil {
			return fail(exitOutput, err)
		}
		return a.reportStudy(s, o.out, rows)
	}
	if err := s.Check(); err != nil {
		return fail(exitInput, err)
	}
	if o.dryRun {
		return a.listCases(s)
	}
	if n := workers.Useful(o.opt.Jobs); n < o.opt.Jobs {
		fmt.Fprintf(a.stderr, "warning: --jobs %d: %d cases run at a time, four for each core; more take memory and no less time\n", o.opt.Jobs, n)
	}
	bar := newBar(a.stderr)
	o.opt.Dir, o.opt.Version, o.opt.Force = o.out, version(), a.force
	o.opt.Progress = func(done, total int, share float64) { bar.at(share, 1) }
	ctx, stop := a.interruptible(ctx)
	defer stop()
	rows, err := s.Run(ctx, o.opt)
	bar.done()
	if err == nil && o.parquet {
		err = a.writeParquet(s, o.out, rows)
	}
	switch {
	case errors.Is(err, run.ErrInterrupted):
		return fail(a.exitInterrupted(), errors.New("interrupted: the same command continues where this one stopped"))
	case err != nil:
		return fail(exitOutput, err)
	}
	return a.reportStudy(s, o.out, rows)
}

// parquetHelp is the help of --parquet.
const parquetHelp = "also write cases.parquet and signals.parquet, with types and units of columns"

// writeParquet writes the tables of a study as Parquet files; files of others stay.
func (a *app) writeParquet(s *study.Study, dir string, rows []study.Row) error {
	if !a.force {
		if err := authorship.Refuse(study.ForeignParquet(dir)); err != nil {
			return err
		}
	}
	return s.WriteParquet(dir, rows)
}

// mayRedraw refuses to replace files of a study folder that this program did not write.
func (a *app) mayRedraw(s *study.Study, dir string) error {
	if a.force {
		return nil
	}
	return fail(exitOutput, authorship.Refuse(s.ForeignFiles(dir)))
}

// reportStudy prints how many cases ran, failed, or do not meet expectations.
func (a *app) reportStudy(s *study.Study, dir string, rows []study.Row) error {
	r := studyResult{Study: s.Path, Folder: dir, Table: filepath.Join(dir, study.TableFile), Cases: len(rows)}
	for _, name := range s.File.Plots.Keys {
		r.Plots = append(r.Plots, filepath.Join(dir, name+".png"))
	}
	unmetBy := map[string][]string{}     // cases, by the expectations that they do not meet
	unreachedBy := map[string][]string{} // cases, by the expectations whose window they do not reach
	for i := range rows {
		name := rows[i].Case.Name
		if !rows[i].Done() {
			r.Failed++
			fmt.Fprintf(a.stderr, "case %s: %s\n", name, rows[i].Status)
			continue
		}
		if unmet := strings.Join(s.Unmet(&rows[i]), ", "); unmet != "" {
			r.Unmet++
			unmetBy[unmet] = append(unmetBy[unmet], name)
		}
		if unreached := strings.Join(s.Unreached(&rows[i]), ", "); unreached != "" {
			r.Short++
			unreachedBy[unreached] = append(unreachedBy[unreached], name)
		}
	}
	a.listExpectations("not met", unmetBy)
	a.listExpectations("not reached", unreachedBy)
	var err error
	if a.json {
		err = a.printJSON(r)
	} else {
		a.say("%d cases, %d failed, %d do not meet an expectation; table in %s", r.Cases, r.Failed, r.Unmet, r.Table)
	}
	switch {
	case err != nil:
		return err
	case r.Failed > 0:
		return fail(exitSolver, fmt.Errorf("%d of %d cases failed", r.Failed, r.Cases))
	case r.Unmet > 0 && s.File.Expect != nil:
		return fail(exitCheck, fmt.Errorf("%d of %d cases do not meet an expectation of the study", r.Unmet, r.Cases))
	}
	return nil
}

// listExpectations prints expectations that are not met or not reached, with their cases.
func (a *app) listExpectations(verdict string, cases map[string][]string) {
	for _, names := range slices.Sorted(maps.Keys(cases)) {
		fmt.Fprintf(a.stderr, "expectation %s: %s: cases %s\n", verdict, names, atMost(maxListed, cases[names]))
	}
}

// maxListed is how many cases that do not meet an expectation are listed by name.
const maxListed = 8

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

// studyName is the file name without extension, or NAME-study with the name of the folder
// if the file is called study.yaml.
func studyName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if abs, err := filepath.Abs(path); err == nil && base == "study" {
		base = filepath.Base(filepath.Dir(abs)) + "-study"
	}
	return base
}
