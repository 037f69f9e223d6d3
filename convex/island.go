package convex

import "math"

// island is a set of cliques that constraints connect, with these constraints: a
// problem of its own, and the state of its solution.
type island struct {
	clique0, clique1 int32 // range of partition.cliqueSeq
	cons0, cons1     int32 // range of partition.consSeq

	// small islands are eliminated by direct, with these columns and values of it.
	small            bool
	column0, column1 int
	val0, val1       int
	// of a large island in hessian.changed
	changed0, changed1 int
	a, h               []float64 // values of A and H, of direct or of sparse

	stage     stage // what is known at the start of a solve
	done      bool  // a criterion is met
	criterion Criterion
	err       error // of a small island

	// At the velocities last evaluated:
	cost             float64 // ℓ of (1) less its quadratic part at v0, J
	lawCost          float64 // Σ ℓ_i, J
	slope, curvature float64 // Σ Δcᵀγ and Σ Δcᵀ G Δc, J
	// G and cost of GradientOnly laws are missing
	skippedHessian bool
	// G of PrimalDual laws are those of directions
	directionHessians bool

	whole       momenta // of all cliques, see convergence
	body        momenta // of the clique that exceeds its tolerance most
	light       float64 // residual over its tolerance of the light velocity that exceeds it most
	excess      float64 // residual over tolerance, the larger of the two
	leastExcess float64 // least so far, under the present laws
	alpha       float64 // last step length

	iterations     int // Newton steps
	evaluations    int // of all laws, in line searches
	factorizations int
	history        []float64 // excess before each step

	// pivots are those of the last factorization of a small island. condition and
	// cancellation are estimates for the matrix last factored, see
	// supernodal.Cholesky.
	pivots                  pivots
	condition, cancellation float64

	// lambda regularizes the last direction, maxLambda is the largest used; both are
	// multiples of lambdaUnit, 0 until it is needed.
	lambda, maxLambda float64
	lambdaUnit        float64

	// capRatio is the cap of laws in continuation, in units of 1/w: 0 before it
	// begins, +Inf when it is over.
	capRatio     float64
	savedCost    float64 // ℓ at its start
	finer        bool    // its stages are gone through once more, closer to each other
	continuation int     // Newton steps in it

	// scratch: G_i J_i of one constraint; a number for each of its rows
	gj, w []float64
}

// reset makes an island as new, in the memory of an old one.
func (is *island) reset() {
	*is = island{leastExcess: math.Inf(1), condition: 1, history: is.history[:0], gj: is.gj, w: is.w}
}

// isCapped reports whether laws of the island are capped by continuation.
func (is *island) isCapped() bool { return is.capRatio > 0 && !math.IsInf(is.capRatio, 1) }

// isWorse reports whether the island ended worse than another: by criterion, then
// iterations, then residual.
func (is *island) isWorse(other *island) bool {
	if is.criterion != other.criterion {
		return is.criterion > other.criterion
	}
	if is.iterations != other.iterations {
		return is.iterations > other.iterations
	}
	return is.excess > other.excess
}
