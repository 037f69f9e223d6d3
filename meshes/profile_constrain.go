package meshes

// A constraint may be fixed where it is an edge already, which is the usual
// case for outlines with short edges. It fails where it passes exactly through
// a vertex or crosses another constraint: the profile's loops then touch or
// cross, and the error names the coordinates.

// Constraint edges of a Delaunay triangulation. An edge that is missing is recovered
// in three steps: list the edges that the segment crosses, flip them until none
// crosses it, and flip the new edges that are not Delaunay (Sloan 1993). The edge is
// then marked, so that later insertions keep it.
//
// Each flip turns the diagonal of a convex quad of two triangles. A crossed edge whose quad is not
// convex waits in the queue until flips of others made it convex; Sloan's order ends, because
// each round leaves fewer crossings.

import "fmt"

// findEdge returns the triangle and edge that run from a to b, or noTri. It
// turns around a, counter-clockwise up to the border and then clockwise.
func (d *delaunay) findEdge(a, b int32) (int32, int) {
	// a vertex of the border has no full turn: what one sense misses the other finds
	for _, ccw := range [2]bool{true, false} {
		// any triangle at a; the turn ends there again, or at the border
		t := d.at[a]
		for t != noTri {
			// Turn around a by one triangle at a time.
			i := d.vertexOf(t, a)
			if d.tri[t][(i+1)%3] == b {
				return t, (i + 2) % 3
			}
			if d.tri[t][(i+2)%3] == b {
				if n := d.nbr[t][(i+1)%3]; n != noTri {
					return n, d.edgeOf(n, t)
				}
			}
			if ccw {
				t = d.nbr[t][(i+1)%3]
			} else {
				t = d.nbr[t][(i+2)%3]
			}
			if t == d.at[a] {
				return noTri, 0
			}
		}
	}
	return noTri, 0
}

// constrain forces the edge a–b into the triangulation. The error reports that it
// crosses another constraint or passes through a vertex.
func (d *delaunay) constrain(a, b int32) error {
	// The edge may be there already.
	t, e := d.findEdge(a, b)
	if t == noTri {
		crossed, err := d.crossings(a, b)
		if err != nil {
			return err
		}
		d.recover(a, b, crossed)
		if t, e = d.findEdge(a, b); t == noTri {
			panic("meshes: constraint edge not recovered")
		}
	}
	d.fix(t, e)
	return nil
}

// fix marks an edge as a constraint in both of its triangles.
func (d *delaunay) fix(t int32, e int) {
	// both sides, because a search may meet it from either
	d.fixed[t][e] = true
	if u := d.nbr[t][e]; u != noTri {
		d.fixed[u][d.edgeOf(u, t)] = true
	}
}

// crossings lists the edges that the open segment a–b crosses, as pairs of
// vertices, from a to b.
func (d *delaunay) crossings(a, b int32) ([][2]int32, error) {
	// orient is exact, so that "through a vertex" is no matter of a tolerance
	// The segment runs through the triangles from leaving to the one with b.
	pa, pb := d.pts[a], d.pts[b]
	var edges [][2]int32
	t, e := d.leaving(a, b)
	right, left := d.tri[t][(e+1)%3], d.tri[t][(e+2)%3]
	// right and left are the ends of the crossed edge, seen from a to b.
	for {
		for _, v := range [2]int32{right, left} {
			if q := d.pts[v]; orient(pa, pb, q) == 0 {
				return nil, fmt.Errorf("edge (%.6g, %.6g)–(%.6g, %.6g) runs through the corner (%.6g, %.6g)", pa[0], pa[1], pb[0], pb[1], q[0], q[1])
			}
		}
		// Two constraints that cross each other are a fault of the profile.
		if d.fixed[t][e] {
			p, q := d.pts[right], d.pts[left]
			return nil, fmt.Errorf("edge (%.6g, %.6g)–(%.6g, %.6g) crosses edge (%.6g, %.6g)–(%.6g, %.6g)",
				pa[0], pa[1], pb[0], pb[1], p[0], p[1], q[0], q[1])
		}
		edges = append(edges, [2]int32{right, left})
		// Go on to the triangle beyond.
		u := d.nbr[t][e]
		q := d.tri[u][d.edgeOf(u, t)]
		// The last triangle.
		if q == b {
			return edges, nil
		}
		// The next edge crossed runs from q to the vertex on the other side.
		if orient(pa, pb, d.pts[q]) > 0 {
			left = q
		} else {
			right = q
		}
		t, e = u, d.edgeBetween(u, right, left)
	}
}

// leaving returns the triangle at a whose angle there contains the direction to
// b, and its edge opposite a.
func (d *delaunay) leaving(a, b int32) (int32, int) {
	pa, pb := d.pts[a], d.pts[b]
	start := d.at[a]
	for t := start; ; {
		i := d.vertexOf(t, a)
		r, l := d.pts[d.tri[t][(i+1)%3]], d.pts[d.tri[t][(i+2)%3]]
		if orient(pa, r, pb) >= 0 && orient(pa, l, pb) <= 0 {
			return t, i
		}
		// Inside the border square the fan around a is closed.
		if t = d.nbr[t][(i+1)%3]; t == start || t == noTri {
			panic("meshes: no triangle leaves towards the constraint")
		}
	}
}

// edgeBetween returns the edge of triangle t between vertices a and b.
func (d *delaunay) edgeBetween(t, a, b int32) int {
	for i := range 3 {
		p, q := d.tri[t][(i+1)%3], d.tri[t][(i+2)%3]
		if p == a && q == b || p == b && q == a {
			return i
		}
	}
	panic("meshes: broken triangle adjacency")
}

// opposite reports whether a and b have strictly opposite signs.
func opposite(a, b float64) bool { return a > 0 && b < 0 || a < 0 && b > 0 }

// recover flips the crossed edges away from the segment a–b, then restores the
// Delaunay property of the new edges (Sloan 1993).
func (d *delaunay) recover(a, b int32, crossed [][2]int32) {
	pa, pb := d.pts[a], d.pts[b]
	// Edges that no longer cross the segment are checked afterwards.
	var made [][2]int32
	for len(crossed) > 0 {
		x := crossed[0]
		crossed = crossed[1:]
		t, e := d.findEdge(x[0], x[1])
		u := d.nbr[t][e]
		p, q := d.tri[t][e], d.tri[u][d.edgeOf(u, t)]
		// Only a strictly convex quadrilateral can be flipped; the others
		// become convex after flips of their neighbours.
		if !opposite(orient(d.pts[p], d.pts[q], d.pts[x[0]]), orient(d.pts[p], d.pts[q], d.pts[x[1]])) {
			crossed = append(crossed, x)
			continue
		}
		// After the flip the edge p–q is new.
		d.flip(t, e)
		if opposite(orient(pa, pb, d.pts[p]), orient(pa, pb, d.pts[q])) {
			crossed = append(crossed, [2]int32{p, q})
		} else {
			made = append(made, [2]int32{p, q})
		}
	}
	// Flip new edges that are not Delaunay, except a–b itself.
	// each flip makes the triangulation more Delaunay, so that this ends
	for changed := true; changed; {
		changed = false
		for i, x := range made {
			// The constraint itself must stay.
			if x[0] == a && x[1] == b || x[0] == b && x[1] == a {
				continue
			}
			t, e := d.findEdge(x[0], x[1])
			if t == noTri || d.fixed[t][e] {
				continue
			}
			u := d.nbr[t][e]
			v, q := d.tri[t], d.tri[u][d.edgeOf(u, t)]
			if incircle(d.pts[v[0]], d.pts[v[1]], d.pts[v[2]], d.pts[q]) > 0 {
				made[i] = [2]int32{v[e], q}
				d.flip(t, e)
				changed = true
			}
		}
	}
}
