package stuffing

// Moving vertices does not reach every sharp edge: where a lattice edge crosses it far
// from both ends, or both ends are needed elsewhere, the boundary edge between them is
// divided, which gives the ridge a vertex of its own.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

const (
	// cornerReach is the distance, over h, of a corner within which a new vertex
	// takes the corner itself.
	cornerReach = 0.25
)

// crossing is a boundary edge that cuts off a ridge.
type ridgeCrossing struct {
	a, b int32
	// distance of its middle from the surface, m
	off float64
}

// splitAcrossRidges divides the boundary edges that cut off a ridge, those that cut
// off most first, and puts the new vertices onto it. It reports whether any was.
func (r *relaxer) splitAcrossRidges() bool {
	list := r.ridgeCrossings()
	r.indexSkin()
	// corners that have a vertex of their own already
	taken := map[r3.Vec]bool{}
	for v, h := range r.hold {
		if h == pinned {
			taken[r.m.Verts[v]] = true
		}
	}
	moved := false
	for _, c := range list {
		// An earlier division may have moved its ends or removed it.
		mid := r.m.Verts[c.a].Lerp(r.m.Verts[c.b], 0.5)
		size := math.Min(r.size[c.a], r.size[c.b])
		if !r.leaves(mid, size) {
			continue
		}
		// the new vertex slides along its ridge, or is a corner of the part
		p, _ := r.ridge.nearest(mid, size)
		h := onRidge
		if q, d := r.ridge.corner(p); d < cornerReach*size && !taken[q] {
			p, h = q, pinned
		} else if d == 0 {
			continue
		}
		// a division that would leave poor tets is undone
		if r.divide(c.a, c.b, p, h, snapFloor) {
			taken[p] = taken[p] || h == pinned
			moved = true
		}
	}
	return moved
}

// ridgeCrossings lists the boundary edges that cut off a ridge, the worst first.
func (r *relaxer) ridgeCrossings() []ridgeCrossing {
	// smooth parts have no ridge, and need no search
	if len(r.ridge.ends) == 0 {
		return nil
	}
	var list []ridgeCrossing
	tris, _ := r.m.Boundary()
	for _, t := range tris {
		for i := range 3 {
			// Each edge has two triangles, which run along it both ways.
			a, b := t[i], t[(i+1)%3]
			if a > b {
				continue
			}
			mid := r.m.Verts[a].Lerp(r.m.Verts[b], 0.5)
			if size := math.Min(r.size[a], r.size[b]); r.leaves(mid, size) {
				d, _, _, _, _ := r.dist.Signed(mid)
				list = append(list, ridgeCrossing{a, b, math.Abs(d)})
			}
		}
	}
	// stable, so that equal ones come in the order of the mesh in every run
	slices.SortStableFunc(list, func(a, b ridgeCrossing) int { return cmp.Compare(b.off, a.off) })
	return list
}

// leaves reports whether p, the middle of a boundary edge, is off the surface near a
// ridge. size is the edge of the lattice cells there, m.
func (r *relaxer) leaves(p r3.Vec, size float64) bool {
	if d, _, _, _, _ := r.dist.Signed(p); math.Abs(d) <= cutOffDistance*size {
		return false
	}
	// far from every ridge a better vertex, not a new one, is the repair
	_, far := r.ridge.nearest(p, size)
	return far < size
}

// corner returns the corner nearest to p and its distance, m; +Inf if there is none.
func (r *ridges) corner(p r3.Vec) (at r3.Vec, far float64) {
	i, d2 := r.cornerTree.Nearest(p, math.Inf(1), func(i int32) float64 { return r.corners[i].Sub(p).Norm2() })
	if i < 0 {
		return p, math.Inf(1)
	}
	return r.corners[i], math.Sqrt(d2)
}

// divide cuts the edge a–b, and all tets around it, in two by a new vertex at p with
// freedom h, and relaxes the vertices around. If a tet then is worse than floor and
// than all were before, it undoes everything and returns false.
func (r *relaxer) divide(a, b int32, p r3.Vec, h hold, floor float64) bool {
	// tets with both ends, and the worst of them before
	var around []int32
	was := math.Inf(1)
	for _, t := range r.stars[a] {
		if slices.Contains(r.m.Tets[t][:], b) {
			around = append(around, t)
			was = min(was, r.current(t))
		}
	}
	// an earlier division may have taken the edge away
	if len(around) == 0 {
		return false
	}
	// relaxing moves the neighbours of a
	ring := r.ring(a)
	poor := r.poorAmong(ring, floor)
	saved := make([]r3.Vec, len(ring))
	for i, w := range ring {
		saved[i] = r.m.Verts[w]
	}
	v := r.addVertex(r.m.Verts[a].Lerp(r.m.Verts[b], 0.5), min(r.size[a], r.size[b]))
	first := int32(len(r.m.Tets))
	for _, t := range around {
		r.halve(t, a, b, v)
	}
	// Halves are poor at first, and the neighbours that make room for them must not become poor
	// instead: the worst of them may be flat, and no later move repairs that.
	if r.place(v, p, h, min(floor, was)) && r.worst(v) >= min(floor, was) && r.poorAmong(ring, floor) <= poor {
		return true
	}
	// Undo: vertices go back, all of which are neighbours of a, the new tets go, the old
	// ones get b back.
	r.restore(ring, saved)
	for i, t := range around {
		r.m.Tets[t][slices.Index(r.m.Tets[t][:], v)] = b
		r.forgetFaces(r.m.Tets[t])
		r.known[t] = math.NaN()
		r.stars[b] = append(r.stars[b], t)
		for _, w := range r.m.Tets[first+int32(i)] {
			r.stars[w] = slices.DeleteFunc(r.stars[w], func(u int32) bool { return u >= first })
		}
	}
	r.m.Tets, r.known = r.m.Tets[:first], r.known[:first]
	r.dropVertex()
	return false
}

// poorAmong returns the number of tets at any of the vertices with a quality below floor, each
// counted once.
func (r *relaxer) poorAmong(verts []int32, floor float64) int {
	// all tets of the ring, several times each
	var tets []int32
	for _, v := range verts {
		tets = append(tets, r.stars[v]...)
	}
	// neighbours share most of their tets
	slices.Sort(tets)
	n := 0
	for _, t := range slices.Compact(tets) {
		if r.current(t) < floor {
			n++
		}
	}
	return n
}

// halve cuts tet t at the vertex v of its edge a–b: t keeps a, a new tet gets b.
func (r *relaxer) halve(t, a, b, v int32) {
	u := int32(len(r.m.Tets))
	other := r.m.Tets[t]
	r.forgetFaces(other)
	r.skin.faces[v] = nil
	r.m.Tets[t][slices.Index(other[:], b)] = v
	other[slices.Index(other[:], a)] = v
	r.m.Tets, r.known = append(r.m.Tets, other), append(r.known, math.NaN())
	r.known[t] = math.NaN()
	for _, w := range other {
		if w == b {
			// b is in the new tet instead of the old one
			r.stars[b] = slices.DeleteFunc(r.stars[b], func(x int32) bool { return x == t })
		}
		r.stars[w] = append(r.stars[w], u)
	}
	r.stars[v] = append(r.stars[v], t)
}

// addVertex appends a vertex of the surface at p where lattice cells have the edge
// size, m.
func (r *relaxer) addVertex(p r3.Vec, size float64) int32 {
	r.m.Verts = append(r.m.Verts, p)
	r.size = append(r.size, size)
	r.hold = append(r.hold, onSkin)
	r.converged = append(r.converged, false)
	r.good = append(r.good, false)
	r.tries = append(r.tries, 0)
	r.stars = append(r.stars, nil)
	v := int32(len(r.m.Verts) - 1)
	r.skin.faces, r.skin.bare, r.skin.fresh = append(r.skin.faces, nil), append(r.skin.bare, false), append(r.skin.fresh, v)
	return v
}

// dropVertex removes the last vertex, which no tet uses.
func (r *relaxer) dropVertex() {
	n := len(r.m.Verts) - 1
	r.m.Verts, r.size, r.hold, r.converged = r.m.Verts[:n], r.size[:n], r.hold[:n], r.converged[:n]
	r.good, r.tries, r.stars = r.good[:n], r.tries[:n], r.stars[:n]
	r.skin.faces, r.skin.bare, r.skin.fresh = r.skin.faces[:n], r.skin.bare[:n], r.skin.fresh[:len(r.skin.fresh)-1]
}
