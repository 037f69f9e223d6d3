package convex

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"curlfree/cliques"
)

// concave is a broken law: its potential has no minimum.
type concave struct{ spring }

func (l *concave) Eval(c, gamma, G []float64) float64 {
	cost := l.spring.Eval(c, gamma, G)
	scale(gamma, -1)
	scale(G, -1)
	return -cost
}

func TestBrokenLawEndsInAnError(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 50))
	for trial := range 20 {
		q := randomSpec(r, 3, 5, 1e5, 1)
		q.terms[2].law = &concave{spring{len(q.terms[2].b), 1e3}}
		var p cliques.Problem
		q.build(&p, count(3), count(5), true)
		v := slices.Clone(p.V0)
		st, err := new(Solver).Solve(&p, v)
		if !errors.Is(err, ErrNotConverged) || st.Criterion != Failed {
			t.Fatalf("trial %d: %v, %v", trial, err, st.Criterion)
		}
		if notFinite(v) >= 0 {
			t.Fatalf("trial %d: v is not finite", trial)
		}
	}
}

// Without friction and damping ½|v − v*|² + ½ k (v1 + v2)² is least at
// v1 = −v2 = (v1* − v2*)/2 for k → ∞. Beyond 1/ε, H is singular in float64 and
// has to be regularised.
func TestStiffnessBeyondPrecisionIsRegularised(t *testing.T) {
	for _, k := range []float64{1e8, 1e12, 1e16, 1e20, 1e24} {
		var p cliques.Problem
		p.Reset(0, 0.01)
		a, A, _, mom := p.AddDense(2)
		A[0], A[3] = 1, 1
		mom[0], mom[1] = 3, -1
		p.AddConstraint(&spring{1, k})
		J := p.Block(a)
		J[0], J[1] = 1, 1
		v := slices.Clone(p.V0)
		v[0] = 5
		st, err := new(Solver).Solve(&p, v)
		if err != nil {
			t.Errorf("k=%g: %v", k, err)
		}
		if math.Abs(v[0]-2) > 1e-5 || math.Abs(v[1]+2) > 1e-5 {
			t.Errorf("k=%g: v = %v, want (2, −2)", k, v)
		}
		if (k > 1e15) != (st.Regularization > 0) {
			t.Errorf("k=%g: regularisation %g", k, st.Regularization)
		}
		t.Logf("k=%g: %d iterations, %v, λ=%g", k, st.Iterations, st.Criterion, st.Regularization)
	}
}

// A mass of 2 kg is pushed with 3 N s against a spring of 4 N s per m/s:
// 2 v + 4 v = 3.
func ExampleSolver() {
	var p cliques.Problem
	p.Reset(0, 0.01)
	body, A, _, momentum := p.AddDense(1)
	A[0], momentum[0] = 2, 3
	h := p.AddConstraint(&spring{n: 1, k: 4})
	p.Block(body)[0] = 1
	v := slices.Clone(p.V0)
	var s Solver
	st, err := s.Solve(&p, v)
	fmt.Printf("%.3f m/s, %.3f N s, %d iteration, %v\n", v[0], p.Impulse(h)[0], st.Iterations, err)
	// Output: 0.500 m/s, -2.000 N s, 1 iteration, <nil>
}
