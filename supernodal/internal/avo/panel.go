package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// solve emits the part of a panel below a block of columns that factor has done:
// X L = A − B Cᵀ in one pass through registers, tile by tile of rows.
func solve(s *isa) {
	text(s, "solve", "p *float64, ld int, inv *float64, m, n, k int",
		"%s completes n ≤ columns k… of a panel for the m rows under its diagonal block,",
		"which starts at row 0 of p: it takes off the k columns before and solves with the",
		"block, whose diagonal has the reciprocals inv.")
	p, ld, inv := argument("p"), stride("ld"), argument("inv")
	l, a, c := GP64(), GP64(), GP64() // diagonal block; rows below, left and here
	n := argument("n")
	k := argument("k")
	IMULQ(ld, k)
	LEAQ(Mem{Base: p, Index: k, Scale: 1}, l)
	LEAQ(Mem{Base: p, Index: n, Scale: 8}, a)
	LEAQ(Mem{Base: l, Index: n, Scale: 8}, c)
	left := argument("m")

	Label("rows")
	rows, limit := copyOf(left), GP64()
	MOVQ(U32(s.rows*s.lanes), limit)
	CMPQ(rows, limit)
	CMOVQGT(limit, rows)
	ap, bp, cp := copyOf(a), copyOf(p), copyOf(c)
	s.eachTile(rows, n, func(t tile) {
		t.multiply(ap, ld, bp, ld, NewParamAddr("k", 40))
		t.addC(cp, ld)
		t.solve(l, ld, inv)
		t.storeC(cp, ld)
		JMP(LabelRef("next"))
	})

	Label("next")
	ADDQ(U32(s.rows*s.lanes*8), a)
	ADDQ(U32(s.rows*s.lanes*8), c)
	SUBQ(U8(s.rows*s.lanes), left)
	JG(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// solve solves X Lᵀ = C for the rows of a tile C in registers, column by column.
func (t tile) solve(l, ld, inv reg.GPVirtual) {
	lj := copyOf(l)
	for j := range t.nc {
		VBROADCASTSD(at(inv, j), t.b())
		for v := range t.rv {
			VMULPD(t.b(), t.acc(v, j), t.acc(v, j))
		}
		for i := j + 1; i < t.nc; i++ {
			VBROADCASTSD(at(lj, i), t.b())
			for v := range t.rv {
				VFNMADD231PD(t.acc(v, j), t.b(), t.acc(v, i))
			}
		}
		ADDQ(ld, lj)
	}
}

// factor emits the Cholesky factorization of a diagonal block in registers. It
// eliminates as L D Lᵀ, so that each column waits for one division and no root; the
// roots are taken together at the end.
func factor(s *isa) {
	text(s, "factor", "p *float64, ld int, inv, pivot *float64, n, k int",
		"%s factors the n×n block, n ≤ columns of a tile, that starts at row 0 and column k of",
		"p after taking off the k columns before. It writes the pivots and the reciprocals",
		"of L's diagonal; entries above the diagonal become undefined.")
	p, ld, n := argument("p"), stride("ld"), argument("n")
	c := argument("k")
	IMULQ(ld, c)
	ADDQ(p, c)
	to := make([]string, s.cols)
	for i := range to {
		to[i] = label("block%d", i+1)
	}
	dispatch(n, to)
	for i := range to {
		Label(to[i])
		block{isa: s, n: i + 1}.emit(p, ld, c)
	}
}

// block is a lower triangle of n columns in registers 0…: only vectors with rows
// on or under the diagonal are stored.
type block struct {
	*isa
	n int
}

// vectors is the number of vectors of a column.
func (b block) vectors() int { return (b.n + b.lanes - 1) / b.lanes }

// col is the register of vector v of column j.
func (b block) col(v, j int) reg.VecPhysical { return b.v(j*b.vectors() + v) }

// temp is a register of no column.
func (b block) temp(i int) reg.VecPhysical {
	if b.wide {
		return b.v(16 + i)
	}
	return b.v([]int{12, 13, 14, 10}[i]) // 10 would lie above the diagonal
}

// lane broadcasts lane i of src.
func (b block) lane(src, dst reg.VecPhysical, i int) {
	if b.wide {
		VPERMPD(src, b.v(8+i), dst) // register 8+i has i in each lane
		return
	}
	VPERMPD(U8(i*0x55), src, dst)
}

// insert sets lane i of dst to that of src.
func (b block) insert(src, dst reg.VecPhysical, i int) {
	if b.wide {
		bit := GP32()
		MOVL(U32(1<<i), bit)
		KMOVB(bit, reg.K2)
		VMOVAPD(src, reg.K2, dst)
		return
	}
	VBLENDPD(U8(1<<i), src, dst, dst)
}

// emit emits the code for n columns; p is the start of the rows, c that of the block.
func (b block) emit(p, ld, c reg.GPVirtual) {
	nv := b.vectors()
	rest := GP64()
	MOVQ(U32(b.n-(nv-1)*b.lanes), rest)
	b.setMask(rest)
	if b.wide {
		for i := range b.n {
			q := GP64()
			MOVQ(U32(i), q)
			VPBROADCASTQ(q, b.v(8+i))
		}
	}
	b.subtractLeft(p, ld)
	b.addBlock(c, ld)
	// pivots gather in temp 0 and 1
	pivot, d, t := []reg.VecPhysical{b.temp(0), b.temp(1)}, b.temp(2), b.temp(3)
	b.eliminate(pivot, d, t)
	b.scale(c, ld, pivot, d)
	VZEROUPPER()
	RET()
}

// reaches reports whether vector v of column j has rows on or under the diagonal.
func (b block) reaches(v, j int) bool { return v >= j/b.lanes }

// subtractLeft leaves minus the products with the k columns to the left.
func (b block) subtractLeft(p, ld reg.GPVirtual) {
	nv := b.vectors()
	for j := range b.n {
		for v := range nv {
			if b.reaches(v, j) {
				b.zero(b.col(v, j))
			}
		}
	}
	left := GP64()
	MOVQ(NewParamAddr("k", 40), left)
	loop, done := label("left"), label("taken")
	TESTQ(left, left)
	JZ(LabelRef(done))
	Label(loop)
	for v := range nv {
		b.load(at(p, v*b.lanes), b.temp(v), v == nv-1)
	}
	for j := range b.n {
		VBROADCASTSD(at(p, j), b.temp(2))
		for v := range nv {
			if b.reaches(v, j) {
				VFNMADD231PD(b.temp(v), b.temp(2), b.col(v, j))
			}
		}
	}
	ADDQ(ld, p)
	DECQ(left)
	JNZ(LabelRef(loop))
	Label(done)
}

// addBlock adds the block itself.
func (b block) addBlock(c, ld reg.GPVirtual) {
	nv := b.vectors()
	q := copyOf(c)
	for j := range b.n {
		for v := range nv {
			if b.reaches(v, j) {
				b.add(at(q, v*b.lanes), b.col(v, j), b.temp(2), v == nv-1)
			}
		}
		ADDQ(ld, q)
	}
}

// eliminate leaves L D, with unit diagonal of L, and the pivots D.
func (b block) eliminate(pivot []reg.VecPhysical, d, t reg.VecPhysical) {
	nv := b.vectors()
	for j := range b.n {
		vj, lj := j/b.lanes, j%b.lanes
		b.lane(b.col(vj, j), d, lj)
		if lj == 0 {
			VMOVAPD(d, pivot[vj])
		} else {
			b.insert(d, pivot[vj], lj)
		}
		if j == b.n-1 {
			break
		}
		VBROADCASTSD(b.one, t)
		VDIVPD(d, t, d)
		for i := j + 1; i < b.n; i++ {
			b.lane(b.col(i/b.lanes, j), t, i%b.lanes)
			VMULPD(d, t, t)
			for v := i / b.lanes; v < nv; v++ {
				VFNMADD231PD(b.col(v, j), t, b.col(v, i))
			}
		}
	}
}

// scale stores pivots, reciprocals, and the columns times D^−½.
func (b block) scale(c, ld reg.GPVirtual, pivot []reg.VecPhysical, d reg.VecPhysical) {
	nv := b.vectors()
	piv, inv := argument("pivot"), argument("inv")
	for v := range nv {
		b.store(pivot[v], at(piv, v*b.lanes), v == nv-1)
		VSQRTPD(pivot[v], pivot[v])
		VBROADCASTSD(b.one, d)
		VDIVPD(pivot[v], d, pivot[v])
		b.store(pivot[v], at(inv, v*b.lanes), v == nv-1)
	}
	for j := range b.n {
		b.lane(pivot[j/b.lanes], d, j%b.lanes)
		for v := range nv {
			if b.reaches(v, j) {
				VMULPD(d, b.col(v, j), b.col(v, j))
				b.store(b.col(v, j), at(c, v*b.lanes), v == nv-1)
			}
		}
		ADDQ(ld, c)
	}
}
