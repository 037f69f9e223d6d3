package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/optimal"
	"github.com/curlfree/curlfree/optimize"
)

// optimizeResult is the JSON object of optimize.
type optimizeResult struct {
	File       string  `json:"file"`
	Cost       float64 `json:"cost"`
	Iterations int     `json:"iterations"`
	Converged  bool    `json:"converged"`
	Refused    int     `json:"jacobians_by_differences"` // of whole steps
	Starts     int     `json:"starts"`                   // with a result
	Output     string  `json:"output,omitempty"`

	Interrupted bool `json:"interrupted,omitempty"` // a signal ended the search
}

// optimizeOutput is the content of the output file.
type optimizeOutput struct {
	Comment string `json:"comment"` // authorship.Mark, so that the file may be replaced
	optimizeResult
	Step    float64             `json:"step_s"`
	Drives  []string            `json:"drives"`
	Efforts [][]float64         `json:"efforts"`  // of each step
	States  [][]float64         `json:"states"`   // q, then v, one more than steps
	Gains   [][]float64         `json:"feedback"` // of each step: efforts by tangents of states, row by row
	Table   []optimal.Iteration `json:"table"`
}

// optimizeFlags are the flags of optimize.
type optimizeFlags struct {
	out     string
	first   string
	threads int
}

func (a *app) optimizeCommand() *cobra.Command {
	var o optimizeFlags
	cmd := &cobra.Command{
		Use:   "optimize FILE",
		Short: "Find efforts of drives, or values of a scene, that minimize a cost",
		Long: `Find the efforts of drives, one value a step, that minimize a cost over a run of a scene, by
iLQR, or find values of the scene: parameters that make signals follow a record (identification), or a design.

Efforts (drives): derivatives of every step, a feedback law backwards in time, and a line search, until the cost hardly falls. The file names the
scene, the drives, targets of bodies and joints with weights, bounds, and stages of the scene. With horizon: 0.3 and replan: 0.05 the
efforts are planned anew every 0.05 s for the next 0.3 s, each time from the plan before (receding horizon).

The cost is that of an ordinary run with the efforts found. Steps without a derivative, such as
those that find contact surfaces again, get differences of whole steps, and are counted. Ctrl-C, SIGTERM and SIGHUP end the search; the
output file then has the best result so far, and "interrupted": true.

Values (unknowns): the cost is that of signals, against a record or a target. The method gauss_newton (Levenberg and
Marquardt) also gives intervals of 95 % and names unknowns that the record does not determine; bfgs, adam, nelder_mead and
cma_es take any cost. Derivatives are differences of whole runs; with derivatives: exact, bfgs and adam take those
of each step, which runs confirm before the search starts.`,
		Example: `  curlfree optimize examples/kinova-push/side.yaml
  curlfree optimize examples/kinova-push/forward.yaml -o forward.json --json
  curlfree optimize examples/kinova-push/side.yaml -o side.json --first first.json
  curlfree optimize examples/finray-identify/identify.yaml
  curlfree optimize examples/finray-shape/shape.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.optimize(cmd.Context(), args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "file of the result with all iterations, JSON")
	f.StringVar(&o.first, "first", "", "file of the efforts from which the search begins, in the same form")
	f.IntVar(&o.threads, "threads", runtime.NumCPU(), "number of runs or steps at a time; the result does not depend on it")
	return cmd
}

// optimize solves the task of a file and prints its iterations and the cost of a run.
func (a *app) optimize(ctx context.Context, file string, o *optimizeFlags) error {
	task, err := optimize.Load(file)
	if err != nil {
		return fail(exitInput, err)
	}
	if o.out != "" {
		if err := a.mayWrite(o.out); err != nil {
			return err
		}
	}
	if task.SeeksParameters() {
		if o.first != "" {
			return fail(exitUsage, errors.New("--first: the file seeks values of a scene, which have no efforts: leave it out"))
		}
		return a.optimizeParameters(ctx, task, file, o)
	}
	if o.first != "" {
		if err := a.writeFirst(task, file, o.first); err != nil {
			return err
		}
	}
	if !a.json {
		a.say("%9s %12s %12s %12s %10s %8s", "iteration", "cost", "expected", "decrease", "step", "damping")
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	var best kept[*optimal.Result]
	s, err := await(ctx, func() (*optimize.Solution, error) {
		return task.Solve(o.threads, func(r optimal.Iteration) bool {
			if !a.json && ctx.Err() == nil {
				a.say("%9d %12.6g %12.3g %12.3g %10.3g %8.1g", r.Number, r.Cost, r.Expected, r.Actual, r.Step, r.Regularization)
			}
			if r.Plan != nil {
				best.keep(r.Cost, r.Plan)
			}
			return ctx.Err() == nil
		})
	})
	if ctx.Err() != nil {
		return a.interruptedSearch(o.out, best.found(), func() error {
			p := best.value
			r := optimizeResult{File: file, Cost: p.Cost, Iterations: len(p.Iterations), Output: o.out, Interrupted: true}
			return writePlan(o.out, task, r, p)
		})
	}
	if err != nil {
		return fail(exitSolver, err)
	}
	// what counts is a run, not the trajectory of the optimizer
	cost, err := task.CostOf(s.U)
	if err != nil {
		return fail(exitSolver, err)
	}
	r := optimizeResult{File: file, Cost: cost, Iterations: len(s.Iterations), Converged: s.Converged, Refused: s.Refused, Starts: solved(s.Starts), Output: o.out}
	if o.out != "" {
		if err := writePlan(o.out, task, r, s.Result); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	a.reportPlan(task, s, &r)
	return nil
}

// kept is the best result of a search that continues, by its cost.
type kept[T any] struct {
	mu    sync.Mutex
	cost  float64
	value T
	any   bool
}

// keep keeps a result that costs less than those before.
func (k *kept[T]) keep(cost float64, result func() T) {
	k.do(func() {
		if !k.any || cost < k.cost {
			k.cost, k.value, k.any = cost, result(), true
		}
	})
}

// do calls a function that no other call and no reader of the result meets.
func (k *kept[T]) do(f func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f()
}

// found reports whether there is a result. No other takes its place afterwards.
func (k *kept[T]) found() bool {
	k.mu.Lock() // for ever: the search may continue until the program ends
	return k.any
}

// interruptedSearch writes the best result of a search that a signal ended, and returns its error.
func (a *app) interruptedSearch(out string, found bool, write func() error) error {
	says := "interrupted before the first iteration ended: nothing is kept"
	switch {
	case found && out == "":
		says = "interrupted: the best result so far is in the table above; give -o FILE to keep it"
	case found:
		if err := write(); err != nil {
			return err
		}
		says = fmt.Sprintf("interrupted: %s has the best result so far", out)
	}
	return fail(a.exitInterrupted(), errors.New(says))
}

// writeFirst writes the plan from which the search begins.
func (a *app) writeFirst(task *optimize.Task, file, out string) error {
	if err := a.mayWrite(out); err != nil {
		return err
	}
	r, err := task.FirstPlan()
	if err != nil {
		return fail(exitSolver, err)
	}
	return writePlan(out, task, optimizeResult{File: file, Cost: r.Cost, Output: out}, r)
}

// writePlan writes efforts, states and feedback, from which a drive follows the plan.
func writePlan(path string, task *optimize.Task, r optimizeResult, plan *optimal.Result) error {
	out := optimizeOutput{authorship.Mark, r, task.Scene.File.Time.Step, task.File.Drives, plan.U, plan.X, plan.K, plan.Iterations}
	if err := atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(out) }); err != nil {
		return fail(exitOutput, err)
	}
	return nil
}

// solved returns the number of starts with a result.
func solved(starts []optimize.StartResult) (n int) {
	for _, e := range starts {
		if e.Err == nil {
			n++
		}
	}
	return n
}

// reportPlan prints the result for readers.
func (a *app) reportPlan(task *optimize.Task, s *optimize.Solution, r *optimizeResult) {
	a.sayStarts(s)
	end := "the limit of iterations ended it"
	if s.Converged {
		end = "converged"
	}
	if task.File.Horizon > 0 {
		end = fmt.Sprintf("planned again every %g s for %g s", max(task.File.Replan, task.Scene.File.Time.Step), task.File.Horizon)
	}
	a.say("cost %.6g after %d iterations: %s", r.Cost, r.Iterations, end)
	if r.Refused > 0 {
		fmt.Fprintf(a.stderr, "%d Jacobians are differences of whole steps: these steps have no derivative\n", r.Refused)
	}
}

// sayStarts prints the cost of each start, where there are several.
func (a *app) sayStarts(s *optimize.Solution) {
	if len(s.Starts) < 2 {
		return
	}
	for i, e := range s.Starts {
		if e.Err != nil {
			a.say("start %d: failed: %v", i+1, e.Err)
			continue
		}
		a.say("start %d: cost %.6g after %d iterations", i+1, e.Cost, e.Iterations)
	}
}
