package convex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// scaled is a law whose strength may change between solves.
type scaled struct {
	cliques.Law
	strength float64
}

func (l *scaled) Eval(vc, gamma, G []float64) float64 {
	cost := l.Law.Eval(vc, gamma, G)
	for i := range gamma {
		gamma[i] *= l.strength
	}
	for i := range G {
		G[i] *= l.strength
	}
	return l.strength * cost
}

// After laws have changed Resume finds what a new solver finds, also where no island is left
// as it was, and with vertices; another solve after it is not disturbed.
func TestResumeFindsTheSolutionOfTheChangedLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 17))
	s := tight()
	for trial := range 100 {
		q := randomSpec(r, 1+r.IntN(8), r.IntN(12), 1e5, 1)
		for i := range q.terms {
			q.terms[i].law = &scaled{q.terms[i].law, 1}
		}
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		before, _ := mustSolve(t, s, &p)
		v := slices.Clone(before)
		for range 3 {
			for i := range q.terms {
				if r.IntN(3) > 0 {
					q.terms[i].law.(*scaled).strength = 0.2 + 2*r.Float64()
				}
			}
			st, err := s.Resume(&p, v)
			if err != nil {
				t.Fatalf("trial %d: %v (history %.2g)", trial, err, st.History)
			}
			gamma := slices.Clone(p.Gamma)
			want, _ := mustSolve(t, tight(), &p)
			if d := maxDiff(v, want); d > 1e-9 {
				t.Fatalf("trial %d: velocities off by %g", trial, d)
			}
			if d := maxDiff(gamma, p.Gamma); d > 1e-6 {
				t.Fatalf("trial %d: impulses off by %g", trial, d)
			}
		}
		// nothing changed: nothing to do
		if st, err := s.Resume(&p, v); err != nil || st.Iterations > 1 {
			t.Fatalf("trial %d: %d iterations from the solution, %v", trial, st.Iterations, err)
		}
		for i := range q.terms {
			q.terms[i].law.(*scaled).strength = 1
		}
		if again, _ := mustSolve(t, s, &p); maxDiff(again, before) > 1e-10 {
			t.Fatalf("trial %d: another solve differs", trial)
		}
	}
}
