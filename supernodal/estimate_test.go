package supernodal

import "testing"

// The estimate is that of the plan which Analyze makes of the same graph.
func TestEstimatesAreThoseOfThePlan(t *testing.T) {
	var g Graph
	const n = 12 // a grid of n × n × n nodes
	for range n * n * n {
		g.AddNode(3, 0)
	}
	for i := range n * n * n {
		for _, next := range []int{1, n, n * n} {
			if i/next%n < n-1 {
				g.AddEdge(i, i+next)
			}
		}
	}
	g.Pack()
	var c Cholesky
	c.Analyze(&g)
	if got := EstimateOf(&g); got.Flops != c.Flops() || got.Bytes < 8*float64(c.Nonzeros()) || got.Bytes > 24*float64(c.Nonzeros()) {
		t.Errorf("%+v, planned %g flops, %d nonzeros", got, c.Flops(), c.Nonzeros())
	}
}
