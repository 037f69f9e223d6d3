package profiles

// Outlines with fewer corners: those that a mesh of a given size cannot use are dropped. Files of parts
// have arcs of thousands of facets, each of which would become an edge of the mesh.

import "math"

// simplified returns the profile without the corners that lie within tol, m, of
// the polygon of the others: fine facets of arcs that a coarse mesh cannot use.
func (p *Profile) simplified(tol float64) Profile {
	// Each loop on its own: they may come to touch, which the triangulation
	// then refuses.
	out := Profile{Outer: simplifyLoop(p.Outer, tol)}
	for _, h := range p.Holes {
		out.Holes = append(out.Holes, simplifyLoop(h, tol))
	}
	return out
}

// manyVisits is the number of distances for each corner after which spans are divided in their middle.
const manyVisits = 100

// simplifyLoop reduces a closed polygon (D. H. Douglas, T. K. Peucker, 1973),
// starting from its two corners that are farthest apart along x, then y. A span may be divided at any
// corner, at the farthest for few corners in all; on combs and stars that is the first or last one each
// time, and the work would grow with the square of the corners.
func simplifyLoop(loop []vec2, tol float64) []vec2 {
	// The two extreme corners always stay.
	n := len(loop)
	a, b := 0, 0
	for i, p := range loop {
		if p[0] < loop[a][0] || p[0] == loop[a][0] && p[1] < loop[a][1] {
			a = i
		}
		if p[0] > loop[b][0] || p[0] == loop[b][0] && p[1] > loop[b][1] {
			b = i
		}
	}
	// Divide each span at its farthest corner until all are within tol.
	// both ways from one extreme corner to the other
	keep := make([]bool, n)
	keep[a], keep[b] = true, true
	visits := 0
	type span struct{ from, to int } // to may exceed n: take it modulo n
	work := []span{{a, b + n*btoi(b < a)}, {b, a + n*btoi(a <= b)}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		p, q := loop[s.from%n], loop[s.to%n]
		visits += s.to - s.from
		// The corner farthest from the chord of this span.
		far, at := tol, -1
		for i := s.from + 1; i < s.to; i++ {
			if d := segmentDistance(loop[i%n], p, q); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			if visits > manyVisits*n {
				at = (s.from + s.to) / 2
			}
			keep[at%n] = true
			work = append(work, span{s.from, at}, span{at, s.to})
		}
	}
	var out []vec2
	for i := range loop {
		if keep[i] {
			out = append(out, loop[i])
		}
	}
	return out
}

// btoi returns 1 for true.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// segmentDistance returns the distance of x from the segment p–q, m.
func segmentDistance(x, p, q vec2) float64 {
	d, e := sub2(q, p), sub2(x, p)
	// the foot of the perpendicular, or the nearer end; a segment without length is a point
	s := 0.0
	if l := d[0]*d[0] + d[1]*d[1]; l > 0 {
		s = math.Min(1, math.Max(0, (e[0]*d[0]+e[1]*d[1])/l))
	}
	return dist2(x, mix(p, q, s))
}
