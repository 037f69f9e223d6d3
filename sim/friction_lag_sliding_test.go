package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// slid sums up the report of steps, and the friction of the contacts, N s.
func slid(t *testing.T, s *Stepper, x *State, h float64, steps int) (sum constraints.SlidingFriction, friction float64) {
	t.Helper()
	for range steps {
		run(t, s, x, h, 1)
		sum.Add(s.Report.Sliding)
		for _, c := range s.Report.Contacts() {
			friction += h * c.Force_W.Sub(c.Normal_W.Scale(c.Normal)).Norm()
		}
	}
	return sum, friction
}

// The friction of a block that slides on a plane is that of the report, without deficit.
func TestSlidingBlocksLackNoFriction(t *testing.T) {
	const h, steps, mu = 2e-3, 100, 0.5
	blocks := map[string]*scaffold{"points": newScaffold(t), "pressure": pressing(t, constraints.Lagged{}), "deformable": newScaffold(t)}
	mat := blocks["points"].material(1e6, 20, mu)
	blocks["points"].ground(mat)
	blocks["points"].body("box", blocks["points"].box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05-grav/(4*5e5)), r3.Vec{}, r3.Vec{2, 0, 0}, mat)
	blocks["pressure"].setV(0, 0, 0, 0, 2, 0, 0)
	mat = blocks["deformable"].material(1e6, 20, mu)
	blocks["deformable"].ground(mat)
	blocks["deformable"].soft("cube", cube, [3]int{2, 2, 2}, 1e6, at(0, 0, 0.05), r3.Vec{2, 0, 0}, mat, heavy)
	for name, w := range blocks {
		s, x := w.build()
		run(t, s, x, h, 50) // settle
		sum, friction := slid(t, s, x, h, steps)
		near(t, name+": allowed", sum.Bound, mu*grav*h*steps, 0.02*mu*grav*h*steps)
		near(t, name+": given", sum.Bound-sum.Deficit, friction, 1e-3*friction)
		if math.Abs(sum.Deficit) > 0.01*sum.Bound {
			t.Errorf("%s: lacks %g of %g N s", name, sum.Deficit, sum.Bound)
		}
	}
}

// An impact of rigid bodies has no friction in its step however short that is: it is
// left out, the box beside it is not.
func TestImpactsAreNoSliding(t *testing.T) {
	const h = 2e-3
	s, x := skidding(t, FrictionLagGeometry)
	sum, friction := slid(t, s, x, h, 1)
	near(t, "allowed", sum.Bound, 0.4*grav*h, 1e-3*0.4*grav*h)
	near(t, "given", sum.Bound-sum.Deficit, friction, 1e-6)
	s, x = skidding(t, FrictionLagSweep)
	sum, friction = slid(t, s, x, h, 1)
	near(t, "of a sweep", sum.Bound, friction, 1e-6*friction)
	if sum.Deficit != 0 || sum.Bound < 0.4*0.4 {
		t.Errorf("a sweep gives %+v", sum)
	}
}
