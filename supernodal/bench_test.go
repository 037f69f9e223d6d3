package supernodal

import (
	"math/rand/v2"
	"testing"
)

// The pair of fingers is what the product is for; the box is bulky on purpose.
func BenchmarkFinRay(b *testing.B) { bench(b, finRay()) }

func BenchmarkBox15(b *testing.B) {
	g := new(Graph)
	for range 15 * 15 * 15 {
		g.AddNode(3, 0)
	}
	gridEdges(g, 0, 15, 15, 15)
	g.Pack()
	bench(b, g)
}

func bench(b *testing.B, g *Graph) {
	r := rand.New(rand.NewPCG(seed, 7))
	var m Matrix
	randomize(r, g, &m)
	var c Cholesky
	c.Analyze(g)
	if err := c.Factor(&m); err != nil {
		b.Fatal(err)
	}
	x := randomVec(r, len(c.x))
	b.Run("order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.s.order = c.scratch.amd.order(c.s.order[:0], g.Size, g.Class, c.scratch.adjPtr, c.scratch.adj)
		}
		c.Analyze(g)
	})
	b.Run("analyze", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Analyze(g)
		}
		b.ReportMetric(float64(c.Nonzeros())/1e6, "Mnnz")
		b.ReportMetric(c.Flops()/1e6, "Mflop")
		b.ReportMetric(float64(len(c.s.node)), "fronts")
	})
	b.Run("factor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := c.Factor(&m); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(c.Flops()/float64(b.Elapsed().Nanoseconds())*float64(b.N), "GF/s")
	})
	if err := c.Factor(&m); err != nil {
		b.Fatal(err)
	}
	b.Run("refactor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := c.Refactor(&m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("solve", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Solve(x)
		}
	})
}
