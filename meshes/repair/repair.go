package repair

// Repair changes as little as it can: vertices never move, triangles change
// only their orientation or, next to slivers, their diagonal. New geometry
// comes from filling holes only. Self-intersections are not repaired: which
// side is inside is not known there, and the program that made the part can
// unite its bodies.

// Mesh repair of triangle surfaces. The steps, in this order:
//
//	weld        vertices within a tolerance become one                (internal/pointset/weld.go)
//	drop        triangles that use a vertex twice, duplicates
//	flip        slivers: the longest edge of a triangle without area is flipped
//	join        triangles are cut at vertices on their open edges     (tjunctions.go)
//	orient      neighbours agree, outside outward, cavities inward    (orient.go)
//	fill        holes are closed by triangles                         (fill.go)
//	drop        vertices of no triangle
//
// Reading a file does the steps that keep the shape as it is: welding only
// where that closes the surface, and no filling.

import (
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
)

// Options are the tolerances of Repair.
type Options struct {
	// Weld is the distance within which vertices become one, over the diagonal
	// of the bounding box; 0 welds only vertices at exactly the same place.
	Weld float64
	// FillHoles is the length of the longest hole to close, over the diagonal
	// of the bounding box. A hole of three edges, a missing triangle, is closed
	// however long it is. 0 fills no holes.
	FillHoles float64
}

// DefaultOptions welds within 10⁻⁶ of the diagonal and fills holes up to half of
// it: missing facets, but not missing sides of a part.
func DefaultOptions() Options { return Options{Weld: pointset.WeldTolerance, FillHoles: 0.5} }

// Repair returns a repaired copy of a surface: vertices welded, degenerate and
// duplicate triangles dropped, slivers joined to their neighbours, orientation made
// consistent with the outside outward, holes filled. The findings list the
// corrections and the remaining faults; VertexOf maps to the vertices of m.
func Repair(m *meshes.Tri, opt Options) (*meshes.Tri, meshes.Findings) {
	w := newRepairer(m)
	// The order matters: later steps rely on shared vertices.
	w.weld(opt.Weld*pointset.Bounds(m.Verts).Size().Norm(), false)
	w.dropDegenerate()
	w.dropDuplicates()
	w.flipSlivers()
	w.joinSeams(pointset.WeldTolerance * pointset.Bounds(m.Verts).Size().Norm())
	w.orient()
	// Filled holes take the orientation of their rim, which must be right
	// before.
	if opt.FillHoles > 0 {
		w.dropStray()
		w.fill(opt.FillHoles * pointset.Bounds(m.Verts).Size().Norm())
		// Holes without an area are filled by triangles without one.
		w.flipSlivers()
		w.orient()
	}
	w.dropUnused()
	// What is left is reported as faults.
	Topology(w.m).faults(w.m, &w.rep, closeAdvice)
	return w.m, w.rep
}

// OnRead does the repair that reading implies, which keeps the shape as
// it is. If the triangles are disjoint or edges are open, vertices that nearly
// coincide are welded where that closes edges.
func OnRead(m *meshes.Tri, loose bool) (*meshes.Tri, meshes.Findings) {
	w := newRepairer(m)
	if loose || openSides(m) > 0 {
		w.weld(pointset.WeldTolerance*pointset.Bounds(m.Verts).Size().Norm(), true)
	}
	w.dropDegenerate()
	w.dropDuplicates()
	w.flipSlivers()
	w.joinSeams(pointset.WeldTolerance * pointset.Bounds(m.Verts).Size().Norm())
	w.orient()
	w.dropUnused()
	Topology(w.m).faults(w.m, &w.rep, repairAdvice)
	return w.m, w.rep
}

// repairer is a mesh under repair.
type repairer struct {
	// the mesh, a copy of the original
	m *meshes.Tri
	// what was done so far
	rep meshes.Findings
	// for each vertex its number in the original
	from []int32
}

// newRepairer copies the mesh.
func newRepairer(m *meshes.Tri) *repairer {
	w := &repairer{m: &meshes.Tri{Verts: slices.Clone(m.Verts), Tris: slices.Clone(m.Tris)}, from: make([]int32, len(m.Verts))}
	for i := range w.from {
		w.from[i] = int32(i)
	}
	return w
}

// weld makes vertices within tol, m, one. If closing is set, it does so only
// when fewer edges are open afterwards: vertices that nearly coincide may
// belong to two parts.
func (w *repairer) weld(tol float64, closing bool) {
	// Nothing to weld: keep the mesh.
	to, n := pointset.Weld(w.m.Verts, tol)
	if n == 0 {
		return
	}
	// Renumber in a copy, which may be discarded.
	welded := &meshes.Tri{Verts: w.m.Verts, Tris: slices.Clone(w.m.Tris)}
	for i := range welded.Tris {
		for k, v := range welded.Tris[i] {
			welded.Tris[i][k] = to[v]
		}
	}
	// Counting open edges without the triangles that the welding collapses.
	if closing && openSides(surfaces.Collapsed(welded, nil)) >= openSides(w.m) {
		return
	}
	w.m = welded
	w.rep.Addf(meshes.Note, "weld", n, "%s within %s of another welded to it", phrases.Plural(n, "vertex"), phrases.Length(tol))
}

// dropDegenerate drops triangles that use a vertex twice: their other triangles
// close over them. Degenerate triangles with three vertices are left to
// flipSlivers, since the surface would be open without them.
func (w *repairer) dropDegenerate() {
	// Count what was dropped.
	c := surfaces.Collapsed(w.m, nil)
	if n := len(w.m.Tris) - len(c.Tris); n > 0 {
		w.m = c
		w.rep.Addf(meshes.Note, "degenerate", n, "%s without an area dropped", phrases.Plural(n, "triangle"))
	}
}

// dropDuplicates treats groups of triangles on the same three vertices. One
// triangle of a group is kept where the surface is closed with it, none where
// it is closed without: two triangles back to back are a wall without
// thickness.
func (w *repairer) dropDuplicates() {
	if len(duplicates(w.m)) == 0 {
		return
	}
	// Size of each group, and the number of even orientations less that of odd
	// ones.
	type group struct{ n, net int }
	groups := make(map[[3]int32]group, len(w.m.Tris))
	for _, t := range w.m.Tris {
		k, odd := meshes.SortedTri(t)
		g := groups[k]
		g.n++
		if odd {
			g.net--
		} else {
			g.net++
		}
		groups[k] = g
	}
	// Number of triangles at each edge.
	uses := make(map[[2]int32]int, len(w.m.Tris))
	for _, t := range w.m.Tris {
		for k := range 3 {
			uses[meshes.SideKey(t[k], t[(k+1)%3])]++
		}
	}
	// Without the group, an edge of it is open if an odd number of other
	// triangles uses it.
	var kept [][3]int32
	seen := make(map[[3]int32]bool, len(groups))
	for _, t := range w.m.Tris {
		k, _ := meshes.SortedTri(t)
		g := groups[k]
		// A group of several: decide about it at its first triangle.
		if g.n > 1 {
			odd := 0
			for e := range 3 {
				odd += (uses[meshes.SideKey(t[e], t[(e+1)%3])] - g.n) % 2
			}
			if seen[k] || g.net == 0 && odd < 2 {
				continue
			}
			seen[k] = true
		}
		kept = append(kept, t)
	}
	// A sheet with two sides stays: there is nothing else.
	if len(kept) == 0 {
		return // a sheet seen from both sides: there is nothing behind it
	}
	w.rep.Addf(meshes.Note, "duplicate", len(w.m.Tris)-len(kept), "%s on the vertices of others dropped", phrases.Plural(len(w.m.Tris)-len(kept), "triangle"))
	w.m = &meshes.Tri{Verts: w.m.Verts, Tris: kept}
}

// flipSlivers flips the longest edge of degenerate triangles: the vertex that
// lies on that edge then divides the neighbour. The surface stays as it is.
func (w *repairer) flipSlivers() {
	flipped := 0
	for range 4 { // rows of slivers take several rounds
		n := flipFlat(w.m)
		flipped += n
		if n == 0 {
			break
		}
	}
	if flipped > 0 {
		w.rep.Addf(meshes.Note, "sliver", flipped, "%s without an area joined to a neighbour", phrases.Plural(flipped, "triangle"))
	}
}

// flipFlat flips each degenerate triangle with the neighbour across its longest
// side, unless the flipped edge exists already or makes a degenerate triangle.
// It returns the number of flips.
func flipFlat(m *meshes.Tri) int {
	// Most meshes have none.
	var flats []int32
	for i, t := range m.Tris {
		if surfaces.IsFlat(m, t) {
			flats = append(flats, int32(i))
		}
	}
	if flats == nil {
		return 0
	}
	// Triangles at each edge.
	across := map[[2]int32][]int32{} // the triangles at each edge
	for i, t := range m.Tris {
		for k := range 3 {
			e := meshes.SideKey(t[k], t[(k+1)%3])
			across[e] = append(across[e], int32(i))
		}
	}
	// A triangle takes part in one flip a round.
	touched := map[int32]bool{}
	n := 0
	for _, f := range flats {
		// Edge a–b is the longest; c is opposite in t, x in the neighbour.
		t := m.Tris[f]
		k := longestSide(m, t)
		a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
		pair := across[meshes.SideKey(a, b)]
		if touched[f] || len(pair) != 2 {
			continue
		}
		// The neighbour across the longest side.
		g := pair[0] + pair[1] - f
		x, opposed := apexAcross(m.Tris[g], a, b)
		if touched[g] || !opposed || x == c || len(across[meshes.SideKey(c, x)]) > 0 {
			continue
		}
		// The two triangles after the flip.
		one, two := [3]int32{a, x, c}, [3]int32{x, b, c}
		// A flip that makes another sliver is of no use.
		if surfaces.IsFlat(m, one) || surfaces.IsFlat(m, two) {
			continue
		}
		m.Tris[f], m.Tris[g] = one, two
		touched[f], touched[g] = true, true
		across[meshes.SideKey(c, x)] = []int32{f, g}
		n++
	}
	return n
}

// longestSide returns k such that the side from corner k to k+1 is the longest.
func longestSide(m *meshes.Tri, t [3]int32) int {
	best, at := -1.0, 0
	for k := range 3 {
		if l := m.Verts[t[(k+1)%3]].Sub(m.Verts[t[k]]).Norm2(); l > best {
			best, at = l, k
		}
	}
	return at
}

// apexAcross returns the vertex of t opposite the edge that runs from b to a in
// it; opposed is false if t has no such edge.
func apexAcross(t [3]int32, a, b int32) (x int32, opposed bool) {
	for k := range 3 {
		if t[k] == b && t[(k+1)%3] == a {
			return t[(k+2)%3], true
		}
	}
	return 0, false
}

// orient makes the orientation consistent and adds findings on what it changed.
func (w *repairer) orient() {
	turned, cavities, onesided := orientTris(w.m)
	if turned > 0 {
		w.rep.Addf(meshes.Note, "oriented", turned, "%s turned over so that all face outward", phrases.Plural(turned, "triangle"))
	}
	if cavities > 0 {
		w.rep.Addf(meshes.Warning, "cavity", cavities, "%s inside another taken for a cavity: if it is material, unite the two before export", phrases.Plural(cavities, "closed piece"))
	}
	if onesided > 0 {
		w.rep.Addf(meshes.Warning, "one-sided", onesided, "the surface has no outside: it is one-sided across %s", phrases.Plural(onesided, "edge"))
	}
}

// dropUnused drops the vertices of no triangle, and records where the vertices
// came from.
func (w *repairer) dropUnused() {
	before := len(w.m.Verts)
	verts, from := pointset.Compact(w.m.Verts, func(visit func([]int32)) {
		for i := range w.m.Tris {
			visit(w.m.Tris[i][:])
		}
	})
	w.m.Verts = verts
	// Vertices that filling added have no original.
	for len(w.from) < before { // made by filling
		w.from = append(w.from, -1)
	}
	w.rep.VertexOf = pointset.IdentityAsNil(pointset.Compose(w.from, from), before)
	welded := w.rep.Count("weld")
	if n := before - len(verts) - welded; n > 0 {
		w.rep.Addf(meshes.Note, "unused-vertex", n, "%s of no triangle dropped", phrases.Plural(n, "vertex"))
	}
}

// openSides counts the edges at which the surface, whatever the orientation of
// its triangles, is not closed.
func openSides(m *meshes.Tri) int {
	n := 0
	surfaces.EachEdge(surfaces.EdgeUses(m), func(u []surfaces.EdgeUse) {
		if len(u)%2 == 1 {
			n++
		}
	})
	return n
}
