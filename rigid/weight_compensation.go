package rigid

// Weight compensation of links. A share c_i of the weight of link i is carried by what is not part of the model: a
// balancer, buoyancy, motors that are not modelled. At its centre of mass acts
//
//	f_i = (1 − c_i) m_i g                                                   (1)
//
// so that inertia is that of m_i and the potential energy is −Σ (1 − c_i) m_i g·x_i. Newton–Euler equations take weight
// as an acceleration of the world, which is the same for all links: the carried part is a force, c_i m_i g against it.
// A tree of several shares has a weight that acts beside its centre of mass x, with the moment
//
//	T = e × g,   e = Σ (1 − c_i) m_i (x_i − x) = −Σ c_i m_i (x_i − x)       (2)
//
// about it, which is zero where all shares are equal.

import "github.com/curlfree/curlfree/r3"

// carriedMass is a part of masses whose weight is carried.
type carriedMass struct {
	// mass is Σ c m, kg.
	mass float64
	// mc is mass times its centre from the point of reference, kg m.
	mc r3.Vec
}

// WeightMass returns the mass that gravity acts on, (1 − c) m, kg.
func (s LinkSpec) WeightMass() float64 { return (1 - s.WeightCompensation) * s.Mass }

// carriedOf returns the carried mass of a link about its origin.
func (d *Data) carriedOf(i int) (b carriedMass) {
	if c := d.m.links[i].WeightCompensation; c != 0 {
		own := &d.bodyInertia[i]
		b.mass = c * own.mass
		b.mc.SetScale(c, &own.mc)
	}
	return b
}

// add adds b, whose point of reference is at r from a's.
func (a *carriedMass) add(b *carriedMass, r *r3.Vec) {
	a.mass += b.mass
	a.mc.IncScale(1, &b.mc)
	a.mc.IncScale(b.mass, r)
}

// addForce adds the force that carries the mass against gravity, as inertial forces have it.
func (a *carriedMass) addForce(gravity *r3.Vec, f *spatial) {
	f.w.IncCross(&a.mc, gravity)
	f.v.IncScale(a.mass, gravity)
}

// carriedOfTree returns the carried mass of a tree about a point o_W, zero where no weight is carried.
func (d *Data) carriedOfTree(t int, o_W *r3.Vec) (b carriedMass) {
	if !d.m.carriedTree[t] {
		return b
	}
	for _, i := range d.m.linksOfTree[t] {
		own := d.carriedOf(i)
		var r r3.Vec
		r.SetSub(&d.x_WB[i].P, o_W)
		b.add(&own, &r)
	}
	return b
}

// eccentricity returns e (2) of a tree whose centre of mass is at r from the point of reference.
func (a *carriedMass) eccentricity(r *r3.Vec) (e r3.Vec) {
	e.SetScale(a.mass, r)
	e.SetSub(&e, &a.mc)
	return e
}

// gravityOn returns the acceleration by weight of the centre of mass of a single floating body, m/s², and the moment T
// (2) about it, N m; at is its inertia about the origin M of its joint.
func (d *Data) gravityOn(t, link int, at *inertia, gravity *r3.Vec) (g, T r3.Vec) {
	g = *gravity
	if !d.m.carriedTree[t] {
		return g, T
	}
	var o, r r3.Vec
	o.SetSub(&d.x_WB[link].P, &d.p_MB[link])
	lift := d.carriedOfTree(t, &o)
	r.SetScale(1/at.mass, &at.mc)
	e := lift.eccentricity(&r)
	g.SetScale(1-lift.mass/at.mass, gravity)
	T.SetCross(&e, gravity)
	return g, T
}
