package optimize

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/optimal"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/workers"
)

// Efforts of drives are found by iLQR, stage by stage. The stages of a start follow each other (continuation): each
// begins from the policy of the one before, which tracks its trajectory under the contact of the next.

// Solution is the result of a task: the trajectory and policy of its last stage, with the
// iterations of all stages.
type Solution struct {
	*optimal.Result
	// Starts are the ends of all starts, in their order; the result is that of the least cost.
	Starts []StartResult
	// Refused is the number of step Jacobians that were computed by finite differences of whole
	// steps, where the analytic derivative was refused.
	Refused int
}

// stageDecrease is the relative decrease of the cost at which stages but the last end: the next stage
// changes the cost by far more than what a longer search would gain.
const stageDecrease = 1e-3

// solveStages runs iLQR through all stages from the first guess of one start. each is called after every iteration, and
// ends the solve by returning false.
func (t *Task) solveStages(start, threads int, each func(optimal.Iteration) bool) (*Solution, error) {
	// each stage overwrites the result of the one before
	s := &Solution{}
	// iterations of all stages count together
	limit, stopped := cmp.Or(t.File.Iterations, defaultIterations), false
	var rows []optimal.Iteration
	for k, sc := range t.stages {
		opt := optimal.Options{Iterations: limit - len(rows), Decrease: t.File.Decrease}
		// a stage that is only the way to the next needs no more
		if k < len(t.stages)-1 {
			opt.Decrease = stageDecrease
		}
		// rows are numbered through all stages, as the table shows them
		opt.Each = func(row optimal.Iteration) bool {
			row.Number = len(rows) + 1
			kept := row
			kept.Plan = nil
			rows = append(rows, kept)
			stopped = !each(row)
			return !stopped
		}
		// the limit may be used up, or the caller has enough:
		// the result is then that of the stage before
		if opt.Iterations <= 0 || stopped {
			break
		}
		if err := t.solveStage(sc.Model, start, threads, opt, s); err != nil {
			return nil, err
		}
	}
	s.Iterations = rows
	return s, nil
}

// solveStage solves for one model, from the policy of the stage before, or the first guess of a start.
func (t *Task) solveStage(m *sim.Model, start, threads int, opt optimal.Options, s *Solution) error {
	// one stepper for each thread: a stepper serves one goroutine at a time
	var systems []optimal.Dynamics
	var own []*system
	for range workers.Useful(threads) {
		y, err := newSystem(m, t.h, t.File.Drives)
		if err != nil {
			return err
		}
		defer y.s.Close()
		systems, own = append(systems, y), append(own, y)
	}
	// the start of this stage's model: values of the stage may change it
	x0 := make([]float64, len(t.cost.Target))
	m.PutState(&m.Start, x0)
	guess, err := t.guess(own[0], start, x0, s.Result)
	if err != nil {
		return err
	}
	opt.Lower, opt.Upper = t.bounds()
	// the same result for any number of systems: each step of the search is one of them alone
	r, err := t.search(systems, x0, guess, opt)
	if err != nil {
		return err
	}
	s.Result = r
	// what all threads counted
	for _, y := range own {
		s.Refused += y.refused
	}
	return nil
}

// search plans all steps at once, or with a receding horizon.
func (t *Task) search(systems []optimal.Dynamics, x0 []float64, guess [][]float64, opt optimal.Options) (*optimal.Result, error) {
	if t.File.Horizon == 0 {
		return optimal.Solve(systems, t.cost, x0, guess, opt)
	}
	// to the nearest step, of which one at least acts
	steps := func(time float64) int { return max(1, int(time/t.h+0.5)) }
	// the model is the plant as well
	return optimal.Recede(systems[0], systems, t.cost, x0, guess, optimal.Receding{Horizon: steps(t.File.Horizon), Every: steps(t.File.Replan)}, opt)
}

// bounds returns the bounds of the efforts, nil where the file gives no limits: those of the drives hold
// in the step in any case, but iLQR would not include them.
func (t *Task) bounds() (lower, upper []float64) {
	for _, x := range t.File.Limits {
		lower, upper = append(lower, -x), append(upper, x)
	}
	return lower, upper
}

// guess returns, for each step, the efforts from which a stage starts: those that track the trajectory of the stage
// before, since the same efforts under another contact would end elsewhere; without one, those of the file and the
// start.
func (t *Task) guess(y *system, start int, x0 []float64, before *optimal.Result) ([][]float64, error) {
	u := make([]float64, len(t.File.Drives))
	// the first stage: the same efforts in all steps, and those of the start
	if before == nil {
		if t.File.Start == "hold" {
			var err error
			if u, err = y.hold(); err != nil {
				return nil, err
			}
		}
		return t.disturb(u, start), nil
	}
	// u + K (x' − x), step by step under the new contact
	guess := before.Controls()
	_, n, _ := y.Size()
	x, next, dx := slices.Clone(x0), make([]float64, len(x0)), make([]float64, n)
	for k, u := range guess { // u is changed in place
		y.Difference(before.X[k], x, dx)
		for i := range u {
			for j, d := range dx {
				u[i] += before.K[k][i*n+j] * d
			}
		}
		if err := y.Step(k, x, u, next); err != nil {
			return nil, err
		}
		copy(x, next)
	}
	return guess, nil
}

// FirstPlan returns what the search begins from, the efforts of the file's own start with the states that they lead to,
// without feedback: for comparison with what it ends at.
func (t *Task) FirstPlan() (*optimal.Result, error) {
	y, err := newSystem(t.Scene.Model, t.h, t.File.Drives)
	if err != nil {
		return nil, err
	}
	defer y.s.Close()
	x := make([]float64, len(t.cost.Target))
	t.Scene.Model.PutState(&t.Scene.Model.Start, x)
	u, err := t.guess(y, 0, x, nil)
	if err != nil {
		return nil, err
	}
	// states step by step, and gains of zero
	_, n, m := y.Size()
	r := &optimal.Result{U: u, X: [][]float64{x}}
	for k := range u {
		next := make([]float64, len(x))
		if err := y.Step(k, r.X[k], u[k], next); err != nil {
			return nil, err
		}
		r.Cost += t.cost.Value(k, r.X[k], u[k])
		r.X, r.K = append(r.X, next), append(r.K, make([]float64, m*n))
	}
	r.Cost += t.cost.Value(len(u), r.X[len(u)], nil)
	return r, nil
}

// CostOf returns the cost (1) of the package for a run of the scene from its start with given efforts, step by step as
// an ordinary run takes it.
func (t *Task) CostOf(u [][]float64) (float64, error) {
	// a stepper of its own, which has seen no other run
	y, err := newSystem(t.Scene.Model, t.h, t.File.Drives)
	if err != nil {
		return 0, err
	}
	defer y.s.Close()
	// without the policy: efforts alone, as a table of feed forward gives them
	x, flat, sum := t.Scene.Model.Start.Clone(), make([]float64, len(t.cost.Target)), 0.0
	for k := range u {
		t.Scene.Model.PutState(x, flat)
		sum += t.cost.Value(k, flat, u[k])
		y.s.SetInputs(u[k])
		if err := y.s.Step(x, t.h); err != nil {
			return 0, err
		}
	}
	// the end has weights of its own and no efforts
	t.Scene.Model.PutState(x, flat)
	return sum + t.cost.Value(len(u), flat, nil), nil
}
