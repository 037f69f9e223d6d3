package convex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/oracle"
	"github.com/curlfree/curlfree/workers"
)

// denseBodies draws bodies, some without velocities, each but a few bound to earlier
// ones, so that there are several islands, with loops.
func denseBodies(r *rand.Rand, n, terms int) *spec {
	q := new(spec)
	for range n {
		size := []int{6, 6, 6, 6, 1, 3, 7, 9, 0}[r.IntN(9)]
		q.size, q.vert = append(q.size, size), append(q.vert, false)
		q.A = append(q.A, randomSPD(r, size, 1, false))
		q.v0, q.p = append(q.v0, randomVec(r, size)), append(q.p, randomVec(r, size))
	}
	for range terms {
		law := randomLaw(r, 1e4)
		x := term{law: law, b: randomVec(r, law.Dim())}
		at := r.IntN(n)
		for k := range 1 + r.IntN(3) {
			if k > 0 {
				at = max(0, at-1-r.IntN(3))
			}
			if !slices.Contains(x.body, at) {
				x.body, x.node = append(x.body, at), append(x.node, 0)
				x.J = append(x.J, randomVec(r, law.Dim()*q.size[at]))
			}
		}
		q.terms = append(q.terms, x)
	}
	return q
}

// H⁻¹ x of small islands, by blocks, is that of a dense solution.
func TestEliminationByBlocksSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 40))
	filled := 0
	for trial := range 60 {
		n := 1 + r.IntN(20)
		q := denseBodies(r, n, r.IntN(2*n))
		var p cliques.Problem
		q.build(&p, r.Perm(n), r.Perm(len(q.terms)), false)
		s := new(Solver)
		v, _ := mustSolve(t, s, &p)
		A, vStar, terms := denseTwin(&p)
		_, H := oracle.Derivatives(A, vStar, terms, v)
		b := randomVec(r, p.Size())
		want := oracle.Solve(H, b)
		if len(s.partition.large) > 0 {
			t.Fatalf("trial %d: not all of %d islands are small", trial, len(s.partition.islands))
		}
		s.iterate.p, s.iterate.v = &p, v
		for _, is := range s.partition.small {
			is.lambda = 0
			s.hessian.assemble(is)
			if !s.direct.factor(is) {
				t.Fatalf("trial %d: not factored", trial)
			}
			s.direct.solve(is, b)
			for _, c := range s.direct.columns[is.column0:is.column1] {
				if c.end-c.below > 1 {
					filled++
				}
			}
			s.iterate.each(is, func(i int) {
				if d := math.Abs(b[i] - want[i]); d > 1e-9*(1+math.Abs(want[i])) {
					t.Fatalf("trial %d: x[%d] = %g, want %g", trial, i, b[i], want[i])
				}
			})
		}
	}
	if filled < 50 {
		t.Errorf("products of different blocks in %d columns: too few for this test", filled)
	}
}

// boundBodies binds n bodies of six to one another, each to those up to reach before it.
func boundBodies(r *rand.Rand, n, reach int) *spec {
	q := new(spec)
	for i := range n {
		q.size, q.vert = append(q.size, 6), append(q.vert, false)
		q.A = append(q.A, randomSPD(r, 6, 1, false))
		q.v0, q.p = append(q.v0, randomVec(r, 6)), append(q.p, randomVec(r, 6))
		for j := max(0, i-reach); j < i; j++ {
			q.terms = append(q.terms, term{law: &spring{3, 1e3}, body: []int{j, i}, node: []int{0, 0},
				J: [][]float64{randomVec(r, 18), randomVec(r, 18)}, b: randomVec(r, 3)})
		}
	}
	return q
}

// Few bodies are eliminated by blocks, many or closely bound ones by supernodes;
// both end at the minimum.
func TestLargeIslandsAreLeftToSupernodes(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 41))
	for _, x := range []struct {
		n, reach int
		small    bool
	}{{1, 1, true}, {maxDirect, 1, true}, {maxDirect + 1, 1, false}, {11, 11, true}, {40, 40, false}} {
		var p cliques.Problem
		q := boundBodies(r, x.n, x.reach)
		if x.n == 1 {
			q.terms = append(q.terms, term{law: &spring{3, 1e3}, body: []int{0}, node: []int{0}, J: [][]float64{randomVec(r, 18)}, b: randomVec(r, 3)})
		}
		q.build(&p, r.Perm(x.n), r.Perm(len(q.terms)), false)
		s := tight()
		v, st := mustSolve(t, s, &p)
		if small := len(s.partition.small) == 1 && len(s.partition.large) == 0; small != x.small || st.Islands != 1 {
			t.Errorf("%d bodies bound to %d: small %v, %d islands", x.n, x.reach, small, st.Islands)
		}
		A, vStar, terms := denseTwin(&p)
		g, H := oracle.Derivatives(A, vStar, terms, v) // springs: Newton's step is exact
		for i, d := range oracle.Solve(H, g) {
			if math.Abs(d) > 1e-9 {
				t.Fatalf("%d bodies bound to %d: velocity %d off by %g", x.n, x.reach, i, d)
			}
		}
	}
}

// Small islands beside large ones and a deformable, on any number of workers.
func TestManyIslandsHaveTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 42))
	q := denseBodies(r, 200, 180)
	big := boundBodies(r, 40, 40)
	n := len(q.size)
	q.size, q.vert = append(q.size, big.size...), append(q.vert, big.vert...)
	q.A, q.v0, q.p = append(q.A, big.A...), append(q.v0, big.v0...), append(q.p, big.p...)
	for _, x := range big.terms {
		x.body = []int{x.body[0] + n, x.body[1] + n}
		q.terms = append(q.terms, x)
	}
	q.size, q.vert = append(q.size, 15), append(q.vert, true)
	q.A, q.v0, q.p = append(q.A, randomSPD(r, 15, 1, true)), append(q.v0, randomVec(r, 15)), append(q.p, randomVec(r, 15))
	q.terms = append(q.terms, term{law: &spring{3, 1e3}, body: []int{0, n + 40}, node: []int{0, 2},
		J: [][]float64{randomVec(r, 3*q.size[0]), randomVec(r, 9)}, b: randomVec(r, 3)})
	var want []float64
	for n := 1; n <= 4; n++ {
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), true)
		s := &Solver{Pool: workers.NewPool(n), Condition: true}
		for range 2 {
			v, st := mustSolve(t, s, &p)
			if len(s.partition.large) != 2 || len(s.direct.h) < shareFrom {
				t.Fatalf("%d large islands, %d values of others: too few for this test", len(s.partition.large), len(s.direct.h))
			}
			got := append(append(append(v, p.Gamma...), p.Vc...), st.Condition, st.Cost)
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%d workers: other bits", n)
			}
		}
		s.Pool.Close()
	}
}

// Of two bodies with A = 1 that a spring k binds, the first leaves (1 + 2k)/(1 + k) of
// the second's 1 + k: Cancellation has the same meaning as in package supernodal.
func TestEliminationByBlocksMeasuresCancellation(t *testing.T) {
	for _, n := range []int{1, 6} {
		for _, k := range []float64{1, 1e3, 1e8} {
			I, J := make([]float64, n*n), make([]float64, n*n)
			for i := range n {
				I[i*n+i], J[i*n+i] = 1, -1
			}
			q := new(spec)
			for range 2 {
				q.size, q.vert, q.A = append(q.size, n), append(q.vert, false), append(q.A, I)
				q.v0, q.p = append(q.v0, make([]float64, n)), append(q.p, make([]float64, n))
			}
			q.p[0][0] = 1
			q.terms = []term{{law: &spring{n, k}, body: []int{0, 1}, node: []int{0, 0}, J: [][]float64{I, J}, b: make([]float64, n)}}
			var p cliques.Problem
			q.build(&p, count(2), count(1), false)
			s := new(Solver)
			mustSolve(t, s, &p)
			if len(s.partition.small) != 1 {
				t.Fatal("not a small island")
			}
			want := (1 + k) * (1 + k) / (1 + 2*k)
			if got := s.partition.small[0].cancellation; math.Abs(got-want) > 1e-6*want {
				t.Errorf("%d rows, k = %g: a diagonal loses the factor %g, want %g", n, k, got, want)
			}
		}
	}
}
