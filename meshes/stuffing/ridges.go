package stuffing

// A ridge is an edge of the surface at which the normals turn by more than 35°.
// Facets of cylinders and fillets turn by less, so that round parts have none.
// Corners are the ends of ridges, their branches and their sharp bends.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

const (
	// cornerCos is the cosine of the turn of a sharp edge, 45°, from which its
	// vertex counts as a corner.
	cornerCos = 0.707
	// snapFloor is the quality, sin 12°, that moving a vertex to a ridge leaves.
	snapFloor = 0.21
	// cutOffDistance is the distance, over h, of the middle of a boundary edge
	// from the surface from which the edge is said to cut off a ridge.
	cutOffDistance = 0.03
)

// Sharp edges and corners. The cut lattice chamfers them, since its vertices
// lie on the surface but nowhere near an edge. Vertices close to a sharp edge
// of the surface ("ridge") move onto it, and the vertex closest to a corner
// moves there, as far as the quality of the tets allows.

// ridges are the sharp edges and corners of a surface.
type ridges struct {
	// end points of the sharp edges, m
	ends [][2]r3.Vec
	// the same as numbers of nodes, and the ridges at each node
	nodes  [][2]int32
	around map[int32][]int32
	// nodes that are corners
	turns map[int32]bool
	// bounding volume hierarchy over them
	tree *bvh.Tree
	// points where sharp edges end, branch or turn, m
	corners []r3.Vec
	// bounding volume hierarchy over them
	cornerTree *bvh.Tree
}

// findRidges returns the sharp edges of a closed surface, and its corners: the
// vertices at which not exactly two sharp edges meet, or meet at an angle.
func findRidges(m *meshes.Tri) *ridges { return newRidges(m.Verts, sharpEdges(m)) }

// unionRidges returns the sharp edges of a union: those of its solids and the seams.
func unionRidges(u *surfaces.Union) *ridges {
	var verts []r3.Vec
	var pairs [][2]int32
	for _, s := range slices.Concat(u.Edges, u.Seams) {
		n := int32(len(verts))
		verts, pairs = append(verts, s[0], s[1]), append(pairs, [2]int32{n, n + 1})
	}
	to, _ := pointset.Weld(verts, pointset.WeldTolerance*u.Tri.Bounds().Size().Norm())
	var kept [][2]int32
	for _, k := range pairs {
		if a, b := to[k[0]], to[k[1]]; a != b {
			kept = append(kept, [2]int32{a, b})
		}
	}
	return newRidges(verts, kept)
}

// newRidges returns the ridges with the given pairs of vertices as ends.
func newRidges(at []r3.Vec, edges [][2]int32) *ridges {
	out := &ridges{nodes: edges, around: map[int32][]int32{}, turns: map[int32]bool{}}
	// each ridge leaves both of its ends, in opposite directions
	dirs := map[int32][]r3.Vec{} // directions of the ridges at a vertex
	var boxes []r3.Box
	var verts []int32
	for i, k := range edges {
		// End points, bounds and both directions of each sharp edge.
		p, q := at[k[0]], at[k[1]]
		out.ends = append(out.ends, [2]r3.Vec{p, q})
		boxes = append(boxes, r3.EmptyBox().Extend(p).Extend(q))
		d := q.Sub(p).Scale(1 / q.Sub(p).Norm())
		for j, dir := range [2]r3.Vec{d, d.Neg()} {
			if len(dirs[k[j]]) == 0 {
				verts = append(verts, k[j])
			}
			dirs[k[j]] = append(dirs[k[j]], dir)
			out.around[k[j]] = append(out.around[k[j]], int32(i))
		}
	}
	out.tree = bvh.Build(boxes)
	// A vertex with two directions that are nearly opposite is no corner.
	for _, v := range verts {
		if d := dirs[v]; len(d) != 2 || d[0].Dot(d[1]) > -cornerCos {
			out.corners = append(out.corners, at[v])
			out.turns[v] = true
		}
	}
	out.cornerTree = treeOfPoints(out.corners)
	return out
}

// treeOfPoints returns a tree of boxes for searches of the nearest point.
func treeOfPoints(points []r3.Vec) *bvh.Tree {
	var boxes []r3.Box
	for _, p := range points {
		boxes = append(boxes, r3.EmptyBox().Extend(p))
	}
	return bvh.Build(boxes)
}

// sharpEdges returns the edges, as pairs of vertices, with an angle above 35°
// between the normals of their triangles, and those of more than two triangles. Of
// vertices at one place the first stands for all.
func sharpEdges(m *meshes.Tri) [][2]int32 {
	id, _ := pointset.Weld(m.Verts, 0)
	type side struct {
		normal r3.Vec // of the first triangle
		count  int    // triangles so far
	}
	sides := map[[2]int32]side{}
	var order [][2]int32
	for _, t := range m.Tris {
		// the unit normal of the triangle
		a := m.Verts[t[0]]
		n := m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a))
		// A triangle without area gets the normal zero, which makes its edges
		// sharp.
		n = n.Scale(1 / math.Max(n.Norm(), 1e-300))
		for i := range 3 {
			k := meshes.SideKey(id[t[i]], id[t[(i+1)%3]])
			s, seen := sides[k]
			// The second triangle at an edge decides.
			if !seen {
				s.normal = n
			} else if s.count == 1 && s.normal.Dot(n) < surfaces.RidgeCos || s.count > 1 {
				order = append(order, k)
			}
			s.count++
			sides[k] = s
		}
	}
	var once [][2]int32
	for i, k := range order { // an edge of many triangles was listed by each of them
		if sides[k].count <= 2 || !slices.Contains(order[:i], k) {
			once = append(once, k)
		}
	}
	return once
}

// nearest returns the point of the ridges nearest to p and its distance, m, or
// p and +Inf if none is closer than reach.
func (r *ridges) nearest(p r3.Vec, reach float64) (r3.Vec, float64) {
	// The search is limited to the reach.
	i, d2 := r.tree.Nearest(p, reach*reach, func(i int32) float64 { return r.foot(i, p).Sub(p).Norm2() })
	if i < 0 {
		return p, math.Inf(1)
	}
	return r.foot(i, p), math.Sqrt(d2)
}

// foot returns the point of ridge i nearest to p.
func (r *ridges) foot(i int32, p r3.Vec) r3.Vec { return footOfSegment(r.ends[i][0], r.ends[i][1], p) }

// footOfSegment returns the point of the segment from a to b nearest to p: the foot of the perpendicular,
// or the nearer end.
func footOfSegment(a, b, p r3.Vec) r3.Vec {
	d := b.Sub(a)
	return a.AddScaled(math.Max(0, math.Min(1, p.Sub(a).Dot(d)/math.Max(d.Norm2(), math.SmallestNonzeroFloat64))), d)
}

// sharpen moves vertices of the surface to corners and ridges, then flips or divides the
// boundary edges that still cut ridges off, in three rounds each at most.
func (r *relaxer) sharpen() {
	for range 3 {
		// Corners first: ridges end at them.
		moved := r.snapCorners()
		moved = r.snapRidges() || moved
		if !moved {
			break
		}
		r.relax(relaxSoon)
	}
	for range 3 {
		flipped := r.flipAcrossRidges()
		if !r.splitAcrossRidges() && !flipped {
			return
		}
		r.relax(relaxSoon)
		clear(r.tries)
		r.snapCorners()
		r.snapRidges()
	}
	r.flipAcrossRidges()
}

// snapCorners moves to each corner the nearest vertex for which the quality
// allows it.
func (r *relaxer) snapCorners() bool {
	r.indexSkin()
	type pair struct {
		v, c int32
		d    float64
	}
	var near []pair
	taken := make([]bool, len(r.ridge.corners))
	// Candidates: vertices of the surface closer than 0.9 cells.
	boxes := make([]r3.Box, len(r.m.Verts))
	for v, p := range r.m.Verts {
		boxes[v] = r3.EmptyBox().Extend(p).Inflate(0.9 * r.size[v])
	}
	tree := bvh.Build(boxes)
	var found []int32
	for c, p := range r.ridge.corners {
		// Vertices with the corner in their box.
		found = tree.Query(r3.EmptyBox().Extend(p), found[:0])
		slices.Sort(found)
		for _, v := range found {
			d := p.Sub(r.m.Verts[v]).Norm()
			switch h := r.hold[v]; {
			// A vertex is at this corner from an earlier round.
			case h == pinned && d == 0:
				taken[c] = true
			case (h == onSkin || h == onRidge) && d < 0.9*r.size[v]:
				near = append(near, pair{v, int32(c), d})
			}
		}
	}
	// Closest pairs first; each corner and each vertex once.
	slices.SortStableFunc(near, func(a, b pair) int { return cmp.Compare(a.d, b.d) })
	moved := false
	for _, n := range near {
		// A vertex can serve one corner only.
		if !taken[n.c] && r.hold[n.v] != pinned && r.place(n.v, r.ridge.corners[n.c], pinned, snapFloor) {
			taken[n.c], moved = true, true
		}
	}
	return moved
}

// snapRidges moves one end of the boundary edges that cut off a ridge onto it.
func (r *relaxer) snapRidges() bool {
	if len(r.ridge.ends) == 0 {
		return false
	}
	r.indexSkin()
	// Neighbours of each vertex along boundary edges.
	neighbours := make([][]int32, len(r.m.Verts))
	tris, _ := r.m.Boundary()
	for _, t := range tris {
		for i := range 3 {
			a, b := t[i], t[(i+1)%3]
			neighbours[a] = append(neighbours[a], b)
		}
	}
	// Vertices of the surface close to a ridge with an edge that cuts it off,
	// closest first.
	type candidate struct {
		v int32
		d float64
	}
	var list []candidate
	for v := range neighbours {
		// Vertices on ridges and at corners stay there.
		if r.hold[v] != onSkin {
			continue
		}
		if _, d := r.ridge.nearest(r.m.Verts[v], 0.9*r.size[v]); d < 0.9*r.size[v] && r.cutsOff(int32(v), neighbours[v]) {
			list = append(list, candidate{int32(v), d})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.d, b.d) })
	moved := false
	for _, c := range list {
		// Earlier moves may have repaired it.
		if r.cutsOff(c.v, neighbours[c.v]) {
			// The foot of the perpendicular on the nearest ridge.
			p, _ := r.ridge.nearest(r.m.Verts[c.v], r.size[c.v])
			// A corner has a vertex of its own.
			if _, d := r.ridge.corner(p); d == 0 {
				continue
			}
			moved = r.place(c.v, p, onRidge, snapFloor) || moved
		}
	}
	return moved
}

// cutsOff reports whether a boundary edge from v leaves the surface near a
// ridge.
func (r *relaxer) cutsOff(v int32, neighbours []int32) bool {
	for _, w := range neighbours {
		// The middle of an edge that crosses a ridge is off the surface.
		mid := r.m.Verts[v].Add(r.m.Verts[w]).Scale(0.5)
		if d, _, _, _, _ := r.dist.Signed(mid); math.Abs(d) > cutOffDistance*r.size[v] {
			if _, far := r.ridge.nearest(mid, r.size[v]); far < r.size[v] {
				return true
			}
		}
	}
	return false
}
