package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/optimize"
)

// parametersResult is the JSON object of optimize for values of a scene.
type parametersResult struct {
	File       string          `json:"file"`
	Cost       float64         `json:"cost"`
	Iterations int             `json:"iterations"`
	Converged  bool            `json:"converged"`
	Stalled    bool            `json:"stalled"`
	Runs       int             `json:"runs"`
	Gradients  int             `json:"gradients"`                // of bfgs and adam
	Refused    int             `json:"gradients_by_differences"` // of exact ones, where a step has no derivative
	Deviation  float64         `json:"residual_deviation"`
	Unknowns   []unknownResult `json:"unknowns"`
	Set        []string        `json:"set"`
	Output     string          `json:"output,omitempty"`

	Interrupted bool `json:"interrupted,omitempty"` // a signal ended the search
}

// unknownResult is the result for one unknown.
type unknownResult struct {
	Name       string   `json:"name"`
	Value      float64  `json:"value"`
	Low        *float64 `json:"low,omitempty"` // of the interval of 95 %, absent where there is none
	High       *float64 `json:"high,omitempty"`
	Determined bool     `json:"determined"`
}

// parametersOutput is the content of the output file.
type parametersOutput struct {
	Comment string `json:"comment"` // authorship.Mark, so that the file may be replaced
	parametersResult
	Table []optimize.ParameterIteration `json:"table"`
}

// optimizeParameters finds values of a scene and prints iterations, values and intervals.
func (a *app) optimizeParameters(ctx context.Context, task *optimize.Task, file string, o *optimizeFlags) error {
	names := task.File.Unknowns.Keys
	if !a.json {
		a.say("%9s %12s %12s  %s", "iteration", "cost", "decrease", strings.Join(names, ", "))
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	var best kept[optimize.ParameterIteration]
	var table []optimize.ParameterIteration
	s, err := await(ctx, func() (*optimize.ParameterSolution, error) {
		return task.SolveParameters(o.threads, func(r optimize.ParameterIteration) bool {
			if !a.json && ctx.Err() == nil {
				a.say("%9d %12.6g %12.3g  %s", r.Number, r.Cost, r.Decrease, joinNumbers(r.Values))
			}
			best.do(func() { table = append(table, r) })
			best.keep(r.Cost, func() optimize.ParameterIteration { return r })
			return ctx.Err() == nil
		})
	})
	if ctx.Err() != nil {
		return a.interruptedSearch(o.out, best.found(), func() error {
			r := parametersResult{File: file, Cost: best.cost, Iterations: best.value.Number, Output: o.out, Interrupted: true}
			for i, name := range names {
				r.Unknowns = append(r.Unknowns, unknownResult{Name: name, Value: best.value.Values[i]})
			}
			r.Set = task.Overrides(best.value.Values)
			return writeParameters(o.out, r, table)
		})
	}
	if err != nil {
		return fail(exitSolver, err)
	}
	r := parametersResult{File: file, Cost: s.Cost, Iterations: len(s.Iterations), Converged: s.Converged, Stalled: s.Stalled, Runs: s.Runs, Gradients: s.Gradients, Refused: s.Refused, Deviation: s.Deviation, Set: s.Set, Output: o.out}
	for i, name := range names {
		u := unknownResult{Name: name, Value: s.Values[i], Determined: !math.IsInf(s.High[i], 1)}
		// JSON has neither infinity nor NaN
		if u.Determined && !math.IsNaN(s.Low[i]) {
			u.Low, u.High = &s.Low[i], &s.High[i]
		}
		r.Unknowns = append(r.Unknowns, u)
	}
	if o.out != "" {
		if err := writeParameters(o.out, r, s.Iterations); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	a.reportParameters(task, s, &r)
	return nil
}

// writeParameters writes the output file.
func writeParameters(path string, r parametersResult, table []optimize.ParameterIteration) error {
	return fail(exitOutput, atomicfile.Write(path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(parametersOutput{authorship.Mark, r, table})
	}))
}

// reportParameters prints the result for readers.
func (a *app) reportParameters(task *optimize.Task, s *optimize.ParameterSolution, r *parametersResult) {
	end := "the limit of iterations ended it"
	switch {
	case s.Converged:
		end = "converged"
	case s.Stalled:
		end = "no step lowers it although derivatives predict so: the cost jumps there; give another start, or a wider difference of the unknowns"
	}
	a.say("cost %.6g after %d iterations, %d gradients and %d runs: %s", r.Cost, r.Iterations, r.Gradients, r.Runs, end)
	if r.Refused > 0 {
		a.warn([]string{fmt.Sprintf("%d of %d gradients are differences of whole runs: a step of them has no derivative", r.Refused, r.Gradients)})
	}
	for _, u := range r.Unknowns {
		switch {
		case !u.Determined:
			a.say("%s = %.6g: not determined by these signals", u.Name, u.Value)
		case u.Low != nil:
			a.say("%s = %.6g, 95 %% interval %.6g to %.6g", u.Name, u.Value, *u.Low, *u.High)
		case task.File.Method == "gauss_newton" && s.Freedom == 0:
			a.say("%s = %.6g: no interval, since there are no more samples than unknowns", u.Name, u.Value)
		case task.File.Method == "gauss_newton":
			a.say("%s = %.6g: at its bound", u.Name, u.Value)
		default:
			a.say("%s = %.6g", u.Name, u.Value)
		}
	}
	// which unknowns change together without a trace in the signals
	for _, v := range s.Undetermined {
		var parts []string
		for i, x := range v {
			if math.Abs(x) >= 0.1 {
				parts = append(parts, fmt.Sprintf("%.2g %s", x, r.Unknowns[i].Name))
			}
		}
		a.say("no signal changes noticeably along %s (parts of the unknowns, logarithms where their scale is log)", strings.Join(parts, ", "))
	}
	a.say("a run with these values: curlfree run %s%s", task.Scene.Path, " --set "+strings.Join(s.Set, " --set "))
}

// joinNumbers writes numbers for a table.
func joinNumbers(x []float64) string {
	var parts []string
	for _, v := range x {
		parts = append(parts, fmt.Sprintf("%.6g", v))
	}
	return strings.Join(parts, ", ")
}
