package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A cube at rest on a cushion sinks by its weight over both compliances in series,
// δ = m g/(A g), 1/g = 1/g_field + 1/g_layer; on a hard one by that of its layer.
func TestDeformableSinksIntoACushion(t *testing.T) {
	long(t)
	const layer = 1e7
	for _, slope := range []float64{1e6, 1e7, 1e13} {
		w := newScaffold(t)
		w.contactMaterial(constraints.DefaultContactMaterial())
		w.mat(0).PressureGradient, w.mat(0).Friction, w.mat(0).Dissipation = 0, 0, 20
		w.contactMaterial(*w.mat(0))
		w.mat(0).HydroelasticModulus = slope * 0.1
		w.mat(1).PressureGradient = layer
		w.HydroelasticMargin = ptr(1e-4)
		w.geom(geometry.World, r3.PoseIdentity(), geometry.HalfSpace{Thickness: 0.1}, 0)
		body := w.soft("cube", cube, [3]int{3, 3, 3}, 2e5, at(0, 0, 0.05), r3.Vec{}, 1, heavy)
		s, x := w.build()
		run(t, s, x, 5e-3, 400)
		nearVec(t, "force", contactForce(s, x, body), r3.Vec{0, 0, grav}, 1e-4*grav)
		want := grav / 0.01 * (1/slope + 1/layer)
		area, sum := 0.0, 0.0
		for i := range s.Report.Contacts() {
			c := &s.Report.Contacts()[i]
			if c.Normal_W[2] > 0.9 { // the sides are pressed as well
				area, sum = area+c.Area, sum+c.Area*c.Phi
			}
		}
		near(t, "depth", -sum/area, want, 0.02*want)
	}
}

// A deformable and a free body with a field exchange momentum and lose none.
func TestFieldOnDeformableConservesMomentum(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.material(1e5, 10, 0.5)
	ball := w.sphere(0.05)
	w.body("ball", ball, 0.5, at(-0.12, 0.03, 0.01), r3.Vec{0, 0, 3}, r3.Vec{1, 0, 0}, mat)
	w.mat(mat).HydroelasticModulus, w.HydroelasticMargin = 1e5, ptr(1e-4)
	w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e5, tilted(0, 0, 0), r3.Vec{}, mat)
	s, x := w.build()
	p0, _ := momentum(s, x)
	pushed, last := 0.0, energy(s, x)
	for range 100 {
		if err := s.Step(x, 1e-3); err != nil {
			t.Fatal(err)
		}
		closed(t, s)
		for i := range s.Report.Contacts() {
			pushed += s.Report.Contacts()[i].Normal
		}
		s.Place(x, 1e-3)
		p, _ := momentum(s, x)
		nearVec(t, "momentum", p, p0, 1e-13*p0.Norm())
		if e := energy(s, x); e > last*(1+1e-9) {
			t.Errorf("energy grows from %g to %g J", last, e)
		} else {
			last = e
		}
	}
	if pushed == 0 {
		t.Error("they never met")
	}
}
