package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector is the size of one entry of a block: eight doubles.
const vector = 64

// Entries of a block, package constraints' faceBlock.
const (
	normalAt = 0 // and the two after
	armAt    = 3 // and the two after
	linearAt = 6 // A
	risingAt = 7 // B
	breakAt  = 8 // v̂
	boundAt  = 9
	epsAt    = 10
	nextAt   = 11
)

// Sums, package constraints' laneSums.
const (
	forceAt  = 0
	momentAt = 3
	costAt   = 6
	llAt     = 7
	alAt     = 13
	aaAt     = 22
	sums     = 28
)

// Scratch: the results of the first half of an evaluation that the second reads.
const (
	slipAt          = 0 // t and the two after
	frictionAt      = 3 // a
	frictionSlopeAt = 4 // a/ρ²
	pressureAt      = 5 // p
	pressureSlopeAt = 6 // −p'
	stageSize       = 7 * vector
)

// evaluation emits the evaluation of the faces under one vector of each entry.
type evaluation struct {
	*isa
	block, motion, out, stage reg.Register
	half                      reg.Register // 0 or 32, bytes; nil where vectors are whole
	held                      [sums]reg.VecVirtual
}

func (e *evaluation) in(base reg.Register, i int) Mem {
	m := Mem{Base: base, Disp: vector * i}
	if e.half != nil {
		m.Index, m.Scale = e.half, 1
	}
	return m
}

// entry, total and staged return number i of the block, of the sums, and of the scratch.
func (e *evaluation) entry(i int) Mem  { return e.in(e.block, i) }
func (e *evaluation) total(i int) Mem  { return e.in(e.out, i) }
func (e *evaluation) staged(i int) Mem { return Mem{Base: e.stage, Disp: vector * i} }

// motionAt returns number i of the motion, stored in all lanes: to broadcast it would take
// the ports that multiply.
func (e *evaluation) motionAt(i int) Mem { return Mem{Base: e.motion, Disp: vector * i} }

// vec returns entry i and the two after, the components of a vector.
func (e *evaluation) vec(of func(int) Mem, i int) []Op {
	return e.several(of(i), of(i+1), of(i+2))
}

// sum applies op to a sum, in its register or in memory.
func (e *evaluation) sum(i int, op func(to reg.VecVirtual)) {
	if e.held[i] != nil {
		op(e.held[i])
		return
	}
	x := e.load(e.total(i))
	op(x)
	VMOVUPD(x, e.total(i))
}

// addTo adds x to a sum.
func (e *evaluation) addTo(i int, x reg.VecVirtual) {
	e.sum(i, func(to reg.VecVirtual) { VADDPD(x, to, to) })
}

// subtractFrom subtracts x from a sum.
func (e *evaluation) subtractFrom(i int, x reg.VecVirtual) {
	e.sum(i, func(to reg.VecVirtual) { VSUBPD(x, to, to) })
}

// begin opens a function over a list of blocks, with the sums of which are in registers
// where there are many.
func begin(s *isa, name, doc string, held []int) *evaluation {
	signature, part := "func(block, motion, out, stage *float64)", "all lanes"
	if !s.wide {
		signature, part = "func(block, motion, out, stage *float64, half int)", "the lanes of a half, 0 or 32,"
	}
	TEXT(name, 4, signature) // NOSPLIT
	Pragma("noescape")
	Doc(doc, "for "+part+" where surfaces move at motion (ω, v). stage is scratch.")
	e := &evaluation{
		isa: s, block: argument("block"), motion: argument("motion"), out: argument("out"), stage: argument("stage"),
	}
	if !s.wide {
		e.half = argument("half")
		return e
	}
	for _, i := range held {
		e.held[i] = s.load(e.total(i))
	}
	return e
}

// blocks emits the loop over the blocks. The first half of an evaluation ends with a root
// and a division, whose results the second half reads. So the second half of a block comes
// after the first half of the next (software pipelining), and the processor does not wait.
// A first half jumps to skip where no face is loaded.
func (e *evaluation) blocks(first func(skip string), second func()) {
	block, before, now, then := e.block, GP64(), e.stage, GP64()
	LEAQ(Mem{Base: now, Disp: stageSize}, then)
	XORQ(before, before)

	Label("first")
	e.block, e.stage = block, now
	first("next")
	TESTQ(before, before)
	JZ(LabelRef("keep"))

	Label("second")
	e.block, e.stage = before, then
	second()
	TESTQ(block, block)
	JZ(LabelRef("done"))

	Label("keep")
	MOVQ(block, before)
	XCHGQ(now, then)

	Label("next")
	MOVQ(Mem{Base: block, Disp: vector * nextAt}, block)
	TESTQ(block, block)
	JNZ(LabelRef("first"))
	TESTQ(before, before)
	JNZ(LabelRef("second"))
	Label("done")
}

// end closes the function.
func (e *evaluation) end() {
	for i, x := range e.held {
		if x != nil {
			VMOVUPD(x, e.total(i))
		}
	}
	VZEROUPPER()
	RET()
}

// span returns the numbers from i up to j.
func span(i, j int) (x []int) {
	for ; i < j; i++ {
		x = append(x, i)
	}
	return x
}
