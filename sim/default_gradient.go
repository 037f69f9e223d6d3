package sim

// The surface of a deformable whose material states no pressure gradient. Under a pressure p it
// gives way by p/g, the layer of elements below by about p e/E, with e the mean length of the
// edges of its surface and E Young's modulus. Where the surface gives way more, the contact and not the
// body decides how far it is squeezed, and a finer mesh does not help. So
//
//	g = max(g0, s E/e)                                                        (1)
//
// with g0 the gradient of soft bodies, constraints.DefaultPressureGradient. A body of n layers
// between plates then takes about 1/(1 + 2/(s n)) of its force. Larger s converge more slowly: FinRay
// fingers take 1.0, 1.1 and 1.9 times the processor time of g0 at s = 1, 3 and 10.
// Source: this program's.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
)

// surfaceStiffness is s of (1).
const surfaceStiffness = 3

// setDefaultGradients states (1) for the deformables of the model.
func (a *assembly) setDefaultGradients() {
	gradients := make([]float64, len(a.m.Deformables))
	for i, m := range a.m.Deformables {
		gradients[i] = defaultGradient(m)
	}
	a.m.ContactMaterials.SetDefaultGradients(a.m.Rigid.NumLinks(), gradients)
}

// defaultGradient returns (1) of a deformable, Pa/m.
func defaultGradient(m *fem.Model) float64 {
	mu, lambda := m.Spec().Law.Lame()
	young := mu * (3*lambda + 2*mu) / (lambda + mu)
	// edges of the surface; each counts for both of its triangles
	tris, _ := m.Boundary()
	verts, sum := m.Mesh().Verts, 0.0
	for _, t := range tris {
		for i := range t {
			sum += verts[t[i]].Sub(verts[t[(i+1)%3]]).Norm()
		}
	}
	edge := sum / float64(3*len(tris))
	return max(constraints.DefaultPressureGradient, surfaceStiffness*young/edge)
}
