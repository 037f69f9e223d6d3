package sim

// Loops under the midpoint rule: of second order, together and without gains of energy.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/timestep"
)

// pendulums are random linkages that fall from rest.
type pendulums struct {
	*linkage
	time float64 // √(size/g), s
}

// newPendulums draws pendulums i of a seed.
func newPendulums(seed, i uint64, kind func(*pendulums)) *pendulums {
	b := NewBuilder()
	b.Rule, b.RelTol = midpointRule, 1e-12
	s := &pendulums{linkage: &linkage{Builder: b, r: rand.New(rand.NewPCG(seed, i))}}
	s.size = logUniform(s.r, 0.05, 0.5)
	s.Gravity = randomDirection(s.r).Scale(9.81)
	s.time = math.Sqrt(s.size / 9.81)
	kind(s)
	return s
}

var pendulumKinds = []struct {
	name string
	draw func(*pendulums)
}{
	{"bodies on balls, welds and distances", func(s *pendulums) { s.hang() }},
	{"chains on hinges or ball joints, closed by a ball or a distance", func(s *pendulums) { s.fourBar() }},
	{"floating chains on a ball and a distance", (*pendulums).float},
	{"hinges on a coupler", (*pendulums).couple},
}

// float draws a floating tree of three links, whose base a ball and whose tip a distance tie to the world.
func (s *pendulums) float() {
	at, parent := r3.Vec{}, ""
	for i := range 3 {
		name, way := fmt.Sprint("link", i), s.point()
		joint := &JointSpec{Joint: rigid.Ball{}, Parent: parent}
		if i == 0 {
			joint = nil
		}
		s.AddBody(name, BodySpec{Pose: r3.Pose{R: r3.RotExp(randomDirection(s.r)), P: at}, Inertial: s.inertial(s.point()), Joint: joint})
		parent, at = name, at.Add(way)
	}
	s.AddConstraint("ball", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "link0"}, PointB: s.point()}})
	s.AddConstraint("rod", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: parent}, PointA: at.Add(s.point()), PointB: s.point()})
}

// couple draws two chains of two hinges, of which a coupler ties the first joints.
func (s *pendulums) couple() {
	for i := range 2 {
		parent := ""
		for k := range 2 {
			name := fmt.Sprintf("link%d%d", i, k)
			X := r3.Pose{R: r3.RotExp(randomDirection(s.r)), P: s.point()}
			s.AddBody(name, BodySpec{Pose: X, Inertial: s.inertial(s.point()), Joint: &JointSpec{Joint: rigid.Revolute{Axis: randomDirection(s.r)}, Parent: parent}})
			parent = name
		}
	}
	s.AddConstraint("gear", &constraints.CouplerSpec{A: "link00", B: "link10", Ratio: 0.5 + s.r.Float64()})
}

// fall steps them for some of their times in n steps. It returns the places of their bodies (m), by how much
// constraints are open, in sizes, and the greatest energy and the greatest kinetic energy (J), the former above that of
// the start.
func (s *pendulums) fall(t testing.TB, times float64, n int) (places []r3.Vec, open, gained, most float64) {
	m, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	p, x := start(t, m, 1)
	defer p.Close()
	h := times * s.time / float64(n)
	p.Place(x, h)
	first := energy(p, x)
	for range n {
		if err := p.Step(x, h); err != nil {
			t.Fatalf("%s: %v", s.text, err)
		}
		p.Place(x, h)
		gained, most = max(gained, energy(p, x)-first), max(most, Energy{Kinetic}.Value(p, x))
		for k := range m.Constraints {
			if v, ok := p.ConstraintError(k); ok {
				open = max(open, v.Distance/s.size+v.Angle+v.Joint)
			}
		}
	}
	for i := range m.Geometry.NumRigid {
		X := poseOfBody(p, i)
		places = append(places, X.P, X.P.Add(X.R.Col(0).Scale(s.size)), X.P.Add(X.R.Col(1).Scale(s.size)))
	}
	return places, open, gained, most
}

func TestMidpointLoopsAreOfSecondOrder(t *testing.T) {
	seed, n := shots(t, 6)
	const times, coarse, levels = 2.0, 40, 4
	for _, kind := range pendulumKinds {
		t.Run(kind.name, func(t *testing.T) {
			sum, smooth := 0.0, 0
			for i := range n {
				s := newPendulums(seed, uint64(i), kind.draw)
				exact, _, _, _ := s.fall(t, times, coarse<<(levels+2))
				var errs [levels]float64
				for l := range errs {
					places, open, gained, most := s.fall(t, times, coarse<<l)
					for k, p := range places {
						errs[l] = max(errs[l], p.Sub(exact[k]).Norm()/s.size)
					}
					if open > 1e-5 || gained > 0.03*most {
						t.Errorf("%d%s: %d steps: open by %.2g of the size, gains %.2g of %.2g J", i, s.text, coarse<<l, open, gained, most)
					}
				}
				if errs[0] > 0.05 { // 40 steps do not resolve it
					continue
				}
				order := math.Log2(errs[0]/errs[levels-1]) / (levels - 1)
				t.Logf("%d%s: errors %.2g of the size, order %.2f", i, s.text, errs, order)
				sum, smooth = sum+order, smooth+1
			}
			if mean := sum / float64(smooth); !(mean > 1.8) || 2*smooth < n {
				t.Errorf("%d of %d are resolved, of mean order %.2f", smooth, n, mean)
			}
		})
	}
}

// At default tolerances, most steps of which are solved once, a four-bar that swings through and the bob on a ball are
// of second order, too; the four-bar had 0.30 of its 0.404 J after 20 s of 4 ms.
func TestMidpointLoopsOfDefaultTolerances(t *testing.T) {
	fourBar := func() *Builder {
		b := NewBuilder()
		link := func(name, parent string, x, mass, com, ixx, izz, q float64) {
			b.AddBody(name, BodySpec{Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{x, 0, 0}}, Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Parent: parent, Q: []float64{q}},
				Inertial: &geometry.MassProperties{Mass: mass, Com: r3.Vec{com, 0, 0}, Inertia: r3.Diag(r3.Vec{ixx, izz, izz})}})
		}
		link("crank", "", 0, 0.2, 0.04, 1e-5, 2e-4, 0)
		link("coupler", "crank", 0.08, 0.3, 0.1, 1e-5, 1e-3, -0.8466449633218112)
		link("rocker", "", 0.22, 0.25, 0.075, 1e-5, 5e-4, -1.6208171836006664)
		b.AddConstraint("close", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "coupler", B: "rocker"}, PointA: &r3.Vec{0.2, 0, 0}, PointB: r3.Vec{0.15, 0, 0}}})
		return b
	}
	bob := func() *Builder {
		b := NewBuilder()
		b.AddBody("bob", BodySpec{Pose: r3.Pose{R: r3.RotExp(r3.Vec{0, math.Pi / 3, 0})}, Inertial: &geometry.MassProperties{Mass: 1, Com: r3.Vec{0, 0, -0.3}, Inertia: r3.Diag(r3.Vec{5e-3, 5e-3, 5e-3})}})
		b.AddConstraint("pivot", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "bob"}}})
		return b
	}
	for _, c := range []struct {
		name         string
		build        func() *Builder
		h            float64 // the longest step, s
		seconds      float64
		solves       float64 // of a step, on average of the longest
		lost, gained float64 // J, of the longest step
		open         float64 // m
	}{
		{"four-bar", fourBar, 4e-3, 2, 1.2, 2e-4, 4e-4, 2e-6},
		{"bob", bob, 1e-2, 2, 1.2, 3e-3, 3e-5, 1e-6},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(h float64) (end r3.Vec, lost, gained, open, solves float64) {
				b := c.build()
				b.Rule = midpointRule
				p, x := start(t, b.MustBuild(), 1)
				defer p.Close()
				p.Place(x, h)
				first, n := energy(p, x), int(math.Round(c.seconds/h))
				for range n {
					if err := p.Step(x, h); err != nil {
						t.Fatal(err)
					}
					solves += float64(p.Report.Solves) / float64(n)
					p.Place(x, h)
					v, _ := p.ConstraintError(0)
					gained, open = max(gained, energy(p, x)-first), max(open, v.Distance)
				}
				X := poseOfBody(p, 0)
				return X.R.Col(2), first - energy(p, x), gained, open, solves
			}
			exact, _, _, _, _ := run(c.h / 32)
			var errs [4]float64
			for k := range errs {
				h := c.h / float64(int(1)<<k)
				end, lost, gained, open, solves := run(h)
				errs[k] = end.Sub(exact).Norm()
				t.Logf("h %g s: error %.3g, loses %.3g J, gained %.3g J, open by %.2g m, %.2f solves a step", h, errs[k], lost, gained, open, solves)
				q := 1 / float64(int(1)<<(2*k)) // of second order
				if lost > c.lost*q || gained > c.gained*q+1e-7 || open > c.open || solves > c.solves {
					t.Errorf("h %g s: at most %.3g J lost, %.3g J gained, %.2g m and %.2f solves a step", h, c.lost*q, c.gained*q, c.open, c.solves)
				}
			}
			if order := math.Log2(errs[0]/errs[3]) / 3; !(order > 1.8) {
				t.Errorf("errors %.3g: of order %.2f", errs, order)
			}
		})
	}
}

// Without damping a body on a ball keeps its energy at any step: its rows are those of the mean of its motion, along
// which the ball does no work but by its compliance.
func TestMidpointBodyOnABallKeepsItsEnergy(t *testing.T) {
	for _, h := range []float64{2e-3, 1e-2, 3e-2} {
		b := NewBuilder()
		b.Rule, b.RelTol = timestep.Rule{Midpoint: true}, 1e-12
		b.AddBody("top", BodySpec{Pose: r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.7, 0})}, AngularVelocity: r3.Vec{3, 2, 10},
			Inertial: &geometry.MassProperties{Mass: 0.2, Com: r3.Vec{0.01, 0, 0.04}, Inertia: r3.Diag(r3.Vec{1.8e-4, 3e-4, 2e-4})}})
		b.AddConstraint("pivot", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "top"}}})
		m := b.MustBuild()
		p, x := start(t, m, 1)
		p.Place(x, h)
		if _, v := p.rigid.StepVelocity(0); v.Norm() > 1e-12 {
			t.Fatalf("the pivot moves by %v", v)
		}
		first := energy(p, x)
		for i := range 500 {
			if err := p.Step(x, h); err != nil {
				t.Fatal(err)
			}
			p.Place(x, h)
			if e := (energy(p, x) - first) / first; e > 1e-7 || e < -1e-4 {
				t.Fatalf("h %g s: step %d: the energy of %.3g J changed by the share %.3g", h, i, first, e)
			}
		}
	}
}

// Linkages of all sizes of steps stay together; trees of joints on them gain by a few hundredths at most, where they
// turn by a tenth of a radian and more in a step.
func TestMidpointLinkagesStayTogether(t *testing.T) {
	seed, n := shots(t, 60)
	n = min(n, 1000)
	failed := 0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		l := newLinkage(seed, uint64(i))
		l.Rule, l.margin = midpointRule, 0.05
		if fault, _, _ := l.run(t); fault != "" {
			if failed++; failed <= 20 {
				t.Logf("%d: %s: %s", i, l.text, fault)
			}
		}
	}
	if 30*failed > n {
		t.Errorf("%d of %d", failed, n)
	}
}

// A bob that falls into a rope, and bodies that a weld joins at other velocities than it allows, do not rebound,
// whatever part of the step is over when they meet; nothing gains energy.
func TestMidpointRopesAndWeldsDoNotRebound(t *testing.T) {
	for _, h := range []float64{2e-2, 1e-2, 7e-3, 3e-3, 1e-3} {
		for phase := range 5 {
			b := NewBuilder()
			b.Rule = midpointRule
			drop := 0.3 + 0.01*float64(phase)
			b.AddBody("bob", BodySpec{Pose: at(0, 0, drop-0.5), Inertial: &geometry.MassProperties{Mass: 1, Inertia: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3})}})
			length := 0.5
			b.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "bob"}, Length: &length, Rope: true})
			p, x := start(t, b.MustBuild(), 1)
			p.Place(x, h)
			first, fastest, rebound := energy(p, x), 0.0, 0.0
			for range int(0.6 / h) {
				if err := p.Step(x, h); err != nil {
					t.Fatal(err)
				}
				p.Place(x, h)
				_, v := p.rigid.StepVelocity(0)
				fastest, rebound = min(fastest, v[2]), max(rebound, v[2])
				if e := energy(p, x) - first; e > 1e-9 {
					t.Fatalf("h %g s: gains %.3g J", h, e)
				}
			}
			if p.Close(); rebound > -0.12*fastest || fastest > -2 {
				t.Errorf("h %g s, a fall of %g m: rebounds with %.3g of %.3g m/s", h, drop, rebound, -fastest)
			}
		}
		b := NewBuilder()
		b.Rule, b.Gravity = midpointRule, r3.Vec{}
		I := r3.Diag(r3.Vec{1e-3, 2e-3, 1.5e-3})
		b.AddBody("a", BodySpec{Velocity: r3.Vec{1, 0, 0}, Inertial: &geometry.MassProperties{Mass: 1, Inertia: I}})
		b.AddBody("b", BodySpec{Pose: at(0.1, 0, 0), Velocity: r3.Vec{-1, 0, 0}, AngularVelocity: r3.Vec{2, 0, 0}, Inertial: &geometry.MassProperties{Mass: 2, Inertia: I}})
		b.AddConstraint("weld", &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "a", B: "b"}, PoseB: r3.PoseIdentity()})
		p, x := start(t, b.MustBuild(), 1)
		for i := range 10 {
			if err := p.Step(x, h); err != nil {
				t.Fatal(err)
			}
			p.Place(x, h)
			for body := range 2 {
				w, v := p.rigid.StepVelocity(body)
				nearVec(t, fmt.Sprint("velocity after step ", i), *v, r3.Vec{-1. / 3, 0, 0}, 1e-4)
				nearVec(t, fmt.Sprint("angular velocity after step ", i), *w, r3.Vec{1, 0, 0}, 1e-3)
			}
		}
		p.Close()
	}
}
