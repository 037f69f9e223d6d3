package convex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// thrifty is a law that knows its impulse alone.
type thrifty struct {
	cliques.Law
	spared, whole *int
}

func (l thrifty) Eval(c, gamma, G []float64) float64 {
	*l.whole++
	return l.Law.Eval(c, gamma, G)
}

func (l thrifty) EvalImpulse(c, gamma []float64) {
	*l.spared++
	var G [36]float64
	l.Law.Eval(c, gamma, G[:len(c)*len(c)])
}

// Whatever a solver guesses from the problem before, right or wrong, it finds the same
// bits, and what it leaves out it leaves out of the result only.
func TestSparedHessiansChangeNoBit(t *testing.T) {
	spared, whole, again := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		spec := randomSpec(r, 2+r.IntN(5), 8, 1e5, 1)
		build := func(sparing bool) *cliques.Problem {
			p := new(cliques.Problem)
			spec.build(p, count(len(spec.size)), count(len(spec.terms)), seed%2 == 0)
			for i := range p.Constraints {
				if c := &p.Constraints[i]; sparing && i%3 != 0 {
					c.Law = thrifty{c.Law, &spared, &whole}
				}
			}
			return p
		}
		solve := func(s *Solver, p *cliques.Problem) ([]float64, Stats) {
			v := slices.Clone(p.V0)
			st, err := s.Solve(p, v)
			if err != nil {
				t.Fatal(err)
			}
			return append(append(v, p.Gamma...), p.Vc...), st
		}
		want, plain := solve(new(Solver), build(false))
		for usual := range plain.Iterations + 3 {
			before := whole
			s := &Solver{usual: usual}
			got, st := solve(s, build(true))
			if !slices.Equal(got, want) || st.Iterations != plain.Iterations || st.Residual != plain.Residual || st.Condition != plain.Condition {
				t.Fatalf("seed %d, %d iterations expected: %+v, without guesses %+v", seed, usual, st, plain)
			}
			if !math.IsNaN(st.Cost) && st.Cost != plain.Cost {
				t.Errorf("cost %g, want %g", st.Cost, plain.Cost)
			}
			if s.usual != plain.Iterations {
				t.Errorf("remembers %d iterations of %d", s.usual, plain.Iterations)
			}
			if usual > 0 && usual < plain.Iterations {
				again += whole - before
			}
		}
		s := &Solver{usual: 1, Condition: true}
		if _, st := solve(s, build(true)); math.IsNaN(st.Cost) {
			t.Error("no cost where the condition number is asked for")
		}
	}
	if t.Logf("%d spared, %d made up for or whole after wrong guesses", spared, again); spared < 100 || again < 100 {
		t.Error("little was spared")
	}
}
