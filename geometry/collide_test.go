package geometry

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
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

// Contacts of another motion of the same placement are those that a new scene finds for it, bit
// for bit, although pairs that approach as before keep theirs; those of the call before stay.
func TestRedetectFindsWhatANewSceneFinds(t *testing.T) {
	s, place := mixedData()
	kept, sought := 0, 0
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		place(r)
		first := s.Collide()
		before := slices.Clone(first)
		for range 3 {
			// one body moves otherwise, some of the time so far that it meets others
			i := r.Intn(len(s.MotionBound))
			s.MotionBound[i] += 0.1 * r.Float64() * r.Float64()
			s.PredictedTranslation[i][r.Intn(3)] += 0.02 * r.NormFloat64()
			again := s.Redetect()
			if !slices.Equal(first, before) {
				t.Fatalf("seed %d: the contacts of the call before have changed", seed)
			}
			fresh, replace := mixedData()
			replace(rand.New(rand.NewSource(seed)))
			copy(fresh.MotionBound, s.MotionBound)
			copy(fresh.PredictedTranslation, s.PredictedTranslation)
			if want := fresh.Collide(); !slices.Equal(again, want) {
				t.Fatalf("seed %d: %d contacts, want %d", seed, len(again), len(want))
			}
			first, before = again, slices.Clone(again)
			for i := range s.pairs {
				p := &s.pairs[i]
				if own := again[p.first : p.first+p.count]; len(own) > 0 && (own[0].A.Body != int(p.bodyA) || own[0].B.Body != int(p.bodyB)) {
					t.Fatalf("seed %d: pair %v has contacts of others", seed, p)
				}
				if p.former >= 0 && p.count > 0 {
					kept++
				} else {
					sought++
				}
			}
		}
		clear(s.PredictedTranslation)
	}
	if kept < 50 || sought < 50 {
		t.Errorf("%d pairs kept contacts, %d were searched: the test shows nothing", kept, sought)
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
				p := itemPair{bodyA: a, bodyB: b, a: int32(i), b: int32(j)}
				if b < a {
					p = itemPair{bodyA: b, bodyB: a, a: int32(j), b: int32(i)}
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
		if n := alloctest.PerRun(5, func() { s.Collide() }); n != 0 {
			t.Fatalf("seed %d: %v allocations", seed, n)
		}
	}
}
