package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// fourBar appends a crank a, a coupler b and a rocker c on a base d, all at
// angles about y that close the loop, and returns them: the crank at 0 points up.
func fourBar(w *scaffold, a, b, c, d float64) (crank, coupler, rocker int, theta0 [3]float64) {
	th := math.Pi / 2 // of the crank, from the base line
	beta, gamma := closedForm(a, b, c, d, th)
	bar := func(name string, parent int, X_PF r3.Pose, l float64) int {
		return w.link(rigid.LinkSpec{
			Name: name, Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{0, -1, 0}}, X_PF: X_PF,
			Mass: 0.2, Com_B: r3.Vec{l / 2, 0, 0}, Inertia_B: r3.Diag(r3.Vec{1e-5, 1e-3, 1e-3}),
		})
	}
	crank = bar("crank", rigid.World, at(0, 0, 0), a)
	coupler = bar("coupler", crank, at(a, 0, 0), b)
	rocker = bar("rocker", rigid.World, at(d, 0, 0), c)
	w.setQ(crank, th)
	w.setQ(coupler, beta-th)
	w.setQ(rocker, gamma)
	return crank, coupler, rocker, [3]float64{th, beta, gamma}
}

// closedForm returns the angles of coupler and rocker from the base line at the
// crank's θ: the tip of the crank and the rocker's pivot, e apart, with b and c
// make a triangle.
func closedForm(a, b, c, d, theta float64) (beta, gamma float64) {
	ex, ez := d-a*math.Cos(theta), -a*math.Sin(theta)
	e := math.Hypot(ex, ez)
	beta = math.Atan2(ez, ex) + math.Acos((b*b+e*e-c*c)/(2*b*e))
	gamma = math.Atan2(a*math.Sin(theta)+b*math.Sin(beta), a*math.Cos(theta)+b*math.Cos(beta)-d)
	return beta, gamma
}

// A four-bar linkage closed by a ball, a weld to a stub or a rod of the rocker's
// length moves as its closed form says.
func TestLoopsMoveAsClosedFormSays(t *testing.T) {
	long(t)
	const a, b, c, d = 0.1, 0.25, 0.2, 0.3
	closures := map[string]func(w *scaffold, coupler, rocker int) constraints.Constraint{
		"ball": func(_ *scaffold, coupler, rocker int) constraints.Constraint {
			return &constraints.Ball{A: constraints.Anchor{Body: coupler, Pos_B: r3.Vec{b, 0, 0}}, B: constraints.Anchor{Body: rocker, Pos_B: r3.Vec{c, 0, 0}}}
		},
		"weld": func(w *scaffold, coupler, rocker int) constraints.Constraint {
			// a stub that turns on the rocker's tip is welded to the coupler
			th := math.Pi / 2
			beta, gamma := closedForm(a, b, c, d, th)
			stub := w.link(rigid.LinkSpec{
				Name: "stub", Parent: rocker, Joint: rigid.Revolute{Axis: r3.Vec{0, -1, 0}}, X_PF: at(c, 0, 0),
				Mass: 0.01, Inertia_B: r3.Diag(r3.Vec{1e-6, 1e-6, 1e-6}),
			})
			w.setQ(stub, beta-gamma)
			return &constraints.Weld{A: coupler, B: stub, X_AP: at(b, 0, 0), X_BQ: r3.PoseIdentity()}
		},
		"rod": func(_ *scaffold, coupler, rocker int) constraints.Constraint {
			return &constraints.Distance{A: constraints.Anchor{Body: coupler, Pos_B: r3.Vec{b, 0, 0}}, B: constraints.Anchor{Body: geometry.World, Pos_B: r3.Vec{d, 0, 0}}, Length: c}
		},
	}
	for name, closure := range closures {
		t.Run(name, func(t *testing.T) {
			w := newScaffold(t)
			crank, coupler, rocker, _ := fourBar(w, a, b, c, d)
			w.constrain(closure(w, coupler, rocker))
			w.setV(crank, 6)
			m := w.model()
			// start with the loop's own velocities, by differences of the closed form
			e := 1e-6
			b1, g1 := closedForm(a, b, c, d, math.Pi/2+6*e)
			b0, g0 := closedForm(a, b, c, d, math.Pi/2-6*e)
			v := m.Start.V
			v[m.Rigid.VStart(coupler)] = (b1-b0)/(2*e) - 6
			v[m.Rigid.VStart(rocker)] = (g1 - g0) / (2 * e)
			if n := m.Rigid.NumLinks(); n > 3 {
				v[m.Rigid.VStart(3)] = (b1 - b0 - g1 + g0) / (2 * e)
			}
			s, x := start(t, m, 1)
			turned := 0.0
			for range 2000 {
				run(t, s, x, 5e-4, 1)
				th := x.Q[m.Rigid.QStart(crank)]
				beta, gamma := closedForm(a, b, c, d, th)
				near(t, "coupler", th+x.Q[m.Rigid.QStart(coupler)], beta, 2e-4)
				if name != "rod" {
					near(t, "rocker", x.Q[m.Rigid.QStart(rocker)], gamma, 2e-4)
				}
				turned = max(turned, math.Abs(th-math.Pi/2))
				if t.Failed() {
					t.FailNow()
				}
			}
			if turned < 2*math.Pi {
				t.Errorf("the crank turned by %g rad only", turned)
			}
		})
	}
}

// A weight on a rope: free while slack, then kept at the rope's length with a
// pull of its weight.
func TestRopeHoldsOnlyWhenTaut(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	b := w.body("weight", w.sphere(0.05), 2, at(0, 0, -0.5), r3.Vec{}, r3.Vec{}, mat)
	rope := &constraints.Distance{A: constraints.Anchor{Body: geometry.World}, B: constraints.Anchor{Body: b}, Length: 1, Rope: true}
	w.constrain(rope)
	s, x := w.build()
	const h = 1e-3
	run(t, s, x, h, 100)
	near(t, "slack: fallen", -0.5-s.kin.Pose(b).P[2], 0.5*grav*h*h*100*101, 1e-12)
	run(t, s, x, h, 1000)
	near(t, "taut: height", s.kin.Pose(b).P[2], -1, 1e-6)
	near(t, "pull", rope.Tension(&s.Problem, s.Term(0)), 2*grav, 1e-6)
}
