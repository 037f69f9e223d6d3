package hydroelastic

// Contact with a compliant half-space, whose field has no mesh: its pressure is linear
// everywhere, so that each cell or triangle of the other body makes one face.

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// compliantHalfSpace cuts the cells of M where their pressure is that of the compliant
// half-space N, below N's margin.
func (q *Query) compliantHalfSpace(M *Compliant, N *HalfSpace, X_MH r3.Pose) {
	q.out.limits(M, nil)
	q.out.depth = math.Inf(1)
	// The field of N in M's frame, without end.
	z := X_MH.R.Col(2)
	gradN := z.Scale(-N.slope)
	onN := linear{grad: gradN, zero: -gradN.Dot(X_MH.P), lo: math.Inf(-1), hi: math.Inf(1)}
	scale := M.reach + X_MH.P.Norm()
	// Round-off of pressures, Pa.
	tol := snap * scale * (M.PressureGradient() + N.slope)
	top := z.Dot(X_MH.P) + N.margin
	// Cells that reach below the margin.
	q.items = boxesBelow(M.tree, &z, top+snap*scale, q.items[:0])
	f := facePlan{gradN: gradN}
	for _, i := range q.items {
		q.cellM.load(M, i)
		if !q.cellM.under(M.p, &onN, 1, tol) {
			continue
		}
		f.setCell(M, i)
		f.n = f.gradN.Sub(f.gradM).Unit()
		// The flatter field carries less round-off.
		if N.slope < f.gradM.Norm() {
			f.grad, f.at, f.ref = f.gradN, X_MH.P, 0
		}
		// The plane of equal pressure in the cell.
		q.cellM.slice(&q.p)
		// The part of the plane below the margin.
		var height [maxCorners]float64
		for k := range q.p.n {
			height[k] = z.Dot(q.p.x[k].Sub(X_MH.P)) - N.margin
		}
		q.p.clip(&height, &q.r)
		q.out.add(&q.p, &f, &q.r, &q.rest)
	}
}

// halfSpaceRigid clips the triangles of N to the part below the margin of the compliant
// half-space M.
func (q *Query) halfSpaceRigid(M *HalfSpace, N *Rigid, X_HN r3.Pose) {
	q.out.depth, q.out.tiny = math.Inf(1), tinyPressure*M.slope*N.reach
	// Triangles that reach below the margin.
	X_NH := X_HN.Inv()
	z := X_NH.R.Col(2)
	top := z.Dot(X_NH.P) + M.margin
	tol := snap * (N.reach + X_NH.P.Norm())
	q.items = boxesBelow(N.tree, &z, top+tol, q.items[:0])
	q.placed.reset(X_HN, N.verts)
	up := r3.Vec{0, 0, 1}
	for _, j := range q.items {
		// Seen from inside of N the triangle runs the other way.
		t := &N.tris[j]
		q.p.n = 3
		q.p.x[0], q.p.x[1], q.p.x[2] = *q.placed.at(t[0]), *q.placed.at(t[2]), *q.placed.at(t[1])
		var height [maxCorners]float64
		for k := range q.p.n {
			height[k] = q.p.x[k][2] - M.margin
		}
		q.p.clip(&height, &q.r)
		// Nothing lies below the margin.
		if q.p.n < 3 {
			continue
		}
		// The pressure is that of the half-space, linear from its surface.
		f := facePlan{rigid: true, n: X_HN.R.MulVec(N.normal[j]).Neg(), gradM: up.Scale(-M.slope), elem: [2]int32{0, j}, size: N.size[j]}
		f.grad = f.gradM
		q.out.add(&q.p, &f, &q.r, &q.rest)
	}
}

// boxesBelow appends to dst the items of a tree whose boxes reach below the height top (m)
// along the unit vector up.
func boxesBelow(tree *bvh.Tree, up *r3.Vec, top float64, dst []int32) []int32 {
	return tree.Select(func(b *r3.Box) bool {
		mid, half := span(b, up)
		return mid-half <= top
	}, dst)
}
