package fem

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Matrices returns stiffness K (N/m) and consistent mass M (kg) of the body at rest: 3×3 blocks
// over Pattern, row-major, exact to round-off. Those of nonlinear laws are the tangents at rest.
func (m *Model) Matrices() (K, M []float64) {
	// A = (1 + hα) M + h (h + ζ) K of a step that is so short that K does not matter, and of one
	// that is so long that M does not.
	const short, long = 1e-30, 1e9
	d := m.NewData()
	x, v := make([]float64, 3*m.NumVerts()), make([]float64, 3*m.NumVerts())
	for i, p := range m.spec.Mesh.Verts {
		copy(x[3*i:], p[:])
	}
	momentum := func(h float64) []float64 {
		var p cliques.Problem
		d.Linearize(h, r3.Vec{}, x, v, nil, &p)
		return slices.Clone(p.Cliques[0].A)
	}
	M, K = momentum(short), momentum(long)
	for i := range K {
		K[i] = (K[i] - (1+long*m.spec.MassDamping)*M[i]) / (long * (long + m.spec.StiffnessDamping))
	}
	return K, M
}
