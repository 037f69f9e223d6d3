package repair

// Holes longer than the limit are left open, since a missing side of a part is not
// a fault of the file: the finding gives their number and the position of the
// longest.

// Filling of holes. A hole is covered by ears cut in its mean plane; its rim
// stays as it is, so that the surface around keeps its shape.
//
// Ears and their order are those of polygons, see internal/surfaces/ears.go; edges that the surface has already
// are no ear's third side.

import (
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// fill closes the holes that are not longer than limit, m, and single missing
// triangles of any size. Holes that are no simple loop stay.
func (w *repairer) fill(limit float64) {
	var filled, left int
	var first string
	// Edges of the surface: a cover must not use one twice.
	edges := make(map[[2]int32]bool, 2*len(w.m.Tris))
	uses := surfaces.EdgeUses(w.m)
	surfaces.EachEdge(uses, func(u []surfaces.EdgeUse) { edges[[2]int32{u[0].A, u[0].B}] = true })
	// Longest holes come first; too long ones are left open.
	for _, h := range holesOf(w.m, uses) {
		// Too long, unless a single triangle is missing.
		if h.Length > limit && !lacksFacet(w.m, uses, h.Verts) || len(h.Verts) < 3 {
			left++
			continue
		}
		// The cover runs against the triangles around it.
		loop := slices.Clone(h.Verts)
		if !runsAlong(w.m, uses, loop) {
			continue // an open chain
		}
		slices.Reverse(loop)
		cover := coverOf(w.m, loop, edges)
		// Name the longest in the finding.
		if first == "" {
			first = h.String()
		}
		w.m.Tris = append(w.m.Tris, cover...)
		filled++
	}
	if filled > 0 {
		w.rep.Addf(meshes.Note, "filled", filled, "%s filled, the longest %s", phrases.Plural(filled, "hole"), first)
	}
	if left > 0 && !liesInPlane(w.m) {
		w.rep.Addf(meshes.Warning, "unfilled", left, "%s longer than %s left open: a missing side of the part, or a limit to raise (`--fill-holes`)", phrases.Plural(left, "hole"), phrases.Length(limit))
	}
}

// dropStray removes triangles that share no edge with another: filled, they would be
// leaves without a volume. A surface of nothing else stays.
func (w *repairer) dropStray() {
	open := make([]int, len(w.m.Tris))
	surfaces.EachEdge(surfaces.EdgeUses(w.m), func(u []surfaces.EdgeUse) {
		if len(u) == 1 {
			open[u[0].Tri]++
		}
	})
	kept := make([][3]int32, 0, len(w.m.Tris))
	for i, t := range w.m.Tris {
		if open[i] < 3 {
			kept = append(kept, t)
		}
	}
	if n := len(w.m.Tris) - len(kept); n > 0 && len(kept) > 0 {
		w.m.Tris = kept
		w.rep.Addf(meshes.Note, "stray", n, "%s without neighbours taken away", phrases.Plural(n, "triangle"))
	}
}

// lacksFacet reports whether a loop is the rim of one missing triangle, and not
// that of a single triangle without neighbours.
func lacksFacet(m *meshes.Tri, uses []surfaces.EdgeUse, loop []int32) bool {
	// Not a triangular hole.
	if len(loop) != 3 || !runsAlong(m, uses, loop) {
		return false
	}
	e := meshes.SideKey(loop[0], loop[1])
	// Uses are sorted by edge.
	i, _ := slices.BinarySearchFunc(uses, e, compareEdge)
	return !slices.Contains(m.Tris[uses[i].Tri][:], loop[2])
}

// compareEdge orders a use and an edge by the vertices, for binary search.
func compareEdge(u surfaces.EdgeUse, e [2]int32) int {
	if u.A != e[0] {
		return int(u.A) - int(e[0])
	}
	return int(u.B) - int(e[1])
}

// runsAlong reports whether the loop is a closed chain of edges that belong to
// one triangle each.
func runsAlong(m *meshes.Tri, uses []surfaces.EdgeUse, loop []int32) bool {
	for k, a := range loop {
		e := meshes.SideKey(a, loop[(k+1)%len(loop)])
		i, ok := slices.BinarySearchFunc(uses, e, compareEdge)
		if !ok || i+1 < len(uses) && uses[i+1].A == e[0] && uses[i+1].B == e[1] {
			return false
		}
	}
	return true
}

// coverOf triangulates a loop. When the triangulation would use an edge that
// exists already, the loop is joined to a new vertex in its middle instead.
func coverOf(m *meshes.Tri, loop []int32, edges map[[2]int32]bool) [][3]int32 {
	// A loop without a mean plane gets a fan.
	var tris [][3]int32
	if n := surfaces.Newell(m.Verts, loop); n.Norm2() > 0 {
		tris = surfaces.CutEars(m.Verts, loop, n)
	}
	// Inner edges of the cover must be new.
	rim := map[[2]int32]bool{}
	for k, a := range loop {
		rim[meshes.SideKey(a, loop[(k+1)%len(loop)])] = true
	}
	// An edge of the cover that the surface has already would become
	// non-manifold.
	ok := tris != nil
	for _, t := range tris {
		for k := range 3 {
			e := meshes.SideKey(t[k], t[(k+1)%3])
			ok = ok && (rim[e] || !edges[e])
		}
	}
	if !ok {
		tris = fanOf(m, loop)
	}
	for _, t := range tris {
		for k := range 3 {
			edges[meshes.SideKey(t[k], t[(k+1)%3])] = true
		}
	}
	return tris
}

// fanOf joins the edges of a loop to a new vertex at the mean of its vertices.
func fanOf(m *meshes.Tri, loop []int32) [][3]int32 {
	var o r3.Vec
	for _, v := range loop {
		o = o.AddScaled(1/float64(len(loop)), m.Verts[v])
	}
	// The new vertex is at the mean of the rim.
	c := int32(len(m.Verts))
	m.Verts = append(m.Verts, o)
	var tris [][3]int32
	for k, a := range loop {
		tris = append(tris, [3]int32{a, loop[(k+1)%len(loop)], c})
	}
	return tris
}
