package optimize

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	gonum "gonum.org/v1/gonum/optimize"
)

// Methods for costs (4) without derivatives are those of gonum, which have no bounds: they search z, from which
//
//	y = l + (u − l)/(1 + e^−z)   both bounds        y = l + a e^z,  y = u − a e^−z   one bound        (5)
//
// with the scale a of the unknown; without bounds y = z.

// bounded is (5) for one unknown.
type bounded struct{ lower, upper, scale float64 }

// y returns (5).
func (b bounded) y(z float64) float64 {
	switch lo, hi := !math.IsInf(b.lower, 0), !math.IsInf(b.upper, 0); {
	case lo && hi:
		f := 1 / (1 + math.Exp(-z))
		return b.lower + (b.upper-b.lower)*f
	case lo:
		return b.lower + b.scale*math.Exp(z)
	case hi:
		return b.upper - b.scale*math.Exp(-z)
	}
	return z
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
	p     *parameters
	maps  []bounded
	slope slope // for costs alone
}

// minimize searches by a method of gonum.
func (p *parameters) minimize() error {
	f := &scalar{p: p, slope: slope{p: p}}
	// bounds are those of y, hence in logarithms where the scale is log
	lower, upper := p.bounds()
	z := make([]float64, len(p.y))
	for i := range z {
		f.maps = append(f.maps, bounded{lower[i], upper[i], p.t.unknown(i).span()})
		z[i] = f.maps[i].z(p.y[i])
	}
	// a start without a cost is a mistake; later failures are poor values
	if _, err := f.slope.cost(f.at(z)); err != nil {
		return err
	}
	settings := &gonum.Settings{MajorIterations: p.iterations, Recorder: f}
	settings.Converger = &gonum.FunctionConverge{Relative: p.decrease, Iterations: standstill}
	problem := gonum.Problem{Func: f.value}
	// draws are the same every time
	var method gonum.Method = &gonum.NelderMead{}
	if p.t.File.Method == "cma_es" {
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
	p.y, p.s.Cost, p.s.Runs = f.at(r.X), r.F, int(f.slope.runs.Load())
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
		y[i] = f.maps[i].y(z[i])
	}
	return y
}

// value returns the cost at z, +Inf where the run fails.
func (f *scalar) value(z []float64) float64 {
	// the search turns back from there
	c, err := f.slope.cost(f.at(z))
	if err != nil {
		return math.Inf(1)
	}
	return c
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
