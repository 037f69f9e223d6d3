package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// driven returns a stepper of a hinge of an inertia under a controller, without weight.
func driven(t *testing.T, inertia float64, c *constraints.PD) (*Stepper, *State) {
	t.Helper()
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.RelTol = 0
	w.link(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}},
		Mass: inertia, Inertia_B: r3.Diag(r3.Vec{inertia, inertia, inertia}),
	})
	w.constrain(c)
	return w.build()
}

// At rest a load τ deflects a joint by τ/Kp, whatever inertia, step and damping, and a drive
// of velocity lags by τ/Kd. The load is the feed-forward of the controller.
func TestControllersCarryLoadsByTheirGains(t *testing.T) {
	const load = 0.5
	push := func(float64) float64 { return load }
	for _, inertia := range []float64{1e-9, 1e-6, 1e-3, 1, 1e3} {
		for _, h := range []float64{1e-4, 2e-3, 2e-2} {
			for _, kp := range []float64{1e-2, 1, 100, 1e5, 1e8} {
				for _, ratio := range []float64{0, 1e-3, 0.1} { // Kd/Kp, s
					// the implicit step of inertia, spring and damper from there and beside there
					s, x := driven(t, inertia, &constraints.PD{Kp: kp, Kd: ratio * kp, FeedForward: push})
					x.Q[0] = load / kp
					run(t, s, x, h, 50)
					near(t, "deflection over τ/Kp at rest", x.Q[0]*kp/load, 1, 1e-12)
					x.Q[0] = 3 * load / kp
					for range 200 {
						q, v := x.Q[0], x.V[0]
						run(t, s, x, h, 1)
						want := (inertia*v + h*(load-kp*q)) / (inertia + h*(h*kp+ratio*kp))
						if e := math.Abs(x.V[0] - want); !(e <= 1e-9*(math.Abs(v)+load/(kp*h))) {
							t.Fatalf("I %g, h %g, Kp %g, Kd/Kp %g: v %g, want %g", inertia, h, kp, ratio, x.V[0], want)
						}
						if d := math.Abs(x.Q[0]*kp/load - 1); !(d <= 2.0000001) {
							t.Fatalf("I %g, h %g, Kp %g, Kd/Kp %g: %g times the deflection away", inertia, h, kp, ratio, d)
						}
					}
				}
			}
			for _, kd := range []float64{1e-2, 1, 1e4, 1e8} {
				s, x := driven(t, inertia, &constraints.PD{Kd: kd, FeedForward: push})
				x.V[0] = load / kd
				run(t, s, x, h, 10)
				near(t, "lag of velocity over τ/Kd", x.V[0]*kd/load, 1, 1e-9)
			}
		}
	}
}

// Two light links under stiff controllers carry a load at the tip where statics says, and
// a step of the target is followed without overshoot.
func TestStiffControllersOfAnArmStandAndFollow(t *testing.T) {
	for _, kp := range []float64{10, 1e4, 1e8} {
		w := newScaffold(t)
		w.RelTol = 0
		const m, l = 1e-3, 0.1
		parent := rigid.World
		for i, X := range []r3.Pose{at(0, 0, 0), at(l, 0, 0)} {
			parent = w.link(rigid.LinkSpec{
				Name: []string{"upper", "fore"}[i], Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{0, -1, 0}}, X_PF: X,
				Mass: m, Com_B: r3.Vec{l, 0, 0}, Inertia_B: r3.Diag(r3.Vec{1e-9, 1e-9, 1e-9}),
			})
		}
		target := 0.0
		for dof := range 2 {
			w.constrain(&constraints.PD{Dof: dof, Kp: kp, Kd: kp / 100, Target: movingTarget{&target}})
		}
		s, x := w.build()
		const h, g = 2e-3, 9.81
		run(t, s, x, h, 3000)
		q := x.Q
		fore := m * g * l * math.Cos(q[0]+q[1])
		near(t, "torque of the forearm", -kp*q[1]/fore, 1, 1e-6)
		near(t, "torque of the upper arm", -kp*q[0]/(fore+2*m*g*l*math.Cos(q[0])), 1, 1e-6)
		target = 0.5
		for range 500 {
			run(t, s, x, h, 1)
			if !(q[0] < 0.5+1e-9 && q[1] < 0.5+1e-9) {
				t.Fatalf("Kp %g: overshoots to %g", kp, q)
			}
		}
		near(t, "angle reached", q[0], 0.5, 1e-3+3*m*g*l/kp)
	}
}

// movingTarget is a target that a test moves.
type movingTarget struct{ x *float64 }

func (m movingTarget) At(float64) (x, dx float64) { return *m.x, 0 }
