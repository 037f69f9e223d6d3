package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/study"
)

// A study in steps, for many machines: plan writes the table of cases, exec runs some of them, status
// and collect read the results. Each command works on the folder of the plan alone.

func (a *app) studyPlanCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Write the cases of a study and all files that they read into a folder",
		Long: `Check all cases of a study and write them as a table, plan.csv, with a hash of the inputs and
the program for each, beside copies of all files that the cases read. The folder can be moved
to another machine that has the same program. 'study exec' then runs cases of it, in any
number of processes, 'study status' counts results, and 'study collect' makes the table and
the charts.

A plan never changes. To plan a folder again with other inputs, give --force: results of
cases that are in both plans stay.`,
		Example: `  curlfree study plan examples/sliding-block/study.yaml -o plan
  curlfree study exec plan --chunk 0/4
  curlfree study status plan
  curlfree study collect plan`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.studyPlan(args[0], out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "folder of the plan (default runs/NAME-study)")
	return cmd
}

// studyPlan writes the plan of a study file.
func (a *app) studyPlan(file, out string) error {
	s, err := study.Load(file)
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return fail(exitInput, err)
	}
	if out == "" {
		out = filepath.Join("runs", studyName(file))
	}
	p, err := s.MakePlan(study.Options{Dir: out, Version: version(), Force: a.force})
	if err != nil {
		return fail(exitOutput, err)
	}
	if a.json {
		return a.printJSON(map[string]any{"folder": out, "cases": len(p.Cases)})
	}
	a.say("%d cases planned in %s: run them with curlfree study exec %s", len(p.Cases), out, out)
	return nil
}

// execFlags are the flags of study exec.
type execFlags struct {
	index, chunk string
	opt          study.Options
}

func (a *app) studyExecCommand() *cobra.Command {
	var o execFlags
	cmd := &cobra.Command{
		Use:   "exec DIR",
		Short: "Run cases of a plan that have no result yet",
		Long: `Run those of the chosen cases of a plan that have no result yet; without --index and
--chunk, all of them. A result appears whole or not at all, and counts only for the inputs
and the program of the plan. At SIGTERM and Ctrl-C the program writes checkpoints of the
cases that it runs; the same command goes on from there, on any machine that has the folder.

Exit codes: 0 all chosen cases have a result, 2 usage, 3 the folder has no plan, or inputs
that are not those of the plan, 4 a step of a case failed, 5 a result could not be written,
or another process runs the case,
130, 143, 129 ended by Ctrl-C, SIGTERM, SIGHUP.`,
		Example: `  curlfree study exec plan --index 0-9,12
  curlfree study exec plan --chunk $SLURM_ARRAY_TASK_ID/100
  curlfree study exec plan --jobs 8`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.studyExec(cmd.Context(), args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.index, "index", "", "indices of cases, numbers and ranges such as 0-9,12")
	f.StringVar(&o.chunk, "chunk", "", "K/N: every Nth case from case K on, 0 <= K < N")
	f.IntVar(&o.opt.Jobs, "jobs", 1, "number of cases that run at a time")
	f.IntVar(&o.opt.Threads, "threads", 0, "threads of each case (default an equal share of the cores)")
	f.BoolVar(&o.opt.Retry, "retry", false, "run cases again that failed with the same inputs")
	f.BoolVar(&o.opt.Wait, "wait", false, "wait for cases that other processes run, instead of an error")
	cmd.MarkFlagsMutuallyExclusive("index", "chunk")
	return cmd
}

// studyExec runs cases of a plan.
func (a *app) studyExec(ctx context.Context, dir string, o *execFlags) error {
	p, err := study.OpenPlan(dir)
	if err != nil {
		return fail(exitInput, err)
	}
	if o.opt.Threads < 0 {
		return fail(exitUsage, fmt.Errorf("--threads %d: give 0 or more", o.opt.Threads))
	}
	indices, err := o.indices(p)
	if err != nil {
		return fail(exitUsage, err)
	}
	bar := newBar(a.stderr)
	o.opt.Version = version()
	o.opt.Progress = func(_, _ int, share float64) { bar.at(share, 1) }
	ctx, stop := a.interruptible(ctx)
	defer stop()
	rows, err := p.Exec(ctx, indices, o.opt)
	bar.done()
	switch {
	case errors.Is(err, run.ErrInterrupted):
		return fail(a.exitInterrupted(), errors.New("interrupted: the same command continues where this one stopped"))
	case errors.Is(err, study.ErrPlanChanged) || err != nil && rows == nil:
		return fail(exitInput, err)
	case err != nil:
		return fail(exitOutput, err)
	}
	failed := 0
	for i := range rows {
		if !rows[i].Done() {
			failed++
			fmt.Fprintf(a.stderr, "case %s: %s\n", rows[i].Case.Name, rows[i].Status)
		}
	}
	if a.json {
		err = a.printJSON(map[string]any{"folder": dir, "cases": len(rows), "failed": failed})
	} else {
		a.say("%d cases have results, %d of them failed", len(rows), failed)
	}
	if err == nil && failed > 0 {
		err = fail(exitSolver, fmt.Errorf("%d of %d cases failed", failed, len(rows)))
	}
	return err
}

// indices returns the cases that the flags choose.
func (o *execFlags) indices(p *study.Plan) ([]int, error) {
	switch {
	case o.index != "":
		list, err := p.Indices(o.index)
		if err != nil {
			err = fmt.Errorf("--index %s: %w", o.index, err)
		}
		return list, err
	case o.chunk != "":
		a, b, ok := strings.Cut(o.chunk, "/")
		k, err1 := strconv.Atoi(a)
		n, err2 := strconv.Atoi(b)
		if !ok || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("--chunk %s: give K/N, such as 0/10", o.chunk)
		}
		list, err := p.Chunk(k, n)
		if err != nil {
			err = fmt.Errorf("--chunk %s: %w", o.chunk, err)
		}
		return list, err
	}
	return p.Chunk(0, 1)
}

func (a *app) studyStatusCommand() *cobra.Command {
	var verify bool
	cmd := &cobra.Command{
		Use:   "status DIR",
		Short: "Count the results of a plan",
		Long: `Count the cases of a plan that are done, failed, begun or waiting, from the result files
alone. --verify also compares the tables of results with their digests.

Exit codes: 0 all cases have results, 1 some have not, 3 the folder has no plan.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := study.OpenPlan(args[0])
			if err != nil {
				return fail(exitInput, err)
			}
			return a.reportStatus(p, p.Status(verify))
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "compare tables with their digests, too")
	return cmd
}

// reportStatus prints what the results of a plan say.
func (a *app) reportStatus(p *study.Plan, s *study.Status) error {
	var err error
	if a.json {
		err = a.printJSON(s)
	} else {
		a.say("%d cases: %d done, %d failed, %d begun, %d waiting, %d damaged", s.Cases, s.Done, s.Failed, s.Begun, s.Waiting, s.Damaged)
		for _, line := range p.SlurmStatus() {
			a.say("%s", line)
		}
		if s.Damaged > 0 {
			a.say("damaged, will run again: %s", atMost(maxListed, s.Bad))
		}
		if n := len(s.Missing); n > 0 {
			a.say("run the others with curlfree study exec %s --index %s", p.Dir, study.FormatIndices(s.Missing[:min(n, maxListed)]))
		}
	}
	if err == nil && len(s.Missing) > 0 {
		err = fail(exitCheck, fmt.Errorf("%d of %d cases have no result yet", len(s.Missing), s.Cases))
	}
	return err
}

func (a *app) studySubmitCommand() *cobra.Command {
	var o study.SubmitOptions
	cmd := &cobra.Command{
		Use:   "submit DIR",
		Short: "Give the missing cases of a plan to Slurm, GNU parallel or Kubernetes",
		Long: `Give those cases of a plan that have no result, and wait in no queue, to an engine:

  slurm        submits an array of tasks and a job that collects their results. Before its time
               limit, and when its node is lost, a task is queued again and goes on from its
               checkpoints.
  parallel     prints a line for GNU parallel and one for xargs
  kubernetes   prints the manifest of an indexed Job

The number of cases of a task is chosen from the times of the cases that are done, so that a
task takes some minutes. The folder and this program must have the same paths on all machines.

Exit codes: 0 submitted, or nothing is missing, 2 usage, 3 the folder has no plan, 5 the
engine is not installed or refuses.`,
		Example: `  curlfree study submit plan --engine slurm --partition short --time 30 --array-limit 50
  curlfree study submit plan --engine parallel | head -1 | sh
  curlfree study submit plan --engine kubernetes --image lab/curlfree | kubectl apply -f -`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.studySubmit(args[0], o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Engine, "engine", "slurm", "one of "+strings.Join(study.Engines(), ", "))
	f.StringVar(&o.Partition, "partition", "", "slurm: partition (default that of the cluster)")
	f.StringVar(&o.Time, "time", "", "slurm: time limit of a task, such as 30 (minutes) or 2:00:00")
	f.StringVar(&o.Mem, "mem", "", "memory of a task, such as 2G; kubernetes: 2Gi")
	f.StringVar(&o.Image, "image", "", "kubernetes: container image (default curlfree)")
	f.IntVar(&o.ArrayLimit, "array-limit", 0, "most tasks that run at a time (default no limit)")
	f.IntVar(&o.Chunk, "chunk", 0, "cases of a task (default: so many that a task takes minutes)")
	return cmd
}

// studySubmit gives the missing cases of a plan to an engine.
func (a *app) studySubmit(dir string, o study.SubmitOptions) error {
	p, err := study.OpenPlan(dir)
	if err != nil {
		return fail(exitInput, err)
	}
	if !slices.Contains(study.Engines(), o.Engine) || o.Chunk < 0 || o.ArrayLimit < 0 {
		return fail(exitUsage, p.Submit(o, a.stdout)) // its message names the flag
	}
	if o.Program, err = os.Executable(); err != nil {
		return fail(exitOutput, err)
	}
	// what is printed to run is not mixed with remarks
	o.Say = func(format string, args ...any) { fmt.Fprintf(a.stderr, format+"\n", args...) }
	return fail(exitOutput, p.Submit(o, a.stdout))
}

func (a *app) studyCollectCommand() *cobra.Command {
	var parquet bool
	cmd := &cobra.Command{
		Use:   "collect DIR",
		Short: "Make the table and the charts of the results of a plan",
		Long: `Compute the measures of all cases of a plan, write cases.csv and draw the charts, from the
results that are there. Cases without a result are rows that say so.

Exit codes: 0 all cases ran, 1 a case does not meet an expectation of the study, 3 the folder
has no plan, 4 a case failed or has no result yet, 5 the table could not be written.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := study.OpenPlan(args[0])
			if err != nil {
				return fail(exitInput, err)
			}
			s, rows, err := p.Collect(a.force)
			if err == nil && parquet {
				err = a.writeParquet(s, p.Dir, rows)
			}
			switch {
			case errors.Is(err, study.ErrPlanChanged):
				return fail(exitInput, err)
			case err != nil:
				return fail(exitOutput, err)
			}
			return a.reportStudy(s, p.Dir, rows)
		},
	}
	cmd.Flags().BoolVar(&parquet, "parquet", false, parquetHelp)
	return cmd
}
