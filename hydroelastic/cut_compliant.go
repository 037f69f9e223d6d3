package hydroelastic

import "github.com/curlfree/curlfree/r3"

// compliantCompliant cuts each pair of cells along the plane of equal pressure: both are
// sliced by it, and the slices clipped by each other. The heights are D = p_M − p_N at
// the corners, of M with its own pressures there, of N with its own: cells that share a
// face agree on it, and a surface along that face is cut once.
func (q *Query) compliantCompliant(M, N *Compliant, X_MN r3.Pose) {
	q.out.limits(M, N)
	// Round-off of positions and pressures, and a bound of the pressures at which the
	// bodies touch.
	scale := M.reach + N.reach + X_MN.P.Norm()
	tol := snap * scale * (M.PressureGradient() + N.PressureGradient())
	most := maxContactPressure(M, N, X_MN)
	q.placed.reset(X_MN, N.verts)
	q.cells.reset(M, N, &q.placed, snap*scale, most)
	// Pairs of cells whose parts below that pressure are near each other.
	q.pairs = M.tree.Probe(N.tree, X_MN, snap*scale, &q.cells, q.pairs[:0])
	var onN linear
	var n r3.Vec
	var f facePlan
	last := int32(-1)
	for _, pair := range q.pairs {
		i, j := pair[0], pair[1]
		// Cells of N come in runs: place each once.
		if j != last {
			q.cellN.place(N, j, &q.placed)
			onN.place(&N.pressure[j], &X_MN)
			last = j
		}
		onM := &M.pressure[i]
		// Both cells must be cut by the plane D = 0.
		if !q.cellN.under(N.p, onM, -1, tol) {
			continue
		}
		q.cellM.load(M, i)
		if !q.cellM.under(M.p, &onN, 1, tol) {
			continue
		}
		// The slices, and their intersection.
		q.cellM.slice(&q.p)
		q.cellN.slice(&q.q)
		n.SetSub(&onN.grad, &onM.grad)
		q.q.setSides(&n, &q.cellN, N.size[j])
		if q.p.clipBy(&q.q, &q.r); q.p.n == 0 {
			continue
		}
		// Gradients, elements and pressure of the face.
		f.setCell(M, i)
		// From M to N: where p_N − p_M grows.
		f.n.SetUnit(&n)
		f.gradN, f.elem[1], f.size = onN.grad, j, min(f.size, N.size[j])
		// The flatter field carries less round-off.
		if onN.norm < onM.norm {
			v := N.cells[j].v[0]
			f.grad, f.at, f.ref = onN.grad, *q.placed.at(v), N.p[v]
		}
		q.out.add(&q.p, &f, &q.r, &q.rest)
	}
}

// place loads a cell of the other body.
func (c *cellCorners) place(m *Compliant, i int32, at *placedVerts) {
	cl := &m.cells[i]
	c.t, c.v = cl.topology(), &cl.v
	for k, v := range cl.v[:c.t.verts] {
		c.x[k] = *at.at(v)
	}
}
