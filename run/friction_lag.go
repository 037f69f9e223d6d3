package run

// Friction deficit of a run whose friction is lagged: the friction of a step is bounded
// by the normal impulses of an earlier one, and differs from the bound μγ_n of this step.
// For step k let b_k be the friction impulse that the normal impulses of sliding contacts
// allow and d_k by how much the applied friction impulse is below it (N s). Then
//
//	share = Σ d_k / Σ b_k,    n = (Σ d_k)² / Σ d_k²                                (1)
//
// n is the number of steps over which the deficit is spread: 1 if it occurs in a single
// step, such as an impact, and the number of steps if all deficits are equal.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
)

// Bounds of (1) above which a run warns. In runs whose friction is correct, the share is
// below 8 %, or the deficit is spread over fewer than ten steps. Coefficients of friction
// are seldom known to better than 10 %, so that a smaller deficit does not matter.
const (
	maxDeficitShare = 0.1
	minDeficitSteps = 10
)

// frictionLag holds the sums of (1).
type frictionLag struct {
	sum     constraints.SlidingFriction // Σ b_k and Σ d_k, N s
	squares float64                     // Σ d_k², (N s)²
}

// frictionLagNumbers is the length of a frictionLag in the memory of a checkpoint.
const frictionLagNumbers = 3

// frictionLagOf returns the frictionLag that appendTo stored.
func frictionLagOf(m []float64) frictionLag {
	return frictionLag{constraints.SlidingFriction{Bound: m[0], Deficit: m[1]}, m[2]}
}

// appendTo returns a copy of the memory of signals with the sums appended.
func (l *frictionLag) appendTo(signals []float64) []float64 {
	n := len(signals)
	return append(signals[:n:n], l.sum.Bound, l.sum.Deficit, l.squares)
}

// add adds the friction of a step.
func (l *frictionLag) add(s constraints.SlidingFriction) {
	l.sum.Add(s)
	l.squares += s.Deficit * s.Deficit
}

// warning is the warning for a deficit, or an excess, above the bounds; otherwise empty.
func (l *frictionLag) warning() string {
	deficit, bound := l.sum.Deficit, l.sum.Bound
	if bound <= 0 || math.Abs(deficit) <= maxDeficitShare*bound || deficit*deficit < minDeficitSteps*l.squares {
		return ""
	}
	const remedy = "solver.friction_lag: sweep computes it exactly in one to two times the time; a smaller time.step reduces the error"
	if deficit < 0 {
		return fmt.Sprintf("sliding contacts had %.0f %% more friction than their normal forces allow, %.2g N s in total: %s", -100*deficit/bound, -deficit, remedy)
	}
	return fmt.Sprintf("sliding contacts had %.0f %% less friction than their normal forces allow, %.2g N s in total: %s", 100*deficit/bound, deficit, remedy)
}
