package meshes

// A corner of a polygon may be one of thousands of triangles: no triangulation of a comb without
// further vertices has less than a fan of all roots at the ends of its back. Boxes of slivers of
// such a fan all overlap, so that the search for cuts would test a number of pairs that grows with
// the square of the corners. Here fans are found to be free of cuts as a whole.
//
// Let a patch be triangles that are connected by edges, lie near a plane, and turn
// counter-clockwise as seen against its normal. As seen so, the number of triangles over a point
// is the winding number of the patch's boundary about it. Of a boundary that is one simple loop
// that number is 0 or 1: no two triangles of the patch overlap. Whether a loop is simple is a
// search among its edges, of which few are long.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

const (
	// fanSize is the number of triangles at a vertex from which patches are sought around it.
	fanSize = 64
	// patchFlatness is the distance of a patch's vertices from its plane, over the diagonal of
	// the mesh.
	patchFlatness = 1e-6
	// besideTol is the depth, over the diagonal of the mesh, up to which a triangle that reaches
	// through a patch counts as lying on one side: the round-off of planes that are not exact.
	besideTol = 1e-12
)

// patches are flat parts of a surface whose triangles do not overlap.
type patches struct {
	m *Tri
	// of each triangle, the triangle across side k, or −1 where there is none or several
	across [][3]int32
	// patch of each triangle, −1: none
	of []int32
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

// flatPatches finds the patches around vertices with large fans; nil where there is none. flats
// are triangles without area, which belong to none.
func flatPatches(m *Tri, flats []bool) *patches {
	// triangles at each vertex: without a large fan the plain search is fast
	count := make([]int32, len(m.Verts))
	for _, t := range m.Tris {
		for _, v := range t {
			count[v]++
		}
	}
	if len(count) == 0 || slices.Max(count) <= fanSize {
		return nil
	}
	// The largest triangles of fans know their planes best.
	var seeds []int32
	area := make([]float64, len(m.Tris))
	for i, t := range m.Tris {
		if !flats[i] && max(count[t[0]], count[t[1]], count[t[2]]) > fanSize {
			p := m.corners3(t)
			area[i] = p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm()
			seeds = append(seeds, int32(i))
		}
	}
	slices.SortStableFunc(seeds, func(a, b int32) int { return cmp.Compare(area[b], area[a]) })
	// tolerances follow the size of the mesh, not its units
	size := m.Bounds().Size().Norm()
	p := &patches{m: m, of: slices.Repeat([]int32{-1}, len(m.Tris)), tol: besideTol * size}
	p.connect()
	// a triangle of a patch that is not simple is no seed again: it would grow the same patch
	tried := make([]bool, len(m.Tris))
	// from the largest seed down, each triangle at most once
	for _, s := range seeds {
		if tried[s] {
			continue
		}
		// grown over all that is flat, and kept only if its boundary proves it free of overlaps
		plane := p.grow(s, patchFlatness*size, flats)
		simple := p.simple()
		for _, t := range p.tris {
			tried[t] = true
			if !simple {
				p.of[t] = -1
			}
		}
		if simple {
			p.planes = append(p.planes, plane)
		}
	}
	return p
}

// pairs returns the pairs of triangles whose boxes meet and that may cut each other, sorted: not
// those of one patch, and none of a patch with a triangle that lies beside it.
func (p *patches) pairs(boxes []r3.Box, flats []bool) [][2]int32 {
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
	var found [][2]int32
	var near, met []int32
	// pairs of triangle i with those of a member list; among the triangles of no patch each pair once
	meet := func(i int32, k int) {
		near = trees[k].Query(boxes[i], near[:0])
		for _, n := range near {
			if j := members[k][n]; k > 0 || j > i {
				found = append(found, [2]int32{min(i, j), max(i, j)})
			}
		}
	}
	// Triangles of no patch meet each other; all meet the patches of their own number or higher, so that no pair
	// is found twice.
	tree := bvh.Build(wholes)
	for own, list := range members {
		for _, i := range list {
			if own == 0 {
				meet(i, 0)
			}
			met = tree.Query(boxes[i], met[:0])
			for _, k := range met {
				if int(k) >= own && !p.besides(&p.planes[k], i) {
					meet(i, int(k)+1)
				}
			}
		}
	}
	// the same order as the plain search: results do not depend on patches
	slices.SortFunc(found, func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return found
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
	uses := p.m.edgeUses()
	for i := 0; i < len(uses); {
		k := i + 1
		for k < len(uses) && uses[k].a == uses[i].a && uses[k].b == uses[i].b {
			k++
		}
		// edges of one triangle, of three, or of two in one sense end a patch
		if u, w := uses[i], uses[k-1]; k-i == 2 && u.forward != w.forward {
			p.across[u.tri][u.side], p.across[w.tri][w.side] = w.tri, u.tri
		}
		i = k
	}
}

// grow collects the patch of a seed: neighbours that lie within tol, m, of its plane and are not
// turned over.
func (p *patches) grow(seed int32, tol float64, flats []bool) patchPlane {
	// the plane is that of the seed, which is the largest triangle that is left
	number := int32(len(p.planes))
	c := p.m.corners3(p.m.Tris[seed])
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
	// join adds a triangle unless it is taken, has no area, leaves the plane or is turned over
	join := func(t int32) {
		v := p.m.Tris[t]
		if p.of[t] >= 0 || flats[t] || !place(v[0]) || !place(v[1]) || !place(v[2]) || !(orient(p.flat[v[0]], p.flat[v[1]], p.flat[v[2]]) > 0) {
			return
		}
		p.of[t] = number
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

// simple reports whether the boundary of the patch at hand is one loop that does not touch itself.
func (p *patches) simple() bool {
	if len(p.tris) <= fanSize {
		return false // not worth it
	}
	// the boundary as a map from the start of each edge to its end
	next := map[int32]int32{}
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
		}
	}
	// One loop passes all boundary edges: one that closes early leaves a hole, which the winding number
	// does not forgive.
	loop := follow(next)
	return len(loop) == len(next) && p.apart(loop)
}

// follow returns the loop of edges through the least vertex, since the order of a map is random. next maps the start of
// each edge to its end. A path that comes back to another vertex than its first is cut at one more than all edges.
func follow(next map[int32]int32) []int32 {
	first := int32(math.MaxInt32)
	for a := range next {
		first = min(first, a)
	}
	// a map of n edges cannot be followed for more than n
	loop := []int32{first}
	for v := next[first]; v != first && len(loop) <= len(next); v = next[v] {
		loop = append(loop, v)
	}
	return loop
}

// apart reports whether the edges of a loop, as seen against the normal, meet at common ends only.
func (p *patches) apart(loop []int32) bool {
	// boxes in the plane, with no extent along its normal
	n := len(loop)
	boxes := make([]r3.Box, n)
	at := func(i int) vec2 { return p.flat[loop[i%n]] }
	for i := range boxes {
		a, b := at(i), at(i+1)
		boxes[i] = r3.EmptyBox().Extend(r3.Vec{a[0], a[1]}).Extend(r3.Vec{b[0], b[1]})
	}
	// of the edges whose boxes meet, those that share no end must not cross or touch
	tree := bvh.Build(boxes)
	var near []int32
	for i := range n {
		// each pair is seen from both of its edges
		near = tree.Query(boxes[i], near[:0])
		for _, j := range near {
			a, b, c, d := at(i), at(i+1), at(int(j)), at(int(j)+1)
			switch {
			case int(j) == i:
			case int(j) == (i+1)%n: // beyond the common end: not back along the edge
				if orient(a, b, d) == 0 && (b[0]-a[0])*(d[0]-b[0])+(b[1]-a[1])*(d[1]-b[1]) < 0 {
					return false
				}
			case i == (int(j)+1)%n: // seen from the other edge
			case orient(a, b, c)*orient(a, b, d) <= 0 && orient(c, d, a)*orient(c, d, b) <= 0:
				return false
			}
		}
	}
	return true
}
