package rigid

import "github.com/curlfree/curlfree/r3"

// Floating trees with joints: the velocity that keeps their momenta, (5) of spin.go.

// central is what a tree looks like from its centre of mass.
type central struct {
	mass float64
	I    r3.Mat
	r    r3.Vec // centre of mass, from M of the floating link
	p, L r3.Vec // momenta
}

// look computes the central inertia and the momenta of a tree from the composite
// inertia of the link that floats.
func (d *Data) look(t, link int, c *central) {
	at := &d.comp[link]
	var r, L r3.Vec
	r.SetScale(1/at.mass, &at.mc)
	c.mass = at.mass
	c.I = at.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(r.Dot(at.mc))).Add(r3.Outer(r, at.mc))
	c.p = r3.Vec{}
	for _, i := range d.m.ofTree[t] {
		var f spatial
		var p r3.Vec
		d.own[i].apply(&d.vel[i], &f)
		p.SetSub(&d.x_WB[i].P, &d.x_WB[link].P)
		p.SetSub(&p, &r)
		L.IncScale(1, &f.w)
		L.IncCross(&p, &f.v)
		c.p.IncScale(1, &f.v)
	}
	c.L = L
	c.r.SetAdd(&r, &d.p_MB[link])
}

// keepMomenta adds to the momentum that a floating tree gains in the step, of its A
// and of the velocities gained so far, what its momenta lack to be those at the start
// and what weight and tau add.
func (d *Data) keepMomenta(t int, gravity *r3.Vec, A, dv, mom, tau []float64) {
	m, n := d.m, len(dv)
	first, link := m.first[t], m.floater[t]
	turns, slides := d.column[first:first+3], d.column[first+3:first+6]
	var now, then central
	d.look(t, link, &now)
	now.p.IncScale(d.h*now.mass, gravity)
	if tau != nil {
		var f r3.Vec
		for k := range 3 {
			now.L.IncScale(d.h*tau[first+k], &turns[k].w)
			f.IncScale(d.h*tau[first+3+k], &slides[k].v)
		}
		now.L.IncCross(&f, &now.r)
		now.p.IncScale(1, &f)
	}
	root := d.lookAhead(t, link, dv, &then)

	var w, v, theta, x r3.Vec
	for k := range 3 {
		w.IncScale(root[k], &turns[k].w)
	}
	w = spin(&then.I, &now.L, &then.L, &w, d.h)
	theta.SetScale(d.h, &w)
	v.SetScale(1/now.mass, &now.p) // (5)
	turnVec(&x, &theta, &then.r)
	v.IncCross(&x, &w)
	turnVec(&x, &theta, &then.p)
	v.IncScale(-1/then.mass, &x)
	for k := range 3 {
		root[k] = w.DotOf(&turns[k].w) - root[k]
		root[3+k] = v.DotOf(&slides[k].v) - root[3+k]
	}
	for i := range mom {
		for k, x := range root {
			mom[i] += A[i*n+k] * x
		}
	}
}

// lookAhead is look at the shape that a tree has at the end of the step, the link that
// floats where it is and at rest; it returns the velocity that this would have.
func (d *Data) lookAhead(t, link int, dv []float64, c *central) (root [6]float64) {
	m, a := d.m, d.ahead
	first := m.first[t]
	copy(a.q, d.q)
	for k, x := range dv {
		a.v[first+k] = d.v[first+k] + x
	}
	root = [6]float64(a.v[first:])
	clear(a.v[first : first+6])
	for _, i := range m.ofTree[t] {
		m.advance(i, d.h, a.q, a.v)
		a.place(i, 0, d.h)
	}
	a.composite(m.ofTree[t])
	a.look(t, link, c)
	return root
}
