package meshes

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// fill closes holes no longer than limit by cutting ears in their mean plane; those
// of three edges, facets that are missing, however long they are.
func (w *repairer) fill(limit float64) {
	var filled, left int
	var first string
	edges := make(map[[2]int32]bool, 2*len(w.m.Tris))
	uses := w.m.edgeUses()
	eachEdge(uses, func(u []edgeUse) { edges[[2]int32{u[0].a, u[0].b}] = true })
	for _, h := range w.m.holes(uses) {
		if h.Length > limit && !w.m.lacksFacet(uses, h.Verts) || len(h.Verts) < 3 {
			left++
			continue
		}
		// The cover runs against the triangles around the hole.
		loop := slices.Clone(h.Verts)
		if !w.m.runsAlong(uses, loop) {
			continue // an open chain
		}
		slices.Reverse(loop)
		cover := w.m.cover(loop, edges)
		if first == "" {
			first = h.String()
		}
		w.m.Tris = append(w.m.Tris, cover...)
		filled++
	}
	if filled > 0 {
		w.rep.addf(Note, "filled", filled, "%s filled, the longest %s", plural(filled, "hole"), first)
	}
	if left > 0 {
		w.rep.addf(Warning, "unfilled", left, "%s longer than %s left open", plural(left, "hole"), length(limit))
	}
}

// lacksFacet reports whether a loop is the rim of one facet that is missing, not that
// of one that lies there alone.
func (m *Tri) lacksFacet(uses []edgeUse, loop []int32) bool {
	if len(loop) != 3 || !m.runsAlong(uses, loop) {
		return false
	}
	e := sideKey(loop[0], loop[1])
	i, _ := slices.BinarySearchFunc(uses, e, compareEdge)
	return !slices.Contains(m.Tris[uses[i].tri][:], loop[2])
}

// compareEdge orders uses by their edge.
func compareEdge(u edgeUse, e [2]int32) int {
	if u.a != e[0] {
		return int(u.a) - int(e[0])
	}
	return int(u.b) - int(e[1])
}

// runsAlong reports whether the loop is a closed chain of edges of one triangle.
func (m *Tri) runsAlong(uses []edgeUse, loop []int32) bool {
	for k, a := range loop {
		e := sideKey(a, loop[(k+1)%len(loop)])
		i, ok := slices.BinarySearchFunc(uses, e, compareEdge)
		if !ok || i+1 < len(uses) && uses[i+1].a == e[0] && uses[i+1].b == e[1] {
			return false
		}
	}
	return true
}

// cover triangulates a loop; when that would use an edge that exists already, it
// puts a vertex in the middle instead.
func (m *Tri) cover(loop []int32, edges map[[2]int32]bool) [][3]int32 {
	var tris [][3]int32
	if n := newell(m.Verts, loop); n.Norm2() > 0 {
		tris = cutEars(m.Verts, loop, n)
	}
	rim := map[[2]int32]bool{}
	for k, a := range loop {
		rim[sideKey(a, loop[(k+1)%len(loop)])] = true
	}
	ok := tris != nil
	for _, t := range tris {
		for k := range 3 {
			e := sideKey(t[k], t[(k+1)%3])
			ok = ok && (rim[e] || !edges[e])
		}
	}
	if !ok {
		tris = m.fan(loop)
	}
	for _, t := range tris {
		for k := range 3 {
			edges[sideKey(t[k], t[(k+1)%3])] = true
		}
	}
	return tris
}

// fan covers a loop from a new vertex at its mean.
func (m *Tri) fan(loop []int32) [][3]int32 {
	var o r3.Vec
	for _, v := range loop {
		o = o.AddScaled(1/float64(len(loop)), m.Verts[v])
	}
	c := int32(len(m.Verts))
	m.Verts = append(m.Verts, o)
	var tris [][3]int32
	for k, a := range loop {
		tris = append(tris, [3]int32{a, loop[(k+1)%len(loop)], c})
	}
	return tris
}
