package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// Four corners, each a spring k in series with the ground's: the box sinks by
// φ = m g/(4 · k/2), and the contact forces add up to its weight.
func TestBoxSinksIntoGroundByHooke(t *testing.T) {
	w := newScaffold(t)
	w.RelTol = 1e-12
	const k, m = 2e4, 1.5
	mat := w.material(k, 10, 0.5)
	w.ground(mat)
	b := w.body("box", w.box(0.1, 0.2, 0.1), m, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	run(t, s, x, 0.01, 1000)
	near(t, "sinkage", 0.05-s.kin.Pose(b).P[2], m*grav/(4*k/2), 1e-12)
	nearVec(t, "contact force", contactForce(s, x, b), r3.Vec{0, 0, m * grav}, 1e-8)
	if n := len(s.Report.Contacts()); n != 4 {
		t.Errorf("%d contacts, want 4", n)
	}
}

// Friction acts at the point of contact, about which angular momentum is kept: a
// ball pushed off at U0 without spin ends rolling at v = 5/7 U0.
func TestSphereEndsRollingAtFiveSeventhsOfItsSpeed(t *testing.T) {
	w := newScaffold(t)
	const R, U0, m, k = 0.1, 1.0, 1.0, 1e6
	mat := w.material(k, 10, 0.5)
	w.ground(mat)
	sink := m * grav / (k / 2)
	b := w.body("ball", w.sphere(R), m, at(0, 0, R-sink), r3.Vec{}, r3.Vec{U0, 0, 0}, mat)
	s, x := w.build()
	run(t, s, x, 1e-3, 500)
	om, v := s.rigid.Velocity(b)
	near(t, "velocity", v[0], U0*5/7, 2e-4)
	near(t, "slip", v[0]-om[1]*R, 0, 1e-3)
}

// A block at v stops after v²/(2 μ g).
func TestSlidingBlockStopsAtV2Over2MuG(t *testing.T) {
	w := newScaffold(t)
	const v, mu, m, k = 1.0, 0.4, 1.0, 1e5
	w.Contact = constraints.Lagged{StictionTolerance: 1e-5}
	mat := w.material(k, 10, mu)
	w.ground(mat)
	b := w.body("block", w.box(0.2, 0.2, 0.02), m, at(0, 0, 0.01-m*grav/(4*k/2)), r3.Vec{}, r3.Vec{v, 0, 0}, mat)
	s, x := w.build()
	run(t, s, x, 2e-4, 2000)
	want := v * v / (2 * mu * grav)
	near(t, "way", s.kin.Pose(b).P[0], want, 1e-3*want)
	u := Velocity{Point: Point{Body: b}, Of: X, Ref: -1}.Value(s, x)
	near(t, "velocity", u, 0, 1e-6)
}

// On an incline θ with T = m g sin θ and N = m g cos θ a body holds when
// tan θ < μ, creeping at v = ε T/√((μN)² − T²); else it slides with
// a = g (sin θ − μ cos θ).
func TestInclineSticksBelowTheAngleOfFriction(t *testing.T) {
	const m, mu, k, eps, h = 1.0, 0.5, 1e5, 1e-4, 1e-3
	for _, tan := range []float64{0.2, 0.45, 0.49, 0.6, 1} {
		t.Run(fmt.Sprint(tan), func(t *testing.T) {
			theta := math.Atan(tan)
			sin, cos := math.Sin(theta), math.Cos(theta)
			w := newScaffold(t)
			w.Contact = constraints.Lagged{StictionTolerance: eps}
			mat := w.material(k, 10, mu)
			w.Gravity = r3.Vec{grav * sin, 0, -grav * cos}
			w.ground(mat)
			b := w.body("block", w.box(0.2, 0.2, 0.02), m, at(0, 0, 0.01-m*grav*cos/(4*k/2)), r3.Vec{}, r3.Vec{}, mat)
			s, x := w.build()
			run(t, s, x, h, 500)
			_, v1 := s.rigid.Velocity(b)
			run(t, s, x, h, 500)
			_, v2 := s.rigid.Velocity(b)
			if tan < mu {
				T, N := m*grav*sin, m*grav*cos
				want := eps * T / math.Sqrt(mu*N*mu*N-T*T)
				near(t, "creep", v2[0], want, 1e-3*want)
				return
			}
			want := grav * (sin - mu*cos)
			near(t, "acceleration", (v2[0]-v1[0])/0.5, want, 1e-3*want)
		})
	}
}

// Ten boxes stand for 10 s at h = 10 ms: the top neither drifts nor turns, and
// each interface carries the weight above it.
func TestStackOfTenStands(t *testing.T) {
	w := newScaffold(t)
	const m, k = 1.0, 1e6
	stack(w, 10, m, k)
	s, x := w.build()
	const h = 0.01
	run(t, s, x, h, 100)
	early := append([]r3.Pose(nil), s.Geometry.X_WB...)
	n := 900
	if testing.Short() {
		n = 100
	}
	run(t, s, x, h, n)
	for i, X := range s.Geometry.X_WB {
		nearVec(t, "drift", X.P, early[i].P, 1e-7)
		near(t, "turn", X.R.T().Mul(early[i].R).Quat().Log().Norm(), 0, 1e-7)
		f := ContactForce{On: i, From: []int{i - 1}, Of: Z}.Value(s, x)
		near(t, "load", f, float64(10-i)*m*grav, 1e-4*m*grav)
	}
}

// stack piles n boxes of mass m.
func stack(w *scaffold, n int, m, k float64) {
	mat := w.material(k, 20, 0.5)
	w.ground(mat)
	for i := range n {
		w.body(fmt.Sprintf("box %d", i), w.box(0.1, 0.1, 0.1), m, at(0, 0, 0.05+0.1*float64(i)), r3.Vec{}, r3.Vec{}, mat)
	}
}
