package surfaces

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Random pairs of triangles against the definition: a side of one passes through
// the other, computed in rational arithmetic.
func TestCutAgreesWithSegmentsThroughTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cuts := 0
	for range 1000 {
		m := &meshes.Tri{Tris: [][3]int32{{0, 1, 2}, {3, 4, 5}}}
		for range 6 {
			m.Verts = append(m.Verts, r3.Vec{r.Float64(), r.Float64(), r.Float64()})
		}
		through := func(p, q, a, b, c r3.Vec) bool {
			if exact.Side(a, b, c, p) == exact.Side(a, b, c, q) {
				return false
			}
			s := exact.Side(p, q, a, b)
			return exact.Side(p, q, b, c) == s && exact.Side(p, q, c, a) == s
		}
		want := false
		for _, o := range [2][2]int{{0, 3}, {3, 0}} {
			s, t := m.Verts[o[0]:o[0]+3], m.Verts[o[1]:o[1]+3]
			for k := range 3 {
				want = want || through(s[k], s[(k+1)%3], t[0], t[1], t[2])
			}
		}
		if got := CutEachOther(m, m.Tris[0], m.Tris[1]); got != want {
			t.Fatalf("%v: cut %v, want %v", m.Verts, got, want)
		}
		if want {
			cuts++
		}
	}
	if cuts < 100 || cuts > 900 {
		t.Errorf("%d of 1000 cut: the test tests nothing", cuts)
	}
}

// Neighbours in one plane, of which plane faces consist, are separated without exact signs, and no pair that cuts is
// lost: the fast tests never contradict the exact one.
func TestTrianglesAreSeparatedOnlyWhereTheyDoNotCut(t *testing.T) {
	r := samples.NewRand(t, 41)
	apart, cuts := 0, 0
	for range 3000 {
		// corners on a coarse grid share vertices, edges and planes
		m := &meshes.Tri{}
		for range 6 {
			p := r3.Vec{float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(2))}
			m.Verts = append(m.Verts, p.Scale(0.1).Add(r3.Vec{0.3, 0.7, -0.2}))
		}
		k := r.IntN(4) // number of common corners
		m.Tris = [][3]int32{{0, 1, 2}, {3, 4, 5}}
		for i, at := range r.Perm(3)[:min(k, 2)] {
			m.Tris[1][at] = int32(i)
		}
		s := newCrossings(m)
		if s.flats[0] || s.flats[1] {
			continue
		}
		cut := CutEachOther(m, m.Tris[0], m.Tris[1])
		if cut {
			cuts++
		}
		for _, pair := range [][2]int32{{0, 1}, {1, 0}} {
			if !s.apart(pair[0], pair[1]) {
				continue
			}
			apart++
			if cut {
				t.Fatalf("triangles %v of %v cut each other, and were separated", m.Tris, m.Verts)
			}
		}
	}
	if apart < 300 || cuts < 100 {
		t.Errorf("%d pairs separated, %d cut: too few", apart, cuts)
	}
	// two halves of a square, and a fan of a plane face
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 2, 0}}, Tris: [][3]int32{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}}}
	s := newCrossings(m)
	for _, pair := range [][2]int32{{0, 1}, {1, 2}, {0, 2}} {
		if !s.apart(pair[0], pair[1]) {
			t.Errorf("triangles %v of a plane face take exact signs", pair)
		}
	}
}

// A search that ends early says so, and one that does not finds all.
func TestTheSearchForCutsHasABudget(t *testing.T) {
	m := samples.Fan(600)
	s := newCrossings(m)
	if pairs, all := s.search(MaxCrossings); len(pairs) > 0 || !all {
		t.Errorf("%d pairs of cones that touch nowhere else cut each other, all: %v", len(pairs), all)
	}
	// the same with too small a budget: no cut is made up
	used := maxVisits - s.left
	s = newCrossings(m)
	s.left = used / 2
	if pairs, all := s.search(MaxCrossings); len(pairs) > 0 || all {
		t.Errorf("%d pairs, all: %v, with half of the budget", len(pairs), all)
	}
}
