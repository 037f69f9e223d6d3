package supernodal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/internal/oracle"
)

// withPersistent returns a graph with the edges of part as its persistent part, and random
// ones besides; the nodes they touch are of class 1.
func withPersistent(r *rand.Rand, g, part *Graph, edges int) {
	n := part.Nodes()
	extra := make([][2]int, edges)
	class := make([]uint8, n)
	for k := range extra {
		extra[k] = [2]int{r.IntN(n), r.IntN(n)}
		class[extra[k][0]], class[extra[k][1]] = 1, 1
	}
	g.Reset()
	for i, size := range part.Size {
		g.AddNode(int(size), class[i])
	}
	for j := range n {
		for _, i := range part.Row[part.Ptr[j]:part.Ptr[j+1]] {
			g.AddEdge(int(i), j)
		}
	}
	g.MarkPersistent()
	for _, e := range extra {
		g.AddEdge(e[0], e[1])
	}
	g.Pack()
}

// plain returns the same graph without a persistent part.
func plain(g *Graph) *Graph {
	h := new(Graph)
	for i, size := range g.Size {
		h.AddNode(int(size), g.Class[i])
	}
	for j := range g.Nodes() {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			h.AddEdge(int(i), j)
		}
	}
	h.Pack()
	return h
}

func TestPersistentPartChangesNoEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 60))
	var g Graph
	for trial := range 300 {
		part := pattern(r, trial%5, 1+r.IntN(60), trial%2 == 0, 0)
		for range 2 { // the second time the persistent part is that of the graph before
			withPersistent(r, &g, part, r.IntN(30))
			if h := plain(&g); !slices.Equal(g.Ptr, h.Ptr) || !slices.Equal(g.Row, h.Row) {
				t.Fatalf("trial %d: rows %v, want %v", trial, g.Row, h.Row)
			}
		}
	}
}

// One Cholesky plans many patterns, another only the present one: the plans are the same.
func TestPlansByPersistentOrderDependOnTheGraphAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 61))
	var c Cholesky
	var g Graph
	var m Matrix
	kept := 0
	for trial := range 60 {
		part := pattern(r, trial%5, 2+r.IntN(60), trial%2 == 0, 0)
		for range 4 {
			withPersistent(r, &g, part, r.IntN(12))
			randomize(r, &g, &m)
			var fresh Cholesky
			c.Analyze(&g)
			fresh.Analyze(&g)
			if !slices.Equal(c.Order(), fresh.Order()) || c.Nonzeros() != fresh.Nonzeros() {
				t.Fatalf("trial %d: the plan depends on earlier ones", trial)
			}
			if c.s == &c.plans[partial] {
				kept++
			}
			if err := c.Factor(&m); err != nil {
				t.Fatal(err)
			}
			a, n := dense(&g, &m)
			if n == 0 {
				continue
			}
			x := randomVec(r, n)
			want := oracle.Solve(a, slices.Clone(x))
			c.Solve(x)
			if d := maxDiff(x, want); !(d < 1e-12) {
				t.Fatalf("trial %d: off by %g", trial, d)
			}
		}
	}
	if kept < 100 {
		t.Errorf("only %d of 240 plans kept the persistent order", kept)
	}
}

func TestGraphsOfOtherPersistentPartAreNotEqual(t *testing.T) {
	build := func(first, second [2]int) *Graph {
		g := new(Graph)
		for range 3 {
			g.AddNode(3, 0)
		}
		g.AddEdge(first[0], first[1])
		g.MarkPersistent()
		g.AddEdge(second[0], second[1])
		g.Pack()
		return g
	}
	a, b := build([2]int{0, 1}, [2]int{1, 2}), build([2]int{1, 2}, [2]int{0, 1})
	if a.Equal(b) || a.Equal(plain(a)) || !a.Equal(build([2]int{1, 0}, [2]int{2, 1})) {
		t.Error("graphs are equal when their nodes, edges and persistent parts are")
	}
}

// graspWithPersistent returns the grasp with the edges of its fingers as persistent part.
func graspWithPersistent() *Graph {
	g, h := grasp(), new(Graph)
	for i, size := range g.Size {
		h.AddNode(int(size), g.Class[i])
	}
	for pass := range 2 { // nodes of three rows are vertices
		for j := range g.Nodes() {
			for _, i := range g.Row[g.Ptr[j]+1 : g.Ptr[j+1]] {
				if finger := g.Size[i] == 3 && g.Size[j] == 3; finger == (pass == 0) {
					h.AddEdge(int(i), j)
				}
			}
		}
		if pass == 0 {
			h.MarkPersistent()
		}
	}
	h.Pack()
	return h
}

// An order found for the body alone must serve the body in contact: Factor of the grasp
// takes little longer than with an order found for the grasp, and Refactor no longer than
// with minimum degree without deferral.
func TestPersistentOrderServesContact(t *testing.T) {
	g, h := grasp(), graspWithPersistent()
	var c, d Cholesky
	c.Analyze(g)
	d.Analyze(h)
	if d.s != &d.plans[partial] {
		t.Fatal("the persistent order was not kept")
	}
	if d.s.cost > 1.1*c.s.cost || d.s.recost > d.s.cost {
		t.Errorf("predicted %.0f and %.0f ns, by an order for contact %.0f and %.0f", d.s.cost, d.s.recost, c.s.cost, c.s.recost)
	}
	if n := alloctest.PerRun(5, func() { d.Analyze(h) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
