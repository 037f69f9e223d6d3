package rigid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/r3"
)

// spinningTop is a disc on a rod, on balls both.
func spinningTop(t testing.TB) *world {
	rod := LinkSpec{Name: "rod", Parent: World, Joint: Ball{}, Mass: 0.2, Com_B: r3.Vec{0, 0, 0.1}, Inertia_B: r3.Diag(r3.Vec{6.7e-4, 6.7e-4, 1.3e-5})}
	disc := LinkSpec{
		Name: "disc", Parent: 0, Joint: Ball{}, X_PF: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.2}},
		Mass: 0.5, Com_B: r3.Vec{0, 0, 0.05}, Inertia_B: r3.Diag(r3.Vec{6.2e-4, 6.2e-4, 1.2e-3}),
	}
	w := newWorld(build(t, rod, disc))
	copy(w.v, []float64{1, 2, 0.5, 1, -1, 20})
	return w
}

// A step back from v* ends at v0 with an error of fourth order; with the bias at v0 the
// error would be of second order.
func TestStepIsReversibleToFourthOrder(t *testing.T) {
	miss := func(h float64) float64 {
		w := spinningTop(t)
		w.gravity = gravity
		there := w.gain(t, h, nil)
		for k := range w.v {
			w.v[k] = -w.v[k] - there[k]
		}
		back := w.gain(t, h, nil)
		e := 0.0
		for k := range back {
			e = math.Max(e, math.Abs(back[k]-there[k]))
		}
		return e
	}
	a, b := miss(2e-3), miss(1e-3)
	if rate := a / b; !(rate > 15 && rate < 17) {
		t.Errorf("misses by %g at 2 ms, %g at 1 ms: ratio %.3f, want 16", a, b, rate)
	}
}

// Efforts that are expected and then applied give the motion of efforts that are known, at any speed: the bias is
// that of the same midpoint velocity, and A is the same.
func TestExpectedEffortsGiveTheBiasOfKnownOnes(t *testing.T) {
	const h = 0.01
	for seed := range uint64(6) {
		for _, turn := range []float64{0, 1e-3, 0.03, 0.2} { // rad a step: one look, some of two, two
			w := randomChain(t, seed, Revolute{Axis: r3.Vec{0, 1, 0}}, h, turn)
			w.gravity = gravity
			r := rand.New(rand.NewPCG(seed, 7))
			tau := make([]float64, len(w.v))
			for k := range tau {
				tau[k] = 20 * r.NormFloat64()
			}
			w.LimitEnergy(nil, nil)
			known := w.gain(t, h, tau)
			w.ExpectEfforts(tau)
			got := w.gain(t, h, nil)
			for _, c := range w.p.Cliques {
				var chol mat.Cholesky
				chol.Factorize(mat.NewSymDense(c.Size, c.A))
				var x mat.VecDense
				if err := chol.SolveVecTo(&x, mat.NewVecDense(c.Size, tau[c.Offset:c.Offset+c.Size])); err != nil {
					t.Fatal(err)
				}
				for k := range c.Size {
					got[c.Offset+k] += h * x.AtVec(k)
				}
			}
			for k := range got {
				if d := math.Abs(got[k] - known[k]); d > 1e-11*largest(known...) {
					t.Errorf("chain %d at %g rad a step: velocity %d gains %g, want %g", seed, turn, k, got[k], known[k])
				}
			}
			w.ExpectEfforts(nil)
			if idle := w.gain(t, h, nil); seed == 0 && turn == 0 && slices.Equal(idle, got) {
				t.Error("efforts do nothing")
			}
		}
	}
}

// extremes returns the largest and the least energy in T seconds, relative to that
// at the start, and the mean of the last tenth.
func (w *world) extremes(t testing.TB, T, h float64) (most, least, late float64) {
	energy := func() float64 {
		w.Place(w.t, h, w.q, w.v)
		return w.KineticEnergy() + w.PotentialEnergy(w.gravity)
	}
	e0 := energy()
	n := int(math.Round(T / h))
	for k := range n {
		w.step(t, h, nil)
		e := energy()/e0 - 1
		most, least = math.Max(most, e), math.Min(least, e)
		if k >= n-n/10 {
			late += e / float64(n/10)
		}
	}
	return most, least, late
}

// Tops that spin on joints neither gain nor lose energy in 20 s at 0.2 rad a step.
func TestTopsOnJointsKeepTheirEnergy(t *testing.T) {
	w := spinningTop(t)
	most, least, late := w.extremes(t, 20, 0.01)
	if most > 0.01 || least < -0.02 || math.Abs(late) > 0.01 {
		t.Errorf("energy grows by up to %g and falls by %g, is off by %g at the end", most, least, late)
	}
}

// The error of a double pendulum's energy oscillates with the swing, its mean stays.
func TestDoublePendulumSwingsOn(t *testing.T) {
	arm := LinkSpec{Name: "arm", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.3}, Inertia_B: r3.Diag(r3.Vec{0.03, 0.03, 0.03})}
	fore := arm
	fore.Parent, fore.X_PF = 0, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, -0.6}}
	w := newWorld(build(t, arm, fore))
	w.gravity = gravity
	w.q[0], w.q[1] = 2, -0.3
	if _, _, late := w.extremes(t, 20, 0.001); math.Abs(late) > 0.01 {
		t.Errorf("energy is off by %g of it after 20 s", late)
	}
}

func TestEliminationSolves(t *testing.T) {
	for n := range 9 {
		r := newRand(n)
		M, b, x := make([]float64, n*n), make([]float64, n), make([]float64, n)
		B := make([]float64, n*n)
		for i := range B {
			B[i] = r.NormFloat64()
		}
		for i := range n {
			b[i] = r.NormFloat64()
			for j := range n {
				for k := range n {
					M[i*n+j] += B[i*n+k] * B[j*n+k]
				}
				if i == j {
					M[i*n+j]++
				}
			}
		}
		LD := append([]float64(nil), M...)
		eliminate(LD, n)
		solve(LD, b, x)
		if n == 0 {
			continue
		}
		var Mx mat.VecDense
		Mx.MulVec(mat.NewDense(n, n, M), mat.NewVecDense(n, x))
		for i := range b {
			if e := math.Abs(Mx.AtVec(i) - b[i]); e > 1e-13*(1+largest(M...)*largest(x...)) {
				t.Errorf("n = %d: row %d is off by %g", n, i, e)
			}
		}
	}
}

// limpArm is an arm of three links on skew hinges, in a bent pose.
func limpArm(t testing.TB) *world {
	var links []LinkSpec
	for i, axis := range []r3.Vec{yAxis, {0, 0.6, 0.8}, xAxis} {
		links = append(links, brick("link", i-1, Revolute{Axis: axis}, 1, r3.Vec{0.05, 0.06, 0.3}, r3.Vec{0, 0, -0.3}, r3.Vec{0, 0, -0.15}))
	}
	w := newWorld(build(t, links...))
	w.gravity = gravity
	copy(w.q, []float64{1.2, -0.8, 0.5})
	copy(w.v, []float64{1, 2, -3})
	return w
}

// Positions converge with the square of the step where velocities start half a step early.
func TestPositionsOfTreesConvergeWithTheSquareOfTheStep(t *testing.T) {
	end := func(h float64) []float64 {
		w := limpArm(t)
		for k, dv := range w.gain(t, h, nil) {
			w.v[k] -= 0.5 * dv
		}
		for range int(math.Round(0.4 / h)) {
			w.hop(h)
		}
		return w.q
	}
	want := end(1e-5)
	miss := func(h float64) float64 {
		e := 0.0
		for k, q := range end(h) {
			e = math.Max(e, math.Abs(q-want[k]))
		}
		return e
	}
	if a, b := miss(1e-3), miss(5e-4); !(a/b > 3.8 && a/b < 4.2) {
		t.Errorf("off by %g at 1 ms, %g at 0.5 ms: ratio %.3f, want 4", a, b, a/b)
	}
}

// The energy in step with the positions keeps within the square of the step, that of the state
// within the step.
func TestEnergyInStepWithPositionsIsOfSecondOrder(t *testing.T) {
	drift := func(h float64) (total, state float64) {
		w := limpArm(t)
		var first TreeEnergy
		for i := range int(math.Round(1 / h)) {
			w.gain(t, h, nil)
			e := w.TreeEnergy(0, w.gravity, w.p.V0, w.p.P)
			if i == 0 {
				first = e
			}
			total, state = math.Max(total, math.Abs(e.Total-first.Total)), math.Max(state, math.Abs(e.State-first.Total))
			w.hop(h)
		}
		return total, state
	}
	total, state := drift(4e-4)
	half, halfState := drift(2e-4)
	if rate := total / half; !(rate > 3.6 && rate < 4.4) {
		t.Errorf("in step: drifts by %g at 0.4 ms, %g at 0.2 ms: ratio %.3f, want 4", total, half, rate)
	}
	if rate := state / halfState; !(rate > 1.8 && rate < 2.2) {
		t.Errorf("of the state: %g at 0.4 ms, %g at 0.2 ms: ratio %.3f, want 2", state, halfState, rate)
	}
}
