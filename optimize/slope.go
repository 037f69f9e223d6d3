package optimize

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/sim"
)

// Costs of a task and their derivatives by the unknowns y (3). Derivatives are central differences of whole runs, or
// exact: products of the derivatives of steps (package gradient), of models that differ in an unknown by 1e-5.
// Exact ones are compared at the start with differences of whole runs over the same 1e-5. On the way a run may come to
// a step that has no derivative, such as one in which contact begins; differences then take the place, and are counted.

// slope computes costs and derivatives of a task.
type slope struct {
	// p has the task, the unknowns and the pool of workers.
	p *parameters
	// runs is the number of whole runs; several may end at a time.
	runs    atomic.Int64
	count   int // of derivatives
	refused int // of these, differences in place of exact ones
	// exact is ∂F/∂y at the start, for check; nil: no derivative was computed yet.
	exact []float64
}

// exactTol is the relative difference of an exact derivative and a difference over 1e-5 from which on the start is
// refused. Steps that are smooth there agree to 1e-5 and better.
const exactTol = 1e-2

// cost returns (4) at y.
func (s *slope) cost(y []float64) (float64, error) {
	// a run of its own
	s.runs.Add(1)
	signals, err := s.p.t.signalsAt(y)
	if err != nil {
		return 0, err
	}
	c := s.p.t.costOf(signals, nil)
	// the optimizer would take a comparison with NaN for no progress and stop without a word
	if math.IsNaN(c) {
		return 0, errors.New("the cost is not a number: are there signals that have no value in this run?")
	}
	return c, nil
}

// gradient writes ∂F/∂y.
func (s *slope) gradient(y, g []float64) error {
	// only "exact" asks for derivatives of steps
	s.count++
	if s.p.t.File.Derivatives != "exact" {
		return s.differences(y, g)
	}
	// a start without a derivative is for the user to repair; later ones are what the search came to
	err := s.compute(y, g)
	if errors.Is(err, sim.ErrNotDifferentiable) && s.exact != nil {
		s.refused++
		return s.differences(y, g)
	}
	if s.exact == nil && err == nil {
		s.exact = slices.Clone(g)
	}
	if errors.Is(err, sim.ErrNotDifferentiable) {
		return fmt.Errorf("%w; or give derivatives: differences", err)
	}
	return err
}

// differences writes ∂F/∂y by central differences of whole runs, all of them at a time.
func (s *slope) differences(y, g []float64) error {
	// up and down for each unknown, one-sided at a bound
	n := len(y)
	lower, upper := s.p.bounds()
	costs, at, errs := make([]float64, 2*n), make([]float64, 2*n), make([]error, 2*n)
	s.p.pool.Run(2*n, loop(func(c int) {
		i, w := c/2, [2]float64{1, -1}[c%2]*s.p.t.unknown(c/2).width()
		moved := slices.Clone(y)
		// a point beyond a bound is moved to it; the quotient divides by what is left of 2w
		moved[i] = min(upper[i], max(lower[i], y[i]+w))
		at[c] = moved[i]
		costs[c], errs[c] = s.cost(moved)
	}))
	for i := range g {
		// the unknown is named: its difference may be too wide for the scene
		if err := errors.Join(errs[2*i], errs[2*i+1]); err != nil {
			return fmt.Errorf("difference by %s: %w", s.p.t.File.Unknowns.Keys[i], err)
		}
		g[i] = (costs[2*i] - costs[2*i+1]) / (at[2*i] - at[2*i+1])
	}
	return nil
}

// problem returns the run at y, with every unknown as a parameter.
func (s *slope) problem(y []float64) (*gradient.Problem, error) {
	// the scene at y is the middle of both sides of each unknown
	t := s.p.t
	sc, err := t.load(t.overrides(y))
	if err != nil {
		return nil, err
	}
	// what run solves in another way has another derivative
	if sc.File.Time.Equilibrium {
		return nil, fmt.Errorf("%w: time.equilibrium: states at rest are found by pseudo-steps: take steps with inertia", sim.ErrNotDifferentiable)
	}
	p := &gradient.Problem{Model: sc.Model, H: t.h, Steps: t.lastStep(), Loss: func(values, bar [][]float64) float64 { return t.lossOf(sc, values, bar) }}
	for i := range y {
		// the width is relative to what counts as a large change
		w := modelWidth * t.unknown(i).span()
		q := gradient.Parameter{Name: "unknowns." + t.File.Unknowns.Keys[i], Width: w}
		// bounds of the file do not apply here, those of the scene do
		err := bothSides(&q, sc.Model, func(side float64) (*sim.Model, error) {
			moved := slices.Clone(y)
			moved[i] += side * w
			other, err := t.load(t.overrides(moved))
			if err != nil {
				return nil, err
			}
			return other.Model, nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Name, err)
		}
		p.Parameters = append(p.Parameters, q)
	}
	return p, nil
}

// compute writes the exact derivative.
// models at y ± w are made again, since y has moved since the last call
func (s *slope) compute(y, g []float64) error {
	// parameters are y itself, so that there is no chain rule
	p, err := s.problem(y)
	if err != nil {
		return err
	}
	r, err := gradient.Compute(p)
	if err != nil {
		return err
	}
	copy(g, r.Gradient)
	return nil
}

// check compares an exact derivative at the start with differences of whole runs. spans are those of y, in which
// derivatives of different unknowns are comparable.
func (s *slope) check(y, spans []float64) error {
	// differences need no comparison with themselves
	if s.p.t.File.Derivatives != "exact" {
		return nil
	}
	p, err := s.problem(y)
	if err != nil {
		return err
	}
	// as exact as the run that was differentiated
	n := len(y)
	costs, touches, errs := make([]float64, 2*n), make([]gradient.Touches, 2*n), make([]error, 2*n)
	// run 2i is the upper side of unknown i, run 2i + 1 the lower one
	s.p.pool.Run(2*n, loop(func(c int) {
		q := &p.Parameters[c/2]
		costs[c], touches[c], errs[c] = gradient.Run(p, [2]*sim.Model{q.Plus, q.Minus}[c%2])
	}))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.runs.Add(int64(2 * n))
	// the largest effect of an unknown over its span bounds what rounding may leave
	largest := 0.0
	for i, g := range s.exact {
		largest = max(largest, math.Abs(g*spans[i]))
	}
	for i, g := range s.exact {
		// unknowns that hardly count may have derivatives of rounding
		d := (costs[2*i] - costs[2*i+1]) / (2 * p.Parameters[i].Width)
		if math.Abs(g-d)*spans[i] > exactTol*max(math.Abs(g), math.Abs(d))*spans[i]+1e-4*largest {
			return fmt.Errorf("%s: the derivative of the cost is %.6g at the start, a difference of runs over 1e-5 is %.6g: %s: give another start, or derivatives: differences", p.Parameters[i].Name, g, d, changeBetween(touches[2*i], touches[2*i+1], p.H))
		}
	}
	return nil
}

// changeBetween says which contact differs first between two runs with steps of h.
func changeBetween(a, b gradient.Touches, h float64) string {
	if kinks := gradient.Kinks(a, b); len(kinks) > 0 {
		return fmt.Sprintf("the contact of %s and %s changes between these runs at %.4g s", kinks[0].A, kinks[0].B, float64(kinks[0].Step)*h)
	}
	return "no contact begins or ends between these runs, but a limit, a bound or a jump of the model may"
}

// costOf returns (4) of the signals of all terms at their samples, and writes ∂F/∂s into bar, of the same shape; nil:
// not computed.
func (t *Task) costOf(signals, bar [][]float64) float64 {
	// terms without targets are means, the others squares
	sum := 0.0
	for i, s := range t.samples {
		for k, x := range signals[i] {
			// ∂F/∂s of a mean is its weight
			slope := s.weight
			if s.target == nil {
				sum += s.weight * x
			} else {
				e := s.weight * (x - s.target[k])
				sum += e * e
				slope = 2 * s.weight * e
			}
			if bar != nil {
				bar[i][k] = slope
			}
		}
	}
	return sum
}
