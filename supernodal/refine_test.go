package supernodal

import (
	"math/rand/v2"
	"testing"
)

// cloud is a graph of vertices at random places in a unit cube that are nearer
// than r to each other: as irregular as a mesh can be.
func cloud(rnd *rand.Rand, n int, r float64) *Graph {
	g := new(Graph)
	p := make([][3]float64, n)
	for i := range p {
		p[i] = [3]float64{rnd.Float64(), rnd.Float64(), rnd.Float64()}
		g.AddNode(1+rnd.IntN(4), 0)
		for j := range i {
			x, y, z := p[i][0]-p[j][0], p[i][1]-p[j][1], p[i][2]-p[j][2]
			if x*x+y*y+z*z < r*r {
				g.AddEdge(i, j)
			}
		}
	}
	g.Pack()
	return g
}

// A refined separator still separates, is no heavier, leaves both sides enough
// and the sums kept on the way are right.
func TestRefinedSeparatorsSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 50))
	var lighter, all int
	for trial := range 60 {
		g := cloud(r, 50+r.IntN(400), 0.3)
		var s scratch
		s.adjacency(g)
		n := g.Nodes()
		d := dissector{size: g.Size, ptr: s.adjPtr, adj: s.adj}
		d.part, d.dist = make([]int32, n), make([]int32, n)
		d.refine.reset(n)
		f := &d.refine
		// the nodes left of a plane, right of it, and those on its right with a left neighbour
		var before [3]int32
		nodes := make([]int32, n)
		for i := range nodes {
			nodes[i] = int32(i)
			f.side[i] = uint8(i * 2 / n)
		}
		for i := n / 2; i < n; i++ {
			for _, y := range d.adj[d.ptr[i]:d.ptr[i+1]] {
				if f.side[y] == lower {
					f.side[i] = separator
				}
			}
		}
		for i, side := range f.side {
			before[side] += g.Size[i]
		}
		f.refine(&d, nodes)
		var after [3]int32
		for i, side := range f.side {
			after[side] += g.Size[i]
			for _, y := range d.adj[d.ptr[i]:d.ptr[i+1]] {
				if side == lower && f.side[y] == upper {
					t.Fatalf("trial %d: %d and %d are on either side and neighbours", trial, i, y)
				}
			}
		}
		if after != f.weight {
			t.Fatalf("trial %d: weights %v, kept as %v", trial, after, f.weight)
		}
		for _, x := range f.sep {
			near := f.near[x]
			if f.sumNeighbors(&d, x); near != f.near[x] {
				t.Fatalf("trial %d: sums around %d are wrong", trial, x)
			}
		}
		if after[separator] > before[separator] {
			t.Fatalf("trial %d: separator grew from %d to %d", trial, before[separator], after[separator])
		}
		all++
		if 4*after[separator] < 3*before[separator] {
			lighter++
		}
	}
	if lighter < all*3/4 {
		t.Errorf("only %d of %d separators lost a quarter of their weight", lighter, all)
	}
}

func TestDissectionHelpsInIrregularBodies(t *testing.T) {
	g := cloud(rand.New(rand.NewPCG(seed, 51)), 3000, 0.11)
	for i := range g.Size {
		g.Size[i] = 3
	}
	s := symbolic{scratch: new(scratch)}
	s.adjacency(g)
	s.analyze(g, minimumDegree, 1)
	free := s.flops
	s.analyze(g, dissection, 1)
	if s.flops > 0.9*free {
		t.Errorf("%.0f Mflop, by minimum degree alone %.0f", s.flops/1e6, free/1e6)
	}
}
