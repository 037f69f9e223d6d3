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
	costAt   = 0
	forceAt  = 1
	momentAt = 4
	llAt     = 7
	alAt     = 13
	aaAt     = 22
	sums     = 28
)

// What the first half of an evaluation leaves to the second, package constraints'
// laneStage.
const (
	slipAt    = 0 // t and the two after
	rubAt     = 3 // a
	fadeAt    = 4 // a/ρ²
	stiffAt   = 5 // −p' − a
	stageSize = 6 * vector
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

func (e *evaluation) entry(i int) Mem  { return e.in(e.block, i) }
func (e *evaluation) total(i int) Mem  { return e.in(e.out, i) }
func (e *evaluation) staged(i int) Mem { return Mem{Base: e.stage, Disp: vector * i} }
func (e *evaluation) moving(i int) Mem { return Mem{Base: e.motion, Disp: 8 * i} }

// three returns entries i and the two after.
func (e *evaluation) three(of func(int) Mem, i int) []Op {
	return e.several(of(i), of(i+1), of(i+2))
}

// sum has a sum changed by op, in its register or in memory.
func (e *evaluation) sum(i int, op func(to reg.VecVirtual)) {
	if e.held[i] != nil {
		op(e.held[i])
		return
	}
	x := e.load(e.total(i))
	op(x)
	VMOVUPD(x, e.total(i))
}

// sumOf adds x to a sum.
func (e *evaluation) sumOf(i int, x reg.VecVirtual) {
	e.sum(i, func(to reg.VecVirtual) { VADDPD(x, to, to) })
}

// faces emits the sum over a list of blocks. What one block leaves to its Hessian,
// behind a root and a division, is read after the next block's have begun, lest the
// processor wait for them. Equations are patch_plain.go's.
func faces(s *isa) {
	name := "faces" + s.name
	signature, doc := "func(block, motion, out, stage *float64)", "all lanes"
	if !s.wide {
		signature, doc = "func(block, motion, out, stage *float64, half int)", "the lanes of a half (0, 32)"
	}
	TEXT(name, 4, signature) // NOSPLIT
	Pragma("noescape")
	Doc(name+" adds "+doc+" of block (faceBlock) and what follows it to out (laneSums) where",
		"surfaces move at motion (ω, v). stage (two laneStage) is scratch.")
	e := &evaluation{isa: s, block: argument("block"), motion: argument("motion"), out: argument("out")}
	now, then, block := argument("stage"), GP64(), e.block
	if !s.wide {
		e.half = argument("half")
	} else {
		for i := alAt; i < sums; i++ {
			e.held[i] = s.load(e.total(i))
		}
	}
	LEAQ(Mem{Base: now, Disp: stageSize}, then)
	before := GP64()
	XORQ(before, before)

	Label("block")
	e.stage = now
	e.forces("next")
	TESTQ(before, before)
	JZ(LabelRef("keep"))

	Label("hessian")
	e.block, e.stage = before, then
	e.hessian()
	TESTQ(block, block)
	JZ(LabelRef("done"))

	Label("keep")
	MOVQ(block, before)
	XCHGQ(now, then)

	Label("next")
	MOVQ(Mem{Base: block, Disp: vector * nextAt}, block)
	TESTQ(block, block)
	JNZ(LabelRef("block"))
	TESTQ(before, before)
	JNZ(LabelRef("hessian"))

	Label("done")
	for i, x := range e.held {
		if x != nil {
			VMOVUPD(x, e.total(i))
		}
	}
	VZEROUPPER()
	RET()
}

// forces emits (1) to (6), or goes on at skip where no face bears.
func (e *evaluation) forces(skip string) {
	var t [3]reg.VecVirtual // (1)
	for i := range t {
		t[i] = e.broadcast(e.moving(3 + i))
	}
	r := e.three(e.entry, armAt)
	for i := range t {
		w := e.broadcast(e.moving(i))
		j, k := (i+1)%3, (i+2)%3
		fma(t[k], w, r[j])
		fnma(t[j], w, r[k])
	}
	n := e.three(e.entry, normalAt)
	c := e.mul(t[0], n[0])
	fma(c, t[1], n[1])
	fma(c, t[2], n[2])
	x, bound := e.load(e.entry(breakAt)), e.load(e.entry(boundAt))
	VSUBPD(c, x, x)
	on := e.bearing(x, bound, skip)
	for i := range t {
		fnma(t[i], c, n[i])
		VMOVUPD(t[i], e.staged(slipAt+i))
	}

	p, stiff, cost := e.press(x, e.entry(linearAt), e.entry(risingAt), on)
	tt := e.mul(t[0], t[0])
	fma(tt, t[1], t[1])
	fma(tt, t[2], t[2])
	a, d := e.rub(tt, e.entry(epsAt), bound, cost)
	e.sumOf(costAt, cost)
	VMOVUPD(a, e.staged(rubAt))
	VMOVUPD(d, e.staged(fadeAt))
	VSUBPD(a, stiff, stiff)
	VMOVUPD(stiff, e.staged(stiffAt))

	var f [3]reg.VecVirtual // (6)
	for i := range f {
		f[i] = e.mul(p, e.entry(normalAt+i))
		fnma(f[i], a, t[i])
		e.sumOf(forceAt+i, f[i])
	}
	r = e.three(e.entry, armAt)
	for i := range f {
		j, k := (i+1)%3, (i+2)%3
		e.sum(momentAt+i, func(to reg.VecVirtual) {
			fma(to, f[k], r[j])
			fnma(to, f[j], r[k])
		})
	}
}

// hessian emits (7).
func (e *evaluation) hessian() {
	t, n := e.three(e.staged, slipAt), e.three(e.entry, normalAt)
	d, m, a := e.load(e.staged(fadeAt)), e.load(e.staged(stiffAt)), e.staged(rubAt)
	var K [3][3]reg.VecVirtual
	at := llAt
	for i := range K {
		dt, mn := e.mul(d, t[i]), e.mul(m, n[i])
		for j := i; j < 3; j++ {
			if i == j {
				K[i][i] = e.load(a)
				fma(K[i][i], mn, n[i])
			} else {
				K[i][j] = e.mul(mn, n[j])
			}
			fnma(K[i][j], dt, t[j])
			K[j][i] = K[i][j]
			e.sumOf(at, K[i][j])
			at++
		}
	}

	// al = [r] K, aa = [r] K [r]ᵀ: column j of al is r × K_j, row i of aa is r × row
	// i of al
	at = aaAt
	r := e.three(e.entry, armAt)
	for i := range 3 {
		var row [3]reg.VecVirtual
		for j := range row {
			row[j] = e.cross(i, r, K[j])
			e.sumOf(alAt+3*i+j, row[j])
		}
		for j := i; j < 3; j++ {
			k, l := (j+1)%3, (j+2)%3
			e.sum(at, func(to reg.VecVirtual) {
				fma(to, row[l], r[k])
				fnma(to, row[k], r[l])
			})
			at++
		}
	}
}
