package constraints

import (
	"math"
	"testing"
)

// TestIPCBarrierHasItsLimits: f → 3κu²/d̂ at the edge, κ d̂²/φ near touching,
// 1.19 κ d̂ half way.
func TestIPCBarrierHasItsLimits(t *testing.T) {
	const kappa, d = 2e3, 1e-3
	_, f, _ := ipcPotential.at(kappa, d, d*(1-1e-4))
	closeTo(t, "edge", []float64{f}, []float64{3 * kappa * 1e-8 * d}, 1e-4)
	r := math.Ldexp(1, -30)
	U, _, _ := ipcPotential.at(kappa, 1, 1-r)
	closeTo(t, "edge energy", []float64{U}, []float64{kappa * r * r * (r + r*r/2)}, 1e-14)
	_, f, _ = ipcPotential.at(kappa, d, d*1e-6)
	closeTo(t, "touch", []float64{f}, []float64{kappa * d * 1e6}, 1e-4)
	_, f, _ = ipcPotential.at(kappa, d, d/2)
	closeTo(t, "half way", []float64{f}, []float64{kappa * d * (0.5 + math.Ln2)}, 1e-14)
}

// TestLogBarrierHasItsLimits: κ u at the edge, κ d̂²/φ near touching.
func TestLogBarrierHasItsLimits(t *testing.T) {
	const kappa, d = 2e3, 1e-3
	U, f, _ := logPotential.at(kappa, d, d*(1-1e-6))
	u := d - d*(1-1e-6)
	closeTo(t, "edge", []float64{f}, []float64{kappa * u}, 1e-5)
	closeTo(t, "edge energy", []float64{U}, []float64{kappa * u * u / 2}, 1e-5)
	_, f, _ = logPotential.at(kappa, d, d*1e-6)
	closeTo(t, "touch", []float64{f}, []float64{kappa * d * 1e6}, 1e-5)
	// The series and the logarithm meet.
	a, b := logLess(0.1, d, d*0.9), logGap(d, d*0.9)-0.1
	closeTo(t, "energy", []float64{a}, []float64{b}, 1e-13)
}

// TestBarriersAreSmoothWhereTheyContinueAsSprings compares both sides of φ_m and of
// touching, deep in overlap too.
func TestBarriersAreSmoothWhereTheyContinueAsSprings(t *testing.T) {
	for _, U := range []potential{ipcPotential, logPotential} {
		b := new(barrier)
		b.init(U, 1e-3, 1e4, 1e-3, barrierFloor, 0)
		for _, phi := range []float64{b.least, 0} {
			U0, f0, d0 := b.at(phi * (1 - 1e-9))
			U1, f1, d1 := b.at(phi*(1+1e-9) + 1e-18)
			closeTo(t, "U, f, U''", []float64{U1, f1 * b.least, d1 * b.least * b.least}, []float64{U0, f0 * b.least, d0 * b.least * b.least}, 1e-7)
		}
		if U, f, _ := b.at(-1); math.IsInf(U, 0) || !(f > b.fm) {
			t.Errorf("1 m of overlap: U %g, f %g", U, f)
		}
		if U, f, d := b.at(b.dHat); U != 0 || f != 0 || d != 0 {
			t.Errorf("at d̂: %g %g %g", U, f, d)
		}
	}
}

// TestDampedHertzBreaksOffInDeepOverlap integrates the force by Simpson's rule
// between v and 1/d < −φ0/h, where the textbook's antiderivative would cancel.
func TestDampedHertzBreaksOffInDeepOverlap(t *testing.T) {
	const h, k, d, phi = 1e-3, 1e8, 100.0, -1e-3
	n := new(hertz)
	n.init(h, k, d, phi)
	if _, p, _ := n.Eval(0.0101); p != 0 || n.vBreak != 0.01 {
		t.Errorf("impulse %g at v > 1/d", p)
	}
	for _, v := range []float64{0.00999, 0.005, 0, -0.5, -10} {
		const m = 4000
		sum, step := 0.0, (n.vBreak-v)/m
		for i := range m + 1 {
			_, p, _ := n.Eval(v + float64(i)*step)
			switch {
			case i == 0 || i == m:
				sum += p
			case i%2 == 1:
				sum += 4 * p
			default:
				sum += 2 * p
			}
		}
		P, _, _ := n.Eval(v)
		closeTo(t, "P", []float64{P}, []float64{-sum * step / 3}, 1e-9)
	}
}

// TestHertzMeetsTheLinearLawAtItsOverlap: f = k δ at x = δ.
func TestHertzMeetsTheLinearLawAtItsOverlap(t *testing.T) {
	const k, delta = 1e6, 2e-4
	n := new(hertz)
	n.init(1, k/math.Sqrt(delta), 0, -delta)
	closeTo(t, "force", []float64{n.Lag(0)}, []float64{k * delta}, 1e-14)
}

func TestNormalLawsAreChosenByName(t *testing.T) {
	for name, want := range map[string]NormalModel{
		DefaultNormalModel: HuntCrossley{}, "hertz": Hertz{Overlap: 1e-5}, "ipc": IPC{1e-3, 0}, "log_barrier": LogBarrier{1e-3, 0},
	} {
		spec, err := NormalModels.New(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := spec.Make(); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestEveryFrictionLawTakesEveryNormalLaw by name, but SAP, which says so.
func TestEveryFrictionLawTakesEveryNormalLaw(t *testing.T) {
	for _, name := range ContactModels.Names() {
		for _, normal := range NormalModels.Names() {
			m, err := modelOf(name, normal, false)
			if refused := name == "sap" && normal != DefaultNormalModel; refused != (err != nil) {
				t.Errorf("%s with %s: %v", name, normal, err)
			}
			if err != nil {
				continue
			}
			want := 0.0
			if normal == "ipc" || normal == "log_barrier" {
				want = DefaultBarrierRange
			}
			if got := ContactRange(m); got != want {
				t.Errorf("%s with %s acts from %g, want %g", name, normal, got, want)
			}
		}
	}
}
