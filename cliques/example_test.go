package cliques_test

import (
	"fmt"

	"github.com/curlfree/curlfree/cliques"
)

// stop is the potential ½ k vc² for vc < 0.
type stop struct{ k float64 }

func (stop) Dim() int                   { return 1 }
func (stop) Prepare(float64, []float64) {}
func (s stop) Eval(vc, gamma, G []float64) float64 {
	gamma[0], G[0] = -s.k*min(vc[0], 0), s.k
	return 0.5 * s.k * min(vc[0], 0) * min(vc[0], 0)
}

// A mass of 2 kg that moves at −3 m/s and a stop: the constraint velocity at the start
// of the step.
func ExampleProblem() {
	var p cliques.Problem
	p.Reset(0, 0.01)
	body, A, v0, _ := p.AddDense(1)
	A[0], v0[0] = 2, -3
	h := p.AddConstraint(stop{k: 50})
	p.Block(body)[0] = 1
	p.AddBias(0, 0.5)
	fmt.Println(p.Size(), p.Rows(), p.StartVelocity(h, 0))
	// Output: 1 1 -2.5
}
