package stuffing

// Cost and termination: a sweep visits the vertices of bad tets only; a vertex
// at which no move helped is skipped until a neighbour has moved. Each accepted
// move raises the worst quality around a vertex or, where a tet is inside out, the sum
// of what its tets lack, so that the worst quality of a mesh without such tets never falls.

// Improving a stuffed mesh by moving its vertices. The quality of a tetrahedron
// is its smallest dihedral sine,
//
//	sin θ_ij = 3 V l_ij / (2 A_k A_l)                                  (1)
//
// for edge ij between the faces of areas A_k and A_l; it is negative when the
// tetrahedron is inverted, and small for flat and for sharp angles alike. A
// vertex is moved where the worst quality around it gets better: inner vertices
// anywhere, vertices of the surface on the surface, those of a ridge along it,
// those of corners not at all.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// hold describes how a vertex may move.
type hold uint8

const (
	// Freedoms of a vertex.
	free hold = iota // inside
	// onSkin: on the surface
	onSkin
	// onRidge: along a sharp edge
	onRidge
	// pinned: not at all, at a sharp corner
	pinned
)

// Parameters of the relaxation.
const (
	// relaxGoal is the quality, sin 25°, from which a tet is left alone;
	// relaxSoon, sin 17°, the same while vertices still move to ridges.
	relaxGoal = 0.42
	relaxSoon = 0.3
	// relaxGain is the gain in quality under which a move is not worth another.
	relaxGain = 0.005
	// relaxSweeps bounds the passes over all vertices.
	relaxSweeps = 8
	// insideOutScale is the sine of a regular tet's dihedral angle over its volume, six
	// times, and twice its area to the power 3/2.
	insideOutScale = 8.6
	// placeTries bounds how often a vertex is offered a place on a ridge.
	placeTries = 2
)

// relaxer moves the vertices of a mesh.
type relaxer struct {
	// the mesh
	m *meshes.Tet
	// edge of the lattice cells around each vertex, m: the scale of its steps
	size []float64
	// of the surface
	dist *meshes.Distance
	// sharp edges of the surface
	ridge *ridges
	// freedom of each vertex
	hold []hold
	// tets at each vertex
	stars [][]int32
	// no move has helped since the last change around the vertex
	converged []bool
	// the tets around the vertex reach the goal of this relaxation
	good []bool
	// how often the vertex was refused a place on a ridge
	tries []int8
	// quality of each tet; NaN where a vertex has moved since it was measured
	known []float64
	// places in a star of the tets that refused the last moves of its vertex: they are likely to refuse the next
	refused [2]int
	// the boundary, which must not cut itself
	skin skin
}

// newRelaxer lets vertices on the skin move on the surface, all others freely.
// edge returns the edge of the lattice cells around a point, m.
func newRelaxer(m *meshes.Tet, skin []bool, edge func(p r3.Vec) float64, dist *meshes.Distance, ridge *ridges) *relaxer {
	r := &relaxer{m: m, size: make([]float64, len(m.Verts)), dist: dist, ridge: ridge, hold: make([]hold, len(m.Verts)), converged: make([]bool, len(m.Verts)), good: make([]bool, len(m.Verts)), tries: make([]int8, len(m.Verts))}
	for v, s := range skin {
		r.size[v] = edge(m.Verts[v])
		if s {
			r.hold[v] = onSkin
		}
	}
	r.skin.bare = make([]bool, len(m.Verts))
	tris, _ := m.Boundary()
	for _, t := range tris {
		for _, v := range t {
			r.skin.bare[v] = r.hold[v] == free
		}
	}
	r.rebuildStars()
	return r
}

// tetStars returns the tets at each vertex v as list[first[v]:first[v+1]],
// sorted by counting.
func tetStars(m *meshes.Tet) (first, list []int32) {
	first = make([]int32, len(m.Verts)+1)
	for _, t := range m.Tets {
		for _, v := range t {
			first[v+1]++
		}
	}
	for v := range m.Verts {
		first[v+1] += first[v]
	}
	list = make([]int32, 4*len(m.Tets))
	fill := slices.Clone(first)
	for i, t := range m.Tets {
		for _, v := range t {
			list[fill[v]] = int32(i)
			fill[v]++
		}
	}
	return first, list
}

// star returns the tets at vertex v.
func (r *relaxer) star(v int32) []int32 { return r.stars[v] }

// quality returns the smallest dihedral sine of tet t by (1), a negative number if it
// is inverted. Most of the time of a stuffing is spent here.
func (r *relaxer) quality(t int32) float64 { return r.qualityOf(&r.m.Tets[t]) }

// qualityOf is quality of a tet by its vertices.
func (r *relaxer) qualityOf(v *[4]int32) float64 {
	p := [4]*r3.Vec{&r.m.Verts[v[0]], &r.m.Verts[v[1]], &r.m.Verts[v[2]], &r.m.Verts[v[3]]}
	// Twice the areas, six times the volume: the factors cancel.
	var area [4]float64 // twice
	for i, f := range meshes.TetFaces {
		area[i] = twiceArea(p[f[0]], p[f[1]], p[f[2]])
	}
	vol := sixVolumes(p[0], p[1], p[2], p[3])
	if !(vol > 0) {
		// Inside out: the less, the better, so that moves can turn it again.
		// The factor makes it the negative of the sine for a round tet.
		return max(-1, insideOutScale*vol/math.Pow(area[0]+area[1]+area[2]+area[3]+1e-300, 1.5))
	}
	// Minimum over edges of the squared sine, without the factor V².
	worst := math.Inf(1) // squared, over vol
	for _, e := range relaxEdges {
		s := area[e[2]] * area[e[3]]
		a, b := p[e[0]], p[e[1]]
		x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
		// no number where an edge and the faces beside it vanish, as of vertices at one place
		if sine := (x*x + y*y + z*z) / (s * s); sine < worst {
			worst = sine
		}
	}
	return vol * math.Sqrt(worst)
}

// twiceArea returns twice the area of a triangle, m². Numbers in place of vectors stay in registers.
func twiceArea(a, b, c *r3.Vec) float64 {
	ux, uy, uz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
	vx, vy, vz := c[0]-a[0], c[1]-a[1], c[2]-a[2]
	x, y, z := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
	return math.Sqrt(x*x + y*y + z*z)
}

// sixVolumes returns six times the volume of a tet, m³, less than zero if it is inside out.
func sixVolumes(a, b, c, d *r3.Vec) float64 {
	ux, uy, uz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
	vx, vy, vz := c[0]-a[0], c[1]-a[1], c[2]-a[2]
	x, y, z := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
	return x*(d[0]-a[0]) + y*(d[1]-a[1]) + z*(d[2]-a[2])
}

// current returns the quality of tet t, measured once for the present places of its vertices.
func (r *relaxer) current(t int32) float64 {
	if math.IsNaN(r.known[t]) {
		r.known[t] = r.quality(t)
	}
	return r.known[t]
}

// move puts v to p.
func (r *relaxer) move(v int32, p r3.Vec) {
	r.m.Verts[v] = p
	r.forget(v)
}

// forget lets the tets around v be measured again.
func (r *relaxer) forget(v int32) {
	for _, t := range r.stars[v] {
		r.known[t] = math.NaN()
	}
}

// relaxEdges lists the edges of a tet: the two ends, then the other two
// corners.
var relaxEdges = [6][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}

// worst returns the lowest quality around vertex v.
func (r *relaxer) worst(v int32) float64 {
	q := math.Inf(1)
	for _, t := range r.star(v) {
		q = min(q, r.current(t))
	}
	return q
}

// trial returns the lowest quality around vertex v, which a move is tried with. The search stops at a value
// of enough or less.
func (r *relaxer) trial(v int32, enough float64) float64 {
	star, first := r.star(v), r.refused
	q := math.Inf(1)
	for _, k := range first {
		if q = min(q, r.quality(star[k])); q <= enough {
			return q
		}
	}
	for k, t := range star {
		if k == first[0] || k == first[1] {
			continue
		}
		if q = min(q, r.quality(t)); q <= enough {
			r.refused = [2]int{k, first[0]}
			break
		}
	}
	return q
}

// shortfall returns minus the sum of the squares of what the tets around vertex v lack to
// snapFloor. The sum stops at a value of enough or less.
func (r *relaxer) shortfall(v int32, enough float64) float64 {
	sum := 0.0
	for _, t := range r.star(v) {
		// squares weigh the poorest tets most
		if lack := snapFloor - r.quality(t); lack > 0 {
			// what is worse already than the best so far need not be summed up
			if sum -= lack * lack; sum <= enough {
				break
			}
		}
	}
	return sum
}

// keep projects p to where vertex v may be: the surface, the nearest ridge, or
// its present place.
func (r *relaxer) keep(v int32, p r3.Vec) r3.Vec {
	switch r.hold[v] {
	case onSkin:
		_, p, _, _, _ = r.dist.Signed(p)
	case onRidge:
		p, _ = r.ridge.nearest(p, r.size[v])
	case pinned:
		p = r.m.Verts[v]
	}
	return p
}

// relax sweeps over the vertices of tets with a quality below goal until
// nothing improves, at most relaxSweeps times.
func (r *relaxer) relax(goal float64) {
	clear(r.good)
	r.indexSkin()
	for range relaxSweeps {
		moved := false
		for v := range r.m.Verts {
			moved = r.improve(int32(v), goal) || moved
		}
		if !moved {
			return
		}
	}
}

// improve moves v to a better place nearby if the worst tet around it is below
// goal. It reports whether the gain was worth another sweep.
func (r *relaxer) improve(v int32, goal float64) bool {
	if r.hold[v] == pinned || r.converged[v] || r.good[v] {
		return false
	}
	q := r.worst(v)
	if q >= goal {
		r.good[v] = true
		return false
	}
	// Of a star with a tet that is inside out the worst alone would be repaired at the cost
	// of all others, which may fall as low.
	r.refused = [2]int{}
	measure, reach := r.trial, 0.1*r.size[v]
	if q < 0 {
		measure, reach = r.shortfall, 0.4*r.size[v]
		q = measure(v, math.Inf(-1))
	}
	start, old := q, r.m.Verts[v]
	// First move towards the mean of the neighbours, then along the axes with
	// shrinking steps: the worst quality is not differentiable, so that descent
	// along gradients would stop at its kinks.
	var mean r3.Vec
	n := 0.0
	for _, t := range r.star(v) {
		for _, w := range r.m.Tets[t] {
			if w != v && (r.hold[v] == free || r.hold[w] != free) {
				mean, n = mean.Add(r.m.Verts[w]), n+1
			}
		}
	}
	if n > 0 {
		q = r.try(v, r.m.Verts[v].Scale(0.5).AddScaled(0.5/n, mean), q, measure)
	}
	// Pattern search.
	for step := reach; step > 0.01*r.size[v]; step /= 2 {
		for k := range 6 {
			p := r.m.Verts[v]
			p[k/2] += step * float64(1-2*(k%2))
			q = r.try(v, p, q, measure)
		}
	}
	if q > start && !r.uncrossed(v, old) {
		q = start
	}
	if q > start {
		r.doubt(v)
	}
	if q > start+relaxGain {
		r.reactivate(v)
		return true
	}
	r.converged[v] = true
	return false
}

// reactivate lets the vertices around v be tried again.
func (r *relaxer) reactivate(v int32) {
	for _, t := range r.star(v) {
		for _, w := range r.m.Tets[t] {
			r.converged[w], r.good[w] = false, false
		}
	}
}

// doubt lets the tets around v be measured again.
func (r *relaxer) doubt(v int32) {
	for _, t := range r.stars[v] {
		for _, w := range r.m.Tets[t] {
			r.good[w] = false
		}
	}
}

// try moves v to p, projected, if that raises the measure of its star above q. It
// returns the measure that is then valid.
func (r *relaxer) try(v int32, p r3.Vec, q float64, measure func(v int32, enough float64) float64) float64 {
	old := r.m.Verts[v]
	r.m.Verts[v] = r.keep(v, p)
	if n := measure(v, q); n > q {
		r.forget(v)
		return n
	}
	r.m.Verts[v] = old
	return q
}

// place moves v to p with freedom h and relaxes its neighbours. If a tet around
// them stays below both floor and the former quality, it undoes everything and
// returns false.
func (r *relaxer) place(v int32, p r3.Vec, h hold, floor float64) bool {
	if r.tries[v] >= placeTries {
		return false
	}
	// Save the positions of all vertices that may move.
	ring := r.ring(v)
	saved := make([]r3.Vec, len(ring))
	poor := 0
	for i, w := range ring {
		saved[i] = r.m.Verts[w]
		poor += r.poorer(w, floor)
	}
	was, held := r.worst(v), r.hold[v]
	r.move(v, p)
	r.hold[v] = h
	r.reactivate(v)
	// Let the neighbours adapt, twice at most.
	for range 2 {
		if r.worst(v) >= floor {
			break
		}
		for _, w := range ring {
			if w != v {
				r.improve(w, floor)
			}
		}
	}
	// Neighbours that gave way must not be left with more poor tets than they had, nor a
	// star that had one with several.
	if r.worst(v) >= min(floor, was) {
		for _, w := range ring {
			poor -= r.poorer(w, floor)
		}
		if poor >= 0 && r.uncrossedAmong(v, ring, saved) {
			return true
		}
	}
	// Undo.
	r.restore(ring, saved)
	r.hold[v] = held
	r.tries[v]++
	return false
}

// restore puts vertices back to where they were saved.
func (r *relaxer) restore(verts []int32, saved []r3.Vec) {
	for i, v := range verts {
		if r.m.Verts[v] != saved[i] {
			r.move(v, saved[i])
		}
		r.reactivate(v)
	}
}

// poorer returns the number of tets around v with a quality below floor.
func (r *relaxer) poorer(v int32, floor float64) (n int) {
	for _, t := range r.star(v) {
		if r.current(t) < floor {
			n++
		}
	}
	return n
}

// ring returns v and its neighbours, sorted.
func (r *relaxer) ring(v int32) []int32 {
	var out []int32
	for _, t := range r.star(v) {
		out = append(out, r.m.Tets[t][:]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
