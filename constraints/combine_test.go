package constraints

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
)

var inf = math.Inf(1)

func TestStiffnessesCombineInSeries(t *testing.T) {
	for _, tc := range [][3]float64{{1e6, 1e6, 5e5}, {inf, 3, 3}, {3, inf, 3}, {inf, inf, inf}, {0, 0, 0}, {0, 5, 0}, {2, 6, 1.5}} {
		if got := CombineStiffness(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%g and %g give %g, want %g", tc[0], tc[1], got, tc[2])
		}
	}
}

func TestTheSofterSurfaceDissipates(t *testing.T) {
	for _, tc := range [][5]float64{
		{1, 10, 1, 20, 15}, {1, 10, 3, 50, 20}, {inf, 7, 1, 9, 9}, {1, 9, inf, 7, 9}, {inf, 2, inf, 4, 3}, {0, 2, 0, 4, 3},
	} {
		if got := combineDissipation(tc[0], tc[1], tc[2], tc[3]); got != tc[4] {
			t.Errorf("%v gives %g", tc, got)
		}
	}
}

func TestFrictionCombinesByHarmonicMean(t *testing.T) {
	for _, tc := range [][3]float64{{0.5, 0.5, 0.5}, {0, 0, 0}, {0, 1, 0}, {1, 3, 1.5}} {
		if got := combineFriction(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%g and %g give %g, want %g", tc[0], tc[1], got, tc[2])
		}
	}
}

func table(t *testing.T, mats ...ContactMaterial) *ContactMaterials {
	t.Helper()
	s, err := NewContactMaterials(mats)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaultsMeetAtHalfTheStiffness(t *testing.T) {
	s := table(t, DefaultContactMaterial())
	got, err := s.Pair(&geometry.Contact{})
	side := Side{Friction: 0.5, StaticFriction: 0.5, TransverseFriction: 0.5}
	want := Pair{Stiffness: 5e5, Dissipation: 50, RelaxationTime: 0.2, Friction: 0.5, StaticFriction: 0.5, Sides: [2]Side{side, side}}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestContactFacesActThroughTheirLayers(t *testing.T) {
	soft, hard, padded := DefaultContactMaterial(), DefaultContactMaterial(), DefaultContactMaterial()
	soft.Dissipation, hard.Dissipation, padded.Dissipation = 10, 1000, 40
	padded.PressureGradient = 3e8
	s := table(t, soft, hard, padded)
	deformable := geometry.MaterialPoint{N: 3}
	for _, tc := range []struct {
		name string
		c    geometry.Contact
		k, d float64
	}{
		{"deformable on rigid", geometry.Contact{A: deformable, Materials: [2]int{0, 1}, Area: 1e-4}, 1e8 * 1e-4, 10},
		{"rigid on deformable", geometry.Contact{B: deformable, Materials: [2]int{1, 0}, Area: 1e-4}, 1e8 * 1e-4, 10},
		{"two deformables", geometry.Contact{A: deformable, B: deformable, Area: 2e-4}, 0.5e8 * 2e-4, 10},
		{"rigid with a layer", geometry.Contact{A: deformable, Materials: [2]int{0, 2}, Area: 1e-4}, 0.75e8 * 1e-4, (3*10. + 1*40) / 4},
	} {
		p, err := s.Pair(&tc.c)
		if err != nil || math.Abs(p.Stiffness-tc.k) > 1e-9*tc.k || math.Abs(p.Dissipation-tc.d) > 1e-9*tc.d {
			t.Errorf("%s: k %g d %g %v, want %g and %g", tc.name, p.Stiffness, p.Dissipation, err, tc.k, tc.d)
		}
	}
}

func TestTwoRigidSurfacesAreAnError(t *testing.T) {
	m := DefaultContactMaterial()
	m.Stiffness = inf
	s := table(t, DefaultContactMaterial(), m)
	if _, err := s.Pair(&geometry.Contact{Materials: [2]int{1, 1}}); err == nil || !strings.Contains(err.Error(), "materials 1 and 1 are both rigid") {
		t.Errorf("%v", err)
	}
	if p, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}}); err != nil || p.Stiffness != DefaultStiffness {
		t.Errorf("%+v %v", p, err)
	}
}

func TestOverridesReplaceTheRulesBothWays(t *testing.T) {
	rigid := DefaultContactMaterial()
	rigid.Stiffness = inf
	s := table(t, DefaultContactMaterial(), rigid)
	k, mu, g := 123.0, 0.9, 4e7
	if err := s.Override(1, 1, Override{Stiffness: &k, Friction: &mu}); err != nil {
		t.Fatal(err)
	}
	if err := s.Override(0, 1, Override{PressureGradient: &g}); err != nil {
		t.Fatal(err)
	}
	p, err := s.Pair(&geometry.Contact{Materials: [2]int{1, 1}})
	if err != nil || p != (Pair{Stiffness: 123, Dissipation: 50, RelaxationTime: 0.2, Friction: 0.9, StaticFriction: 0.5}) {
		t.Errorf("%+v %v", p, err)
	}
	p, err = s.Pair(&geometry.Contact{Materials: [2]int{1, 0}, B: geometry.MaterialPoint{N: 3}, Area: 1e-4})
	if err != nil || p.Stiffness != 4e7*1e-4 {
		t.Errorf("%+v %v", p, err)
	}
	bad := -1.0
	if s.Override(0, 2, Override{}) == nil || s.Override(0, 0, Override{Friction: &bad}) == nil {
		t.Error("a bad override is no error")
	}
}

func TestMaterialsAreChecked(t *testing.T) {
	for _, change := range []func(m *ContactMaterial){
		func(m *ContactMaterial) { m.Stiffness = -1 }, func(m *ContactMaterial) { m.Dissipation = math.NaN() },
		func(m *ContactMaterial) { m.Friction = inf }, func(m *ContactMaterial) { m.RelaxationTime = -1 },
		func(m *ContactMaterial) { m.StaticFriction = -1 }, func(m *ContactMaterial) { m.PressureGradient = math.NaN() },
	} {
		m := DefaultContactMaterial()
		change(&m)
		if _, err := NewContactMaterials([]ContactMaterial{DefaultContactMaterial(), m}); err == nil || !strings.Contains(err.Error(), "material 1") {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// Where only the dynamic coefficient of a pair is overridden its static one stays that of the materials.
func TestTheLargestFrictionHasCoefficientsThatAreNotOverridden(t *testing.T) {
	m := DefaultContactMaterial()
	m.StaticFriction, m.Friction = 0.9, 0.5
	for _, c := range []struct {
		over Override
		want float64
	}{
		{Override{Friction: new(0.2)}, 0.9},
		{Override{StaticFriction: new(0.3)}, 0.5},
		{Override{Friction: new(0.2), StaticFriction: new(0.3)}, 0.3},
	} {
		s, err := NewContactMaterials([]ContactMaterial{m})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Override(0, 0, c.over); err != nil {
			t.Fatal(err)
		}
		if got := s.mostFriction; got != c.want {
			t.Errorf("%+v: %g, want %g", c.over, got, c.want)
		}
	}
}
