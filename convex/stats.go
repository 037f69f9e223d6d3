package convex

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/cliques"
)

// Criterion says why the solver stopped.
type Criterion uint8

const (
	Free       Criterion = iota // no constraint: v = v*, nothing to iterate
	Optimality                  // ‖D∇ℓ‖ ≤ AbsTol + RelTol·max(‖DA(v−v0)‖, ‖Dp‖, ‖DJᵀγ‖)
	RoundOff                    // the residual is what rounding makes of it and full steps do not lower it
	Failed                      // none: the iterate is the best found
)

func (c Criterion) String() string {
	return [...]string{"free", "optimality", "round-off", "failed"}[c]
}

// Stats says how a solve went. Over several islands it holds the sum of line
// search evaluations, the most iterations and what the worst island ended with.
type Stats struct {
	Iterations     int // Newton steps
	Continuation   int // those of them with laws capped, see ContinuationLaw
	Factorizations int // of the Hessian of the island with most
	LineSearch     int // evaluations of all constraints of an island in line searches
	Islands        int // groups of cliques that constraints connect
	Criterion      Criterion
	Residual       float64   // ‖D∇ℓ‖, D = diag(A)^−½, √J
	Scale          float64   // max(‖DA(v−v0)‖, ‖Dp‖, ‖DJᵀγ‖), √J
	Cost           float64   // ℓ(v) less ½ (v0 − v*)ᵀ A (v0 − v*), J; NaN where GradientOnly laws left it out, never with Solver.Condition
	Condition      float64   // on request the condition number of D H D at the solution, of the worst island, 1 without constraints; else an estimate from below, from the pivots of the last matrix factored
	Regularization float64   // largest λ of H + λ diag(A), 0 unless a direction failed
	Reanalyzed     bool      // the graph changed: ordering and symbolic factorization ran
	History        []float64 // of the worst island: residual over tolerance before each step; valid until the next Solve

	// Worst is, of an island that Failed, the constraint along whose equations most
	// momentum is out of balance; else −1.
	Worst cliques.Handle
}

// ErrNotConverged is what a *NotConvergedError matches.
var ErrNotConverged = errors.New("convex: not converged")

// historyShown is how many of the last residuals the message has.
const historyShown = 5

// NotConvergedError says that the velocities are the best found but do not
// satisfy the tolerance. The caller may go on with them or take a smaller step.
type NotConvergedError struct{ Stats Stats }

func (e *NotConvergedError) Error() string {
	s := &e.Stats
	last := s.History[max(0, len(s.History)-historyShown):]
	return fmt.Sprintf("%v after %d iterations (%d of them in continuation): residual over tolerance %.2g, of momentum %.2g; worst at constraint %d; condition estimate %.2g; try a smaller time step, a lower stiffness or a larger stiction tolerance",
		ErrNotConverged, s.Iterations, s.Continuation, last, s.Residual/s.Scale, s.Worst, s.Condition)
}

// Is makes errors.Is find ErrNotConverged.
func (e *NotConvergedError) Is(target error) bool { return target == ErrNotConverged }

// NonFiniteError says that input is NaN or infinite.
type NonFiniteError struct {
	Quantity   string         // quantity
	Node       cliques.Node   // −1 when it belongs to a constraint
	Constraint cliques.Handle // −1 when it belongs to a node
	Row        int            // within node or constraint
}

func (e *NonFiniteError) Error() string {
	if e.Constraint >= 0 {
		return fmt.Sprintf("convex: %s of constraint %d, row %d, is not finite", e.Quantity, e.Constraint, e.Row)
	}
	return fmt.Sprintf("convex: %s of node %d, row %d, is not finite", e.Quantity, e.Node, e.Row)
}

// IndefiniteError says that A is not positive definite.
type IndefiniteError struct {
	Node cliques.Node // at which elimination found it
	Row  int
}

func (e *IndefiniteError) Error() string {
	return fmt.Sprintf("convex: the momentum matrix A is not positive definite at node %d, row %d: is a mass zero or an element inverted?", e.Node, e.Row)
}
