package geometry

import "github.com/curlfree/curlfree/r3"

// halfSpaceContacts is the half-space A, z ≤ 0, against a convex shape B: the
// corners of the face that looks down, φ = z − radius.
func halfSpaceContacts(B SupportMap, X_WA, X_WB *r3.Pose, margin float64, out *manifold) {
	out.n = 0
	var X_AB r3.Pose
	X_AB.SetInvMul(X_WA, X_WB)
	n, r := r3.Vec{0, 0, 1}, B.Rounding()
	down := X_AB.R.TMulVec(n.Neg())
	low := X_AB.Point(B.Support(down))
	if low[2]-r >= margin {
		return
	}
	f := B.Face(down)
	var marks [maxFace]clipVertex
	fig := clipPolygon{p: marks[:]}
	least := low[2] - r
	missed := true
	size := f.size()
	for _, p := range f.P[:f.N] {
		q := X_AB.Point(p)
		phi := q[2] - r
		if phi < margin {
			fig.p[fig.n] = clipVertex{q: [2]float64{q[0], q[1]}, hB: phi}
			fig.n++
		}
		missed = missed && phi > least+missTol*size
	}
	room := maxPoints
	if missed {
		room--
	}
	fig.reduce(room, 0, 0)
	for _, p := range fig.p[:fig.n] {
		out.add(point{r3.Vec{p.q[0], p.q[1], 0}, r3.Vec{p.q[0], p.q[1], p.hB}, n, p.hB})
	}
	if missed {
		out.add(point{r3.Vec{low[0], low[1], 0}, r3.Vec{low[0], low[1], least}, n, least})
	}
}
