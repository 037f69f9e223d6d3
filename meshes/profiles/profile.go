// Package profiles makes meshes of planar regions: triangulation with exact predicates, sweeping into layers of
// tets, hexahedra and wedges, extrusions found in surfaces, and FinRay fingers.
package profiles

// Coordinates are taken as they are: parts need not be near the origin, but
// digits are lost if they are far from it compared with their size.

// Planar regions bounded by polygons. A profile is triangulated by constrained
// Delaunay triangulation (delaunay.go) with exact predicates
// (internal/exact/planar.go), refined to a size (refine.go), and swept
// along its normal into layered tets (extruded.go).
//
//	loops ─ check ─ insert corners ─ constrain edges ─ mark inside ─ refine ─ extract
//	           (insert.go)  (constrain.go)
//
// The triangulation lives in a border square around the region, whose four corners are the first
// four vertices: every insertion then happens inside of a triangle, and the region is what an odd
// number of loops separates from the border.

import (
	"errors"
	"fmt"
	"math"
)

// vec2 is a point of the profile plane, m.
type vec2 = [2]float64

// Profile is a planar region: an outer polygon less the holes. The loops are
// closed implicitly and may run either way. They must neither cross nor touch,
// themselves or each other, and the holes must lie inside the outer polygon.
type Profile struct {
	// Outer lists the corners of the outer polygon in order, m.
	Outer [][2]float64
	// Holes lists the corners of each hole in order, m.
	Holes [][][2]float64
}

// Area returns the area of the outer polygon less that of the holes, m².
func (p *Profile) Area() float64 {
	// loops run either way: their areas count without sign
	a := math.Abs(loopArea(p.Outer))
	for _, h := range p.Holes {
		a -= math.Abs(loopArea(h))
	}
	return a
}

// loopArea returns the signed area of a polygon, m², positive if it runs
// counter-clockwise (shoelace formula). Coordinates are taken relative to the
// first corner, so that polygons far from the origin keep their digits.
func loopArea(loop []vec2) float64 {
	a := 0.0
	for i, p := range loop {
		// twice the triangle of the first corner and this side
		q := loop[(i+1)%len(loop)]
		a += (p[0]-loop[0][0])*(q[1]-loop[0][1]) - (q[0]-loop[0][0])*(p[1]-loop[0][1])
	}
	return a / 2
}

// loops returns the outer polygon, then the holes.
func (p *Profile) loops() [][]vec2 {
	return append([][]vec2{p.Outer}, p.Holes...)
}

// loopName names loop i in errors.
func loopName(i int) string {
	if i == 0 {
		return "outer loop"
	}
	return fmt.Sprintf("hole %d", i-1)
}

// corners returns the number of corners of all loops.
func (p *Profile) corners() int {
	n := len(p.Outer)
	for _, h := range p.Holes {
		n += len(h)
	}
	return n
}

// perimeter returns the length of all loops, m.
func (p *Profile) perimeter() float64 {
	sum := 0.0
	for _, loop := range p.loops() {
		for i, q := range loop {
			sum += dist2(q, loop[(i+1)%len(loop)])
		}
	}
	return sum
}

// bounds returns the lowest and highest coordinates of all corners, m.
func (p *Profile) bounds() (lo, hi vec2) {
	lo, hi = vec2{math.Inf(1), math.Inf(1)}, vec2{math.Inf(-1), math.Inf(-1)}
	for _, loop := range p.loops() {
		for _, q := range loop {
			for k := range 2 {
				lo[k], hi[k] = math.Min(lo[k], q[k]), math.Max(hi[k], q[k])
			}
		}
	}
	return lo, hi
}

// check refuses loops of fewer than three corners, without area, or with
// coordinates that are not finite.
func (p *Profile) check() error {
	for i, loop := range p.loops() {
		// a polygon has three corners, finite ones, and an inside
		if len(loop) < 3 {
			return fmt.Errorf("meshes: profile: %s has %d corners, needs at least 3", loopName(i), len(loop))
		}
		for k, q := range loop {
			if math.IsNaN(q[0]+q[1]) || math.IsInf(q[0]+q[1], 0) {
				return fmt.Errorf("meshes: profile: corner %d of %s is not finite", k, loopName(i))
			}
		}
		if loopArea(loop) == 0 {
			return fmt.Errorf("meshes: profile: %s encloses no area", loopName(i))
		}
	}
	return nil
}

// planar is a triangulated region of the plane; triangles run
// counter-clockwise.
type planar struct {
	// positions of the vertices, m
	pts []vec2
	// vertices of the triangles
	tris [][3]int32
	// the edge length that it was refined to, m; 0 for none
	size float64
	// the other triangle of each one's quad, −1 for none; nil where quads are not known yet
	mate []int32
}

// triangulate returns the constrained Delaunay triangulation of p, refined to
// edges of about size, m, or without any added vertex if size is 0. In that
// case the vertices are the corners in order: the outer polygon first, then the
// holes. Errors name the corners and edges at which loops touch or cross.
func (p *Profile) triangulate(size float64) (*planar, error) { return p.refined(size, false) }

// triangulateWell is triangulate with strict rules for corners under 60° where these are left with angles below
// layerAngle: that takes more vertices.
func (p *Profile) triangulateWell(size float64) (*planar, error) {
	m, err := p.triangulate(size)
	if err != nil || m.leastAngle() >= layerAngle {
		return m, err
	}
	if strict, err := p.refined(size, true); err == nil {
		m = strict
	}
	return m, nil
}

// refined is triangulate with one rule for corners under 60°, see refiner.strict.
func (p *Profile) refined(size float64, strict bool) (*planar, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	d, err := p.insertCorners()
	if err != nil {
		return nil, err
	}
	// Recover the edges of the loops; vertices 0 to 3 are those of the border
	// square.
	first := int32(4)
	for i, loop := range p.loops() {
		n := int32(len(loop))
		for k := range n {
			if err := d.constrain(first+k, first+(k+1)%n); err != nil {
				return nil, fmt.Errorf("meshes: profile: %s: %w", loopName(i), err)
			}
		}
		first += n
	}
	// Refine the interior.
	inside := d.inside()
	if size > 0 {
		// new vertices also change which triangles are inside
		r := refiner{delaunay: d, in: inside, size: size, strict: strict}
		if err := r.run(); err != nil {
			return nil, err
		}
		inside = r.in
	}
	// what is left is the region, if the holes lie where they should
	m := d.extract(inside)
	m.size = size
	// Loops that are nested otherwise give another area.
	if a, want := m.area(), p.Area(); math.Abs(a-want) > 1e-9*want {
		return nil, errors.New("meshes: profile: the holes are not all inside the outer loop and apart from each other")
	}
	return m, nil
}

// inside marks the triangles that an odd number of constraint edges separates
// from the border square: the region of the profile.
func (d *delaunay) inside() []bool {
	depth := make([]int, len(d.tri))
	for i := range depth {
		depth[i] = -1
	}
	// Breadth-first search over the number of constraints in between.
	// vertex 0 is a corner of the border square: its triangle is outside of all loops
	level, next := []int32{d.at[0]}, []int32(nil)
	depth[d.at[0]] = 0
	for k := 0; len(level) > 0; k++ {
		for len(level) > 0 {
			t := level[len(level)-1]
			level = level[:len(level)-1]
			for i, n := range d.nbr[t] {
				if n == noTri || depth[n] >= 0 && depth[n] <= k {
					continue
				}
				if d.fixed[t][i] {
					depth[n] = k + 1
					next = append(next, n)
				} else {
					depth[n] = k
					level = append(level, n)
				}
			}
		}
		for _, t := range next {
			if depth[t] == k+1 {
				level = append(level, t)
			}
		}
		next = next[:0]
	}
	in := make([]bool, len(d.tri))
	// the outer polygon is one edge away, a hole two
	for t := range in {
		in[t] = depth[t]%2 == 1
	}
	return in
}

// extract returns the marked triangles, without the vertices of the border
// square.
func (d *delaunay) extract(in []bool) *planar {
	m := &planar{pts: d.pts[4:]}
	for t, v := range d.tri {
		if in[t] {
			m.tris = append(m.tris, [3]int32{v[0] - 4, v[1] - 4, v[2] - 4})
		}
	}
	return m
}

// area returns the area of all triangles, m².
func (m *planar) area() float64 {
	a := 0.0
	for _, t := range m.tris {
		// relative to a corner, so that digits are kept far from the origin
		p := m.pts[t[0]]
		u, v := m.pts[t[1]], m.pts[t[2]]
		a += (u[0]-p[0])*(v[1]-p[1]) - (v[0]-p[0])*(u[1]-p[1])
	}
	return a / 2
}

// leastAngle returns the least angle of all triangles, rad.
func (m *planar) leastAngle() float64 {
	// the cosine falls with the angle
	most := -1.0
	for _, t := range m.tris {
		for i := range 3 {
			a, b, c := m.pts[t[i]], m.pts[t[(i+1)%3]], m.pts[t[(i+2)%3]]
			u, w := unit2(sub2(b, a)), unit2(sub2(c, a))
			most = max(most, u[0]*w[0]+u[1]*w[1])
		}
	}
	return math.Acos(min(1, most))
}

// outline returns the boundary loops of the triangulation as vertex numbers,
// with the region on the left; the loop with the largest area comes first.
func (m *planar) outline() [][]int32 {
	// the edges of all triangles in their direction; one without its reverse is on the boundary
	type edge [2]int32
	has := make(map[edge]bool, 3*len(m.tris))
	for _, t := range m.tris {
		for i := range 3 {
			has[edge{t[i], t[(i+1)%3]}] = true
		}
	}
	// The vertex that follows each one on the boundary.
	next := make([]int32, len(m.pts))
	for i := range next {
		next[i] = -1
	}
	for _, t := range m.tris {
		for i := range 3 {
			if a, b := t[i], t[(i+1)%3]; !has[edge{b, a}] {
				next[a] = b
			}
		}
	}
	var loops [][]int32
	best, bestArea := 0, 0.0
	// Follow each loop once.
	for v := range next {
		var loop []int32
		var pts []vec2
		// each vertex is taken once, because its successor is removed
		for w := int32(v); next[w] >= 0; {
			loop, pts = append(loop, w), append(pts, m.pts[w])
			w, next[w] = next[w], -1
		}
		if len(loop) == 0 {
			continue
		}
		// the outer loop runs counter-clockwise and has the largest area; holes run clockwise
		if a := loopArea(pts); a > bestArea {
			best, bestArea = len(loops), a
		}
		loops = append(loops, loop)
	}
	if len(loops) > 0 {
		loops[0], loops[best] = loops[best], loops[0]
	}
	return loops
}

// halve divides every triangle into four by the midpoints of its edges.
func (m *planar) halve() *planar {
	out := &planar{pts: append([]vec2(nil), m.pts...)}
	if m.mate != nil {
		out.mate = m.halvedMates(m.mate)
	}
	middle := make(map[[2]int32]int32, 3*len(m.tris))
	// Midpoint of an edge, added once.
	mid := func(a, b int32) int32 {
		k := [2]int32{min(a, b), max(a, b)}
		v, ok := middle[k]
		if !ok {
			v = int32(len(out.pts))
			p, q := m.pts[a], m.pts[b]
			out.pts = append(out.pts, vec2{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2})
			middle[k] = v
		}
		return v
	}
	for _, t := range m.tris {
		// three triangles at the corners and one between the midpoints, all with the same sense
		a, b, c := mid(t[1], t[2]), mid(t[2], t[0]), mid(t[0], t[1])
		out.tris = append(out.tris, [3]int32{t[0], c, b}, [3]int32{t[1], a, c}, [3]int32{t[2], b, a}, [3]int32{a, b, c})
	}
	return out
}
