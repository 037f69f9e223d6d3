package convex

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/oracle"
)

func TestNoConstraintsGiveFreeMotion(t *testing.T) {
	var p cliques.Problem
	p.Reset(0, 0.01)
	_, A, v0, mom := p.AddDense(2)
	copy(A, []float64{2, 1, 1, 3})
	copy(v0, []float64{1, -1})
	copy(mom, []float64{5, 10}) // A⁻¹ P = (1, 3)
	v, st := mustSolve(t, new(Solver), &p)
	if d := maxDiff(v, []float64{2, 2}); d > 1e-15 || st.Iterations != 0 || st.Criterion != Free {
		t.Errorf("v = %v, %+v", v, st)
	}
	var empty cliques.Problem
	if _, st := mustSolve(t, new(Solver), &empty); st.Iterations != 0 {
		t.Error("empty problem iterates")
	}
}

// A cost without switches is a quadratic: Newton's first step is exact.
func TestQuadraticCostTakesOneIteration(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 10))
	for trial := range 50 {
		q := randomSpec(r, 1+r.IntN(5), 6, 1e5, 1)
		for i := range q.terms {
			q.terms[i].law = &spring{len(q.terms[i].b), 10}
		}
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(6), true)
		_, st := mustSolve(t, &Solver{RelTol: 1e-10}, &p)
		if st.Iterations != 1 || st.LineSearch != st.Islands {
			t.Fatalf("trial %d: %d iterations, %d evaluations in %d islands", trial, st.Iterations, st.LineSearch, st.Islands)
		}
	}
}

// The gradient and Hessian that the solver assembles are those of a dense twin,
// whose gradient is the difference quotient of the cost.
func TestAssembledDerivativesAreThoseOfTheCost(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 11))
	for range 50 {
		q := randomSpec(r, 1+r.IntN(5), 1+r.IntN(8), 1e4, 1)
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), true)
		s := tight()
		mustSolve(t, s, &p)
		h := &s.hessian
		n := p.Size()
		h.p, h.v = &p, randomVec(r, n)
		A, vStar, terms := denseTwin(&p)
		g, H := oracle.Derivatives(A, vStar, terms, h.v)
		cost := evaluateAll(t, h)
		for i := range h.islands {
			is := &h.islands[i]
			is.done = false
			s.convergence.balance(is)
			h.assemble(is)
		}
		checkGradient(t, h, g, cost)
		for k := range h.islands {
			checkHessian(t, h, &h.islands[k], H)
		}
	}
}

// evaluateAll returns the cost of all islands.
func evaluateAll(t *testing.T, h *hessian) float64 {
	sum := 0.0
	for k := range h.islands {
		h.refresh(&h.islands[k])
		if err := h.evaluate(&h.islands[k]); err != nil {
			t.Fatal(err)
		}
		sum += h.islands[k].cost
	}
	return sum
}

// checkGradient compares the gradient with g, and g with central differences.
func checkGradient(t *testing.T, h *hessian, g []float64, cost float64) {
	grad := make([]float64, len(g))
	touchedRows(h, func(i int) { grad[i] = h.q[i] - h.jtg[i] })
	touchedRows(h, func(i int) {
		if d := math.Abs(grad[i] - g[i]); d > 1e-10*(1+math.Abs(g[i])) {
			t.Fatalf("gradient %d is %g, want %g", i, grad[i], g[i])
		}
		const e = 1e-6
		at := func(x float64) float64 {
			keep := h.v[i]
			defer func() { h.v[i] = keep }()
			h.v[i] += x
			return evaluateAll(t, h)
		}
		if d := (at(e) - at(-e)) / (2 * e); math.Abs(d-g[i]) > 1e-4*(1+math.Abs(g[i])+cost*1e-3) {
			t.Errorf("cost changes by %g along %d, gradient %g", d, i, g[i])
		}
	})
}

// checkHessian compares the blocks of an island's constraints with the dense H.
func checkHessian(t *testing.T, h *hessian, is *island, H []float64) {
	p, size := h.p, h.p.Size()
	for _, c := range h.constraintsOf(is) {
		at := h.pairOff[c]
		blocks := p.Blocks(handle(int(c)))
		for x := range blocks {
			for y := range x + 1 {
				row, col := int(blocks[x].Node), int(blocks[y].Node)
				off := h.pairs[at]
				at++
				if off < 0 {
					row, col, off = col, row, ^off
				}
				n := p.NodeSize[col]
				for e, got := range is.h[off : int(off)+p.NodeSize[row]*n] {
					i, j := p.NodeOffset[row]+e/n, p.NodeOffset[col]+e%n
					if d := math.Abs(got - H[i*size+j]); d > 1e-11*(1+math.Abs(got)) {
						t.Fatalf("H[%d,%d] = %g, want %g", i, j, got, H[i*size+j])
					}
				}
			}
		}
	}
}

// touchedRows calls f for the velocities of all islands.
func touchedRows(h *hessian, f func(i int)) {
	for k := range h.islands {
		h.each(&h.islands[k], f)
	}
}

func TestCostFallsWithEveryIteration(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 12))
	q := randomSpec(r, 5, 12, 1e7, 1)
	var p cliques.Problem
	q.build(&p, count(5), count(12), true)
	_, full := mustSolve(t, new(Solver), &p)
	if full.Iterations < 3 {
		t.Fatalf("only %d iterations: too few for this test", full.Iterations)
	}
	last := math.Inf(1)
	for m := 1; m <= full.Iterations; m++ {
		v := slices.Clone(p.V0)
		st, err := (&Solver{MaxIter: m}).Solve(&p, v)
		var e *NotConvergedError
		if m < full.Iterations && (!errors.As(err, &e) || !errors.Is(err, ErrNotConverged) || st.Criterion != Failed || st.Iterations != m) {
			t.Fatalf("%d iterations allowed: %v, %+v", m, err, st)
		}
		if st.Cost > last*(1+1e-14) {
			t.Errorf("cost rose from %g to %g in iteration %d", last, st.Cost, m)
		}
		last = st.Cost
	}
	if len(full.History) != full.Iterations+1 || full.History[full.Iterations] > 1 {
		t.Errorf("history %v of %d iterations", full.History, full.Iterations)
	}
}

// m(v − v0 + g h) = −h k (φ0 + h v) has the solution
// v = (m (v0 − g h) − h k φ0)/(m + h² k); at equilibrium φ0 = −m g/k it is 0.
func TestParticleOnAPlane(t *testing.T) {
	const m, g, h = 0.3, 9.81, 0.01
	for _, k := range []float64{1e2, 1e4, 1e6, 1e8, 1e10, 1e12} {
		for _, phi0 := range []float64{-m * g / k, -2 * m * g / k, -0.1 * m * g / k} {
			for _, vz := range []float64{0, -1e-3 / math.Sqrt(k)} {
				var p cliques.Problem
				p.Reset(0, h)
				node, A, v0, mom := p.AddDense(3)
				A[0], A[4], A[8] = m, m, m
				v0[2], mom[2] = vz, -m*g*h
				p.AddConstraint(&lagged{h: h, phi0: phi0, k: k, mu: 0.5, eps: 1e-4, n0: m * g * h})
				J := p.Block(node)
				J[0], J[4], J[8] = 1, 1, 1
				v, _ := mustSolve(t, tight(), &p)
				want := (m*(vz-g*h) - h*k*phi0) / (m + h*h*k)
				if math.Abs(v[2]-want) > 1e-12*max(math.Abs(want), g*h*1e-3) || v[0] != 0 || v[1] != 0 {
					t.Errorf("k=%g φ0=%g: v = %v, want %g", k, phi0, v, want)
				}
			}
		}
	}
}

func TestSolutionDoesNotDependOnTheGuess(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 13))
	for trial := range 50 {
		q := randomSpec(r, 4, 8, 1e6, 1)
		var p cliques.Problem
		q.build(&p, count(4), count(8), trial%2 == 0)
		want, _ := mustSolve(t, tight(), &p)
		v := randomVec(r, p.Size())
		for i := range v {
			v[i] *= 10
		}
		if _, err := tight().Solve(&p, v); err != nil {
			t.Fatal(err)
		}
		if d := maxDiff(v, want); d > 1e-9 {
			t.Errorf("trial %d: off by %g", trial, d)
		}
	}
}

// Masses, stiffnesses and impulses times a factor leave velocities as they are.
func TestUnitOfMassDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 14))
	for _, f := range []float64{1e-6, 1e-3, 1e3, 1e6} {
		q := randomSpec(r, 4, 8, 1e5, 1)
		var p cliques.Problem
		q.build(&p, count(4), count(8), true)
		want, a := mustSolve(t, &Solver{RelTol: 1e-10}, &p)
		for k := range q.A {
			scale(q.A[k], f)
			scale(q.p[k], f)
		}
		for i := range q.terms {
			switch l := q.terms[i].law.(type) {
			case *lagged:
				l.k, l.n0 = l.k*f, l.n0*f
			case *sap:
				l.rt, l.rn = l.rt/f, l.rn/f
			case *spring:
				l.k *= f
			case *limit:
				l.k *= f
			}
		}
		q.build(&p, count(4), count(8), true)
		got, b := mustSolve(t, &Solver{RelTol: 1e-10}, &p)
		if d := maxDiff(got, want); d > 1e-10 || a.Iterations != b.Iterations {
			t.Errorf("times %g: off by %g, %d and %d iterations", f, d, a.Iterations, b.Iterations)
		}
	}
}

func scale(x []float64, f float64) {
	for i := range x {
		x[i] *= f
	}
}

func TestOrderOfBodiesAndConstraintsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 16))
	s := tight()
	for trial := range 50 {
		q := randomSpec(r, 6, 10, 1e5, 1)
		var p cliques.Problem
		first := q.build(&p, count(6), count(10), true)
		want, _ := mustSolve(t, s, &p)
		var p2 cliques.Problem
		second := q.build(&p2, r.Perm(6), r.Perm(10), true)
		got, _ := mustSolve(t, s, &p2)
		for k, n := range q.size {
			if d := maxDiff(got[second[k]:second[k]+n], want[first[k]:first[k]+n]); d > 1e-10 {
				t.Errorf("trial %d: body %d off by %g", trial, k, d)
			}
		}
	}
}

// The same deformable body as one dense clique and as vertices, with rigid
// bodies and contacts between them: two ways through the whole solver.
func TestDenseAndVertexBodiesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 17))
	s := tight()
	vertices := 0
	for trial := range 100 {
		q := randomSpec(r, 5, 10, 1e5, 1)
		for _, v := range q.vert {
			if v {
				vertices++
			}
		}
		var p cliques.Problem
		q.build(&p, count(5), count(10), false)
		want, _ := mustSolve(t, s, &p)
		q.build(&p, count(5), count(10), true)
		got, _ := mustSolve(t, s, &p)
		if d := maxDiff(got, want); d > 1e-10 {
			t.Errorf("trial %d: off by %g", trial, d)
		}
	}
	if vertices < 50 {
		t.Errorf("only %d vertex bodies", vertices)
	}
}

func TestEmptyCliquesAreAllowed(t *testing.T) {
	var p cliques.Problem
	p.Reset(0, 0.01)
	none, _, _, _ := p.AddDense(0)
	node, A, _, mom := p.AddDense(1)
	p.AddDense(0)
	A[0], mom[0] = 2, -2
	p.AddConstraint(&spring{1, 3})
	p.Block(none)
	p.Block(node)[0] = 1
	p.AddConstraint(&spring{2, 1}) // touches nothing that moves
	p.Block(none)
	v, _ := mustSolve(t, tight(), &p)
	if math.Abs(v[0]+0.4) > 1e-15 { // 2 (v + 1) + 3 v = 0
		t.Errorf("v = %v, want −0.4", v)
	}
}

// Between two prescribed bodies nothing moves, but the impulse is reported.
func TestConstraintWithoutNodesHasItsImpulse(t *testing.T) {
	for _, bodies := range []int{0, 1} {
		var p cliques.Problem
		p.Reset(0, 0.01)
		h := p.AddConstraint(&spring{1, 3})
		p.AddBias(0, -2)
		for range bodies {
			node, A, _, _ := p.AddDense(1)
			A[0] = 1
			p.AddConstraint(&spring{1, 1})
			p.Block(node)[0] = 1
		}
		mustSolve(t, new(Solver), &p)
		if p.Impulse(h)[0] != 6 || p.Velocity(h)[0] != -2 {
			t.Errorf("impulse %g, velocity %g", p.Impulse(h)[0], p.Velocity(h)[0])
		}
	}
}

// Far bodies are islands: a light one converges by its own measure beside a
// heavy one, and one without constraints keeps v* to the bit.
func TestIslandsDoNotMaskEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 18))
	light := randomSpec(r, 3, 6, 1e5, 1)
	var alone cliques.Problem
	light.build(&alone, count(3), count(6), true)
	want, _ := mustSolve(t, tight(), &alone)
	scaleUp := 1e9
	both := *light
	heavy := randomSpec(r, 3, 6, 1e5, 1)
	for k := range heavy.A {
		scale(heavy.A[k], scaleUp)
		scale(heavy.p[k], scaleUp)
	}
	both.size = append(slices.Clone(light.size), heavy.size...)
	both.vert = append(slices.Clone(light.vert), heavy.vert...)
	both.A = append(slices.Clone(light.A), heavy.A...)
	both.v0 = append(slices.Clone(light.v0), heavy.v0...)
	both.p = append(slices.Clone(light.p), heavy.p...)
	for _, x := range heavy.terms {
		for i := range x.body {
			x.body[i] += 3
		}
		both.terms = append(both.terms, x)
	}
	var p cliques.Problem
	both.build(&p, count(6), count(len(both.terms)), true)
	v, st := mustSolve(t, new(Solver), &p)
	if st.Islands < 2 {
		t.Fatalf("%d islands", st.Islands)
	}
	if d := maxDiff(v[:alone.Size()], want); d > 1e-4 {
		t.Errorf("the light island is off by %g", d)
	}

	var q cliques.Problem
	light.build(&q, count(3), count(0), true)
	free, _ := mustSolve(t, new(Solver), &q)
	for _, m := range []int{1, 100} {
		var q cliques.Problem
		light.build(&q, count(3), nil, true)
		node, A, _, mom := q.AddDense(1)
		A[0], mom[0] = 1, 1
		q.AddConstraint(&limit{1e6})
		q.Block(node)[0] = -1
		v := slices.Clone(q.V0)
		if _, err := (&Solver{MaxIter: m}).Solve(&q, v); err != nil && m > 1 {
			t.Fatal(err)
		}
		if d := maxDiff(v[:len(free)], free); d > 1e-13 {
			t.Errorf("bodies without constraints are off v* by %g", d)
		}
	}
}

func TestDelassusDiagonal(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 19))
	var p cliques.Problem
	p.Reset(0, 0.01)
	tree, A, _, _ := p.AddDense(7)
	copy(A, randomSPD(r, 7, 1, false))
	vert, B, _, _ := p.AddSparse(chainPattern(3))
	for j := range 3 {
		copy(B[9*2*j:], randomSPD(r, 3, 1, false))
	}
	law := &lagged{h: 0.01, k: 1, eps: 1, phi0: 1}
	p.AddConstraint(law)
	J := p.Block(tree)
	copy(J, randomVec(r, 21))
	K := p.Block(vert + 1)
	copy(K, randomVec(r, 9))
	mustSolve(t, new(Solver), &p)
	for i := range 3 {
		want := oracle.Dot(J[7*i:7*i+7], oracle.Solve(A, J[7*i:7*i+7])) +
			oracle.Dot(K[3*i:3*i+3], oracle.Solve(B[18:27], K[3*i:3*i+3]))
		if math.Abs(law.w[i]/want-1) > 1e-12 || !law.prepared {
			t.Errorf("w[%d] = %g, want %g", i, law.w[i], want)
		}
	}
}
