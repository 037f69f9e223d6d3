package geometry

// Contact with a half-space: its surface is the plane z = 0 of A, so that the contact
// points are the corners of the lowest face of B.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// halfSpaceContacts finds the contacts of the half-space A, z ≤ 0, with a convex shape B:
// φ = z − r at the corners of the face that looks down, with r the rounding.
func halfSpaceContacts(B SupportMap, X_WA, X_WB *r3.Pose, margin float64, out *manifold) {
	out.n, out.round = 0, 1
	var X_AB r3.Pose
	X_AB.SetInvMul(X_WA, X_WB)
	n, r := r3.Vec{0, 0, 1}, B.Rounding()
	// The lowest point bounds all others.
	down := X_AB.R.TMulVec(n.Neg())
	low := X_AB.Point(B.Support(down))
	if low[2]-r >= margin {
		return
	}
	// Corners of the face below the margin.
	f := B.Face(down)
	var buffer [maxFace]clipVertex
	poly := clipPolygon{p: buffer[:]}
	least := low[2] - r
	missed := true
	size := f.size()
	for _, p := range f.P[:f.N] {
		q := X_AB.Point(p)
		phi := q[2] - r
		poly.p[poly.n] = clipVertex{q: [2]float64{q[0], q[1]}, hB: phi}
		poly.n++
		missed = missed && phi > least+missTol*size
	}
	if f.N == 2 {
		poly.weighEdge(size)
	} else {
		poly.weigh(size)
	}
	out.round = poly.reduceRound(0, 0)
	if f.Area > 0 {
		out.round *= f.roundness(poly.area())
	}
	deepest := math.Inf(1)
	for _, p := range poly.p[:poly.n] {
		if p.hB < margin {
			deepest = min(deepest, p.hB)
			out.add(point{r3.Vec{p.q[0], p.q[1], 0}, r3.Vec{p.q[0], p.q[1], p.hB}, n, p.hB, p.w})
		}
	}
	// The lowest point joins where the face misses it, as on a curved rim.
	if missed {
		out.add(point{r3.Vec{low[0], low[1], 0}, r3.Vec{low[0], low[1], least}, n, least, extraWeight(least, deepest)})
	}
}
