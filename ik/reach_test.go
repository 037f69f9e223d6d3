package ik

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Poses that forward kinematics gives are reached from the ready position, and the joint
// positions found put the flange there by the Denavit-Hartenberg product.
func TestReachFindsPosesOfRandomJoints(t *testing.T) {
	s := newSolver(t, panda(t))
	rng := rand.New(rand.NewSource(11))
	starts, missed := 0, 0
	const trials = 100
	for range trials {
		truth := make([]float64, 7)
		for i, l := range pandaLimits {
			truth[i] = l[0] + rng.Float64()*(l[1]-l[0])
		}
		want := dh(truth)[7]
		s.Frames[0].X_WF = want
		q := append([]float64(nil), home...)
		r, err := s.Reach(q, Search{Restarts: 100})
		if err != nil {
			t.Fatal(err)
		}
		starts += r.Starts
		if !r.OK {
			missed++
			continue
		}
		if d, a := apart(dh(q)[7], want); d > 2e-7 || a > 2e-7 {
			t.Errorf("reached, but the flange is %g m and %g rad off", d, a)
		}
		for i, l := range pandaLimits {
			if q[i] < l[0] || q[i] > l[1] {
				t.Errorf("joint %d at %g is beyond its limits", i+1, q[i])
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d poses were not found", missed, trials)
	}
	t.Logf("%.1f starts a pose", float64(starts)/trials)
}

// Farther than the arm is long there is no solution: the search says so, and how near it came.
// The flange reaches 0.333 m up plus at most 0.316 + 0.384 + 0.107 m and the offsets.
func TestUnreachablePosesAreReported(t *testing.T) {
	s := newSolver(t, panda(t))
	s.Frames[0].X_WF = r3.Pose{R: r3.Identity(), P: r3.Vec{2, 0, 0.333}}
	s.Frames[0].Rotation = 0
	q := append([]float64(nil), home...)
	r, err := s.Reach(q, Search{Restarts: 3})
	if err != nil || r.OK || r.Err() == nil || !strings.Contains(r.Err().Error(), "out of reach") {
		t.Fatalf("%+v %v", r, err)
	}
	// the shoulder is the centre of the sphere that the flange reaches
	if far := s.Pose(0, q).P.Sub(r3.Vec{0, 0, 0.333}).Norm(); 2-far-r.Position > 1e-3 || far < 0.8 || far > 0.95 {
		t.Errorf("the arm stretches to %g m and misses by %g m", far, r.Position)
	}
}

// A pose that a link can only take within an obstacle counts as out of reach.
func TestReachKeepsPairsApart(t *testing.T) {
	X := dh(home)[7]
	s := tenPairs(t, X.P)
	s.Frames[0].X_WF = X
	q := append([]float64(nil), home...)
	r, err := s.Reach(q, Search{Restarts: 2})
	t.Log(s.near, s.rows, s.apart.lo, s.apart.r)
	if err != nil || r.OK {
		t.Errorf("%+v %v: the flange is inside the obstacle", r, err)
	}
}
