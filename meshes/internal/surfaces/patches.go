package surfaces

// A triangulation of a polygon without further vertices has slivers as long as the polygon is wide:
// a fan at each end of the back of a comb, chords over the middle of a star. Boxes of such slivers
// overlap all over, so that a search among boxes would test a number of pairs that grows with the
// square of the corners. Here flat parts are found to be free of cuts as a whole.
//
// Let a patch be triangles that are connected by edges, lie near a plane, and turn
// counter-clockwise as seen against its normal. As seen so, the number of triangles over a point
// is the winding number of the patch's boundary about it: the sum of those of its loops. A simple
// loop has the number 0 or 1 if it turns counter-clockwise, as the outer one does, and 0 or −1 if it
// turns clockwise, as those of holes do. With one loop of the first kind and any number of the second
// the sum is 1 at most: no two triangles of the patch overlap. Whether loops are simple is a
// search among their edges, of which few are long.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/r3"
)

const (
	// crowded is the number of boxes met by that of one triangle, on average, from which patches are
	// sought.
	crowded = 32
	// patchSize is the number of triangles up to which a patch is not worth its search tree.
	patchSize = 64
	// patchFlatness is the distance of a patch's vertices from its plane, over the diagonal of
	// the mesh.
	patchFlatness = 1e-6
	// besideTol is the depth, over the diagonal of the mesh, up to which a triangle that reaches
	// through a patch counts as lying on one side: the round-off of planes that are not exact.
	besideTol = 1e-12
)

// patches are flat parts of a surface whose triangles do not overlap.
type patches struct {
	m *meshes.Tri
	// of each triangle, the triangle across side k, or −1 where there is none or several
	across [][3]int32
	// patch of each triangle, −1: none
	of []int32
	// triangles that need not be looked at again: in a patch, without area, or in one that was not simple
	tried []bool
	// of each patch a point of its plane, the normal, and the range of its vertices along that, m
	planes []patchPlane
	// triangles of the patch at hand, and their vertices as seen against its normal
	tris []int32
	flat map[int32]vec2
	tol  float64 // besideTol, m
}

// patchPlane is the plane of a patch: a point, the normal, and the heights of its vertices, m.
type patchPlane struct {
	at, normal r3.Vec
	low, high  float64
}

// flatPatches finds the flat parts of a surface that cut nothing within. flats are triangles without
// area, which belong to none.
func flatPatches(m *meshes.Tri, flats []bool) *patches {
	// Planes of the largest triangles are the most exact.
	seeds, area := make([]int32, 0, len(m.Tris)), make([]float64, len(m.Tris))
	for i, t := range m.Tris {
		if !flats[i] {
			p := Corners(m, t)
			area[i] = p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm()
			seeds = append(seeds, int32(i))
		}
	}
	slices.SortStableFunc(seeds, func(a, b int32) int { return cmp.Compare(area[b], area[a]) })
	// tolerances follow the size of the mesh, not its units
	size := m.Bounds().Size().Norm()
	p := &patches{m: m, of: slices.Repeat([]int32{-1}, len(m.Tris)), tol: besideTol * size, tried: slices.Clone(flats)}
	p.connect()
	// from the largest seed down, each triangle in one patch at most
	for _, s := range seeds {
		if p.tried[s] {
			continue
		}
		// grown over all that is flat, and kept only if its boundary proves it free of overlaps
		if plane := p.grow(s, patchFlatness*size); p.simple() {
			p.planes = append(p.planes, plane)
			continue
		}
		for _, t := range p.tris {
			p.of[t] = -1
		}
	}
	return p
}

// pairs visits the pairs of triangles whose boxes meet and that may cut each other, each once, until
// visit returns false: not those of one patch, and none of a patch with a triangle that lies beside it.
func (p *patches) pairs(boxes []r3.Box, flats []bool, visit func(i, j int32) bool) {
	// Members of each patch, and with number 0 the triangles of none, with trees of their own.
	members := make([][]int32, len(p.planes)+1)
	// triangles without area cut nothing
	for i, k := range p.of {
		if !flats[i] {
			members[k+1] = append(members[k+1], int32(i))
		}
	}
	// a tree for the triangles of each patch, and the box of each whole patch
	trees, wholes := make([]*bvh.Tree, len(members)), make([]r3.Box, len(p.planes))
	for k, list := range members {
		around, whole := make([]r3.Box, len(list)), r3.EmptyBox()
		for n, i := range list {
			around[n] = boxes[i]
			whole = whole.Union(boxes[i])
		}
		if trees[k] = bvh.Build(around); k > 0 {
			wholes[k-1] = whole
		}
	}
	var near, met []int32
	// pairs of triangle i with those of a member list; among the triangles of no patch each pair once
	meet := func(i int32, k int) bool {
		near = trees[k].Query(boxes[i], near[:0])
		for _, n := range near {
			if j := members[k][n]; (k > 0 || j > i) && !visit(min(i, j), max(i, j)) {
				return false
			}
		}
		return true
	}
	// Triangles of no patch meet each other; all meet the patches of a higher number than their own, so
	// that no pair is found twice.
	tree := bvh.Build(wholes)
	for own, list := range members {
		for _, i := range list {
			if own == 0 && !meet(i, 0) {
				return
			}
			met = tree.Query(boxes[i], met[:0])
			for _, k := range met {
				if int(k) >= own && !p.besides(&p.planes[k], i) && !meet(i, int(k)+1) {
					return
				}
			}
		}
	}
}

// besides reports whether triangle t lies on one side of all triangles of a patch, and leaves their
// plane: one within it may lie on top of them.
func (p *patches) besides(plane *patchPlane, t int32) bool {
	// heights of the triangle over the patch's plane
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range p.m.Tris[t] {
		d := p.m.Verts[v].Sub(plane.at).Dot(plane.normal)
		low, high = min(low, d), max(high, d)
	}
	// how far a corner must reach out for the triangle to count as leaving the plane, m
	leaves := p.tol * patchFlatness / besideTol
	return low >= plane.high-p.tol && high > plane.high+leaves || high <= plane.low+p.tol && low < plane.low-leaves
}

// connect finds the triangles across edges that exactly two triangles share, in opposite senses.
func (p *patches) connect() {
	p.across = make([][3]int32, len(p.m.Tris))
	for i := range p.across {
		p.across[i] = [3]int32{-1, -1, -1}
	}
	// uses of one edge follow each other
	uses := EdgeUses(p.m)
	for i := 0; i < len(uses); {
		k := i + 1
		for k < len(uses) && uses[k].A == uses[i].A && uses[k].B == uses[i].B {
			k++
		}
		// edges of one triangle, of three, or of two in one sense end a patch
		if u, w := uses[i], uses[k-1]; k-i == 2 && u.Forward != w.Forward {
			p.across[u.Tri][u.Side], p.across[w.Tri][w.Side] = w.Tri, u.Tri
		}
		i = k
	}
}

// grow collects the patch of a seed: neighbours that lie within tol, m, of its plane and are not
// turned over.
func (p *patches) grow(seed int32, tol float64) patchPlane {
	// the plane is that of the seed, which is the largest triangle that is left
	number := int32(len(p.planes))
	c := Corners(p.m, p.m.Tris[seed])
	plane := patchPlane{at: c[0], normal: c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Unit()}
	x, y := r3.Basis(plane.normal)
	p.flat = map[int32]vec2{}
	// place sees a vertex against the normal; false where it is too far from the plane
	place := func(v int32) bool {
		if _, ok := p.flat[v]; ok {
			return true
		}
		// height over the plane, then the place in it
		d := p.m.Verts[v].Sub(c[0])
		h := d.Dot(plane.normal)
		if math.Abs(h) > tol {
			return false
		}
		plane.low, plane.high = min(plane.low, h), max(plane.high, h)
		p.flat[v] = vec2{d.Dot(x), d.Dot(y)}
		return true
	}
	p.tris = p.tris[:0]
	// join adds a triangle unless it was tried, leaves the plane or is turned over
	join := func(t int32) {
		v := p.m.Tris[t]
		if p.tried[t] || !place(v[0]) || !place(v[1]) || !place(v[2]) || !(exact.Orient(p.flat[v[0]], p.flat[v[1]], p.flat[v[2]]) > 0) {
			return
		}
		p.of[t], p.tried[t] = number, true
		p.tris = append(p.tris, t)
	}
	// breadth first; the list is the queue
	join(seed)
	for i := 0; i < len(p.tris); i++ {
		for _, t := range p.across[p.tris[i]] {
			if t >= 0 {
				join(t)
			}
		}
	}
	return plane
}

// simple reports whether the boundary of the patch at hand is loops that do not touch themselves, one of
// them counter-clockwise.
func (p *patches) simple() bool {
	if len(p.tris) <= patchSize {
		return false // not worth it
	}
	// the boundary as a map from the start of each edge to its end, and the starts in the order found
	next := map[int32]int32{}
	var starts []int32
	for _, t := range p.tris {
		for k, u := range p.across[t] {
			if u >= 0 && p.of[u] == p.of[t] {
				continue
			}
			a, b := p.m.Tris[t][k], p.m.Tris[t][(k+1)%3]
			// two edges start here: the boundary touches itself
			if _, twice := next[a]; twice {
				return false
			}
			next[a] = b
			starts = append(starts, a)
		}
	}
	// As many edges end at a vertex as start there, one: following them closes a loop.
	outer := 0
	for _, a := range starts {
		if _, left := next[a]; !left {
			continue
		}
		var loop []int32
		for v, ok := a, true; ok; {
			loop = append(loop, v)
			w := next[v]
			delete(next, v)
			v = w
			_, ok = next[v]
		}
		if !p.apart(loop) {
			return false
		}
		if p.turnsLeft(loop) {
			outer++
		}
	}
	return outer == 1
}

// turnsLeft reports whether a simple loop turns counter-clockwise, exactly: the corner that is farthest
// left, and of these the lowest, is convex.
func (p *patches) turnsLeft(loop []int32) bool {
	n, least := len(loop), 0
	for i := range loop {
		a, b := p.flat[loop[i]], p.flat[loop[least]]
		if a[0] < b[0] || a[0] == b[0] && a[1] < b[1] {
			least = i
		}
	}
	return exact.Orient(p.flat[loop[(least+n-1)%n]], p.flat[loop[least]], p.flat[loop[(least+1)%n]]) > 0
}

// apart reports whether the edges of a loop, as seen against the normal, meet at common ends only.
func (p *patches) apart(loop []int32) bool {
	// boxes in the plane, with no extent along its normal
	n := len(loop)
	boxes, at := make([]r3.Box, n), make([]vec2, n+1)
	for i := range at {
		at[i] = p.flat[loop[i%n]]
	}
	for i := range boxes {
		a, b := at[i], at[i+1]
		boxes[i] = r3.EmptyBox().Extend(r3.Vec{a[0], a[1]}).Extend(r3.Vec{b[0], b[1]})
	}
	// of the edges whose boxes meet, those that share no end must not cross or touch
	tree := bvh.Build(boxes)
	var near []int32
	for i := range n {
		// each pair is seen from both of its edges
		near = tree.Query(boxes[i], near[:0])
		for _, j := range near {
			a, b, c, d := at[i], at[i+1], at[j], at[j+1]
			switch {
			case int(j) == i:
			case int(j) == (i+1)%n: // beyond the common end: not back along the edge
				if exact.Orient(a, b, d) == 0 && (b[0]-a[0])*(d[0]-b[0])+(b[1]-a[1])*(d[1]-b[1]) < 0 {
					return false
				}
			case i == (int(j)+1)%n: // seen from the other edge
			case exact.Orient(a, b, c)*exact.Orient(a, b, d) <= 0 && exact.Orient(c, d, a)*exact.Orient(c, d, b) <= 0:
				return false
			}
		}
	}
	return true
}
