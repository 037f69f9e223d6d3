package geometry

// Depth of overlapping cores: the expanding polytope (van den Bergen 2001). A
// polytope inside the difference D of the cores grows towards the face of D
// nearest to the origin. For a face with outward unit normal m at distance d
//
//	d ≤ depth along m ≤ m·w,   w the point of D farthest along m   (1)
//
// and the face of least d is the answer when both ends of (1) agree. Distances
// are signed: the start need not contain the origin, for a face the origin is
// outside of is the first to grow.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	epaFaces = 255
	epaVerts = epaFaces/2 + 4
	// epaTol ends the growth when (1) is this tight, relative to the size of the
	// pair. Polytopes end exactly, curved cores are polished afterwards.
	epaTol = 1e-8
)

type epaFace struct {
	v    [3]int32 // corners, counter-clockwise seen from outside
	next [3]int32 // face across the edge v[i] v[i+1]
	side [3]int32 // the edge's number in that face
	n    r3.Vec   // outward unit normal
	d    float64  // signed distance from the origin; +Inf for a face without area
	dead bool
}

type epa struct {
	vert  [epaVerts]supportPoint
	nv    int
	face  [epaFaces]epaFace
	nf    int
	free  [epaFaces]int32 // slots of faces that are gone
	nfree int
	scale float64
	full  bool

	// while a corner is added
	first, last int32           // ends of the ring of new faces
	gone        [epaFaces]int32 // faces that saw the corner; their slots stay theirs until the ring is closed
	ngone       int
}

// penetration returns the least motion that parts the cores, given a simplex of
// D near the origin.
func (k *cores) penetration(sx *simplex) closest {
	var e epa
	if flat, ok := e.seed(k, sx); !ok {
		return flat
	}
	for {
		best := e.nearest()
		f := e.face[best]
		w := k.support(f.n.Neg())
		depth := f.n.Dot(w.w)
		if depth-f.d <= epaTol*e.scale || e.has(w.w) || !e.add(w, best) {
			c := e.answer(&f, depth)
			if depth-f.d > 1e-14*e.scale {
				k.polish(&c, e.scale)
			}
			return c
		}
	}
}

// answer reads n = −m off a face and s = −m·w, the end of (1) that surely parts
// the cores. The closest points come from the triangle, of those in its plane,
// that the origin projects into.
func (e *epa) answer(f *epaFace, depth float64) closest {
	a, least := e.foot(f)
	for i := range e.nf {
		if g := &e.face[i]; !g.dead && g.d <= f.d+1e-13*e.scale && g.n.Dot(f.n) > 1-1e-12 {
			if b, l := e.foot(g); l < least {
				a, least = b, l
			}
		}
	}
	n := f.n.Neg()
	return closest{-depth, n, a, a.AddScaled(-depth, n), true}
}

// foot returns A's point of the point of a face nearest to the origin, and how
// far (squared) that is.
func (e *epa) foot(f *epaFace) (a r3.Vec, d2 float64) {
	sx := simplex{n: 3}
	for i, v := range f.v {
		sx.v[i] = e.vert[v]
	}
	p, _ := sx.reduce()
	return sx.point(), p.Norm2()
}

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

// begin spans a tetrahedron of D from the simplex. If D has no volume, it
// answers at once with ok = false: the cores touch, and any normal of D will do.
func (e *epa) seed(k *cores, sx *simplex) (flat closest, ok bool) {
	for i := range sx.n {
		e.scale = max(e.scale, sx.v[i].size())
	}
	p := sx.v
	touch := func(n r3.Vec) closest {
		if n.Dot(k.X_AB.P) < 0 {
			n = n.Neg()
		}
		w := k.support(n)
		s := n.Dot(w.w)
		return closest{s, n, w.a, w.a.AddScaled(s, n), true}
	}
	// Each dimension: the farthest point from what there is, by the measure off.
	grow := func(m int, dirs []r3.Vec, off func(w r3.Vec) float64) bool {
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
	if p[3].w.Sub(o).Dot(n) > 0 { // faces below expect the apex behind 0 1 2
		p[1], p[2] = p[2], p[1]
	}
	copy(e.vert[:], p[:])
	e.nv, e.nf = 4, 4
	for i, v := range [4][3]int32{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		e.face[i].v = v
		e.plane(int32(i))
	}
	for _, l := range [6][4]int32{{0, 0, 1, 2}, {0, 1, 2, 2}, {0, 2, 3, 2}, {1, 1, 2, 0}, {2, 1, 3, 0}, {3, 1, 1, 0}} {
		e.link(l[0], l[1], l[2], l[3])
	}
	return closest{}, true
}

// plane sets normal and distance of face i.
func (e *epa) plane(i int32) {
	f := &e.face[i]
	a, b, c := e.vert[f.v[0]].w, e.vert[f.v[1]].w, e.vert[f.v[2]].w
	var m r3.Vec
	normalOf(&m, &a, &b, &c)
	area := m.Norm()
	if area <= 1e-15*(b.Sub(a).Norm2()+c.Sub(a).Norm2()) {
		f.n, f.d = r3.Vec{}, math.Inf(1)
		return
	}
	f.n = m.Scale(1 / area)
	f.d = f.n.Dot(a)
}

func (e *epa) link(f, i, g, j int32) {
	e.face[f].next[i], e.face[f].side[i] = g, j
	e.face[g].next[j], e.face[g].side[j] = f, i
}

// add replaces the faces that see w by a cone to it and reports success. It
// fails when there is no room left.
func (e *epa) add(w supportPoint, seen int32) bool {
	if e.nv == epaVerts {
		return false
	}
	e.vert[e.nv] = w
	e.nv++
	e.first, e.last, e.ngone = -1, -1, 0
	f := &e.face[seen]
	e.remove(seen)
	for i := range f.next {
		e.expand(f.next[i], f.side[i])
	}
	if e.full || e.first < 0 {
		return false
	}
	e.link(e.last, 1, e.first, 2)
	for _, g := range e.gone[:e.ngone] {
		e.free[e.nfree] = g
		e.nfree++
	}
	return true
}

// expand walks over the faces that see the new corner, entering face f across
// its edge i, and puts a new face on every edge behind which none does.
func (e *epa) expand(f, i int32) {
	if e.full || e.face[f].dead {
		return
	}
	g := &e.face[f]
	w := int32(e.nv - 1)
	if g.n.Dot(e.vert[w].w)-g.d <= 1e-14*e.scale {
		a := e.alloc()
		if a < 0 {
			return
		}
		// The edge i of f is v[i] v[i+1]; seen from the other side it is turned.
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

func (e *epa) remove(f int32) {
	e.face[f].dead = true
	e.gone[e.ngone] = f
	e.ngone++
}

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
