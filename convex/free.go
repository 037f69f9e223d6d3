package convex

import (
	"errors"

	"curlfree/cliques"
	"curlfree/supernodal"
)

// freeSparse factors A of deformables and solves for their v* − v0.
func (s *Solver) freeSparse() error {
	p, m := s.p, &s.sparse
	if err := m.chol.Factor(&m.a); err != nil {
		var e *supernodal.PivotError
		if errors.As(err, &e) {
			return &IndefiniteError{cliques.Node(m.node[e.Node]), e.Row}
		}
		return err
	}
	s.stats.Condition = m.chol.Condition()
	copy(s.free, p.P)
	s.solveSparse(s.free)
	if m.chol.Cancellation() > refineAbove {
		s.mulA(s.work, s.free)
		for i := range s.work {
			s.work[i] = p.P[i] - s.work[i]
		}
		s.solveSparse(s.work)
		for _, k := range m.cliques {
			c := &p.Cliques[k]
			for i := c.Offset; i < c.Offset+c.Size; i++ {
				s.free[i] += s.work[i]
			}
		}
	}
	return nil
}

// freeDense factors A of every dense clique and of touched vertices, which the
// Delassus diagonal needs, and solves for v* − v0 of dense cliques.
func (s *Solver) freeDense() error {
	p := s.p
	s.lowAt, s.low = resize(s.lowAt, len(p.NodeSize)), s.low[:0]
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if c.Pattern != nil {
			s.factorVertices(c)
			continue
		}
		l := s.copyBlock(int(c.First), c.A)
		q := newPivots()
		if row := cholesky(l, c.Size, nil, &q); row >= 0 {
			return &IndefiniteError{c.First, row}
		}
		s.stats.Condition = max(s.stats.Condition, q.condition())
		x := s.free[c.Offset : c.Offset+c.Size]
		copy(x, p.P[c.Offset:])
		solve(x, l)
		if q.loss > refineAbove {
			r := s.work[c.Offset : c.Offset+c.Size]
			mulClique(c, s.work, s.free)
			for i := range r {
				r[i] = p.P[c.Offset+i] - r[i]
			}
			solve(r, l)
			for i := range r {
				x[i] += r[i]
			}
		}
	}
	return nil
}

// factorVertices factors the diagonal blocks of a clique's touched vertices, of an A
// known to be positive definite.
func (s *Solver) factorVertices(c *cliques.Clique) {
	q := newPivots()
	for j := range c.Nodes {
		if node := int(c.First) + j; s.touched[node] != 0 {
			cholesky(s.copyBlock(node, c.A[9*c.Pattern.Ptr[j]:][:9]), 3, nil, &q)
		}
	}
}

// copyBlock makes place for the factor of a node's block.
func (s *Solver) copyBlock(node int, A []float64) []float64 {
	s.lowAt[node] = int32(len(s.low))
	s.low = append(s.low, A...)
	return s.low[s.lowAt[node]:]
}
