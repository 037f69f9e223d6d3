package supernodal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/workers"
)

// The grasp is the main use; the box is bulky, where fill is large; thin bodies show how
// time grows with size.
func BenchmarkGrasp(b *testing.B)               { bench(b, grasp()) }
func BenchmarkGraspWithPersistent(b *testing.B) { bench(b, graspWithPersistent()) }
func BenchmarkBox3k(b *testing.B)               { bench(b, grid(13, 15, 15)) }

func BenchmarkThin(b *testing.B) {
	for _, n := range []int{1, 3, 10, 30} {
		// five layers deep, four times as long as wide
		wide := int(math.Round(math.Sqrt(float64(n) * 1000 / 20)))
		b.Run(fmt.Sprintf("%dk", n), func(b *testing.B) { bench(b, grid(4*wide, wide, 5)) })
	}
}

func grid(a, b, c int) *Graph {
	g := new(Graph)
	for range a * b * c {
		g.AddNode(3, 0)
	}
	gridEdges(g, 0, a, b, c)
	g.Pack()
	return g
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
			c.s.order = c.scratch.amd.order(c.s.order[:0], quotient{size: g.Size, class: make([]uint8, g.Nodes()), deferred: g.Class, ptr: c.scratch.adjPtr, adj: c.scratch.adj})
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
	b.Run("factor2", func(b *testing.B) { // two workers
		d := Cholesky{Pool: workers.NewPool(2)}
		defer d.Pool.Close()
		d.Analyze(g)
		for b.Loop() {
			if err := d.Factor(&m); err != nil {
				b.Fatal(err)
			}
		}
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
