package supernodal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/oracle"
)

// onBase returns a graph with the edges of base as its base, and as many random
// ones besides; the nodes they touch are of class 1.
func onBase(r *rand.Rand, g, base *Graph, edges int) {
	n := base.Nodes()
	extra := make([][2]int, edges)
	class := make([]uint8, n)
	for k := range extra {
		extra[k] = [2]int{r.IntN(n), r.IntN(n)}
		class[extra[k][0]], class[extra[k][1]] = 1, 1
	}
	g.Reset()
	for i, size := range base.Size {
		g.AddNode(int(size), class[i])
	}
	for j := range n {
		for _, i := range base.Row[base.Ptr[j]:base.Ptr[j+1]] {
			g.AddEdge(int(i), j)
		}
	}
	g.MarkPersistent()
	for _, e := range extra {
		g.AddEdge(e[0], e[1])
	}
	g.Pack()
}

// plain returns the same graph without a base.
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

func TestBaseChangesNoEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 60))
	var g Graph
	for trial := range 300 {
		base := pattern(r, trial%5, 1+r.IntN(60), trial%2 == 0, 0)
		for range 2 { // the second time the base is that of before
			onBase(r, &g, base, r.IntN(30))
			if h := plain(&g); !slices.Equal(g.Ptr, h.Ptr) || !slices.Equal(g.Row, h.Row) {
				t.Fatalf("trial %d: rows %v, want %v", trial, g.Row, h.Row)
			}
		}
	}
}

// One Cholesky meets many patterns on many bases, another only the present one.
func TestPlansOnABaseSolveAndForgetThePast(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 61))
	var c Cholesky
	var g Graph
	var m Matrix
	kept := 0
	for trial := range 60 {
		base := pattern(r, trial%5, 2+r.IntN(60), trial%2 == 0, 0)
		for range 4 {
			onBase(r, &g, base, r.IntN(12))
			randomize(r, &g, &m)
			var fresh Cholesky
			c.Analyze(&g)
			fresh.Analyze(&g)
			if !slices.Equal(c.Order(), fresh.Order()) || c.Nonzeros() != fresh.Nonzeros() {
				t.Fatalf("trial %d: the plan depends on earlier ones", trial)
			}
			if c.s == &c.plans[lasting] {
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
		t.Errorf("only %d of 240 plans kept the order of the base", kept)
	}
}

func TestGraphsOfOtherBaseAreNotEqual(t *testing.T) {
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
		t.Error("graphs are equal when their nodes, edges and bases are")
	}
}

// graspOnBase returns the grasp with the edges of its fingers as base.
func graspOnBase() *Graph {
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

// An order found for the body alone must serve the body in contact: all of the
// grasp costs little more than by an order found for the grasp, and what contact
// touches no more than by minimum degree that does not put it off.
func TestOrderOfTheBaseServesContact(t *testing.T) {
	g, h := grasp(), graspOnBase()
	var c, d Cholesky
	c.Analyze(g)
	d.Analyze(h)
	if d.s != &d.plans[lasting] {
		t.Fatal("the order of the base was not kept")
	}
	if d.s.cost > 1.1*c.s.cost || d.s.recost > d.s.cost {
		t.Errorf("predicted %.0f and %.0f ns, by an order for contact %.0f and %.0f", d.s.cost, d.s.recost, c.s.cost, c.s.recost)
	}
	if n := testing.AllocsPerRun(5, func() { d.Analyze(h) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
