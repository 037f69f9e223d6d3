package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// brick returns a link that is a full box with its joint at p_PF on the parent.
func brick(name string, parent int, j Joint, m float64, size, p_PF, com r3.Vec) LinkSpec {
	x, y, z := size[0]*size[0], size[1]*size[1], size[2]*size[2]
	return LinkSpec{
		Name: name, Parent: parent, Joint: j, X_PF: r3.Pose{R: r3.Identity(), P: p_PF},
		Mass: m, Com_B: com, Inertia_B: r3.Diag(r3.Vec{y + z, x + z, x + y}).Scale(m / 12),
	}
}

// boxWithPendulum returns a box of 1 kg that tumbles at 10 rad/s and carries a pendulum of
// mass m.
func boxWithPendulum(t testing.TB, m float64) *world {
	w := newWorld(build(t,
		brick("box", World, Floating{}, 1, r3.Vec{0.1, 0.15, 0.25}, r3.Vec{}, r3.Vec{}),
		brick("bob", 0, Revolute{Axis: yAxis}, m, r3.Vec{0.01, 0.01, 0.05}, r3.Vec{0.05, 0, -0.1}, r3.Vec{0, 0, -0.05})))
	copy(w.v, []float64{6, 7, 4})
	return w
}

// jumper returns a body of ten links that tumbles, limbs loose.
func jumper(t testing.TB) *world {
	links := []LinkSpec{
		brick("torso", World, Floating{}, 30, r3.Vec{0.2, 0.3, 0.5}, r3.Vec{}, r3.Vec{}),
		brick("head", 0, Ball{}, 5, r3.Vec{0.2, 0.2, 0.25}, r3.Vec{0, 0, 0.25}, r3.Vec{0, 0, 0.15}),
	}
	for _, side := range []float64{1, -1} {
		n := len(links)
		links = append(links,
			brick("upper arm", 0, Ball{}, 2.5, r3.Vec{0.08, 0.08, 0.3}, r3.Vec{0, 0.18 * side, 0.22}, r3.Vec{0, 0, -0.15}),
			brick("forearm", n, Revolute{Axis: yAxis}, 1.5, r3.Vec{0.07, 0.07, 0.3}, r3.Vec{0, 0, -0.3}, r3.Vec{0, 0, -0.15}),
			brick("thigh", 0, Ball{}, 8, r3.Vec{0.12, 0.12, 0.4}, r3.Vec{0, 0.1 * side, -0.25}, r3.Vec{0, 0, -0.2}),
			brick("shank", n+2, Revolute{Axis: yAxis}, 4, r3.Vec{0.1, 0.1, 0.4}, r3.Vec{0, 0, -0.4}, r3.Vec{0, 0, -0.2}))
	}
	w := newWorld(build(t, links...))
	r := newRand(3)
	for k := range w.v {
		w.v[k] = 2 * r.NormFloat64()
	}
	copy(w.v, []float64{4, 5, 3, 0.3, 0.2, -0.1})
	return w
}

// The momenta of a free tree are constant to round-off whatever its joints do; weight adds
// h m g to the linear one in every step.
func TestFloatingTreesKeepTheirMomenta(t *testing.T) {
	trees := []*world{boxWithPendulum(t, 1e-3), boxWithPendulum(t, 1), jumper(t), floatingChain(t)}
	turned := floatingChain(t)
	turned.gravity = gravity
	for i, w := range append(trees, turned) {
		const h, n = 0.01, 500
		p0, L0, _, _ := w.state(h)
		scale := p0.Norm() + w.compositeInertia[0].mass*w.gravity.Norm()*h*n + L0.Norm()
		for k := range n {
			w.step(t, h, nil)
			p, L, _, _ := w.state(h)
			want := p0.AddScaled(w.t*w.compositeInertia[0].mass, w.gravity)
			if e := p.Sub(want).Norm() + L.Sub(L0).Norm(); !(e <= 2e-14*scale*float64(k+10)) {
				t.Fatalf("tree %d step %d: momenta are off by %g of %g", i, k, e, scale)
			}
		}
	}
}

// Trees that tumble at 0.1 rad a step gain no energy in 20 s.
func TestTumblingTreesGainNoEnergy(t *testing.T) {
	for _, c := range []struct {
		name string
		w    *world
		h    float64
		most float64
		late float64 // least energy kept
	}{
		{"box with a pendulum of a gram", boxWithPendulum(t, 1e-3), 0.01, 1e-6, -0.15},
		{"box with a pendulum of its mass", boxWithPendulum(t, 1), 0.01, 0.01, -0.3},
		{"jumper at 10 ms", jumper(t), 0.01, 0.05, -0.15},
		{"jumper at 5 ms", jumper(t), 0.005, 0.01, -0.1},
		{"jumper at 2 ms", jumper(t), 0.002, 0.005, -0.1},
	} {
		most, _, late := c.w.extremes(t, 20, c.h)
		if !(most <= c.most && late >= c.late && late <= c.most) {
			t.Errorf("%s: energy grows by up to %g and is off by %g after 20 s", c.name, most, late)
		}
	}
}

// A pendulum of negligible mass does not change the tumbling of its body.
func TestLightPendulumLeavesItsBodyAlone(t *testing.T) {
	alone := newWorld(build(t, brick("box", World, Floating{}, 1, r3.Vec{0.1, 0.15, 0.25}, r3.Vec{}, r3.Vec{})))
	w := boxWithPendulum(t, 1e-12)
	copy(alone.v, w.v[:6])
	for range 200 {
		alone.step(t, 0.01, nil)
		w.step(t, 0.01, nil)
	}
	for k, v := range alone.v[:3] {
		if math.Abs(w.v[k]-v) > 1e-8 {
			t.Errorf("ω[%d] = %.12g, alone %.12g", k, w.v[k], v)
		}
	}
}

// Efforts on the floating link change momenta by h times them, about the centre of
// mass.
func TestEffortsOnTheFloatingLinkPushTheTree(t *testing.T) {
	w := floatingChain(t)
	const h = 0.01
	p0, L0, c0, _ := w.state(h)
	tau := make([]float64, len(w.v))
	copy(tau, []float64{1, -2, 3, 4, 5, -6})
	X_WF := w.m.links[0].X_PF
	torque, force := X_WF.R.MulVec(r3.Vec(tau[:3])), X_WF.R.MulVec(r3.Vec(tau[3:6]))
	p_WM := X_WF.Point(r3.Vec(w.q[4:7]))
	w.step(t, h, tau)
	p, L, _, _ := w.state(h)
	if e := p.Sub(p0.AddScaled(h, force)).Norm(); e > 1e-12 {
		t.Errorf("momentum is off by %g", e)
	}
	want := L0.AddScaled(h, torque.Add(p_WM.Sub(c0).Cross(force)))
	if e := L.Sub(want).Norm(); e > 1e-12 {
		t.Errorf("angular momentum is off by %g", e)
	}
}

func TestFreeMotionOfTreesDoesNotAllocate(t *testing.T) {
	for _, w := range []*world{jumper(t), spinningTop(t)} {
		var p cliques.Problem
		step := func() {
			w.Place(0, 0.01, w.q, w.v)
			p.Reset(0, 0.01)
			w.FreeMotion(gravity, nil, &p)
		}
		step()
		if n := alloctest.PerRun(50, step); n != 0 {
			t.Errorf("%g allocations", n)
		}
	}
}
