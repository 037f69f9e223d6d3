package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Reports of bodies of hexahedra and wedges. Masses are consistent, M_ab I for nodes a and b,
//
//	∫ ½ρ|v|² = ½ Σ_ab M_ab v_a·v_b,   ∫ ρ x×v = Σ_ab M_ab x_a×v_b,          (1)
//
// energies are ½ uᵀK0u, and stresses those at the centre, where the internal modes vanish:
// those of the law at F of the centre.
//
// The functions have the meaning, units and frames of those of tets in report.go, which call
// them for bodies with cells.

// cellGradient returns the deformation gradient at the centre of an element.
func (d *Data) cellGradient(c *cell) r3.Mat {
	x := c.at(d.pos)
	return c.gradient(&x)
}

// centerGradient returns the deformation gradient of element i, at its centre.
func (d *Data) centerGradient(i int) r3.Mat {
	if d.model.cells != nil {
		return d.cellGradient(&d.model.cells[i])
	}
	return d.model.elements[i].gradient(d.pos)
}

// cellsEnergy returns the elastic energy.
func (d *Data) cellsEnergy() float64 {
	sum := 0.0
	for i := range d.model.cells {
		c := &d.model.cells[i]
		x := c.at(d.pos)
		R := d.model.rotation(c.gradient(&x))
		sum += c.energy(&x, &R)
	}
	return sum
}

// cellsKineticEnergy returns ½ vᵀMv of (1).
func (d *Data) cellsKineticEnergy(v []float64) float64 {
	sum := 0.0
	for i := range d.model.cells {
		c := &d.model.cells[i]
		for a := range c.n {
			p := r3.Vec(v[3*c.verts[a] : 3*c.verts[a]+3])
			sum += 0.5 * c.mass[triangle(a, a)] * p.Norm2()
			for b := range a {
				sum += c.mass[triangle(a, b)] * p.Dot(r3.Vec(v[3*c.verts[b]:3*c.verts[b]+3]))
			}
		}
	}
	return sum
}

// cellsAngularMomentum returns the angular momentum of (1) about a point.
func (d *Data) cellsAngularMomentum(about r3.Vec, v []float64) (sum r3.Vec) {
	for i := range d.model.cells {
		c := &d.model.cells[i]
		for b := range c.n {
			// Σ_a M_ab x_a
			var mx r3.Vec
			for a := range c.n {
				mx = mx.AddScaled(c.mass[symmetric(a, b)], d.pos[c.verts[a]].Sub(about))
			}
			sum = sum.Add(mx.Cross(r3.Vec(v[3*c.verts[b] : 3*c.verts[b]+3])))
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
