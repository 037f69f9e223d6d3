package sim

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A solution that ends with overlap that no contact has divides the step; in the smallest parts the
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
	s.parts.length = 1
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
