package sim

import (
	"testing"
)

// Where a bound spares a term its measurement, the measurement finds nothing above its tolerance.
func TestBoundsOfTermsAreBounds(t *testing.T) {
	seed, n := shots(t, 150)
	spared, measured := 0, 0
	for i := range n {
		shot := newShot(seed, uint64(i), true)
		// from steps in which bodies hardly turn to those in which the bound fails
		shot.spin = shot.spin.Scale(float64(i%10) / 30)
		s, x := shot.build(t)
		for range 6 {
			before := x.Clone()
			if err := s.Step(x, shot.h); err != nil {
				break
			}
			if s.Report.Parts > 0 || len(s.contacts) == 0 {
				continue
			}
			s.iterate.begin(before, shot.h)
			if s.gaps.turnsFar(s) {
				measured++
				continue
			}
			spared++
			all, short := s.Geometry.Relinearize(s.iterate.follow(s), s.contacts, nil, s.added)
			if short.Ratio > 1 {
				t.Errorf("shot %d (%v): %d contacts lack, by %.3g times the tolerance, %.3g m", i, shot, len(all)-len(s.added), short.Ratio, short.Length)
			}
		}
		s.Close()
	}
	if spared < n/10 || measured < n/10 {
		t.Errorf("%d steps spared, %d measured", spared, measured)
	}
}
