package rigid

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func bob() LinkSpec {
	return LinkSpec{
		Name: "bob", Parent: World, Joint: Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(),
		Mass: 1, Inertia_B: r3.Diag(r3.Vec{0.1, 0.1, 0.1}),
	}
}

func TestLinksThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *LinkSpec)
		want   string
	}{
		{"negative mass", func(s *LinkSpec) { s.Mass = -1 }, "mass is -1 kg"},
		{"NaN mass", func(s *LinkSpec) { s.Mass = math.NaN() }, "finite"},
		{"infinite mass", func(s *LinkSpec) { s.Mass = math.Inf(1) }, "finite"},
		{"NaN centre", func(s *LinkSpec) { s.Com_B[1] = math.NaN() }, "centre of mass and inertia must be finite"},
		{"NaN inertia", func(s *LinkSpec) { s.Inertia_B[5] = math.NaN() }, "centre of mass and inertia must be finite"},
		{"infinite inertia", func(s *LinkSpec) { s.Inertia_B[0] = math.Inf(-1) }, "must be finite"},
		{"not positive", func(s *LinkSpec) { s.Inertia_B[4] = -0.1 }, "not positive definite"},
		{"only products", func(s *LinkSpec) { s.Inertia_B = r3.Mat{0, 1, 0, 1, 0, 0, 0, 0, 0} }, "not positive definite"},
		{"triangle", func(s *LinkSpec) { s.Inertia_B[4] = 0.3 }, "two smaller must add up"},
		{"not symmetric", func(s *LinkSpec) { s.Inertia_B[1] = 0.01 }, "not symmetric"},
		{"inertia without mass", func(s *LinkSpec) { s.Mass = 0 }, "inertia but no mass"},
		{"damping", func(s *LinkSpec) { s.Damping = -1 }, "damping is -1"},
		{"stiffness", func(s *LinkSpec) { s.Stiffness = math.NaN() }, "stiffness is NaN"},
		{"rotor", func(s *LinkSpec) { s.RotorInertia = math.Inf(1) }, "rotor inertia is +Inf"},
		{"rest", func(s *LinkSpec) { s.Rest = math.NaN() }, "slack at NaN"},
		{"spring on six", func(s *LinkSpec) { s.Joint, s.Stiffness = Floating{}, 1 }, "one velocity"},
		{"no joint", func(s *LinkSpec) { s.Joint = nil }, "no joint"},
		{"axis", func(s *LinkSpec) { s.Joint = Revolute{} }, "unit vector"},
		{"parent", func(s *LinkSpec) { s.Parent = 3 }, "not an earlier link"},
		{"parent below", func(s *LinkSpec) { s.Parent = -2 }, "not an earlier link"},
		{"frame", func(s *LinkSpec) { s.X_PF = r3.Pose{} }, "X_PF is no pose"},
		{"mirror", func(s *LinkSpec) { s.X_BM.R = s.X_BM.R.Scale(-1) }, "X_BM is no pose"},
		{"frame far", func(s *LinkSpec) { s.X_BM.P[0] = math.NaN() }, "X_BM is no pose"},
	} {
		var b Builder
		s := bob()
		c.change(&s)
		if _, err := b.Add(s); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"bob"`) {
			t.Errorf("%s: error %v, want %q of \"bob\"", c.name, err, c.want)
		}
	}
}

// Rods, plates and points are bodies, as are their tensors to three digits.
func TestThinBodiesAreAllowed(t *testing.T) {
	for _, d := range []r3.Vec{{0, 1, 1}, {1, 1, 2}, {0.333, 0.333, 0.6665}, {}, {-1e-9, 1, 1}} {
		var b Builder
		s := bob()
		s.Inertia_B = r3.Diag(d)
		if _, err := b.Add(s); err != nil {
			t.Errorf("%v: %v", d, err)
		}
	}
}

func TestMotionsWithoutInertiaAreRefused(t *testing.T) {
	point := func() LinkSpec { s := bob(); s.Inertia_B = r3.Mat{}; return s }
	none := func() LinkSpec { s := point(); s.Mass = 0; return s }
	on := func(parent int, s LinkSpec) LinkSpec { s.Parent = parent; return s }
	as := func(j Joint, s LinkSpec) LinkSpec { s.Joint = j; return s }
	named := func(name string, s LinkSpec) LinkSpec { s.Name = name; return s }
	at := func(c r3.Vec, s LinkSpec) LinkSpec { s.Com_B = c; return s }
	z := r3.Vec{0, 0, 1}
	for _, c := range []struct {
		name  string
		links []LinkSpec
		want  string // empty: allowed
	}{
		{"massless leaf", []LinkSpec{bob(), named("leaf", on(0, none()))}, `"leaf" moves but has no mass`},
		{"massless slider", []LinkSpec{named("leaf", as(Prismatic{Axis: z}, none()))}, `"leaf" moves but has no mass`},
		{"massless and floating", []LinkSpec{named("leaf", as(Floating{}, none()))}, `"leaf" moves but has no mass`},
		{"point on the axis", []LinkSpec{named("leaf", at(r3.Vec{0, 3, 0}, point()))}, `"leaf" turns about an axis on which all its mass lies`},
		{"points on the axis", []LinkSpec{named("hub", at(r3.Vec{0, 3, 0}, point())), on(0, as(Weld{}, at(r3.Vec{0, 1, 0}, point())))}, `"hub" turns about`},
		{"point off the axis", []LinkSpec{at(r3.Vec{0.001, 3, 0}, point())}, ""},
		{"point and floating", []LinkSpec{named("dot", as(Floating{}, point()))}, `"dot" turns freely`},
		{"two points and floating", []LinkSpec{named("dumbbell", as(Floating{}, point())), on(0, as(Weld{}, at(r3.Vec{1, 1, 1}, point())))}, `"dumbbell" turns freely`},
		{"three points and floating", []LinkSpec{as(Floating{}, point()), on(0, as(Weld{}, at(z, point()))), on(0, as(Weld{}, at(r3.Vec{0, 1, 0}, point())))}, ""},
		{"massless between", []LinkSpec{as(Revolute{Axis: z}, none()), on(0, bob())}, ""},
		{"massless between equal hinges", []LinkSpec{named("mid", none()), on(0, bob())}, `"mid" has no inertia of its own while the joints of the links that it carries are free`},
		{"massless with a rotor", []LinkSpec{func() LinkSpec { s := none(); s.RotorInertia = 1e-6; return s }()}, ""},
		{"massless base that only stands", []LinkSpec{as(Weld{}, none()), as(Prescribed{}, none())}, ""},
		{"radial slider at the centre", []LinkSpec{as(Revolute{Axis: z}, none()), on(0, as(Prismatic{Axis: r3.Vec{1, 0, 0}}, point()))}, ""},
		{"tiny finger on a heavy robot", []LinkSpec{func() LinkSpec {
			s := as(Floating{}, bob())
			s.Mass = 1e4
			s.Inertia_B = s.Inertia_B.Scale(1e4)
			return s
		}(),
			on(0, func() LinkSpec { s := bob(); s.Mass = 1e-6; s.Inertia_B = s.Inertia_B.Scale(1e-12); return s }())}, ""},
	} {
		var b Builder
		for _, s := range c.links {
			if _, err := b.Add(s); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		_, err := b.Build()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestEmptyForestsAreAllowed(t *testing.T) {
	m, err := new(Builder).Build()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(m)
	w.step(t, 0.01, nil)
	if m.Trees()+m.NumLinks()+m.NumQ() != 0 {
		t.Error("not empty")
	}
}
