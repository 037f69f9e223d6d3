package supernodal_test

import (
	"fmt"

	"github.com/curlfree/curlfree/supernodal"
)

func ExampleCholesky() {
	var g supernodal.Graph
	g.AddNode(1, 0)
	g.AddNode(2, 0)
	g.AddEdge(0, 1)
	g.Pack()
	var m supernodal.Matrix
	m.Reset(&g)
	copy(m.Block(0, 0), []float64{2})
	copy(m.Block(1, 0), []float64{1, 0})
	copy(m.Block(1, 1), []float64{2, 1, 1, 2})
	var c supernodal.Cholesky
	c.Analyze(&g)
	if err := c.Factor(&m); err != nil {
		fmt.Println(err)
	}
	x := []float64{4, 6.5, 5} // H (1, 2, 1.5)
	c.Solve(x)
	fmt.Printf("%.3f\n", x)
	// Output: [1.000 2.000 1.500]
}
