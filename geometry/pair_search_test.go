package geometry

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// convexData has bodies of all convex kinds near each other.
func convexData(t *testing.T, r *rand.Rand) *Data {
	t.Helper()
	var corners []r3.Vec
	for range 12 {
		corners = append(corners, r3.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()})
	}
	hull, err := NewConvex(corners)
	if err != nil {
		t.Fatal(err)
	}
	shapes := []Shape{
		&Box{Half: r3.Vec{0.1, 0.05, 0.12}}, &Capsule{Radius: 0.05, HalfLength: 0.1}, &Cylinder{Radius: 0.08, HalfLength: 0.06},
		&Ellipsoid{Semi: r3.Vec{0.06, 0.1, 0.14}}, hull, &Sphere{Radius: 0.1},
	}
	m := &Model{NumRigid: 24}
	for i := range m.NumRigid {
		m.Geoms = append(m.Geoms, Geom{Body: i, X_BG: r3.PoseIdentity(), Shape: shapes[i%len(shapes)]})
	}
	s := NewData(m)
	for i := range s.X_WB {
		s.X_WB[i] = r3.Pose{
			R: r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}),
			P: r3.Vec{0.25 * r.NormFloat64(), 0.25 * r.NormFloat64(), 0.25 * r.NormFloat64()},
		}
		s.MotionBound[i] = 0.01 * r.Float64()
	}
	return s
}

// Searches that continue from what an earlier one has found, up to larger and smaller gaps, find what a new scene
// finds, bit for bit. Pairs without contacts are as far apart as they say.
func TestLaterSearchesContinueFromEarlierOnes(t *testing.T) {
	found, apart := 0, 0
	for seed := range int64(12) {
		s := convexData(t, rand.New(rand.NewSource(seed)))
		r := rand.New(rand.NewSource(seed + 100))
		s.Collide()
		for range 4 {
			for i := range s.MotionBound {
				s.MotionBound[i] *= 0.8 + 1.2*r.Float64()
			}
			got := s.Redetect()
			fresh := convexData(t, rand.New(rand.NewSource(seed)))
			copy(fresh.MotionBound, s.MotionBound)
			if want := fresh.Collide(); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %d contacts, want %d", seed, len(got), len(want))
			}
			for i := range s.pairs {
				p, sought := &s.pairs[i], &s.searches[i]
				if sought.cores.found {
					found++
				}
				if p.count > 0 {
					continue
				}
				least := sought.leastGap(s.geoms[p.a].shape, s.geoms[p.b].shape)
				gap, _, ok := s.gap(0, int(p.a), int(p.b), &s.geoms[p.a].X_WG, &s.geoms[p.b].X_WG, math.Inf(1), true)
				if !ok || gap < least-1e-12 || least < sought.margin {
					t.Fatalf("seed %d: pair %v is %g apart, at least %g by a search up to %g", seed, p, gap, least, sought.margin)
				}
				if least > 1.1*sought.margin {
					apart++
				}
			}
		}
	}
	if found < 500 || apart < 500 {
		t.Errorf("closest points of %d pairs are known, %d are known to be far apart: the test shows nothing", found, apart)
	}
}
