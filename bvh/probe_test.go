package bvh

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// sheets are flat items: triangles of vertices in the frame of another tree.
type sheets struct {
	tris  [][3]r3.Vec
	probe Probe
	asked []int // how often for each
}

func (s *sheets) Probe(j int32) *Probe {
	s.asked[j]++
	t := &s.tris[j]
	p := &s.probe
	p.Clear()
	for k := range t {
		p.Extend(&t[k])
	}
	n := r3.TriangleNormal(t[0], t[1], t[2]).Unit()
	h := n.Dot(t[0])
	p.Between(&n, h, h)
	p.Inflate(1e-3)
	return p
}

// Meets rejects every third item.
func (s *sheets) Meets(i int32, box *r3.Box) bool { return i%3 != 0 && s.probe.Meets(box) }

// Pairs are those whose boxes overlap and reach between the planes, grouped by the items
// of u, without the items that Meets rejects; Probe is called at most once for each item.
func TestProbesAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	few := false
	for range 20 {
		boxes := randBoxes(r, 300)
		tree := Build(boxes)
		X := r3.Pose{R: r3.RotExp(randVec(r)), P: randVec(r).Scale(2)}
		s := sheets{asked: make([]int, 200)}
		var own []r3.Box
		for range s.asked {
			x := randVec(r)
			y, z := x.AddScaled(0.3, randVec(r)), x.AddScaled(0.3, randVec(r))
			own = append(own, r3.EmptyBox().Extend(x).Extend(y).Extend(z))
			s.tris = append(s.tris, [3]r3.Vec{X.Point(x), X.Point(y), X.Point(z)})
		}
		got := tree.Probe(Build(own), X, 1e-3, &s, nil)
		asked := 0
		for j, n := range s.asked {
			if n > 1 {
				t.Fatalf("item %d is asked for %d times", j, n)
			}
			asked += n
		}
		few = few || asked < len(s.asked)/2
		seen := map[[2]int32]bool{}
		done, last := map[int32]bool{}, int32(-1)
		for _, p := range got {
			if seen[p] {
				t.Fatalf("pair %v comes twice", p)
			}
			seen[p] = true
			if p[1] != last {
				if done[p[1]] {
					t.Fatalf("pairs of item %d are not together", p[1])
				}
				done[last], last = true, p[1]
			}
		}
		s.asked = make([]int, len(s.asked))
		for j := range s.tris {
			p := s.Probe(int32(j))
			for i, b := range boxes {
				lo, hi := math.Inf(1), math.Inf(-1)
				for k := range 8 {
					x := b.Min
					for axis := range 3 {
						if k>>axis&1 == 1 {
							x[axis] = b.Max[axis]
						}
					}
					h := p.n.Dot(x)
					lo, hi = min(lo, h), max(hi, h)
				}
				at := p.mid / 2
				if want := i%3 != 0 && p.Box.Overlaps(b) && lo <= at+1e-3 && hi >= at-1e-3; want != seen[[2]int32{int32(i), int32(j)}] {
					t.Fatalf("pair %d, %d: found %v, want %v", i, j, !want, want)
				}
			}
		}
	}
	if !few {
		t.Error("all items are asked for, always")
	}
}

func TestRenumberedItemsAreInTheOrderOfTheLeaves(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	boxes := randBoxes(r, 100)
	tree := Build(boxes)
	before := slices.Clone(tree.Query(r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{0, 1, 1}}, nil))
	former := tree.Renumber()
	for k, i := range tree.Query(r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{0, 1, 1}}, nil) {
		if former[i] != before[k] || tree.boxes[i] != boxes[former[i]] {
			t.Fatalf("item %d was %d, the tree says %d", i, before[k], former[i])
		}
	}
}
