package sim_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// Positions and velocities of vertices and of points of rigid bodies, seen from the world and from bodies that turn,
// have the derivative by the adjoint that differences along a direction have, without a column for each coordinate of
// deformables.
func TestSignalsOfPointsAreDifferentiatedByHand(t *testing.T) {
	tip, root, point := &r3.Vec{0.06, 0.015, 0.01}, &r3.Vec{-0.06, 0.015, 0.01}, &r3.Vec{0.01, 0.02, -0.03}
	signals := map[string]sim.SignalSpec{}
	for _, c := range []string{"x", "z", "norm"} {
		for _, ref := range []string{"world", "base", "jaw"} {
			for k, p := range map[string]*r3.Vec{"tip": tip, "root": root} {
				signals[fmt.Sprint("position ", c, " ", k, " ", ref)] = &sim.PositionSpec{Component: c, Body: "finger", Point: p, RelativeTo: ref}
				if c == "norm" && k == "root" && ref != "world" {
					continue // the jaw holds it, and the drive the jaw: a speed about zero has a kink there
				}
				signals[fmt.Sprint("velocity ", c, " ", k, " ", ref)] = &sim.VelocitySpec{Component: c, Body: "finger", Point: p, RelativeTo: ref}
			}
		}
		signals["position "+c+" jaw"] = &sim.PositionSpec{Component: c, Body: "jaw", Point: point, RelativeTo: "world"}
		signals["velocity "+c+" jaw"] = &sim.VelocitySpec{Component: c, Body: "jaw", Point: point, RelativeTo: "base"}
	}
	const h = 0.001
	s := differentiable(t, 1, func(b *sim.Builder) {
		turningFinger(b)
		for name, spec := range signals {
			b.AddSignal(name, spec)
		}
	})
	x, r, compared := s.Model.Start.Clone(), rand.New(rand.NewPCG(5, 1)), 0
	n := 2 * len(x.V)
	for range 3 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		for i, signal := range s.Model.Signals {
			l, err := s.Linearize(x, h)
			if errors.Is(err, sim.ErrNotDifferentiable) {
				break
			}
			bar, dx, end, lambda := make([]float64, len(s.Model.Signals)), random(r, n), make([]float64, n), make([]float64, n)
			bar[i] = 1
			for k := range n / 2 {
				dx[n/2+k] *= 1000 // as far in a step
			}
			if err == nil {
				err = l.Tangent(dx, nil, end)
			}
			if err != nil {
				t.Fatal(err)
			}
			want, err := l.SignalTangents(bar, dx, end)
			if err != nil {
				t.Fatal(err)
			}
			if l, err = s.Linearize(x, h); err != nil {
				t.Fatal(err)
			}
			before := s.Placements()
			if err := l.AdjointOfSignals(bar, lambda, nil); err != nil {
				t.Fatal(err)
			}
			if placed := s.Placements() - before; placed > 60 && signal.Name != "force" {
				t.Errorf("%s: bodies were placed %d times", signal.Name, placed)
			}
			size := 0.0
			for k := range lambda {
				size += math.Abs(lambda[k] * dx[k])
			}
			if back := inner(lambda, dx); !(math.Abs(back-want) <= 1e-6*size) {
				t.Errorf("%s: %.12g forward, %.12g by the adjoint, of %.3g", signal.Name, want, back, size)
			}
			compared++
		}
	}
	if compared < 2*len(signals) {
		t.Errorf("%d comparisons", compared)
	}
}
