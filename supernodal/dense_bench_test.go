package supernodal

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkDense times the dense kernels by size, in GF/s of useful work.
func BenchmarkDense(b *testing.B) {
	r := rand.New(rand.NewPCG(seed, 40))
	var ch Cholesky
	for _, n := range []int{3, 6, 12, 15, 24, 48, 96, 192, 384, 768} {
		c, a := newDense(r, n, n), newDense(r, n, n)
		c.l, a.l = n, n
		x := float64(n)
		run := func(name string, flops float64, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(flops*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GF/s")
			})
		}
		run("gemm", 2*x*x*x, func() { (&product{c.a, a.a, a.a, n, n, n, n, n, n, modeAssign}).subtract(&Cholesky{}) })
		run("syrk", x*x*(x+1), func() { (&product{c.a, a.a, a.a, n, n, n, n, n, n, modeLower | modeAssign}).subtract(&Cholesky{}) })
		run("gemm12", 2*x*x*min(x, 12), func() { (&product{c.a, a.a, a.a, n, n, n, n, n, min(n, 12), 0}).subtract(&Cholesky{}) })
		p, _, diag := positive(r, 2*n, n)
		q, inv := p.clone(), make([]float64, n)
		run("panel", x*x*x/3+x*x*x, func() {
			copy(q.a, p.a)
			ch.panel(q.a, 2*n, n, diag, inv, false)
		})
		run("dots", 2*x*x, func() { dots(c.a[:n], a.a, n, inv) })
		run("axpys", 2*x*x, func() { axpys(c.a[:n], a.a, n, inv) })
	}
}
