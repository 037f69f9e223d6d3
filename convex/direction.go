package convex

import "math"

// The Newton direction solves (4). Three remedies serve where H is ill-conditioned, in
// this order:
//
//	refine       Δv += H⁻¹(−∇ℓ − H Δv), once, with H Δv from A and J, when elimination
//	             cancels more than refineAbove or Δv does not descend
//	regularise   H + λ diag(A) on touched nodes, λ = 1e-8, 1e-7 … 1e-2 times
//	             max H_ii/A_ii, when a pivot fails or Δv still does not descend; before
//	             the first step the iterate moves to v*, too
//	end          at the round-off floor, or as failed
//
// Damping by the diagonal is that of Levenberg and Marquardt (Nocedal, Wright, Numerical
// Optimization, section 10.3), with A for the scale.

// direction computes Δv.
type direction struct {
	*hessian
	convergence *convergence
	direct      *direct
	sparse      *sparse
	free        *freeMotion
}

// compute writes Δv, A Δv and J Δv of the open islands of a group.
func (d *direction) compute(group []*island) error {
	for _, is := range group {
		is.lambda = 0
	}
	for again := true; again; {
		var err error
		if again, err = d.try(group); err != nil {
			return err
		}
	}
	for _, is := range group {
		if !is.done {
			d.products(is)
		}
	}
	return nil
}

// try assembles, factors and solves once. It reports whether that has to be repeated, with
// islands more regularised than before.
func (d *direction) try(group []*island) (again bool, err error) {
	for _, is := range group {
		if !is.done {
			d.assemble(is)
			is.factorizations++
		}
	}
	failed, err := d.factor(group)
	if err != nil {
		return false, err
	}
	if failed != nil {
		return true, d.regularize(failed)
	}
	d.solve(group)
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

// factor factors H of a group and returns the island, if any, at which that fails, or an
// error when A itself is not positive definite.
func (d *direction) factor(group []*island) (failed *island, err error) {
	if is := group[0]; is.small {
		if !is.done && !d.direct.factor(is) {
			return is, nil
		}
		is.condition, is.cancellation = is.pivots.condition(), is.pivots.loss
		return nil, nil
	}
	if node, ok := d.sparse.factor(); !ok {
		if d.sparse.hasDeformables && !d.sparse.factored {
			err = d.sparse.factorA()
		}
		return d.islandOf(d.nodeClique[node]), err
	}
	condition, cancellation := d.sparse.chol.Condition(), d.sparse.chol.Cancellation()
	for _, is := range group {
		is.condition, is.cancellation = condition, cancellation
	}
	return nil, nil
}

// solveH overwrites x, zero where no island of the group is open, by H⁻¹ x.
func (d *direction) solveH(group []*island, x []float64) {
	if is := group[0]; !is.small {
		d.sparse.solve(x)
	} else if !is.done {
		d.direct.solve(is, x)
	}
}

// clearGroup clears x where solveH reads it.
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

// solve writes dv, zero outside the open islands, refined where that is needed.
func (d *direction) solve(group []*island) {
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
	d.solveH(group, d.dv)
	if group[0].cancellation >= refineAbove || !d.allDescend(group) {
		d.refine(group)
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
	for _, j := range d.cliquesOf(is) {
		c := &d.p.Cliques[j]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			d.work[i] = d.jtg[i] - d.q[i] - d.dp[i]
		}
		if is.lambda > 0 {
			d.subtractRegularization(int(j), is.lambda)
		}
	}
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
		for i := off; i < off+d.p.NodeSize[node]; i++ {
			d.work[i] -= lambda * d.dv[i] / (d.d[i] * d.d[i])
		}
	}
}

// allDescend reports whether Δv descends on all open islands of a group.
func (d *direction) allDescend(group []*island) bool {
	for _, is := range group {
		if !is.done && !(d.descent(is) < 0) {
			return false
		}
	}
	return true
}

// regularize raises λ of an island, or ends it. Before the first step it also moves
// to v*.
func (d *direction) regularize(is *island) error {
	if is.lambdaUnit == 0 {
		d.assemble(is) // factors may stand in its place
		is.lambdaUnit = d.stiffening(is)
	}
	if is.iterations == 0 && is.lambda == 0 {
		if err := d.free.start(is); err != nil {
			return err
		}
	}
	switch {
	case is.done:
	case d.convergence.atRoundOff(is):
		is.done, is.criterion = true, RoundOff
	case is.lambda < lambdaLast*is.lambdaUnit:
		is.lambda = max(lambdaGrow*is.lambda, lambdaFirst*is.lambdaUnit)
		is.maxLambda = max(is.maxLambda, is.lambda)
		return nil
	default:
		is.done, is.criterion = true, Failed
	}
	d.reset(is) // others of the group go on: H of this one must not fail again
	return nil
}

// stiffening returns max H_ii/A_ii over the touched nodes of an island, at least 1.
func (d *direction) stiffening(is *island) float64 {
	most := 1.0
	d.touchedDiagonal(is, func(a, h *float64) {
		if x := *h / *a; x < math.Inf(1) {
			most = max(most, x)
		}
	})
	return most
}
