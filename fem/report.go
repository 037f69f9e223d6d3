package fem

// Energies, momenta and stresses of a body. Masses are consistent, M_ab I for nodes a and b of an element,
//
//	∫ ½ρ|v|² = ½ Σ_ab M_ab v_a·v_b,   ∫ ρ x×v = Σ_ab M_ab x_a×v_b,          (1)
//	σ = P Fᵀ/J,   σ_vM = √(3/2) |dev σ|,                                   (2)
//
// and stresses are those of the law at one point of an element: the centre of hexahedra and
// wedges, where the internal modes vanish.
//
// Momenta and kinetic energy have the consistent mass, the one of the step, so that what a run
// writes is what the step conserves; lumped masses would differ by the energy that velocities
// within an element have. Weight and centre of mass need only row sums, which are the same in both.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Reports use the positions of the last Place and may be called at any time between
// steps. They allocate nothing when dst is long enough.

// flattestStress is the least J by which Cauchy stresses are divided: those of flat and
// inverted elements have no meaning but must stay finite.
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
	for i := range d.model.set.len() {
		sum += d.model.set.energyOf(i, d.pos)
	}
	return sum
}

// KineticEnergy returns ½ vᵀMv of the velocities v (3·NumVerts, m/s) with the
// consistent mass, J.
func (d *Data) KineticEnergy(v []float64) float64 {
	sum, set := 0.0, d.model.set
	for i := range set.len() {
		verts := set.nodesOf(i)
		for a, va := range verts {
			p := r3.Vec(v[3*va : 3*va+3])
			sum += 0.5 * set.massOf(i, a, a) * p.Norm2()
			for b, vb := range verts[:a] {
				sum += set.massOf(i, a, b) * p.Dot(r3.Vec(v[3*vb:3*vb+3]))
			}
		}
	}
	return sum
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
	var sum r3.Vec
	set := d.model.set
	for i := range set.len() {
		verts := set.nodesOf(i)
		for b, vb := range verts {
			// Σ_a M_ab x_a
			var mx r3.Vec
			for a, va := range verts {
				mx = mx.AddScaled(set.massOf(i, a, b), d.pos[va].Sub(about))
			}
			sum = sum.Add(mx.Cross(r3.Vec(v[3*vb : 3*vb+3])))
		}
	}
	return sum
}

// Stress returns the Cauchy stress σ = P Fᵀ/J of a tet, symmetric, world axes, Pa; for other elements,
// that at the centre, or the nearest evaluation point, of the element that contains the tet. For a
// linear law it is the stress of the small strain.
func (d *Data) Stress(tet int) r3.Mat { return d.stressAt(d.model.set.tetGradient(int32(tet), d.pos)) }

// stressAt returns the Cauchy stress of the law at a deformation gradient.
func (d *Data) stressAt(F r3.Mat) r3.Mat {
	P := d.model.spec.Law.Stress(F, d.model.rotation(F))
	if d.model.class == Linear {
		return P
	}
	return P.Mul(F.T()).Scale(1 / math.Max(math.Abs(F.Det()), flattestStress))
}

// vonMises returns √(3/2)·|dev σ| of a symmetric stress, Pa (2).
func vonMises(s r3.Mat) float64 {
	p := s.Trace() / 3
	s[0], s[4], s[8] = s[0]-p, s[4]-p, s[8]-p
	return math.Sqrt(1.5 * s.Norm2()) // (2)
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
	for i := range d.model.set.len() {
		most = math.Max(most, vonMises(d.stressAt(d.model.set.centerGradient(i, d.pos))))
	}
	return most
}

// Stretch returns the least and the largest principal stretch (singular value of F) of any
// element, at its centre: 1 at rest, the least negative for an inverted one.
func (d *Data) Stretch() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range d.model.set.len() {
		_, s, _ := r3.SVD(d.model.set.centerGradient(i, d.pos))
		least, most = math.Min(least, s[2]), math.Max(most, s[0])
	}
	return least, most
}

// Inverted returns the number of inverted elements, det F ≤ 0.
func (d *Data) Inverted() int {
	n := 0
	for i := range d.model.set.len() {
		if d.model.set.centerGradient(i, d.pos).Det() <= 0 {
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
