package convex

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/supernodal"
	"github.com/curlfree/curlfree/workers"
)

// sparse is the matrix of everything but small islands: deformables, touched or not, and
// large islands, factored together by supernodes. Most entries of a deformable's H are
// those of A in all iterations, since only touched vertices have terms of (11), and those of
// quadratic constraints do not change either. The first
// factorization of a step, of A where deformables are free, else of the first Hessian,
// computes that common part; further ones refactor only the fronts that depend on varying
// nodes. In exact arithmetic that eliminates the others as the Schur complement of
// Han, Masterjohn and Castro does ("A Convex Formulation of Frictional Contact between
// Rigid and Deformable Bodies", IEEE RA-L 8, 2023), which is never formed.
type sparse struct {
	*iterate
	hessian *hessian // learns the places of blocks
	pool    *workers.Pool

	// graph is that of the present plan, next the memory of the next one.
	graph, next *supernodal.Graph
	threads     int // that the plan is for
	a, h        supernodal.Matrix
	chol        supernodal.Cholesky

	// cliques are those of the matrix, in order of the graph. With deformables all
	// cliques of the problem are in it, so that the plan does not change whenever a
	// body comes to touch one.
	cliques []int32
	// decoupled marks the cliques that are solved elsewhere, in a small island or free:
	// their blocks stay those of A, and their part of a right-hand side 0.
	decoupled []bool
	node      []int32 // node of the problem, of each of the graph
	place     []int32 // node of the graph, of each of the problem

	// hasDeformables reports that some entries are those of A in all iterations.
	hasDeformables bool
	// hasQuadratic reports that some entries which are the same in all iterations are not those of A.
	hasQuadratic bool
	whole        bool      // a has all of A, not the blocks alone that constraints change
	err          error     // why the last plan or factorization ended early: interrupted, or no memory
	factored     bool      // the common part is factored in this step
	x            []float64 // right-hand side in order of the graph
}

// load copies the cliques into the matrix. Blocks that only constraints couple are zero in A. Of A
// all is needed where deformables are free; else H begins as A, and of A itself only the blocks are
// kept that constraints change.
func (m *sparse) load(whole bool) {
	m.whole = whole || len(m.large) == 0
	val := m.a.Val
	if !m.whole {
		val = m.h.Val
		for _, is := range m.large {
			m.hessian.clearChanged(is)
		}
	}
	g := m.graph
	for _, k := range m.cliques {
		c := &m.p.Cliques[k]
		first := m.place[c.First]
		if c.Pattern == nil {
			// one diagonal block
			copy(val[m.a.Off[g.Ptr[first]]:], c.A)
			continue
		}
		for j := range c.Nodes {
			// Both columns ascend: one pass finds the blocks of the pattern in the graph's.
			slot := g.Ptr[int(first)+j]
			for e := c.Pattern.Ptr[j]; e < c.Pattern.Ptr[j+1]; e++ {
				for i := first + c.Pattern.Row[e]; g.Row[slot] != i; {
					slot++ // the graph's column has these rows and more
				}
				*(*[9]float64)(val[m.a.Off[slot]:]) = *(*[9]float64)(c.A[9*e:])
			}
		}
	}
	// Hessians start from A, where there are any
	switch {
	case !m.whole:
		for _, is := range m.large {
			m.hessian.keepChanged(is)
		}
	case len(m.large) > 0:
		copy(m.h.Val, m.a.Val)
	}
}

// factor factors H of the large islands and, unless x is nil, overwrites x by its inverse
// times x, as solve does. On failure it returns the node of the problem whose pivot fails, and
// leaves x.
func (m *sparse) factor(x []float64) (node int, ok bool) {
	var err error
	b := m.gather(x)
	// the common part is factored: only fronts with varying nodes
	if m.factored && !m.isRegularized() {
		err = m.chol.RefactorSolve(&m.h, b)
	} else {
		err = m.chol.FactorSolve(&m.h, b)
		m.factored = m.hasDeformables && err == nil && !m.isRegularized()
	}
	if m.ended(err) {
		return 0, false
	}
	if err != nil {
		return int(m.node[err.(*supernodal.PivotError).Node]), false
	}
	m.scatter(x)
	return 0, true
}

// ended reports, and notes, whether an error is no failed pivot.
func (m *sparse) ended(err error) bool {
	_, pivot := err.(*supernodal.PivotError)
	switch m.err = err; {
	case err == nil || pivot:
		m.err = nil
	case err == supernodal.ErrInterrupted:
		m.err = ErrInterrupted
	}
	return m.err != nil
}

// isRegularized reports whether λ changes entries that are otherwise the same in all iterations.
func (m *sparse) isRegularized() bool {
	if !m.hasQuadratic {
		return false
	}
	for _, is := range m.large {
		if is.lambda > 0 {
			return true
		}
	}
	return false
}

// factorA factors A, and with it the common part of all Hessians, and, unless x is nil,
// overwrites x by its inverse times x.
func (m *sparse) factorA(x []float64) error {
	a := &m.a
	if !m.whole {
		// H without the terms of constraints, which every factorization of H assembles again
		for _, is := range m.large {
			m.hessian.reset(is)
		}
		a = &m.h
	}
	err := m.chol.FactorSolve(a, m.gather(x))
	if m.ended(err) {
		return m.err
	}
	if err != nil {
		// node of the graph → node of the problem
		e := err.(*supernodal.PivotError)
		return &IndefiniteError{cliques.Node(m.node[e.Node]), e.Row}
	}
	m.factored = !m.hasQuadratic
	m.scatter(x)
	return nil
}

// solve overwrites x of deformables and large islands by the inverse of the matrix
// factored last times it.
func (m *sparse) solve(x []float64) {
	m.gather(x)
	m.chol.Solve(m.x)
	m.scatter(x)
}

// gather returns x of deformables and large islands in the order of the graph; nil for nil.
func (m *sparse) gather(x []float64) []float64 {
	if x == nil {
		return nil
	}
	clear(m.x)
	at := 0
	for i, k := range m.cliques {
		c := &m.p.Cliques[k]
		if !m.decoupled[i] {
			copy(m.x[at:], x[c.Offset:c.Offset+c.Size])
		}
		at += c.Size
	}
	return m.x
}

// scatter copies a solution back to x, unless that is nil.
func (m *sparse) scatter(x []float64) {
	if x == nil {
		return
	}
	at := 0
	for i, k := range m.cliques {
		c := &m.p.Cliques[k]
		if !m.decoupled[i] {
			copy(x[c.Offset:c.Offset+c.Size], m.x[at:])
		}
		at += c.Size
	}
}
