package bvh

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Of both kinds of trees every pair of boxes that meet is visited once, also of boxes in a plane and of boxes that
// coincide.
func TestOverlapsAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for _, n := range []int{0, 1, 2, 5, 9, 100, 777} {
		boxes := randBoxes(r, n)
		flat := slices.Clone(boxes)
		for i := range flat {
			flat[i].Min[2], flat[i].Max[2] = 1, 1
		}
		for name, boxes := range map[string][]r3.Box{"anywhere": boxes, "in a plane": flat, "coincident": make([]r3.Box, n)} {
			for kind, tree := range map[string]*Tree{"Build": Build(boxes), "BuildFast": BuildFast(boxes)} {
				seen := map[[2]int32]int{}
				if !tree.Overlaps(func(i, j int32) bool { seen[[2]int32{min(i, j), max(i, j)}]++; return true }) {
					t.Fatal("ended")
				}
				for i := range int32(n) {
					for j := range i {
						want := 0
						if meets(&boxes[i], &boxes[j]) {
							want = 1
						}
						if got := seen[[2]int32{j, i}]; got != want {
							t.Fatalf("%s, %d boxes %s: pair %d, %d visited %d times, want %d", kind, n, name, j, i, got, want)
						}
					}
				}
				visits := 0
				if len(seen) > 1 && (tree.Overlaps(func(i, j int32) bool { visits++; return false }) || visits != 1) {
					t.Fatalf("%d visits after the first one", visits-1)
				}
				if n > 0 {
					check(t, r, tree, boxes)
				}
			}
		}
	}
}
