package supernodal

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"curlfree/internal/oracle"
	"curlfree/internal/workers"
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
		c.SolveMany(x, 3)
		for k := range 3 {
			want := oracle.Solve(a, b[k*n:(k+1)*n])
			if d := maxDiff(x[k*n:(k+1)*n], want); !(d < 1e-12) {
				t.Fatalf("trial %d, right-hand side %d: off by %g", trial, k, d)
			}
		}
	}
}

func TestNoNodeOfClass0DependsOnClass1(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 2))
	var c Cholesky
	for trial := range 100 {
		g := pattern(r, trial%5, 5+r.IntN(60), true, 0.3)
		c.Analyze(g)
		for k := range c.s.node {
			u := &c.s.node[k]
			for q := u.first; q < u.last; q++ {
				if dirty := g.Class[c.s.order[q]] == 1; dirty != u.dirty {
					t.Fatalf("trial %d: node %d of class %d is in a supernode with dirty=%v", trial, c.s.order[q], g.Class[c.s.order[q]], u.dirty)
				}
			}
			if u.dirty && u.parent >= 0 && !c.s.node[u.parent].dirty {
				t.Fatalf("trial %d: class 1 below class 0", trial)
			}
		}
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
		if !slices.Equal(part.l, full.l) {
			t.Fatalf("trial %d: L differs", trial)
		}
	}
}

func TestBitsDoNotDependOnWorkersOrHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 4))
	g := pattern(r, 4, 900, false, 0.1)
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
		if len(c.s.tasks) < 4 {
			t.Fatalf("only %d tasks: the test does not test", len(c.s.tasks))
		}
		for range 2 {
			if err := c.Factor(&m); err != nil {
				t.Fatal(err)
			}
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
	}
	all()
	if n := testing.AllocsPerRun(3, all); n != 0 {
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
