package fem

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The derivatives that Newton's method of newton.go requires, in two parallel passes. The
// first, over elements, evaluates the constitutive law at F = ∂x/∂X and contracts its tangent
// ∂P/∂F (9×9) with the gradients of the shape functions to the distinct 3×3 blocks
// K_ab = V ∂P/∂F : (∇N_a ⊗ ∇N_b), a ≥ b, of an element's stiffness. The second, over block
// columns, gathers these blocks into A of (2), so that each column is summed by one worker in
// the order of its elements: the sums have the same bits for any number of threads.
//
// C is stored as C[27 i + 9 j + 3 k + l] = ∂P_ij/∂F_kl, Pa.
//
// Line searches require energies alone, which need neither stresses nor tangents.

// Derivatives of the energies that evaluate computes.
const (
	energies = iota // energies alone
	forces          // and forces
	tangents        // and stiffness
)

// evaluate computes the energies of all elements and their derivatives up to an order.
func (n *newton) evaluate(pool *workers.Pool, order int) {
	n.tets.order = order
	pool.Run(chunks(n.model.set.len(), tetChunk), &n.tets)
}

// tangentPass is the parallel loop over elements that evaluates the law at the positions strain.
type tangentPass struct {
	*newton
	// order is one of energies, forces and tangents; project requires tangents that are positive
	// semi-definite.
	order   int // of derivatives
	project bool
}

// Do implements workers.Task for one chunk of elements.
func (n *tangentPass) Do(worker, chunk int) {
	n.derive(worker, chunk*tetChunk, min((chunk+1)*tetChunk, n.model.set.len()))
}

// derive computes the elements i … end − 1.
func (n *tangentPass) derive(worker, i, end int) {
	n.model.set.derive(n, &n.work[worker], i, end)
}

// contracted is a tangent contracted with one gradient: C_ijkl g_l, 9i + 3j + k.
type contracted [27]float64

// contractRight returns C·g.
func contractRight(C *[81]float64, g *r3.Vec) (T contracted) {
	for m := range T {
		T[m] = C[3*m]*g[0] + C[3*m+1]*g[1] + C[3*m+2]*g[2]
	}
	return T
}

// left returns g·(C·g') for the contraction with g'.
func (T *contracted) left(g r3.Vec) (k r3.Mat) {
	for i := range 3 {
		for j := range 3 {
			k[3*i+j] = g[0]*T[9*i+j] + g[1]*T[9*i+3+j] + g[2]*T[9*i+6+j]
		}
	}
	return k
}

// triangle indexes the lower triangle of a 4×4 matrix.
func triangle(a, b int) int { return a*(a+1)/2 + b }

// stiffnessPass is the parallel loop over block columns that assembles A = B + h2·K and the
// elastic forces (to scratch). A may be B itself.
type stiffnessPass struct {
	*newton
	A  []float64
	h2 float64
}

// Do implements workers.Task for one chunk of columns.
func (n *stiffnessPass) Do(_, chunk int) {
	m := n.model
	for j := chunk * columnChunk; j < min((chunk+1)*columnChunk, m.pattern.N); j++ {
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			for i, s := range m.set.sumBlock(n.stiff, m.pairs[m.blocks[k].first:m.blocks[k+1].first]) {
				n.A[9*int(k)+i] = n.base[9*int(k)+i] + n.h2*s
			}
		}
		// the force on the column's node; its diagonal block names the elements
		var f r3.Vec
		k := m.pattern.Ptr[j]
		for _, p := range m.pairs[m.blocks[k].first:m.blocks[k+1].first] {
			f = f.Add(*n.force[p.row].vec())
		}
		copy(n.scratch[3*j:3*j+3], f[:])
	}
}

// multiply writes y = A x for blocks over the pattern; x and y may not overlap.
func (m *Model) multiply(y, A, x []float64) {
	clear(y)
	for j := range m.pattern.N {
		xj, yj := x[3*j:3*j+3], y[3*j:3*j+3]
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			i := int(m.pattern.Row[k])
			b := (*[9]float64)(A[9*k:])
			yi := y[3*i : 3*i+3]
			yi[0] += b[0]*xj[0] + b[1]*xj[1] + b[2]*xj[2]
			yi[1] += b[3]*xj[0] + b[4]*xj[1] + b[5]*xj[2]
			yi[2] += b[6]*xj[0] + b[7]*xj[1] + b[8]*xj[2]
			// the upper triangle by symmetry
			if i == j {
				continue
			}
			xi := x[3*i : 3*i+3]
			yj[0] += b[0]*xi[0] + b[3]*xi[1] + b[6]*xi[2]
			yj[1] += b[1]*xi[0] + b[4]*xi[1] + b[7]*xi[2]
			yj[2] += b[2]*xi[0] + b[5]*xi[1] + b[8]*xi[2]
		}
	}
}
