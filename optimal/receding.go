package optimal

// Receding horizon (model predictive control): the controls of the next steps are planned again every few steps, from
// the state that the plant has reached, and only the first of them act. Each plan begins from the one before, shifted
// by the steps that acted, with its last control repeated (warm start), so that an iteration or two are enough. What
// acts corrects what the model errs, and a plan is as short as its horizon, not as the task. Source: Tassa, Erez,
// Todorov, Synthesis and stabilization of complex behaviors through online trajectory optimization, 2012.

import (
	"errors"
	"fmt"
	"slices"
)

// Receding are the settings of Recede.
type Receding struct {
	// Horizon is the number of steps of a plan; the last plans end with the task.
	Horizon int
	// Every is the number of steps that act before the next plan.
	Every int
	// Iterations bounds those of all plans but the first, which has those of the options. Default 3.
	Iterations int
}

// Recede steers a plant from x0 through as many steps as the guess has, by plans for systems, its models. The weights
// of the end of the task, l_N, count at the end of each plan. The result has the states and controls that acted, with
// the gains of their plans, the cost of them all, and the iterations of all plans. It has Converged where every plan
// has.
func Recede(plant Dynamics, systems []Dynamics, cost Cost, x0 []float64, guess [][]float64, r Receding, opt Options) (*Result, error) {
	if r.Horizon < 1 || r.Every < 1 || r.Every > r.Horizon {
		return nil, errors.New("optimal: a receding horizon has at least one step, and plans again within it")
	}
	if r.Iterations == 0 {
		r.Iterations = 3
	}
	N := len(guess)
	out := &Result{X: [][]float64{slices.Clone(x0)}, Converged: true}
	each := opt.Each
	stopped := false
	opt.Each = func(row Iteration) bool {
		row.Number, row.Plan = len(out.Iterations)+1, nil
		out.Iterations = append(out.Iterations, row)
		stopped = each != nil && !each(row)
		return !stopped
	}
	plan := guess[:min(r.Horizon, N)]
	for k := 0; k < N; {
		// clocks of the task, not of the plan
		var later []Dynamics
		for _, f := range systems {
			later = append(later, laterDynamics{f, k})
		}
		p, err := Solve(later, laterCost{cost, k}, out.X[k], plan, opt)
		if err != nil {
			return nil, fmt.Errorf("plan at step %d: %w", k, err)
		}
		out.Converged = out.Converged && p.Converged
		// the first controls act; after an interrupt all of them do, and then the last one
		act := min(r.Every, N-k)
		if stopped {
			act = N - k
		}
		for i := range act {
			next, at := make([]float64, len(x0)), min(i, len(p.U)-1)
			if err := plant.Step(k+i, out.X[k+i], p.U[at], next); err != nil {
				return nil, fmt.Errorf("optimal: step %d: %w", k+i, err)
			}
			out.Cost += cost.Value(k+i, out.X[k+i], p.U[at])
			out.X, out.U, out.K = append(out.X, next), append(out.U, slices.Clone(p.U[at])), append(out.K, slices.Clone(p.K[at]))
		}
		k += act
		plan, opt.Iterations = shifted(p.U, r.Every, min(r.Horizon, N-k)), r.Iterations
	}
	out.Cost += cost.Value(len(out.U), out.X[len(out.U)], nil)
	return out, nil
}

// shifted returns n controls: those after the first steps of a plan, and its last one again.
func shifted(u [][]float64, steps, n int) (plan [][]float64) {
	for i := range n {
		plan = append(plan, slices.Clone(u[min(steps+i, len(u)-1)]))
	}
	return plan
}

// laterDynamics is a system whose first step is a later one of another.
type laterDynamics struct {
	Dynamics
	first int
}

// Step implements Dynamics.
func (d laterDynamics) Step(k int, x, u, next []float64) error {
	return d.Dynamics.Step(d.first+k, x, u, next)
}

// Linearize implements Dynamics.
func (d laterDynamics) Linearize(k int, x, u, fx, fu []float64) error {
	return d.Dynamics.Linearize(d.first+k, x, u, fx, fu)
}

// laterCost is the same of a cost.
type laterCost struct {
	Cost
	first int
}

// Value implements Cost.
func (c laterCost) Value(k int, x, u []float64) float64 { return c.Cost.Value(c.first+k, x, u) }

// Expand implements Cost.
func (c laterCost) Expand(k int, x, u []float64, q *Expansion) { c.Cost.Expand(c.first+k, x, u, q) }
