package meshes

// Rays measure how thick a part is at a point of its surface: from there
// straight in to the opposite side (the shape diameter of Shapira, Shamir &
// Cohen-Or 2008, with one ray), and straight out to the other side of a gap.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// ray returns the first triangle that the ray p + s·dir, dir a unit vector,
// meets at from < s < to, and s, m; −1 and to if there is none. d must not have
// been refitted: the order of its tree comes from the far field.
func (d *Distance) ray(p, dir r3.Vec, from, to float64) (tri int32, s float64) {
	tri, s = -1, to
	nodes, order := d.tree.Nodes(), d.tree.Order()
	// Nodes in preorder; one that the ray misses is skipped with all below it.
	for k := 0; k < len(nodes); {
		n := &nodes[k]
		if !rayMeetsBox(&n.Box, p, dir, s) {
			k = d.dipole[k].next
			continue
		}
		if n.Leaf() {
			for _, t := range order[n.Lo:n.Hi] {
				if x := d.rayTriangle(t, p, dir); x > from && x < s {
					tri, s = t, x
				}
			}
		}
		k++
	}
	return tri, s
}

// rayMeetsBox reports whether the ray meets the box before the distance to, by
// the distances at which it crosses the planes of the faces.
func rayMeetsBox(b *r3.Box, p, dir r3.Vec, to float64) bool {
	in, out := 0.0, to
	for k := range 3 {
		if dir[k] == 0 {
			if p[k] < b.Min[k] || p[k] > b.Max[k] {
				return false
			}
			continue
		}
		s, t := (b.Min[k]-p[k])/dir[k], (b.Max[k]-p[k])/dir[k]
		in, out = max(in, min(s, t)), min(out, max(s, t))
	}
	// Round-off must not lose a box that the ray only touches.
	return in <= out*(1+1e-12)
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
