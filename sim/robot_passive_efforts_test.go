package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// jointOf returns the joint of a link of robot "r", to be changed.
func jointOf(b *Builder, link string) *JointSpec { return b.bodyOf["r."+link].spec.Joint }

// Springs of leaders, followers and joints of loops reach the driven joint by their ways per way of it: closed form,
// and the arm stands.
func TestSpringsOfJointsAreFedForward(t *testing.T) {
	const q = 0.3
	type spring struct {
		link               string
		stiffness, rest    float64
		position, perCrank float64
	}
	c1, c2 := math.Cos(q), math.Cos(1.8*q)
	for _, c := range []struct {
		name, joint string
		build       func() *Builder
		weight      float64
		springs     []spring
	}{
		{"mimic", "j_one", func() *Builder { return mimicArm(q) }, 9.81 * (2*0.25*c1 + 0.5*c1 + 0.2*c2 + 0.8*0.2*c2),
			[]spring{{"one", 7, -0.4, q, 1}, {"two", 11, 1.1, 0.8 * q, 0.8}}},
		{"coupler", "j_one", func() *Builder { return coupledArm(q) }, 9.81 * (2*0.25*c1 + 0.5*c1 + 0.2*c2 + 0.8*0.2*c2),
			[]spring{{"one", 7, -0.4, q, 1}, {"two", 11, 1.1, 0.8 * q, 0.8}}},
		{"parallelogram", "j_crank", func() *Builder { return parallelogram("ball", q) }, 9.81 * c1 * (0.15 + 0.3 + 0.15),
			[]spring{{"crank", 3, 0.5, q, 1}, {"rod", 20, 0.7, -q, -1}, {"rocker", 5, -2, q, 1}}},
	} {
		b, want := c.build(), c.weight
		for _, k := range c.springs {
			j := jointOf(b, k.link)
			j.Stiffness, j.Rest = k.stiffness, k.rest
			want += k.perCrank * k.stiffness * (k.position - k.rest)
		}
		bear(b, c.joint)
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		near(t, c.name+": effort", Effort{m.Names.Drives["d."+c.joint]}.Value(s, x), want, 1e-6)
		if far := moved(t, m, 5e-3, 2); far > 1e-6 {
			t.Errorf("%s: joints move by %g rad", c.name, far)
		}
	}
}

// Computed torque without gains moves joints with springs, dampers and dry friction as planned, to first order;
// friction of followers reaches the leader by the ratio.
func TestComputedTorqueFeedsPassiveEffortsForward(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		name   string
		build  func() *Builder
		joints []string
		links  []string
	}{
		{"arm", func() *Builder { b := mimicArm(0.3); b.mimics = nil; return b }, []string{"j_one", "j_two"}, []string{"one", "two"}},
		{"mimic", func() *Builder { return mimicArm(0.3) }, []string{"j_one"}, []string{"one", "two"}},
		{"coupler", func() *Builder { return coupledArm(0.3) }, []string{"j_one"}, []string{"one", "two"}},
		{"parallelogram", func() *Builder { return parallelogram("ball", 0.3) }, []string{"j_crank"}, []string{"crank", "rod", "rocker"}},
		{"floating", floatingArm, []string{"j_one", "j_two"}, []string{"one", "two"}},
	} {
		var worst [2]float64
		for k, h := range []float64{1e-3, 5e-4} {
			b := c.build()
			for i, link := range c.links {
				j := jointOf(b, link)
				j.Stiffness, j.Rest, j.Damping, j.Friction = 5+float64(3*i), 0.4, 0.2, 2
			}
			// from rest upwards without a turn: at a turn the friction of the plan acts before that of the joint
			target := &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.9, 0.3}[:len(c.joints)], Duration: &half}}, Timing: "minimum_jerk"}
			b.AddDrive("d", &RobotDrive{Robot: "r", Joints: c.joints, GravityCompensation: true, InverseDynamics: true, Target: target, Velocity: kinds.Numbers{10}})
			m, err := b.Build()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			s, x := start(t, m, 1)
			q, v, a := make([]float64, len(c.joints)), make([]float64, len(c.joints)), make([]float64, len(c.joints))
			for range int(math.Round(0.45 / h)) {
				run(t, s, x, h, 1)
				robotsOf(m)[0].trajectory.At(x.Time, q, v, a)
				for i, dof := range robotsOf(m)[0].dofs {
					at := x.Q[m.Rigid.QStart(m.Rigid.LinkOfDof(dof))]
					worst[k] = max(worst[k], math.Abs(at-q[i]))
				}
			}
			if n := alloctest.PerRun(10, func() { run(t, s, x, h, 1) }); n != 0 {
				t.Errorf("%s: %g allocations a step", c.name, n)
			}
		}
		if ratio := worst[0] / worst[1]; worst[0] > 0.01 || ratio < 1.7 || ratio > 2.5 {
			t.Errorf("%s: errors %v rad: want first order", c.name, worst)
		}
	}
}

// At rest dry friction balances any effort by itself, and is not fed forward: an arm that rests has the efforts of its
// weight.
func TestFrictionIsNotFedForwardAtRest(t *testing.T) {
	for _, inverse := range []bool{false, true} {
		b := mimicArm(0.3)
		jointOf(b, "one").Friction, jointOf(b, "two").Friction = 2, 3
		b.AddDrive("d", &RobotDrive{Robot: "r", Joints: []string{"j_one"}, GravityCompensation: true, InverseDynamics: inverse})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 10)
		c1, c2 := math.Cos(0.3), math.Cos(0.54)
		near(t, fmt.Sprintf("effort, inverse dynamics %v", inverse), Effort{m.Names.Drives["d.j_one"]}.Value(s, x), 9.81*(2*0.25*c1+0.5*c1+0.2*c2+0.8*0.2*c2), 1e-6)
	}
}

// kneedParallelogram is parallelogram with a rod of two halves, whose knee stands at its upper limit and has a spring
// of moment M there.
func kneedParallelogram(q, M float64) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	addLink(b, "crank", "", aboutMinusY, at(0, 0, 1), 1, r3.Vec{0.15, 0, 0}, q)
	addLink(b, "rod", "r.crank", aboutMinusY, at(0.3, 0, 0), 0.5, r3.Vec{0, 0, -0.05}, -q)
	addLink(b, "knee", "r.rod", aboutMinusY, at(0, 0, -0.1), 0.5, r3.Vec{0, 0, -0.05}, 0)
	addLink(b, "rocker", "", aboutMinusY, at(0, 0, 0.8), 1, r3.Vec{0.15, 0, 0}, q)
	closeLoop(b, "ball", "r.knee", r3.Vec{0, 0, -0.1}, "r.rocker", r3.Vec{0.3, 0, 0})
	j := jointOf(b, "knee")
	j.Limits = &[2]float64{-1, 0}
	j.Stiffness, j.Rest = 2, M/2
	return b
}

// A loop with more motions than its drive moves, as of an adaptive finger, rests on the stop to which a spring presses
// it: the crank then carries what it would without the knee, by the principle of virtual work, and the linkage stands.
// What the spring pulls from the stop moves.
func TestFollowersRestOnTheirStops(t *testing.T) {
	const q = 0.3
	// moment on the knee that would straighten it under its weight: more than that
	b := kneedParallelogram(q, 8)
	bear(b, "j_crank")
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	near(t, "effort", Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), 9.81*math.Cos(q)*(0.15+0.3+0.15), 1e-5)
	for _, h := range []float64{1e-3, 2e-2} {
		s, x := start(t, m, 1)
		run(t, s, x, h, 20) // until constraints are loaded
		clear(x.V)
		x.EnergyReference = nil
		loaded := slices.Clone(x.Q)
		run(t, s, x, h, int(5/h))
		if far, yielded := farthest(x.Q, loaded), farthest(loaded, m.Start.Q); far > 1e-6 || yielded > 1e-4 {
			t.Errorf("h %g s: joints move by %g rad, and by %g until they are loaded", h, far, yielded)
		}
	}
	b = kneedParallelogram(q, -8)
	bear(b, "j_crank")
	m = b.MustBuild()
	s, x = start(t, m, 1)
	run(t, s, x, 5e-3, 4)
	if len(s.planner.(*robots).setpoints[0].dependents.stops.list) > 0 || x.Q[m.Rigid.QStart(m.Rigid.LinkOfDof(2))] > -1e-3 {
		t.Errorf("the knee stays at its stop, %g rad, which carries none", x.Q[2])
	}
}

// A stop of a motion that the drive has, as of the rocker of a parallelogram, carries nothing, as that of a driven
// joint does not.
func TestStopsOfDrivenMotionsCarryNothing(t *testing.T) {
	b := parallelogram("ball", 0.3)
	jointOf(b, "rocker").Limits = &[2]float64{0.3, 1}
	bear(b, "j_crank")
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	near(t, "effort", Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), 9.81*math.Cos(0.3)*(0.15+0.3+0.15), 1e-6)
}

// A link that hangs on a taut rope loads the crank which carries the rope; where its weight leaves the rope slack the
// crank carries its own.
func TestLinksHangOnRopes(t *testing.T) {
	for _, up := range []bool{false, true} {
		b := NewBuilder()
		b.RelTol = 1e-11
		addLink(b, "crank", "", aboutMinusY, at(0, 0, 1), 1, r3.Vec{0.15, 0, 0}, 0.3)
		addLink(b, "hanging", "", aboutMinusY, at(0, 0, 0.8), 1, r3.Vec{0.15, 0, 0}, 0.3)
		b.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "r.crank", B: "r.hanging"}, PointA: r3.Vec{0.3, 0, 0}, PointB: r3.Vec{0.3, 0, 0}, Rope: true})
		bear(b, "j_crank")
		want := 9.81 * math.Cos(0.3) * (0.15 + 0.15)
		if up {
			b.Gravity = r3.Vec{0, 0, 9.81}
			want = -9.81 * math.Cos(0.3) * 0.15
		}
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		near(t, fmt.Sprintf("effort, gravity up %v", up), Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), want, 1e-5)
	}
}
