package convex

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/cliques"
)

// Criterion is the reason why the solver stopped.
type Criterion uint8

// The criteria, from best to worst: an island that ends with a higher one is reported
// before others.
const (
	// Free means that there are no constraints: v = v* without iterations.
	Free Criterion = iota
	// Optimality means that the solver has converged: ‖D∇ℓ‖ ≤ RelTol·max(‖DA(v−v0)‖,
	// ‖DP‖, ‖DJᵀγ‖) + some round-off of momenta, D = diag(A)^−½, on each island, and with 30 times that tolerance on
	// each of its cliques.
	Optimality
	// RoundOff means that the residual is as large as round-off errors and that full Newton
	// steps do not lower it.
	RoundOff
	// Failed means that the solver has not converged; the iterate is the best found.
	Failed
)

// String returns the criterion in words.
func (c Criterion) String() string {
	return [...]string{"free", "optimality", "round-off", "failed"}[c]
}

// Stats are the statistics of a solve. Over several islands they are the sum of
// line search evaluations, the largest number of iterations and the final values of
// the worst island.
type Stats struct {
	// Iterations is the number of Newton steps of the island that took most.
	Iterations int
	// Continuation is the number of these steps that were taken with capped laws, see
	// ContinuationLaw.
	Continuation int
	// Factorizations is the number of factorizations of the Hessian of the island that
	// took most.
	Factorizations int
	// LineSearch is the number of evaluations of all constraints of an island in line
	// searches.
	LineSearch int
	// Islands is the number of groups of cliques that constraints connect.
	Islands int
	// Criterion is the reason why the iteration of the worst island stopped.
	Criterion Criterion
	// Residual is ‖D∇ℓ‖ of the worst island at the end, D = diag(A)^−½, √J.
	Residual float64
	// Scale is max(‖DA(v−v0)‖, ‖DP‖, ‖DJᵀγ‖) of the worst island, √J.
	Scale float64
	// Cost is ℓ(v) less ½ (v0 − v*)ᵀ A (v0 − v*), J; NaN where the costs of GradientOnly
	// laws were skipped, which never happens with Solver.Condition.
	Cost float64
	// Condition is the condition number of D H D at the solution, of the worst island (1
	// without constraints), if Solver.Condition requests it; else a lower estimate of the
	// condition number of H from the pivots of the last matrix factored.
	Condition float64
	// Regularization is the largest λ of H + λ diag(A), 0 unless a direction failed.
	Regularization float64
	// Reanalyzed reports that the sparsity pattern changed, so that ordering and symbolic
	// factorization ran again.
	Reanalyzed bool
	// History is the residual of the worst island, or of its worst clique, over its tolerance before each step;
	// valid until the next Solve.
	History []float64

	// Worst is the constraint of a Failed island with the largest residual of
	// momentum along its equations; else −1.
	Worst cliques.Handle
}

// ErrNotConverged is the error that a *NotConvergedError matches.
var ErrNotConverged = errors.New("convex: not converged")

// historyShown is how many of the last residuals the message has.
const historyShown = 5

// NotConvergedError reports that the solver did not converge: the velocities are
// the best found but do not satisfy the tolerance. The caller may continue with
// them or take a smaller step.
type NotConvergedError struct {
	// Stats are those of the solve; its History may be kept.
	Stats Stats
}

// Error describes how the solve ended and what may help.
func (e *NotConvergedError) Error() string {
	s := &e.Stats
	last := s.History[max(0, len(s.History)-historyShown):]
	return fmt.Sprintf("%v after %d iterations (%d of them in continuation): residual over tolerance %.2g, of momentum %.2g; worst at constraint %d; condition estimate %.2g; try a smaller time step, a lower stiffness or a larger stiction tolerance",
		ErrNotConverged, s.Iterations, s.Continuation, last, s.Residual/s.Scale, s.Worst, s.Condition)
}

// Is makes errors.Is find ErrNotConverged.
func (e *NotConvergedError) Is(target error) bool { return target == ErrNotConverged }

// NonFiniteError reports that a quantity of the problem is NaN or infinite.
type NonFiniteError struct {
	// Quantity is its name: "momentum matrix A", "velocity", "momentum", "guess", "bias",
	// "Jacobian", "impulse", "Hessian", "cost" or "residual".
	Quantity string
	// Node is the node that has the quantity; −1 when it belongs to a constraint.
	Node cliques.Node
	// Constraint is the constraint that has the quantity; −1 when it belongs to a node.
	Constraint cliques.Handle
	// Row is the velocity of the node, or the equation of the constraint, from 0.
	Row int
}

// Error names the quantity and its node or constraint.
func (e *NonFiniteError) Error() string {
	if e.Constraint >= 0 {
		return fmt.Sprintf("convex: %s of constraint %d, row %d, is not finite", e.Quantity, e.Constraint, e.Row)
	}
	return fmt.Sprintf("convex: %s of node %d, row %d, is not finite", e.Quantity, e.Node, e.Row)
}

// IndefiniteError reports that the momentum matrix A is not positive definite.
type IndefiniteError struct {
	// Node is the node at which elimination met a pivot that is not clearly positive.
	Node cliques.Node
	// Row is the velocity within the node, from 0.
	Row int
}

// Error names the node and the usual causes.
func (e *IndefiniteError) Error() string {
	return fmt.Sprintf("convex: the momentum matrix A is not positive definite at node %d, row %d: is a mass zero or an element inverted?", e.Node, e.Row)
}
