package profiles

// Refinement of a triangulated profile to a target edge length and to angles
// that finite elements can use. Only triangles inside the profile are refined;
// vertices on the outline lie on its edges, so that the area stays the same to
// round-off.

// Delaunay refinement of a triangulated profile (J. Ruppert, A Delaunay
// Refinement Algorithm for Quality 2-Dimensional Mesh Generation, 1995; J. R.
// Shewchuk, 1996). Until nothing is left to do:
//
//	1. a boundary edge that is too long, or whose diametral circle contains a
//	   vertex ("encroached"), is halved
//	2. a triangle that is too large, or with R/l > √2 (R circumradius, l shortest
//	   edge), gets a vertex at its circumcentre, unless that would encroach upon a
//	   boundary edge, which then is halved instead
//
// The bound on R/l keeps all angles above 20.7°. Corners sharper than 60° would
// keep the algorithm going for ever: edges at them are cut at power-of-two
// distances from the corner, so that cuts of both edges match (concentric
// shells), and the thin triangles there stay. Where these are too thin, the strict rules refine them too, but
// those no longer than the distance of the corner whose shortest edge joins two such cuts: all angles are then those of
// the outline, or above arctan(sin θ/(2 − cos θ)) for its least corner θ, or 20.7° (G. L. Miller, S. E. Pav, N. J.
// Walkington, When and why Delaunay refinement algorithms work, 2005).

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes/internal/exact"
)

const (
	// refineRatio is the bound on circumradius over shortest edge. √2 is the
	// bound for which Ruppert proves termination; it gives angles above 20.7°.
	refineRatio = math.Sqrt2
	// refineSize is the largest accepted circumradius over the target edge
	// length. An equilateral triangle of edge s has the circumradius s/√3.
	refineSize = 1.0 / math.Sqrt2
	// maxPlanarVerts bounds the number of vertices, against sizes that are
	// absurd for the profile.
	maxPlanarVerts = 200_000
)

// refiner adds vertices to a triangulation.
type refiner struct {
	*delaunay
	// triangles of the region, which are refined
	in []bool
	// target edge length, m
	size float64
	// whether triangles and edges at corners under 60° are refined like others: thicker triangles, more vertices
	strict bool

	// number of corners, which are the first vertices
	corners int
	// triangles to check
	bad []int32
	// boundary edges to check
	edges [][2]int32
	// vertices that are corners of the profile under 60°
	sharp []bool
	// the corners before and after each vertex along its loop; −1 for vertices inside
	ends [][2]int32
	// scratch of insertCircumcenter
	cavity []int32
	// whether a triangle is in cavity
	inCav map[int32]bool
}

// run refines until no edge and no triangle is left to improve.
func (r *refiner) run() error {
	// Refuse sizes that need too many vertices before any work is done.
	area := 0.0
	for t, v := range r.tri {
		if r.in[t] {
			area += exact.Orient(r.pts[v[0]], r.pts[v[1]], r.pts[v[2]]) / 2
		}
	}
	if n := area / (r.size * r.size); n > maxPlanarVerts {
		return fmt.Errorf("meshes: profile: size %g m would need about %.2g vertices in the plane; the limit is %d", r.size, n, maxPlanarVerts)
	}
	// Everything inside is checked at the start.
	r.corners = len(r.pts)
	r.markSharp()
	r.markEnds()
	r.inCav = map[int32]bool{}
	for t := range r.tri {
		r.queue(int32(t))
	}
	for {
		// Edges go first, since a circumcentre must not encroach upon them.
		if n := len(r.edges); n > 0 {
			// Last in, first out: recent edges are short, and the lists stay
			// small.
			e := r.edges[n-1]
			r.edges = r.edges[:n-1]
			if t, i := r.findEdge(e[0], e[1]); t != noTri && r.fixed[t][i] && r.mustHalve(t, i) {
				r.halve(t, i)
			}
		} else if n := len(r.bad); n > 0 {
			// The triangle may have been replaced since it was queued.
			t := r.bad[n-1]
			r.bad = r.bad[:n-1]
			if r.in[t] && r.poor(t) {
				r.insertCircumcenter(t)
			}
		} else {
			return nil
		}
		// The estimate at the start may have been too low.
		if len(r.pts) > maxPlanarVerts {
			return fmt.Errorf("meshes: profile: size %g m needs more than %d vertices in the plane; choose a larger size", r.size, maxPlanarVerts)
		}
	}
}

// markSharp finds the corners whose two boundary edges meet at less than 60°,
// on either side.
func (r *refiner) markSharp() {
	var dirs = make([][]vec2, len(r.pts))
	for t, v := range r.tri {
		for i := range 3 {
			if a, b := v[(i+1)%3], v[(i+2)%3]; r.fixed[t][i] && r.in[t] {
				// Direction of the boundary edge away from a.
				d := unit2(sub2(r.pts[b], r.pts[a]))
				dirs[a] = append(dirs[a], d)
				dirs[b] = append(dirs[b], vec2{-d[0], -d[1]})
			}
		}
	}
	r.sharp = make([]bool, len(r.pts))
	// cos 60° = ½.
	for v, ds := range dirs {
		for i, a := range ds {
			for _, b := range ds[:i] {
				r.sharp[v] = r.sharp[v] || a[0]*b[0]+a[1]*b[1] > 0.5
			}
		}
	}
}

// markEnds finds the two neighbours of each corner along its loop.
func (r *refiner) markEnds() {
	r.ends = make([][2]int32, len(r.pts))
	for v := range r.ends {
		r.ends[v] = [2]int32{-1, -1}
	}
	for t, v := range r.tri {
		for i := range 3 {
			// with the region on the left
			if a, b := v[(i+1)%3], v[(i+2)%3]; r.fixed[t][i] && r.in[t] {
				r.ends[a][1], r.ends[b][0] = b, a
			}
		}
	}
}

// queue puts triangle t and its boundary edges on the lists, if it is part of
// the region.
func (r *refiner) queue(t int32) {
	for int(t) >= len(r.in) {
		r.in = append(r.in, false)
	}
	// Triangles outside are never refined.
	if !r.in[t] {
		return
	}
	r.bad = append(r.bad, t)
	for i := range 3 {
		if r.fixed[t][i] {
			r.edges = append(r.edges, [2]int32{r.tri[t][(i+1)%3], r.tri[t][(i+2)%3]})
		}
	}
}

// mustHalve reports whether boundary edge i of t is too long or encroached upon
// by the vertex opposite to it. Next to a sharp corner encroachment is
// accepted, unless the rules are strict.
func (r *refiner) mustHalve(t int32, i int) bool {
	v := r.tri[t]
	a, b := v[(i+1)%3], v[(i+2)%3]
	// Up to one and a half times the size is accepted, since halves should not
	// be much shorter than it.
	l := dist2(r.pts[a], r.pts[b])
	if l > 1.5*r.size {
		return true
	}
	if !r.strict && (r.sharp[a] || r.sharp[b]) {
		return false
	}
	for _, s := range [2]int32{t, r.nbr[t][i]} {
		if s != noTri && r.in[s] && r.crowds(r.pts[r.tri[s][r.edgeBetween(s, a, b)]], a, b) {
			return true
		}
	}
	return false
}

// crowds reports whether p lies inside the circle with diameter a–b: the angle
// at p is then obtuse.
func (r *refiner) crowds(p vec2, a, b int32) bool {
	// An angle of more than 90° at p, with a margin for round-off.
	u, w := sub2(r.pts[a], p), sub2(r.pts[b], p)
	l := dist2(r.pts[a], r.pts[b])
	return u[0]*w[0]+u[1]*w[1] < -1e-12*l*l // a right angle does not crowd
}

// halve divides a boundary edge, at its middle or, next to a sharp corner, at a
// power-of-two fraction of the size from the corner. It returns false where the
// edge is too short to be divided in float64.
func (r *refiner) halve(t int32, i int) bool {
	a, b := r.tri[t][(i+1)%3], r.tri[t][(i+2)%3]
	pa, pb := r.pts[a], r.pts[b]
	// The place of the cut along the edge.
	s := 0.5
	if r.sharp[a] != r.sharp[b] {
		l := dist2(pa, pb)
		shell := r.size * math.Exp2(math.Round(math.Log2(l/(2*r.size))))
		if s = shell / l; r.sharp[b] {
			s = 1 - s
		}
	}
	p := vec2{pa[0] + s*(pb[0]-pa[0]), pa[1] + s*(pb[1]-pa[1])}
	// The edge has no point between its ends in float64.
	if p == pa || p == pb {
		return false
	}
	// The rounded point may lie beside the edge: the four triangles around it
	// must be counter-clockwise all the same.
	u := r.nbr[t][i]
	q, w := r.tri[t][i], r.tri[u][r.edgeOf(u, t)]
	for _, o := range [4]float64{
		exact.Orient(r.pts[q], pa, p), exact.Orient(r.pts[q], p, pb), exact.Orient(r.pts[w], pb, p), exact.Orient(r.pts[w], p, pa),
	} {
		if o <= 0 {
			return false
		}
	}
	// The halves belong to the region as the whole did.
	inT, inU := r.in[t], r.in[u]
	for len(r.in) < len(r.tri)+2 {
		r.in = append(r.in, false)
	}
	n := len(r.tri)
	r.in[n], r.in[n+1] = inT, inU
	// The corners on both sides: ends of the edge, or those of an end that was added.
	on := [2]int32{a, b}
	if int(a) >= r.corners {
		on = r.ends[a]
	} else if int(b) >= r.corners {
		on = r.ends[b]
	}
	x := r.splitEdge(t, i, p)
	r.added(x)
	r.ends[x] = on
	return true
}

// added queues the triangles around the new vertex x. Flips keep to one side of
// every constraint, so that the marks of flipped triangles stay right.
func (r *refiner) added(x int32) {
	for len(r.sharp) < len(r.pts) {
		r.sharp, r.ends = append(r.sharp, false), append(r.ends, [2]int32{-1, -1})
	}
	// Turn around the new vertex once.
	start := r.at[x]
	for t := start; ; {
		r.queue(t)
		if t = r.nbr[t][(r.vertexOf(t, x)+1)%3]; t == start || t == noTri {
			return
		}
	}
}

// poor reports whether a triangle is too large, or too thin where refinement
// can help.
func (r *refiner) poor(t int32) bool {
	v := r.tri[t]
	// Shortest and longest edge and the product of all.
	short, long, si := math.Inf(1), 0.0, 0
	prod := 1.0
	for i := range 3 {
		l := dist2(r.pts[v[(i+1)%3]], r.pts[v[(i+2)%3]])
		prod, long = prod*l, max(long, l)
		if l < short {
			short, si = l, i
		}
	}
	// R = l₁ l₂ l₃ / (4 area).
	radius := prod / (2 * exact.Orient(r.pts[v[0]], r.pts[v[1]], r.pts[v[2]]))
	// Too large, unless an edge is so short that the circle says little.
	if radius > refineSize*r.size && short > 1e-3*r.size {
		return true
	}
	a, b := v[(si+1)%3], v[(si+2)%3]
	if r.strict {
		return radius > refineRatio*short && !r.acrossCorner(a, b, long)
	}
	if r.sharp[a] || r.sharp[b] || r.sharp[v[si]] {
		return false
	}
	return radius > refineRatio*short
}

// acrossCorner reports whether a and b are cuts of the two edges of a corner under 60° at one distance from it, which
// is at least reach.
func (r *refiner) acrossCorner(a, b int32, reach float64) bool {
	if int(min(a, b)) < r.corners {
		return false
	}
	for _, p := range r.ends[a] {
		if p < 0 || !r.sharp[p] || p != r.ends[b][0] && p != r.ends[b][1] {
			continue
		}
		// with margins for round-off
		d := dist2(r.pts[a], r.pts[p])
		if math.Abs(d-dist2(r.pts[b], r.pts[p])) < 1e-9*d && reach < (1+1e-9)*d {
			return true
		}
	}
	return false
}

// insertCircumcenter inserts the circumcentre of t, or halves the boundary edge
// that it would encroach upon.
func (r *refiner) insertCircumcenter(t int32) {
	v := r.tri[t]
	// A degenerate triangle has no circumcentre.
	c, ok := circumcentre(r.pts[v[0]], r.pts[v[1]], r.pts[v[2]])
	if !ok {
		return
	}
	s, edge := r.walkInside(t, c)
	// A boundary edge lies between the triangle and its circumcentre.
	if edge >= 0 { // the centre hides behind a boundary edge
		if r.halve(s, edge) {
			r.queue(t)
		}
		return
	}
	// The triangles whose circumcircle contains c are those that its insertion
	// destroys; their boundary edges are those that it may encroach upon.
	r.cavity = append(r.cavity[:0], s)
	clear(r.inCav)
	r.inCav[s] = true
	for k := 0; k < len(r.cavity); k++ {
		u := r.cavity[k]
		for i, n := range r.nbr[u] {
			a, b := r.tri[u][(i+1)%3], r.tri[u][(i+2)%3]
			if r.fixed[u][i] {
				if r.crowds(c, a, b) && (r.strict || !(r.sharp[a] || r.sharp[b])) {
					if r.halve(u, i) {
						r.queue(t)
					}
					return
				}
				continue
			}
			w := r.tri[n]
			if !r.inCav[n] && exact.InCircle(r.pts[w[0]], r.pts[w[1]], r.pts[w[2]], c) > 0 {
				r.inCav[n] = true
				r.cavity = append(r.cavity, n)
			}
		}
	}
	// The circumcentre must lie strictly inside the triangle that it splits.
	w := r.tri[s]
	for i := range 3 {
		if exact.Orient(r.pts[w[i]], r.pts[w[(i+1)%3]], c) <= 0 {
			return // on an edge or vertex: leave it, neighbours get their turn
		}
	}
	for len(r.in) < len(r.tri)+2 {
		r.in = append(r.in, false)
	}
	n := len(r.tri)
	r.in[n], r.in[n+1] = true, true
	r.added(r.splitTri(s, c))
}

// walkInside walks from the inside of t straight to p. It returns the triangle
// that contains p and −1, or a triangle and its boundary edge behind which p
// lies.
func (r *refiner) walkInside(t int32, p vec2) (int32, int) {
	v := r.tri[t]
	// The walk starts at the centroid of t.
	from := vec2{(r.pts[v[0]][0] + r.pts[v[1]][0] + r.pts[v[2]][0]) / 3, (r.pts[v[0]][1] + r.pts[v[1]][1] + r.pts[v[2]][1]) / 3}
	came := noTri
	for {
		// Leave through the edge that the line to p crosses.
		next := -1
		for i := range 3 {
			if n := r.nbr[t][i]; n == came && came != noTri {
				continue
			}
			a, b := r.pts[r.tri[t][(i+1)%3]], r.pts[r.tri[t][(i+2)%3]]
			if exact.Orient(a, b, p) < 0 && exact.Orient(from, a, p) >= 0 && exact.Orient(from, b, p) <= 0 {
				next = i
				break
			}
		}
		if next < 0 {
			return t, -1
		}
		if r.fixed[t][next] {
			return t, next
		}
		came, t = t, r.nbr[t][next]
	}
}

// circumcentre returns the centre of the circle through a, b, c; false if they
// are collinear.
func circumcentre(a, b, c vec2) (vec2, bool) {
	u, v := sub2(b, a), sub2(c, a)
	d := 2 * (u[0]*v[1] - u[1]*v[0])
	if d == 0 {
		return vec2{}, false
	}
	uu, vv := u[0]*u[0]+u[1]*u[1], v[0]*v[0]+v[1]*v[1]
	p := vec2{a[0] + (v[1]*uu-u[1]*vv)/d, a[1] + (u[0]*vv-v[0]*uu)/d}
	return p, !math.IsNaN(p[0]+p[1]) && !math.IsInf(p[0]+p[1], 0)
}

// sub2 returns a − b.
func sub2(a, b vec2) vec2 { return vec2{a[0] - b[0], a[1] - b[1]} }

// dist2 returns the distance of a and b.
func dist2(a, b vec2) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// unit2 returns a vector of length one.
func unit2(a vec2) vec2 {
	l := math.Hypot(a[0], a[1])
	return vec2{a[0] / l, a[1] / l}
}
