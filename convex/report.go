package convex

import "github.com/curlfree/curlfree/cliques"

// report fills the statistics from the islands.
func (s *Solver) report() {
	st := &s.stats
	st.Islands = len(s.islands)
	worst := 0
	for i := range s.islands {
		is := &s.islands[i]
		st.Iterations = max(st.Iterations, is.iterations)
		st.Continuation = max(st.Continuation, is.continuation)
		st.LineSearch += is.evaluations
		st.Factorizations = max(st.Factorizations, is.factorizations)
		st.Condition = max(st.Condition, is.condition)
		st.Cost += is.cost
		st.Regularization = max(st.Regularization, is.most)
		if is.worse(&s.islands[worst]) {
			worst = i
		}
	}
	is := &s.islands[worst]
	st.Criterion, st.Residual, st.Scale = is.criterion, is.res, is.scale
	st.History = is.hist
	if is.criterion == Failed {
		st.Worst = s.worst(is)
	}
	if s.Condition {
		st.Condition = s.condition()
	}
}

// worse orders islands by what they ended with.
func (is *island) worse(other *island) bool {
	if is.criterion != other.criterion {
		return is.criterion > other.criterion
	}
	if is.iterations != other.iterations {
		return is.iterations > other.iterations
	}
	return is.res/is.tol > other.res/other.tol
}

// worst returns the constraint of an island along whose equations most momentum is
// out of balance: J D² r in units of J D, whose length says how much of it the
// constraint alone could take. Those that do not act are not asked.
func (s *Solver) worst(is *island) cliques.Handle {
	p := s.p
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.work[i] = s.d[i] * s.d[i] * (s.q[i] - s.jtg[i])
		}
	}
	most, at := -1.0, cliques.Handle(-1)
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		if allZero(p.Gamma[c.Row:c.Row+c.Dim]) && allZero(s.g[s.gOff[k]:s.gOff[k+1]]) {
			continue
		}
		is.w = resize(is.w, c.Dim)
		s.mulJ(int(k), is.w, s.work)
		size := 0.0
		for _, b := range p.Blocks(handle(int(k))) {
			n := p.NodeSize[b.Node]
			for i, x := range b.J {
				x *= s.d[p.NodeOffset[b.Node]+i%n]
				size += x * x
			}
		}
		share := 0.0
		for _, x := range is.w {
			share += x * x
		}
		if size > 0 && share/size > most {
			most, at = share/size, handle(int(k))
		}
	}
	return at
}
