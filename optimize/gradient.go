package optimize

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/workers"
)

// Derivatives of a signal of a scene by values of the file. A value p enters the run through the model alone, which is
// loaded again with p (1 ± w): its derivative covers combination rules, densities, generated meshes and whatever else
// stands between the file and the numbers of a step. Beside the derivative stand differences of whole runs,
//
//	(s(p (1 + d)) − s(p (1 − d)))/(2 p d),  d = 1e-5 and 0.01                               (6)
//
// The first tests the derivative, the second says how far it reaches: where contacts begin or end within 1 %, the
// trend over it may be another one.

const (
	modelWidth = 1e-5 // w, relative: r is linear in most values, so that rounding decides
	narrow     = 1e-5 // d that tests the derivative
	wide       = 1e-2 // d over which a user would change the value
)

// Derivatives are those of one signal.
type Derivatives struct {
	// Of is the signal with the time of its value, such as grip_N@last.
	Of string
	// Value is the signal's value, in its unit.
	Value float64
	// Unit is the signal's unit; empty where the scene scales it.
	Unit string
	// Steps is the number of steps.
	Steps int
	// H is the step, s.
	H float64
	// By are the derivatives, in the order of the call.
	By []Derivative
}

// Derivative is one by a value of the scene.
type Derivative struct {
	// Path is the path of the value.
	Path string
	// Value is the value, in its SI unit.
	Value float64
	// Gradient is the derivative, in the signal's unit over that of the value.
	Gradient float64
	// Narrow and Wide are differences (6) over 1e-5 and over 1 %, in the same unit; NaN where a run fails.
	Narrow, Wide float64
	// NarrowKinks and WideKinks are contacts that change within the differences.
	NarrowKinks, WideKinks []gradient.Kink
}

// Gradient runs a scene with overrides and returns the derivatives of a signal by values of the file. of is NAME@WHEN,
// with WHEN a time (s), or last, mean or sum (over all steps); by are paths as overrides have them. threads runs
// continue at a time; the result does not depend on it. The error wraps sim.ErrNotDifferentiable where there is no
// derivative.
func Gradient(path string, set []string, of string, by []string, mode gradient.Mode, threads int) (*Derivatives, error) {
	var inputs scene.Snapshot
	g := &sceneGradient{open: func(more []string) (*scene.Scene, error) { return inputs.Load(path, slices.Concat(set, more)) }}
	d, err := g.compute(of, by, mode)
	if err != nil {
		return nil, err
	}
	g.pool = workers.NewPool(threads)
	defer g.pool.Close()
	return d, g.differences(d.By)
}

// GradientOf is Gradient without differences of whole runs, whose fields are zero, of a scene that the caller loads:
// open returns it with further overrides, of the same files in each call.
func GradientOf(open func(set []string) (*scene.Scene, error), of string, by []string, mode gradient.Mode) (*Derivatives, error) {
	g := &sceneGradient{open: open}
	return g.compute(of, by, mode)
}

// compute returns the derivatives without differences.
func (g *sceneGradient) compute(of string, by []string, mode gradient.Mode) (*Derivatives, error) {
	if err := g.load(of); err != nil {
		return nil, err
	}
	d := &Derivatives{Of: of, Steps: g.problem.Steps, H: g.problem.H, Unit: g.scene.Signals.Unit(g.signal)}
	g.problem.Mode = mode
	// the models on both sides of each value
	for _, p := range by {
		// a misspelled path is found here, before the run
		row, param, err := g.parameter(p)
		if err != nil {
			return nil, err
		}
		d.By = append(d.By, row)
		g.problem.Parameters = append(g.problem.Parameters, param)
	}
	// one run and its derivatives
	r, err := gradient.Compute(&g.problem)
	if err != nil {
		return nil, err
	}
	d.Value = r.Value
	for i := range d.By {
		d.By[i].Gradient = r.Gradient[i]
	}
	return d, nil
}

// sceneGradient is the work of Gradient.
type sceneGradient struct {
	// open loads the scene with further overrides, of the same files for all models.
	open func(set []string) (*scene.Scene, error)
	// pool takes the runs of the differences.
	pool *workers.Pool
	// scene is the scene itself, and signal the number of its signal.
	scene  *scene.Scene
	signal int
	// problem is the run that is differentiated.
	problem gradient.Problem
}

// load loads the scene and makes the problem of a signal.
func (g *sceneGradient) load(of string) error {
	var err error
	if g.scene, err = g.open(nil); err != nil {
		return err
	}
	// what run solves in another way has another derivative
	if g.scene.File.Time.Equilibrium {
		return fmt.Errorf("%w: time.equilibrium: states at rest are found by pseudo-steps: take steps with inertia", sim.ErrNotDifferentiable)
	}
	// without a time the signal at the end is meant
	name, when, _ := strings.Cut(of, "@")
	names := g.scene.Signals.Names()
	if g.signal = slices.Index(names, name); g.signal < 0 {
		return fmt.Errorf("there is no signal %q%s", name, kinds.Suggest(name, names))
	}
	h, T := g.scene.File.Time.Step, g.scene.File.Time.Duration
	// as many steps as a run takes: the last one reaches the duration
	g.problem = gradient.Problem{Model: g.scene.Model, H: h, Steps: int(math.Ceil(T/h - timeSlack/h))}
	// one number of the signal: at a time, or a sum over times
	weights, err := g.weights(when)
	if err != nil {
		return fmt.Errorf("%s: %w", of, err)
	}
	g.problem.Loss = func(values, bar [][]float64) float64 { return g.loss(weights, values, bar) }
	return nil
}

// weights returns the weight of the signal after each step.
func (g *sceneGradient) weights(when string) ([]float64, error) {
	steps, h := g.problem.Steps, g.problem.H
	w := make([]float64, steps+1)
	// the start is no step: forces have no value there
	fill := func(x float64) {
		for k := 1; k <= steps; k++ {
			w[k] = x
		}
	}
	switch when {
	case "last", "":
		w[steps] = 1
	case "sum":
		fill(1)
	case "mean":
		fill(1 / float64(steps))
	default:
		// a time: values between steps are not computed
		t, err := strconv.ParseFloat(when, 64)
		k := int(math.Round(t / h))
		if err != nil {
			return nil, fmt.Errorf("%q is neither a time nor last, mean or sum", when)
		}
		if k < 1 || k > steps || math.Abs(float64(k)*h-t) > timeSlack {
			return nil, fmt.Errorf("no step ends at %g s: give a multiple of the step %g s up to %g s", t, h, float64(steps)*h)
		}
		w[k] = 1
		// what follows has no influence
		g.problem.Steps, w = k, w[:k+1]
	}
	return w, nil
}

// loss returns the weighted sum of the signal as the scene shows it.
func (g *sceneGradient) loss(weights []float64, values, bar [][]float64) float64 {
	// (10), of every step that counts
	sum, i := 0.0, g.signal
	for k, w := range weights {
		if w == 0 {
			continue
		}
		for _, s := range shown(g.scene, i, k, w, nil) {
			sum += s.weight * values[s.step][i]
			bar[s.step][i] += s.weight
		}
	}
	return sum
}

// at loads the scene with another value.
func (g *sceneGradient) at(path string, value float64) (*sim.Model, error) {
	sc, err := g.open([]string{path + "=" + strconv.FormatFloat(value, 'g', -1, 64)})
	if err != nil {
		return nil, err
	}
	// the steps themselves are those of the scene:
	// their states are compared one by one
	if sc.File.Time.Step != g.problem.H {
		return nil, fmt.Errorf("%w: %s changes the step: differences of whole runs say what it does", sim.ErrNotDifferentiable, path)
	}
	return sc.Model, nil
}

// parameter returns a value as a parameter of the run.
func (g *sceneGradient) parameter(path string) (row Derivative, p gradient.Parameter, err error) {
	// the value as the scene has it with its overrides
	row = Derivative{Path: path}
	if row.Value, err = g.scene.File.Number(path); err != nil {
		return row, p, err
	}
	// a value that is zero is moved by the width itself
	p = gradient.Parameter{Name: path, Width: modelWidth * size(row.Value)}
	err = bothSides(&p, g.problem.Model, func(side float64) (*sim.Model, error) { return g.at(path, row.Value+side*p.Width) })
	return row, p, err
}

// bothSides sets the models of a parameter, of at(1) and at(−1) times its width. Where the value is at a bound and has
// one side alone, as a coefficient that is zero, the model of the value itself takes the place of the other.
func bothSides(p *gradient.Parameter, own *sim.Model, at func(side float64) (*sim.Model, error)) error {
	var failed, also error
	p.Plus, failed = at(1)
	p.Minus, also = at(-1)
	switch {
	case failed != nil && also != nil:
		return failed
	case failed != nil:
		p.Plus, p.Width = own, p.Width/2
	case also != nil:
		p.Minus, p.Width = own, p.Width/2
	}
	return nil
}

// size returns the magnitude to which differences of a value are relative: one where it is zero.
func size(value float64) float64 {
	if value == 0 {
		return 1
	}
	return math.Abs(value)
}

// differences computes (6) for all values, all runs at a time.
func (g *sceneGradient) differences(rows []Derivative) error {
	// run 0 is that of the scene; then four for each value
	type end struct {
		cost    float64
		touches gradient.Touches
		err     error
	}
	// narrow up and down, then wide up and down
	ends := make([]end, 1+4*len(rows))
	width := func(i int) float64 { return [4]float64{narrow, -narrow, wide, -wide}[i%4] }
	g.pool.Run(len(ends), loop(func(i int) {
		e, model := &ends[i], g.scene.Model
		if i > 0 {
			row := &rows[(i-1)/4]
			if model, e.err = g.at(row.Path, row.Value+width(i-1)*size(row.Value)); e.err != nil {
				return
			}
		}
		// every run writes its own place
		e.cost, e.touches, e.err = gradient.Run(&g.problem, model)
	}))
	// the run of the scene itself is the one that was differentiated
	if ends[0].err != nil {
		return ends[0].err
	}
	// two differences of each value, from the ends of four runs
	for i := range rows {
		row := &rows[i]
		for k, d := range [2]*float64{&row.Narrow, &row.Wide} {
			plus, minus := &ends[1+4*i+2*k], &ends[2+4*i+2*k]
			// a value at its bound has one side, and a mesh may change within 1 %
			span := 2 * width(2*k) * size(row.Value)
			if (plus.err == nil) != (minus.err == nil) {
				span /= 2
				if plus.err != nil {
					plus = &ends[0]
				} else {
					minus = &ends[0]
				}
			}
			if *d = math.NaN(); plus.err != nil || minus.err != nil {
				continue
			}
			// relative to the value, as (6) has it
			*d = (plus.cost - minus.cost) / span
			kinks := append(gradient.Kinks(ends[0].touches, plus.touches), gradient.Kinks(ends[0].touches, minus.touches)...)
			*[2]*[]gradient.Kink{&row.NarrowKinks, &row.WideKinks}[k] = kinks
		}
	}
	return nil
}
