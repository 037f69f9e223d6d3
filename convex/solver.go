// Package convex minimises a cliques.Problem by Newton's method,
//
//	ℓ(v)  = ½ (v − v*)ᵀ A (v − v*) + Σ ℓ_i(J_i v + b_i)             (1)
//	∇ℓ(v) = A (v − v0) − P − Jᵀγ,      A (v* − v0) = P              (2)
//	H(v)  = A + Σ J_iᵀ G_i J_i                                      (3)
//	H Δv  = −∇ℓ                                                     (4)
//
// with an exact line search, on the full space of velocities: one factorization
// of A gives v* and what the Hessians of all iterations share, each iteration
// refactors only what constraints touch. Cliques that no constraint connects are
// separate problems (islands) with their own line search and convergence test.
//
// Source: Castro, Han, Masterjohn, "Irrotational Contact Fields"; Castro,
// Permenter, Han, "An Unconstrained Convex Formulation of Compliant Contact",
// IEEE T-RO 39, 2023.
package convex

import (
	"errors"
	"math"
	"slices"

	"curlfree/cliques"
	"curlfree/internal/invariants"
	"curlfree/internal/workers"
	"curlfree/supernodal"
)

// Solver holds settings and memory; the zero value is ready and means defaults.
// A solver serves one goroutine.
type Solver struct {
	RelTol   float64       // of the optimality test, default 1e-5
	AbsTol   float64       // √J, default 1e-14
	MaxIter  int           // Newton steps, default 100; Stats.Continuation may be three times as many
	AlphaMax float64       // longest line search step, default 1
	Pool     *workers.Pool // for the factorization; nil is serial; never changes a bit of the result

	// Condition asks for Stats.Condition to be computed, which costs a
	// factorization and some tens of solves with it.
	Condition bool

	p     *cliques.Problem
	stats Stats
	v     []float64 // the iterate; caller's

	graph, spare *supernodal.Graph // last and next
	workers      int               // that the last plan is for
	touched      []uint8           // per node
	a, h         supernodal.Matrix
	chol         supernodal.Cholesky
	pairs        []int32 // offsets in h.Val of all pairs of blocks of each constraint
	pairOff      []int32 // first of each constraint, (constraints+1)

	islands    []island
	cliqueSeq  []int32 // cliques by island
	consSeq    []int32 // constraints by island
	label      []int32
	nodeClique []int32

	d     []float64 // D = diag(A)^−½ (n)
	av0   []float64 // A v0 (n)
	free  []float64 // v* − v0 (n)
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
	gj    []float64 // G_i J_i of one constraint
	low   []float64 // Cholesky factors of diagonal blocks of touched nodes
	lowAt []int32
	w     []float64 // Delassus diagonal of one constraint
	hist  []float64

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
	s.hist = s.hist[:0]
	err := s.solve()
	for i := range s.islands {
		if s.islands[i].softened() { // after an error
			s.soften(&s.islands[i], math.Inf(1))
		}
	}
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
	s.analyze()
	if err := s.freeMotion(); err != nil {
		return err
	}
	s.findIslands()
	s.prepareLaws()
	if err := s.evaluateFixed(); err != nil {
		return err
	}
	if len(s.islands) == 0 {
		if s.Condition {
			s.stats.Condition = 1
		}
		return nil
	}
	if err := s.start(); err != nil {
		return err
	}
	return s.newton()
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
	for _, x := range []*[]float64{&s.d, &s.av0, &s.free, &s.q, &s.jtg, &s.dv, &s.dp, &s.work, &s.kept} {
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

// freeMotion factors A and sets v to v* for all cliques.
func (s *Solver) freeMotion() error {
	p := s.p
	s.loadA()
	if err := s.chol.Factor(&s.a); err != nil {
		var e *supernodal.PivotError
		if errors.As(err, &e) {
			return &IndefiniteError{cliques.Node(e.Node), e.Row}
		}
		return err
	}
	s.stats.Condition = s.chol.Condition()
	copy(s.free, p.P)
	s.chol.Solve(s.free)
	if s.chol.Cancellation() > refineAbove {
		s.mulA(s.work, s.free)
		for i := range s.work {
			s.work[i] = p.P[i] - s.work[i]
		}
		s.chol.Solve(s.work)
		for i, x := range s.work {
			s.free[i] += x
		}
	}
	for i := range s.free { // cliques in islands are overwritten in start
		s.work[i] = s.v[i] // guess
		s.v[i] = p.V0[i] + s.free[i]
	}
	return nil
}

// start takes, for each island, the better of guess and v*.
func (s *Solver) start() error {
	p := s.p
	s.mulA(s.av0, p.V0)
	copy(s.h.Val, s.a.Val)
	for i := range s.islands {
		is := &s.islands[i]
		s.refresh(is)
		if err := s.evaluate(is); err != nil {
			return err
		}
		atFree := is.cost
		s.swap(is, s.work)
		s.refresh(is)
		if err := s.evaluate(is); err != nil {
			return err
		}
		if !(is.cost < atFree) {
			s.swap(is, s.work)
			s.refresh(is)
			if err := s.evaluate(is); err != nil {
				return err
			}
		}
	}
	return nil
}

// swap exchanges v and x on an island.
func (s *Solver) swap(is *island, x []float64) {
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.v[i], x[i] = x[i], s.v[i]
		}
	}
}

// newton iterates until every island has met a criterion.
func (s *Solver) newton() error {
	for m := 0; ; m++ {
		open := 0
		for i := range s.islands {
			is := &s.islands[i]
			if err := s.judge(is, m); err != nil {
				return err
			}
			if !is.done {
				open++
			}
			s.hist = append(s.hist, is.res/is.tol)
		}
		if open == 0 {
			break
		}
		s.direction()
		for i := range s.islands {
			is := &s.islands[i]
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
	s.report()
	return nil
}

// judge decides on an island before iteration m.
func (s *Solver) judge(is *island, m int) error {
	if is.done {
		return s.stage(is)
	}
	is.judged = m + 1
	if m > 0 && m%refresh == 0 {
		s.refresh(is)
		if err := s.evaluate(is); err != nil {
			return err
		}
	}
	s.residual(is)
	s.test(is)
	if !is.done && is.iterations-is.continuation >= s.maxIter() {
		is.done, is.criterion = true, Failed
	}
	return s.stage(is)
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
}

// test decides whether an island is done, by its residual alone: near the
// solution costs differ by less than their round-off long before velocities do.
func (s *Solver) test(is *island) {
	is.tol = or(s.AbsTol, defaultAbsTol) + or(s.RelTol, defaultRelTol)*is.scale
	tol := is.tol
	if is.softened() {
		tol = max(tol, coarseTol*is.scale)
	}
	plateau := is.alpha > 0.5 && is.res > progress*is.least
	is.least = min(is.least, is.res)
	switch {
	case is.res <= tol:
		is.done, is.criterion = true, Optimality
	case plateau && is.res <= floorSlack*s.roundOff(is):
		is.done, is.criterion = true, RoundOff
	}
}
