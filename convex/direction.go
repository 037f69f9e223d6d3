package convex

import "math"

// direction solves (4) for the open islands of a group. Where the matrix fails or the
// direction does not descend it is refined, then regularised: H + λ diag(A) on
// what constraints touch, λ growing. An island that gets no descent at all is
// done: at the round-off floor, or failed.
func (s *Solver) direction(group []*island) error {
	for _, is := range group {
		is.lambda = 0
	}
	for again := true; again; {
		again = false
		for _, is := range group {
			if !is.done {
				s.assemble(is)
				is.factorizations++
			}
		}
		is, err := s.factor(group)
		if err != nil {
			return err
		}
		if is != nil {
			if err := s.regularize(is); err != nil {
				return err
			}
			again = true
			continue
		}
		s.solveDirection(group)
		for _, is := range group {
			if !is.done && !(s.descent(is) < 0) {
				if err := s.regularize(is); err != nil {
					return err
				}
				again = again || !is.done
			}
		}
	}
	for _, is := range group {
		if !is.done {
			s.products(is)
		}
	}
	return nil
}

// factor factors H of a group and returns the island, if any, at which that fails,
// or an error if A is to blame.
func (s *Solver) factor(group []*island) (failed *island, err error) {
	if is := group[0]; is.small {
		if !is.done && !s.factorDirect(is) {
			return is, nil
		}
		is.condition, is.cancellation = is.pivots.condition(), is.pivots.loss
		return nil, nil
	}
	if node, ok := s.factorSparse(); !ok {
		if s.sparse.shared && !s.sparse.factored {
			err = s.factorShared()
		}
		return &s.islands[s.islandOf(s.nodeClique[node])], err
	}
	condition, cancellation := s.sparse.chol.Condition(), s.sparse.chol.Cancellation()
	for _, is := range group {
		is.condition, is.cancellation = condition, cancellation
	}
	return nil, nil
}

// solveH overwrites x, zero where no island of the group is open, by H⁻¹ x.
func (s *Solver) solveH(group []*island, x []float64) {
	if is := group[0]; !is.small {
		s.solveSparse(x)
	} else if !is.done {
		s.solveDirect(is, x)
	}
}

// clearGroup clears x where solveH reads it.
func (s *Solver) clearGroup(group []*island, x []float64) {
	seq := s.sparse.cliques
	if is := group[0]; is.small {
		seq = s.cliqueSeq[is.clique0:is.clique1]
	}
	for _, k := range seq {
		c := &s.p.Cliques[k]
		clear(x[c.Offset : c.Offset+c.Size])
	}
}

// regularize raises λ of an island, or ends it. Before the first step it also moves
// to v*.
func (s *Solver) regularize(is *island) error {
	if is.unit == 0 {
		s.assemble(is) // factors may stand in its place
		is.unit = s.stiffening(is)
	}
	if is.iterations == 0 && is.lambda == 0 {
		if err := s.startFree(is); err != nil {
			return err
		}
	}
	switch {
	case is.done:
	case is.res <= floorSlack*s.roundOff(is):
		is.done, is.criterion = true, RoundOff
	case is.lambda < lambdaLast*is.unit:
		is.lambda = max(lambdaGrow*is.lambda, lambdaFirst*is.unit)
		is.most = max(is.most, is.lambda)
		return nil
	default:
		is.done, is.criterion = true, Failed
	}
	s.resetH(is)
	return nil
}

// solveDirection writes dv, zero outside the open islands, refined once when
// the matrix is ill-conditioned or the direction does not descend.
func (s *Solver) solveDirection(group []*island) {
	p := s.p
	s.clearGroup(group, s.dv)
	for _, is := range group {
		if is.done {
			continue
		}
		for _, j := range s.cliqueSeq[is.clique0:is.clique1] {
			c := &p.Cliques[j]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				s.dv[i] = s.jtg[i] - s.q[i]
			}
		}
	}
	s.solveH(group, s.dv)
	if group[0].cancellation < refineAbove && s.allDescend(group) {
		return
	}
	s.clearGroup(group, s.work)
	for _, is := range group {
		if is.done {
			continue
		}
		s.products(is)
		for _, j := range s.cliqueSeq[is.clique0:is.clique1] {
			c := &p.Cliques[j]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				s.work[i] = s.jtg[i] - s.q[i] - s.dp[i]
			}
			if is.lambda > 0 {
				s.lessRegularization(int(j), is.lambda)
			}
		}
		for _, j := range s.consSeq[is.cons0:is.cons1] {
			c := &p.Constraints[j]
			is.w = resize(is.w, c.Dim)
			G := s.g[s.gOff[j]:s.gOff[j+1]]
			for r := range is.w {
				is.w[r] = 0
				for q, x := range s.dc[c.Row : c.Row+c.Dim] {
					is.w[r] -= G[r*c.Dim+q] * x
				}
			}
			s.addJT(int(j), s.work, is.w)
		}
	}
	s.solveH(group, s.work)
	for _, is := range group {
		for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
			c := &p.Cliques[k]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				s.dv[i] += s.work[i]
			}
		}
	}
}

// lessRegularization takes λ diag(A) Δv off the refinement's right-hand side.
func (s *Solver) lessRegularization(clique int, lambda float64) {
	c := &s.p.Cliques[clique]
	for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
		if s.touched[node] == 0 {
			continue
		}
		off := s.p.NodeOffset[node]
		for i := off; i < off+s.p.NodeSize[node]; i++ {
			s.work[i] -= lambda * s.dv[i] / (s.d[i] * s.d[i])
		}
	}
}

// products computes A Δv and J Δv on an island.
func (s *Solver) products(is *island) {
	s.mulIslandA(is, s.dp, s.dv)
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &s.p.Constraints[k]
		s.mulJ(int(k), s.dc[c.Row:c.Row+c.Dim], s.dv)
	}
}

// descent returns ∇ℓᵀΔv on an island.
func (s *Solver) descent(is *island) float64 {
	sum := 0.0
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			sum += (s.q[i] - s.jtg[i]) * s.dv[i]
		}
	}
	return sum
}

func (s *Solver) allDescend(group []*island) bool {
	for _, is := range group {
		if !is.done && !(s.descent(is) < 0) {
			return false
		}
	}
	return true
}

// stiffening returns max H_ii/A_ii over the touched nodes of an island.
func (s *Solver) stiffening(is *island) float64 {
	most := 1.0
	s.touchedDiagonal(is, func(a, h *float64) {
		if x := *h / *a; x < math.Inf(1) {
			most = max(most, x)
		}
	})
	return most
}
