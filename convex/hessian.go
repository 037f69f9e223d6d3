package convex

// hessian assembles the Newton matrix H of (3). Each pair of Jacobian blocks of a constraint
// adds a block,
//
//	H_ab += J_aᵀ G J_b                                               (11)
//
//	J_a    block of the constraint's Jacobian on node a, Dim×(velocities of a)
//	G      Hessian of its potential, Dim×Dim
//
// at a place that is looked up once a step, by direct for small islands and by sparse for
// the others. Only the lower triangle is stored, in order of elimination: a pair whose
// second node comes later is added transposed, and its offset is stored as its
// complement, which is negative. Iterations assemble it again from A, in the order of the
// constraints, so that round-off does not depend on the iterations before.
type hessian struct {
	*laws

	// offsets in H of the pairs of blocks (a, b ≤ a) of each constraint
	pairs   []int32
	pairOff []int32 // start of each constraint in pairs, of which those on the same nodes may share one
	// offset in H of the diagonal block of each touched node
	diagAt []int32
	// ranges of values of the blocks that the constraints of large islands change, the same
	// range perhaps several times
	changed []span
}

// span is the range of values from at to end.
type span struct{ at, end int32 }

// resize empties the places of blocks.
func (h *hessian) resize() {
	h.diagAt = resize(h.diagAt, len(h.p.NodeSize))
	h.pairOff, h.pairs = resize(h.pairOff, len(h.p.Constraints)), h.pairs[:0]
	h.changed = h.changed[:0]
}

// assemble writes (3) for an island. λ diag(A) is added on the touched nodes: the rest
// of H is A, and cannot have lost definiteness.
func (h *hessian) assemble(is *island) {
	h.reset(is)
	for _, i := range h.constraintsOf(is) {
		h.add(is, int(i))
	}
	if is.lambda > 0 {
		h.touchedDiagonal(is, func(a, h *float64) { *h += is.lambda * *a })
	}
}

// reset makes H of an island A, in the blocks that constraints touch.
func (h *hessian) reset(is *island) {
	// panels of a small island are few and contiguous: all of A is copied
	if is.small {
		copy(is.h[is.val0:is.val1], is.a[is.val0:])
		return
	}
	// of a large matrix only the blocks that (11) changes
	for _, b := range h.changedBy(is) {
		copy(is.h[b.at:b.end], is.a[b.at:b.end])
	}
}

// clearChanged clears the blocks of H of a large island that constraints change.
func (h *hessian) clearChanged(is *island) {
	for _, b := range h.changedBy(is) {
		clear(is.h[b.at:b.end])
	}
}

// keepChanged copies these blocks to A.
func (h *hessian) keepChanged(is *island) {
	for _, b := range h.changedBy(is) {
		copy(is.a[b.at:b.end], is.h[b.at:b.end])
	}
}

// changedBy returns the ranges of the blocks that the constraints of a large island change.
func (h *hessian) changedBy(is *island) []span { return h.changed[is.changed0:is.changed1] }

// add adds (11) for all pairs of blocks of one constraint.
func (h *hessian) add(is *island, i int) {
	p := h.p
	c, blocks := &p.Constraints[i], p.Blocks(handle(i))
	G := h.hessianOf(i)
	if allZero(G) { // a constraint that does not act
		return
	}
	d, k := c.Dim, h.pairOff[i]
	// G J_a once, then its product with each J_b up to it
	for a := range blocks {
		A := &blocks[a]
		na := p.NodeSize[A.Node]
		is.gj = resize(is.gj, d*na)
		mulGJ(is.gj, G, A.J, d, na)
		for b := range a + 1 {
			B := &blocks[b]
			nb := p.NodeSize[B.Node]
			at := h.pairs[k]
			k++
			if at >= 0 { // (G J_a)ᵀ J_b
				addTMul(is.h[at:int(at)+na*nb], is.gj, B.J, d, na, nb)
			} else { // J_bᵀ (G J_a)
				addTMul(is.h[^at:int(^at)+na*nb], B.J, is.gj, d, nb, na)
			}
		}
	}
}

// touchedDiagonal calls f for the diagonal entries of A and H of an island's touched
// nodes, by pointers, to read them or to add to H.
func (h *hessian) touchedDiagonal(is *island, f func(a, h *float64)) {
	for _, k := range h.cliquesOf(is) {
		c := &h.p.Cliques[k]
		for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
			if h.touched[node] == 0 {
				continue
			}
			// entry (i, i) of a row-major block
			n := h.p.NodeSize[node]
			at := int(h.diagAt[node])
			for i := range n {
				f(&is.a[at+i*n+i], &is.h[at+i*n+i])
			}
		}
	}
}
