package profiles

// A constraint may be fixed where it is an edge already, which is the usual
// case for outlines with short edges. It fails where it passes exactly through
// a vertex or crosses another constraint: the profile's loops then touch or
// cross, and the error names the coordinates.

// Constraint edges, which make a constrained Delaunay triangulation. The triangles that a missing edge
// crosses are taken away. What they leave is a polygon on each side of the edge, which is filled by Delaunay triangles
// from the edge on (M. V. Anglada, An Improved Incremental Algorithm for Constructing Restricted Delaunay
// Triangulations, 1997). The edge is then marked, so that later insertions keep it.
//
//	   l₁──l₂           the corner c of the first triangle (a, b, c) is that whose circle
//	  ╱      ╲          through a and b contains no other corner of its side; the edges a–c
//	 a────────b         and c–b part the other corners of that side, and continue alike
//	  ╲      ╱
//	   r₁──r₂
//
// A side may pass a vertex twice, where an edge dangles between crossed triangles: its two sides
// are neighbours again afterwards. Thousands of corners in two rows beside an edge, which flips of single
// diagonals exchange with a number of flips that grows with their square, take as many steps as a sort.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/exact"
)

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
		c, err := d.crossings(a, b)
		if err != nil {
			return err
		}
		d.refill(c)
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

// cavity is what a segment crosses.
type cavity struct {
	// triangles, from the start of the segment to its end
	tris []int32
	// corners to the left of the segment and to its right, from its start to its end with both of these
	left, right []int32
}

// crossings collects the triangles that the open segment a–b crosses.
func (d *delaunay) crossings(a, b int32) (*cavity, error) {
	// orient is exact, so that "through a vertex" is no matter of a tolerance
	// The segment runs through the triangles from leaving to the one with b.
	pa, pb := d.pts[a], d.pts[b]
	t, e := d.leaving(a, b)
	right, left := d.tri[t][(e+1)%3], d.tri[t][(e+2)%3]
	c := &cavity{tris: []int32{t}, left: []int32{a, left}, right: []int32{a, right}}
	// right and left are the ends of the crossed edge, seen from a to b.
	for {
		for _, v := range [2]int32{right, left} {
			if q := d.pts[v]; exact.Orient(pa, pb, q) == 0 {
				return nil, fmt.Errorf("edge (%.6g, %.6g)–(%.6g, %.6g) runs through the corner (%.6g, %.6g)", pa[0], pa[1], pb[0], pb[1], q[0], q[1])
			}
		}
		// Two constraints that cross each other are a fault of the profile.
		if d.fixed[t][e] {
			p, q := d.pts[right], d.pts[left]
			return nil, fmt.Errorf("edge (%.6g, %.6g)–(%.6g, %.6g) crosses edge (%.6g, %.6g)–(%.6g, %.6g)",
				pa[0], pa[1], pb[0], pb[1], p[0], p[1], q[0], q[1])
		}
		// Continue to the triangle beyond.
		u := d.nbr[t][e]
		q := d.tri[u][d.edgeOf(u, t)]
		c.tris = append(c.tris, u)
		// The last triangle.
		if q == b {
			c.left, c.right = append(c.left, b), append(c.right, b)
			return c, nil
		}
		// The next edge crossed runs from q to the vertex on the other side.
		if exact.Orient(pa, pb, d.pts[q]) > 0 {
			left = q
			c.left = append(c.left, q)
		} else {
			right = q
			c.right = append(c.right, q)
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
		if exact.Orient(pa, r, pb) >= 0 && exact.Orient(pa, l, pb) <= 0 {
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

// refill replaces the triangles that a segment crosses by as many beside it.
func (d *delaunay) refill(c *cavity) {
	// what lies beyond each edge of the triangles, which keep their numbers
	type beyond struct {
		tri   int32
		fixed bool
	}
	rim := make(map[[2]int32]beyond, 3*len(c.tris))
	for _, t := range c.tris {
		v := d.tri[t]
		for i := range 3 {
			rim[[2]int32{v[(i+1)%3], v[(i+2)%3]}] = beyond{d.nbr[t][i], d.fixed[t][i]}
		}
	}
	slices.Reverse(c.right) // so that the cavity lies to the left of its first and last corner, too
	made := d.earsOf(d.earsOf(make([][3]int32, 0, len(c.tris)), c.left), c.right)
	at := make(map[[2]int32]int32, 3*len(made))
	for k, v := range made {
		for i := range 3 {
			at[[2]int32{v[(i+1)%3], v[(i+2)%3]}] = c.tris[k]
		}
	}
	for k, v := range made {
		t := c.tris[k]
		var n [3]int32
		var f [3]bool
		for i := range 3 {
			a, b := v[(i+1)%3], v[(i+2)%3]
			out := rim[[2]int32{a, b}]
			n[i], f[i] = out.tri, out.fixed
			// another new triangle, or the old one outside
			if u, ok := at[[2]int32{b, a}]; ok {
				n[i] = u
			} else if n[i] != noTri {
				d.nbr[n[i]][d.edgeBetween(n[i], a, b)] = t
			}
		}
		d.setTri(t, v, n, f)
	}
}

// earsOf appends the Delaunay triangles of the polygon of a chain of corners, which lies to the left of
// the edge from the first to the last.
func (d *delaunay) earsOf(made [][3]int32, chain []int32) [][3]int32 {
	// ranges of the chain that are left, as the first and the last
	todo := [][2]int{{0, len(chain) - 1}}
	for len(todo) > 0 {
		lo, hi := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		if hi-lo < 2 {
			continue
		}
		// the corner whose circle is empty; of several on one circle that near the middle, for short work
		a, b := d.pts[chain[lo]], d.pts[chain[hi]]
		c := (lo + hi) / 2
		for k := lo + 1; k < hi; k++ {
			if exact.InCircle(a, b, d.pts[chain[c]], d.pts[chain[k]]) > 0 {
				c = k
			}
		}
		made = append(made, [3]int32{chain[lo], chain[hi], chain[c]})
		todo = append(todo, [2]int{lo, c}, [2]int{c, hi})
	}
	return made
}
