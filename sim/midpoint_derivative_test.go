package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// dampedMidpoint is the midpoint rule with its default damping.
var dampedMidpoint = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}

// underMidpoint builds a model of the midpoint rule.
func underMidpoint(build func(*sim.Builder)) func(*sim.Builder) {
	return func(b *sim.Builder) {
		build(b)
		b.Rule = dampedMidpoint
	}
}

// Along runs of the midpoint rule, derivatives by positions, velocities and the memory of the step before are those of
// differences of whole steps; the adjoint and tangents give the same numbers.
func TestMidpointDerivativesAgreeWithDifferencesOfWholeSteps(t *testing.T) {
	sim.OnOneGoroutine(t)
	for _, c := range []struct {
		name   string
		build  func(*sim.Builder)
		inputs []string
		h      float64
		steps  int
		least  int // steps that are compared at least
	}{
		{"arm and ball", armAndBall, []string{"elbow", "shoulder"}, 0.002, 20, 14},
		{"soft cube", softCube, nil, 0.002, 8, 6},
		{"held strip", heldStrip, nil, 0.002, 6, 6},
		{"pressure field", fieldBall, nil, 0.002, 20, 12},
		{"sprung cart", sprungCart, []string{"servo"}, 0.004, 12, 10},
		{"boxes in a heap", boxesInAHeap, nil, 0.004, 12, 8},
		{"gimbaled camera", gimbaledCamera, []string{"tilt"}, 0.002, 20, 14},
		{"sliding stack", slidingStack, nil, 0.004, 20, 8},
		{"spun block", spunBlock, nil, 0.004, 10, 4},
		{"pressed pad", pressedPad, nil, 0.004, 3, 2},
		{"tumbler", tumbler, []string{"push"}, 0.01, 10, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := differentiable(t, 1, underMidpoint(c.build))
			if err := s.UseInputs(c.inputs...); err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, 19))
			x, u := s.Model.Start.Clone(), []float64{-0.4, 1}[:len(c.inputs)]
			n := s.Model.TangentSize()
			fx, fu, d := make([]float64, n*n), make([]float64, n*len(u)), make([]float64, n)
			compared, refused, elsewhere := 0, 0, 0
			for step := range c.steps {
				s.SetInputs(u)
				dx, du := random(r, n), random(r, len(u))
				want, same := extrapolated(t, s, x, u, dx, du, c.h, 2e-8)
				x.EnergyReference = nil
				tangent := make([]float64, n)
				l, err := s.Linearize(x, c.h)
				if err == nil {
					err = l.Jacobian(fx, fu)
				}
				if err == nil { // along a direction other bounds may be met than along each coordinate
					err = l.Tangent(dx, du, tangent)
				}
				switch {
				case errors.Is(err, sim.ErrNotDifferentiable):
					t.Logf("step %d: %v", step, err)
					refused++
				case err != nil:
					t.Fatal(err)
				case !same:
					elsewhere++
				default:
					compared++
					for i := range n {
						d[i] = inner(fx[i*n:(i+1)*n], dx) + inner(fu[i*len(u):(i+1)*len(u)], du)
					}
					for part, name := range []string{"positions", "velocities", "W", "DV"} {
						a, b := part*n/4, (part+1)*n/4
						if e := offBy(d[a:b], want[a:b]); e > 1e-5 {
							t.Errorf("step %d (%v): Jacobian of %s off by %.1e", step, l.Repeated(), name, e)
						}
						if e := offBy(tangent[a:b], d[a:b]); e > 1e-5 {
							t.Errorf("step %d (%v): tangent of %s off by %.1e", step, l.Repeated(), name, e)
						}
					}
					lambda := random(r, n)
					forward, bar := inner(lambda, d), make([]float64, len(u))
					if err := l.Adjoint(lambda, bar); err != nil {
						t.Fatal(err)
					}
					if adjoint := inner(lambda, dx) + inner(bar, du); math.Abs(forward-adjoint) > 1e-9*math.Sqrt(inner(d, d)*float64(n)) {
						t.Errorf("step %d (%v): %.15g forward, %.15g by the adjoint", step, l.Repeated(), forward, adjoint)
					}
				}
				if err := s.Step(x, c.h); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d compared, %d refused, %d with differences over other solves", compared, refused, elsewhere)
			if compared < c.least {
				t.Errorf("%d of %d steps are compared, %d were", compared, c.steps, c.least)
			}
		})
	}
}

// The adjoint of a step of the midpoint rule with deformables, by terms and by hand, is that by columns of whole
// assemblies.
func TestMidpointAdjointByTermsIsThatByColumns(t *testing.T) {
	sim.OnOneGoroutine(t)
	for _, c := range []struct {
		name  string
		build func(*sim.Builder)
		steps int
		least int
	}{
		{"soft cube", softCube, 6, 3},
		{"held strip", heldStrip, 3, 3},
		{"held finger", heldFinger, 8, 5},
	} {
		const h = 0.001
		s := differentiable(t, 1, underMidpoint(c.build))
		x, r, compared := s.Model.Start.Clone(), rand.New(rand.NewPCG(3, 1)), 0
		n, bar := s.Model.TangentSize(), make([]float64, len(s.Model.Signals))
		for i := range bar {
			bar[i] = 30
		}
		for k := range c.steps {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			l, err := s.Linearize(x, h)
			if errors.Is(err, sim.ErrNotDifferentiable) || err == nil && !l.HasVertexTerms() {
				if err == nil {
					t.Logf("%s, step %d: solved again for %v, impact %v", c.name, k, l.Repeated(), l.HasImpact())
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			compared++
			lambda := random(r, n)
			byTerms := slices.Clone(lambda)
			if err := l.AdjointOfSignals(bar, byTerms, nil); err != nil {
				t.Fatal(err)
			}
			if l, err = s.Linearize(x, h); err != nil {
				t.Fatal(err)
			}
			l.UseColumns(true)
			err = l.AdjointOfSignals(bar, lambda, nil)
			l.UseColumns(false)
			if errors.Is(err, sim.ErrNotDifferentiable) {
				t.Logf("%s, step %d: %v", c.name, k, err)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for part, name := range []string{"positions", "velocities", "W", "DV"} {
				a, b := part*n/4, (part+1)*n/4
				// a body with an impact has no memory
				if e := offBy(byTerms[a:b], lambda[a:b]); e > 1e-6 && largestOf(byTerms[a:b]) > 1e-9*largestOf(byTerms) {
					t.Errorf("%s, step %d: by %s off by %.1e", c.name, k, name, e)
				}
			}
		}
		t.Logf("%s: %d steps compared", c.name, compared)
		if compared < c.least {
			t.Errorf("%s: %d of %d steps are compared, %d were", c.name, compared, c.steps, c.least)
		}
	}
}

// Steps whose derivatives would be wrong are refused.
func TestMidpointDerivativesOfLoopsAreRefused(t *testing.T) {
	for _, build := range []func(*sim.Builder){tetheredKite, spunPair} {
		s := differentiable(t, 1, underMidpoint(build))
		if _, err := s.Linearize(s.Model.Start.Clone(), 0.002); !errors.Is(err, sim.ErrNotDifferentiable) || !strings.Contains(err.Error(), "use the rule euler") {
			t.Errorf("error %v", err)
		}
	}
}

// largestOf returns the largest magnitude.
func largestOf(x []float64) (most float64) {
	for _, e := range x {
		most = math.Max(most, math.Abs(e))
	}
	return most
}
