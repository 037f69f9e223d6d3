package mjcf

// Masses. A body has the mass of its <inertial>, or the sum of its shapes where it has none
// or compiler/inertiafromgeom is true. A shape has the mass that it gives, or its density, by
// default that of water, times its volume.
//
// With the masses m_i, centres c_i and inertias I_i about them of the shapes, in the body's axes,
//
//		m = Σ m_i     c = Σ m_i c_i / m     I = Σ I_i + m_i (|d_i|² 1 − d_i d_iᵀ),  d_i = c_i − c.  (1)
//
// Masses are in kg, moments in kg m². A shape has uniform density; of a mesh it is the volume that
// it encloses, or its convex hull. Overlaps of shapes count twice, as in MuJoCo.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// waterDensity is the density of geoms that give neither mass nor density, kg/m³.
const waterDensity = 1000

// inertial reads the <inertial> of a body. The diagonal form is in its own axes, the full
// one in those of the body.
func (r *reader) inertial(it item, body string) *robot.Inertial {
	e := it.e
	X := it.X_BI.Mul(r.pose(view{e}))
	// The origin of the inertial is the centre of mass.
	r.RequiredText(e, "mass")
	in := &robot.Inertial{Mass: r.Number(e, "mass", 0), Com: X.P}
	if in.Mass < 0 {
		r.Fail(e.Line, "body %q: its mass is %g kg: it must not be negative", body, in.Mass)
	}
	// principal moments in the axes of the inertial, or six numbers in those of the body
	d, f := r.numbers(e, "diaginertia", 3, 3), r.numbers(e, "fullinertia", 6, 6)
	switch {
	case d != nil && f != nil:
		r.Fail(e.Line, "body %q: its <inertial> has both diaginertia and fullinertia: keep one", body)
	case d != nil:
		// R diag(d) Rᵀ, from the axes of the inertial to those of the body
		in.Inertia = X.R.Mul(r3.Diag(r3.Vec(d))).Mul(X.R.T())
		// Rounding leaves the product unsymmetric by a bit: the lower half is copied from the upper.
		in.Inertia[3], in.Inertia[6], in.Inertia[7] = in.Inertia[1], in.Inertia[2], in.Inertia[5]
	case f != nil:
		r.refuseOrientation(e, body)
		// Full inertias are in the body's axes; those of the frames around turn with them.
		R := it.X_BI.R
		in.Inertia = R.Mul(r3.Mat{f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]}).Mul(R.T())
	case in.Mass > 0 && r.Err == nil:
		r.Warn(e.Line, "body %q has a mass but neither diaginertia nor fullinertia: taken as a point mass", body)
	}
	return in
}

// refuseOrientation reports an <inertial> whose six moments are turned: the format has them in the
// body's axes.
func (r *reader) refuseOrientation(e *robot.Element, body string) {
	for _, name := range orientations {
		if _, ok := e.Attr(name); ok {
			r.Fail(e.Line, "body %q: its <inertial> has fullinertia, which is in the body's axes, and %s: leave that out, or give diaginertia", body, name)
		}
	}
}

// massGiven returns the mass of a geom (kg) and whether it has one of its own, which counts before
// its density (kg/m³).
func (r *reader) massGiven(v view) (mass, density float64, given bool) {
	_, at, given := v.get("mass")
	mass, density = r.number(v, "mass", 0), r.number(v, "density", waterDensity)
	if mass < 0 || density < 0 {
		if at == nil {
			at = v[0]
		}
		r.Fail(at.Line, "<geom>: its mass or density is negative: it must not be")
	}
	return mass, density, given
}

// add adds the mass of a geom to that of its body. It has the mass that it gives, or its
// density times its volume, unless its group has no mass.
func (r *reader) add(total *geometry.MassProperties, v view, g *robot.Geometry) {
	mass, density, given := r.massGiven(v)
	// Only geoms of some groups have mass.
	group := r.number(v, "group", 0)
	if group < r.compiler.groups[0] || group > r.compiler.groups[1] || given && mass == 0 || !given && density == 0 || r.Err != nil {
		return
	}
	// for 1 kg/m³, then scaled to the mass or density, and placed in the body
	own, ok := r.massOf(v, g)
	if !ok {
		return
	}
	if given {
		// own is for 1 kg/m³, so its mass is the volume in m³
		density = mass / own.Mass
	}
	own = own.Scale(density).Transform(g.X_LG)
	// (1), with the parallel-axis terms
	sum := total.Plus(own)
	// Huge sizes and densities overflow.
	if n := sum.Inertia.Norm2(); !(own.Mass > 0) || math.IsInf(sum.Mass, 0) || !sum.Com.IsFinite() || math.IsNaN(n) || math.IsInf(n, 0) {
		r.Fail(g.Line, "<geom>: its mass cannot be computed from its size and density: give the body an <inertial>")
		return
	}
	*total = sum
}

// massOf returns the mass properties of a geom for a density of 1 kg/m³, in its frame;
// false after a fault.
func (r *reader) massOf(v view, g *robot.Geometry) (m geometry.MassProperties, ok bool) {
	s, err := g.Primitive()
	if s == nil && err == nil {
		if own := r.solid(r.meshes[v.text("mesh", "")], g.Line); own != nil {
			return *own, true
		}
		return m, false
	}
	if err == nil {
		m, err = geometry.MassOf(s)
	}
	if err != nil {
		r.Fail(g.Line, "<geom>: %v", err)
	}
	return m, err == nil
}

// weigh applies the settings that apply to all bodies: the least mass, the least
// principal moment, and the total mass, to which all are scaled.
func (r *reader) weigh() {
	c, sum := &r.compiler, 0.0
	// Least mass and least principal moments, which keep bodies from being too light to simulate.
	for i := range r.m.Links {
		in := r.m.Links[i].Inertial
		if in == nil {
			continue
		}
		in.Mass = max(in.Mass, c.leastMass)
		if c.leastMoment > 0 {
			// I = Q diag(w) Qᵀ: the moments are raised, the axes stay
			Q, w := r3.SymEigen(in.Inertia)
			for k := range w {
				w[k] = max(w[k], c.leastMoment)
			}
			in.Inertia = Q.Mul(r3.Diag(w)).Mul(Q.T())
		}
		sum += in.Mass // kg, of all links
	}
	// The ratios of the masses stay.
	if c.totalMass > 0 && sum > 0 {
		for i := range r.m.Links {
			if in := r.m.Links[i].Inertial; in != nil {
				in.Mass, in.Inertia = in.Mass*(c.totalMass/sum), in.Inertia.Scale(c.totalMass/sum)
			}
		}
	}
}
