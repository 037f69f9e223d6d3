package optimal

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// linear is x⁺ = A x + B u.
type linear struct {
	n, m int
	A, B []float64
}

func (l *linear) Size() (nx, ndx, nu int) { return l.n, l.n, l.m }
func (l *linear) Step(_ int, x, u, next []float64) error {
	for i := range next {
		next[i] = 0
		for j, v := range x {
			next[i] += l.A[i*l.n+j] * v
		}
		for j, v := range u {
			next[i] += l.B[i*l.m+j] * v
		}
	}
	return nil
}
func (l *linear) Linearize(_ int, _, _, fx, fu []float64) error {
	copy(fx, l.A)
	copy(fu, l.B)
	return nil
}
func (l *linear) Difference(from, to, dx []float64) { subtract(from, to, dx) }

func subtract(from, to, dx []float64) {
	for i := range dx {
		dx[i] = to[i] - from[i]
	}
}

// oscillators is a random stable system with a quadratic cost.
func oscillators(r *rand.Rand) (*linear, *Quadratic, []float64) {
	l := &linear{n: 4, m: 2}
	for range 16 {
		l.A = append(l.A, 0.3*r.NormFloat64())
	}
	for i := range 4 {
		l.A[5*i] += 0.8
	}
	for range 8 {
		l.B = append(l.B, r.NormFloat64())
	}
	c := &Quadratic{Target: make([]float64, 4), Q: []float64{1, 2, 0, 0.5}, R: []float64{0.3, 0.1}, End: []float64{10, 1, 5, 0}, Distance: subtract}
	return l, c, []float64{1, -2, 0.5, 3}
}

// Riccati: P_k = Q + Aᵀ P A − Aᵀ P B (R + Bᵀ P B)⁻¹ Bᵀ P A, cost x₀ᵀ P_0 x₀. With a scalar control the inverse is
// a division.
func TestOneIterationSolvesTheLinearQuadraticRegulatorOfRiccati(t *testing.T) {
	const N = 30
	a, b := [2][2]float64{{1, 0.1}, {-0.2, 1}}, [2]float64{0.005, 0.1}
	P, R := [2][2]float64{{5, 0}, {0, 1}}, 0.2
	var gain [2]float64
	for range N {
		var pa [2][2]float64
		var pb, bpa [2]float64
		for i := range 2 {
			for j := range 2 {
				pb[i] += P[i][j] * b[j]
				for k := range 2 {
					pa[i][j] += P[i][k] * a[k][j]
				}
			}
		}
		s := R + b[0]*pb[0] + b[1]*pb[1]
		for j := range 2 {
			bpa[j] = b[0]*pa[0][j] + b[1]*pa[1][j]
			gain[j] = -bpa[j] / s
		}
		var next [2][2]float64
		for i := range 2 {
			for j := range 2 {
				next[i][j] = a[0][i]*pa[0][j] + a[1][i]*pa[1][j] - bpa[i]*bpa[j]/s
			}
			next[i][i] += 1
		}
		P = next
	}
	x0 := []float64{1, -0.5}
	want := P[0][0]*x0[0]*x0[0] + 2*P[0][1]*x0[0]*x0[1] + P[1][1]*x0[1]*x0[1]
	l := &linear{n: 2, m: 1, A: []float64{1, 0.1, -0.2, 1}, B: b[:]}
	c := &Quadratic{Target: []float64{0, 0}, Q: []float64{1, 1}, R: []float64{R}, End: []float64{5, 1}, Distance: subtract}
	r, err := Solve([]Dynamics{l}, c, x0, table(N, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e := math.Abs(r.Iterations[0].Cost/want - 1); e > 1e-12 {
		t.Errorf("cost %.15g after one iteration, want %.15g", r.Iterations[0].Cost, want)
	}
	for j := range gain {
		if math.Abs(r.K[0][j]-gain[j]) > 1e-12 {
			t.Errorf("gain %g, want %g", r.K[0], gain)
		}
	}
	if !r.Converged || len(r.Iterations) > 2 {
		t.Errorf("%d iterations, converged %v", len(r.Iterations), r.Converged)
	}
	if row := r.Iterations[0]; math.Abs(row.Expected/row.Actual-1) > 1e-12 {
		t.Errorf("expected decrease %g, actual %g", row.Expected, row.Actual)
	}
}

// The cost of bounded controls of a linear system is a convex parabola in a box. It is least where the slope along each
// control, by differences of the cost of whole trajectories, is zero inside and pushes outwards at a bound.
func TestBoundedControlsMeetTheConditionsOfAMinimumInABox(t *testing.T) {
	const N = 6
	atBound := 0
	for seed := range uint64(10) {
		l, c, x0 := oscillators(rand.New(rand.NewPCG(7, seed)))
		lo, hi := []float64{-0.4, -0.2}, []float64{0.3, 0.5}
		r, err := Solve([]Dynamics{l}, c, x0, table(N, 2), Options{Lower: lo, Upper: hi, Decrease: 1e-14})
		if err != nil {
			t.Fatal(err)
		}
		u := slices.Concat(r.U...)
		cost := func(i int, d float64) float64 {
			v := slices.Clone(u)
			v[i] += d
			x, next, sum := slices.Clone(x0), make([]float64, 4), 0.0
			for k := range N {
				sum += c.Value(k, x, v[2*k:2*k+2])
				_ = l.Step(k, x, v[2*k:2*k+2], next)
				copy(x, next)
			}
			return sum + c.Value(N, x, nil)
		}
		for i, v := range u {
			slope := (cost(i, 1) - cost(i, -1)) / 2 // exact of a parabola
			tol := 1e-9 * r.Cost
			switch {
			case v < lo[i%2] || v > hi[i%2]:
				t.Fatalf("control %g beyond its bounds", v)
			case v == lo[i%2]:
				atBound++
				if slope < -tol {
					t.Errorf("seed %d: slope %g at the lower bound of control %d", seed, slope, i)
				}
			case v == hi[i%2]:
				atBound++
				if slope > tol {
					t.Errorf("seed %d: slope %g at the upper bound of control %d", seed, slope, i)
				}
			case math.Abs(slope) > tol:
				t.Errorf("seed %d: slope %g of control %d inside its bounds", seed, slope, i)
			}
		}
	}
	if atBound < 20 || atBound > 100 {
		t.Errorf("%d of 120 controls at a bound: the cases show nothing", atBound)
	}
}

// The twin tries all combinations of controls that are fixed at a bound, and solves for the others densely.
func TestBoxQPAgreesWithAllActiveSets(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 100))
	for range 200 {
		const n = 3
		var H [n * n]float64
		var g, lo, hi [n]float64
		var B [n * n]float64
		for i := range B {
			B[i] = r.NormFloat64()
		}
		for i := range n {
			g[i], lo[i] = 3*r.NormFloat64(), -r.Float64()
			hi[i] = lo[i] + 2*r.Float64()
			for j := range n {
				for k := range n {
					H[i*n+j] += B[i*n+k] * B[j*n+k]
				}
			}
			H[i*n+i] += 0.1
		}
		q := newBoxQP(n)
		if !q.solve(H[:], g[:], lo[:], hi[:]) {
			t.Fatal("H is positive definite")
		}
		best := math.Inf(1)
		for set := range 27 { // each component free, at lo, at hi
			x := newBoxQP(n)
			code := set
			rhs := make([]float64, 0, n)
			for i := range n {
				switch code % 3 {
				case 0:
					x.free = append(x.free, i)
				case 1:
					x.x[i] = lo[i]
				case 2:
					x.x[i] = hi[i]
				}
				code /= 3
			}
			x.gradient(H[:], g[:], x.x, x.g)
			for _, i := range x.free {
				rhs = append(rhs, -x.g[i])
			}
			x.factor(H[:])
			x.solveFree(rhs)
			inside := true
			for k, i := range x.free {
				x.x[i] = rhs[k]
				inside = inside && rhs[k] >= lo[i] && rhs[k] <= hi[i]
			}
			if inside {
				best = math.Min(best, x.value(H[:], g[:], x.x))
			}
		}
		if got := q.value(H[:], g[:], q.x); math.Abs(got-best) > 1e-10*(1+math.Abs(best)) {
			t.Errorf("minimum %.12g, of all active sets %.12g", got, best)
		}
	}
}

// pendulum is a rod that a bounded torque must swing up: 0.5 kg at 0.5 m, steps of 50 ms.
type pendulum struct{ steps int }

const pendulumStep = 0.05

func (p *pendulum) Size() (nx, ndx, nu int) { return 2, 2, 1 }
func (p *pendulum) Step(_ int, x, u, next []float64) error {
	p.steps++
	next[1] = x[1] + pendulumStep*(-9.81/0.5*math.Sin(x[0])+u[0]/(0.5*0.25)-0.1*x[1])
	next[0] = x[0] + pendulumStep*next[1]
	return nil
}
func (p *pendulum) Linearize(_ int, x, _, fx, fu []float64) error {
	const h = pendulumStep
	fx[2], fx[3], fu[1] = -h*9.81/0.5*math.Cos(x[0]), 1-0.1*h, h/(0.5*0.25)
	fx[0], fx[1], fu[0] = 1+h*fx[2], h*fx[3], h*fu[1]
	return nil
}
func (p *pendulum) Difference(from, to, dx []float64) { subtract(from, to, dx) }

// The torque is a third of what keeps the rod level, so that it has to swing to and fro.
func TestPendulumSwingsUpWithATorqueThatCannotLiftIt(t *testing.T) {
	const limit = 0.5 * 9.81 * 0.5 / 3
	c := &Quadratic{Target: []float64{math.Pi, 0}, Q: []float64{0.01, 0.001}, R: []float64{0.001}, End: []float64{100, 10}, Distance: subtract}
	solve := func(systems int) *Result {
		var list []Dynamics
		for range systems {
			list = append(list, &pendulum{})
		}
		guess := table(80, 1)
		for k := range guess {
			guess[k][0] = 0.01
		}
		r, err := Solve(list, c, []float64{0, 0}, guess, Options{Lower: []float64{-limit}, Upper: []float64{limit}, Iterations: 300, Decrease: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := solve(1)
	end := r.X[80]
	if math.Abs(end[0]-math.Pi) > 0.05 || math.Abs(end[1]) > 0.1 {
		t.Errorf("the rod ends at %g rad with %g rad/s", end[0], end[1])
	}
	back := 0.0
	for _, x := range r.X {
		back = math.Min(back, x[0])
	}
	if back > -0.1 {
		t.Errorf("the rod swings back to %g rad only: it has been lifted", back)
	}
	cost := math.Inf(1)
	for _, row := range r.Iterations {
		if !(row.Cost <= cost) {
			t.Errorf("cost rises to %g in iteration %d", row.Cost, row.Number)
		}
		cost = row.Cost
	}
	// the same bits with any number of systems
	for _, n := range []int{2, 5} {
		if q := solve(n); q.Cost != r.Cost || !slices.Equal(q.U[40], r.U[40]) {
			t.Errorf("with %d systems the cost is %.17g, with one %.17g", n, q.Cost, r.Cost)
		}
	}
	// a warm start is at its end at once
	again, err := Solve([]Dynamics{&pendulum{}}, c, []float64{0, 0}, r.Controls(), Options{Lower: []float64{-limit}, Upper: []float64{limit}, Decrease: 1e-6})
	if err != nil || len(again.Iterations) > 2 || again.Cost > r.Cost {
		t.Errorf("warm start: %d iterations to %g from %g, error %v", len(again.Iterations), again.Cost, r.Cost, err)
	}
}

// broken fails at a step, or has no derivative there.
type broken struct {
	pendulum
	step, derivative int
}

func (b *broken) Step(k int, x, u, next []float64) error {
	if k == b.step {
		return errors.New("it diverged")
	}
	return b.pendulum.Step(k, x, u, next)
}
func (b *broken) Linearize(k int, x, u, fx, fu []float64) error {
	if k == b.derivative {
		return errors.New("it has none")
	}
	return b.pendulum.Linearize(k, x, u, fx, fu)
}

func TestErrorsNameTheStep(t *testing.T) {
	c := &Quadratic{Target: []float64{1, 0}, Q: []float64{1, 1}, R: []float64{1}, End: []float64{1, 1}, Distance: subtract}
	for want, f := range map[string]Dynamics{"step 3: it diverged": &broken{step: 3, derivative: -1}, "derivative of step 4: it has none": &broken{step: -1, derivative: 4}} {
		if _, err := Solve([]Dynamics{f}, c, []float64{0, 0}, table(6, 1), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	one := []float64{1}
	for want, opt := range map[string]Options{"bounds": {Lower: one}, "bounds of 2": {Lower: []float64{1, 2}, Upper: []float64{1, 2}}} {
		if _, err := Solve([]Dynamics{&pendulum{}}, c, []float64{0, 0}, table(6, 1), opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}
