package geometry

// Distances of hulls with many faces. The nearest triangle is found in a tree of boxes. With q its point nearest to p,
// and c a point inside of the hull, p is outside where
//
//	(p − q)·(q − c) > 0                                             (1)
//
// because a plane through q separates what is outside from all of the hull, c included, and what is inside has q in a
// face that p and c are behind. This needs no normal: those of slivers are noise.

import (
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// searchFrom is the number of faces from which the search in a tree is faster than trying all faces.
const searchFrom = 64

// nearestOnHull finds the nearest triangles of a hull. Any number of goroutines may use it.
type nearestOnHull struct {
	hull *Convex
	tree *bvh.Tree
	// face of each triangle
	polyOf []int32
	// a point inside, m
	center r3.Vec
	// distance below which a point counts as on the surface, m
	touch float64
}

// newNearestOnHull prepares searches on a hull with faces.
func newNearestOnHull(c *Convex) *nearestOnHull {
	n := &nearestOnHull{hull: c, polyOf: make([]int32, len(c.surface.Tris)), touch: touchTol * c.bounds.Size().Norm()}
	for i := range c.polys {
		for _, t := range c.polys[i].tris {
			n.polyOf[t] = int32(i)
		}
	}
	boxes := make([]r3.Box, len(c.surface.Tris))
	for i, t := range c.surface.Tris {
		boxes[i] = r3.EmptyBox()
		for _, v := range t {
			boxes[i] = boxes[i].Extend(c.surface.Verts[v])
		}
	}
	n.tree = bvh.Build(boxes)
	// The mean of the corners is inside.
	for _, p := range c.surface.Verts {
		n.center = n.center.Add(p)
	}
	n.center = n.center.Scale(1 / float64(len(c.surface.Verts)))
	return n
}

// closest returns the point of a triangle that is nearest to p.
func (n *nearestOnHull) closest(p r3.Vec, tri int32) r3.Vec {
	t, x := &n.hull.surface.Tris[tri], n.hull.surface.Verts
	q, _ := r3.ClosestOnTriangle(p, x[t[0]], x[t[1]], x[t[2]])
	return q
}

// signedFrom returns the signed distance, m, the nearest triangle and the gradient. guess is a triangle that is
// probably near, −1 for none: the result does not depend on it.
func (n *nearestOnHull) signedFrom(p r3.Vec, guess int32) (phi float64, tri int32, grad r3.Vec) {
	bound := math.Inf(1)
	if guess >= 0 {
		// Wider than the round-off of the distances of boxes, so that the guess and its equals are found.
		bound = p.Sub(n.closest(p, guess)).Norm2()*(1+1e-9) + n.touch*n.touch
	}
	tri, _ = n.tree.Nearest(p, bound, func(i int32) float64 { return p.Sub(n.closest(p, i)).Norm2() })
	q := n.closest(p, tri)
	r := p.Sub(q)
	// Outside (1), unless the direction would be noise.
	if r.Dot(q.Sub(n.center)) > 0 {
		if d, u := direction(r); d > n.touch {
			return d, tri, u
		}
	}
	f := &n.hull.polys[n.polyOf[tri]]
	return f.face.Normal.Dot(p) - f.d, tri, f.face.Normal
}
