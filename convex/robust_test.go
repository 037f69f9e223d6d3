package convex

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/oracle"
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
	worst := make(map[cliques.Handle]int)
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
		worst[st.Worst]++
		if notFinite(v) >= 0 {
			t.Fatalf("trial %d: v is not finite", trial)
		}
	}
	if t.Logf("worst constraints: %v", worst); worst[2] < 16 {
		t.Errorf("the broken one is named %d times in 20", worst[2])
	}
}

// restless is a broken law whose impulse changes from one evaluation to the next, and that
// has no continuation.
type restless struct {
	spring
	evals int
}

func (l *restless) Eval(c, gamma, G []float64) float64 {
	cost := l.spring.Eval(c, gamma, G)
	l.evals++
	for i := range gamma {
		gamma[i] += 1e-3 * float64(l.evals)
	}
	return cost
}

// A problem that cannot converge, and whose laws cannot be capped, ends after MaxIter.
func TestUnconvergedProblemsWithoutContinuationEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 51))
	for range 10 {
		q := randomSpec(r, 3, 5, 1e5, 1)
		q.terms[2].law = &restless{spring: spring{len(q.terms[2].b), 1e3}}
		var p cliques.Problem
		q.build(&p, count(3), count(5), true)
		s := &Solver{MaxIter: 200}
		st, err := s.Solve(&p, slices.Clone(p.V0))
		if !errors.Is(err, ErrNotConverged) || st.Iterations != s.MaxIter {
			t.Fatalf("%v after %d iterations, %v", st.Criterion, st.Iterations, err)
		}
	}
}

// Without friction and damping ½|v − v*|² + ½ k (v1 + v2)² is least at
// v1 = −v2 = (v1* − v2*)/2 for k → ∞. Beyond 1/ε, H is singular in float64 and
// has to be regularized.
func TestStiffnessBeyondPrecisionIsRegularized(t *testing.T) {
	for _, k := range []float64{1e8, 1e12, 1e16, 1e20, 1e24} {
		for _, deformable := range []bool{false, true} {
			var p cliques.Problem
			p.Reset(0, 0.01)
			second := 1 // velocity
			if deformable {
				a, A, _, mom := p.AddSparse(chainPattern(2))
				unitMasses(A, 2)
				second = 3
				mom[0], mom[second] = 3, -1
				p.AddConstraint(&spring{1, k})
				p.Block(a)[0], p.Block(a + 1)[0] = 1, 1
			} else {
				a, A, _, mom := p.AddDense(2)
				A[0], A[3] = 1, 1
				mom[0], mom[second] = 3, -1
				p.AddConstraint(&spring{1, k})
				J := p.Block(a)
				J[0], J[1] = 1, 1
			}
			v := slices.Clone(p.V0)
			v[0] = 5
			st, err := new(Solver).Solve(&p, v)
			if err != nil {
				t.Errorf("k=%g: %v", k, err)
			}
			if math.Abs(v[0]-2) > 1e-5 || math.Abs(v[second]+2) > 1e-5 {
				t.Errorf("k=%g: v = %v, want (2, −2)", k, v)
			}
			if (k > 1e15) != (st.Regularization > 0) {
				t.Errorf("k=%g: regularization %g", k, st.Regularization)
			}
			t.Logf("k=%g: %d iterations, %v, λ=%g", k, st.Iterations, st.Criterion, st.Regularization)
		}
	}
}

// unitMasses makes A of a chain of n vertices the identity.
func unitMasses(A []float64, n int) {
	for j := range n {
		A[18*j], A[18*j+4], A[18*j+8] = 1, 1, 1
	}
}

// The diagonal blocks of vertices are definite; the blocks between them make A indefinite.
func TestIndefiniteDeformableIsNamedWithAndWithoutContact(t *testing.T) {
	for _, touched := range []bool{false, true} {
		var p cliques.Problem
		p.Reset(0, 0.01)
		a, A, _, mom := p.AddSparse(chainPattern(2))
		unitMasses(A, 2)
		A[9] = 2 // couples both along x
		mom[0] = 1
		if touched {
			p.AddConstraint(&spring{1, 0.1})
			p.Block(a)[0] = 1
		}
		var indefinite *IndefiniteError
		if _, err := new(Solver).Solve(&p, slices.Clone(p.V0)); !errors.As(err, &indefinite) {
			t.Errorf("touched: %t: %v", touched, err)
		}
	}
}

// A heavy body on light ones: with springs that never open the answer is the
// solution of a tridiagonal system.
func TestStackWithMassRatio(t *testing.T) {
	const h, g, n = 0.005, 9.81, 4
	for _, ratio := range []float64{1, 1e3, 1e6} {
		for _, k := range []float64{1e7, 1e8, 1e9, 1e10, 1e11, 1e12} {
			var p cliques.Problem
			p.Reset(0, h)
			mass := func(i int) float64 {
				if i == n-1 {
					return ratio
				}
				return 1
			}
			for i := range n {
				_, A, v0, mom := p.AddDense(1)
				A[0], mom[0] = mass(i), -mass(i)*g*h
				v0[0] = -1e-9 * float64(i)
			}
			H, rhs := make([]float64, n*n), make([]float64, n)
			above := 0.0
			for i := n - 1; i >= 0; i-- {
				above += mass(i)
				H[i*n+i] += mass(i)
				rhs[i] += mass(i)*p.V0[i] + p.P[i]
				phi0 := -1.3 * above * g / k
				p.AddConstraint(&normalOnly{lagged{h: h, phi0: phi0, k: k}})
				p.Block(cliques.Node(i))[0] = 1
				rhs[i] -= h * k * phi0
				H[i*n+i] += h * h * k
				if i > 0 {
					p.Block(cliques.Node(i - 1))[0] = -1
					rhs[i-1] += h * k * phi0
					H[(i-1)*n+i-1] += h * h * k
					H[i*n+i-1] -= h * h * k
					H[(i-1)*n+i] -= h * h * k
				}
			}
			want := oracle.Solve(H, rhs)
			v, st := mustSolve(t, new(Solver), &p)
			// the system's condition bounds what can be asked of its solution
			if d := maxDiff(v, want); d > 1e-7 || st.Iterations > 15 {
				t.Errorf("ratio %g, k %g: v = %v, want %v; %d iterations, %v", ratio, k, v, want, st.Iterations, st.Criterion)
			}
		}
	}
}

// normalOnly is the normal part of a lagged contact, in one equation.
type normalOnly struct{ l lagged }

func (*normalOnly) Dim() int                   { return 1 }
func (*normalOnly) Prepare(float64, []float64) {}
func (n *normalOnly) Eval(c, gamma, G []float64) float64 {
	var c3, g3 [3]float64
	var G3 [9]float64
	n.l.eps = 1
	c3[2] = c[0]
	cost := n.l.Eval(c3[:], g3[:], G3[:])
	gamma[0], G[0] = g3[2], G3[8]
	return cost
}

func TestStiffRandomProblemsConverge(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 15))
	s := new(Solver)
	for _, stiff := range []float64{1e6, 1e8, 1e10, 1e12} {
		for _, ratio := range []float64{1, 1e6} {
			worst := 0
			for trial := range 40 {
				q := randomSpec(r, 6, 10, stiff, ratio)
				var p cliques.Problem
				q.build(&p, count(6), count(10), true)
				v := slices.Clone(p.V0)
				st, err := s.Solve(&p, v)
				if err != nil {
					t.Errorf("k=%g ratio=%g trial %d: %v", stiff, ratio, trial, err)
				}
				worst = max(worst, st.Iterations)
			}
			t.Logf("k=%g ratio=%g: at most %d iterations", stiff, ratio, worst)
		}
	}
}

type nan struct{ spring }

func (l *nan) Eval(c, gamma, G []float64) float64 {
	cost := l.spring.Eval(c, gamma, G)
	gamma[1] = math.NaN()
	return cost
}

func TestBadInputIsNamed(t *testing.T) {
	for _, x := range []struct {
		want  string
		spoil func(p *cliques.Problem)
	}{
		{"convex: momentum matrix A of node 1, row 1, is not finite", func(p *cliques.Problem) { p.Cliques[1].A[3] = math.NaN() }},
		{"convex: momentum matrix A of node 4, row 2, is not finite", func(p *cliques.Problem) { p.Cliques[2].A[9*3+7] = math.Inf(1) }},
		{"convex: velocity of node 2, row 0, is not finite", func(p *cliques.Problem) { p.V0[4] = math.NaN() }},
		{"convex: momentum of node 1, row 1, is not finite", func(p *cliques.Problem) { p.P[3] = math.Inf(-1) }},
		{"convex: bias of constraint 0, row 1, is not finite", func(p *cliques.Problem) { p.Bias[1] = math.NaN() }},
		{"convex: Jacobian of constraint 0, row 2, is not finite", func(p *cliques.Problem) { p.Blocks(0)[0].J[4] = math.NaN() }},
		{"convex: impulse of constraint 1, row 1, is not finite", func(p *cliques.Problem) {
			p.AddConstraint(&nan{spring{2, 1}})
			p.Block(0)[0] = 1
		}},
		{"convex: the momentum matrix A is not positive definite at node 1, row 1: is a mass zero or an element inverted?",
			func(p *cliques.Problem) { p.Cliques[1].A[3] = 0 }},
	} {
		var p cliques.Problem
		p.Reset(0, 0.01)
		for range 2 {
			_, A, _, _ := p.AddDense(2)
			A[0], A[3] = 1, 1
		}
		pat := chainPattern(3)
		_, A, _, _ := p.AddSparse(pat)
		unitMasses(A, 3)
		p.AddConstraint(&spring{3, 1})
		p.Block(0)[0] = 1
		x.spoil(&p)
		_, err := new(Solver).Solve(&p, slices.Clone(p.V0))
		if p.V0[4] != p.V0[4] { // the guess is V0 here
			_, err = new(Solver).Solve(&p, make([]float64, p.Size()))
		}
		if fmt.Sprint(err) != x.want {
			t.Errorf("got  %v\nwant %s", err, x.want)
		}
	}
}
