package supernodal

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/curlfree/curlfree/workers"
)

// springCube returns the graph and a matrix of a cube of n×n×n vertices with springs to all neighbours, of which one
// face is class 1.
func springCube(n int) (*Graph, *Matrix) {
	g, m := new(Graph), new(Matrix)
	for i := range n * n * n {
		g.AddNode(3, uint8(min(1, max(0, 1-i%n))))
	}
	each := func(f func(i, j int)) {
		for i := range n * n * n {
			x := [3]int{i % n, i / n % n, i / n / n}
			for d := range 27 {
				y := [3]int{x[0] + d%3 - 1, x[1] + d/3%3 - 1, x[2] + d/9 - 1}
				if j := y[0] + n*(y[1]+n*y[2]); j < i && min(y[0], y[1], y[2]) >= 0 && max(y[0], y[1], y[2]) < n {
					f(i, j)
				}
			}
		}
	}
	each(func(i, j int) { g.AddEdge(i, j) })
	g.MarkPersistent()
	g.Pack()
	m.Reset(g)
	each(func(i, j int) {
		for k := range 3 {
			m.Block(i, j)[4*k] = -1
			m.Block(i, i)[4*k]++
			m.Block(j, j)[4*k]++
		}
	})
	for i := range n * n * n {
		for k := range 3 {
			m.Block(i, i)[4*k] += 0.1
		}
	}
	return g, m
}

// A plan or a factorization that is interrupted anywhere ends there, soon, and the next ones give the bits of one that
// never was.
func TestInterruptedFactorizationsLeaveNoTrace(t *testing.T) {
	pool := workers.NewPool(2)
	defer pool.Close()
	g, m := springCube(13)
	want := make([]float64, 3*13*13*13)
	for i := range want {
		want[i] = float64(i%7) - 3
	}
	rhs := slices.Clone(want)
	var straight Cholesky
	straight.Pool = pool
	straight.Analyze(g)
	if err := straight.FactorSolve(m, want); err != nil {
		t.Fatal(err)
	}
	order := slices.Clone(straight.Order())
	var c Cholesky
	c.Pool = pool
	var asked, allowed atomic.Int64
	c.Interrupted = func() bool { return asked.Add(1) > allowed.Load() }
	// how often plan and factorization ask
	allowed.Store(1 << 60)
	c.Analyze(g)
	ofPlan := asked.Load()
	if err := c.Factor(m); err != nil {
		t.Fatal(err)
	}
	ofFactor := asked.Load() - ofPlan
	if ofPlan < 20 || ofFactor < 20 {
		t.Fatalf("the plan asks %d times, the factorization %d times", ofPlan, ofFactor)
	}
	var fresh Cholesky
	fresh.Pool, fresh.Interrupted = pool, c.Interrupted
	for n := int64(0); n < ofPlan; n += 1 + ofPlan/15 {
		asked.Store(0)
		allowed.Store(n)
		fresh.Analyze(g)
		if fresh.g != nil {
			t.Fatalf("asked %d times, Analyze has a plan", n)
		}
		if late := asked.Load() - n; late > 1 {
			t.Errorf("asked %d times, Analyze continues for %d", n, late)
		}
	}
	allowed.Store(1 << 60)
	fresh.Analyze(g)
	if !slices.Equal(fresh.Order(), order) {
		t.Error("the order is another one after interruptions")
	}
	x := slices.Clone(rhs)
	for n := int64(0); n < ofFactor-1; n += 1 + ofFactor/15 {
		asked.Store(0)
		allowed.Store(n)
		if err := fresh.FactorSolve(m, x); !errors.Is(err, ErrInterrupted) || !slices.Equal(x, rhs) {
			t.Fatalf("asked %d times: %v", n, err)
		}
		if late := asked.Load() - n; late > 8 {
			t.Errorf("asked %d times, Factor continues for %d", n, late)
		}
	}
	allowed.Store(1 << 60)
	if err := fresh.FactorSolve(m, x); err != nil || !slices.Equal(x, want) {
		t.Errorf("the solution has other bits after interruptions: %v", err)
	}
}
