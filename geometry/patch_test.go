package geometry

import (
	"math/rand"
	"reflect"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// For another motion from the same placement, a scene that is asked to look farther
// answers with the bits of one that is placed anew, for contacts and patches alike.
func TestLookingFartherIsCollidingForThatMotion(t *testing.T) {
	scene := func() (*Scene, func(*rand.Rand)) {
		s, place := mixedScene()
		opt := hydroelastic.Options{Modulus: 1e6, Hint: 0.05, Margin: 1e-3}
		for i := range 3 { // ground, ball and block
			g := withField(t, s.Model.Geoms[i].Shape, opt)
			s.Model.Geoms[i].Field = g.Field
		}
		fresh := NewScene(s.Model)
		fresh.X_WB, fresh.X_W, fresh.Drift, fresh.Reach = s.X_WB, s.X_W, s.Drift, s.Reach
		return fresh, place
	}
	s, place := scene()
	whole, placeWhole := scene()
	more, patches := 0, 0
	for seed := range int64(8) {
		place(rand.New(rand.NewSource(seed)))
		placeWhole(rand.New(rand.NewSource(seed)))
		first := len(s.Collide())
		for _, scene := range []*Scene{s, whole} {
			r := rand.New(rand.NewSource(seed))
			for i := range scene.Drift {
				scene.Drift[i] = r3.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 0.05 * r.NormFloat64()}
				scene.Reach[i] += 0.03 * r.Float64()
			}
		}
		if got, want := s.CollideFarther(), whole.Collide(); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %d contacts, placed anew %d", seed, len(got), len(want))
		} else if len(got) > first {
			more++
		}
		if !reflect.DeepEqual(s.Patches(), whole.Patches()) {
			t.Fatalf("seed %d: %d patches, placed anew %d", seed, len(s.Patches()), len(whole.Patches()))
		}
		patches += len(s.Patches())
		for i := range s.Drift {
			s.Drift[i], whole.Drift[i] = r3.Vec{}, r3.Vec{}
		}
	}
	if more < 4 || patches < 3 {
		t.Errorf("farther motion brings contacts in %d of 8 placements, there are %d patches", more, patches)
	}
}
