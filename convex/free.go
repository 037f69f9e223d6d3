package convex

import "github.com/curlfree/curlfree/cliques"

// freeDeformables says whether there are deformables that no constraint touches.
func (s *Solver) freeDeformables() bool {
	for k := range s.p.Cliques {
		if s.p.Cliques[k].Pattern != nil && s.label[k] == -1 {
			return true
		}
	}
	return false
}

// freeSparse factors A of deformables and large islands and gives v* to deformables
// that no constraint touches.
func (s *Solver) freeSparse() error {
	if err := s.solveSparseA(); err != nil {
		return err
	}
	s.stats.Condition = s.sparse.chol.Condition()
	for _, k := range s.sparse.cliques {
		if s.label[k] == -1 && s.p.Cliques[k].Pattern != nil {
			s.setFree(k)
		}
	}
	return nil
}

// freeDense factors A of every dense clique and of touched vertices, which the
// Delassus diagonal needs, and gives v* to dense cliques that no constraint touches.
func (s *Solver) freeDense() error {
	p := s.p
	s.lowAt, s.low = resize(s.lowAt, len(p.NodeSize)), s.low[:0]
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if c.Pattern != nil {
			if err := s.factorVertices(c); err != nil {
				return err
			}
			continue
		}
		q := newPivots()
		if row := cholesky(s.copyBlock(int(c.First), c.A), c.Size, nil, &q); row >= 0 {
			return &IndefiniteError{c.First, row}
		}
		s.stats.Condition = max(s.stats.Condition, q.condition())
		if s.label[k] == -1 {
			s.solveDenseA(c, q.loss > refineAbove)
			s.setFree(int32(k))
		}
	}
	return nil
}

// startFree moves an island to v*. Where H is singular in floating point that is the
// better start: momentum is right along all that constraints do not act on, which
// directions of a regularised H hardly mend.
func (s *Solver) startFree(is *island) error {
	seq := s.cliqueSeq[is.clique0:is.clique1]
	if !is.small && s.sparse.shared {
		if err := s.solveSparseA(); err != nil {
			return err
		}
	} else {
		for _, k := range seq {
			s.solveDenseA(&s.p.Cliques[k], true)
		}
	}
	for _, k := range seq {
		s.setFree(k)
	}
	return s.restart(is)
}

// setFree takes v* − v0 of a clique from dv.
func (s *Solver) setFree(clique int32) {
	c := &s.p.Cliques[clique]
	for i := c.Offset; i < c.Offset+c.Size; i++ {
		s.v[i] = s.p.V0[i] + s.dv[i]
	}
}

// solveSparseA factors A of deformables and large islands and writes their v* − v0 to
// dv.
func (s *Solver) solveSparseA() error {
	if err := s.factorShared(); err != nil {
		return err
	}
	p, m := s.p, &s.sparse
	copy(s.dv, p.P)
	s.solveSparse(s.dv)
	if m.chol.Cancellation() <= refineAbove {
		return nil
	}
	copy(s.work, p.P)
	for _, k := range m.cliques {
		c := &p.Cliques[k]
		mulClique(c, s.work, s.dv)
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.work[i] = p.P[i] - s.work[i]
		}
	}
	s.solveSparse(s.work)
	for _, k := range m.cliques {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.dv[i] += s.work[i]
		}
	}
	return nil
}

// solveDenseA writes v* − v0 of a dense clique to dv, refined once on request.
func (s *Solver) solveDenseA(c *cliques.Clique, refined bool) {
	l := s.low[s.lowAt[c.First]:]
	p, x, r := s.p.P[c.Offset:c.Offset+c.Size], s.dv[c.Offset:c.Offset+c.Size], s.work[c.Offset:c.Offset+c.Size]
	copy(x, p)
	solve(x, l)
	if !refined {
		return
	}
	mulClique(c, s.work, s.dv)
	for i := range r {
		r[i] = p[i] - r[i]
	}
	solve(r, l)
	for i := range r {
		x[i] += r[i]
	}
}

// factorVertices factors the diagonal blocks of a clique's touched vertices.
func (s *Solver) factorVertices(c *cliques.Clique) error {
	q := newPivots()
	for j := range c.Nodes {
		node := int(c.First) + j
		if s.touched[node] == 0 {
			continue
		}
		if row := cholesky(s.copyBlock(node, c.A[9*c.Pattern.Ptr[j]:][:9]), 3, nil, &q); row >= 0 {
			return &IndefiniteError{cliques.Node(node), row}
		}
	}
	return nil
}

// copyBlock makes place for the factor of a node's block.
func (s *Solver) copyBlock(node int, A []float64) []float64 {
	s.lowAt[node] = int32(len(s.low))
	s.low = append(s.low, A...)
	return s.low[s.lowAt[node]:]
}
