package hydroelastic

import "curlfree/r3"

// compliantCompliant cuts each pair of cells along the plane of equal pressure:
// both are sliced by it, and the slices clipped by each other. The heights are
// D = p_M − p_N at the corners, of M with its own pressures there, of N with its
// own: cells that share a face agree on it, and a surface along that face is cut
// once.
func (q *Query) compliantCompliant(M, N *Compliant, X_MN r3.Pose) {
	q.out.limits(M, N)
	scale := M.reach + N.reach + X_MN.P.Norm()
	tol := snap * scale * (M.Slope() + N.Slope())
	q.pairs = M.tree.Pairs(N.tree, X_MN, snap*scale, q.pairs[:0])
	q.placed.reset(X_MN, N.verts)
	last := int32(-1)
	for _, pair := range q.pairs {
		i, j := pair[0], pair[1]
		if i != last {
			q.mine.load(M, i)
			last = i
		}
		gradN := X_MN.R.MulVec(N.grad[j])
		if !q.mine.under(M.p, gradN, N.zero[j]-gradN.Dot(X_MN.P), 1, tol) {
			continue
		}
		q.other.place(N, j, &q.placed)
		if !q.other.under(N.p, M.grad[i], M.zero[i], -1, tol) {
			continue
		}
		q.mine.slice(&q.p)
		q.other.slice(&q.q)
		n := gradN.Sub(M.grad[i])
		if q.p.clipBy(&q.q, n, &q.other, N.size[j], &q.r); q.p.n == 0 {
			continue
		}
		f := M.patch(i)
		f.n, f.gradN, f.elem[1], f.size = n.Unit(), gradN, j, min(f.size, N.size[j])
		if gradN.Norm2() < f.gradM.Norm2() { // the flatter field carries less round-off
			v := N.cells[j].v[0]
			f.grad, f.at, f.ref = gradN, q.placed.at(v), N.p[v]
		}
		q.out.add(&q.p, &f, &q.r, &q.q)
	}
}

// place takes up a cell of the other body.
func (c *corners) place(m *Compliant, i int32, at *placed) {
	cl := &m.cells[i]
	c.t, c.v = cl.topology(), &cl.v
	for k, v := range cl.v[:c.t.verts] {
		c.x[k] = at.at(v)
	}
}
