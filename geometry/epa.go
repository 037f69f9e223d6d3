package geometry

// Penetration depth of overlapping cores by the expanding polytope algorithm (EPA, van
// den Bergen 2001). A polytope inside the Minkowski difference D of the cores grows
// towards the face of D nearest to the origin. For a face with outward unit normal m at
// distance d
//
//	d ≤ depth along m ≤ m·w,   w the point of D farthest along m   (1)
//
// and the face of least d is the answer when both ends of (1) agree. Distances are
// signed: the polytope need not contain the origin, because a face that the origin is
// outside of has d < 0 and is the first to grow.
//
//	vert     points of D                      face[i].next  faces across the edges
//	face     triangles, outward               face[i].d     signed distance, m

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// epaFaces and epaVerts bound the polytope, so that it stays on the stack.
	epaFaces = 255
	epaVerts = epaFaces/2 + 4
	// epaTol ends the growth when (1) is this tight, relative to the size of the pair.
	// Polytopes end exactly, curved cores are polished afterwards.
	epaTol = 1e-8
)

// epaFace is a triangle of the polytope.
type epaFace struct {
	// corners, counter-clockwise seen from outside
	v [3]int32
	// face across the edge v[i] v[i+1]
	next [3]int32
	// the number of that edge in that face
	side [3]int32
	// outward unit normal
	n r3.Vec
	// signed distance from the origin, m; +Inf for a face without area
	d float64
	// the face has been replaced
	dead bool
}

// epa is a growing polytope.
type epa struct {
	vert [epaVerts]supportPoint
	nv   int
	face [epaFaces]epaFace
	nf   int
	// slots of faces that are gone
	free  [epaFaces]int32
	nfree int
	// size of the pair, m: round-off is relative to it
	scale float64
	// there was no slot for a face
	full bool

	// ends of the ring of new faces, while a corner is added
	first, last int32
	// faces that saw the corner; their slots stay reserved until the ring is closed
	gone  [epaFaces]int32
	ngone int
}

// penetration returns the least translation that separates the cores, given a simplex of
// D near the origin.
func (k *cores) penetration(sx *simplex) closest {
	var e epa
	curved, tol := k.isCurved(), 0.0
	if curved {
		tol = coarseDepth * min(k.A.Bounds().Max.Norm(), k.B.Bounds().Max.Norm())
	}
	if flat, ok := e.seed(k, sx); !ok {
		return flat
	}
	for {
		// Grow the nearest face towards its support point until (1) is tight, or nothing
		// is gained.
		best := e.nearest()
		f := e.face[best]
		w := k.support(f.n.Neg())
		depth := f.n.Dot(w.w)
		if depth-f.d <= max(tol, epaTol*e.scale) || e.has(w.w) || !e.add(w, best) {
			c := e.answer(&f, depth)
			// A gap in (1) is left on curved cores.
			if depth-f.d > 1e-14*e.scale {
				switch {
				case curved && k.smoothNormal(&c, e.scale):
					e.searchBasins(k, &c)
				case curved:
					// A copy of k would escape to the heap.
					k.plain = true
					c = k.penetration(sx)
					k.plain = false
					return c
				case !k.nested:
					k.polish(&c, e.scale)
				}
			}
			return c
		}
	}
}

// answer returns n = −m of a face and s = −m·w, the end of (1) that surely separates the
// cores. The closest points come from the triangle that the origin projects into, among
// those in the plane of the face.
func (e *epa) answer(f *epaFace, depth float64) closest {
	a, least := e.foot(f)
	for i := range e.nf {
		// Faces of D with more than three corners are several triangles.
		if g := &e.face[i]; !g.dead && g.d <= f.d+1e-13*e.scale && g.n.Dot(f.n) > 1-1e-12 {
			if b, l := e.foot(g); l < least {
				a, least = b, l
			}
		}
	}
	n := f.n.Neg()
	return closest{-depth, n, a, a.AddScaled(-depth, n), true}
}

// foot returns the point of A behind the point of a face nearest to the origin, and its
// squared distance.
func (e *epa) foot(f *epaFace) (a r3.Vec, d2 float64) {
	sx := simplex{n: 3}
	// The triangle as a simplex, whose nearest point has weights.
	for i, v := range f.v {
		sx.v[i] = e.vert[v]
	}
	p, _ := sx.reduce()
	return sx.point(), p.Norm2()
}

// has reports whether a point is a corner of the polytope.
func (e *epa) has(w r3.Vec) bool {
	for i := range e.nv {
		if e.vert[i].w == w {
			return true
		}
	}
	return false
}

// nearest returns the face of least d.
func (e *epa) nearest() int32 {
	best, d := int32(-1), math.Inf(1)
	for i := range e.nf {
		if f := &e.face[i]; !f.dead && (best < 0 || f.d < d) {
			best, d = int32(i), f.d
		}
	}
	return best
}

// seed spans a tetrahedron of D from the simplex. If D has no volume it returns ok =
// false and the answer: the cores touch, and any normal of D will do.
func (e *epa) seed(k *cores, sx *simplex) (flat closest, ok bool) {
	for i := range sx.n {
		e.scale = max(e.scale, sx.v[i].size())
	}
	p := sx.v
	// The answer for a flat D, with the normal turned from A to B.
	touch := func(n r3.Vec) closest {
		if n.Dot(k.X_AB.P) < 0 {
			n = n.Neg()
		}
		w := k.support(n)
		s := n.Dot(w.w)
		return closest{s, n, w.a, w.a.AddScaled(s, n), true}
	}
	// Corner m is the point farthest from the span of those before, by the measure off:
	// of the simplex, or where that has none, of the support points along dirs and
	// against them.
	grow := func(m int, dirs []r3.Vec, off func(w r3.Vec) float64) bool {
		// Less than this is round-off.
		far := touchTol * e.scale
		found := false
		try := func(c supportPoint) {
			if d := off(c.w); d > far {
				p[m], far, found = c, d, true
			}
		}
		for i := m; i < sx.n; i++ {
			try(sx.v[i])
		}
		if found {
			return true
		}
		// Support points where the simplex has none.
		for _, d := range dirs {
			c := k.support(d)
			e.scale = max(e.scale, c.size())
			try(c)
			try(k.support(d.Neg()))
		}
		return found
	}
	o := p[0].w
	axes := [3]r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	// An edge, then a triangle, then a tetrahedron.
	if !grow(1, axes[:], func(w r3.Vec) float64 { return w.Sub(o).Norm() }) {
		return touch(axes[0]), false
	}
	_, u := direction(p[1].w.Sub(o))
	t1, t2 := r3.Basis(u)
	if !grow(2, []r3.Vec{t1, t2}, func(w r3.Vec) float64 { return w.Sub(o).Cross(u).Norm() }) {
		return touch(t1), false
	}
	_, n := direction(p[1].w.Sub(o).Cross(p[2].w.Sub(o)))
	if !grow(3, []r3.Vec{n}, func(w r3.Vec) float64 { return math.Abs(w.Sub(o).Dot(n)) }) {
		return touch(n), false
	}
	// The faces below have the apex behind 0 1 2.
	if p[3].w.Sub(o).Dot(n) > 0 {
		p[1], p[2] = p[2], p[1]
	}
	copy(e.vert[:], p[:])
	e.nv, e.nf = 4, 4
	// Faces, and links across their six edges.
	for i, v := range [4][3]int32{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		e.face[i].v = v
		e.plane(int32(i))
	}
	for _, l := range [6][4]int32{{0, 0, 1, 2}, {0, 1, 2, 2}, {0, 2, 3, 2}, {1, 1, 2, 0}, {2, 1, 3, 0}, {3, 1, 1, 0}} {
		e.link(l[0], l[1], l[2], l[3])
	}
	return closest{}, true
}

// plane sets the normal and the distance of face i.
func (e *epa) plane(i int32) {
	f := &e.face[i]
	a, b, c := e.vert[f.v[0]].w, e.vert[f.v[1]].w, e.vert[f.v[2]].w
	var m r3.Vec
	normalOf(&m, &a, &b, &c)
	// Slivers have no normal.
	area := m.Norm()
	// A face without area never grows.
	if area <= 1e-15*(b.Sub(a).Norm2()+c.Sub(a).Norm2()) {
		f.n, f.d = r3.Vec{}, math.Inf(1)
		return
	}
	f.n = m.Scale(1 / area)
	f.d = f.n.Dot(a)
}

// link makes edge i of face f and edge j of face g the same edge.
func (e *epa) link(f, i, g, j int32) {
	e.face[f].next[i], e.face[f].side[i] = g, j
	e.face[g].next[j], e.face[g].side[j] = f, i
}

// add replaces the faces that see w, from face seen on, by a cone to w, and reports
// success. It fails when there is no slot left.
func (e *epa) add(w supportPoint, seen int32) bool {
	if e.nv == epaVerts {
		return false
	}
	// The new corner, and the faces that see it.
	e.vert[e.nv] = w
	e.nv++
	e.first, e.last, e.ngone = -1, -1, 0
	f := &e.face[seen]
	e.remove(seen)
	for i := range f.next {
		e.expand(f.next[i], f.side[i])
	}
	// No slots, or no face sees the corner.
	if e.full || e.first < 0 {
		return false
	}
	// Close the ring and release the slots.
	e.link(e.last, 1, e.first, 2)
	for _, g := range e.gone[:e.ngone] {
		e.free[e.nfree] = g
		e.nfree++
	}
	return true
}

// expand visits the faces that see the new corner, entering face f across its edge i, and
// puts a new face on every edge behind which no face sees the corner.
func (e *epa) expand(f, i int32) {
	if e.full || e.face[f].dead {
		return
	}
	g := &e.face[f]
	w := int32(e.nv - 1)
	if g.n.Dot(e.vert[w].w)-g.d <= 1e-14*e.scale {
		// f stays: the edge belongs to the horizon.
		a := e.alloc()
		if a < 0 {
			return
		}
		// Edge i of f is v[i] v[i+1]; seen from the new face it runs the other way.
		e.face[a] = epaFace{v: [3]int32{g.v[(i+1)%3], g.v[i], w}}
		e.plane(a)
		e.link(a, 0, f, i)
		if e.last < 0 {
			e.first = a
		} else {
			e.link(e.last, 1, a, 2)
		}
		e.last = a
		return
	}
	e.remove(f)
	e.expand(g.next[(i+1)%3], g.side[(i+1)%3])
	e.expand(g.next[(i+2)%3], g.side[(i+2)%3])
}

// remove marks a face as gone.
func (e *epa) remove(f int32) {
	e.face[f].dead = true
	e.gone[e.ngone] = f
	e.ngone++
}

// alloc returns a slot for a face, or −1 and sets full.
func (e *epa) alloc() int32 {
	if e.nfree > 0 {
		e.nfree--
		return e.free[e.nfree]
	}
	if e.nf == epaFaces {
		e.full = true
		return -1
	}
	e.nf++
	return int32(e.nf - 1)
}
