package bvh

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

func randVec(r *rand.Rand) r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

func randBoxes(r *rand.Rand, n int) []r3.Box {
	boxes := make([]r3.Box, n)
	for i := range boxes {
		p := randVec(r)
		boxes[i] = r3.EmptyBox().Extend(p).Extend(p.AddScaled(0.2, randVec(r)))
		if i%7 == 0 { // flat boxes and points
			boxes[i].Max[i%3] = boxes[i].Min[i%3]
		}
		if i%11 == 0 {
			boxes[i].Max = boxes[i].Min
		}
	}
	return boxes
}

// check compares t with brute force over the boxes.
func check(t *testing.T, r *rand.Rand, tree *Tree, boxes []r3.Box) {
	t.Helper()
	for range 50 {
		p := randVec(r)
		q := r3.Box{Min: p, Max: p.Add(r3.Vec{0.5, 0.3, 0.1})}
		var wantQ []int32
		near, best := int32(-1), math.Inf(1)
		for i, b := range boxes {
			if b.Overlaps(q) {
				wantQ = append(wantQ, int32(i))
			}
			if d2 := b.Dist2(p); d2 < best {
				near, best = int32(i), d2
			}
		}
		gotQ := tree.Query(q, nil)
		if tree.Meets(q) != (len(gotQ) > 0) {
			t.Errorf("Meets %v with %d items in the box", tree.Meets(q), len(gotQ))
		}
		slices.Sort(gotQ)
		if !slices.Equal(gotQ, wantQ) {
			t.Fatalf("Query: got %v, want %v", gotQ, wantQ)
		}
		got, d2 := tree.Nearest(p, math.Inf(1), func(i int32) float64 { return boxes[i].Dist2(p) })
		if got != near || d2 != best {
			t.Fatalf("Nearest: got %d at %g, want %d at %g", got, d2, near, best)
		}
	}
}

func TestQueriesAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 4, 5, 9, 100, 777} {
		boxes := randBoxes(r, n)
		tree := Build(boxes)
		check(t, r, tree, boxes)
		boxes = randBoxes(r, n)
		tree.Refit(boxes)
		check(t, r, tree, boxes)
	}
}

func TestCoincidentItemsStayShallow(t *testing.T) {
	boxes := make([]r3.Box, 5000)
	tree := Build(boxes)
	if got := tree.Query(boxes[0], nil); len(got) != len(boxes) {
		t.Fatalf("found %d of %d", len(got), len(boxes))
	}
	item, d2 := tree.Nearest(r3.Vec{1, 0, 0}, 9, func(int32) float64 { return 1 })
	if item != 0 || d2 != 1 {
		t.Fatalf("nearest %d at %g: want the lowest number among equals", item, d2)
	}
	if item, d2 = tree.Nearest(r3.Vec{4, 0, 0}, 9, func(int32) float64 { return 16 }); item != -1 || d2 != 9 {
		t.Fatalf("found item %d at %g beyond the bound", item, d2)
	}
}

// Every pair that truly overlaps is found, and no pair whose face axes separate.
func TestPairsAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 20 {
		a, b := randBoxes(r, 60), randBoxes(r, 90)
		X := r3.Pose{R: r3.RotExp(randVec(r)), P: randVec(r)}
		const margin = 0.05
		got := Build(a).Pairs(Build(b), X, margin, nil)
		s := newSeparation(&X, margin)
		seen := map[[2]int32]int{}
		for _, p := range got {
			seen[p]++
		}
		for i := range a {
			for j := range b {
				p := [2]int32{int32(i), int32(j)}
				want := 0
				if s.near(&a[i], &b[j]) {
					want = 1
				}
				if seen[p] != want {
					t.Fatalf("pair %v reported %d times, want %d", p, seen[p], want)
				}
				for range 5 { // a common point proves overlap
					x := b[j].Min.Add(b[j].Size().Scale(r.Float64()))
					if a[i].Dist2(X.Point(x)) <= margin*margin && seen[p] == 0 {
						t.Fatalf("pair %v overlaps and was missed", p)
					}
				}
			}
		}
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	boxes := randBoxes(r, 500)
	tree := Build(boxes)
	buf, pairs := make([]int32, 0, 1000), make([][2]int32, 0, 500*500)
	X := r3.Pose{R: r3.RotExp(r3.Vec{1, 2, 3}), P: r3.Vec{0.3, 0, 0}}
	n := alloctest.PerRun(10, func() {
		p := r3.Vec{0.1, 0.2, 0.3}
		tree.Refit(boxes)
		buf = tree.Query(boxes[3].Inflate(0.1), buf[:0])
		pairs = tree.Pairs(tree, X, 0, pairs[:0])
		tree.Nearest(p, math.Inf(1), func(i int32) float64 { return boxes[i].Dist2(p) })
	})
	if n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewSource(4))
	boxes := randBoxes(r, 10000)
	tree := Build(boxes)
	b.ReportAllocs()
	for b.Loop() {
		p := randVec(r)
		tree.Nearest(p, math.Inf(1), func(i int32) float64 { return boxes[i].Dist2(p) })
	}
}

// Items whose distances halve one after the other are split off one by one: half of
// the bins has one item.
func TestCrowdedItemsStayShallow(t *testing.T) {
	var boxes []r3.Box
	for i := range 1000 {
		x := r3.Vec{math.Ldexp(1, -i), 0, 0}
		boxes = append(boxes, r3.Box{Min: x, Max: x})
	}
	for i := range 20 { // too far for a size, and nowhere
		boxes = append(boxes, r3.Box{Min: r3.Vec{math.Inf(1 - 2*(i%2))}, Max: r3.Vec{math.MaxFloat64}}, r3.EmptyBox())
	}
	tree := Build(boxes)
	depth := make([]int, len(tree.nodes))
	for k, n := range tree.nodes {
		if depth[k] >= maxDepth {
			t.Fatalf("node %d is at depth %d", k, depth[k])
		}
		if !n.Leaf() {
			depth[k+1], depth[n.Right] = depth[k]+1, depth[k]+1
		}
	}
	if got := tree.Query(r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{2, 2, 2}}, nil); len(got) < 1000 {
		t.Errorf("found %d of 1000", len(got))
	}
}

func BenchmarkBuild(b *testing.B) {
	boxes := randBoxes(rand.New(rand.NewSource(4)), 20000)
	for b.Loop() {
		Build(boxes)
	}
}

func BenchmarkRefit(b *testing.B) {
	boxes := randBoxes(rand.New(rand.NewSource(4)), 20000)
	tree := Build(boxes)
	b.ReportAllocs()
	for b.Loop() {
		tree.Refit(boxes)
	}
}

func BenchmarkQuery(b *testing.B) {
	r := rand.New(rand.NewSource(4))
	tree := Build(randBoxes(r, 10000))
	var dst []int32
	b.ReportAllocs()
	for b.Loop() {
		p := randVec(r)
		dst = tree.Query(r3.Box{Min: p, Max: p.Add(r3.Vec{0.5, 0.3, 0.1})}, dst[:0])
	}
}

func BenchmarkMeets(b *testing.B) {
	r := rand.New(rand.NewSource(4))
	tree := Build(randBoxes(r, 10000))
	b.ReportAllocs()
	for b.Loop() {
		p := randVec(r)
		tree.Meets(r3.Box{Min: p, Max: p.Add(r3.Vec{0.5, 0.3, 0.1})})
	}
}
