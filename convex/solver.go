// Package convex minimizes a cliques.Problem, the convex problem of one time step, by
// Newton's method. Convex optimization takes the place of a complementarity problem (LCP,
// NCP) of contact, because contact is compliant:
//
//	ℓ(v)  = ½ (v − v*)ᵀ A (v − v*) + Σ ℓ_i(J_i v + b_i)             (1)
//	∇ℓ(v) = A (v − v0) − P − Jᵀγ,      A (v* − v0) = P              (2)
//	H(v)  = A + Σ J_iᵀ G_i J_i                                      (3)
//	H Δv  = −∇ℓ,   v ← v + α Δv                                     (4)
//
//	v      velocities (n), m/s or rad/s; v0 those at the start of the step
//	v*     velocities without constraints ("free motion")
//	A      momentum matrix (n×n), symmetric positive definite, block diagonal over cliques
//	P      momentum that free motion adds in the step (n), N s or N m s
//	J, b   Jacobian and bias of the constraint velocities c = J v + b
//	ℓ_i    convex potential of constraint i, J; γ_i = −∂ℓ_i/∂c its impulse, G_i = ∂²ℓ_i/∂c²
//	α      step length of an exact line search
//
// A is positive definite and every ℓ_i is convex and continuously differentiable, so
// that the minimum exists, is unique, and the damped iteration (4) converges from any
// guess. G_i may jump, at touch-down or between stick and slip: the method is a
// semi-smooth Newton method.
//
// Cliques that constraints connect form an island. Islands share no unknowns, so each
// has its own line search and convergence test. The Hessian of a small island of dense
// cliques is eliminated block by block, and small islands are solved on all workers at
// the same time; large islands and deformables share one supernodal factorization.
//
// The parts of the solver, one type a file:
//
//	partition     islands
//	iterate       velocities, momenta and constraint velocities at the present iterate
//	laws          potentials, impulses and their Hessians
//	convergence   residual, scale, round-off floor
//	blockFactors  factors of the diagonal blocks of A; Delassus diagonal
//	freeMotion    v* of cliques without constraints
//	hessian       assembly of H
//	direct        elimination of small islands
//	sparse        supernodal factorization of the others
//	direction     Δv, with refinement and regularization
//	lineSearch    α
//	continuation  homotopy from capped laws to the given ones
//	newton        the iteration of a group of islands
//	conditioner   condition number of the solution
//
// Sources: Castro, Han, Masterjohn, "Irrotational Contact Fields" (potentials, cost,
// scaled convergence test); Castro, Permenter, Han, "An Unconstrained Convex
// Formulation of Compliant Contact", IEEE T-RO 39, 2023 (Newton's method with exact
// line search on the problem of contact).
package convex

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/invariants"
	"github.com/curlfree/curlfree/workers"
)

// Solver has settings and memory. The zero value is ready, and a field that is zero
// means its default. A solver serves one goroutine at a time.
type Solver struct {
	// RelTol is the tolerance of the residual ‖D∇ℓ‖ relative to the largest of the
	// momenta that balance in it, see Optimality. Default 1e-5.
	RelTol float64
	// MaxIter bounds the Newton steps of each island, without those of continuation,
	// which may be ten times as many, and twice that where a first continuation fails: see Stats.Continuation. Default
	// 100.
	MaxIter int
	// AlphaMax is the longest step of a line search, in Newton directions. Default 1.
	AlphaMax float64
	// Pool runs small islands and subtrees of the factorization on several threads; nil
	// is serial. The result has the same bits for any number of threads. Laws of
	// different islands are evaluated at the same time. A pool may be shared with other
	// users that run one after the other.
	Pool *workers.Pool

	// Condition requests that Stats.Condition is computed, which costs a
	// factorization and some tens of solves with it.
	Condition bool
	// Interrupted is asked before each Newton iteration and between parts of plans and factorizations; where it is
	// true, as it is from then on, the solve ends with ErrInterrupted. nil: never. It is called from several
	// goroutines.
	Interrupted func() bool
	// Iterated is called after each Newton iteration of the large islands, as a program does that shows progress; nil:
	// nothing is.
	Iterated func()

	stats          Stats
	lastIterations int // of the previous problem
	lastResumed    int // of the previous Resume

	partition    partition
	iterate      iterate
	laws         laws
	convergence  convergence
	blocks       blockFactors
	free         freeMotion
	hessian      hessian
	direct       direct
	sparse       sparse
	direction    direction
	search       lineSearch
	continuation continuation
	newton       newton
	conditioner  conditioner
	scratch      []float64 // of DelassusDiagonal
}

// Solve minimizes p. On entry v (p.Size()) is the guess, usually p.V0; on return the
// solution. It fills p.Gamma and p.Vc. Errors are *NotConvergedError, with v the best
// velocities found, and *NonFiniteError or *IndefiniteError, after which v is not
// meaningful. Sequences of problems of one size allocate nothing. It panics when v has
// the wrong length.
func (s *Solver) Solve(p *cliques.Problem, v []float64) (Stats, error) {
	if len(v) != p.Size() {
		panic("convex: guess of the wrong length")
	}
	s.connect(p, v)
	if !s.Condition { // the condition number needs G at the solution
		s.search.lastIterations = s.lastIterations
	}
	s.stats = Stats{Condition: 1, Worst: -1}
	s.partition.islands = s.partition.islands[:0]
	stats, err := s.finish(s.solve())
	s.lastIterations = stats.Iterations
	return stats, err
}

// finish completes the statistics and the error of a solve.
func (s *Solver) finish(err error) (Stats, error) {
	for i := range s.partition.islands { // after an error laws may still be capped
		if is := &s.partition.islands[i]; is.isCapped() {
			s.laws.capSlopes(is, math.Inf(1))
		}
	}
	// the error keeps the history, which the next solve overwrites
	if s.stats.Criterion == Failed && err == nil {
		e := &NotConvergedError{s.stats}
		e.Stats.History = slices.Clone(s.stats.History)
		err = e
	}
	s.iterate.p, s.iterate.v = nil, nil
	return s.stats, err
}

// connect gives the parts the problem, the settings and each other. It runs at every
// solve, so that a Solver may be copied between solves.
func (s *Solver) connect(p *cliques.Problem, v []float64) {
	s.partition.p = p
	s.iterate.partition, s.iterate.v = &s.partition, v
	s.laws.iterate = &s.iterate
	s.convergence.laws = &s.laws
	s.convergence.relTol = or(s.RelTol, defaultRelTol)
	s.blocks.iterate = &s.iterate
	s.hessian.laws = &s.laws
	s.direct.iterate, s.direct.hessian = &s.iterate, &s.hessian
	s.sparse.iterate, s.sparse.hessian, s.sparse.pool = &s.iterate, &s.hessian, s.Pool
	s.continuation.convergence = &s.convergence
	s.free.blocks, s.free.sparse, s.free.continuation = &s.blocks, &s.sparse, &s.continuation
	s.direction.hessian, s.direction.convergence = &s.hessian, &s.convergence
	s.direction.direct, s.direction.sparse, s.direction.free = &s.direct, &s.sparse, &s.free
	s.search.laws, s.search.alphaMax, s.search.lastIterations = &s.laws, or(s.AlphaMax, defaultAlphaMax), 0
	s.newton.convergence, s.newton.blocks = &s.convergence, &s.blocks
	s.newton.direction, s.newton.search, s.newton.continuation = &s.direction, &s.search, &s.continuation
	s.newton.iterated = s.Iterated
	s.newton.interrupted, s.sparse.chol.Interrupted = s.Interrupted, s.Interrupted
	s.newton.maxIter = defaultMaxIter
	if s.MaxIter > 0 {
		s.newton.maxIter = s.MaxIter
	}
	s.continuation.maxIter = s.newton.maxIter
	s.conditioner.direction = &s.direction
}

// solve runs the parts in order: input, plans, free motion, islands, report. Errors leave
// the statistics as far as they are known.
func (s *Solver) solve() error {
	if err := s.prepare(); err != nil {
		return err
	}
	// the islands
	if err := s.newton.solveAll(s.pool()); err != nil {
		return err
	}
	if len(s.partition.islands) > 0 {
		s.report()
	} else if s.Condition {
		s.stats.Condition = 1
	}
	return nil
}

// prepare does what comes before the islands: input, plans, free motion.
func (s *Solver) prepare() error {
	p := s.iterate.p
	if err := checkFinite(p, s.iterate.v); err != nil {
		return err
	}
	if invariants.Enabled {
		checkSymmetric(p)
	}
	// memory, islands, matrices
	s.iterate.resize()
	s.laws.resize()
	s.partition.find()
	if s.plan(); s.sparse.err != nil {
		return s.sparse.err
	}
	// cliques and constraints that are no part of an island
	if err := s.factorFree(); err != nil {
		return err
	}
	return s.laws.evaluateFixed()
}

// plan decides which islands are small, those of few dense cliques whose elimination is
// short, and lays out the matrices of both kinds.
func (s *Solver) plan() {
	part := &s.partition
	part.small, part.large = part.small[:0], part.large[:0]
	s.hessian.resize()
	s.direct.reset(len(part.p.Cliques))
	for i := range part.islands {
		is := &part.islands[i]
		if is.small = s.direct.plan(is); is.small {
			part.small = append(part.small, is)
		} else {
			part.large = append(part.large, is)
		}
	}
	s.direct.load()
	s.stats.Reanalyzed = s.sparse.analyze()
}

// factorFree factors the parts of A that are needed by themselves, and gives v* to
// cliques that no constraint touches, which is their solution.
func (s *Solver) factorFree() error {
	if len(s.sparse.cliques) > 0 {
		s.sparse.load(s.free.hasDeformables())
	}
	// Free deformables need A factored, which all Hessians of the step reuse.
	if s.free.hasDeformables() {
		if err := s.free.solveDeformables(); err != nil {
			return err
		}
		s.stats.Condition = s.sparse.chol.Condition()
	}
	condition, err := s.free.solveDense()
	if err != nil {
		return err
	}
	s.stats.Condition = max(s.stats.Condition, condition)
	for k := range s.iterate.p.Cliques {
		s.iterate.invertDiagonal(&s.iterate.p.Cliques[k])
	}
	return nil
}

// pool returns the threads for small islands; nil where waking them would take longer
// than solving. Large islands use the threads in their factorization.
func (s *Solver) pool() *workers.Pool {
	if len(s.direct.h) < shareFrom {
		return nil
	}
	return s.Pool
}

// or returns x, or the default y where x is not set.
func or(x, y float64) float64 {
	if x > 0 {
		return x
	}
	return y
}

// resize returns x with length n, its contents undefined, with room to grow.
func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}
