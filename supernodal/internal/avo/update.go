package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// update emits C −= A Bᵀ or C = −A Bᵀ, all of it or the lower trapezoid. Tiles
// of rows are the outer loop: their part of A stays in the first-level cache.
func update(s *isa) {
	text(s, "update", "c *float64, ldc int, a *float64, lda int, b *float64, ldb, m, n, k, mode int",
		"%s computes C −= A Bᵀ for C (m×n), A (m×k), B (n×k); see modeLower, modeAssign.")
	c, a := argument("c"), argument("a")
	ldc, lda, ldb := stride("ldc"), stride("lda"), stride("ldb")
	i := GP64()
	XORQ(i, i)

	Label("rows")
	j := GP64()
	XORQ(j, j)
	b := argument("b")
	cj := copyOf(c)

	Label("columns")
	rows, skip, limit := s.tileRows(i, j)
	ap, bp, cp := GP64(), copyOf(b), GP64()
	LEAQ(Mem{Base: a, Index: skip, Scale: 8}, ap)
	LEAQ(Mem{Base: cj, Index: skip, Scale: 8}, cp)
	cols := GP64()
	Load(Param("n"), cols)
	SUBQ(j, cols)
	MOVQ(U32(s.cols), limit)
	CMPQ(cols, limit)
	CMOVQGT(limit, cols)
	body := func(t tile) {
		t.multiply(ap, lda, bp, ldb, NewParamAddr("k", 64))
		store := label("store")
		MOVQ(NewParamAddr("mode", 72), bp)
		TESTQ(U32(2), bp)
		JNZ(LabelRef(store))
		t.addC(cp, ldc)
		Label(store)
		t.storeC(cp, ldc)
		JMP(LabelRef("next"))
	}
	if s.wide {
		s.corners(i, j, rows, cols, body)
	}
	s.eachTile(rows, cols, body)

	// the next columns of B and C
	Label("next")
	ADDQ(U8(s.cols*8), b)
	ADDQ(U8(s.cols), j)
	for range s.cols {
		ADDQ(ldc, cj)
	}
	n := argument("n")
	CMPQ(j, n)
	JLT(LabelRef("columns"))

	// the next rows of A and C
	Label("below")
	ADDQ(U32(s.rows*s.lanes*8), a)
	ADDQ(U32(s.rows*s.lanes*8), c)
	ADDQ(U8(s.rows*s.lanes), i)
	m := argument("m")
	CMPQ(i, m)
	JLT(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// tileRows computes the rows of the tile at row i and column j of C. In the lower
// trapezoid a tile starts at the diagonal: skip rows are left out, and tiles above the
// diagonal are none. limit is scratch.
func (s *isa) tileRows(i, j reg.GPVirtual) (rows, skip, limit reg.GPVirtual) {
	rows, skip = GP64(), GP64()
	Load(Param("m"), rows)
	SUBQ(i, rows)
	limit = GP64()
	MOVQ(U32(s.rows*s.lanes), limit)
	CMPQ(rows, limit)
	CMOVQGT(limit, rows)
	XORQ(skip, skip)
	mode := argument("mode")
	TESTQ(U32(1), mode)
	JZ(LabelRef("place"))
	MOVQ(j, limit)
	SUBQ(i, limit)
	CMOVQGT(limit, skip)
	SUBQ(skip, rows)
	JLE(LabelRef("below"))
	Label("place")
	return rows, skip, limit
}

// corners emits the tiles of the trapezoid that start on its diagonal, of all columns and
// at least one whole vector of rows, and what jumps to them.
func (s *isa) corners(i, j, rows, cols reg.GPVirtual, body func(t tile)) {
	TESTQ(U32(1), NewParamAddr("mode", 72))
	JZ(LabelRef("tiles"))
	CMPQ(j, i)
	JLT(LabelRef("tiles"))
	CMPQ(rows, U8(s.lanes))
	JLT(LabelRef("tiles"))
	CMPQ(cols, U8(s.cols))
	JLT(LabelRef("tiles"))
	s.eachCorner(rows, body)
	Label("tiles")
}
