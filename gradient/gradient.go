// Package gradient computes derivatives of a number of a run, such as a force at its end, by parameters of the model.
//
// A run of N steps from the state x_0(θ) takes x_{k+1} = f(x_k, θ) and gives signals s_k(θ). With a cost
//
//	L(s_0, …, s_N),   s̄_k = ∂L/∂s_k                                                       (1)
//
// the derivative by θ is found in one of two ways, which agree:
//
//	adjoint   λ_N = 0;  λ_k = f_xᵀ λ_{k+1} + signals;  dL/dθ = λ_0ᵀ ∂x_0/∂θ + Σ_k λ_{k+1}ᵀ f_θ        (2)
//	tangents  δ_0 = ∂x_0/∂θ;  δ_{k+1} = f_x δ_k + f_θ;  dL/dθ = Σ_k s̄_k ds_k(δ)                     (3)
//
// (2) is the adjoint method and (3) forward sensitivity analysis. The adjoint takes one solve and the partial
// derivatives of a step by its state, whatever the number of parameters: two steps where deformables touch rigid
// bodies, thousands where two of them touch. Tangents take a solve and some ten assemblies of each step for each
// parameter, three steps. f_x and f_θ are those of sim.Linearization. The model enters f_θ by two models that were
// built with the parameter changed by a little, so that every value from which a model is built has a derivative:
// materials, masses, gains, sizes of parts whose mesh keeps its elements.
//
// Where a step has no derivative, or a signal, the error says which and why. Source: Griewank and Walther, "Evaluating
// Derivatives", 2008, chapters 3 and 12.
package gradient

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/sim"
)

// Loss returns the cost L of a run from the values of the model's signals after each step, values[k][i] of signal i
// after k steps, in SI units, and adds ∂L/∂values to bar, which has the same shape and is zero before.
type Loss func(values, bar [][]float64) float64

// Parameter is a value from which a model is built.
type Parameter struct {
	// Name names it in messages.
	Name string
	// Plus and Minus are models with the value changed by ±Width. Where the value is at a bound, one of them is the
	// Model of the problem, and the other has the value changed by twice the Width: the derivative of that side.
	Plus, Minus *sim.Model
	// Width is half the difference of the value between Plus and Minus, in the value's unit.
	Width float64
}

// Mode is the way in which a gradient is computed.
type Mode int

// Ways to compute a gradient.
const (
	Automatic Mode = iota // the adjoint, or tangents where it is the more expensive, or refused
	Adjoint               // (2)
	Tangents              // (3)
)

// Problem is a run, its cost and the parameters of the model.
type Problem struct {
	// Model is the model of the run.
	Model *sim.Model
	// H is the step, s.
	H float64
	// Steps is the number of steps.
	Steps int
	// Loss is the cost of the run.
	Loss Loss
	// Parameters are the values by which the cost is differentiated.
	Parameters []Parameter
	// Mode is the way; the result does not depend on it but for rounding.
	Mode Mode
	// Memory bounds the states that are kept, bytes; 0: 1 GiB. Above it a part of them is kept and the steps between
	// are taken again.
	Memory int64
}

// Result is the derivative of a cost.
type Result struct {
	// Value is the cost L.
	Value float64
	// Gradient is dL/dθ, one number for each parameter, in the cost's unit over the parameter's.
	Gradient []float64
	// Start is the derivative by the state at the start, a cotangent as of sim.Linearization, without
	// signals at the start itself; nil with Tangents.
	Start []float64
}

// relTol is the relative tolerance of the solver in the run that is differentiated.
const relTol = 1e-11

// tight returns a model whose steps are solved to relTol: what v⁺ errs would be differentiated with it, and differences
// of runs would be differences of such errors.
func tight(m *sim.Model) *sim.Model {
	// a copy: the caller's model keeps its tolerance
	exact := *m
	exact.RelTol = relTol
	return &exact
}

// computation is the work of Compute.
type computation struct {
	*Problem
	// s takes the steps and differentiates them.
	s *sim.Stepper
	// path is the run.
	path *trajectory
	// bar is ∂L/∂s of (1), after each step.
	bar [][]float64
	// last is the number of steps after which no signal counts.
	last int
	// plus and minus step the models of each parameter.
	plus, minus []*sim.Stepper
	// end is the state in which the differentiated step ends.
	end sim.State
	r   *Result
}

// Compute runs the model and returns the cost and its gradient. The error wraps sim.ErrNotDifferentiable where a step
// or a signal of the cost has no derivative.
func Compute(p *Problem) (*Result, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	c := &computation{Problem: p, r: &Result{Gradient: make([]float64, len(p.Parameters))}}
	// also after an error
	defer c.close()
	// the differentiated run, and models on both sides of each parameter
	if err := c.begin(); err != nil {
		return nil, err
	}
	// the run, with the values of signals
	values, err := c.path.run()
	if err != nil {
		return nil, err
	}
	// the loss is the caller's: its derivative comes with its value
	c.bar = make([][]float64, len(values))
	for k := range values {
		c.bar[k] = make([]float64, len(values[k]))
	}
	c.r.Value = p.Loss(values, c.bar)
	if err := c.checkBar(); err != nil {
		return nil, err
	}
	if p.Mode == Tangents {
		return c.r, c.tangents()
	}
	err = c.adjoint()
	// kinks in directions that no parameter takes, such as off the stop at which a joint rests, are no kinks of
	// tangents
	kinked := c.Mode == Automatic && len(c.Parameters) > 0 && errors.Is(err, sim.ErrNotDifferentiable)
	if kinked || errors.Is(err, errExpensive) {
		clear(c.r.Gradient)
		err = c.tangents()
	}
	return c.r, err
}

// errExpensive reports that the adjoint has become more expensive than tangents.
var errExpensive = errors.New("gradient: tangents are cheaper")

// Assemblies of a step that a parameter takes, as of sim.Linearization.AdjointAssemblies.
const (
	assembliesOfParameter = 2
	assembliesOfTangent   = 8
)

// spend adds the cost of the adjoint of a step, in assemblies, to that spent so far. The error is errExpensive where a
// way may be chosen and tangents of the whole run cost less: which bodies touch is known step by step, so that at most
// their cost is spent in vain.
func (c *computation) spend(spent *int, l *sim.Linearization, bar []float64) error {
	if _, soft := c.Model.Dofs(); c.Mode != Automatic || len(c.Parameters) == 0 || soft == 0 && !l.IsChain() {
		return nil
	}
	*spent += l.AdjointAssemblies(bar) + assembliesOfParameter*len(c.Parameters)
	if *spent > c.last*len(c.Parameters)*(assembliesOfTangent+assembliesOfParameter) {
		return errExpensive
	}
	return nil
}

// check returns the fault of a problem.
func (p *Problem) check() error {
	// what would divide by zero or leave nothing to differentiate
	switch {
	case !(p.H > 0):
		return fmt.Errorf("gradient: step of %g s: it must be positive", p.H)
	case p.Steps < 1:
		return fmt.Errorf("gradient: %d steps: at least one is required", p.Steps)
	}
	// a parameter that adds a body or an element has no derivative
	for i := range p.Parameters {
		q := &p.Parameters[i]
		if !(q.Width > 0) {
			return fmt.Errorf("gradient: %s: width %g: it must be positive", q.Name, q.Width)
		}
		if err := sameTopology(p.Model, q.Plus, q.Minus); err != nil {
			return fmt.Errorf("%w: %s: %w", sim.ErrNotDifferentiable, q.Name, err)
		}
	}
	return nil
}

// begin makes the steppers.
func (c *computation) begin() error {
	// each with one thread: results do not depend on it, and steps of parameters are short
	stepper := func(m *sim.Model) (*sim.Stepper, error) { return sim.NewStepper(tight(m), sim.Options{Threads: 1}) }
	var err error
	if c.s, err = stepper(c.Model); err != nil {
		return err
	}
	// nothing is stepped yet
	c.path = newTrajectory(c.s, c.H, c.Steps, c.Memory)
	// two more for each parameter, which only evaluate steps of the run; at a bound it is that of the run
	side := func(m *sim.Model) (*sim.Stepper, error) {
		if m == c.Model {
			return c.s, nil
		}
		return stepper(m)
	}
	for i := range c.Parameters {
		plus, err := side(c.Parameters[i].Plus)
		if err != nil {
			return err
		}
		c.plus = append(c.plus, plus)
		minus, err := side(c.Parameters[i].Minus)
		if err != nil {
			return err
		}
		c.minus = append(c.minus, minus)
	}
	return nil
}

// close ends the steppers.
func (c *computation) close() {
	// nil where begin failed half way
	for _, s := range append(c.plus, c.minus...) {
		if s != c.s {
			s.Close()
		}
	}
	if c.s != nil {
		c.s.Close()
	}
}

// checkBar finds the last step that counts, and refuses signals without a derivative.
func (c *computation) checkBar() error {
	// a loss that is infinite or not a number would become a gradient of zeros and NaN
	if math.IsNaN(c.r.Value) || math.IsInf(c.r.Value, 0) {
		return fmt.Errorf("gradient: the cost is %g: are there signals that have no value in this run?", c.r.Value)
	}
	for k, bar := range c.bar {
		for i, b := range bar {
			// a signal that does not count need not be smooth
			if b == 0 {
				continue
			}
			if err := c.Model.CheckSmooth(i); err != nil {
				return err
			}
			c.last = k
		}
	}
	return nil
}

// linearize differentiates step k, the one after k steps, and checks that it is the step that was taken.
func (c *computation) linearize(k int) (*sim.Linearization, error) {
	x, err := c.path.state(k)
	if err != nil {
		return nil, err
	}
	// before the stepper has the linearization: states may have to be taken again
	// a segment of states may end at k
	next, err := c.path.state(k + 1)
	if err != nil {
		return nil, err
	}
	l, err := c.s.LinearizeTo(x, next, c.H)
	if err != nil {
		return nil, err
	}
	// steps that are divided, or solved many times, may follow what the tolerance of the solver leaves
	l.End(&c.end)
	off, scale := 0.0, 0.0
	for i, v := range next.V {
		off = max(off, math.Abs(c.end.V[i]-v))
		scale = max(scale, math.Abs(v), math.Abs(v-x.V[i]))
	}
	if off > sameStep*scale+leastSpeed {
		return nil, fmt.Errorf("%w at t = %.6g s: the step ends %.1e m/s or rad/s elsewhere where it is solved more exactly, as it is divided, or solved many times: take a shorter step", sim.ErrNotDifferentiable, x.Time, off)
	}
	return l, nil
}

const (
	sameStep   = 1e-6 // how far both ends of a step may differ, relative to its velocities
	leastSpeed = 1e-9 // below which velocities are round-off, m/s or rad/s
)

// adjoint computes (2).
func (c *computation) adjoint() error {
	// λ_N = 0: signals after the last step enter with the step that leads there
	lambda := make([]float64, c.Model.TangentSize())
	spent := 0 // assemblies
	for k := c.last - 1; k >= 0; k-- {
		// the step is differentiated where it ended
		l, err := c.linearize(k)
		if err != nil {
			return err
		}
		// λ_{k+1} becomes λ_k; the linearization keeps y of the solve for the parameters
		bar := c.bar[k+1]
		// before it costs much, and once more when it is known
		expected := spent
		if err := c.spend(&expected, l, bar); err != nil {
			return err
		}
		if err := l.AdjointOfSignals(bar, lambda, nil); err != nil {
			return err
		}
		if err := c.spend(&spent, l, bar); err != nil {
			return err
		}
		for i := range c.Parameters {
			d, err := l.ParameterCotangent(c.plus[i], c.minus[i], c.Parameters[i].Width, bar)
			if err != nil {
				return c.failed(i, err)
			}
			c.r.Gradient[i] += d
		}
	}
	// what the parameters change at the start
	c.r.Start = lambda
	for i := range c.Parameters {
		// λ_0ᵀ ∂x_0/∂θ
		for k, d := range c.startTangent(i) {
			c.r.Gradient[i] += lambda[k] * d
		}
		c.r.Gradient[i] += c.startSignals(i)
	}
	return nil
}

// tangents computes (3).
func (c *computation) tangents() error {
	nx := c.Model.TangentSize()
	// for each parameter its tangent
	delta := make([][]float64, len(c.Parameters))
	for i := range delta {
		delta[i] = c.startTangent(i)
		c.r.Gradient[i] = c.startSignals(i)
	}
	// forward in time: nothing has to be kept
	// but the present tangents
	next, direct := make([]float64, nx), make([]float64, nx)
	for k := range c.last {
		l, err := c.linearize(k)
		if err != nil {
			return err
		}
		for i := range c.Parameters {
			if err := c.stepTangent(l, i, c.bar[k+1], delta[i], next, direct); err != nil {
				return err
			}
			copy(delta[i], next)
		}
	}
	return nil
}

// stepTangent takes the tangent δ of parameter i through a step to next, and adds what signals after the step, of
// cotangent bar, contribute. direct is memory for f_θ.
func (c *computation) stepTangent(l *sim.Linearization, i int, bar, delta, next, direct []float64) error {
	w := c.Parameters[i].Width
	if err := l.ModelTangent(c.plus[i], c.minus[i], w, direct); err != nil {
		return c.failed(i, err)
	}
	// f_x δ_k + f_θ
	if err := l.Tangent(delta, nil, next); err != nil {
		return err
	}
	for j, d := range direct {
		next[j] += d
	}
	// signals by the state before and after the step, then by the parameter itself
	s, err := l.SignalTangents(bar, delta, next)
	if err != nil {
		return err
	}
	own, err := l.ParameterSignals(c.plus[i], c.minus[i], w, bar)
	if err != nil {
		return c.failed(i, err)
	}
	c.r.Gradient[i] += s + own
	return nil
}

// startTangent returns ∂x_0/∂θ of parameter i.
func (c *computation) startTangent(i int) []float64 {
	// rotations differ by a rotation vector,
	// not by quaternions
	p := &c.Parameters[i]
	dx := make([]float64, c.Model.TangentSize())
	c.Model.StateDifference(&p.Minus.Start, &p.Plus.Start, dx)
	for k := range dx {
		dx[k] /= 2 * p.Width
	}
	return dx
}

// startSignals returns the part of signals at the start itself in the derivative by parameter i.
func (c *computation) startSignals(i int) float64 {
	// they depend on the model alone: each model is placed at its own start
	p, sum := &c.Parameters[i], 0.0
	var values [2][]float64
	for side, s := range [2]*sim.Stepper{c.plus[i], c.minus[i]} {
		s.Place(&s.Model.Start, c.H)
		values[side] = s.Read(&s.Model.Start, nil)
	}
	for k, b := range c.bar[0] {
		if b != 0 {
			sum += b * (values[0][k] - values[1][k]) / (2 * p.Width)
		}
	}
	return sum
}

// failed adds the name of a parameter to an error of its models.
func (c *computation) failed(i int, err error) error {
	// a step without a derivative is no fault of the parameter
	if errors.Is(err, sim.ErrNotDifferentiable) {
		return err
	}
	return fmt.Errorf("gradient: %s: %w", c.Parameters[i].Name, err)
}
