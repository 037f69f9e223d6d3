package run

// What lagged friction lacked over a run. Of step k let a_k be the friction impulse that
// the normal impulses of sliding contacts allow and l_k what the lag lacked of it,
//
//	share = Σ l_k/Σ a_k,  n = (Σ l_k)²/Σ l_k²                              (1)
//
// n is the number of steps that the lack is spread over: 1 when it is all in one, as at an
// impact, the steps' number when it is even.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
)

// Bounds of (1) from which a run warns. Runs whose friction is not in question are within
// 8 %, or lack it in less than ten steps, and coefficients of friction are seldom known
// better than to a tenth.
const (
	lackingShare = 0.1
	lackingSteps = 10
)

// frictionLag sums up (1).
type frictionLag struct {
	sum     constraints.SlidingFriction
	squares float64 // Σ l_k², (N s)²
}

// frictionLagNumbers is how many numbers of a checkpoint's memory a frictionLag takes.
const frictionLagNumbers = 3

// recalled returns the frictionLag that remember kept.
func recalled(m []float64) frictionLag {
	return frictionLag{constraints.SlidingFriction{Bound: m[0], Deficit: m[1]}, m[2]}
}

// remember returns the memory of signals with that of the lag after it.
func (l *frictionLag) remember(signals []float64) []float64 {
	n := len(signals)
	return append(signals[:n:n], l.sum.Bound, l.sum.Deficit, l.squares)
}

func (l *frictionLag) add(s constraints.SlidingFriction) {
	l.sum.Add(s)
	l.squares += s.Deficit * s.Deficit
}

// warning says how much friction was wrong; "" if that was little or over in a few steps.
func (l *frictionLag) warning() string {
	lacking, allowed := l.sum.Deficit, l.sum.Bound
	if allowed <= 0 || math.Abs(lacking) <= lackingShare*allowed || lacking*lacking < lackingSteps*l.squares {
		return ""
	}
	const mend = "solver.friction_lag: sweep has it exactly, for one to two times the time; a smaller time.step brings it nearer"
	if lacking < 0 {
		return fmt.Sprintf("contacts that slid had %.0f %% more friction than their normal forces allow, %.2g N s in all: %s", -100*lacking/allowed, -lacking, mend)
	}
	return fmt.Sprintf("contacts that slid lacked %.0f %% of the friction that their normal forces allow, %.2g N s in all: %s", 100*lacking/allowed, lacking, mend)
}
