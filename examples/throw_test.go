package examples

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/optimize"
)

// hitEnergy is G of the README and its derivative by d: what contact leaves as it is.
func hitEnergy(v, d float64) (G, byD float64) {
	log := math.Log1p(d * v)
	return v/d - log/(d*d), -v/(d*d) + 2*log/(d*d*d) - v/((1+d*v)*d*d)
}

// rebound returns the speed w with which a ball of speed v comes back, and its derivative by the dissipation d.
func rebound(v, d float64) (w, byD float64) {
	before, dBefore := hitEnergy(v, d)
	lo, hi := 0.0, min(v, 1/d-1e-12)
	for range 200 {
		w = 0.5 * (lo + hi)
		if G, _ := hitEnergy(-w, d); G < before {
			lo = w
		} else {
			hi = w
		}
	}
	// G(v, d) = G(−w, d), with G' = u/(1 + d u)
	_, dAfter := hitEnergy(-w, d)
	return w, (dBefore - dAfter) * (1 - d*w) / w
}

// The speed after the wall and its derivative by the dissipation tend to their closed forms as the step.
func TestReboundOfAThrowHasTheDerivativeOfItsClosedForm(t *testing.T) {
	w, byD := rebound(3, 0.3)
	var errs [2][2]float64
	for i, step := range []string{"1e-4", "2e-5"} {
		r, err := optimize.Gradient("throw/scene.yaml", []string{"time.step=" + step}, "speed@0.5", []string{"pairs.0.dissipation"}, gradient.Adjoint, 2)
		if err != nil {
			t.Fatal(err)
		}
		errs[i] = [2]float64{r.Value + w, r.By[0].Gradient + byD} // the speed is −w
		if g := r.By[0]; math.Abs(g.Gradient/g.Narrow-1) > 1e-6 {
			t.Errorf("step %s: derivative %.9g, difference %.9g", step, g.Gradient, g.Narrow)
		}
	}
	t.Logf("w %.6g, dw/dd %.6g, errors %.2g", w, byD, errs)
	for k, name := range []string{"speed", "derivative"} {
		if ratio := errs[0][k] / errs[1][k]; ratio < 4 || ratio > 6 || math.Abs(errs[1][k]) > 0.03 {
			t.Errorf("%s: errors %g and %g for steps of 1 and 1/5", name, errs[0][k], errs[1][k])
		}
	}
}

// The throw that ends in the bucket: its upward speed is that of free fall in steps.
func TestAThrowIsAimedAtTheBucket(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	task, err := optimize.Load("throw/aim.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.SolveParameters(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	const g, T, h = 9.81, 0.8, 2e-5
	up := (0.12-1.2)/T + g*(T+h)/2
	if !s.Converged || s.Cost > 1e-10 || math.Abs(s.Values[1]-up) > 1e-5 {
		t.Errorf("%+v, want %g m/s up", s, up)
	}
	// without the time of contact the ball is 0.89 m ahead after 0.89/v and then comes back with w
	w, _ := rebound(s.Values[0], 0.3)
	if x := 0.9 - w*(T-0.89/s.Values[0]); x < 0.15 || x > 0.2 {
		t.Errorf("by the closed form the ball ends at %g m: contact takes some 14 ms, which takes some 2 cm", x)
	}
}
