package main

import (
	"github.com/mmcloughlin/avo/reg"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// dots emits r −= Aᵀ y, columns side by side so that y is read once for each
// group and sums do not wait for each other.
func dots(s *isa) {
	text(s, "dots", "r *float64, a *float64, lda int, y *float64, m, n int",
		"%s computes r −= Aᵀ y for A (m×n), m ≥ 1.")
	group := s.lanes
	r, a, lda := argument("r"), argument("a"), stride("lda")
	left := argument("n")

	Label("columns")
	cols, limit := copyOf(left), GP64()
	MOVQ(U32(group), limit)
	CMPQ(cols, limit)
	CMOVQGT(limit, cols)
	for i := range group {
		s.zero(s.v(i))
	}
	p, y, m := copyOf(a), argument("y"), argument("m")
	to := make([]string, group)
	for i := range to {
		to[i] = label("dots%d", i+1)
	}
	dispatch(cols, to)
	for i := range to {
		Label(to[i])
		s.sums(i+1, p, lda, y, m)
		JMP(LabelRef("reduce"))
	}

	Label("reduce")
	s.reduce()
	s.setMask(cols)
	s.load(at(r, 0), s.v(group), true)
	VSUBPD(s.v(0), s.v(group), s.v(group))
	s.store(s.v(group), at(r, 0), true)
	ADDQ(U32(8*group), r)
	for range group {
		ADDQ(lda, a)
	}
	SUBQ(U8(group), left)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// sums adds the products of n columns with y to registers 0….
func (s *isa) sums(n int, p, lda, y, m reg.GPVirtual) {
	yv, tmp := s.v(s.lanes), s.v(s.lanes+1)
	s.rowsOf(p, y, m, func(last bool) {
		s.load(at(y, 0), yv, last)
		q := copyOf(p)
		for j := range n {
			if j > 0 {
				ADDQ(lda, q)
			}
			if last {
				s.load(at(q, 0), tmp, true)
				VFMADD231PD(tmp, yv, s.v(j))
			} else {
				VFMADD231PD(at(q, 0), yv, s.v(j))
			}
		}
	})
}

// axpys emits y −= A x, the other half of a solution: a group of columns streams
// past y, their factors in registers.
func axpys(s *isa) {
	text(s, "axpys", "y *float64, a *float64, lda int, x *float64, m, n int",
		"%s computes y −= A x for A (m×n), m ≥ 1.")
	group := 8
	a, x, lda := argument("a"), argument("x"), stride("lda")
	left := argument("n")

	Label("columns")
	cols, limit := copyOf(left), GP64()
	MOVQ(U32(group), limit)
	CMPQ(cols, limit)
	CMOVQGT(limit, cols)
	p, y, m := copyOf(a), argument("y"), argument("m")
	to := make([]string, group)
	for i := range to {
		to[i] = label("axpys%d", i+1)
	}
	dispatch(cols, to)
	for i := range to {
		Label(to[i])
		for j := range i + 1 {
			VBROADCASTSD(at(x, j), s.v(j))
		}
		s.subtractColumns(i+1, p, lda, y, m)
		JMP(LabelRef("next"))
	}

	Label("next")
	ADDQ(U8(8*group), x)
	for range group {
		ADDQ(lda, a)
	}
	SUBQ(U8(group), left)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// subtractColumns takes n columns from p on times the factors in registers 0… off y.
func (s *isa) subtractColumns(n int, p, lda, y, m reg.GPVirtual) {
	const group = 8
	yv, tmp := s.v(group), s.v(group+1)
	s.rowsOf(p, y, m, func(last bool) {
		s.load(at(y, 0), yv, last)
		q := copyOf(p)
		for j := range n {
			if j > 0 {
				ADDQ(lda, q)
			}
			if last {
				s.load(at(q, 0), tmp, true)
				VFNMADD231PD(tmp, s.v(j), yv)
			} else {
				VFNMADD231PD(at(q, 0), s.v(j), yv)
			}
		}
		s.store(yv, at(y, 0), last)
	})
}

// rowsOf repeats body for the vectors of m ≥ 1 rows from p and y on, the last
// time perhaps masked.
func (s *isa) rowsOf(p, y, m reg.GPVirtual, body func(last bool)) {
	loop, tail, done := label("rows"), label("tail"), label("done")
	Label(loop)
	CMPQ(m, U8(s.lanes))
	JLT(LabelRef(tail))
	body(false)
	ADDQ(U8(8*s.lanes), p)
	ADDQ(U8(8*s.lanes), y)
	SUBQ(U8(s.lanes), m)
	JMP(LabelRef(loop))
	Label(tail)
	TESTQ(m, m)
	JZ(LabelRef(done))
	s.setMask(m)
	body(true)
	Label(done)
}

// reduce leaves the sum of all lanes of register i in lane i of register 0.
func (s *isa) reduce() {
	t := s.v(s.lanes)
	if !s.wide {
		VHADDPD(s.v(1), s.v(0), s.v(0))
		VHADDPD(s.v(3), s.v(2), s.v(2))
		VPERM2F128(U8(0x20), s.v(2), s.v(0), t)
		VPERM2F128(U8(0x31), s.v(2), s.v(0), s.v(1))
		VADDPD(s.v(1), t, s.v(0))
		return
	}
	for i := 0; i < 8; i += 2 { // pairs of lanes
		VUNPCKLPD(s.v(i+1), s.v(i), t)
		VUNPCKHPD(s.v(i+1), s.v(i), s.v(i))
		VADDPD(t, s.v(i), s.v(i))
	}
	halves := func(i, j int) { // 128-bit lanes 0, 2 and 1, 3 of i, then of j
		VSHUFF64X2(U8(0x88), s.v(j), s.v(i), t)
		VSHUFF64X2(U8(0xdd), s.v(j), s.v(i), s.v(i))
		VADDPD(t, s.v(i), s.v(i))
	}
	halves(0, 2)
	halves(4, 6)
	halves(0, 4)
}
