package optimize

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/leastsquares"
	"github.com/curlfree/curlfree/workers"
)

// ParameterIteration is a row of the table of iterations over unknowns.
type ParameterIteration struct {
	// Number counts from 1.
	Number int `json:"iteration"`
	// Cost is (4) after the iteration.
	Cost float64 `json:"cost"`
	// Decrease is that of the cost; 0 where the step was refused.
	Decrease float64 `json:"decrease"`
	// Values are the unknowns, in SI units.
	Values []float64 `json:"values"`
}

// ParameterSolution is what SolveParameters found.
type ParameterSolution struct {
	// Values are the unknowns in the order of the file, in SI units.
	Values []float64
	// Low and High bound the interval of 95 % of each unknown. They are NaN where a bound stops the unknown or the
	// method gives no interval, and ±Inf, or 0 and +Inf for logarithms, where the signals do not determine it.
	Low, High []float64
	// Undetermined are combinations of unknowns that change no signal noticeably: the part of each unknown.
	Undetermined [][]float64
	// Freedom is the number of samples beyond that of unknowns between their bounds; without any, there are no
	// intervals.
	Freedom int
	// Deviation is the standard deviation of the residuals √w (s − z).
	Deviation float64
	// Cost is (4).
	Cost float64
	// Converged reports that the cost no longer decreases.
	Converged bool
	// Stalled reports that no step lowers the cost although differences predict it: the cost jumps there.
	Stalled bool
	// Runs is the number of runs of the scene, without those that exact derivatives take.
	Runs int
	// Gradients is the number of derivatives of the cost that bfgs and adam took.
	Gradients int
	// Refused is the number of these that are differences of whole runs because a step has no derivative.
	Refused int
	// Iterations is the table of iterations.
	Iterations []ParameterIteration
	// Set are the overrides with which a run of the scene has these values.
	Set []string
}

// The search ends at a relative decrease of the cost, or after a number of iterations.
const (
	defaultDecrease   = 1e-6
	defaultIterations = 100
)

// SolveParameters finds the unknowns that minimize (4): system identification (parameter estimation) where targets are
// records, design where they are wishes. Several runs run at a time, on threads, at most four for each core; the result
// does not depend on their number. each is called after every iteration, and ends the search by returning false; nil:
// not called.
func (t *Task) SolveParameters(threads int, each func(ParameterIteration) bool) (*ParameterSolution, error) {
	// each run has a stepper of one thread; the pool runs several
	p := &parameters{t: t, pool: workers.NewPool(workers.Useful(threads))}
	defer p.pool.Close()
	n := len(t.File.Unknowns.Keys)
	p.s = &ParameterSolution{}
	p.y = make([]float64, n)
	// logarithms where the file says so
	for i := range p.y {
		p.y[i] = t.unknown(i).y(t.unknown(i).Start)
	}
	// limits of the file, or the usual ones
	p.each = each
	p.iterations = cmp.Or(t.File.Iterations, defaultIterations)
	p.decrease = cmp.Or(t.File.Decrease, defaultDecrease)
	// sums of squares have a method of their own
	solve := p.minimize
	switch t.File.Method {
	case "gauss_newton":
		solve = p.leastSquares
	case "bfgs":
		solve = p.bfgs
	case "adam":
		solve = p.adam
	}
	if err := solve(); err != nil {
		return nil, err
	}
	// back from logarithms, as the scene has them
	for i, y := range p.y {
		p.s.Values = append(p.s.Values, t.unknown(i).value(y))
	}
	p.s.Set = t.overrides(p.y)
	return p.s, nil
}

// parameters is the state of a search.
type parameters struct {
	t          *Task
	s          *ParameterSolution
	pool       *workers.Pool
	y          []float64 // (3)
	each       func(ParameterIteration) bool
	iterations int
	decrease   float64
}

// loop is a function as the body of a parallel loop.
type loop func(i int)

// Do implements workers.Task.
func (f loop) Do(_, i int) { f(i) }

// residuals writes the residuals at y, in the order of the terms and their samples.
func (p *parameters) residuals(y, r []float64) error {
	// a run of its own scene: nothing is shared with other runs
	signals, err := p.t.signalsAt(y)
	if err != nil {
		return err
	}
	n := 0 // over all terms
	for i, s := range p.t.samples {
		for k, x := range signals[i] {
			r[n] = s.weight * (x - s.target[k])
			n++
		}
	}
	return nil
}

// numResiduals returns the number of samples.
func (p *parameters) numResiduals() int {
	// as residuals counts them
	n := 0
	for _, s := range p.t.samples {
		n += len(s.times)
	}
	return n
}

// jacobian writes ∂r/∂y by central differences of whole runs, all of them at a time. Where a bound is nearer than the
// difference is wide, the difference is one-sided.
func (p *parameters) jacobian(y, r, J []float64) error {
	n := len(y)
	lower, upper := p.bounds()
	// two runs for each unknown: up, then down
	ends, at, errs := make([][]float64, 2*n), make([]float64, 2*n), make([]error, 2*n)
	for c := range ends {
		i, w := c/2, [2]float64{1, -1}[c%2]*p.t.unknown(c/2).width()
		at[c] = min(upper[i], max(lower[i], y[i]+w))
	}
	p.s.Runs += 2 * n
	p.pool.Run(2*n, loop(func(c int) {
		moved := append([]float64(nil), y...)
		moved[c/2] = at[c]
		// every run writes its own place, so that the order of runs does not count
		ends[c] = make([]float64, len(r))
		errs[c] = p.residuals(moved, ends[c])
	}))
	for i := range n {
		// the unknown is named: its difference may be too wide for the scene
		if err := errors.Join(errs[2*i], errs[2*i+1]); err != nil {
			return fmt.Errorf("difference by %s: %w", p.t.File.Unknowns.Keys[i], err)
		}
		for k := range r {
			J[k*n+i] = (ends[2*i][k] - ends[2*i+1][k]) / (at[2*i] - at[2*i+1])
		}
	}
	return nil
}

// bounds returns the bounds of y.
func (p *parameters) bounds() (lower, upper []float64) {
	for i := range p.y {
		// infinite where the file gives none
		u := p.t.unknown(i)
		lo, hi := math.Inf(-1), math.Inf(1)
		if u.Min != nil {
			lo = u.y(*u.Min)
		}
		if u.Max != nil {
			hi = u.y(*u.Max)
		}
		lower, upper = append(lower, lo), append(upper, hi)
	}
	return lower, upper
}

// leastSquares searches by Levenberg and Marquardt.
func (p *parameters) leastSquares() error {
	lower, upper := p.bounds()
	problem := &leastsquares.Problem{NumResiduals: p.numResiduals(), Jacobian: p.jacobian, Lower: lower, Upper: upper}
	// one run at a time: trial steps follow each other
	problem.Residuals = func(y, r []float64) error {
		p.s.Runs++
		return p.residuals(y, r)
	}
	opt := leastsquares.Options{Iterations: p.iterations, Decrease: p.decrease}
	// no step is longer than a factor of e, or than what the file calls the range
	for i := range p.y {
		opt.Ranges = append(opt.Ranges, p.t.unknown(i).span())
	}
	opt.Each = func(row leastsquares.Iteration) bool {
		decrease := 0.0
		if row.Accepted {
			decrease = 2 * row.Actual
		}
		return p.row(2*row.Cost, decrease, row.X) // (4) is without the ½ of package leastsquares
	}
	r, err := leastsquares.Solve(problem, p.y, opt)
	if err != nil {
		return err
	}
	p.y, p.s.Cost, p.s.Converged, p.s.Stalled = r.X, 2*r.Cost, r.Converged, r.Stalled
	p.intervals(r.Confidence(opt.Ranges))
	return nil
}

// intervals turns the intervals of y into those of values, not symmetric where y is a logarithm.
func (p *parameters) intervals(c leastsquares.Confidence) {
	p.s.Deviation, p.s.Freedom, p.s.Undetermined = c.Deviation, c.Freedom, c.Undetermined
	for i, half := range c.Half {
		u := p.t.unknown(i)
		p.s.Low, p.s.High = append(p.s.Low, u.value(p.y[i]-half)), append(p.s.High, u.value(p.y[i]+half))
	}
}

// row adds a row to the table of iterations and reports whether the search continues.
func (p *parameters) row(cost, decrease float64, y []float64) bool {
	row := ParameterIteration{Number: len(p.s.Iterations) + 1, Cost: cost, Decrease: decrease}
	// for readers: values of the scene, not logarithms
	for i := range y {
		row.Values = append(row.Values, p.t.unknown(i).value(y[i]))
	}
	p.s.Iterations = append(p.s.Iterations, row)
	return p.each == nil || p.each(row)
}
