package optimize

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	gonum "gonum.org/v1/gonum/optimize"
)

// Methods for costs (4) that are no sums of squares are those of gonum, which know no bounds: they search z, from which
//
//	y = l + (u − l)/(1 + e^−z)   both bounds        y = l + a e^z,  y = u − a e^−z   one bound        (5)
//
// with the scale a of the unknown; without bounds y = z.

// bounded is (5) for one unknown.
type bounded struct{ lower, upper, scale float64 }

// y returns (5) and its derivative.
func (b bounded) y(z float64) (y, slope float64) {
	switch lo, hi := !math.IsInf(b.lower, 0), !math.IsInf(b.upper, 0); {
	case lo && hi:
		f := 1 / (1 + math.Exp(-z))
		return b.lower + (b.upper-b.lower)*f, (b.upper - b.lower) * f * (1 - f)
	case lo:
		e := b.scale * math.Exp(z)
		return b.lower + e, e
	case hi:
		e := b.scale * math.Exp(-z)
		return b.upper - e, e
	}
	return z, 1
}

// edge keeps the start off its bounds, where (5) has no inverse: a part of the distance between them, or of the scale.
const edge = 1e-3

// z returns the inverse of (5).
func (b bounded) z(y float64) float64 {
	// kept off the bounds, where z is infinite
	switch lo, hi := !math.IsInf(b.lower, 0), !math.IsInf(b.upper, 0); {
	case lo && hi:
		f := min(1-edge, max(edge, (y-b.lower)/(b.upper-b.lower)))
		return math.Log(f / (1 - f))
	case lo:
		return math.Log(max(edge, (y-b.lower)/b.scale))
	case hi:
		return -math.Log(max(edge, (b.upper-y)/b.scale))
	}
	return y
}

// seed is that of the draws of cma_es: the same file gives the same result.
const seed = 1

// standstill is the number of iterations over which nelder_mead and cma_es must not gain: both often
// stand still for some.
const standstill = 20

// scalar is the cost as gonum calls it.
type scalar struct {
	p    *parameters
	maps []bounded
	runs atomic.Int64
}

// minimize searches by a method of gonum.
func (p *parameters) minimize() error {
	f := &scalar{p: p}
	// bounds are those of y, hence in logarithms where the scale is log
	lower, upper := p.bounds()
	z := make([]float64, len(p.y))
	for i := range z {
		f.maps = append(f.maps, bounded{lower[i], upper[i], p.t.unknown(i).span()})
		z[i] = f.maps[i].z(p.y[i])
	}
	// a start without a cost is a mistake; later failures are poor values
	if _, err := f.cost(f.at(z)); err != nil {
		return err
	}
	settings := &gonum.Settings{MajorIterations: p.iterations, Recorder: f}
	settings.Converger = &gonum.FunctionConverge{Relative: p.decrease, Iterations: standstill}
	problem := gonum.Problem{Func: f.value}
	// each method with what it needs: a gradient, or draws that are the same every time
	var method gonum.Method
	switch p.t.File.Method {
	case "bfgs":
		problem.Grad = f.gradient
		method, settings.Converger = &gonum.BFGS{}, &gonum.FunctionConverge{Relative: p.decrease, Iterations: 2}
	case "nelder_mead":
		method = &gonum.NelderMead{}
	default:
		settings.Concurrent = p.pool.Size()
		method = &gonum.CmaEsChol{Src: rand.NewPCG(seed, seed), InitStepSize: 0.5}
	}
	r, err := gonum.Minimize(problem, z, settings, method)
	if r == nil {
		return fmt.Errorf("method %s: %w", p.t.File.Method, err)
	}
	// the caller had enough: what was found so far counts
	if errors.Is(err, errStopped) {
		err = nil
	}
	// A line search that finds no decrease in the rounding of the cost ends at a minimum too.
	p.y, p.s.Cost, p.s.Runs = f.at(r.X), r.F, int(f.runs.Load())
	p.s.Converged = err == nil && (r.Status == gonum.FunctionConvergence || r.Status == gonum.GradientThreshold || r.Status == gonum.MethodConverge)
	// these methods give no intervals
	for range p.y {
		p.s.Low, p.s.High = append(p.s.Low, math.NaN()), append(p.s.High, math.NaN())
	}
	return nil
}

// at returns y (5).
func (f *scalar) at(z []float64) []float64 {
	// each unknown by its own bounds
	y := make([]float64, len(z))
	for i := range z {
		y[i], _ = f.maps[i].y(z[i])
	}
	return y
}

// cost returns (4) at y.
func (f *scalar) cost(y []float64) (float64, error) {
	f.runs.Add(1)
	signals, err := f.p.t.signalsAt(y)
	if err != nil {
		return 0, err
	}
	// terms without targets are means, the others squares
	sum := 0.0
	for i, s := range f.p.t.samples {
		for k, x := range signals[i] {
			if s.target == nil {
				sum += s.weight * x
			} else {
				e := s.weight * (x - s.target[k])
				sum += e * e
			}
		}
	}
	return sum, nil
}

// value returns the cost at z, +Inf where the run fails.
func (f *scalar) value(z []float64) float64 {
	// the search turns back from there
	c, err := f.cost(f.at(z))
	if err != nil || math.IsNaN(c) {
		return math.Inf(1)
	}
	return c
}

// gradient writes ∂F/∂z by central differences of whole runs in y, all of them at a time.
func (f *scalar) gradient(grad, z []float64) {
	// up and down for each unknown, as jacobian does
	y := f.at(z)
	costs := make([]float64, 2*len(y))
	f.p.pool.Run(len(costs), loop(func(c int) {
		moved := append([]float64(nil), y...)
		moved[c/2] += [2]float64{1, -1}[c%2] * f.p.t.unknown(c/2).width()
		cost, err := f.cost(moved)
		if costs[c] = cost; err != nil {
			costs[c] = math.NaN() // ends the search by name
		}
	}))
	for i := range grad {
		// by the chain rule of (5)
		_, slope := f.maps[i].y(z[i])
		grad[i] = slope * (costs[2*i] - costs[2*i+1]) / (2 * f.p.t.unknown(i).width())
	}
}

// errStopped ends a search at the caller's wish.
var errStopped = errors.New("optimize: stopped")

// Init implements gonum's Recorder.
func (f *scalar) Init() error { return nil }

// Record implements gonum's Recorder: a row for each iteration.
func (f *scalar) Record(l *gonum.Location, op gonum.Operation, _ *gonum.Stats) error {
	// line searches and draws of a generation are parts of an iteration
	if op != gonum.MajorIteration {
		return nil
	}
	// from the row before; the first has none
	decrease := 0.0
	if rows := f.p.s.Iterations; len(rows) > 0 {
		decrease = rows[len(rows)-1].Cost - l.F
	}
	if !f.p.row(l.F, decrease, f.at(l.X)) {
		return errStopped
	}
	return nil
}
