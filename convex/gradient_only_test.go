package convex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// impulseLaw is a GradientOnly law that counts its evaluations.
type impulseLaw struct {
	cliques.Law
	impulses, full *int
}

func (l impulseLaw) Eval(c, gamma, G []float64) float64 {
	*l.full++
	return l.Law.Eval(c, gamma, G)
}

func (l impulseLaw) EvalImpulse(c, gamma []float64) {
	*l.impulses++
	var G [36]float64
	l.Law.Eval(c, gamma, G[:len(c)*len(c)])
}

// Predictions of the last iteration, right or wrong, change no bit of velocities and
// impulses; a cost that was skipped is NaN.
func TestSkippedHessiansChangeNoBit(t *testing.T) {
	impulses, full, again := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		spec := randomSpec(r, 2+r.IntN(5), 8, 1e5, 1)
		build := func(gradientOnly bool) *cliques.Problem {
			p := new(cliques.Problem)
			spec.build(p, count(len(spec.size)), count(len(spec.terms)), seed%2 == 0)
			for i := range p.Constraints {
				if c := &p.Constraints[i]; gradientOnly && i%3 != 0 {
					c.Law = impulseLaw{c.Law, &impulses, &full}
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
		for predicted := range plain.Iterations + 3 {
			before := full
			s := &Solver{lastIterations: predicted}
			got, st := solve(s, build(true))
			if !slices.Equal(got, want) || st.Iterations != plain.Iterations || st.Residual != plain.Residual || st.Condition != plain.Condition {
				t.Fatalf("seed %d, %d iterations predicted: %+v, without predictions %+v", seed, predicted, st, plain)
			}
			if !math.IsNaN(st.Cost) && st.Cost != plain.Cost {
				t.Errorf("cost %g, want %g", st.Cost, plain.Cost)
			}
			if s.lastIterations != plain.Iterations {
				t.Errorf("keeps %d iterations of %d", s.lastIterations, plain.Iterations)
			}
			if predicted > 0 && predicted < plain.Iterations {
				again += full - before
			}
		}
		s := &Solver{lastIterations: 1, Condition: true}
		if _, st := solve(s, build(true)); math.IsNaN(st.Cost) {
			t.Error("no cost where the condition number is asked for")
		}
	}
	if t.Logf("%d Hessians skipped, %d computed after wrong predictions", impulses, again); impulses < 100 || again < 100 {
		t.Error("too few Hessians were skipped or computed afterwards")
	}
}
