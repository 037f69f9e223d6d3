package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extend emits the addition of a child's contribution block to its parent's
// front: for each pair of runs a block of rows and columns. Blocks are mostly 3×3
// up to 30×30, so a row chunk's mask is made once for all its columns.
func extend(s *isa) {
	text(s, "extend", "dst *float64, ld int, src *float64, n int, runs *int32, cols, all, shift int",
		"%s adds the columns of the first cols of all runs of a contribution block src (n×n)",
		"to dst (stride ld), whose row and column 0 are row and column shift of the front.")
	dst, src := argument("dst"), argument("src")
	ld, n := stride("ld"), stride("n")
	// dst −= shift·(ld+8) would leave the array: shift each place instead
	runs, cols := argument("runs"), argument("cols")

	Label("column")
	r, rows := copyOf(runs), argument("all")

	Label("row")
	// corners of the block
	from, to, x := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: runs, Disp: 0}, from)
	IMULQ(n, from)
	MOVLQSX(Mem{Base: r, Disp: 0}, x)
	LEAQ(Mem{Base: from, Index: x, Scale: 8}, from)
	ADDQ(src, from)
	shift := argument("shift")
	MOVLQSX(Mem{Base: runs, Disp: 4}, to)
	SUBQ(shift, to)
	IMULQ(ld, to)
	MOVLQSX(Mem{Base: r, Disp: 4}, x)
	SUBQ(shift, x)
	LEAQ(Mem{Base: to, Index: x, Scale: 8}, to)
	ADDQ(dst, to)
	high := GP64()
	MOVLQSX(Mem{Base: r, Disp: 8}, high)
	s.addBlock(from, n, to, ld, runs, high)
	ADDQ(U8(12), r)
	DECQ(rows)
	JNZ(LabelRef("row"))

	all := argument("all")
	DECQ(all)
	Store(all, Param("all"))
	ADDQ(U8(12), runs)
	DECQ(cols)
	JNZ(LabelRef("column"))
	VZEROUPPER()
	RET()
}

// addBlock adds a block of high rows and as many columns as run says, by chunks of rows.
func (s *isa) addBlock(from, n, to, ld, run, high reg.GPVirtual) {
	c := chunks{from, n, to, ld, run}
	full, part, done := label("full"), label("part"), label("done")
	Label(full)
	CMPQ(high, U8(s.lanes))
	JLT(LabelRef(part))
	c.add("vector", s.lanes, func(p, q reg.GPVirtual) {
		VMOVUPD(at(p, 0), s.v(0))
		VADDPD(at(q, 0), s.v(0), s.v(0))
		VMOVUPD(s.v(0), at(q, 0))
	})
	SUBQ(U8(s.lanes), high)
	JMP(LabelRef(full))
	Label(part)
	if s.wide {
		TESTQ(high, high)
		JZ(LabelRef(done))
		s.setMask(high)
		c.add("masked", 0, func(p, q reg.GPVirtual) {
			s.load(at(p, 0), s.v(0), true)
			s.add(at(q, 0), s.v(0), nil, true)
			s.store(s.v(0), at(q, 0), true)
		})
	} else {
		c.addRest(high, done)
	}
	Label(done)
}

// chunks is a block of a contribution block, and the block of the front it is added to.
type chunks struct{ from, n, to, ld, run reg.GPVirtual }

// add adds w rows of all columns by body, then steps down by them.
func (c chunks) add(name string, w int, body func(from, to reg.GPVirtual)) {
	p, q, wide := copyOf(c.from), copyOf(c.to), GP64()
	MOVLQSX(Mem{Base: c.run, Disp: 8}, wide)
	loop := label("%s", name)
	Label(loop)
	body(p, q)
	ADDQ(c.n, p)
	ADDQ(c.ld, q)
	DECQ(wide)
	JNZ(LabelRef(loop))
	if w > 0 {
		ADDQ(U8(8*w), c.from)
		ADDQ(U8(8*w), c.to)
	}
}

// addRest adds up to three rows of AVX2, two, then one: masked stores are slow before
// AVX-512.
func (c chunks) addRest(high reg.GPVirtual, done string) {
	single := label("single")
	TESTQ(U32(2), high)
	JZ(LabelRef(single))
	c.add("pair", 2, func(p, q reg.GPVirtual) {
		VMOVUPD(at(p, 0), reg.X0)
		VADDPD(at(q, 0), reg.X0, reg.X0)
		VMOVUPD(reg.X0, at(q, 0))
	})
	Label(single)
	TESTQ(U32(1), high)
	JZ(LabelRef(done))
	c.add("one", 0, func(p, q reg.GPVirtual) {
		VMOVSD(at(p, 0), reg.X0)
		VADDSD(at(q, 0), reg.X0, reg.X0)
		VMOVSD(reg.X0, at(q, 0))
	})
}
