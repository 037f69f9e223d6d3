package fem

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The derivatives that Newton's method of newton.go requires, in two parallel passes. The
// first, over tets, evaluates the constitutive law at F = ∂x/∂X and contracts its tangent
// ∂P/∂F (9×9) with the gradients of the shape functions to the ten distinct 3×3 blocks
// K_ab = V ∂P/∂F : (∇N_a ⊗ ∇N_b), a ≥ b, of the tet's stiffness. The second, over block
// columns, gathers these blocks into A of (2), so that each column is summed by one worker in
// the order of its tets: the sums have the same bits for any number of threads.
//
// C is stored as C[27 i + 9 j + 3 k + l] = ∂P_ij/∂F_kl, Pa. Since the gradients of the shape
// functions sum to zero, nine of the ten blocks follow from three gradients, and the block of
// vertex 0 with itself is minus the sum of the others in its row.
//
// Line searches require energies alone, which need neither stresses nor tangents.

// Derivatives of the energies that evaluate computes.
const (
	energies = iota // energies alone
	forces          // and forces
	tangents        // and stiffness
)

// evaluate computes the energies of all tets and their derivatives up to an order.
func (n *newton) evaluate(pool *workers.Pool, order int) {
	n.tets.order = order
	pool.Run(chunks(n.model.numElements(), tetChunk), &n.tets)
}

// tangentPass is the parallel loop over tets that evaluates the law at the positions strain.
type tangentPass struct {
	*newton
	// order is one of energies, forces and tangents; project requires tangents that are positive
	// semi-definite.
	order   int // of derivatives
	project bool
}

// Do implements workers.Task for one chunk of elements.
func (n *tangentPass) Do(worker, chunk int) {
	n.derive(worker, chunk*tetChunk, min((chunk+1)*tetChunk, n.model.numElements()))
}

// derive computes the elements i … end − 1.
func (n *tangentPass) derive(worker, i, end int) {
	if n.model.set != nil {
		n.model.set.derive(n, &n.work[worker], i, end)
		return
	}
	// the law gets the identity for a rotation: only corotated laws read it
	law := n.model.spec.Law
	I := r3.Identity()
	for t := i; t < end; t++ {
		e := &n.model.elements[t]
		F := e.gradient(n.strain)
		n.energy[t] = e.volume * law.Energy(F, I)
		if n.order < forces {
			continue
		}
		// the force on vertex 0 is minus the sum of the others: no net force, to round-off
		// forces −V P ∇N_a
		P := law.Stress(F, I)
		force := (*[4]padded)(n.force[4*t:])
		first := force[0].vec()
		*first = r3.Vec{}
		for a := range e.grad {
			x := force[a+1].vec()
			*x = P.MulVec(e.grad[a]).Scale(-e.volume)
			*first = first.Sub(*x)
		}
		if n.order < tangents {
			continue
		}
		// stiffness blocks
		C := &n.work[worker]
		law.Tangent(F, I, n.project, C)
		e.contract(C, (*[10]r3.Mat)(n.stiff[10*t:]))
	}
}

// contract writes K_ab = V g_a·C·g_b for a ≥ b, in the order of triangle.
func (e *element) contract(C *[81]float64, K *[10]r3.Mat) {
	K[0] = r3.Mat{}
	var whole [3]r3.Mat // K_a0
	for b := range 3 {
		T := contractRight(C, &e.grad[b])
		for a := range 3 {
			k := T.left(e.grad[a].Scale(e.volume))
			if a >= b {
				K[triangle(a+1, b+1)] = k
			}
			whole[a] = whole[a].Sub(k)
		}
	}
	// vertex 0: rows and columns sum to zero
	for a, k := range whole {
		K[triangle(a+1, 0)] = k
		K[0] = K[0].Sub(k)
	}
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
			for i, s := range n.sumBlock(m.pairs[m.blocks[k].first:m.blocks[k+1].first]) {
				n.A[9*int(k)+i] = n.base[9*int(k)+i] + n.h2*s
			}
		}
		// the force on the column's node; its diagonal block names the tets
		var f r3.Vec
		k := m.pattern.Ptr[j]
		for _, p := range m.pairs[m.blocks[k].first:m.blocks[k+1].first] {
			f = f.Add(*n.force[p.row].vec())
		}
		copy(n.scratch[3*j:3*j+3], f[:])
	}
}

// sumBlock adds the elements' parts of a block of K.
func (n *newton) sumBlock(pairs []pair) (sum r3.Mat) {
	if n.model.set != nil {
		// these have transposed where A has the transpose
		for _, p := range pairs {
			sum = sum.Add(n.stiff[p.col])
		}
		return sum
	}
	return sumTets(n.stiff, pairs)
}

// sumTets adds the parts that linear tets have of a block of K.
func sumTets(stiff []r3.Mat, pairs []pair) (sum r3.Mat) {
	// pairs name the tets that have both nodes, with the places of the nodes in the tet; blocks
	// above the diagonal are transposes
	for _, p := range pairs {
		t, a, b := p.row/4, int(p.row%4), int(p.col%4)
		if a >= b {
			sum = sum.Add(stiff[10*int(t)+triangle(a, b)])
		} else {
			sum = sum.Add(stiff[10*int(t)+triangle(b, a)].T())
		}
	}
	return sum
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
