package sim

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// busy is a scene with everything: boxes that fall on each other, a deformable
// that lands, a pendulum with a drive and a limit, a deformable attached to it.
func busy(w *scaffold) {
	w.Contact = constraints.Lagged{StictionTolerance: 1e-3}
	mat := w.material(1e5, 5, 0.5)
	w.mat(mat).PressureGradient = 1e8
	w.ground(mat)
	w.body("low", w.box(0.1, 0.1, 0.1), 1, at(0.3, 0, 0.051), r3.Vec{}, r3.Vec{}, mat)
	w.body("top", w.box(0.1, 0.1, 0.1), 1, at(0.32, 0.01, 0.152), r3.Vec{}, r3.Vec{0.2, 0, 0}, mat)
	w.body("ball", w.sphere(0.05), 1, at(-0.3, 0, 0.08), r3.Vec{0, 3, 0}, r3.Vec{0.3, 0.1, -0.2}, mat)
	arm := w.link(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0, 0, 0.6),
		Mass: 0.5, Com_B: r3.Vec{0, 0, -0.1}, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}),
	})
	w.setQ(arm, 0.3)
	hand := w.link(rigid.LinkSpec{
		Name: "hand", Parent: arm, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, -1}}, X_PF: at(0, 0, -0.1),
		Mass: 0.2, Inertia_B: r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4}),
	})
	w.spec(hand).Joint.Limits = &[2]float64{0, 0.35}
	w.geom(hand, at(0, 0, 0), w.box(0.06, 0.06, 0.02), mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{}, mat, damped(2e-3))
	w.AddDrive("swing", &JointDrive{Joint: "arm", Kp: 2, Kd: 0.2, Target: motion.Constant(-0.5)})
	w.AddDrive("reach", &JointDrive{Joint: "hand", Kp: 60, Kd: 5, Target: motion.Constant(0.45), Effort: motion.Constant(8)})
}

// move puts the whole scene, with its gravity, at X.
func move(b *Builder, X r3.Pose) {
	b.Gravity = X.R.MulVec(b.Gravity)
	for i := range b.shapes {
		if s := b.shapes[i]; s.on == worldName {
			s.spec.Pose = X.Mul(s.spec.Pose)
		}
	}
	for _, body := range b.bodies {
		s := &body.spec
		if s.Joint == nil {
			s.Pose = X.Mul(s.Pose)
			s.Velocity, s.AngularVelocity = X.R.MulVec(s.Velocity), X.R.MulVec(s.AngularVelocity)
		} else if s.Joint.Parent == "" {
			s.Joint.Frames.X_PF = X.Mul(s.Joint.Frames.X_PF)
		}
	}
	for _, d := range b.deformables {
		d.spec.Pose, d.spec.Velocity = X.Mul(d.spec.Pose), X.R.MulVec(d.spec.Velocity)
	}
}

// places returns the positions of all bodies and vertices in units of L, moved
// back by X.
func places(s *Stepper, X r3.Pose, L float64) (p []r3.Vec) {
	for _, X_WB := range s.Geometry.X_WB {
		p = append(p, X.InvPoint(X_WB.P).Scale(1/L))
	}
	for _, x := range s.Geometry.X_W {
		for _, q := range x {
			p = append(p, X.InvPoint(q).Scale(1/L))
		}
	}
	return p
}

// apart steps the busy scene, and the same moved by X and shrunk by L, and returns how
// far apart they get, in units of L.
func apart(t *testing.T, X r3.Pose, L, relTol, h float64, n int) float64 {
	a, b := newScaffold(t), newScaffold(t)
	for _, w := range []*scaffold{a, b} {
		w.RelTol = relTol
		busy(w)
	}
	rescale(b.Builder, units{L, L * L * L, 1})
	move(b.Builder, X)
	sa, xa := a.build()
	sb, xb := b.build()
	worst, contacts := 0.0, 0
	for range n {
		run(t, sa, xa, h, 1)
		run(t, sb, xb, h, 1)
		contacts = max(contacts, len(sa.Report.Contacts()))
		pb := places(sb, X, L)
		for i, p := range places(sa, r3.PoseIdentity(), 1) {
			worst = max(worst, p.Sub(pb[i]).Norm())
		}
	}
	if contacts < 8 {
		t.Fatalf("only %d contacts", contacts)
	}
	return worst
}

// The laws depend on no place and no direction: with gravity turned along, the motion is
// the same.
func TestTurnedWorldMovesAlike(t *testing.T) {
	X := r3.Pose{R: r3.RotRPY(0.5, -0.8, 2), P: r3.Vec{0.5, -1, 0.7}}
	near(t, "distance", apart(t, X, 1, 1e-13, 2e-3, 150), 0, 1e-8)
}

// Lengths, masses and forces made small together, with the same times, give the same motion.
func TestSmallWorldMovesAlike(t *testing.T) {
	for _, L := range []float64{0.5, 0.1, 1e-2, 1e-3} {
		near(t, fmt.Sprintf("distance at 1:%g, in its units", 1/L), apart(t, r3.PoseIdentity(), L, 1e-12, 2e-3, 150), 0, 1e-8)
	}
}
