package leastsquares

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// differences gives J by central differences, so that tests state residuals alone.
func differences(n int, residuals func(x, r []float64) error) func(x, r, J []float64) error {
	return func(x, r, J []float64) error {
		y, plus, minus := append([]float64(nil), x...), make([]float64, len(r)), make([]float64, len(r))
		for i := range n {
			w := 1e-6 * max(1, math.Abs(x[i]))
			y[i] = x[i] + w
			residuals(y, plus)
			y[i] = x[i] - w
			residuals(y, minus)
			y[i] = x[i]
			for k := range r {
				J[k*n+i] = (plus[k] - minus[k]) / (2 * w)
			}
		}
		return nil
	}
}

func problem(N, n int, residuals func(x, r []float64) error) *Problem {
	return &Problem{NumResiduals: N, Residuals: residuals, Jacobian: differences(n, residuals)}
}

// rosenbrock has its minimum 0 at (1, 1), at the end of a curved valley.
func rosenbrock(x, r []float64) error {
	r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0]
	return nil
}

func TestKnownMinima(t *testing.T) {
	powell := func(x, r []float64) error { // J is singular at its minimum 0
		r[0], r[1] = x[0]+10*x[1], math.Sqrt(5)*(x[2]-x[3])
		r[2], r[3] = (x[1]-2*x[2])*(x[1]-2*x[2]), math.Sqrt(10)*(x[0]-x[3])*(x[0]-x[3])
		return nil
	}
	for _, c := range []struct {
		p        *Problem
		x0, want []float64
		tol      float64
	}{
		{problem(2, 2, rosenbrock), []float64{-1.2, 1}, []float64{1, 1}, 1e-6},
		{problem(4, 4, powell), []float64{3, -1, 0, 1}, []float64{0, 0, 0, 0}, 1e-2},
	} {
		r, err := Solve(c.p, c.x0, Options{})
		if err != nil || !r.Converged {
			t.Fatalf("%v, converged %v", err, r != nil && r.Converged)
		}
		for i, x := range r.X {
			if math.Abs(x-c.want[i]) > c.tol {
				t.Errorf("x = %v, want %v", r.X, c.want)
				break
			}
		}
	}
}

// Units of the unknowns must not matter: the same problem in metres and in micrometres takes the same
// steps.
func TestStepsDoNotDependOnUnits(t *testing.T) {
	scaled := func(x, r []float64) error { return rosenbrock([]float64{x[0] * 1e-6, x[1] * 1e4}, r) }
	J := differences(2, rosenbrock)
	p := problem(2, 2, scaled)
	p.Jacobian = func(x, r, dst []float64) error {
		J([]float64{x[0] * 1e-6, x[1] * 1e4}, r, dst)
		for k := range 2 {
			dst[2*k] *= 1e-6
			dst[2*k+1] *= 1e4
		}
		return nil
	}
	a, err := Solve(problem(2, 2, rosenbrock), []float64{-1.2, 1}, Options{Ranges: []float64{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Solve(p, []float64{-1.2e6, 1e-4}, Options{Ranges: []float64{1e6, 1e-4}})
	if err != nil || a.Evaluations != b.Evaluations || math.Abs(a.X[0]-1e-6*b.X[0]) > 1e-9 {
		t.Errorf("%d and %d evaluations, x %v and %v: %v", a.Evaluations, b.Evaluations, a.X, b.X, err)
	}
}

// Random linear problems with bounds: the minimum is that of a search over all sets of active bounds.
func TestBoundsAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		const n, N = 3, 5
		A, b := make([]float64, N*n), make([]float64, N)
		for i := range A {
			A[i] = rng.NormFloat64()
		}
		for i := range b {
			b[i] = 3 * rng.NormFloat64()
		}
		residuals := func(x, r []float64) error {
			for k := range N {
				r[k] = -b[k]
				for i := range n {
					r[k] += A[k*n+i] * x[i]
				}
			}
			return nil
		}
		p := problem(N, n, residuals)
		p.Lower, p.Upper = []float64{-1, -1, -1}, []float64{1, 1, 1}
		got, err := Solve(p, []float64{0, 0, 0}, Options{Iterations: 500, Decrease: 1e-14})
		if err != nil {
			t.Fatal(err)
		}
		// brute force: coordinate descent is exact on a convex quadratic in a box
		x, r := []float64{0, 0, 0}, make([]float64, N)
		for range 5000 {
			for i := range n {
				residuals(x, r)
				g, h := 0.0, 0.0
				for k := range N {
					g += A[k*n+i] * r[k]
					h += A[k*n+i] * A[k*n+i]
				}
				x[i] = min(1, max(-1, x[i]-g/h))
			}
		}
		residuals(x, r)
		if want := halfSquare(r); got.Cost > want*(1+1e-9)+1e-12 {
			t.Fatalf("cost %.12g at %v, want %.12g at %v", got.Cost, got.X, want, x)
		}
	}
}

// A trial that fails shortens the step; a start that fails is an error.
func TestTrialsThatFail(t *testing.T) {
	bad := errors.New("no run")
	p := problem(2, 1, func(x, r []float64) error {
		if x[0] < 0.5 {
			return bad
		}
		r[0], r[1] = math.Log(x[0]), 0
		return nil
	})
	if r, err := Solve(p, []float64{8}, Options{}); err != nil || math.Abs(r.X[0]-1) > 1e-6 {
		t.Errorf("x %v: %v", r, err)
	}
	if _, err := Solve(p, []float64{0.1}, Options{}); !errors.Is(err, bad) {
		t.Errorf("start: %v", err)
	}
	if _, err := Solve(problem(1, 2, rosenbrock), []float64{1, 1}, Options{}); err == nil {
		t.Error("one residual for two unknowns was accepted")
	}
}

// Intervals of a line through noisy points contain the truth in 95 of 100 draws.
func TestIntervalsContainTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const N, draws = 12, 2000
	inside := [2]int{}
	for range draws {
		y := make([]float64, N)
		for k := range y {
			y[k] = 2 - 3*float64(k) + 0.7*rng.NormFloat64()
		}
		r, err := Solve(problem(N, 2, func(x, r []float64) error {
			for k := range r {
				r[k] = x[0] + x[1]*float64(k) - y[k]
			}
			return nil
		}), []float64{0, 0}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := r.Confidence(nil)
		for i, truth := range [2]float64{2, -3} {
			if math.Abs(r.X[i]-truth) <= c.Half[i] {
				inside[i]++
			}
		}
	}
	// ± 4 standard deviations of a count of 2,000
	for i, k := range inside {
		if f := float64(k) / draws; math.Abs(f-0.95) > 4*math.Sqrt(0.95*0.05/draws) {
			t.Errorf("unknown %d: %.3f of the intervals contain the truth", i, f)
		}
	}
}

func TestCombinationsThatDataDoNotDetermineAreNamed(t *testing.T) {
	// only x0 + x1 and x2 count; nothing depends on x3, and x4 is at a bound
	p := problem(6, 5, func(x, r []float64) error {
		for k := range r {
			r[k] = (x[0]+x[1]-2)*float64(k+1) + (x[2] - 1) + x[4] + 0.01*math.Sin(float64(7*k))
		}
		return nil
	})
	p.Lower, p.Upper = []float64{-9, -9, -9, -9, 0}, []float64{9, 9, 9, 9, 9}
	p.Jacobian = differences(5, p.Residuals)
	r, err := Solve(p, []float64{0, 0, 3, 5, 0}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Confidence([]float64{18, 18, 18, 18, 9})
	if r.X[3] != 5 {
		t.Errorf("x3 moved to %g although nothing depends on it", r.X[3])
	}
	for i, want := range []bool{true, true, false, true} {
		if got := math.IsInf(c.Half[i], 1); got != want && !r.AtBound[i] {
			t.Errorf("unknown %d: interval ± %g", i, c.Half[i])
		}
	}
	if len(c.Undetermined) != 2 || !r.AtBound[4] || !math.IsNaN(c.Half[4]) {
		t.Errorf("%d undetermined combinations: %v", len(c.Undetermined), c.Undetermined)
	}
}

// Where F jumps, no step lowers it although the derivative says so: that is no minimum.
func TestAJumpIsNotTakenForAMinimum(t *testing.T) {
	p := problem(1, 1, func(x, r []float64) error {
		r[0] = x[0]
		if x[0] < 1 {
			r[0] = 10
		}
		return nil
	})
	p.Jacobian = func(_, _, J []float64) error { J[0] = 1; return nil }
	r, err := Solve(p, []float64{1}, Options{})
	if err != nil || r.Converged || !r.Stalled {
		t.Errorf("converged %v, stalled %v at %v: %v", r.Converged, r.Stalled, r.X, err)
	}
}

// As many residuals as unknowns determine them, but nothing says how far they err: there is no interval, and nothing is
// called undetermined.
func TestExactProblemsHaveNoIntervals(t *testing.T) {
	p := &Problem{
		NumResiduals: 2,
		Residuals:    func(x, r []float64) error { r[0], r[1] = x[0]+x[1]-3, x[0]-x[1]+1; return nil },
		Jacobian:     func(x, r, J []float64) error { copy(J, []float64{1, 1, 1, -1}); return nil },
	}
	r, err := Solve(p, []float64{5, 7}, Options{})
	if err != nil || math.Abs(r.X[0]-1) > 1e-6 || math.Abs(r.X[1]-2) > 1e-6 {
		t.Fatalf("%+v, error %v", r, err)
	}
	c := r.Confidence(nil)
	if c.Freedom != 0 || !math.IsNaN(c.Half[0]) || !math.IsNaN(c.Half[1]) || c.Undetermined != nil {
		t.Errorf("%+v", c)
	}
}
