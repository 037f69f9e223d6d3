package profiles

// Guarantees: the result is a valid triangulation for any input of finite
// coordinates, because all signs are exact; every edge of the profile is an
// edge of it; no vertex lies inside the circumcircle of a triangle unless a
// constraint lies in between.

// Constrained planar Delaunay triangulation; volumes are filled by stuffing/stuffing.go. Points are inserted one by
// one: walk to the triangle that contains the point, split it, and flip edges until no vertex lies inside the
// circumcircle of a triangle (C. L. Lawson, Software for C1 Surface Interpolation, 1977). insert.go says in which
// order, and constrain.go how constraint edges that are missing afterwards come in.
//
//	       a                 a
//	     / | \             /   \
//	    b  |  c    flip   b ─── c
//	     \ | /             \   /
//	       d                 d        flip if d is inside circle(a, b, c)
//
// All decisions go through exact predicates, so that round-off can neither
// break the structure nor make the flips cycle.

import (
	"math"

	"github.com/curlfree/curlfree/meshes/internal/exact"
)

// noTri stands for the outside of the triangulation where a triangle is
// expected.
const noTri = int32(-1)

// delaunay is a planar triangulation. Edge i of a triangle is opposite its
// vertex i and runs from vertex i+1 to vertex i+2.
type delaunay struct {
	// positions of the vertices, m
	pts []vec2
	// vertices of each triangle, counter-clockwise
	tri [][3]int32
	// neighbour across edge i, or noTri
	nbr [][3]int32
	// whether edge i is a constraint
	fixed [][3]bool
	// some triangle at each vertex
	at []int32
	// triangle where the next walk starts
	near int32
	// edges to check, as pairs of triangle and edge
	work []int32
	// edges flipped so far
	flips int
}

// newDelaunay returns the triangulation of a square far around the box lo–hi.
// Its four corners are the vertices 0 to 3.
func newDelaunay(lo, hi vec2) *delaunay {
	// The square is eight times as large as the box, so that its corners do not
	// disturb the triangles of the profile much.
	c := vec2{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2}
	r := 8 * math.Max(hi[0]-lo[0], hi[1]-lo[1])
	d := &delaunay{
		pts:   []vec2{{c[0] - r, c[1] - r}, {c[0] + r, c[1] - r}, {c[0] + r, c[1] + r}, {c[0] - r, c[1] + r}},
		tri:   [][3]int32{{0, 1, 2}, {0, 2, 3}},
		nbr:   [][3]int32{{noTri, 1, noTri}, {noTri, noTri, 0}},
		fixed: make([][3]bool, 2),
		at:    []int32{0, 0, 0, 1},
	}
	return d
}

// edgeOf returns which edge of triangle t faces triangle n.
func (d *delaunay) edgeOf(t, n int32) int {
	for i, m := range d.nbr[t] {
		if m == n {
			return i
		}
	}
	panic("meshes: broken triangle adjacency")
}

// vertexOf returns the local number of vertex v in triangle t, or −1.
func (d *delaunay) vertexOf(t, v int32) int {
	for i, w := range d.tri[t] {
		if w == v {
			return i
		}
	}
	return -1
}

// setTri writes the vertices, neighbours and constraints of triangle t.
func (d *delaunay) setTri(t int32, v, n [3]int32, f [3]bool) {
	d.tri[t], d.nbr[t], d.fixed[t] = v, n, f
	for _, w := range v {
		// Any triangle at a vertex serves as the start of a turn around it.
		d.at[w] = t
	}
}

// addTri appends an empty triangle and returns its number.
func (d *delaunay) addTri() int32 {
	d.tri = append(d.tri, [3]int32{})
	d.nbr = append(d.nbr, [3]int32{})
	d.fixed = append(d.fixed, [3]bool{})
	return int32(len(d.tri) - 1)
}

// relink replaces the neighbour was of triangle n, if there is one, by now.
func (d *delaunay) relink(n, was, now int32) {
	if n != noTri {
		d.nbr[n][d.edgeOf(n, was)] = now
	}
}

// locate walks from d.near to the triangle that contains p. edge is the edge on
// which p lies, or −1; vertex is the vertex at p, or −1.
func (d *delaunay) locate(p vec2) (t int32, edge int, vertex int32) {
	// Consecutive points are usually close to each other.
	t = d.near
	from := noTri
walk:
	for steps := 0; ; steps++ {
		edge = -1
		// Leave through an edge that has p on its outer side, but not back.
		v := d.tri[t]
		// A walk may cycle where constraints keep the triangulation from being
		// Delaunay: vary the order of the edges, and after too many steps
		// search all triangles.
		if steps > 2*len(d.tri) {
			t, from = d.search(p), noTri
			v = d.tri[t]
		}
		for k := range 3 {
			i := (k + steps) % 3
			a, b := d.pts[v[(i+1)%3]], d.pts[v[(i+2)%3]]
			if n := d.nbr[t][i]; n != from || n == noTri {
				// p lies beyond this edge: continue there.
				if o := exact.Orient(a, b, p); o < 0 && n != noTri {
					from, t = t, n
					continue walk
				} else if o == 0 {
					edge = i
				}
			} else if exact.Orient(a, b, p) == 0 {
				edge = i
			}
		}
		break
	}
	// The next point is usually close.
	d.near = t
	for _, v := range d.tri[t] {
		// Exactly the same place: an existing vertex.
		if d.pts[v] == p {
			return t, edge, v
		}
	}
	return t, edge, -1
}

// search returns the first triangle that contains p.
func (d *delaunay) search(p vec2) int32 {
	for t, v := range d.tri {
		a, b, c := d.pts[v[0]], d.pts[v[1]], d.pts[v[2]]
		if exact.Orient(a, b, p) >= 0 && exact.Orient(b, c, p) >= 0 && exact.Orient(c, a, p) >= 0 {
			return int32(t)
		}
	}
	panic("meshes: point outside the triangulation")
}

// insert adds a vertex at p, or returns the vertex that is there already.
func (d *delaunay) insert(p vec2) int32 {
	// Three cases: at a vertex, on an edge, inside a triangle.
	t, edge, v := d.locate(p)
	if v >= 0 {
		return v
	}
	if edge >= 0 {
		return d.splitEdge(t, edge, p)
	}
	return d.splitTri(t, p)
}

// splitTri puts a vertex at p inside triangle t, which becomes three.
func (d *delaunay) splitTri(t int32, p vec2) int32 {
	x := int32(len(d.pts))
	d.pts, d.at = append(d.pts, p), append(d.at, t)
	// Vertices, neighbours and constraints of the triangle that is split.
	v, n, f := d.tri[t], d.nbr[t], d.fixed[t]
	// Triangle i keeps edge i of t.
	t1, t2 := d.addTri(), d.addTri()
	d.setTri(t, [3]int32{x, v[1], v[2]}, [3]int32{n[0], t1, t2}, [3]bool{f[0], false, false})
	d.setTri(t1, [3]int32{x, v[2], v[0]}, [3]int32{n[1], t2, t}, [3]bool{f[1], false, false})
	d.setTri(t2, [3]int32{x, v[0], v[1]}, [3]int32{n[2], t, t1}, [3]bool{f[2], false, false})
	d.relink(n[1], t, t1)
	d.relink(n[2], t, t2)
	// The edges opposite the new vertex may have lost the Delaunay property.
	d.work = append(d.work, t, 0, t1, 0, t2, 0)
	d.legalise()
	return x
}

// splitEdge puts a vertex at p on edge e of triangle t: the two triangles at
// the edge become four, and both halves of the edge inherit the constraint.
// Edges of the border square are never split, since every point lies inside it.
func (d *delaunay) splitEdge(t int32, e int, p vec2) int32 {
	x := int32(len(d.pts))
	d.pts, d.at = append(d.pts, p), append(d.at, t)
	// The quadrilateral a b q c around the edge b–c, and what surrounds it.
	u := d.nbr[t][e]
	g := d.edgeOf(u, t)
	a, b, c := d.tri[t][e], d.tri[t][(e+1)%3], d.tri[t][(e+2)%3] // edge b→c
	q := d.tri[u][g]
	nb, fb := d.nbr[t][(e+1)%3], d.fixed[t][(e+1)%3] // across c–a
	nc, fc := d.nbr[t][(e+2)%3], d.fixed[t][(e+2)%3] // across a–b
	mb, hb := d.nbr[u][(g+1)%3], d.fixed[u][(g+1)%3] // across b–q
	mc, hc := d.nbr[u][(g+2)%3], d.fixed[u][(g+2)%3] // across q–c
	// Both halves of a constraint stay constraints.
	f := d.fixed[t][e]
	t1, u1 := d.addTri(), d.addTri()
	d.setTri(t, [3]int32{x, a, b}, [3]int32{nc, u, t1}, [3]bool{fc, f, false})
	d.setTri(t1, [3]int32{x, c, a}, [3]int32{nb, t, u1}, [3]bool{fb, false, f})
	d.setTri(u, [3]int32{x, b, q}, [3]int32{mb, u1, t}, [3]bool{hb, false, f})
	d.setTri(u1, [3]int32{x, q, c}, [3]int32{mc, t1, u}, [3]bool{hc, f, false})
	d.relink(nb, t, t1)
	d.relink(mc, u, u1)
	d.work = append(d.work, t, 0, t1, 0, u, 0, u1, 0)
	d.legalise()
	return x
}

// legalise flips edges on the work list that are not Delaunay and no
// constraints, until none is left.
func (d *delaunay) legalise() {
	for len(d.work) > 0 {
		n := len(d.work)
		t, e := d.work[n-2], int(d.work[n-1])
		d.work = d.work[:n-2]
		// Border and constraints stay.
		u := d.nbr[t][e]
		if u == noTri || d.fixed[t][e] {
			continue
		}
		v := d.tri[t]
		// q is the vertex across the edge.
		q := d.tri[u][d.edgeOf(u, t)]
		// A vertex inside the circumcircle: the other diagonal is Delaunay.
		if exact.InCircle(d.pts[v[0]], d.pts[v[1]], d.pts[v[2]], d.pts[q]) > 0 {
			d.flip(t, e)
			// After the flip t and u are the fans of the new edge.
			for _, s := range [2]int32{t, u} {
				for i := range int32(3) {
					if m := d.nbr[s][i]; m != t && m != u {
						d.work = append(d.work, s, i)
					}
				}
			}
		}
	}
}

// flip replaces edge e of triangle t, shared with u, by the other diagonal of
// the quadrilateral. With t = (a, b, c), e opposite a, and u = (q, c, b), t
// becomes (a, b, q) and u becomes (a, q, c).
func (d *delaunay) flip(t int32, e int) {
	d.flips++
	u := d.nbr[t][e]
	g := d.edgeOf(u, t)
	a, b, c := d.tri[t][e], d.tri[t][(e+1)%3], d.tri[t][(e+2)%3]
	q := d.tri[u][g]
	// What surrounds the quadrilateral keeps its constraints.
	nb, fb := d.nbr[t][(e+1)%3], d.fixed[t][(e+1)%3] // across c–a
	nc, fc := d.nbr[t][(e+2)%3], d.fixed[t][(e+2)%3] // across a–b
	mb, hb := d.nbr[u][(g+1)%3], d.fixed[u][(g+1)%3] // across b–q
	mc, hc := d.nbr[u][(g+2)%3], d.fixed[u][(g+2)%3] // across q–c
	d.setTri(t, [3]int32{a, b, q}, [3]int32{mb, u, nc}, [3]bool{hb, false, fc})
	d.setTri(u, [3]int32{a, q, c}, [3]int32{mc, nb, t}, [3]bool{hc, fb, false})
	d.relink(mb, u, t)
	d.relink(nb, t, u)
}
