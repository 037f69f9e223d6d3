package convex_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/workers"
)

// Continuation ends at the same velocities as Newton's method started from the solution of
// a hundred times softer problem.
func TestContinuationEndsWhereNewtonDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 61))
	m := constraints.Similar{}
	continued := 0
	for range 20 {
		const k = 1e8
		q := randomHeap(r, k, 1, 0.3)
		var p cliques.Problem
		q.build(&p, m)
		v := slices.Clone(p.V0)
		s := solver(m)
		s.RelTol = 1e-10
		st, err := s.Solve(&p, v)
		if err != nil {
			t.Fatal(err)
		}
		if st.Continuation == 0 {
			continue
		}
		continued++
		plain := slices.Clone(p.V0)
		for h := range p.Constraints { // hides ContinuationLaw
			p.Constraints[h].Law = struct{ cliques.Law }{p.Constraints[h].Law}
		}
		s.MaxIter = 10000
		if st, err = s.Solve(&p, plain); err != nil || st.Continuation != 0 {
			t.Fatal(err, st.Continuation)
		}
		for i := range v {
			if d := math.Abs(v[i] - plain[i]); d > 1e-7 {
				t.Fatalf("velocity %d is off by %g", i, d)
			}
		}
	}
	if continued < 5 {
		t.Errorf("only %d problems are continued: too few for this test", continued)
	}
}

// Continuation of one island changes no other island.
func TestIslandsAreContinuedOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 65))
	hard, easy := randomHeap(r, 1e11, 1, 0.3), stack(1e6, 0.5, []float64{1, 2, 3})
	var alone, both cliques.Problem
	easy.build(&alone, constraints.Lagged{})
	want := slices.Clone(alone.V0)
	lone, err := new(convex.Solver).Solve(&alone, want)
	if err != nil {
		t.Fatal(err)
	}
	hard.build(&both, constraints.Similar{})
	n := both.Size()
	easy.append(&both, constraints.Lagged{})
	v := slices.Clone(both.V0)
	st, err := new(convex.Solver).Solve(&both, v)
	if err != nil || st.Continuation == 0 {
		t.Fatal(err, st.Continuation)
	}
	if st.Iterations <= lone.Iterations || len(st.History) < st.Iterations {
		t.Errorf("%d and %d iterations, %d residuals", st.Iterations, lone.Iterations, len(st.History))
	}
	for i, x := range want {
		if d := math.Abs(v[n+i] - x); d > 1e-12 {
			t.Errorf("velocity %d of the easy island is off by %g", i, d)
		}
	}
}

func TestContinuationHasTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 66))
	q := randomHeap(r, 1e11, 1, 0.3)
	var want []float64
	for n := 1; n <= 4; n++ {
		var p cliques.Problem
		q.build(&p, constraints.Similar{})
		s := solver(constraints.Similar{})
		s.Condition = true
		s.Pool = workers.NewPool(n)
		v := slices.Clone(p.V0)
		st, err := s.Solve(&p, v)
		if err != nil || st.Continuation == 0 {
			t.Fatal(err, st.Continuation)
		}
		got := append(append(v, p.Gamma...), st.Condition)
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("%d workers: other bits", n)
		}
		s.Pool.Close()
	}
}

func TestContinuationAndConditionAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 67))
	q := randomHeap(r, 1e11, 1, 0.3)
	m := constraints.ContactModel(constraints.Similar{})
	var p cliques.Problem
	s := solver(m)
	s.Condition = true
	v := make([]float64, 6*len(q.mass))
	run := func() {
		q.build(&p, m)
		copy(v, p.V0)
		st, err := s.Solve(&p, v)
		if err != nil || st.Continuation == 0 {
			t.Fatal(err, st.Continuation)
		}
	}
	run()
	if n := alloctest.PerRun(5, run); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// An island that fails in continuation has its laws back and a cost no higher than when
// continuation began, and the error has the history of its residuals.
func TestFailureInContinuationKeepsLawsAndHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 68))
	m := constraints.Similar{}
	failed := 0
	for range 10 {
		q := randomHeap(r, 1e12, 1, 0.3)
		last := math.Inf(1)
		for _, n := range []int{6, 8, 10, 12} {
			var p cliques.Problem
			q.build(&p, m)
			v := slices.Clone(p.V0)
			s := solver(m)
			s.MaxIter = n
			st, err := s.Solve(&p, v)
			checkLaws(t, &p)
			if st.Cost > last*(1+1e-12) {
				t.Errorf("%d iterations allowed: cost rose from %g to %g", n, last, st.Cost)
			}
			last = st.Cost
			var e *convex.NotConvergedError
			if !errors.As(err, &e) {
				continue
			}
			failed++
			if w := e.Stats.Worst; w < 0 || int(w) >= len(p.Constraints) {
				t.Errorf("worst constraint %d of %d", w, len(p.Constraints))
			}
			if len(e.Stats.History) < st.Iterations {
				t.Errorf("%d residuals of %d iterations", len(e.Stats.History), st.Iterations)
			}
			text := err.Error()
			if _, err := s.Solve(&p, v); err != nil && text != e.Error() {
				t.Error("the next solve changes the error's history")
			}
		}
	}
	if failed < 10 {
		t.Errorf("%d failures: too few for this test", failed)
	}
}
