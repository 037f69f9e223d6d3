package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// thrownChain is a light body on which heavier links hang without drives, which hits the floor so that its joints turn
// by tenths of a radian in a step.
func thrownChain(t testing.TB, seed, i uint64) (s *Stepper, x *State, h float64) {
	r := rand.New(rand.NewPCG(seed, i))
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	size, speed := 0.1, logUniform(r, 1, 30)
	mass := logUniform(r, 0.01, 1)
	mat := w.material(logUniform(r, 100, 1000)*mass*speed*speed/(0.01*size*size), 0, r.Float64())
	w.ground(mat)
	inertia := func(m float64) r3.Mat { return r3.Diag(r3.Vec{m, 1.2 * m, 1.5 * m}.Scale(0.1 * size * size)) }
	base := w.link(rigid.LinkSpec{Name: "base", Parent: rigid.World, Joint: rigid.Floating{}, Mass: mass, Inertia_B: inertia(mass)})
	w.setQ(base, 1, 0, 0, 0, 0, 0, size)
	w.setV(base, 0, 0, 0, 0.3*speed*r.NormFloat64(), 0, -speed)
	w.geom(base, r3.Pose{R: r3.RotExp(randomDirection(r)), P: r3.Vec{}}, w.box(size, 0.7*size, 0.5*size), mat)
	parent := base
	for k := range 1 + r.IntN(3) {
		m := mass * logUniform(r, 0.3, 30)
		parent = w.link(rigid.LinkSpec{
			Name: fmt.Sprint("link ", k), Parent: parent, Joint: rigid.Revolute{Axis: randomDirection(r)}, X_PF: at(0.3*size*r.NormFloat64(), 0, 0.7*size),
			Mass: m, Com_B: r3.Vec{0, 0, 0.5 * size}, Inertia_B: inertia(m),
		})
	}
	s, x = w.build()
	return s, x, logUniform(r, 0.02, 0.2) * size / speed
}

// Blows give unactuated chains little energy: without divided steps one in 60 doubles it, and those that remain are of
// some gains below the tolerance of a step.
func TestBlowsGiveChainsNoEnergy(t *testing.T) {
	seed, n := shots(t, 60)
	failed, divided, steps, worst := 0, 0, 0, 1.0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		s, x, h := thrownChain(t, seed, uint64(i))
		s.Place(x, h)
		start, most, turn := energy(s, x), 0.0, 0.0
		for range 60 {
			if err := s.Step(x, h); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
			steps++
			if s.Report.Parts > 0 {
				divided++
			}
			s.Place(x, h)
			most = max(most, energy(s, x))
			for _, u := range x.V[6:] {
				turn = max(turn, math.Abs(u)*h)
			}
		}
		worst = max(worst, most/start)
		if most > 1.1*start {
			failed++
			t.Logf("%d: %.3g of %.3g J, up to %.2g rad a step", i, most, start, turn)
		}
		s.Close()
	}
	t.Logf("%d of %d gain more than a tenth, the worst ends with %.3g times its energy; %d of %d steps divided", failed, n, worst, divided, steps)
	if worst > 1.5 || failed > 1+n/20 {
		t.Error("too many, or too much")
	}
}
