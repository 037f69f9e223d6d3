package supernodal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"
)

// fillOf counts the entries of L for a given order, block by block, the slow way.
func fillOf(g *Graph, order []int32) int {
	n := g.Nodes()
	adj := make([][]bool, n)
	for i := range adj {
		adj[i] = make([]bool, n)
	}
	for j := range n {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			adj[i][j], adj[j][i] = true, true
		}
	}
	total := 0
	done := make([]bool, n)
	for _, k := range order {
		done[k] = true
		var nb []int
		s := int(g.Size[k])
		total += s * (s + 1) / 2
		for i := range n {
			if adj[k][i] && !done[i] && g.Size[i] > 0 {
				nb = append(nb, i)
				total += s * int(g.Size[i])
			}
		}
		for _, a := range nb {
			for _, b := range nb {
				adj[a][b] = true
			}
		}
	}
	return total
}

// exactMinimumDegree is the exact algorithm: eliminate the node with the fewest
// uneliminated neighbours, counted in rows, ties by index.
func exactMinimumDegree(g *Graph) []int32 {
	n := g.Nodes()
	adj := make([][]bool, n)
	for i := range adj {
		adj[i] = make([]bool, n)
	}
	for j := range n {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			adj[i][j], adj[j][i] = true, true
		}
	}
	done := make([]bool, n)
	var order []int32
	for range n {
		best, least := -1, 0
		for k := range n {
			if done[k] || g.Size[k] == 0 {
				continue
			}
			d := 0
			for i := range n {
				if i != k && adj[k][i] && !done[i] {
					d += int(g.Size[i])
				}
			}
			if best < 0 || d < least {
				best, least = k, d
			}
		}
		if best < 0 {
			break
		}
		done[best] = true
		order = append(order, int32(best))
		for a := range n {
			for b := range n {
				if adj[best][a] && adj[best][b] {
					adj[a][b] = true
				}
			}
		}
	}
	return order
}

func TestFillIsNearThatOfExactMinimumDegree(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 40))
	var a, e int
	for trial := range 60 {
		g := pattern(r, trial%5, 20+r.IntN(130), trial%2 == 0, 0)
		var c Cholesky
		c.Analyze(g)
		got, want := fillOf(g, c.Order()), fillOf(g, exactMinimumDegree(g))
		if float64(got) > 1.3*float64(want) {
			t.Errorf("trial %d: fill %d, exact minimum degree %d", trial, got, want)
		}
		a, e = a+got, e+want
		if c.Nonzeros() < got {
			t.Errorf("trial %d: %d floats are too few for %d entries", trial, c.Nonzeros(), got)
		}
	}
	t.Logf("fill over exact minimum degree: %.3f in the mean", float64(a)/float64(e))
}

func TestTreesAndArrowsFillNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 41))
	for trial := range 40 {
		g := pattern(r, 2+trial%2, 30+r.IntN(100), false, 0)
		entries := 0
		for j := range g.Nodes() {
			n := int(g.Size[j])
			entries += n * (n + 1) / 2
			for _, i := range g.Row[g.Ptr[j]+1 : g.Ptr[j+1]] {
				entries += n * int(g.Size[i])
			}
		}
		var c Cholesky
		c.Analyze(g)
		if got := fillOf(g, c.Order()); got != entries {
			t.Errorf("trial %d: %d entries in L, %d in A", trial, got, entries)
		}
	}
}

func TestOrderIsAPermutationWithClass1Last(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 42))
	var a amd
	var s scratch
	for trial := range 300 {
		g := pattern(r, trial%5, 1+r.IntN(200), true, 0.4)
		s.adjacency(g)
		order := a.order(nil, quotient{size: g.Size, class: g.Class, deferred: make([]uint8, g.Nodes()), ptr: s.adjPtr, adj: s.adj})
		seen := make([]bool, g.Nodes())
		class := uint8(0)
		for _, x := range order {
			if seen[x] || g.Size[x] == 0 || g.Class[x] < class {
				t.Fatalf("trial %d: node %d is twice, empty, or of class %d after %d", trial, x, g.Class[x], class)
			}
			seen[x], class = true, g.Class[x]
		}
		for x, size := range g.Size {
			if size > 0 && !seen[x] {
				t.Fatalf("trial %d: node %d is missing", trial, x)
			}
		}
	}
}

// No edge joins two parts, every part is connected and either small or, like the
// rays of an arrow, not to be cut.
func TestSeparatorsSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 45))
	var d dissector
	var s scratch
	for trial := range 100 {
		d.round = trial%2 == 1
		g := pattern(r, trial%5, 300+r.IntN(700), true, 0)
		s.adjacency(g)
		class := d.run(g.Size, s.adjPtr, s.adj)
		count := map[int32]int{}
		separators := 0
		for x := range g.Nodes() {
			if g.Size[x] == 0 {
				continue
			}
			if (d.part[x] < 0) != (class[x] > 0) {
				t.Fatalf("trial %d: node %d of part %d has class %d", trial, x, d.part[x], class[x])
			}
			if class[x] > 0 {
				separators++
				continue
			}
			count[d.part[x]]++
			for _, y := range s.adj[s.adjPtr[x]:s.adjPtr[x+1]] {
				if class[y] == 0 && d.part[y] != d.part[x] {
					t.Fatalf("trial %d: an edge joins parts %d and %d", trial, d.part[x], d.part[y])
				}
			}
		}
		for part, n := range count {
			if n >= leafNodes {
				t.Errorf("trial %d: part %d has %d nodes", trial, part, n)
			}
		}
		if trial%5 == 4 && separators == 0 {
			t.Errorf("trial %d: no separator", trial)
		}
	}
}

func TestDissectionSavesWorkInBulkyBodies(t *testing.T) {
	g := new(Graph)
	for range 20 * 20 * 20 {
		g.AddNode(3, 0)
	}
	gridEdges(g, 0, 20, 20, 20)
	g.Pack()
	var c Cholesky
	c.choose(g)
	if ratio := c.plans[dissection].flops / c.plans[minimumDegree].flops; ratio > 0.6 || c.s != &c.plans[dissection] {
		t.Errorf("dissection takes %.2f of the work of minimum degree", ratio)
	}
}

// Renaming the nodes changes the order of sums but not the solution.
func TestSolutionDoesNotDependOnTheOrderOfNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 43))
	for trial := range 50 {
		g := pattern(r, trial%5, 10+r.IntN(60), trial%2 == 0, 0.2)
		var m Matrix
		randomize(r, g, &m)
		n := g.Nodes()
		perm := r.Perm(n) // new → old
		inv := make([]int, n)
		h := new(Graph)
		for k, old := range perm {
			inv[old] = k
			h.AddNode(int(g.Size[old]), g.Class[old])
		}
		for j := range n {
			for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
				h.AddEdge(inv[i], inv[j])
			}
		}
		h.Pack()
		var m2 Matrix
		m2.Reset(h)
		for j := range n {
			for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
				b := m.Block(int(i), j)
				p, q := int(g.Size[i]), int(g.Size[j])
				if inv[i] >= inv[j] {
					copy(m2.Block(inv[i], inv[j]), b)
					continue
				}
				c := m2.Block(inv[j], inv[i])
				for x := range p {
					for y := range q {
						c[y*p+x] = b[x*q+y]
					}
				}
			}
		}
		start := func(g *Graph) []int {
			s := make([]int, g.Nodes()+1)
			for i, k := range g.Size {
				s[i+1] = s[i] + int(k)
			}
			return s
		}
		sg, sh := start(g), start(h)
		x := randomVec(r, sg[n])
		y := make([]float64, sg[n])
		for k, old := range perm {
			copy(y[sh[k]:sh[k+1]], x[sg[old]:])
		}
		solve := func(g *Graph, m *Matrix, x []float64) {
			var c Cholesky
			c.Analyze(g)
			if err := c.Factor(m); err != nil {
				t.Fatal(err)
			}
			c.Solve(x)
		}
		solve(g, &m, x)
		solve(h, &m2, y)
		for k, old := range perm {
			if d := maxDiff(y[sh[k]:sh[k+1]], x[sg[old]:]); !(d < 1e-13) {
				t.Fatalf("trial %d: node %d off by %g", trial, old, d)
			}
		}
	}
}

// An independent implementation of sparse Cholesky.
func TestAgreesWithSparseLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 44))
	for trial := range 20 {
		g := pattern(r, trial%5, 20+r.IntN(60), trial%2 == 0, 0.2)
		var m Matrix
		randomize(r, g, &m)
		a, n := dense(g, &m)
		dok := sparse.NewDOK(n, n)
		for i := range n {
			for j := range n {
				if a[i*n+j] != 0 {
					dok.Set(i, j, a[i*n+j])
				}
			}
		}
		var ref sparse.Cholesky
		ref.Factorize(dok.ToCSR())
		b := randomVec(r, n)
		want := mat.NewVecDense(n, nil)
		if err := ref.SolveVecTo(want, mat.NewVecDense(n, slices.Clone(b))); err != nil {
			t.Fatal(err)
		}
		var c Cholesky
		c.Analyze(g)
		if err := c.Factor(&m); err != nil {
			t.Fatal(err)
		}
		c.Solve(b)
		if d := maxDiff(b, want.RawVector().Data); !(d < 1e-12) {
			t.Errorf("trial %d: off by %g", trial, d)
		}
	}
}
