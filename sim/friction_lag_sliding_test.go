package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// slid sums up the report of steps, and the friction of the contacts, N s.
func slid(t *testing.T, s *Stepper, x *State, h float64, steps int) (sum constraints.LagError, friction float64) {
	t.Helper()
	for range steps {
		run(t, s, x, h, 1)
		sum.Add(s.Report.FrictionLag)
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
		near(t, name+": allowed", sum.Allowed, mu*grav*h*steps, 0.02*mu*grav*h*steps)
		near(t, name+": given", sum.Allowed-sum.Lacking+sum.Excess, friction, 1e-3*friction)
		if sum.Lacking+sum.Excess > 0.01*sum.Allowed {
			t.Errorf("%s: lacks %g, exceeds %g of %g N s", name, sum.Lacking, sum.Excess, sum.Allowed)
		}
	}
}

// In the step of an impact the bound of the geometry is zero, and all friction is missing: the
// report counts it. The default bound gives it.
func TestImpactsLackFrictionByTheGeometryOnly(t *testing.T) {
	const h = 2e-3
	s, x := skidding(t, FrictionLagGeometry)
	sum, friction := slid(t, s, x, h, 1)
	near(t, "given", sum.Allowed-sum.Lacking+sum.Excess, friction, 1e-6)
	if s.Report.LackingFriction < 0.999 || sum.Lacking < 0.9*sum.Allowed {
		t.Errorf("of the geometry: %+v, largest share %g", sum, s.Report.LackingFriction)
	}
	if b := s.Report.LackingBodies; s.BodyName(max(b[0], b[1])) != "ball" {
		t.Errorf("the contact is that of bodies %d", b)
	}
	for _, lag := range []FrictionLag{FrictionLagAuto, FrictionLagSweep} {
		s, x = skidding(t, lag)
		sum, friction = slid(t, s, x, h, 1)
		near(t, "of a sweep", sum.Allowed, friction, 1e-3*friction)
		if s.Report.LackingFriction > lagTol || sum.Lacking+sum.Excess > lagTol*sum.Allowed || sum.Allowed < 0.4*0.4 {
			t.Errorf("lag %d gives %+v", lag, sum)
		}
	}
}
