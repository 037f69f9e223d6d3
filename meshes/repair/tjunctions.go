package repair

// A T-junction is a vertex on the edge of a triangle that does not have it: the
// triangles on one side of a seam are divided where those on the other are not.
// The surface has no gap there, only the numbers of its vertices say so. The
// undivided triangle is cut at the vertex, which leaves the shape as it is.
//
//	  c                c
//	 / \              /|\
//	a───b     →      a─v─b        v is a vertex of the triangles below a─b
//
// CAD programs write them where two faces of a part are divided on their own. Such a surface is
// closed for the eye and open for the topology: it counts as a seam of holes of no area.

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// seamRounds bounds the passes over the open edges: a triangle is cut across one
// of its edges in each.
const seamRounds = 6

// joinSeams cuts triangles at the vertices that lie on their open edges within
// tol, m. It keeps the cuts only if fewer edges are open afterwards.
func (w *repairer) joinSeams(tol float64) {
	open := openSides(w.m)
	if open == 0 {
		return
	}
	// a trial, which is kept if it closes more than it opens
	cut := &meshes.Tri{Verts: w.m.Verts, Tris: slices.Clone(w.m.Tris)}
	cuts := 0
	for range seamRounds {
		n := cutSeams(cut, tol)
		cuts += n
		if n == 0 {
			break
		}
	}
	if cuts == 0 || openSides(cut) >= open {
		return
	}
	w.m = cut
	w.rep.Addf(meshes.Note, "t-junction", cuts, "%s on edges of triangles joined to them", phrases.Plural(cuts, "vertex"))
}

// cutSeams cuts each triangle across one of its open edges, at all vertices of
// other open edges within tol, m, of it. It returns the number of those vertices.
func cutSeams(m *meshes.Tri, tol float64) int {
	// only vertices of open edges can be at a T-junction: inner ones have neighbours all around
	// Open edges, and the vertices at them.
	var edges []surfaces.EdgeUse
	var verts []int32
	surfaces.EachEdge(surfaces.EdgeUses(m), func(u []surfaces.EdgeUse) {
		if len(u) == 1 {
			edges = append(edges, u[0])
			verts = append(verts, u[0].A, u[0].B)
		}
	})
	slices.Sort(verts)
	verts = slices.Compact(verts)
	boxes := make([]r3.Box, len(verts))
	for i, v := range verts {
		boxes[i] = r3.EmptyBox().Extend(m.Verts[v]).Inflate(tol)
	}
	tree := bvh.Build(boxes)
	// Cut; a triangle that was cut waits for the next round.
	done := map[int32]bool{}
	cuts := 0
	var found []int32
	for _, e := range edges {
		if done[e.Tri] {
			continue
		}
		a, b := m.Verts[e.A], m.Verts[e.B]
		found = tree.Query(r3.EmptyBox().Extend(a).Extend(b), found[:0])
		on := onEdge(m, a, b, verts, found, tol)
		if len(on) == 0 {
			continue
		}
		cutTriangle(m, e, on)
		done[e.Tri] = true
		cuts += len(on)
	}
	return cuts
}

// onEdge returns those of the candidates, given as positions in verts, that lie
// between a and b within tol, m, in the order from a to b.
func onEdge(m *meshes.Tri, a, b r3.Vec, verts, candidates []int32, tol float64) []int32 {
	d := b.Sub(a)
	// an edge without length has no vertex on it: s > tol fails, for s is then not a number
	l := d.Norm()
	// Position along the edge, m.
	along := func(v int32) float64 { return m.Verts[v].Sub(a).Dot(d) / l }
	var on []int32
	for _, i := range candidates {
		v := verts[i]
		s := along(v)
		if s > tol && s < l-tol && m.Verts[v].Sub(a.AddScaled(s/l, d)).Norm() <= tol {
			on = append(on, v)
		}
	}
	slices.SortFunc(on, func(v, w int32) int { return cmp.Or(cmp.Compare(along(v), along(w)), cmp.Compare(v, w)) })
	return on
}

// cutTriangle divides the triangle of an edge into a fan from the opposite vertex
// to the vertices on the edge, which are in order from e.a to e.b.
func cutTriangle(m *meshes.Tri, e surfaces.EdgeUse, on []int32) {
	t := m.Tris[e.Tri]
	// The corners in the triangle's own order, the edge first.
	from, to := e.A, e.B
	if !e.Forward {
		from, to = to, from
		slices.Reverse(on)
	}
	var apex int32
	for _, v := range t {
		if v != from && v != to {
			apex = v
		}
	}
	// one triangle for each piece of the edge; the first takes the place of the one that is cut
	chain := append(append([]int32{from}, on...), to)
	for i := range len(chain) - 1 {
		part := [3]int32{chain[i], chain[i+1], apex}
		if i == 0 {
			m.Tris[e.Tri] = part
		} else {
			m.Tris = append(m.Tris, part)
		}
	}
}
