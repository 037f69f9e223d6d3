package meshes

// Rays measure how thick a part is at a point of its surface: from there
// straight in to the opposite side (the shape diameter of Shapira, Shamir &
// Cohen-Or 2008, with one ray), and straight out to the other side of a gap.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// rayStack bounds the nodes that wait while a ray goes through the tree: one for each level.
const rayStack = 64

// Ray returns the first triangle that the ray p + s·dir, dir a unit vector,
// meets at from < s < to, and s, m; −1 and to if there is none. Of triangles met
// at the same distance it is the first one of the tree. looks counts the boxes and triangles tested.
func (d *Distance) Ray(p, dir r3.Vec, from, to float64) (tri int32, s float64, looks int) {
	tri, s = -1, to
	nodes, order := d.tree.Nodes(), d.tree.Order()
	if len(nodes) == 0 {
		return tri, s, looks
	}
	// Nodes that wait, with the distance at which the ray enters them. The nearer of two
	// children goes first: most rays end soon, and what lies beyond is never looked at.
	var stack [rayStack]struct {
		node int32
		in   float64
	}
	in, ok := rayMeetsBox(&nodes[0].Box, p, dir, s)
	if !ok {
		return tri, s, looks
	}
	stack[0].in = in
	at := int32(math.MaxInt32) // place of tri in the order of the tree
	for k := 1; k > 0; {
		k--
		i := stack[k].node
		n := &nodes[i]
		// Round-off must not lose a box at the very end of the ray.
		if stack[k].in > s*(1+1e-12) {
			continue
		}
		if n.Leaf() {
			looks += int(n.Hi - n.Lo)
			for j := n.Lo; j < n.Hi; j++ {
				if x := d.rayTriangle(order[j], p, dir); x > from && (x < s || x == s && tri >= 0 && j < at) {
					tri, s, at = order[j], x, j
				}
			}
			continue
		}
		looks += 2
		near, far := i+1, n.Right
		nearIn, nearOK := rayMeetsBox(&nodes[near].Box, p, dir, s)
		farIn, farOK := rayMeetsBox(&nodes[far].Box, p, dir, s)
		if farOK && (!nearOK || farIn < nearIn) {
			near, nearIn, nearOK, far, farIn, farOK = far, farIn, farOK, near, nearIn, nearOK
		}
		// What was pushed last is taken first.
		if farOK {
			stack[k].node, stack[k].in = far, farIn
			k++
		}
		if nearOK {
			stack[k].node, stack[k].in = near, nearIn
			k++
		}
	}
	return tri, s, looks
}

// rayMeetsBox reports whether the ray meets the box before the distance to, by
// the distances at which it crosses the planes of the faces, and where it enters, m.
func rayMeetsBox(b *r3.Box, p, dir r3.Vec, to float64) (enters float64, meets bool) {
	in, out := 0.0, to
	for k := range 3 {
		if dir[k] == 0 {
			if p[k] < b.Min[k] || p[k] > b.Max[k] {
				return 0, false
			}
			continue
		}
		s, t := (b.Min[k]-p[k])/dir[k], (b.Max[k]-p[k])/dir[k]
		in, out = max(in, min(s, t)), min(out, max(s, t))
	}
	// Round-off must not lose a box that the ray only touches.
	return in, in <= out*(1+1e-12)
}

// rayTriangle returns the distance, m, at which the ray meets triangle t, +Inf
// if it misses. A point of the triangle is p + s·dir = a + u e + v f with u,
// v ≥ 0, u + v ≤ 1, e and f its sides from a; Cramer's rule gives s, u and v
// (Möller & Trumbore 1997).
func (d *Distance) rayTriangle(t int32, p, dir r3.Vec) float64 {
	v := d.mesh.Tris[t]
	a := d.mesh.Verts[v[0]]
	e, f := d.mesh.Verts[v[1]].Sub(a), d.mesh.Verts[v[2]].Sub(a)
	h := dir.Cross(f)
	det := e.Dot(h)
	// A ray in the plane of the triangle sees none of it.
	if det == 0 {
		return math.Inf(1)
	}
	o := p.Sub(a)
	q := o.Cross(e)
	x, y := o.Dot(h)/det, dir.Dot(q)/det
	if x < 0 || y < 0 || x+y > 1 {
		return math.Inf(1)
	}
	return f.Dot(q) / det
}
