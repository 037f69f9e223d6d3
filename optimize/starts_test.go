package optimize

import (
	"math"
	"testing"
)

// The problem of a cart is convex: each start ends at the same cost, for any number of threads.
func TestStartsOfAConvexProblemEndAlike(t *testing.T) {
	text := `
scene: cart.yaml
drives: [pull]
effort: 1e-3
starts: {number: 4, spread: [5], knots: 3, seed: 7}
loss:
  place: {joints: [cart], target: [0.3], at_end: 1}
decrease: 1e-12
`
	var before *Solution
	for _, threads := range []int{1, 2} {
		s := solved(t, threads, text)
		if len(s.Starts) != 4 {
			t.Fatalf("%d starts", len(s.Starts))
		}
		for i, e := range s.Starts {
			if e.Err != nil || math.Abs(e.Cost/s.Cost-1) > 1e-9 {
				t.Errorf("start %d ends at %g, want %g; error %v", i, e.Cost, s.Cost, e.Err)
			}
			if before != nil && e.Cost != before.Starts[i].Cost {
				t.Errorf("start %d ends at %g with one thread, %g with %d", i, before.Starts[i].Cost, e.Cost, threads)
			}
		}
		before = s
	}
}

// First guesses are linear between knots, and more starts do not change the first ones.
func TestStartsAreLinearBetweenKnots(t *testing.T) {
	task := &Task{File: &File{Drives: []string{"a", "b"}, Starts: &Starts{Number: 3, Spread: []float64{2, 0}, Knots: 3}}, steps: 9}
	for start := range 3 {
		u := task.disturb([]float64{1, 5}, start)
		for k := range u {
			if u[k][1] != 5 {
				t.Errorf("start %d, step %d: an effort without spread is %g, want 5", start, k, u[k][1])
			}
			// three knots: steps 0, 4, 8
			if k%4 == 0 || k == 0 {
				continue
			}
			if bend := u[k-1][0] - 2*u[k][0] + u[k+1][0]; math.Abs(bend) > 1e-12 {
				t.Errorf("start %d, step %d: second difference %g", start, k, bend)
			}
		}
		if moved := u[0][0] != 1 || u[8][0] != 1; moved != (start > 0) {
			t.Errorf("start %d: efforts from %g to %g", start, u[0][0], u[8][0])
		}
	}
}
