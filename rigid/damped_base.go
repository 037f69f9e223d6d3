package rigid

import "github.com/curlfree/curlfree/r3"

// Floating bases of trees with joints under the midpoint rule. The velocity (ω, v_M) of a base at the end is that which
// has the momenta of the start, with those of weight and of the impulses g on the base, of moment g_ω about M, in the
// shape of the end,
//
//	I⁺ ω⁺ + L₁⁺ = L + g_ω − ℓ×g_v + h e×g                                  (1)
//	m (v_M⁺ + ω⁺×r⁺) + p₁⁺ = p + h m g + g_v
//
// with ℓ from M to the centre of mass at q_m of damped_tree.go, and symbols of floating_tree.go.

// base is what the momenta (1) of a tree with a floating base need.
type base struct {
	// A and p are rows of the base in (2) of damped_tree.go without efforts: 6×n and 6.
	A []float64
	p [6]float64
	// l is ℓ, and moment and weight are what weight adds, of the last FreeMotion.
	l, moment, weight r3.Vec
	// now are the properties at the start.
	now central
}

// startBase notes what (1) needs.
func (d *Data) startBase(t, link int, gravity *r3.Vec, tau, A, mom []float64) {
	b, mid, n, first := &d.damped.bases[t], d.damped.middle, len(mom), d.m.treeStart[t]
	copy(b.A, A[:6*n])
	copy(b.p[:], mom)
	if tau != nil {
		for k := range b.p {
			b.p[k] -= d.h * tau[first+k]
		}
	}
	d.centralProperties(t, link, &b.now)
	all := &mid.compositeInertia[link]
	b.l.SetScale(1/all.mass, &all.mc)
	b.l.SetAdd(&b.l, &mid.p_MB[link])
	b.weight.SetScale(d.h*b.now.weight, gravity)
	b.moment = r3.Vec{}
	if d.m.carriedTree[t] {
		lift := mid.carriedOfTree(t, &mid.x_WB[link].P)
		r := all.mc.Scale(1 / all.mass)
		e := lift.eccentricity(&r)
		b.moment = e.Cross(*gravity).Scale(d.h)
	}
}

// endBase writes the velocities of the floating base of a tree to those of its joints in v (nv), (1). It returns the
// base's angular velocity, and leaves the properties of the shape with the base at rest in dampedStep.then.
func (d *Data) endBase(t, link int, w, v []float64) r3.Vec {
	m, a, b := d.m, d.endOfStep, &d.damped.bases[t]
	first, n := m.treeStart[t], len(w)
	// impulses on the base
	var g [6]float64
	for i := range g {
		row := b.A[i*n : i*n+n]
		for k, x := range w {
			g[i] += row[k] * (x - d.damped.middle.v[first+k])
		}
		g[i] -= b.p[i]
	}
	turns, slides := d.subspace[first:first+3], d.subspace[first+3:first+6]
	var turn, push r3.Vec
	for k := range 3 {
		turn.IncScale(g[k], &turns[k].w)
		push.IncScale(g[3+k], &slides[k].v)
	}
	L := b.now.L.Add(turn).Sub(b.l.Cross(push)).Add(b.moment)
	p := b.now.p.Add(push).Add(b.weight)
	// the shape
	d.placeEnd(t, w, v)
	clear(a.v[first : first+6])
	for _, i := range m.linksOfTree[t] {
		a.place(i, 0, d.h)
	}
	a.computeComposites(m.linksOfTree[t])
	then := &d.damped.then
	a.centralProperties(t, link, then)
	inv, _ := then.I.Inv()
	omega := inv.MulVec(L.Sub(then.L))
	velocity := p.Sub(then.p).Scale(1 / then.mass).Sub(omega.Cross(then.r))
	for k := range 3 {
		v[first+k] = omega.DotOf(&turns[k].w)
		v[first+3+k] = velocity.DotOf(&slides[k].v)
	}
	return omega
}
