package sim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/timestep"
)

// Every sample of every registered signal has a derivative that agrees with differences of whole steps along a
// random direction, forward and by the adjoint, or says by name that it has none. Maxima and counts say so.
func TestRegisteredSignalsHaveDerivativesOrSayThatTheyHaveNone(t *testing.T) {
	OnOneGoroutine(t)
	for name, rule := range map[string]timestep.Rule{"euler": {}, "midpoint": midpointRule} {
		t.Run(name, func(t *testing.T) { signalsHaveDerivatives(t, rule) })
	}
}

func signalsHaveDerivatives(t *testing.T, rule timestep.Rule) {
	b := sample(append([]string{"strip", "pot"}, forward...)...)
	b.FrictionLag, b.RelTol, b.Rule = FrictionLagGeometry, 1e-13, rule
	kind := map[string]string{}
	for _, k := range Signals.Entries() {
		for i, s := range k.Samples() {
			name := fmt.Sprint(k.Name, " ", i)
			kind[name] = k.Name
			b.AddSignal(name, s)
		}
	}
	m := b.MustBuild()
	s, x := start(t, m, 1)
	const h, eps = 1e-3, 1e-9
	run(t, s, x, h, 12)
	x.EnergyReference = nil
	l, err := s.Linearize(x, h)
	if err != nil {
		t.Fatal(err)
	}
	// one direction: rigid bodies turn and move, vertices too
	r, n := rand.New(rand.NewPCG(5, 8)), len(x.V)
	nx := m.TangentSize()
	dx, end := make([]float64, nx), make([]float64, nx)
	for i := range dx {
		dx[i] = r.NormFloat64()
		if i >= n {
			dx[i] /= 10 * h
		}
		if l.place[i%n] < 0 {
			dx[i] = 0 // held
		}
	}
	var want [2][]float64
	for side, w := range [2]float64{eps, -eps} {
		y := x.Clone()
		m.MoveState(y, w, dx)
		if err := s.Step(y, h); err != nil {
			t.Fatal(err)
		}
		s.Place(y, h)
		want[side] = s.Read(y, nil)
	}
	if l, err = s.Linearize(x, h); err != nil {
		t.Fatal(err)
	}
	if err := l.Tangent(dx, nil, end); err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for i := range m.Signals {
		name, bar := m.Signals[i].Name, make([]float64, len(m.Signals))
		bar[i] = 1
		got, err := l.SignalTangents(bar, dx, end)
		if errors.Is(err, ErrNotDifferentiable) {
			refused[kind[name]] = true
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		d := (want[0][i] - want[1][i]) / (2 * eps)
		size := math.Abs(d) + math.Abs(want[0][i]) + 1e-6
		if math.Abs(got-d) > 1e-4*size {
			t.Errorf("%s: %.9g, by differences of steps %.9g", name, got, d)
		}
		// with the full Jacobian once, whose columns are those of the adjoint
		lambda := make([]float64, nx)
		if err := l.AdjointOfSignals(bar, lambda, nil); err != nil {
			t.Fatal(err)
		}
		if a := dot(lambda, dx); math.Abs(a-got) > 1e-3*size {
			t.Errorf("%s: %.9g forward, %.9g by the adjoint", name, got, a)
		}
	}
	for _, k := range []string{"speed", "von_mises", "count", "penetration", "contact_surface", "contact_force", "nearest", "reaction", "reaction_moment", "accelerometer", "joint_wrench"} {
		if !refused[k] {
			t.Errorf("%s has a derivative: it has none", k)
		}
		delete(refused, k)
	}
	for k := range refused {
		t.Errorf("%s is refused: it is smooth", k)
	}
}
