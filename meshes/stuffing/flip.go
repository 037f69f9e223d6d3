package stuffing

// Why edges are flipped: with vertices on a ridge, the lattice may still join the two on its sides. A hollow corner is
// then filled, a convex one cut off, and no move of a vertex repairs that.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Flips of boundary edges. Two boundary triangles a–b–p and b–a–q whose common edge cuts off the ridge from p to q
// become a–q–p and b–p–q, as the surface has them:
//
//	    p                p
//	   ╱ ╲              ╱│╲
//	  a───b     →      a │ b
//	   ╲ ╱              ╲│╱
//	    q                q
//
// The tets around a–b, with the vertices p, x₁, …, q in turn, go. The polygon of these vertices is divided into
// triangles, each of which makes a tet with a and one with b: none for a single tet, which filled a hollow corner. A
// convex corner may get a tet a–b–p–q instead. The boundary stays a manifold.

const (
	// flipRounds bounds how often the boundary is searched: flips of a round share no vertex.
	flipRounds = 4
	// flipTets is the largest number of tets around an edge: all divisions of a pentagon are fans.
	flipTets = 4
	// leastFan is the number of boundary triangles at the ends of an edge that a flip may take one from.
	leastFan = 4
)

// boundaryEdge is an edge of the boundary, which has two triangles.
type boundaryEdge struct {
	// a triangle and the tet that it belongs to; the second one runs along the edge the other way
	tri   [3]int32
	owner int32
	// the vertices across, on both sides
	apex [2]int32
	// how many triangles have the edge
	count int
}

// flip is a boundary edge to be flipped.
type flip struct {
	edge [2]int32
	at   *boundaryEdge
	// signed distance of its middle from the surface, m, less than zero inside
	off float64
}

// flipAcrossRidges flips the boundary edges that cut off a ridge between two vertices on it, those that cut off most
// first, as far as quality allows, and reports whether there were any.
func (r *relaxer) flipAcrossRidges() (any bool) {
	// smooth parts have no ridge, and need no search
	if len(r.ridge.ends) == 0 {
		return false
	}
	touched, gone := map[int32]bool{}, map[int32]bool{}
	for range flipRounds {
		clear(touched)
		clear(gone)
		r.indexSkin()
		for _, f := range r.flips() {
			// The boundary around touched vertices is another by now.
			if verts, drop, ok := r.flip(&f, touched); ok {
				for _, v := range verts {
					touched[v] = true
				}
				for _, t := range drop {
					gone[t] = true
				}
			}
		}
		if len(touched) == 0 {
			return any
		}
		any = true
		keepTets(r.m, func(t int) bool { return !gone[int32(t)] })
		r.rebuildStars()
		clear(r.converged)
	}
	return any
}

// flips lists the edges whose flip brings the boundary nearer to the surface, the largest first.
func (r *relaxer) flips() []flip {
	tris, owner := r.m.Boundary()
	edges := make(map[[2]int32]*boundaryEdge, 3*len(tris)/2)
	fan := make([]int, len(r.m.Verts))
	var order [][2]int32
	for i, t := range tris {
		for k := range 3 {
			fan[t[k]]++
			key := meshes.SideKey(t[k], t[(k+1)%3])
			e := edges[key]
			if e == nil {
				e = &boundaryEdge{tri: t, owner: owner[i]}
				edges[key], order = e, append(order, key)
			}
			if e.count < 2 {
				e.apex[e.count] = t[(k+2)%3]
			}
			e.count++
		}
	}
	var list []flip
	for _, key := range order {
		e := edges[key]
		p, q := e.apex[0], e.apex[1]
		// The ridge runs from p to q.
		if e.count != 2 || r.hold[p] < onRidge || r.hold[q] < onRidge || edges[meshes.SideKey(p, q)] != nil || min(fan[key[0]], fan[key[1]]) < leastFan {
			continue
		}
		size := min(r.size[key[0]], r.size[key[1]])
		middle := r.m.Verts[key[0]].Lerp(r.m.Verts[key[1]], 0.5)
		if !r.leaves(middle, size) {
			continue
		}
		along, _, _, _, _ := r.dist.Signed(r.m.Verts[p].Lerp(r.m.Verts[q], 0.5))
		if math.Abs(along) > cutOffDistance*size {
			continue
		}
		off, _, _, _, _ := r.dist.Signed(middle)
		list = append(list, flip{key, e, off})
	}
	// stable, so that equal ones come in the order of the mesh in every run
	slices.SortStableFunc(list, func(a, b flip) int { return cmp.Compare(math.Abs(b.off), math.Abs(a.off)) })
	return list
}

// flip flips an edge whose tets have no touched vertex and relaxes the vertices around. It returns the vertices of the
// tets that go or come, and the numbers of those that go without another in their place. If a tet then is worse than
// snapFloor and than all were before, it undoes everything and returns false.
func (r *relaxer) flip(f *flip, touched map[int32]bool) (verts, gone []int32, ok bool) {
	p, q := f.at.apex[0], f.at.apex[1]
	verts = []int32{f.edge[0], f.edge[1], p, q}
	hit := func(v int32) bool { return touched[v] }
	if slices.ContainsFunc(verts, hit) {
		return nil, nil, false
	}
	ring, old := r.around(f.edge, p, f.at.owner)
	if len(old) > flipTets || ring[len(ring)-1] != q || slices.ContainsFunc(ring, hit) || len(old) > 1 && r.joined(p, q) || len(old) == 1 && f.off < 0 {
		return nil, nil, false
	}
	floor := snapFloor
	for _, t := range old {
		floor = min(floor, r.current(t))
	}
	verts = append(verts, ring[1:len(ring)-1]...)
	drop, add := r.bestDivision(f, ring, old)
	// Save the positions of all vertices that may move.
	var near []int32
	for _, v := range verts {
		near = append(near, r.ring(v)...)
	}
	slices.Sort(near)
	near = slices.Compact(near)
	poor, crossed := r.poorAmong(near, floor), r.crossings(p, math.MaxInt)
	saved := make([]r3.Vec, len(near))
	for i, v := range near {
		saved[i] = r.m.Verts[v]
	}
	put, was, count := r.exchange(drop, add)
	good := func() bool {
		return !slices.ContainsFunc(put, func(t int32) bool { return r.current(t) < floor })
	}
	// Let the vertices around adapt, twice at most.
	for range 2 {
		if good() {
			break
		}
		for _, v := range verts {
			r.reactivate(v)
		}
		for _, v := range near {
			r.improve(v, floor)
		}
	}
	// both new boundary triangles have p
	if good() && r.poorAmong(near, floor) <= poor && r.crossingsAmong(p, near, saved, crossed) <= crossed {
		if len(add) < len(drop) {
			gone = drop[len(add):]
		}
		return verts, gone, true
	}
	r.restore(near, saved)
	r.withdraw(drop, add, was, count)
	return nil, nil, false
}

// bestDivision returns the tets that go with a flip and those that come, such that the worst of these is best.
func (r *relaxer) bestDivision(f *flip, ring, old []int32) (drop []int32, add [][4]int32) {
	k := slices.Index(f.at.tri[:], ring[0])
	a, b := f.at.tri[(k+1)%3], f.at.tri[(k+2)%3]
	best := math.Inf(-1)
	take := func(from []int32, to [][4]int32) {
		worst := math.Inf(1)
		for i := range to {
			worst = min(worst, r.qualityOf(&to[i]))
		}
		if worst > best {
			best, drop, add = worst, from, to
		}
	}
	// in front of the edge where it runs inside of the surface
	if f.off < 0 {
		take(nil, [][4]int32{{ring[0], a, b, ring[len(ring)-1]}})
	}
	// the fans of the polygon, which a sees turn one way and b the other
	for c := range ring {
		var to [][4]int32
		for i := range ring {
			if j := (i + 1) % len(ring); i != c && j != c {
				to = append(to, [4]int32{a, ring[c], ring[j], ring[i]}, [4]int32{b, ring[c], ring[i], ring[j]})
			}
		}
		if take(old, to); len(ring) < 4 {
			break
		}
	}
	return drop, add
}

// exchange puts tets in the place of others, in the mesh and in the stars of its vertices, and returns their numbers,
// the tets that were there, and how many the mesh had. A number without a new tet stays in the mesh, but in no star.
func (r *relaxer) exchange(drop []int32, add [][4]int32) (put []int32, was [][4]int32, count int) {
	count = len(r.m.Tets)
	for _, t := range drop {
		was = append(was, r.m.Tets[t])
		r.detach(t)
	}
	for i, v := range add {
		t := int32(len(r.m.Tets))
		if i < len(drop) {
			t = drop[i]
			r.m.Tets[t] = v
		} else {
			r.m.Tets, r.known = append(r.m.Tets, v), append(r.known, 0)
		}
		r.attach(t)
		put = append(put, t)
	}
	return put, was, count
}

// withdraw undoes an exchange.
func (r *relaxer) withdraw(drop []int32, add, was [][4]int32, count int) {
	for i := range add {
		if i < len(drop) {
			r.detach(drop[i])
		} else {
			r.detach(int32(count + i - len(drop)))
		}
	}
	r.m.Tets, r.known = r.m.Tets[:count], r.known[:count]
	for i, t := range drop {
		r.m.Tets[t] = was[i]
		r.attach(t)
	}
}

// attach adds tet t to the stars of its vertices.
func (r *relaxer) attach(t int32) {
	r.known[t] = math.NaN()
	r.forgetFaces(r.m.Tets[t])
	for _, v := range r.m.Tets[t] {
		r.stars[v] = append(r.stars[v], t)
	}
}

// detach takes tet t out of the stars of its vertices.
func (r *relaxer) detach(t int32) {
	r.forgetFaces(r.m.Tets[t])
	for _, v := range r.m.Tets[t] {
		r.stars[v] = slices.DeleteFunc(r.stars[v], func(u int32) bool { return u == t })
	}
}

// around returns the tets around edge a–b from the boundary triangle with the vertex p of tet t on, and the vertices
// across, of which p is the first.
func (r *relaxer) around(edge [2]int32, p, t int32) (ring, tets []int32) {
	ring = append(ring, p)
	for {
		tets = append(tets, t)
		// the vertex of the tet that is neither on the edge nor the last one
		last, next := ring[len(ring)-1], int32(-1)
		for _, v := range r.m.Tets[t] {
			if v != edge[0] && v != edge[1] && v != last {
				next = v
			}
		}
		ring = append(ring, next)
		// the other tet at the face with it
		other := int32(-1)
		for _, u := range r.stars[next] {
			w := &r.m.Tets[u]
			if u != t && slices.Contains(w[:], edge[0]) && slices.Contains(w[:], edge[1]) {
				other = u
			}
		}
		if t = other; t < 0 || len(tets) > flipTets {
			return ring, tets
		}
	}
}

// joined reports whether a tet has both p and q.
func (r *relaxer) joined(p, q int32) bool {
	return slices.ContainsFunc(r.stars[p], func(t int32) bool { return slices.Contains(r.m.Tets[t][:], q) })
}
