package constraints

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/geometry"
)

// θ of impacts, by hand: h 1 ms, z 0.55.
func TestThetaOfImpacts(t *testing.T) {
	inf := math.Inf(1)
	const h, z = 1e-3, 0.55
	for _, c := range []struct {
		name string
		i    Impact
		give float64
		want float64
	}{
		{"at touch, plastic", Impact{0, -1, 0, inf, 1}, inf, 1},
		{"half of the step before touch", Impact{5e-4, -1, 0, inf, 1}, inf, z},
		{"a fifth of the step before touch", Impact{2e-4, -1, 0, inf, 1}, inf, 0.8},
		{"overlap counts as touch", Impact{-1, -1, 0.25, inf, 1}, inf, 0.8},
		{"elastic", Impact{0, -1, 1, inf, 1}, inf, z},
		{"X = 1", Impact{0, -1, 0, 1e6, 1}, inf, z + 0.45/2},
		{"opens", Impact{-1, 1, 0, inf, 1}, inf, z},
		{"does not close", Impact{2e-3, -1, 0, inf, 1}, inf, z},
		{"no mass", Impact{0, -1, 0, inf, 0}, inf, z},
		{"a soft body gives way", Impact{0, -1, 0, inf, 1}, 1, z + 0.45/2},
		{"a stiff body is as a rigid one", Impact{0, -1, 0, 1e6, 1}, 1e6, z + 0.45/2},
	} {
		if got := c.i.Theta(h, z, c.give); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// The restitution of Kelvin and Voigt's contact against the motion in small steps, and of the other laws at their
// limits.
func TestRestitutionOfContactModels(t *testing.T) {
	const k, m = 1e5, 0.1
	for _, zeta := range []float64{0.05, 0.3, 0.999999, 1, 1.5, 4} {
		tau := 2 * zeta / math.Sqrt(k/m)
		x, v, h := 0.0, 1.0, 1e-8 // overlap
		for i := 0; x >= 0 && (i == 0 || x+tau*v > 0); i++ {
			a := -k / m * (x + tau*v)
			x, v = x+h*(v+0.5*h*a), v+h*a
		}
		got := ContactImpact(SAP{}, &geometry.Contact{}, &Pair{Stiffness: k, RelaxationTime: tau}, -1, 1/m)
		if !(math.Abs(got.Restitution+v) <= 1e-3) {
			t.Errorf("ζ = %g: restitution %g, the motion has %g", zeta, got.Restitution, -v)
		}
	}
	if got := ContactImpact(Lagged{}, &geometry.Contact{Phi: 1}, &Pair{Stiffness: 8, Dissipation: 3}, -0.5, 2); got.Restitution != 0.5 || got.Stiffness != 20 || got.Gap != 1 || got.Approach != -0.5 || got.InverseMass != 2 {
		t.Errorf("Hunt and Crossley: %+v", got)
	}
	if got := ContactImpact(Lagged{Normal: IPC{}}, &geometry.Contact{}, &Pair{Dissipation: 3}, -0.5, 2); got.Restitution != 1 {
		t.Errorf("barrier: %+v", got)
	}
}

// A joint that reaches a limit within the step has an impact without rebound, at rest on it none.
func TestImpactsOfLimits(t *testing.T) {
	f := scene()
	f.q[0], f.v[0] = 0.999, 2
	c := &Limit{Dof: 0, Lower: -1, Upper: 1}
	i, ok := c.Impact(f, 1e-3, 3)
	if !ok || !(math.Abs(i.Gap-1e-3) < 1e-15) || i.Approach != -2 || i.Restitution != 0 || !math.IsInf(i.Stiffness, 1) || i.InverseMass != 3 {
		t.Errorf("%+v, %v", i, ok)
	}
	if theta := i.Theta(1e-3, 0.5, math.Inf(1)); !(math.Abs(theta-0.5) < 1e-12) {
		t.Errorf("θ = %g", theta)
	}
	for _, state := range [][2]float64{{1, 2}, {0.9, 2}, {0.999, -2}, {-1, -2}} {
		f.q[0], f.v[0] = state[0], state[1]
		if i, ok := c.Impact(f, 1e-3, 3); ok {
			t.Errorf("%v: %+v", state, i)
		}
	}
	f.q[0], f.v[0] = -0.999, -2
	if i, ok := (&JointSumLimit{JointSum: JointSum{[]int{0}, []float64{2}}, Lower: -2, Upper: 2, Spring: Spring{Stiffness: 7}}).Impact(f, 1e-3, 3); !ok || !(math.Abs(i.Gap-2e-3) < 1e-12) || i.Approach != -4 || i.Stiffness != 7 {
		t.Errorf("%+v, %v", i, ok)
	}
}
