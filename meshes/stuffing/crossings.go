package stuffing

// Why moves are judged by the boundary too: tets on both sides of a narrow gap may all be good while
// their faces pass through each other, and the tets around a boundary edge may turn by more than once.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// The boundary of a cut lattice cuts itself nowhere, and no later move, flip or division leaves more
// boundary triangles that cut each other than there were. Triangles near a place are found by their
// vertices: a tree of boxes of all boundary vertices is built now and then, and the boxes are wide
// enough for triangles of usual size and for moves in between.

// skinReach is half the width of the box of a vertex over the edge of its cells: boundary edges are up to
// 1.5 as long, and vertices move by less than one between two trees.
const skinReach = 2.5

// skin finds the boundary triangles near a place.
type skin struct {
	// vertices of the tree, and those that came since
	verts, fresh []int32
	tree         *bvh.Tree
	// boundary triangles around each vertex, which comes first; nil: not known
	faces [][][3]int32
	// vertices that came to the boundary when tets were taken off, and may move freely
	bare []bool
	// scratch of queries
	near  []int32
	boxes []r3.Box
}

// onBoundary reports whether v is a vertex of the boundary.
func (r *relaxer) onBoundary(v int32) bool { return r.hold[v] != free || r.skin.bare[v] }

// indexSkin builds the tree of boundary vertices.
func (r *relaxer) indexSkin() {
	s := &r.skin
	s.verts, s.fresh = s.verts[:0], s.fresh[:0]
	var boxes []r3.Box
	for v, p := range r.m.Verts {
		if r.onBoundary(int32(v)) {
			s.verts = append(s.verts, int32(v))
			boxes = append(boxes, r3.EmptyBox().Extend(p).Inflate(skinReach*r.size[v]))
		}
	}
	s.tree = bvh.Build(boxes)
}

// forgetFaces lets the boundary triangles at the vertices of a tet be listed again.
func (r *relaxer) forgetFaces(t [4]int32) {
	for _, v := range t {
		r.skin.faces[v] = nil
	}
}

// facesAt returns the boundary triangles around v, v first.
func (r *relaxer) facesAt(v int32) [][3]int32 {
	if f := r.skin.faces[v]; f != nil {
		return f
	}
	// A face between two tets has both of them.
	var once [][2]int32
	for _, t := range r.stars[v] {
		k := &r.m.Tets[t]
		i := slices.Index(k[:], v)
		for j := range 3 {
			e := meshes.SideKey(k[(i+1+j)%4], k[(i+1+(j+1)%3)%4])
			if at := slices.Index(once, e); at >= 0 {
				once = slices.Delete(once, at, at+1)
			} else {
				once = append(once, e)
			}
		}
	}
	f := make([][3]int32, len(once))
	for i, e := range once {
		f[i] = [3]int32{v, e[0], e[1]}
	}
	r.skin.faces[v] = f
	return f
}

// crossings returns the number of pairs of boundary triangles that cut each other, of which one has
// the vertex v. The search stops beyond most.
func (r *relaxer) crossings(v int32, most int) (n int) {
	if r.skin.tree == nil || !r.onBoundary(v) {
		return 0
	}
	s, own := &r.skin, r.facesAt(v)
	box := r3.EmptyBox()
	s.boxes = s.boxes[:0]
	for i, f := range own {
		at := r.faceBox(f)
		for j, g := range own[:i] {
			if at.Overlaps(s.boxes[j]) && r.cross(f, g) {
				n++
			}
		}
		box, s.boxes = box.Union(at), append(s.boxes, at)
	}
	s.near = s.tree.Query(box, s.near[:0])
	for i, k := range s.near {
		s.near[i] = s.verts[k]
	}
	s.near = append(s.near, s.fresh...)
	for _, w := range s.near {
		if n > most {
			return n
		}
		// each triangle by its first vertex, which is near if the others are
		for _, f := range r.facesAt(w) {
			if f[1] < w || f[2] < w || w == v || f[1] == v || f[2] == v {
				continue
			}
			at := r.faceBox(f)
			if !at.Overlaps(box) {
				continue
			}
			for i, g := range own {
				if at.Overlaps(s.boxes[i]) && r.cross(f, g) {
					n++
				}
			}
		}
	}
	return n
}

// faceBox returns the box of a boundary triangle.
func (r *relaxer) faceBox(f [3]int32) r3.Box {
	p, q, o := &r.m.Verts[f[0]], &r.m.Verts[f[1]], &r.m.Verts[f[2]]
	var b r3.Box
	for k := range 3 {
		b.Min[k], b.Max[k] = min(p[k], q[k], o[k]), max(p[k], q[k], o[k])
	}
	return b
}

// cross reports whether two boundary triangles cut each other. Most have a side of one between them,
// which costs less to see than by exact signs.
func (r *relaxer) cross(f, g [3]int32) bool {
	if r.hinged(f, g) {
		return false
	}
	m := meshes.Tri{Verts: r.m.Verts}
	p, q := surfaces.Corners(&m, f), surfaces.Corners(&m, g)
	np, nq := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])), q[1].Sub(q[0]).Cross(q[2].Sub(q[0]))
	if surfaces.ApartInPlane(p, q, np) || surfaces.ApartInPlane(q, p, nq) {
		return false
	}
	return surfaces.CutEachOther(&m, f, g)
}

// hinged reports whether two triangles have a common side and an angle of more than 30° there, so that
// they share nothing else.
func (r *relaxer) hinged(f, g [3]int32) bool {
	common, i, j := 0, 0, 3 // corners: how many are common, and the places of the others
	for k, v := range f {
		if at := slices.Index(g[:], v); at >= 0 {
			common++
			j -= at
		} else {
			i = k
		}
	}
	if common != 2 {
		return false
	}
	a := r.m.Verts[f[(i+1)%3]]
	side := r.m.Verts[f[(i+2)%3]].Sub(a)
	u, w := r.m.Verts[f[i]].Sub(a), r.m.Verts[g[j]].Sub(a)
	// across the side
	l2 := side.Norm2()
	u, w = u.AddScaled(-u.Dot(side)/l2, side), w.AddScaled(-w.Dot(side)/l2, side)
	d := u.Dot(w)
	return d < 0 || d*d < 0.75*u.Norm2()*w.Norm2()
}

// uncrossed reports whether boundary triangles of v cut no more others than they would with v at old;
// else it moves v back there.
func (r *relaxer) uncrossed(v int32, old r3.Vec) bool {
	if r.crossings(v, 0) == 0 {
		return true
	}
	p := r.m.Verts[v]
	r.m.Verts[v] = old
	was := r.crossings(v, math.MaxInt)
	r.m.Verts[v] = p
	if was > 0 && r.crossings(v, was) <= was {
		return true
	}
	r.move(v, old)
	return false
}

// uncrossedAmong reports whether boundary triangles of v, and of the vertices that were moved from
// saved places, cut no more others than they would with all of them there.
func (r *relaxer) uncrossedAmong(v int32, verts []int32, saved []r3.Vec) bool {
	if r.crossingsAmong(v, verts, saved, 0) == 0 {
		return true
	}
	back := slices.Clone(saved)
	for i, w := range verts {
		r.m.Verts[w], back[i] = back[i], r.m.Verts[w]
	}
	was := r.crossingsAmong(v, verts, back, math.MaxInt)
	for i, w := range verts {
		r.m.Verts[w] = back[i]
	}
	return was > 0 && r.crossingsAmong(v, verts, saved, was) <= was
}

// crossingsAmong returns the sum of the crossings of v and of the vertices that are not at the given
// places. The search stops beyond most.
func (r *relaxer) crossingsAmong(v int32, verts []int32, places []r3.Vec, most int) int {
	n := r.crossings(v, most)
	for i, w := range verts {
		if n <= most && w != v && r.m.Verts[w] != places[i] {
			n += r.crossings(w, most-n)
		}
	}
	return n
}
