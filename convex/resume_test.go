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
	strength    float64
	evaluations int
}

func (l *scaled) Eval(vc, gamma, G []float64) float64 {
	l.evaluations++
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
			q.terms[i].law = &scaled{Law: q.terms[i].law, strength: 1}
		}
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		before, _ := mustSolve(t, s, &p)
		v := slices.Clone(before)
		for range 3 {
			var changed []cliques.Handle
			for i := range q.terms {
				if r.IntN(3) > 0 {
					q.terms[i].law.(*scaled).strength = 0.2 + 2*r.Float64()
					changed = append(changed, cliques.Handle(i))
				}
			}
			st, err := s.Resume(&p, v, changed)
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
		if st, err := s.Resume(&p, v, nil); err != nil || st.Iterations > 0 {
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

// Islands none of whose laws has changed are not evaluated again; a tighter tolerance makes all
// continue to what a solve from the start finds.
func TestResumeLeavesIslandsWithoutChangeAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 18))
	left := 0
	for trial := range 100 {
		q := randomSpec(r, 4+r.IntN(8), 2+r.IntN(4), 1e5, 1)
		laws := make([]*scaled, len(q.terms))
		for i := range q.terms {
			laws[i] = &scaled{Law: q.terms[i].law, strength: 1}
			q.terms[i].law = laws[i]
		}
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		s := &Solver{RelTol: 1e-4}
		v, _ := mustSolve(t, s, &p)
		for _, l := range laws {
			l.evaluations = 0
		}
		laws[0].strength = 2
		if _, err := s.Resume(&p, v, []cliques.Handle{0}); err != nil {
			t.Fatal(err)
		}
		s.connect(&p, v)
		for i, l := range laws {
			same := s.partition.islandOfConstraint(i) == s.partition.islandOfConstraint(0)
			if (s.Island(&p, cliques.Handle(i)) == s.Island(&p, 0)) != same {
				t.Errorf("trial %d: constraint %d has island %d, constraint 0 has %d", trial, i, s.Island(&p, cliques.Handle(i)), s.Island(&p, 0))
			}
			if same != (l.evaluations > 0) {
				t.Errorf("trial %d: constraint %d was evaluated %d times, with a change in its island: %v", trial, i, l.evaluations, same)
			}
			if !same {
				left++
			}
		}
		s.RelTol = 1e-13
		if _, err := s.Resume(&p, v, nil); err != nil {
			t.Fatal(err)
		}
		if want, _ := mustSolve(t, tight(), &p); maxDiff(v, want) > 1e-9 {
			t.Errorf("trial %d: velocities off by %g", trial, maxDiff(v, want))
		}
	}
	if left < 50 {
		t.Errorf("only %d constraints in other islands", left)
	}
}
