package convex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/workers"
)

// grid is the pattern of a box of a×b×c vertices connected like tetrahedra.
func grid(a, b, c int) *cliques.Pattern {
	pat := &cliques.Pattern{N: a * b * c}
	for v := range pat.N {
		i, j, k := v/(b*c), v/c%b, v%c
		pat.Ptr = append(pat.Ptr, int32(len(pat.Row)))
		pat.Row = append(pat.Row, int32(v))
		for d := 1; d < 8; d++ { // ascending: d has i in bit 2
			if x, y, z := i+d>>2, j+d>>1&1, k+d&1; x < a && y < b && z < c {
				pat.Row = append(pat.Row, int32((x*b+y)*c+z))
			}
		}
	}
	pat.Ptr = append(pat.Ptr, int32(len(pat.Row)))
	return pat
}

// fillElastic fills a clique like an elastic body of the given mass and stiffness:
// every edge a spring along a random direction, and h² k of it in A.
func fillElastic(r *rand.Rand, pat *cliques.Pattern, A []float64, mass, stiff float64) {
	for j := range pat.N {
		for x := range 3 {
			A[9*int(pat.Ptr[j])+4*x] += mass
		}
	}
	for j := range pat.N {
		for e := pat.Ptr[j] + 1; e < pat.Ptr[j+1]; e++ {
			d, i := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, pat.Row[e]
			for x := range 9 {
				k := stiff * d[x/3] * d[x%3]
				A[9*int(e)+x] -= k
				A[9*int(pat.Ptr[j])+x] += k
				A[9*int(pat.Ptr[i])+x] += k
			}
		}
	}
}

// grasp is two thin fingers of n vertices each pressing a rigid body from both
// sides by contacts on triangles: the main use of the solver.
type grasp struct {
	pat   *cliques.Pattern
	A     [2][]float64
	laws  []lagged
	faces [][3]int
	J     [][9]float64
	arm   [][18]float64
	layer int
}

func newGrasp(r *rand.Rand, length, contacts int) *grasp {
	g := &grasp{pat: grid(2, length, 3), layer: length * 3}
	for k := range g.A {
		g.A[k] = make([]float64, 9*len(g.pat.Row))
		fillElastic(r, g.pat, g.A[k], 1e-4, 0.1)
	}
	for i := range contacts {
		at := length/3 + (i/4)%(length/4)
		v := 3*at + i%2
		g.faces = append(g.faces, [3]int{v, v + 3, v + 1})
		g.laws = append(g.laws, lagged{h: 0.01, phi0: -1e-4 * r.Float64(), k: 2e3, d: 1, mu: 0.8, eps: 1e-4, n0: 2e-3 * r.Float64()})
		var J [9]float64
		J[0], J[5], J[7] = 1, 1, 1 // columns: t1, n, t2
		for x := range J {
			J[x] += 0.1 * r.NormFloat64()
		}
		g.J = append(g.J, J)
		var arm [18]float64
		for x := range arm {
			arm[x] = 0.05 * r.NormFloat64()
		}
		for row := range 3 {
			copy(arm[6*row+3:], J[3*row:3*row+3])
		}
		g.arm = append(g.arm, arm)
	}
	return g
}

func (g *grasp) build(p *cliques.Problem) { g.buildAs(p, false) }

// buildAs appends the fingers as vertices or, dense, as one node each.
func (g *grasp) buildAs(p *cliques.Problem, dense bool) {
	p.Reset(0, 0.01)
	var first [2]cliques.Node
	for k := range first {
		var A, v0, mom []float64
		if dense {
			first[k], A, v0, mom = p.AddDense(3 * g.pat.N)
			expand(A, g.pat, g.A[k])
		} else {
			first[k], A, v0, mom = p.AddSparse(g.pat)
			copy(A, g.A[k])
		}
		for i := 1; i < len(v0); i += 3 {
			v0[i] = 0.02 * float64(1-2*k)
			mom[i] = 1e-5 * float64(1-2*k)
		}
	}
	body, A, _, mom := p.AddDense(6)
	for i := range 6 {
		A[7*i] = []float64{1e-4, 1e-4, 1e-4, 0.1, 0.1, 0.1}[i]
	}
	mom[5] = -0.1 * 9.81 * 0.01
	for i, face := range g.faces {
		p.AddConstraint(&g.laws[i])
		k := i % 2
		for c, v := range face {
			node, width, col := first[k]+cliques.Node(v), 3, 0
			if dense {
				node, width, col = first[k], 3*g.pat.N, 3*v
			}
			J := p.Block(node)
			for x, j := range g.J[i] {
				J[x/3*width+col+x%3] = j * []float64{0.5, 0.3, 0.2}[c] * float64(1-2*k)
			}
		}
		J := p.Block(body)
		for x := range J {
			J[x] = -g.arm[i][x] * float64(1-2*k)
		}
	}
}

// expand writes the blocks of a pattern as a dense matrix.
func expand(dst []float64, pat *cliques.Pattern, A []float64) {
	n := 3 * pat.N
	for j := range pat.N {
		for e := pat.Ptr[j]; e < pat.Ptr[j+1]; e++ {
			i := int(pat.Row[e])
			for x := range 9 {
				dst[(3*i+x/3)*n+3*j+x%3] = A[9*int(e)+x]
				dst[(3*j+x%3)*n+3*i+x/3] = A[9*int(e)+x]
			}
		}
	}
}

// Elastic fingers pressing a rigid body through contacts on their triangles:
// the same velocities whether the fingers are vertices or dense cliques.
func TestGraspAgreesBetweenDenseAndVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 34))
	for _, contacts := range []int{1, 8, 40} {
		g := newGrasp(r, 24, contacts)
		var p cliques.Problem
		g.buildAs(&p, true)
		want, a := mustSolve(t, tight(), &p)
		g.buildAs(&p, false)
		got, b := mustSolve(t, tight(), &p)
		if d := maxDiff(got, want); d > 1e-10 {
			t.Errorf("%d contacts: off by %g", contacts, d)
		}
		t.Logf("%d contacts: %d and %d iterations, off by %.1e", contacts, a.Iterations, b.Iterations, maxDiff(got, want))
	}
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 30))
	g := newGrasp(r, 200, 100)
	var p cliques.Problem
	g.build(&p)
	var want []float64
	for n := 1; n <= 4; n++ {
		s := &Solver{Pool: workers.NewPool(n)}
		for range 2 { // again, with the kept plan
			v, st := mustSolve(t, s, &p)
			if st.Iterations < 2 {
				t.Fatalf("%d iterations: too few for this test", st.Iterations)
			}
			if want == nil {
				want = append(append(v, p.Gamma...), p.Vc...)
			} else if !slices.Equal(append(append(v, p.Gamma...), p.Vc...), want) {
				t.Errorf("%d workers: other bits", n)
			}
		}
		s.Pool.Close()
	}
}

func TestSolveAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 31))
	g, f := newGrasp(r, 60, 40), newGrasp(r, 60, 44)
	var p cliques.Problem
	s := new(Solver)
	v := make([]float64, 6*60*6+6)
	step := func(g *grasp) {
		g.build(&p)
		copy(v, p.V0)
		if _, err := s.Solve(&p, v); err != nil {
			panic(err)
		}
	}
	both := func() { step(g); step(f) } // the graph changes every time
	both()
	if n := alloctest.PerRun(5, both); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkGrasp(b *testing.B) {
	r := rand.New(rand.NewPCG(seed, 32))
	g, f := newGrasp(r, 184, 100), newGrasp(r, 184, 101)
	b.Run("kept", func(b *testing.B) { benchmark(b, g.build, g.build) })
	b.Run("changing", func(b *testing.B) { benchmark(b, g.build, f.build) })
}

// Forty free bodies in one heap.
func BenchmarkClutter(b *testing.B) {
	r := rand.New(rand.NewPCG(seed, 33))
	q := new(spec)
	for range 40 {
		q.size, q.vert = append(q.size, 6), append(q.vert, false)
		q.A = append(q.A, randomSPD(r, 6, 0.1, false))
		q.v0, q.p = append(q.v0, randomVec(r, 6)), append(q.p, make([]float64, 6))
	}
	for i := range 100 {
		k := i % 40
		t := term{law: &lagged{h: 0.002, phi0: -1e-5, k: 1e5, d: 1, mu: 0.5, eps: 1e-3, n0: 1e-3}, b: make([]float64, 3)}
		t.body, t.node, t.J = []int{k}, []int{0}, [][]float64{randomVec(r, 18)}
		if k > 0 {
			t.body, t.node, t.J = append(t.body, r.IntN(k)), append(t.node, 0), append(t.J, randomVec(r, 18))
		}
		q.terms = append(q.terms, t)
	}
	build := func(p *cliques.Problem) { q.build(p, count(40), count(100), false) }
	benchmark(b, build, build)
}

// A seven-joint arm, free and with one contact: the fixed cost of a solve.
func BenchmarkArm(b *testing.B) {
	r := rand.New(rand.NewPCG(seed, 35))
	q := &spec{size: []int{7}, vert: []bool{false}, A: [][]float64{randomSPD(r, 7, 1, false)},
		v0: [][]float64{randomVec(r, 7)}, p: [][]float64{randomVec(r, 7)}}
	q.terms = []term{{law: &lagged{h: 0.002, phi0: -1e-5, k: 1e5, d: 1, mu: 0.5, eps: 1e-3, n0: 1e-3},
		body: []int{0}, node: []int{0}, J: [][]float64{randomVec(r, 21)}, b: make([]float64, 3)}}
	free := func(p *cliques.Problem) { q.build(p, count(1), nil, false) }
	touching := func(p *cliques.Problem) { q.build(p, count(1), count(1), false) }
	b.Run("free", func(b *testing.B) { benchmark(b, free, free) })
	b.Run("touching", func(b *testing.B) { benchmark(b, touching, touching) })
	b.Run("bouncing", func(b *testing.B) { benchmark(b, free, touching) })
}

// benchmark solves two problems in turn.
func benchmark(b *testing.B, even, odd func(p *cliques.Problem)) {
	b.ReportAllocs()
	var p [2]cliques.Problem
	even(&p[0])
	odd(&p[1])
	s := new(Solver)
	v := make([]float64, p[0].Size())
	iters := 0
	for i := 0; b.Loop(); i++ {
		q := &p[i%2]
		copy(v, q.V0)
		st, err := s.Solve(q, v)
		if err != nil {
			b.Fatal(err)
		}
		iters += st.Iterations
	}
	b.ReportMetric(float64(iters)/float64(b.N), "iters")
}
