package sim

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A solution that ends with overlap that no contact knows of divides the step; in the smallest parts the
// gain is reported, or refused by the names of both bodies where it is more than all the energy that there was.
func TestOverlapThatNoBodyPressedIsNoStep(t *testing.T) {
	const h = 5e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.material(1e6, 0, 0)
	w.mat(0).HydroelasticModulus = 1e9
	w.ground(0)
	w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.05005), r3.Vec{}, r3.Vec{}, 0)
	w.HydroelasticMargin = ptr(1e-4)
	s, x := w.build()
	run(t, s, x, h, 1)
	// the ball ends 5 mm deep
	s.vNext[5] = -0.005 / h
	s.iterate.begin(x, h)
	judge := func() (bool, error) {
		next, err := s.judge()
		return next == divide, err
	}
	if divide, err := judge(); !divide || err != nil || s.Report.EnergyGained.Energy != 0 {
		t.Errorf("divides: %v, %v", divide, err)
	}
	s.divisions = maxDivisions
	_, err := judge()
	if err == nil || !strings.Contains(err.Error(), "ball") || !strings.Contains(err.Error(), "went through each other") {
		t.Errorf("error %v", err)
	}
	stored := s.Geometry.EnergyAtEnd(0)
	s.balance.energies[0] = 2 * stored
	if divide, err := judge(); divide || err != nil {
		t.Errorf("divides: %v, %v", divide, err)
	}
	near(t, "reported", s.Report.EnergyGained.Energy, stored, 1e-3*stored)
	if by := s.GainedBy(&s.Report.EnergyGained); !strings.Contains(by, "ball") {
		t.Errorf("gained by %s", by)
	}
	// a body with a hundred times that energy keeps within 1 %
	s.Report.EnergyGained = GainedEnergy{}
	s.balance.energies[0] = 101 * stored
	if _, err := judge(); err != nil || s.Report.EnergyGained.Energy != 0 {
		t.Errorf("%+v, %v", s.Report.EnergyGained, err)
	}
}

// An impact runs through a row of balls within one step, with a detection for each of them: the step is divided
// rather than taken with balls inside each other.
func TestChainsOfImpactsDivideTheStep(t *testing.T) {
	const balls, h, gap = 12, 5e-3, 1e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.material(1e8, 0, 0)
	for i := range balls {
		v := r3.Vec{}
		if i == 0 {
			v[0] = 20
		}
		w.body("ball", w.sphere(0.05), 1, at((0.1+gap)*float64(i), 0, 0), r3.Vec{}, v, 0)
	}
	s, x := w.build()
	defer s.Close()
	parts, before := 0, s.rigid.KineticEnergy()
	for range 10 {
		run(t, s, x, h, 1)
		parts += s.Report.Parts
		s.Place(x, h)
		for i := range balls - 1 {
			if d := s.kin.Pose(i + 1).P[0] - s.kin.Pose(i).P[0]; d < 0.098 {
				t.Errorf("balls %d and %d are %.3g mm apart at t = %g s", i, i+1, 1e3*d, x.Time)
			}
		}
		if e := s.rigid.KineticEnergy(); e > before*(1+1e-9) {
			t.Errorf("%g J of %g", e, before)
		}
	}
	if parts == 0 {
		t.Error("no step was divided")
	}
}
