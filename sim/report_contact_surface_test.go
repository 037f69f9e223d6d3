package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// onSurface evaluates a signal of all contact surfaces of a body.
func onSurface(s *Stepper, x *State, body int, kind ContactSurfaceKind, of Component) float64 {
	return ContactSurfaceSignal{Body: body, Kind: kind, Of: of}.Value(s, x)
}

// A cube of weight W at rest on ground has contact over its base S, with W/S on
// average and E δ/h inside where it has sunk by δ of its half height h.
func TestContactSurfaceOfACubeAtRestIsItsBase(t *testing.T) {
	s, x := pressing(t, constraints.Lagged{}).build()
	run(t, s, x, 2e-3, 1000)
	if n := len(s.Report.ContactSurfaces()); n != 1 {
		t.Fatalf("%d contact surfaces, want 1", n)
	}
	p := &s.Report.ContactSurfaces()[0]
	if p.A != geometry.World || p.B != 0 || p.Geoms != [2]int32{0, 1} {
		t.Errorf("contact surface of %d and %d, geoms %v", p.A, p.B, p.Geoms)
	}
	near(t, "area", p.Area, 0.01, 1e-8)
	near(t, "mean pressure", p.MeanPressure, grav/0.01, 1e-3)
	near(t, "largest pressure", p.MaxPressure, 1e6*(0.05-x.Q[6])/0.05, 1)
	nearVec(t, "force", p.Force_W, r3.Vec{0, 0, grav}, 1e-5)
	nearVec(t, "centre", p.Center_W, r3.Vec{}, 1e-8)
	nearVec(t, "moment", p.Moment_W, r3.Vec{}, 1e-8)
	near(t, "slip", p.MaxSlip, 0, 1e-6)
	if surf := s.ContactSurface(p); surf == nil || len(surf.Faces) != p.Contacts[1]-p.Contacts[0] {
		t.Error("the report has no surface, or the wrong one")
	}
}

// On a slope the force's line of action still passes through the centre of mass:
// it meets the base h·tan(slope) off its middle. A twist about the normal makes
// the only moment that friction has about the centre of pressure.
func TestCentreOfPressureLeansWithTheLoad(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.Gravity = r3.Vec{2, -1, -grav}
	s, x := w.build()
	run(t, s, x, 2e-3, 1000)
	p := &s.Report.ContactSurfaces()[0]
	near(t, "centre x", onSurface(s, x, 0, ContactSurfaceCenter, X)-x.Q[4], x.Q[6]*2/grav, 1e-6)
	near(t, "centre y", onSurface(s, x, 0, ContactSurfaceCenter, Y)-x.Q[5], -x.Q[6]*1/grav, 1e-6)
	near(t, "moment", p.Moment_W.Norm(), 0, 1e-4)
	nearVec(t, "force", p.Force_W, r3.Vec{-2, 1, grav}, 1e-3)

	w = pressing(t, constraints.Lagged{})
	w.setV(0, 0, 0, 3, 0, 0, 0)
	s, x = w.build()
	run(t, s, x, 1e-3, 20)
	before := x.V[2]
	run(t, s, x, 1e-3, 1)
	// I = m a²/6 about the normal
	want := 0.01 / 6 * (x.V[2] - before) / 1e-3
	near(t, "moment of friction", s.Report.ContactSurfaces()[0].Moment_W[2], want, 2e-3*math.Abs(want))
	// |slip| = ω r over a square of uniform pressure: mean r = 0.3826 a
	near(t, "slip", s.Report.ContactSurfaces()[0].Slip, 0.3826*0.1*x.V[2], 0.01*x.V[2]*0.1)
	// faces are up to 0.03 m wide, and slide as their centroids do
	if at := s.Report.ContactSurfaces()[0].MaxSlip / x.V[2]; !(at > 0.05 && at < 0.05*math.Sqrt2) {
		t.Errorf("the fastest face is %g m from the axis, want near a corner", at)
	}
}

func TestContactSurfacesSlideAsTheirBodiesDo(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.setV(0, 0, 0, 0, 1, 0, 0)
	w.mat(1).SurfaceVelocity_B = r3.Vec{0, 0.5, 0} // the ground runs
	s, x := w.build()
	run(t, s, x, 1e-3, 10)
	base := Point{Body: 0, Pos_B: r3.Vec{0, 0, -0.05}}
	v := base.vel(s, x)
	want := math.Hypot(v[0], v[1]-0.5)
	near(t, "slip", onSurface(s, x, 0, ContactSurfaceSlip, 0), want, 1e-3)
	near(t, "fastest slip", onSurface(s, x, 0, ContactSurfaceMaxSlip, 0), want, 2e-3)
}

// Faces of a deformable form one contact surface for each pair of bodies.
func TestDeformablesHaveContactSurfaces(t *testing.T) {
	long(t)
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	low := w.soft("low", cube, [3]int{3, 3, 3}, 2e5, at(0, 0, 0.05), r3.Vec{}, mat, heavy)
	top := w.soft("top", cube.Scale(0.8), [3]int{2, 2, 2}, 2e5, at(0, 0, 0.14), r3.Vec{}, mat, heavy)
	s, x := w.build()
	run(t, s, x, 5e-3, 400)
	if n := len(s.Report.ContactSurfaces()); n != 2 {
		t.Fatalf("%d contact surfaces, want 2", n)
	}
	for _, c := range []struct {
		from, geom int32
		weight     float64
		area       float64
	}{{int32(geometry.World), 0, 1.512 * grav, 0.01}, {int32(top), -1, 0.512 * grav, 0.0064}} {
		on := ContactSurfaceSignal{Body: low, From: []int{int(c.from)}}
		on.Kind = ContactSurfaceMeanPressure
		p := on.Value(s, x)
		on.Kind = ContactSurfaceArea
		area := on.Value(s, x)
		near(t, "force", p*area, c.weight, 1e-3*c.weight)
		near(t, "area", area, c.area, 0.05*c.area)
		on.Kind, on.Of = ContactSurfaceCenter, X
		near(t, "centre", on.Value(s, x), 0, 2e-3)
		on.Kind = ContactSurfaceMaxPressure
		if top := on.Value(s, x); !(top >= p) {
			t.Errorf("the largest pressure, %g Pa, is below the mean, %g Pa", top, p)
		}
	}
	if g := s.Report.ContactSurfaces()[0].Geoms; g != [2]int32{0, -1} {
		t.Errorf("geoms %v, want 0 and none", g)
	}
	near(t, "count", onSurface(s, x, low, ContactSurfaceCount, 0), 2, 0)
}

func TestNoContactHasNoCentre(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.spec(0).Pose.P[2] = 1
	s, x := w.build()
	for _, moment := range []string{"before", "in free fall"} {
		for kind := ContactSurfaceArea; kind <= ContactSurfaceCount; kind++ {
			v := onSurface(s, x, 0, kind, X)
			if kind == ContactSurfaceCenter && !math.IsNaN(v) || kind != ContactSurfaceCenter && v != 0 {
				t.Errorf("%s: signal %d is %g", moment, kind, v)
			}
		}
		run(t, s, x, 1e-3, 1)
	}
}

func TestSignalsOfContactSurfacesAllocateNothing(t *testing.T) {
	s, x := pressing(t, constraints.Lagged{}).build()
	run(t, s, x, 1e-3, 100)
	g := ContactSurfaceSignal{Body: 0, From: []int{-1}, Kind: ContactSurfaceSlip}
	n := alloctest.PerRun(20, func() {
		run(t, s, x, 1e-3, 1)
		g.Value(s, x)
	})
	if n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// Forces are read when somebody asks: the figures are the same after other questions,
// and steps that nobody asks about lead to the same state.
func TestForcesAreReadWhenAskedFor(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.setV(0, 0, 0, 3, 1, 0, 0)
	s, x := w.build()
	u, y := w.build()
	for range 20 {
		run(t, s, x, 1e-3, 1)
		run(t, u, y, 1e-3, 1)
		if n := len(u.Report.Contacts()); n == 0 || n != u.Report.NumContacts {
			t.Fatalf("%d contacts, counted %d", n, u.Report.NumContacts)
		}
	}
	if x.Hash() != y.Hash() {
		t.Fatal("asking for forces changed the motion")
	}
	away := x.Clone()
	away.Q[6] += 1
	s.ContactsAt(away, 1e-3) // no contact is left
	if a, b := s.Report.Contacts(), u.Report.Contacts(); !slices.Equal(a, b) {
		t.Errorf("%d contacts asked late are not the %d asked at once", len(a), len(b))
	}
	if a, b := s.Report.ContactSurfaces(), u.Report.ContactSurfaces(); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("contact surfaces read late %+v, at once %+v", a, b)
	}
}
