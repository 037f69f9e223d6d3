package rigid

import (
	"math"
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
