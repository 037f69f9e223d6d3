package constraints

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
)

// The larger restitution of two materials applies, or that of their pair.
func TestRestitutionOfAPair(t *testing.T) {
	a, b := DefaultContactMaterial(), DefaultContactMaterial()
	a.Restitution, b.Restitution = 0.3, 0.8
	for _, mats := range [][2]ContactMaterial{{a, b}, {b, a}} {
		s := table(t, mats[0], mats[1])
		if pair, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}}); err != nil || pair.Restitution != 0.8 || !s.Rebounds() {
			t.Errorf("restitution is %g, want 0.8 (%v)", pair.Restitution, err)
		}
		own := 0.1
		if err := s.Override(0, 1, Override{Restitution: &own}); err != nil {
			t.Fatal(err)
		}
		if pair, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}}); err != nil || pair.Restitution != own {
			t.Errorf("restitution of the pair is %g, want %g (%v)", pair.Restitution, own, err)
		}
	}
	if none := DefaultContactMaterial(); table(t, none, none).Rebounds() {
		t.Error("default materials rebound")
	}
}

// A restitution above 1, and one of surfaces that have an area, are refused.
func TestFaultyRestitution(t *testing.T) {
	m := DefaultContactMaterial()
	m.Restitution = 1.1
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "restitution is 1.1, want at most 1") {
		t.Errorf("restitution of 1.1: %v", err)
	}
	m.Restitution, m.HydroelasticModulus = 0.5, 1e6
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "restitution is of point contacts") {
		t.Errorf("restitution of a pressure field: %v", err)
	}
	m.HydroelasticModulus = 0
	s := table(t, m, m)
	if _, err := s.Pair(&geometry.Contact{Area: 1e-4, Materials: [2]int{0, 1}}); err == nil || !strings.Contains(err.Error(), "restitution is of point contacts") {
		t.Errorf("restitution of a face: %v", err)
	}
	if _, err := s.HydroelasticPair(&geometry.HydroelasticContact{Materials: [2]int{0, 1}}); err == nil {
		t.Error("restitution of a contact surface is taken")
	}
	high := 2.0
	if err := s.Override(0, 1, Override{Restitution: &high}); err == nil {
		t.Error("a pair with a restitution of 2 is taken")
	}
	if CanRebound(Lagged{Normal: IPC{}}) || !CanRebound(Lagged{}) || !CanRebound(SAP{}) || !CanRebound(Similar{}) {
		t.Error("laws that are linear in the overlap rebound, others do not")
	}
}
