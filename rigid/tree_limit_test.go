package rigid

import (
	"errors"
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// limitChain returns a builder of n links, each hinged to the one before, or all to the world.
func limitChain(t *testing.T, n int, apart bool) *Builder {
	b := &Builder{}
	for i := range n {
		parent := i - 1
		if apart {
			parent = World
		}
		s := LinkSpec{
			Name: fmt.Sprint("l", i), Parent: parent, Joint: Revolute{Axis: r3.Vec{0, 0, 1}},
			X_PF: r3.Pose{R: r3.Identity(), P: r3.Vec{0.1, 0, 0}}, X_BM: r3.PoseIdentity(),
			Mass: 1, Inertia_B: r3.Identity(),
		}
		if _, err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// A tree above the limit is refused before its dense matrix is made; as many links in
// trees of their own are not, and the limit can be raised.
func TestLargeTreesAreRefused(t *testing.T) {
	b := limitChain(t, 20_000, false)
	if _, err := b.Build(); !errors.Is(err, ErrLargeTree) {
		t.Fatalf("a chain of 20,000 hinges: %v", err)
	}
	if _, err := limitChain(t, 20_000, true).Build(); err != nil {
		t.Fatalf("20,000 pendulums: %v", err)
	}
	for _, most := range []int{20, 21} {
		b := limitChain(t, 21, false)
		b.MaxTreeDofs = most
		if _, err := b.Build(); (err == nil) != (most == 21) {
			t.Errorf("21 hinges with a limit of %d: %v", most, err)
		}
	}
}
