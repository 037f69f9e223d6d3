package fem

// Energies, momenta and stresses of a body. Integrals over a tet of volume V and density ρ
// with linear shape functions are exact:
//
//	∫ ½ρ|v|² = ρV/40 (Σ|v_a|² + |Σ v_a|²)                                  (1)
//	∫ ρ x×v  = ρV/20 (Σ x_a×v_a + Σx_a × Σv_a)                             (2)
//	σ = P Fᵀ/J,   σ_vM = √(3/2) |dev σ|                                    (3)
//
// Momenta and kinetic energy have the consistent mass, the one of the step, so that what a run
// writes is what the step conserves; lumped masses would differ by the energy that velocities
// within a tet have. Weight and centre of mass need only row sums, which are the same in both.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Reports use the positions of the last Place and may be called at any time between
// steps. They allocate nothing when dst is long enough.

// flattestStress is the least J by which Cauchy stresses are divided: those of flat and
// inverted tets have no meaning but must stay finite.
const flattestStress = 1e-3

// rotation returns the rotation R that the law reads at a deformation gradient F.
func (m *Model) rotation(F r3.Mat) r3.Mat {
	if m.class != Corotated {
		return r3.Identity()
	}
	return r3.Polar(F)
}

// ElasticEnergy returns the elastic energy Σ V Ψ(F), J. F is constant in a linear tet.
func (d *Data) ElasticEnergy() float64 {
	sum := 0.0
	for i := range d.model.numElements() {
		sum += d.model.energyOf(i, d.pos)
	}
	return sum
}

// KineticEnergy returns ½ vᵀMv of the velocities v (3·NumVerts, m/s) with the
// consistent mass, J.
func (d *Data) KineticEnergy(v []float64) float64 {
	if d.model.set != nil {
		return d.setKineticEnergy(v)
	}
	sum := 0.0
	for t := range d.model.elements {
		e := &d.model.elements[t]
		var s r3.Vec
		squares := 0.0
		for _, i := range e.verts {
			u := r3.Vec(v[3*i : 3*i+3])
			s = s.Add(u)
			squares += u.Norm2()
		}
		sum += e.volume * (squares + s.Norm2())
	}
	return d.model.spec.Density / 40 * sum // (1)
}

// PotentialEnergy returns −Σ m g·x, zero at the world's origin, J. The nodal masses are row
// sums of the consistent mass, which integrate linear functions exactly.
func (d *Data) PotentialEnergy(gravity r3.Vec) float64 {
	sum := 0.0
	for i, m := range d.model.nodalMass {
		sum -= m * gravity.Dot(d.pos[i])
	}
	return sum
}

// CenterOfMass returns the centre of mass, m.
func (d *Data) CenterOfMass() r3.Vec { return d.model.centerOfMass(d.pos) }

// Momentum returns the linear momentum of the velocities v (3·NumVerts, m/s),
// N s.
func (d *Data) Momentum(v []float64) r3.Vec {
	var sum r3.Vec
	for i, m := range d.model.nodalMass {
		sum = sum.AddScaled(m, r3.Vec(v[3*i:3*i+3]))
	}
	return sum
}

// AngularMomentum returns the angular momentum about a point (m) of the
// velocities v (3·NumVerts, m/s) with the consistent mass, N m s.
func (d *Data) AngularMomentum(about r3.Vec, v []float64) r3.Vec {
	if d.model.set != nil {
		return d.setAngularMomentum(about, v)
	}
	var sum r3.Vec
	for t := range d.model.elements {
		e := &d.model.elements[t]
		// sums of positions, of velocities and of their products over the corners
		var xs, vs, own r3.Vec
		for _, i := range e.verts {
			x, u := d.pos[i].Sub(about), r3.Vec(v[3*i:3*i+3])
			xs, vs, own = xs.Add(x), vs.Add(u), own.Add(x.Cross(u))
		}
		sum = sum.AddScaled(e.volume, own.Add(xs.Cross(vs)))
	}
	return sum.Scale(d.model.spec.Density / 20) // (2)
}

// Stress returns the Cauchy stress σ = P Fᵀ/J of a tet, symmetric, world axes, Pa; for other elements,
// that at the centre, or the nearest evaluation point, of the element that contains the tet. For a
// linear law it is the stress of the small strain.
func (d *Data) Stress(tet int) r3.Mat {
	if d.model.set != nil {
		return d.stressAt(d.tetGradient(int32(tet)))
	}
	return d.stressAt(d.model.elements[tet].gradient(d.pos))
}

// vonMises returns √(3/2)·|dev σ| of a symmetric stress, Pa (3).
func vonMises(s r3.Mat) float64 {
	p := s.Trace() / 3
	s[0], s[4], s[8] = s[0]-p, s[4]-p, s[8]-p
	return math.Sqrt(1.5 * s.Norm2()) // (3)
}

// VonMises returns the von Mises stress √(3/2)·|dev σ| of each tet, Pa, in dst if it is
// long enough.
func (d *Data) VonMises(dst []float64) []float64 {
	dst = sized(dst, len(d.model.elements))
	for t := range dst {
		dst[t] = vonMises(d.Stress(t))
	}
	return dst
}

// MaxVonMises returns the largest von Mises stress of any element, Pa. At re-entrant corners
// and edges of attachments it grows without bound as the mesh is refined.
func (d *Data) MaxVonMises() float64 {
	most := 0.0
	for i := range d.model.numElements() {
		most = math.Max(most, vonMises(d.stressAt(d.centerGradient(i))))
	}
	return most
}

// Stretch returns the least and the largest principal stretch (singular value of F) of any
// element, at its centre: 1 at rest, the least negative for an inverted one.
func (d *Data) Stretch() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range d.model.numElements() {
		_, s, _ := r3.SVD(d.centerGradient(i))
		least, most = math.Min(least, s[2]), math.Max(most, s[0])
	}
	return least, most
}

// Inverted returns the number of inverted elements, det F ≤ 0.
func (d *Data) Inverted() int {
	n := 0
	for i := range d.model.numElements() {
		if d.centerGradient(i).Det() <= 0 {
			n++
		}
	}
	return n
}

// sized returns dst with length n, a new slice if it is too short.
func sized(dst []float64, n int) []float64 {
	if cap(dst) < n {
		return make([]float64, n)
	}
	return dst[:n]
}
