package geometry

// Between vertices that stay above the core of a pressure field, a small or pointed body may go
// through a face. So where no vertex goes too deep the faces are followed as well. With y_k(t) the
// path of corner k in the frame of the shape, see deformable_sweep.go, a face goes too deep where
//
//	min_{w ≥ 0, Σ w = 1} φ(Σ w_k y_k(t)) ≤ level    for some t                  (1)
//
// and the point with these weights is held as a vertex is. The least distance changes by at most
// the longest of the ways of the corners, which gives the steps of t. In each of them it is found
// by descent along the projected gradient, and not at all where the distance of the centroid
// bounds it.

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
	// the least distance of a point there, or a bound, m
	least float64
}

// newFacePath returns the path of a triangle in the frame of the shape of a path of vertices.
func newFacePath(w *vertexPath, start_W, end_W [3]r3.Vec) (f facePath) {
	for k := range f.y0 {
		f.y0[k] = w.X0.InvPoint(start_W[k])
		f.way[k] = w.X1.InvPoint(end_W[k]).Sub(f.y0[k])
		f.length = max(f.length, f.way[k].Norm())
	}
	return f
}

// sweepFaces appends to dst contacts of the faces that go too deep (1), at the point that does so
// first, or else at the deepest of the end: of a face that begins deep other points may go deeper.
func (s *Data) sweepFaces(p *itemPair, b *deformableSurface, near []int32, path *vertexPath, A *RigidMotion, end []r3.Vec, contacts, dst []Contact) []Contact {
	for _, tri := range near {
		v, x, y, z := b.corners(tri)
		f := newFacePath(path, [3]r3.Vec{x, y, z}, [3]r3.Vec{end[v[0]], end[v[1]], end[v[2]]})
		w, ok := f.reaches(&path.query, -0.99*path.limit, path.limit/64)
		for range 2 {
			if !ok {
				break
			}
			start_W, end_W := weighted(&w, x, y, z), weighted(&w, end[v[0]], end[v[1]], end[v[2]])
			if n := len(dst); path.follow(start_W, end_W, r3.Vec{}) {
				if dst = s.appendSwept(p, b, tri, w, 0, path, A, contacts, end_W, dst); len(dst) > n {
					break
				}
			}
			w, ok = f.reachesAt(1, &path.query, -0.99*path.limit)
		}
	}
	return dst
}

// reaches returns the weights of the point of the triangle that reaches the level first; a step
// goes beyond by more, m.
func (f *facePath) reaches(q *distanceQuery, level, more float64) (w [3]float64, ok bool) {
	t := 0.0
	for range sweepRounds {
		if w, ok = f.reachesAt(t, q, level); ok || t == 1 || f.length == 0 {
			return w, ok
		}
		t = min(1, t+(f.least-level+more)/f.length)
	}
	return w, false
}

// reachesAt returns the weights of the deepest point of the triangle at t if it is below the level.
func (f *facePath) reachesAt(t float64, q *distanceQuery, level float64) (w [3]float64, ok bool) {
	for k := range f.at {
		f.at[k] = f.y0[k].AddScaled(t, f.way[k])
	}
	c := f.at[0].Add(f.at[1]).Add(f.at[2]).Scale(1. / 3)
	radius := math.Sqrt(max(c.Sub(f.at[0]).Norm2(), c.Sub(f.at[1]).Norm2(), c.Sub(f.at[2]).Norm2()))
	phi, grad := q.at(c)
	if f.least = phi - radius; f.least > level {
		return w, false
	}
	f.least, w = f.deepest(q, c, phi, grad, radius)
	return w, f.least <= level
}

// deepest returns the least distance of a point of the triangle, and its weights, from the
// distance and gradient at its centroid c.
func (f *facePath) deepest(q *distanceQuery, c r3.Vec, phi float64, grad r3.Vec, step float64) (least float64, w [3]float64) {
	w = [3]float64{1. / 3, 1. / 3, 1. / 3}
	n := r3.TriangleNormal(f.at[0], f.at[1], f.at[2]).Unit()
	for range 16 {
		t := grad.AddScaled(-grad.Dot(n), n).Unit()
		x, u := r3.ClosestOnTriangle(c.AddScaled(-step, t), f.at[0], f.at[1], f.at[2])
		if psi, g := q.at(x); psi < phi {
			c, phi, grad, w = x, psi, g, u
		} else {
			step /= 2
		}
	}
	return phi, w
}

// weighted returns w₀ a + w₁ b + w₂ c.
func weighted(w *[3]float64, a, b, c r3.Vec) r3.Vec {
	return a.Scale(w[0]).AddScaled(w[1], b).AddScaled(w[2], c)
}
