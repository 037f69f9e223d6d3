package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Reports of bodies whose elements are not linear tets. Masses are consistent, M_ab I for nodes a and b,
//
//	∫ ½ρ|v|² = ½ Σ_ab M_ab v_a·v_b,   ∫ ρ x×v = Σ_ab M_ab x_a×v_b,          (1)
//
// and stresses are those of the law at one point of an element: the centre of hexahedra and
// wedges, where the internal modes vanish.
//
// The functions have the meaning, units and frames of those of tets in report.go, which call
// them for bodies with other elements.

// tetGradient returns the deformation gradient near a tet of a mesh with other elements.
func (d *Data) tetGradient(tet int32) r3.Mat {
	return d.model.set.tetGradient(int(d.model.spec.Mesh.Cells.Of[tet]), tet, d.pos)
}

// centerGradient returns the deformation gradient of element i, at its centre.
func (d *Data) centerGradient(i int) r3.Mat {
	if d.model.set != nil {
		return d.model.set.centerGradient(i, d.pos)
	}
	return d.model.elements[i].gradient(d.pos)
}

// setKineticEnergy returns ½ vᵀMv of (1).
func (d *Data) setKineticEnergy(v []float64) float64 {
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

// setAngularMomentum returns the angular momentum of (1) about a point.
func (d *Data) setAngularMomentum(about r3.Vec, v []float64) (sum r3.Vec) {
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

// stressAt returns the Cauchy stress of the law at a deformation gradient.
func (d *Data) stressAt(F r3.Mat) r3.Mat {
	P := d.model.spec.Law.Stress(F, d.model.rotation(F))
	if d.model.class == Linear {
		return P
	}
	return P.Mul(F.T()).Scale(1 / math.Max(math.Abs(F.Det()), flattestStress))
}
