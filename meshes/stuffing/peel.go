package stuffing

// Flat tets that lie on the surface with two or more faces carry nothing: where no
// move of a vertex repairs them they are taken off, which changes the volume by next to
// nothing and leaves the boundary a manifold.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
)

const (
	// peelBelow is the quality, sin 8°, under which tets are taken off.
	peelBelow = 0.139
	// peelDepth is the largest depth, over h, of a corner that taking off brings to the
	// boundary: flat tets are a tenth as high as wide.
	peelDepth = 0.25
	// peelRounds bounds how often the boundary is searched.
	peelRounds = 4
)

// peel takes bad tets off the boundary where that leaves it a manifold, and relaxes
// what they leave behind.
func (r *relaxer) peel() {
	for range peelRounds {
		if !r.peelOnce() {
			return
		}
		r.rebuildStars()
		clear(r.converged)
		r.relax(relaxGoal)
	}
}

// peelOnce takes off bad tets that share no vertex, and reports whether there were any.
func (r *relaxer) peelOnce() bool {
	tris, owner := r.m.Boundary()
	faces := make(map[int32][]int, len(tris)/2)
	edges := make(map[[2]int32]bool, 3*len(tris)/2)
	onBoundary := make([]bool, len(r.m.Verts))
	for i, t := range tris {
		faces[owner[i]] = append(faces[owner[i]], i)
		for k := range 3 {
			edges[meshes.SideKey(t[k], t[(k+1)%3])] = true
			onBoundary[t[k]] = true
		}
	}
	drop := make([]bool, len(r.m.Tets))
	touched := make([]bool, len(r.m.Verts))
	any := false
	for i := range r.m.Tets {
		t := r.m.Tets[i]
		q := r.current(int32(i))
		if q >= peelBelow || slices.ContainsFunc(t[:], func(v int32) bool { return touched[v] }) {
			continue
		}
		var opposite []int32 // corners that the boundary faces lack
		for _, f := range faces[int32(i)] {
			for _, v := range t {
				if !slices.Contains(tris[f][:], v) {
					opposite = append(opposite, v)
				}
			}
		}
		switch len(opposite) {
		case 1:
			// The fourth corner comes to the boundary: it must not lie there, nor, unless
			// the tet is inside out, so deep that a pit would be left where a needle was.
			w := opposite[0]
			if d, _, _, _, _ := r.dist.Signed(r.m.Verts[w]); onBoundary[w] || q > 0 && math.Abs(d) > peelDepth*r.size[w] {
				continue
			}
			r.hold[opposite[0]] = onSkin
		case 2:
			// The edge between them does.
			if edges[meshes.SideKey(opposite[0], opposite[1])] {
				continue
			}
		default:
			continue // inside, or a spike
		}
		drop[i], any = true, true
		for _, v := range t {
			touched[v] = true
		}
	}
	keepTets(r.m, func(t int) bool { return !drop[t] })
	return any
}

// rebuildStars lists the tets at each vertex again, none of which is measured.
func (r *relaxer) rebuildStars() {
	r.known = slices.Repeat([]float64{math.NaN()}, len(r.m.Tets))
	first, list := tetStars(r.m)
	r.stars = make([][]int32, len(r.m.Verts))
	for v := range r.stars {
		// Full slices: a star that grows must not overwrite the next one.
		r.stars[v] = list[first[v]:first[v+1]:first[v+1]]
	}
	r.skin.faces = make([][][3]int32, len(r.m.Verts))
}
