package convex

import "math"

// The Newton direction solves (4). Three remedies serve where H is ill-conditioned, in
// this order:
//
//	refine       Δv += H⁻¹(−∇ℓ − H Δv), once, with H Δv from A and J, when elimination
//	             cancels more than refineAbove or Δv does not descend
//	regularize   H + λ diag(A) on touched nodes, λ = 1e-8, 1e-7 … 1e-2 times
//	             max H_ii/A_ii, when a pivot fails or Δv still does not descend; before
//	             the first step the iterate moves to v*, too
//	end          at the round-off floor, or as failed
//
// Damping by the diagonal is that of Levenberg and Marquardt (Nocedal, Wright, Numerical
// Optimization, section 10.3), with A for the scale.
//
// What was done is counted in Stats, so that a scene that needs remedies in every step shows in
// steps.csv and in bench.

// direction computes Δv of the islands of a group, which share a factorization unless the
// group is one small island. It leaves A Δv and J Δv for the line search.
type direction struct {
	*hessian
	convergence *convergence
	direct      *direct
	sparse      *sparse
	free        *freeMotion
}

// compute writes Δv, A Δv and J Δv of the open islands of a group.
func (d *direction) compute(group []*island) error {
	// regularization is of one iteration
	for _, is := range group {
		is.lambda = 0
		if !is.done {
			d.useDirectionHessians(is)
		}
	}
	// until all islands of the group descend or are done
	for again := true; again; {
		var err error
		if again, err = d.try(group); err != nil {
			return err
		}
	}
	for _, is := range group {
		// for the line search, and for q of the next iterate
		if !is.done {
			d.products(is)
		}
	}
	return nil
}

// try assembles, factors and solves once. It reports whether that has to be repeated,
// because a pivot failed or a direction does not descend; the islands concerned are then
// more regularized than before, or done.
func (d *direction) try(group []*island) (again bool, err error) {
	for _, is := range group {
		if !is.done {
			// H of (3), with λ where a try before has failed
			d.assemble(is)
			is.factorizations++
		}
	}
	d.rightHandSide(group)
	failed, err := d.factorAndSolve(group)
	if err != nil {
		return false, err
	}
	// the others are factored again with it: a failure ends the factorization
	if failed != nil {
		return true, d.regularize(failed)
	}
	// Δv, which must descend on every open island
	if group[0].cancellation >= refineAbove || !d.allDescend(group) {
		d.refine(group)
	}
	for _, is := range group {
		if !is.done && !(d.descent(is) < 0) {
			if err := d.regularize(is); err != nil {
				return false, err
			}
			again = again || !is.done
		}
	}
	return again, nil
}

// rightHandSide writes −∇ℓ = Jᵀγ − q to dv, zero outside the open islands: islands that have
// converged must not move.
func (d *direction) rightHandSide(group []*island) {
	d.clearGroup(group, d.dv)
	for _, is := range group {
		if is.done {
			continue
		}
		for _, j := range d.cliquesOf(is) {
			c := &d.p.Cliques[j]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				d.dv[i] = d.jtg[i] - d.q[i]
			}
		}
	}
}

// factorAndSolve factors H of a group and overwrites dv by H⁻¹ dv. It returns the island, if
// any, at which that fails, or an error when A itself is not positive definite.
func (d *direction) factorAndSolve(group []*island) (failed *island, err error) {
	// a small island by itself
	if is := group[0]; is.small {
		if !is.done {
			if !d.direct.factor(is) {
				return is, nil
			}
			d.direct.solve(is, d.dv)
		}
		is.condition, is.cancellation = is.pivots.condition(), is.pivots.loss
		return nil, nil
	}
	// Large islands together: the node of the failed pivot says which one failed. A failure of
	// A itself is an error of the problem.
	if node, ok := d.sparse.factor(d.dv); !ok {
		if d.sparse.err != nil {
			return nil, d.sparse.err
		}
		if d.sparse.hasDeformables && !d.sparse.factored {
			err = d.sparse.factorA(nil)
		}
		return d.islandOf(d.nodeClique[node]), err
	}
	// of all islands together: an upper bound for each
	condition, cancellation := d.sparse.chol.Condition(), d.sparse.chol.Cancellation()
	for _, is := range group {
		is.condition, is.cancellation = condition, cancellation
	}
	return nil, nil
}

// solveH overwrites x, zero where no island of the group is open, by H⁻¹ x.
func (d *direction) solveH(group []*island, x []float64) {
	// islands that are done have zeros in x, so that their part of the matrix does no harm
	if is := group[0]; !is.small {
		d.sparse.solve(x)
	} else if !is.done {
		d.direct.solve(is, x)
	}
}

// clearGroup clears x where solveH reads it: on the island of a small group, or on all
// cliques of the sparse matrix.
func (d *direction) clearGroup(group []*island, x []float64) {
	seq := d.sparse.cliques
	if is := group[0]; is.small {
		seq = d.cliquesOf(is)
	}
	for _, k := range seq {
		c := &d.p.Cliques[k]
		clear(x[c.Offset : c.Offset+c.Size])
	}
}

// refine adds H⁻¹(−∇ℓ − H Δv) to dv.
func (d *direction) refine(group []*island) {
	d.clearGroup(group, d.work)
	for _, is := range group {
		if !is.done {
			d.defect(is)
		}
	}
	d.solveH(group, d.work)
	for _, is := range group {
		// zero on islands that are done
		for _, k := range d.cliquesOf(is) {
			c := &d.p.Cliques[k]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				d.dv[i] += d.work[i]
			}
		}
	}
}

// defect writes −∇ℓ − (H + λ diag(A)) Δv of an island to work.
func (d *direction) defect(is *island) {
	d.products(is)
	// −∇ℓ − A Δv − λ diag(A) Δv
	for _, j := range d.cliquesOf(is) {
		c := &d.p.Cliques[j]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			d.work[i] = d.jtg[i] - d.q[i] - d.dp[i]
		}
		if is.lambda > 0 {
			d.subtractRegularization(int(j), is.lambda)
		}
	}
	// − Jᵀ G J Δv
	for _, j := range d.constraintsOf(is) {
		is.w = resize(is.w, d.p.Constraints[j].Dim)
		d.mulG(int(j), is.w)
		for r := range is.w {
			is.w[r] = -is.w[r]
		}
		addJT(d.p, int(j), d.work, is.w)
	}
}

// subtractRegularization takes λ diag(A) Δv of a clique's touched nodes off work.
func (d *direction) subtractRegularization(clique int, lambda float64) {
	c := &d.p.Cliques[clique]
	for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
		if d.touched[node] == 0 {
			continue
		}
		off := d.p.NodeOffset[node]
		// diag(A) = D⁻²
		for i := off; i < off+d.p.NodeSize[node]; i++ {
			d.work[i] -= lambda * d.dv[i] / (d.d[i] * d.d[i])
		}
	}
}

// allDescend reports whether Δv descends on all open islands of a group.
func (d *direction) allDescend(group []*island) bool {
	for _, is := range group {
		// also false where the descent is NaN
		if !is.done && !(d.descent(is) < 0) {
			return false
		}
	}
	return true
}

// regularize raises λ of an island, or ends it. Before the first step it also moves
// to v*, whose momentum is right in the directions that H hardly determines.
func (d *direction) regularize(is *island) error {
	if is.lambdaUnit == 0 {
		d.assemble(is) // factors may stand in its place
		is.lambdaUnit = d.stiffening(is)
	}
	// once, with the first regularization
	if is.iterations == 0 && is.lambda == 0 {
		if err := d.free.start(is); err != nil {
			return err
		}
	}
	// Try again with more, unless the residual is round-off or λ is at its largest.
	switch {
	case is.done:
	case d.convergence.atRoundOff(is):
		is.done, is.criterion = true, RoundOff
	case is.lambda < lambdaLast*is.lambdaUnit:
		// ten times more, at least the first
		is.lambda = max(lambdaGrow*is.lambda, lambdaFirst*is.lambdaUnit)
		is.maxLambda = max(is.maxLambda, is.lambda)
		return nil
	default:
		is.done, is.criterion = true, Failed
	}
	d.reset(is)                             // others of the group continue: H of this one must not fail again
	if !is.small && d.sparse.hasQuadratic { // small islands run side by side
		d.sparse.factored = false // the terms of its quadratic constraints are gone
	}
	return nil
}

// stiffening returns max H_ii/A_ii over the touched nodes of an island, at least 1.
func (d *direction) stiffening(is *island) float64 {
	most := 1.0
	d.touchedDiagonal(is, func(a, h *float64) {
		// a Hessian that overflows is no measure
		if x := *h / *a; x < math.Inf(1) {
			most = max(most, x)
		}
	})
	return most
}
