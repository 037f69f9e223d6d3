package convex

import (
	"math"

	"curlfree/supernodal"
)

// direction solves (4) for the open islands. Where the matrix fails or the
// direction does not descend it is refined, then regularised: H + λ diag(A) on
// what constraints touch, λ growing. An island that gets no descent at all is
// done: at the round-off floor, or failed.
func (s *Solver) direction() {
	for i := range s.islands {
		s.islands[i].lambda = 0
	}
	for again := true; again; {
		again = false
		s.assembleH()
		s.stats.Factorizations++
		if err := s.chol.Refactor(&s.h); err != nil {
			node := err.(*supernodal.PivotError).Node
			s.regularize(&s.islands[s.islandOf(s.nodeClique[node])])
			again = true
			continue
		}
		s.stats.Condition = s.chol.Condition()
		s.solveDirection()
		for i := range s.islands {
			if is := &s.islands[i]; !is.done && !(s.descent(is) < 0) {
				s.regularize(is)
				again = again || !is.done
			}
		}
	}
	for i := range s.islands {
		is := &s.islands[i]
		if !is.done {
			s.products(is)
		}
	}
}

// regularize raises λ of an island, or ends it.
func (s *Solver) regularize(is *island) {
	if is.unit == 0 {
		is.unit = s.stiffening(is)
	}
	switch {
	case is.res <= floorSlack*s.roundOff(is):
		is.done, is.criterion = true, RoundOff
	case is.lambda < lambdaLast*is.unit:
		is.lambda = max(lambdaGrow*is.lambda, lambdaFirst*is.unit)
		is.most = max(is.most, is.lambda)
		return
	default:
		is.done, is.criterion = true, Failed
	}
	s.resetH(is)
}

// solveDirection writes dv, zero outside the open islands, refined once when
// the matrix is ill-conditioned or the direction does not descend.
func (s *Solver) solveDirection() {
	p := s.p
	clear(s.dv)
	for k := range s.islands {
		is := &s.islands[k]
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
	s.chol.Solve(s.dv)
	if s.chol.Cancellation() < refineAbove && s.allDescend() {
		return
	}
	clear(s.work)
	for k := range s.islands {
		is := &s.islands[k]
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
			s.w = resize(s.w, c.Dim)
			G := s.g[s.gOff[j]:s.gOff[j+1]]
			for r := range s.w {
				s.w[r] = 0
				for q, x := range s.dc[c.Row : c.Row+c.Dim] {
					s.w[r] -= G[r*c.Dim+q] * x
				}
			}
			s.addJT(int(j), s.work, s.w)
		}
	}
	s.chol.Solve(s.work)
	for i, x := range s.work {
		s.dv[i] += x
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

func (s *Solver) allDescend() bool {
	for i := range s.islands {
		if is := &s.islands[i]; !is.done && !(s.descent(is) < 0) {
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
