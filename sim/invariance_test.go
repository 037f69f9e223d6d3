package sim

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// busy is a scene with everything: boxes that fall on each other, a deformable
// that lands, a pendulum with a drive and a limit, a deformable attached to it.
func busy(w *world) {
	l, l4 := w.L, w.L*w.L*w.L*w.L
	w.m.Contact = constraints.Lagged{StictionTolerance: 1e-3 * l}
	mat := w.material(1e5, 5, 0.5)
	w.mats[mat].PressureGradient = 1e8 * l
	w.ground(mat)
	w.body("low", w.box(0.1, 0.1, 0.1), 1, at(0.3, 0, 0.051), r3.Vec{}, r3.Vec{}, mat)
	w.body("top", w.box(0.1, 0.1, 0.1), 1, at(0.32, 0.01, 0.152), r3.Vec{}, r3.Vec{0.2, 0, 0}, mat)
	w.body("ball", w.sphere(0.05), 1, at(-0.3, 0, 0.08), r3.Vec{0, 3, 0}, r3.Vec{0.3, 0.1, -0.2}, mat)
	arm := w.link(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0, 0, 0.6),
		Mass: 0.5, Com_B: r3.Vec{0, 0, -0.1}, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}),
	})
	w.q[arm] = []float64{0.3}
	w.g.ExcludedPairs = append(w.g.ExcludedPairs, [2]int{-1, arm})
	hand := w.link(rigid.LinkSpec{
		Name: "hand", Parent: arm, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, -1}}, X_PF: at(0, 0, -0.1),
		Mass: 0.2, Inertia_B: r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4}),
	})
	w.geom(hand, at(0, 0, 0), w.box(0.06, 0.06, 0.02), mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{}, mat, damped(2e-3))
	trees := must(w.trees.Build())
	a, h := trees.VStart(arm), trees.VStart(hand)
	w.constrain(
		&constraints.PD{Dof: a, Kp: 2 * l4 * l, Kd: 0.2 * l4 * l, Target: constraints.Hold(-0.5)},
		&constraints.PD{Dof: h, Kp: 60 * l4 / l, Kd: 5 * l4 / l, Min: -8 * l4, Max: 8 * l4, Target: constraints.Hold(0.45 * l)},
		&constraints.Limit{Dof: h, Lower: 0, Upper: 0.35 * l},
	)
}

// places returns the positions of all bodies and vertices in units of L, moved
// back by X.
func places(w *world, s *Stepper) (p []r3.Vec) {
	for _, X := range s.Geometry.X_WB {
		p = append(p, w.X.InvPoint(X.P).Scale(1/w.L))
	}
	for _, soft := range s.Geometry.X_W {
		for _, q := range soft {
			p = append(p, w.X.InvPoint(q).Scale(1/w.L))
		}
	}
	return p
}

// apart steps two worlds of the same calls and returns how far apart they get.
func apart(t *testing.T, a, b *world, h float64, n int) float64 {
	sa, xa := a.build()
	sb, xb := b.build()
	worst, contacts := 0.0, 0
	for range n {
		run(t, sa, xa, h, 1)
		run(t, sb, xb, h, 1)
		contacts = max(contacts, len(sa.Report.Contacts()))
		pb := places(b, sb)
		for i, p := range places(a, sa) {
			worst = max(worst, p.Sub(pb[i]).Norm())
		}
	}
	if contacts < 8 {
		t.Fatalf("only %d contacts", contacts)
	}
	return worst
}

// The laws know no place and no direction: with gravity turned along, all moves
// alike.
func TestTurnedWorldMovesAlike(t *testing.T) {
	scene := func(X r3.Pose) *world {
		w := newWorld(t)
		w.X, w.m.RelTol = X, 1e-13
		busy(w)
		return w
	}
	d := apart(t, scene(r3.PoseIdentity()), scene(r3.Pose{R: r3.RotRPY(0.5, -0.8, 2), P: r3.Vec{0.5, -1, 0.7}}), 2e-3, 150)
	near(t, "distance", d, 0, 1e-8)
}

// Lengths, masses and forces made small together, with the same times, give the
// same motion. What has a length of its own is how far ahead contact looks, 1 µm
// at least: it decides which faces of a deformable are among its contacts, so
// that worlds differ by that length, not by more.
func TestSmallWorldMovesAlike(t *testing.T) {
	scene := func(L float64) *world {
		w := newWorld(t)
		w.L, w.m.RelTol = L, 1e-12
		busy(w)
		return w
	}
	const ahead = 1e-6 // m
	for _, L := range []float64{0.5, 0.1, 1e-2, 1e-3} {
		d := apart(t, scene(1), scene(L), 2e-3, 150)
		near(t, fmt.Sprintf("distance in the real world at 1:%g", 1/L), d*L, 0, 2*ahead)
	}
}
