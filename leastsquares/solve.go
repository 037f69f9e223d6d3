package leastsquares

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Problem is the nonlinear least squares problem (1), as Solve takes it for Levenberg-Marquardt steps.
// Both functions are called by one goroutine at a time.
type Problem struct {
	// NumResiduals is N.
	NumResiduals int
	// Residuals writes r (N) at x. An error at a trial step refuses that step, which the next one
	// shortens; at the start it ends the solve.
	Residuals func(x, r []float64) error
	// Jacobian writes J (N × n, row-major) at x, where the residuals are r.
	Jacobian func(x, r, J []float64) error
	// Lower and Upper are bounds of x (n each); nil: none.
	Lower, Upper []float64
}

// Options end the iteration.
type Options struct {
	// Iterations bounds the number of accepted and refused steps; 0: 100.
	Iterations int
	// Decrease is the relative decrease of F at which the iteration ends; 0: 1e-10.
	Decrease float64
	// Ranges are changes of the unknowns (n) that one regards as large: no step is longer, and steps below
	// 1e-8 of them end the iteration, for instance where F tends to zero. nil: no bound, and 1e-8.
	Ranges []float64
	// Each is called after every step; false ends the solve. nil: not called.
	Each func(Iteration) bool
}

// Iteration is a row of the table of iterations.
type Iteration struct {
	// Number counts from 1.
	Number int
	// Cost is F after the step.
	Cost float64
	// Actual and Expected are the decrease of F and what the linearization predicted.
	Actual, Expected float64
	// Damping is μ of (2).
	Damping float64
	// Accepted reports whether x moved.
	Accepted bool
	// X is a copy of the unknowns after the step.
	X []float64
}

// Result is the end of a solve.
type Result struct {
	// X are the unknowns, R the residuals and J their Jacobian there (N × n, row-major).
	X, R, J []float64
	// Cost is F.
	Cost float64
	// Converged reports that F no longer decreases; otherwise a limit ended the iteration, or it stalled.
	Converged bool
	// Stalled reports that no step lowers F although J predicts more than a hundredth of it: F jumps
	// there, or J is wrong.
	Stalled bool
	// Evaluations counts calls of Residuals, and Jacobians those of Jacobian.
	Evaluations, Jacobians int
	// AtBound are the unknowns at a bound.
	AtBound []bool
}

// defaultDamping is μ of the first step: 1e-3 of the diagonal, since the start is a guess.
const defaultDamping = 1e-3

// solver is the state of a solve.
type solver struct {
	p   *Problem
	opt Options
	res Result
	n   int
	mu  float64 // damping
	up  float64 // factor of the next rise of μ
	// steps refused in sequence
	refused int
	// decrease of F that J predicted for the first step from the present x
	promised float64
	d        []float64 // D of (2)
	g        []float64 // Jᵀr
	JtJ      []float64 // n × n
	// trial step
	step, x, r []float64
}

// Solve minimizes from x0, which is moved into the bounds.
func Solve(p *Problem, x0 []float64, opt Options) (*Result, error) {
	// fewer residuals than unknowns leave combinations free from the outset
	if n := len(x0); n == 0 || p.NumResiduals < n {
		return nil, fmt.Errorf("leastsquares: %d residuals do not determine %d unknowns", p.NumResiduals, n)
	}
	s := newSolver(p, x0, opt)
	// the start must have a cost: nothing could be compared with it
	if err := s.evaluate(s.res.X, s.res.R); err != nil {
		return nil, err
	}
	s.res.Cost = halfSquare(s.res.R)
	if err := s.linearize(); err != nil {
		return nil, err
	}
	// refused steps count, too: each costs the caller an evaluation
	for k := 1; k <= s.opt.Iterations; k++ {
		row, done, err := s.iterate(k)
		if err != nil {
			return nil, err
		}
		if s.opt.Each != nil && !s.opt.Each(row) {
			break
		}
		if done {
			s.res.Stalled = !row.Accepted && s.promised > stallShare*s.res.Cost
			s.res.Converged = !s.res.Stalled
			break
		}
	}
	return &s.res, nil
}

// newSolver returns the state at the start x0, moved into the bounds, with the defaults of the options.
func newSolver(p *Problem, x0 []float64, opt Options) *solver {
	n, N := len(x0), p.NumResiduals
	v := func(k int) []float64 { return make([]float64, k) }
	s := &solver{p: p, opt: opt, n: n, mu: defaultDamping, up: 2, d: v(n), g: v(n), JtJ: v(n * n), step: v(n), x: v(n), r: v(N)}
	s.res = Result{X: slices.Clone(x0), R: v(N), J: v(N * n), AtBound: make([]bool, n)}
	// zero values of the options
	if s.opt.Iterations == 0 {
		s.opt.Iterations = 100
	}
	if s.opt.Decrease == 0 {
		s.opt.Decrease = 1e-10
	}
	// a start outside the bounds is moved, not refused
	for i, x := range s.res.X {
		s.res.X[i] = s.inside(i, x)
	}
	return s
}

// inside moves a value of unknown i into its bounds.
func (s *solver) inside(i int, x float64) float64 {
	if s.p.Lower != nil {
		x = max(x, s.p.Lower[i])
	}
	if s.p.Upper != nil {
		x = min(x, s.p.Upper[i])
	}
	return x
}

// errNotFinite refuses residuals that no step may end at.
var errNotFinite = errors.New("leastsquares: a residual is not finite")

// evaluate writes the residuals at x.
func (s *solver) evaluate(x, r []float64) error {
	s.res.Evaluations++
	if err := s.p.Residuals(x, r); err != nil {
		return err
	}
	// NaN compares with nothing and would pass for a decrease
	for _, e := range r {
		if math.IsNaN(e) || math.IsInf(e, 0) {
			return errNotFinite
		}
	}
	return nil
}

// linearize computes J, Jᵀr, JᵀJ and D at the present x, and finds the unknowns at bounds.
func (s *solver) linearize() error {
	s.res.Jacobians++
	s.promised = 0
	if err := s.p.Jacobian(s.res.X, s.res.R, s.res.J); err != nil {
		return err
	}
	// both products go into memory that lives on
	J := mat.NewDense(s.p.NumResiduals, s.n, s.res.J)
	mat.NewDense(s.n, s.n, s.JtJ).Mul(J.T(), J)
	mat.NewVecDense(s.n, s.g).MulVec(J.T(), mat.NewVecDense(s.p.NumResiduals, s.res.R))
	for i := range s.n {
		// D only grows, else steps could grow without bound where a column vanishes
		s.d[i] = max(s.d[i], s.JtJ[i*s.n+i])
		x := s.res.X[i]
		s.res.AtBound[i] = s.p.Lower != nil && x <= s.p.Lower[i] && s.g[i] > 0 ||
			s.p.Upper != nil && x >= s.p.Upper[i] && s.g[i] < 0
	}
	return nil
}

// iterate takes one step. done reports that F no longer decreases.
func (s *solver) iterate(k int) (row Iteration, done bool, err error) {
	cut := s.dampedStep()
	expected := s.expected()
	row = Iteration{Number: k, Cost: s.res.Cost, Expected: expected, Damping: s.mu}
	// a failed evaluation counts as a rise
	actual := math.Inf(-1)
	if expected > 0 && s.evaluate(s.x, s.r) == nil {
		actual = s.res.Cost - halfSquare(s.r)
	}
	row.Actual = actual
	// a decrease, or a step, below this is none
	small := s.opt.Decrease * s.res.Cost
	s.promised = max(s.promised, expected)
	still := !cut && s.largest() <= stepTolerance
	if actual > 0 {
		err = s.accept(actual, expected)
		row.Accepted, row.Cost = true, s.res.Cost
		done = actual <= small && expected <= small && !cut || still
	} else {
		// nothing to gain, or round-off of F hides what is gained
		s.refused++
		done = expected <= small && !cut || still || s.refused > maxRefused
		s.raise()
	}
	row.X = slices.Clone(s.res.X)
	return row, done, err
}

// expected returns the decrease of ½|r + J d|², with d as the bounds cut it.
func (s *solver) expected() float64 {
	sum := 0.0
	for i, d := range s.step {
		sum -= d * s.g[i]
		for j, e := range s.step {
			sum -= 0.5 * d * e * s.JtJ[i*s.n+j]
		}
	}
	return sum
}

// accept moves to the trial point, where F is less by actual, and linearizes there. expected is what J predicted.
func (s *solver) accept(actual, expected float64) error {
	s.refused = 0
	copy(s.res.X, s.x)
	copy(s.res.R, s.r)
	s.res.Cost -= actual
	// Nielsen: damping follows the ratio of both decreases without jumps
	s.mu *= max(1.0/3, 1-math.Pow(2*actual/expected-1, 3))
	s.up = 2
	return s.linearize()
}

// maxRefused bounds the steps that are refused in sequence: with the damping raised 2²⁸-fold by then, a step that
// lowers F by more than its rounding or roughness is not to be expected.
const maxRefused = 6

// stallShare is the part of F that a step must predict for a failure of all shorter ones to count as stalled.
const stallShare = 0.01

// stepTolerance is the size of steps, in units of the ranges, that end the iteration.
const stepTolerance = 1e-8

// largest returns the largest component of the step in units of the ranges.
func (s *solver) largest() float64 {
	most := 0.0
	for i, d := range s.step {
		scale := 1.0
		if s.opt.Ranges != nil {
			scale = s.opt.Ranges[i]
		}
		most = max(most, math.Abs(d)/scale)
	}
	return most
}

// raise raises the damping, the more the oftener in sequence.
func (s *solver) raise() {
	s.mu *= s.up
	s.up *= 2
}

// dampedStep writes the step d (2) within the bounds, and x + d. Unknowns that the step would carry beyond a bound go
// to it, and the others minimize with them there, until none goes beyond. cut reports that there were any.
func (s *solver) dampedStep() (cut bool) {
	// unknowns at a bound keep a step of 0
	clear(s.step)
	free := make([]int, 0, s.n)
	for i, held := range s.res.AtBound {
		// a column of zeros: nothing depends on this unknown, so that it stays
		if !held && s.d[i] > 0 {
			free = append(free, i)
		}
	}
	for len(free) > 0 {
		s.solveFree(free)
		kept := free[:0]
		for _, i := range free {
			if x := s.res.X[i] + s.step[i]; s.inside(i, x) == x {
				kept = append(kept, i)
			} else {
				s.step[i] = s.inside(i, x) - s.res.X[i]
			}
		}
		if len(kept) == len(free) {
			break
		}
		free, cut = kept, true
	}
	s.shorten()
	// round-off must not carry x beyond a bound
	for i, d := range s.step {
		s.x[i] = s.inside(i, s.res.X[i]+d)
	}
	return cut
}

// shorten scales the step to the ranges of the unknowns: the linearization says nothing of places farther away, and a
// try costs the caller a whole simulation.
func (s *solver) shorten() {
	if far := s.largest(); s.opt.Ranges != nil && far > 1 {
		for i := range s.step {
			s.step[i] /= far
		}
	}
}

// solveFree writes the step of the free unknowns, with the present step of the others, by (2). Unknowns are
// taken in units of D, so that theirs do not spoil the factor.
func (s *solver) solveFree(free []int) {
	A, b := mat.NewSymDense(len(free), nil), mat.NewVecDense(len(free), nil)
	fixed := s.fixed(free)
	for a, i := range free {
		unit := math.Sqrt(s.d[i])
		for c, j := range free[:a+1] {
			A.SetSym(a, c, s.JtJ[i*s.n+j]/(unit*math.Sqrt(s.d[j])))
		}
		A.SetSym(a, a, s.JtJ[i*s.n+i]/s.d[i]+s.mu)
		g := s.g[i]
		for _, j := range fixed {
			g += s.JtJ[i*s.n+j] * s.step[j]
		}
		b.SetVec(a, -g/unit)
	}
	// positive definite by μ; where round-off spoils that, the raised damping of the next step repairs it
	var factor mat.Cholesky
	var d mat.VecDense
	ok := factor.Factorize(A) && factor.SolveVecTo(&d, b) == nil
	for a, i := range free {
		s.step[i] = 0
		if ok {
			s.step[i] = d.AtVec(a) / math.Sqrt(s.d[i])
		}
	}
}

// fixed returns the unknowns that went to a bound, which take part with their step.
func (s *solver) fixed(free []int) (list []int) {
	for i, d := range s.step {
		if d != 0 && !slices.Contains(free, i) {
			list = append(list, i)
		}
	}
	return list
}

// halfSquare returns ½ rᵀr.
func halfSquare(r []float64) float64 {
	sum := 0.0
	for _, e := range r {
		sum += e * e
	}
	return 0.5 * sum
}
