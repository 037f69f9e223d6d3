package convex

import "github.com/curlfree/curlfree/cliques"

// Linearization: derivatives of the solution. The gradient (2) vanishes at the solution v⁺.
// Where the problem depends on parameters x, the implicit function theorem gives
//
//	g(v⁺, x) = A (v⁺ − v0) − P − Jᵀγ(J v⁺ + b) = 0                         (21)
//	H dv⁺ = −(∂g/∂x) dx                                                     (22)
//
// with the Hessian H (3), which is symmetric: the adjoint of (22) takes the same solve.
// Linearize factors H at v⁺, SolveHessian applies its inverse, and Gradient evaluates g of
// another problem at the same v⁺, from which callers form ∂g/∂x. A line search, continuation
// and regularization affect only the iterations that find v⁺, not its derivatives.
//
// H may jump where contact opens or sticks. It is then that of one side, as evaluated at v⁺.

// Linearize factors the Hessian H of the whole cost of p, equation (3) of solver.go, at the solution v
// of Solve. SolveHessian then applies its inverse until another method of this solver is called. Errors
// are those of Solve. H is not regularized: where it is not positive definite, as where A is not, the error
// is an *IndefiniteError.
func (s *Solver) Linearize(p *cliques.Problem, v []float64) error {
	s.connect(p, v)
	s.partition.islands = s.partition.islands[:0]
	if err := s.prepare(); err != nil {
		return err
	}
	for i := range s.partition.islands {
		if err := s.newton.enter(&s.partition.islands[i]); err != nil {
			return err
		}
	}
	return s.factorHessians()
}

// LinearizeSolution is Linearize of the problem of the last Solve or Resume at its solution v. Cliques, constraints and
// laws must be the same: islands, the plan of the factorization, Hessians of laws, and the parts of the factor of H
// that no constraint touches are used again. That solve had no error.
func (s *Solver) LinearizeSolution(p *cliques.Problem, v []float64) error {
	if s.Condition { // its computation overwrites the factors
		return s.Linearize(p, v)
	}
	s.connect(p, v)
	for i := range s.partition.islands {
		is := &s.partition.islands[i]
		is.lambda = 0
		if is.directionHessians { // a step that was not taken
			s.newton.refresh(is)
			if err := s.laws.evaluate(is); err != nil {
				return err
			}
		} else if err := s.laws.complete(is); err != nil {
			return err
		}
	}
	return s.factorHessians()
}

// factorHessians assembles and factors H of all islands, from the Hessians of their laws.
func (s *Solver) factorHessians() error {
	for i := range s.partition.islands {
		is := &s.partition.islands[i]
		s.hessian.assemble(is)
		if is.small && !s.direct.factor(is) {
			return &IndefiniteError{Node: s.partition.p.Cliques[s.partition.cliquesOf(is)[0]].First}
		}
	}
	// deformables without constraints are factored already where there are no large islands
	if len(s.partition.large) > 0 {
		if node, ok := s.sparse.factor(nil); !ok {
			if s.sparse.err != nil {
				return s.sparse.err
			}
			return &IndefiniteError{Node: cliques.Node(node)}
		}
	}
	return nil
}

// SolveHessian overwrites x (n) by H⁻¹ x, H being that of the last Linearize. It reads only the
// sizes of the problem's nodes, so that constraints and velocities may have changed.
func (s *Solver) SolveHessian(x []float64) {
	part := &s.partition
	for _, is := range part.small {
		s.direct.solve(is, x)
	}
	if len(s.sparse.cliques) > 0 {
		s.sparse.solve(x)
	}
	// dense cliques that no constraint touches: H is A
	for k := range part.p.Cliques {
		if c := &part.p.Cliques[k]; c.Pattern == nil && part.label[k] == -1 {
			solve(x[c.Offset:c.Offset+c.Size], s.blocks.of(c.First)[:c.Size*c.Size])
		}
	}
}

// DelassusDiagonal writes w (Dim) of (5) of a constraint of the problem of the last Linearize, which is still
// in place.
func (s *Solver) DelassusDiagonal(i cliques.Handle, w []float64) {
	s.scratch = s.blocks.diagonal(i, w, s.scratch)
}

// Gradient writes g (n) of (21) for p at the velocities v, which need not solve it. It also
// writes p.Gamma and p.Vc.
func (s *Solver) Gradient(p *cliques.Problem, v, g []float64) error {
	if err := s.Impulses(p, v); err != nil {
		return err
	}
	// A (v − v0) − P
	for k := range p.Cliques {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.iterate.work[i] = v[i] - p.V0[i]
		}
		mulClique(c, g, s.iterate.work)
	}
	for i := range g {
		g[i] -= p.P[i]
		s.iterate.jtg[i] = 0
	}
	// Jᵀγ, summed by itself: its terms cancel each other, less those of A and P
	for i := range s.partition.islands {
		for _, k := range s.partition.constraintsOf(&s.partition.islands[i]) {
			c := &p.Constraints[k]
			addJT(p, int(k), s.iterate.jtg, p.Gamma[c.Row:c.Row+c.Dim])
		}
	}
	for i, f := range s.iterate.jtg {
		g[i] -= f
	}
	return nil
}

// Impulses writes p.Gamma and p.Vc at the velocities v, which need not solve p.
func (s *Solver) Impulses(p *cliques.Problem, v []float64) error {
	s.connect(p, v)
	s.partition.islands = s.partition.islands[:0]
	s.iterate.resize()
	s.laws.resize()
	s.partition.find()
	if err := s.blocks.factorAll(); err != nil {
		return err
	}
	if err := s.laws.evaluateFixed(); err != nil {
		return err
	}
	for i := range s.partition.islands {
		is := &s.partition.islands[i]
		s.blocks.prepareLaws(is)
		s.iterate.refresh(is)
		for _, k := range s.partition.constraintsOf(is) {
			c := &p.Constraints[k]
			clear(s.iterate.dc[c.Row : c.Row+c.Dim])
		}
		if err := s.laws.evaluateAt(is, 0, true); err != nil {
			return err
		}
	}
	return nil
}

// factorAll factors A of every dense clique and of touched vertices.
func (b *blockFactors) factorAll() error {
	b.reset()
	for k := range b.p.Cliques {
		c := &b.p.Cliques[k]
		if c.Pattern != nil {
			if err := b.factorVertices(c); err != nil {
				return err
			}
			continue
		}
		q := newPivots()
		if row := cholesky(b.add(int(c.First), c.A), c.Size, nil, &q); row >= 0 {
			return &IndefiniteError{c.First, row}
		}
	}
	return nil
}
