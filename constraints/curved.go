package constraints

// Loops on arcs. The error g of a ball, a weld or a distance is a function of poses, while rows are linear in
// velocities: g + h J v leaves out that bodies which turn move on arcs, about θ²/2 of their size in a step. A row that
// ignores it finds that error in the next step and pulls it back with θ²/2 of the size over h, which pumps energy into
// the bodies. So rows are those of the mean of the motion in the step, at places (Kinematics.Lever) and along
// directions with which h J y is the change of g at the velocities y from which the step is solved; what they miss goes
// to the bias,
//
//	b += (g(q ⊕ h y) − g(q))/h − (J y + b)                                      (1)
//
// At y = v⁺ the law then acts on the error that the step ends with, and an impulse does the work γ·(g⁺ − g)/h: none
// where the constraint is satisfied. The step is solved again until that is so (sim/term_loops.go). Source: this
// program; discrete gradients, Gonzalez (1996).

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Curved is a Constraint whose rows are the rates of functions g of poses that are not linear in the motion of a step.
type Curved interface {
	Constraint
	// Values writes g at the poses of k, in the order of the rows (m or rad; those that follow each other in threes
	// have one unit), and returns their number.
	Values(k Kinematics, g *[6]float64) int
}

// Line is a Curved constraint of one equation with a tension along straight segments.
type Line interface {
	Curved
	// Spans appends the vector of each segment at the poses of k, m; none of points of deformables.
	Spans(k Kinematics, dst []r3.Vec) []r3.Vec
}

// follow adds (1) of a row, whose function has the values now and end.
func follow(k Kinematics, p *cliques.Problem, row int, now, end float64) {
	p.AddBias(row, (end-now)/p.H-k.Rate(p, row))
}
