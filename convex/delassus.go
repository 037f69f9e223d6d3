package convex

import "github.com/curlfree/curlfree/cliques"

// The diagonal of the Delassus operator scales the regularization of laws: friction
// that sticks, near-rigid compliance and the caps of continuation are set relative to
// the inverse mass that a constraint feels,
//
//	w = diag(J A⁻¹ Jᵀ),   w_r = |L⁻¹ J_rᵀ|²,   L Lᵀ = A              (5)
//
// (Castro, Permenter, Han 2023, with another estimate of it). For
// nodes of dense cliques, trees and small bodies, it is exact, with the Cholesky factor
// of their block. For vertices of a deformable, A⁻¹ is approximated by the inverse of
// the vertex' own 3×3 block, and the coupling of the vertices of one constraint is
// neglected: a factor of a few in a regularization does not matter.

// blockFactors has Cholesky factors of dense cliques, and of the diagonal blocks of
// touched vertices.
type blockFactors struct {
	*iterate
	low   []float64 // all factors, each as cholesky leaves it
	lowAt []int32   // start of each node's factor in low
}

// reset empties the factors.
func (b *blockFactors) reset() {
	b.lowAt, b.low = resize(b.lowAt, len(b.p.NodeSize)), b.low[:0]
}

// of returns the factor of a node's block, and what follows it.
func (b *blockFactors) of(node cliques.Node) []float64 { return b.low[b.lowAt[node]:] }

// add makes a place for the factor of a node's block A, and returns it with A in it, to be
// factored in place.
func (b *blockFactors) add(node int, A []float64) []float64 {
	b.lowAt[node] = int32(len(b.low))
	b.low = append(b.low, A...)
	return b.low[b.lowAt[node]:]
}

// factorVertices factors the diagonal blocks of a deformable's touched vertices.
func (b *blockFactors) factorVertices(c *cliques.Clique) error {
	q := newPivots()
	for j := range c.Nodes {
		node := int(c.First) + j
		if b.touched[node] == 0 {
			continue
		}
		block := c.A[9*c.Pattern.Ptr[j]:][:9]
		if row := cholesky(b.add(node, block), 3, nil, &q); row >= 0 {
			return &IndefiniteError{cliques.Node(node), row}
		}
	}
	return nil
}

// prepareLaws gives every law of an island its time step and w of (5).
func (b *blockFactors) prepareLaws(is *island) {
	for _, i := range b.constraintsOf(is) {
		b.prepareLaw(is, i)
	}
}

// prepareLaw gives the law of constraint i of an island its time step and w of (5).
func (b *blockFactors) prepareLaw(is *island, i int32) {
	c := &b.p.Constraints[i]
	is.w = resize(is.w, c.Dim)
	is.gj = b.diagonal(handle(int(i)), is.w, is.gj)
	c.Law.Prepare(b.p.H, is.w)
}

// diagonal writes w of (5) of a constraint. Rows whose Jacobian is zero get 0. At rest trees have inertia alone, which
// no longer counts: where the constraint touches deformables w is theirs. It returns its scratch.
func (b *blockFactors) diagonal(i cliques.Handle, w, scratch []float64) []float64 {
	p := b.p
	clear(w)
	elastic := false
	if p.Rest {
		for _, block := range p.Blocks(i) {
			elastic = elastic || b.isElastic(block.Node)
		}
	}
	for _, block := range p.Blocks(i) {
		if elastic && !b.isElastic(block.Node) {
			continue
		}
		n := p.NodeSize[block.Node]
		// w_r += |L⁻¹ J_rᵀ|², a sum over nodes
		l := b.of(block.Node)[:n*n]
		scratch = resize(scratch, n)
		for r := range w {
			w[r] += norm2Solve(l, block.J[r*n:(r+1)*n], scratch)
		}
	}
	return scratch
}

// isElastic reports whether a node is one of a deformable.
func (b *blockFactors) isElastic(node cliques.Node) bool {
	return b.p.Cliques[b.nodeClique[node]].Pattern != nil
}

// norm2Solve returns |L⁻¹ b|²; x is scratch.
func norm2Solve(l, b, x []float64) float64 {
	// a rigid body
	if len(b) == 6 {
		y := *(*[6]float64)(b)
		solveRow6(&y, (*[36]float64)(l))
		return dot6(&y, &y)
	}
	copy(x, b)
	solveRow(x, l, len(b))
	sum := 0.0
	for _, y := range x {
		sum += y * y
	}
	return sum
}
