//go:build !purego

package fem

import "github.com/curlfree/curlfree/supernodal"

// The kernels are written by supernodal/internal/avo, whose comments give the
// meaning of the parameters. Assembly of A needs no more than four lanes, so both
// sets have one in common.
var (
	sideways = supernodal.Kernel() != "portable"
	wide     = supernodal.Kernel() == "avx512"
)

// elements computes eight tets; bits of the result tell which failed.
func elements(b *eight, rest *restEight, law *[9]float64) int {
	if wide {
		return elementsAVX512(&b.pos[0][0], &rest.grad[0][0], &law[0])
	}
	return elementsAVX2(&b.pos[0][0], &rest.grad[0][0], &law[0])
}

// assemble writes the blocks lo … hi of A, (4); law is h-dependent: mass, μ, λ.
func (f *freeMotion) assemble(A []float64, lo, hi int32, law *[3]float64) {
	if lo == hi {
		return
	}
	_ = A[9*hi-1]
	m := f.model
	blocksAVX2(&A[9*lo], &f.w[0][0], &m.pairs[0].row, &m.blocks[lo].mass, int(hi-lo), &law[0])
}

// collect sums the forces on the nodes j … j + n.
func (f *freeMotion) collect(dst *[columnChunk]padded, j, n int) {
	m := f.model
	_ = m.pattern.Ptr[j+n]
	sumsAVX2(&dst[0][0], &f.force[0][0], &m.pairs[0].row, &m.blocks[0].mass, &m.pattern.Ptr[j], n)
}
