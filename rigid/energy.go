package rigid

import "github.com/curlfree/curlfree/r3"

// KineticEnergy returns the kinetic energy of all links and of the rotors of
// their joints, J.
func (d *Data) KineticEnergy() float64 {
	e := 0.0
	for i := range d.bodyInertia {
		e += d.bodyInertia[i].energy(d.vel[i])
	}
	for k, i := range d.m.dofs {
		e += 0.5 * d.m.links[i].RotorInertia * d.v[k] * d.v[k]
	}
	return e
}

// PotentialEnergy returns −Σ (1 − c) m g·p of all links, J: p their centres of mass in the world (m),
// c the share of their weight that is carried, g gravity (m/s²).
func (d *Data) PotentialEnergy(gravity r3.Vec) float64 {
	e := 0.0
	for i := range d.bodyInertia {
		e -= (1 - d.m.links[i].WeightCompensation) * gravity.Dot(d.x_WB[i].P.Scale(d.bodyInertia[i].mass).Add(d.bodyInertia[i].mc))
	}
	return e
}

// SpringEnergy returns the energy in the joints' springs, J.
func (d *Data) SpringEnergy() float64 {
	e := 0.0
	for i := range d.m.links {
		if l := &d.m.links[i]; l.Stiffness > 0 {
			x := d.q[d.m.q0[i]] - l.Rest
			e += 0.5 * l.Stiffness * x * x
		}
	}
	return e
}

// Momentum returns the linear momentum of all links, world axes, N s.
func (d *Data) Momentum() r3.Vec {
	var p r3.Vec
	for i := range d.bodyInertia {
		p = p.Add(d.bodyInertia[i].times(d.vel[i]).v)
	}
	return p
}

// AngularMomentum returns the angular momentum of all links about the point about_W (m),
// world axes, N m s; rotors have none.
func (d *Data) AngularMomentum(about_W r3.Vec) r3.Vec {
	var L r3.Vec
	for i := range d.bodyInertia {
		L = L.Add(d.bodyInertia[i].times(d.vel[i]).shiftForce(d.x_WB[i].P.Sub(about_W)).w)
	}
	return L
}
