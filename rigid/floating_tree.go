package rigid

import "github.com/curlfree/curlfree/r3"

// Trees with a floating base conserve their momentum p, and their angular momentum L about
// the centre of mass, exactly. The step of midpoint.go gives the motion of the joints; then
// the velocity of the base (ω, v_M of the origin of the joint's M) is replaced by the one
// that has the momenta of the step's start, with those that weight and efforts f on the base
// add, in the shape of the step's end:
//
//	I₁ ω + L₁ = Exp(−h ω) L                                                (1)
//	m v_M = p + h (m g + f) − R p₁ − m ω×R r₁,  R = Exp(h ω)                (2)
//
// with the part of m g that nothing carries, whose moment counts for L.
//
// I₁, r₁ (from M to the centre of mass), L₁ and p₁ are inertia, lever and momenta of that
// shape with the base at rest. (1) is (5) of floating_body.go.

// central are the properties of a tree about its centre of mass.
type central struct {
	// mass of the whole, kg.
	mass float64
	// I: inertia, kg m².
	I r3.Mat
	// r: centre of mass, from M of the floating link, m.
	r r3.Vec
	// p and L: momentum, N s, and angular momentum, N m s.
	p, L r3.Vec
	// weight is the mass that gravity acts on, kg, and e its moment (2) of weight_compensation.go, kg m.
	weight float64
	e      r3.Vec
	// energy: kinetic, with that of the joints' rotors, and of their springs, J.
	energy float64
}

// centralProperties computes the properties of a tree about its centre of mass, from the
// composite inertia of the floating link.
func (d *Data) centralProperties(t, link int, c *central) {
	at := &d.compositeInertia[link]
	// inertia about the centre of mass (parallel axes)
	var r, L r3.Vec
	r.SetScale(1/at.mass, &at.mc)
	c.mass = at.mass
	c.I = at.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(r.Dot(at.mc))).Add(r3.Outer(r, at.mc))
	c.p = r3.Vec{}
	twice := 0.0
	for _, i := range d.m.linksOfTree[t] {
		var f spatial
		var p r3.Vec
		d.bodyInertia[i].apply(&d.vel[i], &f)
		twice += f.dotOf(&d.vel[i])
		p.SetSub(&d.x_WB[i].P, &d.x_WB[link].P)
		p.SetSub(&p, &r)
		L.IncScale(1, &f.w)
		L.IncCross(&p, &f.v)
		c.p.IncScale(1, &f.v)
	}
	c.energy = 0.5 * twice
	c.L = L
	c.weight, c.e = c.mass, r3.Vec{}
	if d.m.carriedTree[t] {
		lift := d.carriedOfTree(t, &d.x_WB[link].P)
		c.weight, c.e = c.mass-lift.mass, lift.eccentricity(&r)
	}
	c.r.SetAdd(&r, &d.p_MB[link])
}

// conserveMomenta corrects mom, the momentum that a tree with a floating base gains in the
// step, so that the base has the velocity of (1) and (2), and the joints obey (1) of energy_limit.go. A (n×n) is
// the tree's, dv its v* − v0 so far, tau the applied efforts, nil for none.
func (d *Data) conserveMomenta(t int, gravity *r3.Vec, A, dv, mom, tau []float64) {
	m, n := d.m, len(dv)
	first, link := m.treeStart[t], m.floatingBase[t]
	turns, slides := d.subspace[first:first+3], d.subspace[first+3:first+6]
	// the momenta at the end of the step: those at the start, weight and efforts
	var now, then central
	d.centralProperties(t, link, &now)
	limit := d.internalLimit(t, gravity, &now)
	now.p.IncScale(d.h*now.weight, gravity)
	if now.e != (r3.Vec{}) {
		var T r3.Vec
		T.SetCross(&now.e, gravity)
		now.L.IncScale(d.h, &T)
	}
	if tau != nil {
		var f r3.Vec
		for k := range 3 {
			now.L.IncScale(d.h*tau[first+k], &turns[k].w)
			f.IncScale(d.h*tau[first+3+k], &slides[k].v)
		}
		now.L.IncCross(&f, &now.r)
		now.p.IncScale(1, &f)
	}
	// the shape at the end of the step, and the spin of the base that has these momenta
	s, change := 1.0, d.ddv[:n]
	w := d.spinOfShape(t, link, s, dv, &now.L, &then)
	if then.internalEnergy(d.h, gravity, &w) > limit {
		s, w = d.limitShape(t, link, limit, dv, gravity, &now.L, &then)
	}
	// and its velocity
	var v, theta, x r3.Vec
	theta.SetScale(d.h, &w)
	v.SetScale(1/now.mass, &now.p) // (2)
	rotateExp(&x, &theta, &then.r)
	v.IncCross(&x, &w)
	rotateExp(&x, &theta, &then.p)
	v.IncScale(-1/then.mass, &x)
	// the difference from the velocities so far, as momentum
	for k := range 3 {
		change[k] = w.DotOf(&turns[k].w) - (d.v[first+k] + dv[k])
		change[3+k] = v.DotOf(&slides[k].v) - (d.v[first+3+k] + dv[3+k])
	}
	changed := change[:6]
	if s < 1 {
		changed = change
		v0 := d.velocitiesOf(t)
		for k := 6; k < n; k++ {
			change[k] = (s - 1) * (v0[k] + dv[k])
		}
	}
	for i := range mom {
		for k, x := range changed {
			mom[i] += A[i*n+k] * x
		}
	}
}

// spinOfShape computes the central properties of a tree in its shape at the end of the step,
// with the base in its present pose and at rest and the joints at s times their velocities.
// It returns the base's angular velocity (1) for the angular momentum L.
func (d *Data) spinOfShape(t, link int, s float64, dv []float64, L *r3.Vec, c *central) r3.Vec {
	m, a := d.m, d.endOfStep
	first := m.treeStart[t]
	var w r3.Vec
	for k := range 3 {
		w.IncScale(d.v[first+k]+dv[k], &d.subspace[first+k].w)
	}
	// positions of the joints at the end of the step, base at rest
	d.placeScaled(t, s, dv)
	clear(a.v[first : first+6])
	at := m.q0[link]
	copy(a.q[at:at+7], d.q[at:at+7])
	m.advance(link, d.h, a.q, a.v)
	for _, i := range m.linksOfTree[t] {
		a.place(i, 0, d.h)
	}
	a.computeComposites(m.linksOfTree[t])
	a.centralProperties(t, link, c)
	c.energy += a.driveEnergy(first+6, first+len(dv))
	return spinAtEnd(&c.I, L, &c.L, &w, d.h) // (1)
}
