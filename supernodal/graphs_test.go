package supernodal

import (
	"math/rand/v2"
)

// sizes draws block sizes: mostly vertices, some trees, some empty.
func sizes(r *rand.Rand, g *Graph, n int, mixed bool, classes float64) {
	for range n {
		size := 3
		if mixed {
			size = []int{0, 1, 2, 3, 3, 3, 4, 6, 7, 9}[r.IntN(10)]
		}
		class := uint8(0)
		if r.Float64() < classes {
			class = 1
		}
		g.AddNode(size, class)
	}
}

// pattern draws a packed graph of one of five families.
func pattern(r *rand.Rand, kind, n int, mixed bool, classes float64) *Graph {
	g := new(Graph)
	switch kind {
	case 0: // random
		sizes(r, g, n, mixed, classes)
		for range n * (1 + r.IntN(4)) {
			g.AddEdge(r.IntN(n), r.IntN(n))
		}
	case 1: // banded
		sizes(r, g, n, mixed, classes)
		for i := range n {
			for k := 1; k <= 3; k++ {
				g.AddEdge(i, max(0, i-k))
			}
		}
	case 2: // arrow
		sizes(r, g, n, mixed, classes)
		for i := range n {
			g.AddEdge(i, n/2)
		}
	case 3: // tree
		sizes(r, g, n, mixed, classes)
		for i := 1; i < n; i++ {
			g.AddEdge(i, r.IntN(i))
		}
	case 4: // box
		k := 2
		for (k+1)*(k+1)*(k+1) <= n {
			k++
		}
		sizes(r, g, k*k*k, mixed, classes)
		gridEdges(g, 0, k, k, k)
	}
	g.Pack()
	return g
}

// gridEdges connects the nodes base… of a box of a×b×c vertices like the
// tetrahedra of a Kuhn subdivision: up to 14 neighbours each.
func gridEdges(g *Graph, base, a, b, c int) {
	at := func(i, j, k int) int { return base + (i*b+j)*c + k }
	for i := range a {
		for j := range b {
			for k := range c {
				for d := 1; d < 8; d++ {
					x, y, z := i+d&1, j+d>>1&1, k+d>>2
					if x < a && y < b && z < c {
						g.AddEdge(at(i, j, k), at(x, y, z))
					}
				}
			}
		}
	}
}

// randomize fills a matrix with a symmetric diagonally dominant one.
func randomize(r *rand.Rand, g *Graph, m *Matrix) {
	m.Reset(g)
	degree := make([]int, g.Nodes())
	for j := range g.Nodes() {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			degree[i] += int(g.Size[j])
			degree[j] += int(g.Size[i])
		}
	}
	for j := range g.Nodes() {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			b := m.Block(int(i), j)
			for k := range b {
				b[k] = 2*r.Float64() - 1
			}
			if int(i) == j {
				n := int(g.Size[j])
				for p := range n {
					for q := range p {
						b[q*n+p] = b[p*n+q]
					}
					b[p*n+p] = float64(degree[j]) + 0.1 + r.Float64()
				}
			}
		}
	}
}

// dense returns the matrix with both triangles, row-major.
func dense(g *Graph, m *Matrix) (a []float64, n int) {
	off := make([]int, g.Nodes())
	for i, s := range g.Size {
		off[i] = n
		n += int(s)
	}
	a = make([]float64, n*n)
	for j := range g.Nodes() {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			b := m.Block(int(i), j)
			for p := range int(g.Size[i]) {
				for q := range int(g.Size[j]) {
					x := b[p*int(g.Size[j])+q]
					a[(off[i]+p)*n+off[j]+q] = x
					a[(off[j]+q)*n+off[i]+p] = x
				}
			}
		}
	}
	return a, n
}

// finRay is a pair of thin-walled fingers of 1,200 vertices each and a body of
// six rows that touches 60 vertices of each; touched nodes are of class 1.
func finRay() *Graph {
	const a, b, c = 2, 200, 3
	const n = a * b * c
	g := new(Graph)
	touched := func(v int) bool { return v/c >= 80 && v/c < 100 } // of the first layer
	for range 2 {
		for v := range n {
			class := uint8(0)
			if touched(v) {
				class = 1
			}
			g.AddNode(3, class)
		}
	}
	body := g.AddNode(6, 1)
	for k := range 2 {
		gridEdges(g, k*n, a, b, c)
		for v := range n {
			if touched(v) {
				g.AddEdge(body, k*n+v)
			}
		}
	}
	g.Pack()
	return g
}
