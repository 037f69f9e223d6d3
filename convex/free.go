package convex

import "github.com/curlfree/curlfree/cliques"

// Free motion is the solution of cliques that no constraint touches,
//
//	A (v* − v0) = P                                                   (6)
//
// computed as a difference from v0, which keeps the digits that v* itself would lose.
// Dense cliques are solved with their own factors, deformables with the shared
// supernodal factorization of A, which the Hessians of the step need anyway: their
// untouched vertices are eliminated there once. Where elimination cancels more than
// refineAbove, the solution is refined once by its residual P − A (v* − v0).

// freeMotion computes v*.
type freeMotion struct {
	blocks       *blockFactors
	sparse       *sparse
	continuation *continuation
}

// hasDeformables reports whether there are deformables that no constraint touches.
func (f *freeMotion) hasDeformables() bool {
	b := f.blocks
	for k := range b.p.Cliques {
		if b.p.Cliques[k].Pattern != nil && b.label[k] == -1 {
			return true
		}
	}
	return false
}

// solveDeformables factors A of deformables and large islands and gives v* to
// deformables that no constraint touches.
func (f *freeMotion) solveDeformables() error {
	if err := f.solveSparse(); err != nil {
		return err
	}
	// large islands are solved by Newton's method
	for _, k := range f.sparse.cliques {
		if f.blocks.label[k] == -1 && f.blocks.p.Cliques[k].Pattern != nil {
			f.set(k)
		}
	}
	return nil
}

// solveDense factors A of every dense clique and of touched vertices, and gives v* to
// dense cliques that no constraint touches. It returns the largest estimate of a
// condition number.
func (f *freeMotion) solveDense() (condition float64, err error) {
	b := f.blocks
	b.reset()
	condition = 1
	for k := range b.p.Cliques {
		c := &b.p.Cliques[k]
		// a deformable: only the blocks of touched vertices
		if c.Pattern != nil {
			if err := b.factorVertices(c); err != nil {
				return condition, err
			}
			continue
		}
		// The factor serves (5), too: cliques with constraints need it as well.
		q := newPivots()
		if row := cholesky(b.add(int(c.First), c.A), c.Size, nil, &q); row >= 0 {
			return condition, &IndefiniteError{c.First, row}
		}
		condition = max(condition, q.condition())
		if b.label[k] == -1 {
			f.solveClique(c, q.loss > refineAbove)
			f.set(int32(k))
		}
	}
	return condition, nil
}

// start moves an island to v*. Where H is singular in floating point that is the
// better start: momentum is right in all directions on which constraints do not act,
// and directions of a regularized H hardly correct it there.
func (f *freeMotion) start(is *island) error {
	seq := f.blocks.cliquesOf(is)
	if !is.small && f.sparse.hasDeformables {
		if err := f.solveSparse(); err != nil {
			return err
		}
	} else {
		for _, k := range seq {
			f.solveClique(&f.blocks.p.Cliques[k], true)
		}
	}
	// laws are evaluated again: the iterate has jumped
	for _, k := range seq {
		f.set(k)
	}
	return f.continuation.restart(is)
}

// set takes v* − v0 of a clique from dv.
func (f *freeMotion) set(clique int32) {
	x := f.blocks.iterate
	c := &x.p.Cliques[clique]
	for i := c.Offset; i < c.Offset+c.Size; i++ {
		x.v[i] = x.p.V0[i] + x.dv[i]
	}
}

// solveSparse factors A of deformables and large islands and writes their v* − v0 to
// dv.
func (f *freeMotion) solveSparse() error {
	m, x := f.sparse, f.blocks.iterate
	p := x.p
	// A⁻¹ P
	copy(x.dv, p.P)
	if err := m.factorA(x.dv); err != nil {
		return err
	}
	if m.chol.Cancellation() <= refineAbove {
		return nil
	}
	// refine by the residual
	copy(x.work, p.P)
	for _, k := range m.cliques {
		c := &p.Cliques[k]
		mulClique(c, x.work, x.dv)
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.work[i] = p.P[i] - x.work[i]
		}
	}
	m.solve(x.work)
	for _, k := range m.cliques {
		c := &p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			x.dv[i] += x.work[i]
		}
	}
	return nil
}

// solveClique writes v* − v0 of a dense clique to dv, refined once on request.
func (f *freeMotion) solveClique(c *cliques.Clique, refined bool) {
	x := f.blocks.iterate
	l := f.blocks.of(c.First)
	p := x.p.P[c.Offset : c.Offset+c.Size]
	dv, r := x.dv[c.Offset:c.Offset+c.Size], x.work[c.Offset:c.Offset+c.Size]
	// A⁻¹ P
	copy(dv, p)
	solve(dv, l)
	if !refined {
		return
	}
	// residual P − A dv, and its correction
	mulClique(c, x.work, x.dv)
	for i := range r {
		r[i] = p[i] - r[i]
	}
	solve(r, l)
	for i := range r {
		dv[i] += r[i]
	}
}
