package optimal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Options are the settings of Solve. A field that is zero means its default.
type Options struct {
	// Iterations bounds the iterations. Default 100.
	Iterations int
	// Decrease ends the iteration where the cost falls by less, relative to it. Default 1e-6.
	Decrease float64
	// Lower and Upper are bounds of the controls (nu); nil: none.
	Lower, Upper []float64
	// Regularization is μ of (2) at the start; it is raised by tens from 1e-6 where no step
	// lowers the cost, up to 1e6, and lowered after success.
	Regularization float64
	// Each is called after every iteration unless it is nil. Returning false ends the solve.
	Each func(Iteration) bool
}

// Iteration is the statistics of one iteration of a solve.
type Iteration struct {
	Number         int     // from 1
	Cost           float64 // cost after the iteration
	Expected       float64 // decrease of the cost that the quadratic model (2) predicts for the step taken
	Actual         float64 // actual decrease of the cost
	Step           float64 // step length α; 0: no step lowered the cost
	Regularization float64 // regularization μ
	Gradient       float64 // largest |Q_u| of a control that is not at its bound

	// Plan returns a copy of the result after the iteration, which is as good a plan as that of a solve that Each ends
	// here. It is valid during the call of Each, and nil with a receding horizon.
	Plan func() *Result `json:"-"`
}

// Result is an optimal trajectory with its feedback gains.
type Result struct {
	X          [][]float64 // states x_0 … x_N
	U          [][]float64 // controls u_0 … u_{N−1}
	K          [][]float64 // feedback gains of each step, nu×ndx, row-major: u = U + K (x ⊟ X)
	Cost       float64     // (1) of X and U, in the unit of the problem's Cost
	Converged  bool        // ended by Decrease or because no step lowers the cost at the largest μ
	Iterations []Iteration // a row for each iteration, in their order
}

const (
	minRegularization = 1e-6 // smallest μ but 0
	maxRegularization = 1e6  // largest μ: beyond it steps are too short to count
	armijo            = 1e-4 // share of the expected decrease that a step must reach
	halvings          = 12   // steps tried: 1 to 2⁻¹¹
)

// Solve minimizes (1) from the state x0 and an initial guess (warm start) of the controls, N vectors of
// nu. Each of systems serves one goroutine, so that derivatives and steps of the line search run at the
// same time; results do not depend on their number. The error is that of the first trajectory, of
// Linearize, or of sizes that do not fit.
func Solve(systems []Dynamics, cost Cost, x0 []float64, guess [][]float64, opt Options) (*Result, error) {
	s, err := newSolver(systems, cost, x0, guess, opt)
	if err != nil {
		return nil, err
	}
	if err := s.roll(systems[0], &s.now, nil, 0); err != nil {
		return nil, fmt.Errorf("optimal: first trajectory: %w", err)
	}
	result := &Result{}
	for n := 1; n <= s.opt.Iterations; n++ {
		if err := s.linearize(); err != nil {
			return nil, err
		}
		row, done := s.improve(n)
		result.Iterations = append(result.Iterations, row)
		if opt.Each != nil {
			row.Plan = func() *Result { return s.result(result.Iterations, true) }
			if !opt.Each(row) {
				break
			}
		}
		if done {
			result.Converged = true
			break
		}
	}
	whole := s.result(result.Iterations, false)
	whole.Converged = result.Converged
	return whole, nil
}

// result returns the best trajectory so far, in memory of its own if it is to stay.
func (s *solver) result(rows []Iteration, stay bool) *Result {
	r := &Result{X: s.now.x, U: s.now.u, K: s.K, Cost: s.now.cost, Iterations: rows}
	if stay {
		r.Iterations = slices.Clone(rows)
		for _, list := range []*[][]float64{&r.X, &r.U, &r.K} {
			from := *list
			*list = make([][]float64, len(from))
			for k := range from {
				(*list)[k] = slices.Clone(from[k])
			}
		}
	}
	return r
}

// trajectory is a list of states and controls with their cost.
type trajectory struct {
	x, u [][]float64
	cost float64
}

// solver is the memory of Solve.
type solver struct {
	systems     []Dynamics
	cost        Cost
	opt         Options
	nx, n, m, N int          // state, tangent, controls, steps
	now         trajectory   // the best so far
	tries       []trajectory // of the line search, one for each system
	fx, fu      [][]float64  // derivatives of each step, n×n and n×m
	k, K        [][]float64  // (3) of each step, m and m×n
	reg         float64      // μ
	back        backward
}

// complete returns the options with defaults for what is not given.
func (o Options) complete() Options {
	if o.Iterations == 0 {
		o.Iterations = 100
	}
	if o.Decrease == 0 {
		o.Decrease = 1e-6
	}
	return o
}

// newSolver checks sizes and sets defaults. A copy of the guess, within
// bounds, becomes the controls of the first trajectory.
func newSolver(systems []Dynamics, cost Cost, x0 []float64, guess [][]float64, opt Options) (*solver, error) {
	if len(systems) == 0 || len(guess) == 0 {
		return nil, errors.New("optimal: give a system and a guess of the controls of each step")
	}
	s := &solver{systems: systems, cost: cost, opt: opt.complete(), N: len(guess), reg: opt.Regularization}
	s.nx, s.n, s.m = systems[0].Size()
	if len(x0) != s.nx {
		return nil, fmt.Errorf("optimal: start of %d values for a state of %d", len(x0), s.nx)
	}
	if (opt.Lower == nil) != (opt.Upper == nil) || opt.Lower != nil && (len(opt.Lower) != s.m || len(opt.Upper) != s.m) {
		return nil, fmt.Errorf("optimal: bounds of %d and %d controls of %d: give both or none", len(opt.Lower), len(opt.Upper), s.m)
	}
	s.now = s.newTrajectory(x0)
	for range len(systems) {
		s.tries = append(s.tries, s.newTrajectory(x0))
	}
	for k, u := range guess {
		if len(u) != s.m {
			return nil, fmt.Errorf("optimal: %d controls at step %d, want %d", len(u), k, s.m)
		}
		copy(s.now.u[k], u)
		clampTo(s.now.u[k], opt.Lower, opt.Upper)
	}
	s.fx, s.fu = table(s.N, s.n*s.n), table(s.N, s.n*s.m)
	s.k, s.K = table(s.N, s.m), table(s.N, s.m*s.n)
	s.back = newBackward(s.n, s.m)
	return s, nil
}

// table returns rows of zeros.
func table(rows, columns int) [][]float64 {
	t := make([][]float64, rows)
	for i := range t {
		t[i] = make([]float64, columns)
	}
	return t
}

// newTrajectory returns a trajectory of zeros that starts at x0.
func (s *solver) newTrajectory(x0 []float64) trajectory {
	t := trajectory{x: table(s.N+1, s.nx), u: table(s.N, s.m)}
	copy(t.x[0], x0)
	return t
}

// roll computes the trajectory t with the controls of t, or where from is not nil those of from with α k and the
// feedback K.
func (s *solver) roll(f Dynamics, t, from *trajectory, alpha float64) error {
	t.cost = 0
	// of this call alone: rolls run at the same time
	dx := make([]float64, s.n)
	for k := range s.N {
		if from != nil {
			// u + α k + K (x' − x), with x' of the new trajectory and x of the old one
			f.Difference(from.x[k], t.x[k], dx)
			for i := range t.u[k] {
				u := from.u[k][i] + alpha*s.k[k][i]
				for j, d := range dx {
					u += s.K[k][i*s.n+j] * d
				}
				t.u[k][i] = u
			}
			clampTo(t.u[k], s.opt.Lower, s.opt.Upper)
		}
		t.cost += s.cost.Value(k, t.x[k], t.u[k])
		if err := f.Step(k, t.x[k], t.u[k], t.x[k+1]); err != nil {
			t.cost = math.Inf(1)
			return fmt.Errorf("step %d: %w", k, err)
		}
	}
	t.cost += s.cost.Value(s.N, t.x[s.N], nil)
	// an infinite cost loses against every other, NaN would compare with none
	if math.IsNaN(t.cost) {
		t.cost = math.Inf(1)
	}
	return nil
}

// share runs f for 0 ≤ i < n, item by item on the systems.
func (s *solver) share(n int, f func(system Dynamics, i int)) {
	var wait sync.WaitGroup
	for w, system := range s.systems {
		wait.Go(func() {
			// each item writes memory of its own, so results do not depend on the number of systems
			for i := w; i < n; i += len(s.systems) {
				f(system, i)
			}
		})
	}
	wait.Wait()
}

// linearize computes the derivatives along the trajectory.
func (s *solver) linearize() error {
	errs := make([]error, s.N)
	s.share(s.N, func(f Dynamics, k int) {
		errs[k] = f.Linearize(k, s.now.x[k], s.now.u[k], s.fx[k], s.fu[k])
	})
	// the error of the first step, whichever worker met one first
	for k, err := range errs {
		if err != nil {
			return fmt.Errorf("optimal: derivative of step %d: %w", k, err)
		}
	}
	return nil
}

// improve takes one iteration: a backward pass and a line search, with more regularization until one lowers
// the cost.
func (s *solver) improve(number int) (row Iteration, done bool) {
	for {
		expected, ok := s.backwardPass()
		row = Iteration{Number: number, Cost: s.now.cost, Regularization: s.reg, Gradient: s.back.gradient}
		if ok && s.back.gradient == 0 {
			return row, true // nothing to gain at the bounds
		}
		if ok {
			if alpha, t := s.search(expected); t != nil {
				row.Step, row.Actual = alpha, s.now.cost-t.cost
				row.Expected = expected.at(alpha)
				// the old trajectory is memory for later tries
				s.now, *t = *t, s.now
				row.Cost = s.now.cost
				// less of μ brings the steps back to Newton's, which converge fastest
				if s.reg /= 10; s.reg < minRegularization {
					s.reg = 0
				}
				return row, row.Actual <= s.opt.Decrease*math.Abs(s.now.cost)
			}
		}
		// the largest μ makes steps of steepest descent: where these lower no cost either, none does
		if s.reg >= maxRegularization {
			return row, true
		}
		s.reg = math.Max(minRegularization, 10*s.reg)
	}
}

// decrease is what (2) expects of a step: linear and quadratic in α.
type decrease struct{ linear, quadratic float64 }

// at returns the decrease of the cost that is expected of the step α.
func (d decrease) at(alpha float64) float64 { return -alpha * (d.linear + alpha*d.quadratic) }

// search returns the longest step that lowers the cost enough, with its trajectory; nil where
// none does. Steps are tried in groups, as many at a time as there are systems, and the longest of all is taken,
// whatever the groups.
func (s *solver) search(expected decrease) (float64, *trajectory) {
	for first := 0; first < halvings; first += len(s.systems) {
		n := min(len(s.systems), halvings-first)
		s.share(n, func(f Dynamics, i int) {
			_ = s.roll(f, &s.tries[i], &s.now, math.Ldexp(1, -first-i)) // an error is an infinite cost
		})
		// from the longest on
		for i := range n {
			alpha := math.Ldexp(1, -first-i)
			if s.now.cost-s.tries[i].cost > armijo*math.Max(0, expected.at(alpha)) {
				return alpha, &s.tries[i]
			}
		}
	}
	return 0, nil
}

// Controls returns a copy of the controls, to warm-start another solve.
func (r *Result) Controls() [][]float64 {
	u := make([][]float64, len(r.U))
	for k := range u {
		u[k] = slices.Clone(r.U[k])
	}
	return u
}
