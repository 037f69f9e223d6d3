package geometry

import (
	"math/rand"
	"reflect"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// For another motion from the same placement, a scene that is asked to look farther
// answers with the bits of one that is placed again, for contacts and contact surfaces alike.
func TestRedetectAgreesWithCollideForThatMotion(t *testing.T) {
	scene := func() (*Data, func(*rand.Rand)) {
		s, place := mixedData()
		opt := hydroelastic.Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05, Margin: 1e-3}
		for i := range 3 { // ground, ball and block
			g := withField(t, s.Model.Geoms[i].Shape, opt)
			s.Model.Geoms[i].Field = g.Field
		}
		fresh := NewData(s.Model)
		fresh.X_WB, fresh.X_W, fresh.PredictedTranslation, fresh.MotionBound = s.X_WB, s.X_W, s.PredictedTranslation, s.MotionBound
		return fresh, place
	}
	s, place := scene()
	whole, placeWhole := scene()
	more, surfaces := 0, 0
	for seed := range int64(8) {
		place(rand.New(rand.NewSource(seed)))
		placeWhole(rand.New(rand.NewSource(seed)))
		first := len(s.Collide())
		for _, scene := range []*Data{s, whole} {
			r := rand.New(rand.NewSource(seed))
			for i := range scene.PredictedTranslation {
				scene.PredictedTranslation[i] = r3.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 0.05 * r.NormFloat64()}
				scene.MotionBound[i] += 0.03 * r.Float64()
			}
		}
		if got, want := s.Redetect(), whole.Collide(); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %d contacts, placed again %d", seed, len(got), len(want))
		} else if len(got) > first {
			more++
		}
		if !reflect.DeepEqual(s.HydroelasticContacts(), whole.HydroelasticContacts()) {
			t.Fatalf("seed %d: %d contact surfaces, placed again %d", seed, len(s.HydroelasticContacts()), len(whole.HydroelasticContacts()))
		}
		surfaces += len(s.HydroelasticContacts())
		for i := range s.PredictedTranslation {
			s.PredictedTranslation[i], whole.PredictedTranslation[i] = r3.Vec{}, r3.Vec{}
		}
	}
	if more < 4 || surfaces < 3 {
		t.Errorf("farther motion brings contacts in %d of 8 placements, there are %d contact surfaces", more, surfaces)
	}
}
