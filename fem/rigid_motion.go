package fem

// The best-fit rigid motion of a body (polar decomposition), with the masses m of its vertices:
// positions x of those at X at rest, and velocities v,
//
//	R = argmin Σ m |x − c − R (X − C)|² = polar(Σ m (x − c) (X − C)ᵀ)         (1)
//	ω = argmin Σ m |v − u − ω × (x − c)|² = I⁻¹ Σ m (x − c) × v               (2)
//
// with c, C and u the means of x, X and v. Source: Kabsch, "A solution for the best rotation to
// relate two sets of vectors", 1976.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Rotation returns R of (1) at the positions of the last Place.
func (d *Data) Rotation() r3.Mat {
	m, X := d.model, d.model.spec.Mesh.Verts
	c, C := d.CenterOfMass(), m.CenterOfMass()
	var S r3.Mat
	for i, mass := range m.nodalMass {
		S = S.Add(r3.Outer(d.pos[i].Sub(c), X[i].Sub(C)).Scale(mass))
	}
	return r3.Polar(S)
}

// AngularVelocity returns ω of (2) at the positions of the last Place and the velocities v
// (3·NumVerts, m/s), rad/s; zero for a body on a line.
func (d *Data) AngularVelocity(v []float64) r3.Vec {
	m, c := d.model, d.CenterOfMass()
	var L r3.Vec
	var I r3.Mat
	for i, mass := range m.nodalMass {
		r := d.pos[i].Sub(c)
		L = L.AddScaled(mass, r.Cross(r3.Vec(v[3*i:3*i+3])))
		I = I.Add(r3.Identity().Scale(mass * r.Norm2())).Sub(r3.Outer(r, r).Scale(mass))
	}
	inverse, det := I.Inv()
	if !(det > slender*math.Pow(I.Trace()/3, 3)) {
		return r3.Vec{}
	}
	return inverse.MulVec(L)
}
