package convex

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
)

// g = A (v − v*) − Jᵀγ, summed densely.
func TestGradientAgreesWithDenseSums(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 81))
	for trial := range 50 {
		q := randomSpec(r, 1+r.IntN(6), r.IntN(10), 1e4, 10)
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		mustSolve(t, tight(), &p) // prepares the laws for the dense twin
		A, vStar, terms := denseTwin(&p)
		n := p.Size()
		v, got := randomVec(r, n), make([]float64, n)
		if err := new(Solver).Gradient(&p, v, got); err != nil {
			t.Fatal(err)
		}
		want, size := make([]float64, n), make([]float64, n)
		for i := range n {
			for j := range n {
				want[i] += A[i*n+j] * (v[j] - vStar[j])
				size[i] += math.Abs(A[i*n+j] * (v[j] - vStar[j]))
			}
		}
		for _, x := range terms {
			m := len(x.B)
			c, gamma, G := make([]float64, m), make([]float64, m), make([]float64, m*m)
			for k := range m {
				c[k] = x.B[k] + dot(x.J[k*n:(k+1)*n], v)
			}
			x.Law.Eval(c, gamma, G)
			for k := range m {
				for i := range n {
					want[i] -= x.J[k*n+i] * gamma[k]
					size[i] += math.Abs(x.J[k*n+i] * gamma[k])
				}
			}
		}
		for i := range n {
			if math.Abs(got[i]-want[i]) > 1e-9*(1+size[i]) {
				t.Fatalf("trial %d: g[%d] is %g, want %g", trial, i, got[i], want[i])
			}
		}
	}
}

// H x by differences of g along x = H⁻¹ b is b, for islands of all kinds and for bodies without
// constraints; H⁻¹ is symmetric.
func TestSolveHessianInvertsDifferencesOfTheGradient(t *testing.T) {
	const eps = 1e-6
	r := rand.New(rand.NewPCG(seed, 82))
	kinks, trials := 0, 100
	for trial := range trials {
		q := randomSpec(r, 1+r.IntN(8), r.IntN(10), 1e3, 3)
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		s, other := tight(), new(Solver)
		v, _ := mustSolve(t, s, &p)
		if err := s.Linearize(&p, v); err != nil {
			t.Fatal(err)
		}
		n := p.Size()
		b, c := randomVec(r, n), randomVec(r, n)
		x, y := append([]float64(nil), b...), append([]float64(nil), c...)
		s.SolveHessian(x)
		s.SolveHessian(y)
		if d, e := dot(c, x), dot(b, y); math.Abs(d-e) > 1e-10*(math.Abs(d)+math.Abs(e)+1) {
			t.Fatalf("trial %d: cᵀH⁻¹b is %.15g, bᵀH⁻¹c %.15g", trial, d, e)
		}
		g := [2][]float64{make([]float64, n), make([]float64, n)}
		for side, w := range [2]float64{eps, -eps} {
			at := append([]float64(nil), v...)
			for i := range at {
				at[i] += w * x[i]
			}
			if err := other.Gradient(&p, at, g[side]); err != nil {
				t.Fatal(err)
			}
		}
		off := 0.0
		for i := range n {
			off = max(off, math.Abs((g[0][i]-g[1][i])/(2*eps)-b[i]))
		}
		if off > 1e-4 {
			kinks++ // a law switches its branch within 1e-6 of the solution
		}
	}
	if kinks > trials/20 {
		t.Errorf("H x is not the difference of g in %d of %d problems", kinks, trials)
	}
}

func TestLinearizeAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 83))
	q := randomSpec(r, 6, 8, 1e4, 1)
	var p cliques.Problem
	q.build(&p, count(len(q.size)), count(len(q.terms)), true)
	s := tight()
	v, _ := mustSolve(t, s, &p)
	x := randomVec(r, p.Size())
	if n := alloctest.PerRun(5, func() {
		if err := s.Linearize(&p, v); err != nil {
			t.Fatal(err)
		}
		s.SolveHessian(x)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// H⁻¹ at a solution is the same whether the solve is used again or not: of coarse and tight solves, of problems that
// were resumed with other laws, and of those in which free deformables or no constraints are.
func TestLinearizeSolutionAgreesWithLinearize(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 84))
	for trial := range 200 {
		q := randomSpec(r, 1+r.IntN(8), r.IntN(10), 1e4, 3)
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		s := tight()
		if trial%3 == 0 {
			s.RelTol = 1e-3
		}
		v, _ := mustSolve(t, s, &p)
		if trial%5 == 0 {
			s.RelTol = 1e-13
			if _, err := s.Resume(&p, v, nil); err != nil {
				t.Fatal(err)
			}
		}
		b := randomVec(r, p.Size())
		x, want := append([]float64(nil), b...), append([]float64(nil), b...)
		if err := s.LinearizeSolution(&p, v); err != nil {
			t.Fatal(err)
		}
		s.SolveHessian(x)
		other := tight()
		if err := other.Linearize(&p, v); err != nil {
			t.Fatal(err)
		}
		other.SolveHessian(want)
		most := 0.0
		for _, y := range want {
			most = max(most, math.Abs(y))
		}
		for i := range x {
			if d := math.Abs(x[i] - want[i]); !(d <= 1e-9*most) {
				t.Fatalf("trial %d: x[%d] is %.15g, want %.15g", trial, i, x[i], want[i])
			}
		}
	}
}
