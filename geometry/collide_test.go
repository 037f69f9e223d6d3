package geometry

import (
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// mixedData has a geom or deformable of each kind; the function places them at random.
func mixedData() (*Data, func(*rand.Rand)) {
	soft := []*meshes.Tri{gridBox(r3.Vec{0.1, 0.1, 0.05}, 4), gridBox(r3.Vec{0.08, 0.08, 0.08}, 3), gridBox(r3.Vec{0.1, 0.02, 0.1}, 3)}
	m := &Model{NumRigid: 4, ExcludedPairs: [][2]int{{2, 1}}}
	m.Geoms = []Geom{
		{Body: World, X_BG: shift(0, 0, -0.1), Shape: HalfSpace{}},
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: &Sphere{Radius: 0.1}},
		{Body: 1, X_BG: r3.PoseIdentity(), Shape: &Box{Half: r3.Vec{0.1, 0.05, 0.1}}},
		{Body: 2, X_BG: r3.PoseIdentity(), Shape: &Capsule{Radius: 0.05, HalfLength: 0.1}},
		{Body: 2, X_BG: shift(0.05, 0, 0.1), Shape: &Sphere{Radius: 0.07}},
	}
	mesh, err := NewMesh(torusMesh(0.12, 0.05, 16, 8))
	if err != nil {
		panic(err)
	}
	m.Geoms = append(m.Geoms, Geom{Body: 3, X_BG: r3.PoseIdentity(), Shape: mesh})
	for i, t := range soft {
		m.Deformables = append(m.Deformables, Deformable{Body: 4 + i, NumVerts: len(t.Verts), Tris: t.Tris})
	}
	s := NewData(m)
	for i, t := range soft {
		s.X_W[i] = make([]r3.Vec, len(t.Verts))
	}
	pose := func(r *rand.Rand) r3.Pose {
		return r3.Pose{
			R: r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}),
			P: r3.Vec{0.15 * r.NormFloat64(), 0.15 * r.NormFloat64(), 0.15 * r.NormFloat64()},
		}
	}
	return s, func(r *rand.Rand) {
		for i := range s.X_WB {
			s.X_WB[i] = pose(r)
		}
		for i := range s.MotionBound {
			s.MotionBound[i] = 0.005 * r.Float64()
		}
		for i, t := range soft {
			copy(s.X_W[i], moved(t, pose(r)))
		}
	}
}

// The contacts depend on the placement alone: a scene with a past and a new one
// answer with the same bits.
func TestContactsDoNotDependOnThePast(t *testing.T) {
	old, placeOld := mixedData()
	for seed := range int64(20) {
		placeOld(rand.New(rand.NewSource(seed)))
		fresh, place := mixedData()
		place(rand.New(rand.NewSource(seed)))
		a, b := old.Collide(), fresh.Collide()
		if len(a) != len(b) || len(a) == 0 {
			t.Fatalf("seed %d: %d and %d contacts", seed, len(a), len(b))
		}
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("seed %d: contact %d: %+v and %+v", seed, i, a[i], b[i])
			}
			if a[i].A.Body == 1 && a[i].B.Body == 2 || a[i].A.Body >= a[i].B.Body {
				t.Fatalf("seed %d: bodies %d and %d must not touch", seed, a[i].A.Body, a[i].B.Body)
			}
		}
	}
}

// The sweep finds the pairs of items whose bounds meet, each once.
func TestSweepAgreesWithBruteForce(t *testing.T) {
	s, place := mixedData()
	for seed := range int64(50) {
		place(rand.New(rand.NewSource(seed)))
		s.place()
		s.findPairs()
		found := map[itemPair]int{}
		for _, p := range s.pairs {
			found[p]++
		}
		want := 0
		for i := range s.grown {
			for j := range i {
				a, b := s.bodyOf(int32(i)), s.bodyOf(int32(j))
				if a == b || min(a, b) == 1 && max(a, b) == 2 || !s.grown[i].Overlaps(s.grown[j]) {
					continue
				}
				p := itemPair{a, b, int32(i), int32(j), 0}
				if b < a {
					p = itemPair{b, a, int32(j), int32(i), 0}
				}
				if want++; found[p] != 1 {
					t.Fatalf("seed %d: pair %v found %d times", seed, p, found[p])
				}
			}
		}
		if want != len(s.pairs) {
			t.Fatalf("seed %d: %d pairs, want %d", seed, len(s.pairs), want)
		}
	}
}

func TestCollideAllocatesNothing(t *testing.T) {
	s, place := mixedData()
	for seed := range int64(20) {
		place(rand.New(rand.NewSource(seed)))
		s.Collide()
	}
	for seed := range int64(5) {
		place(rand.New(rand.NewSource(seed)))
		if n := testing.AllocsPerRun(5, func() { s.Collide() }); n != 0 {
			t.Fatalf("seed %d: %v allocations", seed, n)
		}
	}
}
