package geometry

import (
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A body that closes on itself while it is carried off, turns, jumps and closes
// fast: what is found is what a scene without memory finds, and while it moves
// slowly pairs are listed seldom.
func TestRememberedPairsAreThoseFoundAfresh(t *testing.T) {
	m := fork(t, 2)
	s := selfData(m)
	rigid := func(turn, far float64) r3.Pose {
		return r3.Pose{R: r3.RotExp(r3.Vec{0.3 * turn, -0.5 * turn, turn}), P: r3.Vec{far, -2 * far, 3 * far}}
	}
	contacts, listed := 0, 0
	for i := range 40 {
		turn, far, d := 0.0, 1e-3*float64(i), 0.0099+2e-5*float64(i) // slowly
		switch {
		case i >= 30: // fast, to and fro
			d = 0.0101 - 2e-3*float64(i%2)
		case i >= 20: // turning
			turn = 0.02 * float64(i)
		}
		X := rigid(turn, far)
		f := closeFork(d)
		x := bent(m, func(p r3.Vec) r3.Vec { return X.Point(f(p)) })
		ahead := bent(m, func(p r3.Vec) r3.Vec { return X.R.MulVec(closeFork(1e-4)(p).Sub(p)) })
		s.X_W[0], s.PredictedDeformation[0] = x, [][]r3.Vec{ahead}
		afresh := selfData(m)
		afresh.X_W[0], afresh.PredictedDeformation[0] = x, s.PredictedDeformation[0]
		if got, want := s.Collide(), afresh.Collide(); !slices.Equal(got, want) {
			t.Fatalf("placement %d: %d contacts, %d afresh", i, len(got), len(want))
		}
		contacts += len(s.contacts)
		if i < 20 && s.selves[0].facing.reused == 0 {
			listed++
		}
	}
	if contacts < 1000 || listed > 2 {
		t.Errorf("%d contacts, pairs of faces listed %d times in 20 slow steps", contacts, listed)
	}
}

// What comes within the margin is among the listed pairs, by all pairs.
func TestListedPairsAreComplete(t *testing.T) {
	m := fork(t, 1)
	s := selfData(m)
	for i := range 20 {
		s.X_W[0] = bent(m, closeFork(0.0095+1e-4*float64(i)))
		s.Collide()
		for _, n := range []*neighborList{&s.selves[0].facing, &s.selves[0].inside} {
			if n.listedBoxes[0] == nil {
				continue
			}
			n.update(1e-4)
			has := map[[2]int32]bool{}
			for _, p := range n.pairs {
				has[p] = true
				has[[2]int32{p[1], p[0]}] = n.a == n.b || has[[2]int32{p[1], p[0]}]
			}
			for i := range n.a.boxes {
				for j := range n.b.boxes {
					p := [2]int32{int32(i), int32(j)}
					if within(&n.a.boxes[i], &n.b.boxes[j], 1e-4) && !n.common(p[0], p[1]) && !has[p] {
						t.Fatalf("pair %v is not listed", p)
					}
				}
			}
		}
	}
}
