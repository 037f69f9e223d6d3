// Package convex minimises a cliques.Problem by Newton's method,
//
//	ℓ(v)  = ½ (v − v*)ᵀ A (v − v*) + Σ ℓ_i(J_i v + b_i)             (1)
//	∇ℓ(v) = A (v − v0) − P − Jᵀγ,      A (v* − v0) = P              (2)
//	H(v)  = A + Σ J_iᵀ G_i J_i                                      (3)
//	H Δv  = −∇ℓ                                                     (4)
//
// with an exact line search, on the full space of velocities. Cliques that no
// constraint connects are separate problems (islands) with their own line search
// and convergence test. Small ones are solved one by one, on all workers, large ones
// and deformables together with one factorization.
//
// Source: Castro, Han, Masterjohn, "Irrotational Contact Fields"; Castro,
// Permenter, Han, "An Unconstrained Convex Formulation of Compliant Contact",
// IEEE T-RO 39, 2023.
package convex

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/invariants"
	"github.com/curlfree/curlfree/workers"
)

// Solver holds settings and memory; the zero value is ready and means defaults.
// A solver serves one goroutine.
type Solver struct {
	RelTol   float64       // of the optimality test, default 1e-5
	AbsTol   float64       // √J, default 1e-14
	MaxIter  int           // Newton steps, default 100; Stats.Continuation may be three times as many
	AlphaMax float64       // longest line search step, default 1
	Pool     *workers.Pool // nil is serial; never changes a bit of the result. Laws of different islands are evaluated at the same time

	// Condition asks for Stats.Condition to be computed, which costs a
	// factorization and some tens of solves with it.
	Condition bool

	p     *cliques.Problem
	stats Stats
	v     []float64 // the iterate; caller's

	touched []uint8 // per node
	direct  direct
	sparse  sparse
	pairs   []int32 // offsets in H of all pairs of blocks of each constraint, see addHessian
	pairOff []int32 // first of each constraint
	diagAt  []int32 // offset in H of the diagonal block of each node

	islands    []island
	small      []*island // those of direct
	large      []*island // those of sparse
	cliqueSeq  []int32   // cliques by island
	consSeq    []int32   // constraints by island
	label      []int32
	nodeClique []int32

	d     []float64 // D = diag(A)^−½ (n)
	q     []float64 // A (v − v*) = A (v − v0) − P (n)
	jtg   []float64 // Jᵀγ (n)
	dv    []float64 // direction (n)
	dp    []float64 // A Δv (n)
	work  []float64 // (n)
	kept  []float64 // iterate at the start of continuation (n)
	c, dc []float64 // constraint velocities at the iterate; J Δv (rows)
	g     []float64 // G of all constraints
	gOff  []int32
	cost  []float64 // ℓ_i

	low   []float64 // Cholesky factors of dense cliques and of diagonal blocks of touched vertices
	lowAt []int32   // first of each node
	fixed []float64 // Delassus diagonal of a constraint that touches no node: 0

	usual int // iterations of the last problem

	lanczos []lanczos // of each island, of B and of its inverse
}

// Solve minimises p. On entry v holds the guess, usually p.V0; on return the
// solution. It fills p.Gamma and p.Vc. Errors are *NotConvergedError, with v the
// best velocities found, and *NonFiniteError or *IndefiniteError, after which v
// means nothing. Steady sequences of problems allocate nothing.
func (s *Solver) Solve(p *cliques.Problem, v []float64) (Stats, error) {
	if len(v) != p.Size() {
		panic("convex: guess of the wrong length")
	}
	s.p, s.v = p, v
	s.stats = Stats{Condition: 1, Worst: -1}
	s.islands = s.islands[:0]
	err := s.solve()
	for i := range s.islands {
		if s.islands[i].softened() { // after an error
			s.soften(&s.islands[i], math.Inf(1))
		}
	}
	s.usual = s.stats.Iterations
	if s.stats.Criterion == Failed && err == nil {
		e := &NotConvergedError{s.stats}
		e.Stats.History = slices.Clone(s.stats.History)
		err = e
	}
	s.p, s.v = nil, nil
	return s.stats, err
}

func (s *Solver) solve() error {
	if err := s.checkFinite(); err != nil {
		return err
	}
	if invariants.Enabled {
		s.checkSymmetric()
	}
	s.size()
	s.findIslands()
	s.split()
	s.analyze()
	if err := s.factorA(); err != nil {
		return err
	}
	if err := s.evaluateFixed(); err != nil {
		return err
	}
	if err := s.iterateAll(); err != nil {
		return err
	}
	if len(s.islands) > 0 {
		s.report()
	} else if s.Condition {
		s.stats.Condition = 1
	}
	return nil
}

func or(x, y float64) float64 {
	if x > 0 {
		return x
	}
	return y
}

func (s *Solver) maxIter() int {
	if s.MaxIter > 0 {
		return s.MaxIter
	}
	return defaultMaxIter
}

func (s *Solver) size() {
	p := s.p
	n, rows := p.Size(), p.Rows()
	for _, x := range []*[]float64{&s.d, &s.q, &s.jtg, &s.dv, &s.dp, &s.work, &s.kept} {
		*x = resize(*x, n)
	}
	s.c, s.dc = resize(s.c, rows), resize(s.dc, rows)
	s.cost = resize(s.cost, len(p.Constraints))
	s.gOff = resize(s.gOff, len(p.Constraints)+1)
	total := int32(0)
	for i := range p.Constraints {
		s.gOff[i] = total
		total += int32(p.Constraints[i].Dim * p.Constraints[i].Dim)
	}
	s.gOff[len(p.Constraints)] = total
	s.g = resize(s.g, int(total))
}

func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}

// factorA factors what is needed of A, and gives cliques that no constraint touches
// their v*, which is the answer for them.
func (s *Solver) factorA() error {
	if len(s.sparse.cliques) > 0 {
		s.loadSparse()
	}
	if s.freeDeformables() {
		if err := s.freeSparse(); err != nil {
			return err
		}
	}
	if err := s.freeDense(); err != nil {
		return err
	}
	for k := range s.p.Cliques {
		s.inverseDiagonal(&s.p.Cliques[k])
	}
	return nil
}

// inverseDiagonal computes D of a clique.
func (s *Solver) inverseDiagonal(c *cliques.Clique) {
	d := s.d[c.Offset : c.Offset+c.Size]
	if c.Pattern == nil {
		for i := range d {
			d[i] = 1 / math.Sqrt(c.A[i*c.Size+i])
		}
		return
	}
	for j := range c.Nodes {
		a := (*[9]float64)(c.A[9*c.Pattern.Ptr[j]:])
		d[3*j], d[3*j+1], d[3*j+2] = 1/math.Sqrt(a[0]), 1/math.Sqrt(a[4]), 1/math.Sqrt(a[8])
	}
}

// iterateAll solves the islands, small ones each by itself and large ones together.
func (s *Solver) iterateAll() error {
	pool := s.Pool
	if len(s.direct.h) < shareFrom {
		pool = nil
	}
	pool.Run(len(s.small), (*each)(s))
	for _, is := range s.small {
		if is.err != nil {
			return is.err
		}
	}
	return s.iterate(s.large)
}

// each is the task of small islands.
type each Solver

func (e *each) Do(_, i int) {
	s := (*Solver)(e)
	s.small[i].err = s.iterate(s.small[i : i+1])
}

// iterate solves the islands of a group, one small one or all large ones.
func (s *Solver) iterate(group []*island) error {
	for _, is := range group {
		s.prepareLaws(is)
		s.refresh(is)
		if err := s.evaluate(is); err != nil {
			return err
		}
		s.residual(is)
	}
	return s.newton(group)
}

// newton iterates until every island of a group has met a criterion.
func (s *Solver) newton(group []*island) error {
	for m := 0; ; m++ {
		open := false
		for _, is := range group {
			if err := s.judge(is, m); err != nil {
				return err
			}
			open = open || !is.done
		}
		if !open {
			return nil
		}
		if err := s.direction(group); err != nil {
			return err
		}
		for _, is := range group {
			if is.done {
				continue
			}
			if err := s.lineSearch(is); err != nil {
				return err
			}
			s.step(is)
			is.iterations++
			if is.softened() {
				is.continuation++
			}
		}
	}
}

// judge decides on an island before iteration m.
func (s *Solver) judge(is *island, m int) error {
	if is.done {
		return s.stage(is)
	}
	if m > 0 {
		if m%refresh == 0 {
			s.refresh(is)
			if err := s.evaluate(is); err != nil {
				return err
			}
		}
		s.residual(is)
	}
	if !is.optimal() {
		if err := s.complete(is); err != nil {
			return err
		}
	}
	s.test(is)
	if !is.done && is.iterations-is.continuation >= s.maxIter() {
		is.done, is.criterion = true, Failed
	}
	err := s.stage(is)
	is.hist = append(is.hist, is.res/is.tol)
	return err
}

// step moves an island along its direction by is.alpha; the constraints are
// already evaluated there.
func (s *Solver) step(is *island) {
	p := s.p
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.v[i] += is.alpha * s.dv[i]
			s.q[i] += is.alpha * s.dp[i]
		}
	}
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		copy(s.c[c.Row:c.Row+c.Dim], p.Vc[c.Row:])
	}
	is.cost = s.quadratic(is) + is.lawCost
	if is.spared {
		is.cost = math.NaN()
	}
}

// optimal says whether the residual of an island is as small as it should be.
func (is *island) optimal() bool {
	if is.softened() {
		return is.res <= max(is.tol, coarseTol*is.scale)
	}
	return is.res <= is.tol
}

// test decides whether an island is done, by its residual alone: near the
// solution costs differ by less than their round-off long before velocities do.
func (s *Solver) test(is *island) {
	plateau := is.alpha > 0.5 && is.res > progress*is.least
	is.least = min(is.least, is.res)
	switch {
	case is.optimal():
		is.done, is.criterion = true, Optimality
	case plateau && is.res <= floorSlack*s.roundOff(is):
		is.done, is.criterion = true, RoundOff
	}
}
