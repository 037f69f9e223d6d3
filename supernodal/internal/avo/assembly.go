package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks emits the assembly of A: for each of n blocks the outer products of its
// pairs, and what does not turn. Vectors of vertices have four numbers, the last 0.
func blocks(s *isa) {
	text(s, "blocks", "A, w *float64, pairs *int32, blocks *float64, n int, law *float64",
		"%s writes n blocks λ O + μ Oᵀ + (c m + μ d) I, O = Σ w_row w_colᵀ over a block's",
		"pairs, m and d its mass and dot; law is c, μ, λ.")
	A, w, pairs, block, n := argument("A"), argument("w"), argument("pairs"), argument("blocks"), argument("n")
	law := argument("law")
	mass, mu, lambda := reg.Y13, reg.Y14, reg.Y15
	VBROADCASTSD(at(law, 0), mass)
	VBROADCASTSD(at(law, 1), mu)
	VBROADCASTSD(at(law, 2), lambda)
	p, row, col := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: block, Disp: 16}, p)
	LEAQ(Mem{Base: pairs, Index: p, Scale: 8}, p)

	Label("block")
	end := GP64()
	MOVLQSX(Mem{Base: block, Disp: 24 + 16}, end)
	LEAQ(Mem{Base: pairs, Index: end, Scale: 8}, end)
	for i := range 4 {
		s.zero(s.v(i))
	}
	Label("pair")
	MOVL(Mem{Base: p}, row.As32())
	MOVL(Mem{Base: p, Disp: 4}, col.As32())
	SHLQ(U8(5), row)
	SHLQ(U8(5), col)
	VMOVUPD(Mem{Base: w, Index: col, Scale: 1}, reg.Y4)
	for i := range 3 {
		VBROADCASTSD(Mem{Base: w, Index: row, Scale: 1, Disp: 8 * i}, ymm[5+i])
		VFMADD231PD(reg.Y4, ymm[5+i], ymm[i])
	}
	ADDQ(U8(8), p)
	CMPQ(p, end)
	JLT(LabelRef("pair"))

	s.combine(block, mass, mu, lambda)
	VMOVUPD(reg.Y0, at(A, 0))
	VMOVUPD(reg.Y1, at(A, 3))
	VMOVUPD(reg.X2, at(A, 6))
	VEXTRACTF128(U8(1), reg.Y2, reg.X2)
	VMOVSD(reg.X2, at(A, 8))
	ADDQ(U8(72), A)
	ADDQ(U8(24), block)
	DECQ(n)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// combine turns the rows of O in registers 0 to 2 into those of λ O + μ Oᵀ + (c m + μ d) I.
func (s *isa) combine(block reg.GPVirtual, mass, mu, lambda reg.VecPhysical) {
	// columns of O
	VUNPCKLPD(reg.Y1, reg.Y0, reg.Y4)             // 00 10 02 12
	VUNPCKHPD(reg.Y1, reg.Y0, reg.Y5)             // 01 11
	VUNPCKLPD(reg.Y3, reg.Y2, reg.Y6)             // 20  – 22
	VUNPCKHPD(reg.Y3, reg.Y2, reg.Y7)             // 21
	VPERM2F128(U8(0x20), reg.Y6, reg.Y4, reg.Y8)  // 00 10 20
	VPERM2F128(U8(0x20), reg.Y7, reg.Y5, reg.Y9)  // 01 11 21
	VPERM2F128(U8(0x31), reg.Y6, reg.Y4, reg.Y10) // 02 12 22
	// λ O + μ Oᵀ + diagonal
	VBROADCASTSD(Mem{Base: block, Disp: 8}, reg.Y11)
	VMULPD(mu, reg.Y11, reg.Y11)
	VBROADCASTSD(Mem{Base: block}, reg.Y12)
	VFMADD231PD(mass, reg.Y12, reg.Y11)
	for i := range 3 {
		VMULPD(lambda, ymm[i], ymm[i])
		VFMADD231PD(mu, ymm[8+i], ymm[i])
	}
	// the diagonal entry of each row, other lanes of it unchanged
	for i := range 3 {
		VADDPD(reg.Y11, ymm[i], reg.Y12)
		VBLENDPD(U8(1<<i), reg.Y12, ymm[i], ymm[i])
	}
}

// sums emits the forces on vertices.
func sums(s *isa) {
	text(s, "sums", "dst, force *float64, pairs *int32, blocks *float64, columns *int32, n int",
		"%s adds, for each of n columns, the forces of the tets around its vertex: those of",
		"the rows of its first block's pairs.")
	dst, force, pairs, blocks, columns, n := argument("dst"), argument("force"), argument("pairs"), argument("blocks"), argument("columns"), argument("n")
	p, end, row, k := GP64(), GP64(), GP64(), GP64()
	Label("column")
	MOVLQSX(Mem{Base: columns}, k)
	LEAQ(Mem{Base: k, Index: k, Scale: 2}, k) // blocks have 24 bytes
	MOVLQSX(Mem{Base: blocks, Index: k, Scale: 8, Disp: 16}, p)
	MOVLQSX(Mem{Base: blocks, Index: k, Scale: 8, Disp: 24 + 16}, end)
	LEAQ(Mem{Base: pairs, Index: p, Scale: 8}, p)
	LEAQ(Mem{Base: pairs, Index: end, Scale: 8}, end)
	s.zero(s.v(0))
	Label("tet")
	MOVL(Mem{Base: p}, row.As32())
	SHLQ(U8(5), row)
	VADDPD(Mem{Base: force, Index: row, Scale: 1}, reg.Y0, reg.Y0)
	ADDQ(U8(8), p)
	CMPQ(p, end)
	JLT(LabelRef("tet"))
	VMOVUPD(reg.Y0, Mem{Base: dst})
	ADDQ(U8(32), dst)
	ADDQ(U8(4), columns)
	DECQ(n)
	JNZ(LabelRef("column"))
	VZEROUPPER()
	RET()
}
