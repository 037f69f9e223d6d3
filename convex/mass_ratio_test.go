package convex_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/convex"
)

// A light box slides on a heavy one with 1 m/s and loses μ g h a step, whatever the ratio of
// their masses, also where the guess is the solution of the heavy one: its velocity is right to
// 3e-4 of its momenta, of which friction is a part.
func TestLightBodyOnAHeavyOneIsAsRightAsAlone(t *testing.T) {
	for _, x := range models {
		for _, mass := range []float64{1, 1e-3, 1e-6, 1e-9, 1e-12} {
			q := stack(1e4, 0.5, []float64{10, mass})
			q.vel[1][0] = 1
			var p cliques.Problem
			q.build(&p, x.m)
			s, exact := solver(x.m), slices.Clone(p.V0)
			s.RelTol = 1e-13
			if _, err := s.Solve(&p, exact); err != nil {
				t.Fatal(err)
			}
			s.RelTol = 0
			v := append(slices.Clone(exact[:6]), p.V0[6:]...)
			if _, err := s.Solve(&p, v); err != nil {
				t.Fatal(err)
			}
			for i := 9; i < 12; i++ { // translation of the light box
				if off := math.Abs(v[i]-exact[i]) / (q.pair.Friction * gravity * q.h); off > 2e-3 {
					t.Errorf("%s, mass %g kg: velocity %d off by %.1e of μ g h", x.name, mass, i-9, off)
				}
			}
		}
	}
}

// Momenta whose squares overflow make a residual and a scale that are infinite: no solution
// has been found, and the error names the velocity.
func TestResidualThatOverflowsIsAnError(t *testing.T) {
	var p cliques.Problem
	q := stack(1e4, 0.5, []float64{1})
	q.build(&p, models[3].m)
	p.P[3] = 1e160
	_, err := new(convex.Solver).Solve(&p, slices.Clone(p.V0))
	var e *convex.NonFiniteError
	if !errors.As(err, &e) || e.Quantity != "residual" || e.Node != 0 || e.Row != 3 {
		t.Errorf("error %v", err)
	}
}
