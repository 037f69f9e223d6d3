package geometry

// Between vertices that stay above the core of a pressure field, a small or pointed body may go
// through a face. So where no vertex goes too deep the faces are followed as well. With y_k(t) the
// path of corner k in the frame of the shape, see deformable_sweep.go, a face goes too deep where
//
//	min_{w ≥ 0, Σ w = 1} φ(Σ w_k y_k(t)) ≤ level    for some t                  (1)
//
// and the point with these weights is stopped as a vertex is. The least distance changes by at most
// the longest of the ways of the corners, which gives the steps of t. In each of them it is found
// by branch and bound.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// facePath is a triangle that moves through a shape.
type facePath struct {
	y0, way [3]r3.Vec
	// the longest of the ways
	length float64
	// where the corners are at present
	at [3]r3.Vec
	// the least distance of a point that was found there, and a lower bound, m
	least, bound float64
}

// mostFaceDivisions is how often a face is divided in four to find its deepest point.
const mostFaceDivisions = 8

// newFacePath returns the path of a triangle in the frame of the shape of a path of vertices.
func newFacePath(w *vertexPath, start_W, end_W [3]r3.Vec) (f facePath) {
	for k := range f.y0 {
		f.y0[k] = w.X0.InvPoint(start_W[k])
		f.way[k] = w.X1.InvPoint(end_W[k]).Sub(f.y0[k])
		f.length = max(f.length, f.way[k].Norm())
	}
	return f
}

// sweepFaces appends to dst contacts of the faces that go too deep (1).
func (s *Data) sweepFaces(p *itemPair, b *deformableSurface, near []int32, path *vertexPath, A *RigidMotion, end []r3.Vec, contacts, dst []Contact) []Contact {
	for _, tri := range near {
		dst = s.sweepFace(p, b, tri, path, A, end, contacts, dst)
	}
	return dst
}

// sweepFace does so for one face. The first point that reaches the level need not be one that goes
// too deep: the search continues to the end.
func (s *Data) sweepFace(p *itemPair, b *deformableSurface, tri int32, path *vertexPath, A *RigidMotion, end []r3.Vec, contacts, dst []Contact) []Contact {
	v, x, y, z := b.corners(tri)
	f := newFacePath(path, [3]r3.Vec{x, y, z}, [3]r3.Vec{end[v[0]], end[v[1]], end[v[2]]})
	t, level := 0.0, -0.99*path.limit
	for range sweepRounds {
		step := path.limit / 4
		if w, ok := f.reachesAt(t, &path.query, path.convex, level); !ok {
			step = max(f.bound-level, 0) + path.limit/16
		} else if end_W := weighted(&w, end[v[0]], end[v[1]], end[v[2]]); path.follow(weighted(&w, x, y, z), end_W, r3.Vec{}) {
			n := len(dst)
			if dst = s.appendSwept(p, b, tri, w, 0, path, A, contacts, end_W, dst); len(dst) > n {
				break
			}
		}
		if t == 1 || f.length == 0 {
			break
		}
		t = min(1, t+step/f.length)
	}
	return dst
}

// reachesAt returns the weights of the deepest point of the triangle at t if it is below the level.
func (f *facePath) reachesAt(t float64, q *distanceQuery, convex bool, level float64) (w [3]float64, ok bool) {
	for k := range f.at {
		f.at[k] = f.y0[k].AddScaled(t, f.way[k])
	}
	f.least = math.Inf(1)
	f.bound = math.Inf(1)
	f.divide(q, convex, level, [3][3]float64{{1}, {0, 1}, {0, 0, 1}}, 0, &w)
	return w, f.least <= level
}

// divide seeks the least distance in the part of the triangle with the given weights of its
// corners, where it may be below the level: by branch and bound. The distance of the centroid less the
// radius is a bound, of a convex shape also its tangent.
func (f *facePath) divide(q *distanceQuery, convex bool, level float64, part [3][3]float64, depth int, w *[3]float64) {
	var u [3]float64
	var x [3]r3.Vec
	for k := range part {
		x[k] = weighted(&part[k], f.at[0], f.at[1], f.at[2])
		for j := range u {
			u[j] += part[k][j] / 3
		}
	}
	c := weighted(&u, f.at[0], f.at[1], f.at[2])
	phi, grad := q.at(c)
	if phi < f.least {
		f.least, *w = phi, u
	}
	radius, rise, first := 0.0, math.Inf(1), 0
	for k := range x {
		d := x[k].Sub(c)
		radius = max(radius, d.Norm())
		if e := grad.Dot(d); e < rise {
			rise, first = e, k
		}
	}
	bound := phi - radius
	if convex {
		bound = max(bound, phi+rise)
	}
	most := mostFaceDivisions
	if !convex {
		most /= 2 // the bound is loose
	}
	if bound > level || bound > f.least-radius/16 || depth == most {
		f.bound = min(f.bound, bound)
		return
	}
	// in four, the corner that looks deepest first
	var middle [3][3]float64
	for k := range middle {
		for j := range u {
			middle[k][j] = (part[(k+1)%3][j] + part[(k+2)%3][j]) / 2
		}
	}
	for i := range 3 {
		k := (first + i) % 3
		f.divide(q, convex, level, [3][3]float64{part[k], middle[(k+2)%3], middle[(k+1)%3]}, depth+1, w)
		if i == 0 {
			f.divide(q, convex, level, middle, depth+1, w)
		}
	}
}

// weighted returns w₀ a + w₁ b + w₂ c.
func weighted(w *[3]float64, a, b, c r3.Vec) r3.Vec {
	return a.Scale(w[0]).AddScaled(w[1], b).AddScaled(w[2], c)
}
