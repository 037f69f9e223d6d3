package render

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// A recording has curved surfaces as flat triangles. They are drawn as curved
// ones: an edge from x_a to x_b whose ends have the normals n_a and n_b gets the
// midpoint of its PN-triangle curve (Vlachos et al., Curved PN Triangles, 2001),
//
//	e   = x_b − x_a
//	x_m = (x_a + x_b)/2 + ((n_b·e) n_b − (n_a·e) n_a)/8      (1)
//	n_m = unit(n_a + n_b)                                     (2)
//
// and is split there for as long as the arc rises too far above its chord. A flat
// face keeps its plane, because its normals are perpendicular to e. A crease has a
// pair of normals on either side; both sides use the larger of the two arcs, so
// that no gap opens.

// slotSplit is a new normal: the mean of those of slots a and b, by (2).
type slotSplit struct{ a, b int32 }

// edgeSplit is a new vertex: on the edge from vertex a to vertex b, whose sides
// have the normals tessellation.slots[from:to].
type edgeSplit struct{ a, b, from, to int32 }

// tessellation is a surface split into smaller triangles. It is found once and
// then applied to the vertices of every picture.
type tessellation struct {
	// tris are the vertices of the triangles. The surface's own vertices come first, then
	// those of edges.
	tris [][3]int32
	// corner is the slot of each corner. The slots of the skin come first, then those of
	// slots.
	corner [][3]int32
	// vert is the vertex of each slot.
	vert []int32
	// edges are in the order of the new vertices, slots in the order of the new slots. An
	// edge may have ends that are new vertices themselves, which stand before it.
	edges []edgeSplit
	slots []slotSplit
	// numVerts is the number of vertices with those of edges.
	numVerts int32
	// open reports that the surface has a rim, so that its inside can be seen.
	open bool
}

// Bounds of a tessellation.
const (
	// maxTessellated is the number of triangles from which a surface is not split again,
	// maxTessellatedAll that of all surfaces of a picture, which share it alike.
	maxTessellated, maxTessellatedAll = 24000, 1_000_000
	// maxRise is the largest height of an arc over the length of its edge. Normals that
	// give more are not those of a smooth curve, and the edge stays straight.
	maxRise = 0.2
)

// tessellate splits the edges of a surface that are longer than size, or whose arc
// rises by more than tol over its chord in any of the given placements of the
// vertices, m. It stops at the share of one of so many surfaces of a picture.
func tessellate(s *skin, placements [][]r3.Vec, tol, size float64, surfaces int) *tessellation {
	t := &tessellation{tris: s.tris, corner: s.corner, vert: append([]int32(nil), s.vert...), open: s.open, numVerts: int32(len(placements[0]))}
	at := make([][]r3.Vec, len(placements)) // vertices and normals of each placement
	normals := make([][]r3.Vec, len(placements))
	for i, verts := range placements {
		at[i], normals[i] = append([]r3.Vec(nil), verts...), s.normals(verts)
	}
	// an edge is split if it is too long, or bends too much, in one of the placements
	long := func(a, b, sa, sb int32) bool {
		for i := range at {
			e := at[i][b].Sub(at[i][a])
			rise := rise(e, normals[i][sa], normals[i][sb])
			if e.Norm2() > size*size || rise.Norm2() > tol*tol {
				return true
			}
		}
		return false
	}
	for len(t.tris) < min(maxTessellated, maxTessellatedAll/max(surfaces, 1)) {
		edges, slots := len(t.edges), len(t.slots)
		if !t.splitOnce(long) {
			break
		}
		for i := range at {
			at[i], normals[i] = t.extend(at[i], normals[i], edges, slots)
		}
	}
	return t
}

// rise is the vector from the middle of an edge e to its arc, see (1).
func rise(e, na, nb r3.Vec) r3.Vec {
	d := nb.Scale(nb.Dot(e)/8).AddScaled(-na.Dot(e)/8, na)
	// normals that far apart do not belong to one smooth curve
	if d.Norm2() > maxRise*maxRise*e.Norm2() {
		return r3.Vec{}
	}
	return d
}

// splitOnce splits each edge that is too long once, and reports whether there was
// one. A triangle with k such edges becomes k+1 triangles.
func (t *tessellation) splitOnce(long func(a, b, sa, sb int32) bool) bool {
	vertex := map[[2]int32]int32{}                // of an edge that is split, by its ends
	sides := map[[2]int32][]slotSplit{}           // of such an edge
	var order [][2]int32                          // such edges as they are met
	t.halfEdges(func(key [2]int32, s slotSplit) { // edges may be long on one side alone
		if _, ok := vertex[key]; !ok && long(key[0], key[1], s.a, s.b) {
			vertex[key] = t.numVerts + int32(len(order))
			order = append(order, key)
		}
	})
	t.halfEdges(func(key [2]int32, s slotSplit) {
		if _, ok := vertex[key]; ok && !slices.Contains(sides[key], s) {
			sides[key] = append(sides[key], s)
		}
	})
	// the sides of an edge stand together in t.slots
	slot := map[slotSplit]int32{}
	for _, key := range order {
		from := int32(len(t.slots))
		for _, s := range sides[key] {
			slot[s] = int32(len(t.vert))
			t.slots, t.vert = append(t.slots, s), append(t.vert, t.numVerts)
		}
		t.edges = append(t.edges, edgeSplit{key[0], key[1], from, int32(len(t.slots))})
		t.numVerts++
	}
	t.splitTriangles(vertex, slot)
	return len(order) > 0
}

// halfEdges calls do for each side of each edge: its vertices, the lower first, and
// the slots that they have there.
func (t *tessellation) halfEdges(do func(key [2]int32, s slotSplit)) {
	for i, v := range t.tris {
		for e := range 3 {
			// both triangles of an edge name it by its lower vertex first
			a, b, sa, sb := v[e], v[(e+1)%3], t.corner[i][e], t.corner[i][(e+1)%3]
			if a > b {
				a, b, sa, sb = b, a, sb, sa
			}
			do([2]int32{a, b}, slotSplit{sa, sb})
		}
	}
}

// splitTriangles replaces triangles by those between their corners and the new
// vertices on their edges.
func (t *tessellation) splitTriangles(vertex map[[2]int32]int32, slot map[slotSplit]int32) {
	tris, corner := make([][3]int32, 0, 2*len(t.tris)), make([][3]int32, 0, 2*len(t.tris))
	add := func(a, b, c [2]int32) { // vertex and slot of each corner
		tris = append(tris, [3]int32{a[0], b[0], c[0]})
		corner = append(corner, [3]int32{a[1], b[1], c[1]})
	}
	for i, v := range t.tris {
		var p, m [3][2]int32 // corners, and what is on the edges behind them
		var split [3]bool
		n := 0
		for e := range 3 {
			p[e] = [2]int32{v[e], t.corner[i][e]}
			a, b, sa, sb := v[e], v[(e+1)%3], t.corner[i][e], t.corner[i][(e+1)%3]
			if a > b {
				a, b, sa, sb = b, a, sb, sa
			}
			if k, ok := vertex[[2]int32{a, b}]; ok {
				m[e], split[e] = [2]int32{k, slot[slotSplit{sa, sb}]}, true
				n++
			}
		}
		splitTriangle(p, m, split, n, add)
	}
	t.tris, t.corner = tris, corner
}

// splitTriangle adds the triangles between the corners p of one triangle and the new vertices
// m[e] on those n of its edges e, from corner e to the next, that are split. Each p and m is a
// vertex and its slot.
func splitTriangle(p, m [3][2]int32, split [3]bool, n int, add func(a, b, c [2]int32)) {
	switch n {
	case 0:
		add(p[0], p[1], p[2])
	case 1:
		// two triangles from the new vertex to the corner opposite
		for e := range 3 {
			if split[e] {
				x, y := (e+1)%3, (e+2)%3
				add(p[e], m[e], p[y])
				add(m[e], p[x], p[y])
			}
		}
	case 2:
		for e := range 3 {
			if !split[e] { // the quadrilateral at this edge, and the corner opposite
				x, y := (e+1)%3, (e+2)%3
				add(p[e], p[x], m[x])
				add(p[e], m[x], m[y])
				add(m[y], m[x], p[y])
			}
		}
	case 3:
		// one at each corner, and the one between the new vertices
		add(p[0], m[0], m[2])
		add(m[0], p[1], m[1])
		add(m[2], m[1], p[2])
		add(m[0], m[1], m[2])
	}
}

// extend appends the vertices and normals of edges and slots from the given ones
// on.
func (t *tessellation) extend(verts, normals []r3.Vec, fromEdge, fromSlot int) ([]r3.Vec, []r3.Vec) {
	for _, e := range t.edges[fromEdge:] {
		x := verts[e.b].Sub(verts[e.a])
		// the larger arc of the sides of a crease, so that both sides meet
		var up r3.Vec
		for _, s := range t.slots[e.from:e.to] {
			if d := rise(x, normals[s.a], normals[s.b]); d.Norm2() > up.Norm2() {
				up = d
			}
		}
		verts = append(verts, verts[e.a].AddScaled(0.5, x).Add(up)) // (1)
		// each side has its own normal
		for range t.slots[e.from:e.to] {
			s := t.slots[fromSlot]
			normals = append(normals, normals[s.a].Add(normals[s.b]).Unit()) // (2)
			fromSlot++
		}
	}
	return verts, normals
}

// apply returns the vertices and the normals of all slots of the surface whose own
// vertices and slots have the given ones.
func (t *tessellation) apply(verts, normals []r3.Vec) ([]r3.Vec, []r3.Vec) {
	return t.extend(append(make([]r3.Vec, 0, len(verts)+len(t.edges)), verts...),
		append(make([]r3.Vec, 0, len(t.vert)), normals...), 0, 0)
}

// scalars extends a scalar at the surface's own vertices to all vertices: a new one
// has the mean of the two that it lies between.
func (t *tessellation) scalars(x []float64) []float64 {
	x = append(make([]float64, 0, len(x)+len(t.edges)), x...)
	for _, e := range t.edges {
		x = append(x, (x[e.a]+x[e.b])/2)
	}
	return x
}
