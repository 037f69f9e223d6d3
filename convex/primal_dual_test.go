package convex

import (
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// dualSpring is a spring whose matrix of the Newton direction is twice its Hessian, as of a dual unknown that is not
// known yet.
type dualSpring struct {
	spring
	directions int // asked for
}

func (l *dualSpring) DirectionHessian(_, _, G []float64) {
	l.directions++
	for i := range G {
		G[i] *= 2
	}
}

func (*dualSpring) UpdateDual(_, _ []float64) {}

// A guess within 1e-6 of the solution, as that of a solve with a usual tolerance, is refined by Newton's method alone:
// the first direction from farther away takes the matrix of dual unknowns.
func TestGuessesNearTheSolutionAreRefinedByNewtonsMethod(t *testing.T) {
	for _, off := range []float64{0.1, 1e-8} {
		var p cliques.Problem
		p.Reset(0, 0.01)
		node, A, v0, _ := p.AddDense(1)
		law := &dualSpring{spring: spring{1, 3}}
		A[0], v0[0] = 2, 1
		p.AddConstraint(law)
		p.Block(node)[0] = 1
		v, _ := mustSolve(t, &Solver{RelTol: 1e-14}, &p)
		v[0] += off
		law.directions = 0
		stats, err := (&Solver{RelTol: 1e-13}).Solve(&p, v)
		if err != nil {
			t.Fatal(err)
		}
		near := off < 1e-6
		if near && (law.directions > 0 || stats.Iterations != 1) || !near && law.directions == 0 {
			t.Errorf("%g off: %d iterations, %d directions of the dual", off, stats.Iterations, law.directions)
		}
	}
}
