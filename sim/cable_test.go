package sim

// Cables through points of rigid bodies against closed forms, and their energy in random nets.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// weight adds a body that slides along z, at a place of the world.
func weight(b *Builder, name string, mass float64, at r3.Vec) {
	b.AddBody(name, BodySpec{
		Pose: r3.Pose{R: r3.Identity(), P: at}, Inertial: &geometry.MassProperties{Mass: mass, Inertia: r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4})},
		Joint: &JointSpec{Name: name + "_slide", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}},
	})
}

// cableOf returns the cable of a model and its tension after a step.
func cableOf(s *Stepper, name string) (c *constraints.Cable, T float64) {
	i := s.Model.Names.Constraints[name]
	c = s.Model.Constraints[i].(*constraints.Cable)
	return c, c.Tension(&s.Problem, s.modelTerms[i])
}

// Two weights on a cord over two eyelets: a = g (m1 − m2)/(m1 + m2), T = 2 m1 m2 g/(m1 + m2). The cord starts with
// this tension, so that nothing oscillates.
func TestAtwoodsMachineOfACable(t *testing.T) {
	const a, T = 1.962, 2.3544
	for _, h := range []float64{0.01, 0.001} {
		for _, midpoint := range []bool{false, true} {
			b := NewBuilder()
			b.Gravity, b.RelTol, b.Rule.Midpoint = r3.Vec{0, 0, -9.81}, 1e-10, midpoint
			weight(b, "heavy", 0.3, r3.Vec{})
			weight(b, "light", 0.2, r3.Vec{0.1, 0, 0})
			b.AddConstraint("cord", &constraints.CableSpec{AxialStiffness: 1e4, Pretension: T, Path: []constraints.CablePoint{
				{Body: "heavy"}, {Point: r3.Vec{0, 0, 1}}, {Point: r3.Vec{0.1, 0, 1}}, {Body: "light"}}})
			m, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			s, x := start(t, m, 1)
			for range int(math.Round(0.2 / h)) {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
			}
			_, got := cableOf(s, "cord")
			name := fmt.Sprintf("h %g midpoint %v", h, midpoint)
			near(t, name+": speed", -x.V[0], a*0.2, 1e-6*a*0.2)
			near(t, name+": tension", got, T, 1e-6*T)
			s.Close()
		}
	}
}

// A weight on n parts of a cord comes to rest with T = W/n.
func TestTacklesShareTheirWeight(t *testing.T) {
	const m, h = 1.0, 0.01
	for n := 2; n <= 4; n++ {
		b := NewBuilder()
		b.Gravity, b.RelTol = r3.Vec{0, 0, -9.81}, 1e-10
		weight(b, "load", m, r3.Vec{})
		var path []constraints.CablePoint
		for i := range n + 1 {
			p := constraints.CablePoint{Point: r3.Vec{0, 0, 1}}
			if i%2 == 1 {
				p = constraints.CablePoint{Body: "load"}
			}
			path = append(path, p)
		}
		b.AddConstraint("cord", &constraints.CableSpec{AxialStiffness: 5e3, Damping: 50, Path: path})
		model, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		s, x := start(t, model, 1)
		for range 600 {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
		}
		c, T := cableOf(s, "cord")
		want := m * 9.81 / float64(n)
		near(t, fmt.Sprint(n, " parts: tension"), T, want, 1e-6*want)
		s.Place(x, h)
		near(t, fmt.Sprint(n, " parts: stretch"), c.PathLength(s.kin)-c.Length, want/c.Stiffness, 1e-6*want/c.Stiffness)
		s.Close()
	}
}

// newCableNet draws net i of a seed: beads on a cable between two points of the world, some with a second one across.
func newCableNet(seed, i uint64) *tautNet {
	r := rand.New(rand.NewPCG(seed, i))
	n := &tautNet{Builder: NewBuilder(), h: logUniform(r, 2e-4, 2e-2)}
	n.Gravity, n.RelTol = r3.Vec{}, 1e-8
	length, EA, mass := logUniform(r, 0.02, 1), logUniform(r, 100, 1e6), logUniform(r, 1e-3, 1)
	pull := min(1000, EA*logUniform(r, 1e-3, 0.3))
	beads := 1 + r.IntN(4)
	var path []constraints.CablePoint
	path = append(path, constraints.CablePoint{})
	for k := range beads {
		at := r3.Vec{float64(k+1) * length, length * 0.3 * r.NormFloat64(), 0}
		name := fmt.Sprint("bead", k)
		I := r3.Diag(r3.Vec{1e-2, 2e-2, 2e-2}.Scale(mass * length * length))
		n.AddBody(name, BodySpec{Pose: r3.Pose{R: r3.Identity(), P: at}, Velocity: randomDirection(r).Scale(logUniform(r, 1e-3, 1) * length), Inertial: &geometry.MassProperties{Mass: mass * logUniform(r, 0.3, 3), Inertia: I}})
		path = append(path, constraints.CablePoint{Body: name, Point: randomDirection(r).Scale(0.05 * length)})
		if r.IntN(2) == 0 {
			side := r3.Vec{0, length, 0}
			n.AddConstraint(fmt.Sprint("across", k), &constraints.CableSpec{AxialStiffness: EA, Pretension: pull, Path: []constraints.CablePoint{
				{Point: at.Add(side)}, {Body: name}, {Point: at.Sub(side)}}})
		}
	}
	path = append(path, constraints.CablePoint{Point: r3.Vec{float64(beads+1) * length, 0, 0}})
	n.AddConstraint("along", &constraints.CableSpec{AxialStiffness: EA, Pretension: pull, Path: path})
	n.text = fmt.Sprintf("%d beads of %.2g kg, EA %.2g N, T %.2g N, length %.2g m, h %.2g ms", beads, mass, EA, pull, length, 1e3*n.h)
	return n
}

// Nets start far from rest and move wildly. None gains energy that its run does not report, and steps whose solves do
// not settle, after which it is reported, are in less than one in a hundred.
func TestCableNetsGainNoEnergyUnseen(t *testing.T) {
	seed, n := shots(t, 40)
	n = min(n, 300)
	failed, seen := 0, 0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		net := newCableNet(seed, uint64(i))
		fault, reported := net.runReporting(t)
		switch {
		case fault == "":
		case reported:
			seen++
			t.Logf("%d: %s: %s, which it reports", i, net.text, fault)
		default:
			failed++
			t.Errorf("%d: %s: %s", i, net.text, fault)
		}
	}
	if failed > 0 || 100*seen > n {
		t.Errorf("of %d nets %d gain energy and do not report it, and %d report it", n, failed, seen)
	}
}

// Steps of cables allocate nothing and have the same bits after a restore; derivatives are refused by name.
func TestCablesRepeatAndAreNotDifferentiated(t *testing.T) {
	net := newCableNet(7, 3)
	m, err := net.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, x := start(t, m, 1)
	defer s.Close()
	for range 20 {
		if err := s.Step(x, net.h); err != nil {
			t.Fatal(err)
		}
	}
	other, y := start(t, m, 1)
	defer other.Close()
	y.copyFrom(x)
	for range 20 {
		if err := s.Step(x, net.h); err != nil {
			t.Fatal(err)
		}
		if err := other.Step(y, net.h); err != nil {
			t.Fatal(err)
		}
	}
	for i := range x.Q {
		if x.Q[i] != y.Q[i] {
			t.Fatalf("position %d: %v after a restore, want %v", i, y.Q[i], x.Q[i])
		}
	}
	if n := alloctest.PerRun(10, func() {
		if err := s.Step(x, net.h); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a step allocates %g times", n)
	}
	if err := s.checkDifferentiable(); err == nil || !strings.Contains(err.Error(), "is a cable") {
		t.Errorf("derivatives: %v", err)
	}
}

func TestFaultyCablesAreRefused(t *testing.T) {
	ends := []constraints.CablePoint{{Point: r3.Vec{0, 0, 1}}, {Body: "load"}}
	for want, spec := range map[string]*constraints.CableSpec{
		"at least its two ends":  {AxialStiffness: 1, Path: ends[:1]},
		"must be positive":       {AxialStiffness: -1, Path: ends},
		"none of the bodies":     {AxialStiffness: 1, Path: []constraints.CablePoint{{}, {Point: r3.Vec{1, 0, 0}}}},
		"are one point of world": {AxialStiffness: 1, Path: []constraints.CablePoint{{}, {}, {Body: "load"}}},
		"leave out one of them":  {AxialStiffness: 1, Path: ends, Pretension: 1, Length: ptr(1.0)},
		"path[1].body":           {AxialStiffness: 1, Path: []constraints.CablePoint{{}, {Body: "lod"}}},
		"pad is deformable":      {AxialStiffness: 1, Path: []constraints.CablePoint{{}, {Body: "pad"}}},
	} {
		w := newScaffold(t)
		weight(w.Builder, "load", 1, r3.Vec{})
		w.soft("pad", r3.Vec{0.04, 0.04, 0.04}, [3]int{1, 1, 1}, 1e5, at(1, 0, 0), r3.Vec{}, w.material(1e6, 0, 0), func(*DeformableSpec) {})
		w.AddConstraint("cord", spec)
		if _, err := w.Build(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "cord") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
