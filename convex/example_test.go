package convex

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/cliques"
)

// A mass of 2 kg is pushed with 3 N s against a spring of 4 N s per m/s:
// 2 v + 4 v = 3.
func ExampleSolver() {
	var p cliques.Problem
	p.Reset(0, 0.01)
	body, A, _, momentum := p.AddDense(1)
	A[0], momentum[0] = 2, 3
	h := p.AddConstraint(&spring{n: 1, k: 4})
	p.Block(body)[0] = 1
	v := slices.Clone(p.V0)
	var s Solver
	st, err := s.Solve(&p, v)
	fmt.Printf("%.3f m/s, %.3f N s, %d iteration, %v\n", v[0], p.Impulse(h)[0], st.Iterations, err)
	// Output: 0.500 m/s, -2.000 N s, 1 iteration, <nil>
}
