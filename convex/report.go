package convex

import "github.com/curlfree/curlfree/cliques"

// report fills the statistics from the islands: counts of the island with most, the sum of
// costs, and criterion and residual of the island that ended worst.
func (s *Solver) report() {
	st, islands := &s.stats, s.partition.islands
	st.Islands = len(islands)
	worst := 0
	for i := range islands {
		is := &islands[i]
		// iterations and the like of the island with most, sums over islands of the rest
		st.Iterations = max(st.Iterations, is.iterations)
		st.Continuation = max(st.Continuation, is.continuation)
		st.LineSearch += is.evaluations
		st.Factorizations = max(st.Factorizations, is.factorizations)
		st.Condition = max(st.Condition, is.condition)
		st.Cost += is.cost
		st.Regularization = max(st.Regularization, is.maxLambda)
		// the first of equals
		if is.isWorse(&islands[worst]) {
			worst = i
		}
	}
	is := &islands[worst]
	// criterion and history of the worst island
	st.Criterion, st.Residual, st.Scale = is.criterion, is.whole.res, is.whole.scale
	st.History = is.history
	if is.criterion == Failed {
		st.Worst = s.convergence.worstConstraint(is)
	}
	// last: it overwrites dv, dp and the factors
	if s.Condition {
		st.Condition = s.conditioner.largest()
	}
}

// worstConstraint returns the constraint of an island along whose equations most
// momentum is out of balance,
//
//	argmax_i ‖J_i D² r‖² / ‖J_i D‖²_F,   r = ∇ℓ                        (18)
//
// The denominator is the part of such a residual that the constraint alone could take.
// Constraints that do not act, with γ and G zero, are left out.
func (t *convergence) worstConstraint(is *island) cliques.Handle {
	p := t.p
	// D² r
	for _, k := range t.cliquesOf(is) {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			t.work[i] = t.d[i] * t.d[i] * (t.q[i] - t.jtg[i])
		}
	}
	most, at := -1.0, cliques.Handle(-1)
	for _, k := range t.constraintsOf(is) {
		c := &p.Constraints[k]
		if allZero(p.Gamma[c.Row:c.Row+c.Dim]) && allZero(t.hessianOf(int(k))) {
			continue
		}
		is.w = resize(is.w, c.Dim)
		mulJ(p, int(k), is.w, t.work)
		// ‖J_i D² r‖²
		share := 0.0
		for _, x := range is.w {
			share += x * x
		}
		if size := t.scaledNorm2(int(k)); size > 0 && share/size > most {
			most, at = share/size, handle(int(k))
		}
	}
	return at
}

// scaledNorm2 returns ‖J_i D‖²_F of a constraint.
func (t *convergence) scaledNorm2(i int) float64 {
	size := 0.0
	for _, b := range t.p.Blocks(handle(i)) {
		n := t.p.NodeSize[b.Node]
		// column of entry i is i mod n
		for i, x := range b.J {
			x *= t.d[t.p.NodeOffset[b.Node]+i%n]
			size += x * x
		}
	}
	return size
}
