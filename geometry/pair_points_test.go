package geometry

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// heap returns a scene of bricks, balls and rings in a heap, with two sheets amid
// them: pairs of geoms and of deformables take turns.
func heap(t *testing.T) *Data {
	r := rand.New(rand.NewSource(1))
	ring := mustMesh(t, torusMesh(0.05, 0.02, 10, 6))
	m := &Model{NumRigid: 150}
	for i := range m.NumRigid {
		g := Geom{Body: i, X_BG: r3.PoseIdentity(), Shape: &Box{Half: r3.Vec{0.05, 0.03, 0.02}}}
		switch {
		case i%50 == 7:
			g.Shape = ring
		case i%3 == 0:
			g.Shape = &Sphere{Radius: 0.04}
		}
		m.Geoms = append(m.Geoms, g)
	}
	x := sheet(0.3, 12)
	for i := range 2 {
		m.Deformables = append(m.Deformables, Deformable{Body: m.NumRigid + i, NumVerts: len(x.Verts), Tris: x.Tris})
	}
	s := NewData(m)
	s.SpeculativeDistance, s.DeformableSpeculativeDistance = 1e-3, 1e-3
	for i := range s.X_WB {
		s.X_WB[i] = r3.Pose{
			R: r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}),
			P: r3.Vec{0.3 * r.Float64(), 0.3 * r.Float64(), 0.3 * r.Float64()},
		}
	}
	s.X_W[0], s.X_W[1] = moved(x, shift(0.15, 0.15, 0.1)), moved(x, shift(0.15, 0.15, 0.2))
	return s
}

// However many workers share the pairs of geoms, contacts are the same bits and in the
// order of their bodies, and no memory is taken.
func TestWorkersDoNotChangeContactsOfGeoms(t *testing.T) {
	s := heap(t)
	want := slices.Clone(s.Collide())
	if n := s.chunkPairs(); n < sharedFrom {
		t.Fatalf("only %d chunks", n)
	}
	soft, turns := 0, 0
	for i, c := range want {
		if c.B.Body >= s.Model.NumRigid {
			soft++
		} else if i > 0 && want[i-1].B.Body >= s.Model.NumRigid {
			turns++
		}
		if i > 0 && comparePairs([2]int32{int32(want[i-1].A.Body), int32(want[i-1].B.Body)}, [2]int32{int32(c.A.Body), int32(c.B.Body)}) > 0 {
			t.Fatalf("contact %d is out of order", i)
		}
	}
	if soft == 0 || turns < 10 {
		t.Fatalf("%d contacts of deformables, which take turns %d times with others", soft, turns)
	}
	for _, n := range []int{2, 5} {
		s.Pool = workers.NewPool(n)
		for range 5 {
			if !slices.Equal(want, s.Collide()) {
				t.Errorf("%d workers find other contacts", n)
			}
		}
		if allocs := alloctest.PerRun(1, func() { s.Collide() }); allocs != 0 {
			t.Errorf("%d workers allocate", n)
		}
		s.Pool.Close()
	}
}

// The surface of a deformable that nothing is near stays where it was; it is where the
// vertices are as soon as something may come near, by motion alone too.
func TestSurfacesMoveWhenSomethingIsNear(t *testing.T) {
	m := sheet(0.1, 4)
	s := deformableData(&Sphere{Radius: 0.05}, m)
	s.X_WB[0] = shift(0, 0, -0.049)
	want := slices.Clone(s.Collide())
	if len(want) == 0 {
		t.Fatal("no contact")
	}
	s.X_W[0] = moved(m, shift(0, 0, 1))
	if n := len(s.Collide()); n != 0 || s.deformables[0].fitted {
		t.Errorf("far away: %d contacts, surface moved: %v", n, s.deformables[0].fitted)
	}
	s.PredictedTranslation[0] = r3.Vec{0, 0, 1}
	got := slices.Clone(s.Redetect())
	if len(got) == 0 || !s.deformables[0].fitted {
		t.Fatalf("ahead: %d contacts, surface moved: %v", len(got), s.deformables[0].fitted)
	}
	fresh := deformableData(&Sphere{Radius: 0.05}, m)
	fresh.X_WB[0], fresh.X_W[0], fresh.PredictedTranslation[0] = s.X_WB[0], s.X_W[0], s.PredictedTranslation[0]
	if !slices.Equal(got, fresh.Collide()) {
		t.Error("a new scene finds other contacts")
	}
	s.PredictedTranslation[0], s.X_W[0] = r3.Vec{}, moved(m, shift(0, 0, 0))
	if !slices.Equal(want, s.Collide()) {
		t.Error("back again: other contacts")
	}
}
