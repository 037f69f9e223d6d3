package sim

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// passiveEfforts gives all joints springs, dampers and friction that is smooth.
func passiveEfforts(b *Builder) *Builder {
	for i, name := range slices.Sorted(maps.Keys(b.bodyOf)) {
		if j := b.bodyOf[name].spec.Joint; j != nil {
			j.Stiffness, j.Rest, j.Damping, j.Friction = 5+float64(3*i), 0.4, 0.2, 0.5
		}
	}
	return b
}

// The feed forward of what follows has its derivatives in those of steps: along a run they are those of differences of
// whole steps, and the adjoint gives the same numbers. Those of loops agree to what steps leave of their closure, with
// feed forward and without.
func TestDerivativesSeeWhatFollows(t *testing.T) {
	for name, rule := range map[string]timestep.Rule{"euler": {}, "midpoint": midpointRule} {
		t.Run(name, func(t *testing.T) { derivativesSeeWhatFollows(t, rule) })
	}
}

func derivativesSeeWhatFollows(t *testing.T, rule timestep.Rule) {
	stand := []r3.Vec{{0.3, 0, 0}, {-0.2, 0.25, 0}, {-0.2, -0.25, 0}}
	for _, c := range []struct {
		name             string
		build            func() *Builder
		joints           []string
		inverse          bool
		gains            string
		tol, adjoint     float64
		refused, touched int
		along            []float64 // directions keep loops closed
	}{
		{"mimic", func() *Builder { return mimicArm(0.3) }, []string{"j_one"}, true, "effort", 1e-5, 1e-11, 0, 0, nil},
		{"mimic, inertial gains", func() *Builder { return mimicArm(0.3) }, []string{"j_one"}, false, "acceleration", 1e-5, 1e-11, 0, 0, nil},
		{"springs and friction", func() *Builder { return passiveEfforts(mimicArm(0.3)) }, []string{"j_one"}, true, "effort", 1e-5, 1e-11, 0, 0, nil},
		{"loop with springs", func() *Builder { return passiveEfforts(parallelogram("ball", 0.3)) }, []string{"j_crank"}, true, "effort", 3e-4, 1e-8, 0, 0, []float64{1, -1, 1}},
		{"loop", func() *Builder { return parallelogram("ball", 0.3) }, []string{"j_crank"}, false, "effort", 3e-4, 1e-8, 0, 0, []float64{1, -1, 1}},
		{"loop, computed torque", func() *Builder { return parallelogram("ball", 0.3) }, []string{"j_crank"}, true, "effort", 3e-4, 1e-8, 0, 0, []float64{1, -1, 1}},
		{"floating", floatingArm, []string{"j_one", "j_two"}, true, "effort", 1e-5, 1e-11, 1, 0, nil},
		{"standing", func() *Builder { return walker(stand, 10, r3.Vec{0.05, -0.03, 0.1}) }, nil, false, "effort", 1e-4, 1e-10, 2, 2, nil},
	} {
		b := c.build()
		b.Contact, b.FrictionLag, b.RelTol, b.Rule = constraints.Lagged{StictionTolerance: 1e-2}, FrictionLagGeometry, 1e-13, rule
		amplitude := kinds.Numbers{0.3, -0.2}[:max(1, len(c.joints))]
		if c.joints == nil {
			amplitude = kinds.Numbers{0.01}
		}
		b.AddDrive("d", &RobotDrive{Robot: "r", Joints: c.joints, GravityCompensation: true, InverseDynamics: c.inverse, Gains: c.gains,
			Kp: kinds.Numbers{50}, Kd: kinds.Numbers{5}, Target: &JointSines{Amplitude: amplitude, Frequency: 1, Ramp: 0.02}, Velocity: kinds.Numbers{10}})
		m, err := b.Build()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		s, x := start(t, m, 1)
		r := rand.New(rand.NewPCG(5, 23))
		const h, eps = 2e-3, 1e-7
		n := m.TangentSize()
		fx, d, want := make([]float64, n*n), make([]float64, n), make([]float64, n)
		refused, touched := 0, 0
		if rule.Midpoint {
			c.refused++     // the energy of floating trees is limited in another step
			c.adjoint *= 10 // twice the entries, which the stiffness of loops leaves fewer digits
		}
		for k := range 20 {
			dx := make([]float64, n)
			for i := range dx {
				dx[i] = r.NormFloat64()
			}
			for i, w := range c.along {
				for k := i; k < n; k += len(x.V) {
					dx[k] = w * dx[k-i]
				}
			}
			var ends [2]*State
			for side, w := range [2]float64{eps, -eps} {
				y := x.Clone()
				y.EnergyReference = nil
				m.MoveState(y, w, dx)
				if err := s.Step(y, h); err != nil {
					t.Fatal(err)
				}
				ends[side] = y
			}
			m.StateDifference(ends[1], ends[0], want)
			l, err := s.Linearize(x, h)
			if rule.Midpoint && err != nil && strings.Contains(err.Error(), "use the rule euler") {
				break // loops and joints that follow others have none
			}
			switch {
			case errors.Is(err, ErrNotDifferentiable):
				refused++
				t.Logf("%s, step %d: %v", c.name, k, err)
			case err != nil:
				t.Fatal(err)
			default:
				if err := l.Jacobian(fx, nil); err != nil {
					t.Fatal(err)
				}
				off, size := 0.0, 0.0
				for i := range n {
					d[i], want[i] = dot(fx[i*n:(i+1)*n], dx), want[i]/(2*eps)
					off, size = max(off, math.Abs(d[i]-want[i])), max(size, math.Abs(want[i]))
				}
				if off > c.tol*size {
					touched++
					t.Logf("%s, step %d: off by %.1e of %.1e", c.name, k, off, size)
				}
				lambda := make([]float64, n)
				for i := range lambda {
					lambda[i] = r.NormFloat64()
				}
				forward := dot(lambda, d)
				if err := l.Adjoint(lambda, nil); err != nil {
					t.Fatal(err)
				}
				if adjoint := dot(lambda, dx); math.Abs(forward-adjoint) > c.adjoint*math.Sqrt(dot(d, d)*float64(n)) {
					t.Errorf("%s, step %d: %.15g forward, %.15g by the adjoint", c.name, k, forward, adjoint)
				}
			}
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
		}
		if refused > c.refused || touched > c.touched {
			t.Errorf("%s: of 20 steps %d refused, %d off", c.name, refused, touched)
		}
	}
}
