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
	tol := snap * scale * (M.slope() + N.slope())
	q.pairs = M.tree.Pairs(N.tree, X_MN, snap*scale, q.pairs[:0])
	q.placed.reset(X_MN, N.verts)
	for _, pair := range q.pairs {
		i, j := pair[0], pair[1]
		f := M.patch(i)
		f.gradN, f.elem[1] = X_MN.R.MulVec(N.grad[j]), j
		vN := N.cells[j].v[0]
		atN, refN := q.placed.at(vN), N.p[vN]

		q.mine.load(M, i)
		for k := range q.mine.t.verts {
			pN := refN + f.gradN.Dot(q.mine.x[k].Sub(atN))
			q.mine.s[k] = zeroed(M.p[q.mine.v[k]]-pN, tol)
		}
		if !q.mine.crossed() {
			continue
		}
		q.other.place(N, j, &q.placed)
		for k := range q.other.t.verts {
			pM := f.ref + f.grad.Dot(q.other.x[k].Sub(f.at))
			q.other.s[k] = zeroed(pM-N.p[q.other.v[k]], tol)
		}
		if !q.other.crossed() {
			continue
		}
		f.n = f.gradN.Sub(f.gradM).Unit()
		if !q.out.lean(&f) {
			continue
		}
		q.mine.slice(&q.p)
		q.other.slice(&q.q)
		q.p.clipBy(&q.q, f.n, &q.other, &q.r)
		f.size = min(f.size, N.size[j])
		if f.gradN.Norm2() < f.gradM.Norm2() { // the flatter field carries less round-off
			f.grad, f.at, f.ref = f.gradN, atN, refN
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
