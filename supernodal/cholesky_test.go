package supernodal

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/internal/oracle"
	"github.com/curlfree/curlfree/workers"
)

const seed = 20261121

func randomVec(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 2*r.Float64() - 1
	}
	return x
}

func maxDiff(x, y []float64) float64 {
	d := 0.0
	for i := range x {
		d = max(d, math.Abs(x[i]-y[i]))
		if math.IsNaN(x[i]) {
			return math.NaN()
		}
	}
	return d
}

// factorOf returns the entries of L without those above the diagonal of panels, which are
// undefined.
func factorOf(c *Cholesky) []float64 {
	var l []float64
	for _, t := range c.s.node {
		for j := range int(t.w) {
			col := c.l[t.l+j*int(t.f):][:t.f]
			l = append(l, col[j:]...)
		}
	}
	return l
}

func TestSolveAgreesWithDenseCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 1))
	var c Cholesky // reused: its history must not matter
	var m Matrix
	for trial := range 250 {
		g := pattern(r, trial%5, 1+r.IntN(40), trial%2 == 0, []float64{0, 0.3, 1}[trial%3])
		randomize(r, g, &m)
		c.Analyze(g)
		if err := c.Factor(&m); err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		a, n := dense(g, &m)
		if n == 0 {
			continue
		}
		b := randomVec(r, 3*n)
		x := slices.Clone(b)
		for k := range 3 {
			c.Solve(x[k*n : (k+1)*n])
			want := oracle.Solve(a, b[k*n:(k+1)*n])
			if d := maxDiff(x[k*n:(k+1)*n], want); !(d < 1e-12) {
				t.Fatalf("trial %d, right-hand side %d: off by %g", trial, k, d)
			}
		}
	}
}

// Refactor may skip a front only if nothing of class 1 is in it or below it; with
// class 1 last, it computes nothing but class 1.
func TestRefactorComputesFrontsThatDependOnClass1(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 2))
	s := symbolic{scratch: new(scratch)}
	for trial := range 200 {
		g := pattern(r, trial%5, 5+r.IntN(60), true, 0.3)
		last := trial%2 == 0
		by := dissection
		if last {
			by = class1Last
		}
		s.adjacency(g)
		s.analyze(g, by, 1)
		for k := range s.node {
			u := &s.node[k]
			for q := u.first; q < u.last; q++ {
				class := g.Class[s.order[q]]
				if class == 1 && !u.refactored || last && class == 0 && u.refactored {
					t.Fatalf("trial %d: node %d of class %d is in a front with dirty=%v", trial, s.order[q], class, u.refactored)
				}
			}
			if u.refactored && u.parent >= 0 && !s.node[u.parent].refactored {
				t.Fatalf("trial %d: a front is skipped whose child is not", trial)
			}
		}
	}
}

// A slab that rests on a plane touches with a third of its vertices: last in the
// order they would be one dense block.
func TestManyChangingNodesAreNotForcedLast(t *testing.T) {
	g := new(Graph)
	for v := range 30 * 30 * 3 {
		class := uint8(0)
		if v%3 == 0 {
			class = 1
		}
		g.AddNode(3, class)
	}
	gridEdges(g, 0, 30, 30, 3)
	g.Pack()
	var c Cholesky
	c.Analyze(g)
	if c.s == &c.plans[class1Last] {
		t.Fatal("class 1 was ordered last")
	}
	if ratio := c.plans[class1Last].flops / c.s.flops; ratio < 5 {
		t.Errorf("class 1 last costs only %.1f times as much: the test does not test", ratio)
	}
	var m Matrix
	r := rand.New(rand.NewPCG(seed, 20))
	randomize(r, g, &m)
	for range 2 {
		if err := c.Factor(&m); err != nil {
			t.Fatal(err)
		}
		l := factorOf(&c)
		m.Block(0, 0)[0] += 1
		if err := c.Refactor(&m); err != nil {
			t.Fatal(err)
		}
		part := factorOf(&c)
		if err := c.Factor(&m); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(part, factorOf(&c)) || slices.Equal(l, part) {
			t.Error("Refactor differs from Factor")
		}
	}
}

// A few nodes deep in a bulky body: in a free order all their ancestors in the tree would
// be computed again, most of the work.
func TestFewChangingNodesAreOrderedLast(t *testing.T) {
	g := new(Graph)
	for v := range 12 * 12 * 12 {
		class := uint8(0)
		if v%199 == 0 {
			class = 1
		}
		g.AddNode(3, class)
	}
	gridEdges(g, 0, 12, 12, 12)
	g.Pack()
	var c Cholesky
	c.Analyze(g)
	if c.s != &c.plans[class1Last] {
		t.Fatal("class 1 was not ordered last")
	}
	if ratio := c.plans[minimumDegree].recost / c.plans[class1Last].recost; ratio < 5 {
		t.Errorf("a free order costs only %.1f times as much: the test does not test", ratio)
	}
}

func TestRefactorGivesTheBitsOfFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 3))
	for trial := range 100 {
		g := pattern(r, trial%5, 5+r.IntN(60), trial%2 == 0, 0.3)
		var m Matrix
		randomize(r, g, &m)
		var part, full Cholesky
		part.Analyze(g)
		full.Analyze(g)
		if err := part.Factor(&m); err != nil {
			t.Fatal(err)
		}
		for j := range g.Nodes() {
			for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
				if g.Class[i] == 1 && g.Class[j] == 1 {
					for k, b := 0, m.Block(int(i), j); k < len(b); k++ {
						b[k] *= 1.5
						if int(i) == j && k%(int(g.Size[j])+1) == 0 {
							b[k] *= 2
						}
					}
				}
			}
		}
		if err := part.Refactor(&m); err != nil {
			t.Fatal(err)
		}
		if err := full.Factor(&m); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(factorOf(&part), factorOf(&full)) {
			t.Fatalf("trial %d: L differs", trial)
		}
	}
}

func TestSolvingWhileFactoringGivesTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 7))
	for trial := range 100 {
		g := pattern(r, trial%5, 5+r.IntN(400), trial%2 == 0, 0.3)
		var m Matrix
		randomize(r, g, &m)
		var apart Cholesky
		both := Cholesky{Pool: workers.NewPool(1 + trial%3)}
		apart.Analyze(g)
		both.Analyze(g)
		// first all fronts, then those that depend on class 1
		for _, partial := range []bool{false, true} {
			x := randomVec(r, len(apart.x))
			y := slices.Clone(x)
			factor, factorSolve := apart.Factor, both.FactorSolve
			if partial {
				factor, factorSolve = apart.Refactor, both.RefactorSolve
			}
			if err := factor(&m); err != nil {
				t.Fatal(err)
			}
			apart.Solve(x)
			if err := factorSolve(&m, y); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(x, y) {
				t.Fatalf("trial %d, partial %v: other bits", trial, partial)
			}
			// the factor is there for further right-hand sides
			z := randomVec(r, len(x))
			w := slices.Clone(z)
			apart.Solve(z)
			both.Solve(w)
			if !slices.Equal(z, w) {
				t.Fatalf("trial %d, partial %v: other bits of a further solution", trial, partial)
			}
		}
		both.Pool.Close()
	}
}

func TestAFailedFactorizationLeavesTheRightHandSide(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 8))
	g := pattern(r, 1, 60, false, 0.3)
	var m Matrix
	randomize(r, g, &m)
	var c Cholesky
	c.Analyze(g)
	x := randomVec(r, len(c.x))
	b := slices.Clone(x)
	d := m.Block(20, 20)
	d[0] = -d[0]
	if err := c.FactorSolve(&m, x); err == nil {
		t.Fatal("no error")
	}
	if !slices.Equal(x, b) {
		t.Error("x changed")
	}
	d[0] = -d[0]
	// what a failure left behind does not matter
	if err := c.FactorSolve(&m, x); err != nil {
		t.Fatal(err)
	}
	if err := c.Factor(&m); err != nil {
		t.Fatal(err)
	}
	c.Solve(b)
	if !slices.Equal(x, b) {
		t.Error("other bits after a failure")
	}
}

func TestBitsDoNotDependOnWorkersOrHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 4))
	g := pattern(r, 4, 1400, false, 0.1)
	var m Matrix
	randomize(r, g, &m)
	b := randomVec(r, 3*g.Nodes())
	var want []float64
	for n := 1; n <= 4; n++ {
		c := Cholesky{Pool: workers.NewPool(n)}
		if n == 3 {
			c.Analyze(pattern(r, 0, 50, true, 0.5))
		}
		c.Analyze(g)
		if n > 1 && len(c.s.tasks) < 2 {
			t.Fatalf("only %d tasks: the test does not test", len(c.s.tasks))
		}
		for range 2 {
			if err := c.Factor(&m); err != nil {
				t.Fatal(err)
			}
		}
		if n > 1 && c.product.m == 0 {
			t.Fatal("no product was shared: the test does not test")
		}
		x := slices.Clone(b)
		c.Solve(x)
		if want == nil {
			want = x
		} else if !slices.Equal(x, want) {
			t.Errorf("%d workers: other bits", n)
		}
		c.Pool.Close()
	}
}

func TestPivotFailureNamesTheNode(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 5))
	for trial := range 50 {
		g := pattern(r, trial%5, 10+r.IntN(30), false, 0.2)
		var m Matrix
		randomize(r, g, &m)
		bad := r.IntN(g.Nodes())
		m.Block(bad, bad)[4] = -1e9
		if trial%2 == 0 {
			m.Block(bad, bad)[4] = math.NaN()
		}
		var c Cholesky
		c.Analyze(g)
		err := c.Factor(&m)
		var p *PivotError
		if !errors.As(err, &p) || p.Node != bad || p.Row != 1 {
			t.Fatalf("trial %d: got %v, want node %d row 1", trial, err, bad)
		}
	}
}

func TestConditionOfADiagonalMatrixIsExact(t *testing.T) {
	var g Graph
	for range 4 {
		g.AddNode(1, 0)
	}
	g.Pack()
	var m Matrix
	m.Reset(&g)
	for i, d := range []float64{4, 1e-4, 1, 100} {
		m.Block(i, i)[0] = d
	}
	var c Cholesky
	c.Analyze(&g)
	if err := c.Factor(&m); err != nil {
		t.Fatal(err)
	}
	if k := c.Condition(); math.Abs(k/1e6-1) > 1e-14 {
		t.Errorf("condition %g, want 1e6", k)
	}
	if x := c.Cancellation(); x != 1 {
		t.Errorf("cancellation %g, want 1", x)
	}
}

func TestNothingAllocatesAfterWarmUp(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 6))
	g := finRay()
	var m Matrix
	randomize(r, g, &m)
	var c Cholesky
	x := randomVec(r, 3*(g.Nodes()-1)+6)
	all := func() {
		m.Reset(g)
		randomizeDiagonal(g, &m)
		c.Analyze(g)
		if c.Factor(&m) != nil || c.Refactor(&m) != nil {
			panic("not positive definite")
		}
		c.Solve(x)
		if c.FactorSolve(&m, x) != nil || c.RefactorSolve(&m, x) != nil {
			panic("not positive definite")
		}
	}
	all()
	if n := alloctest.PerRun(3, all); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func randomizeDiagonal(g *Graph, m *Matrix) {
	for j := range g.Nodes() {
		b := m.Block(j, j)
		for i := range int(g.Size[j]) {
			b[i*int(g.Size[j])+i] = 1
		}
	}
}
