package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is what the two instruction sets differ in.
type isa struct {
	name  string
	wide  bool // AVX-512
	lanes int  // doubles in a vector
	rows  int  // vectors in a tile's column
	cols  int  // columns of a tile, and of a block of a panel
	one   Mem  // 1.0
	mask  Mem  // lanes × −1, lanes × 0 (AVX2)
}

// Zen 4 does one 512-bit or two 256-bit multiply-adds a cycle, four cycles
// latency: 24×8 and 8×6 are the largest tiles whose sums, a column of A and a
// factor fit 32 and 16 registers.
func avx512() *isa {
	one := GLOBL("one512", 8|16)
	DATA(0, F64(1))
	return &isa{name: "AVX512", wide: true, lanes: 8, rows: 3, cols: 8, one: one}
}

func avx2() *isa {
	one := GLOBL("one2", 8|16)
	DATA(0, F64(1))
	mask := GLOBL("mask2", 8|16)
	for i := range 8 {
		x := U64(0)
		if i < 4 {
			x = ^x
		}
		DATA(8*i, x)
	}
	return &isa{name: "AVX2", lanes: 4, rows: 2, cols: 6, one: one, mask: mask}
}

var (
	zmm = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10,
		reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19,
		reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28,
		reg.Z29, reg.Z30, reg.Z31,
	}
	ymm = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10,
		reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
)

// v is vector register i.
func (s *isa) v(i int) reg.VecPhysical {
	if s.wide {
		return zmm[i]
	}
	return ymm[i]
}

// half is the lower half of vector register i of AVX-512.
func half(i int) reg.VecPhysical { return zmm[i].AsY().(reg.VecPhysical) }

// maskReg masks the last vector of a tile: K1, or the last register.
func (s *isa) maskReg() reg.Register {
	if s.wide {
		return reg.K1
	}
	return s.v(15)
}

// setMask masks the first n lanes, 1 ≤ n ≤ lanes. It clobbers n.
func (s *isa) setMask(n reg.GPVirtual) {
	if s.wide {
		// 0xff >> (8−n)
		bits := GP32()
		MOVL(U32(0xff), bits)
		NEGQ(n)
		ADDQ(U8(8), n)
		SHRXL(n.As32(), bits, bits)
		KMOVB(bits, reg.K1)
		return
	}
	table := GP64()
	LEAQ(s.mask, table)
	NEGQ(n)
	VMOVUPD(Mem{Base: table, Index: n, Scale: 8, Disp: 32}, s.maskReg())
}

// load reads a vector, only its masked lanes if tail, zeros elsewhere.
func (s *isa) load(m Mem, v reg.Register, tail bool) {
	switch {
	case !tail:
		VMOVUPD(m, v)
	case s.wide:
		VMOVUPD_Z(m, reg.K1, v)
	default:
		VMASKMOVPD(m, s.maskReg(), v)
	}
}

func (s *isa) store(v reg.Register, m Mem, tail bool) {
	switch {
	case !tail:
		VMOVUPD(v, m)
	case s.wide:
		VMOVUPD(v, reg.K1, m)
	default:
		VMASKMOVPD(v, s.maskReg(), m)
	}
}

// add adds a vector in memory to v.
func (s *isa) add(m Mem, v, tmp reg.Register, tail bool) {
	switch {
	case !tail:
		VADDPD(m, v, v)
	case s.wide:
		VADDPD_Z(m, v, reg.K1, v)
	default:
		VMASKMOVPD(m, s.maskReg(), tmp)
		VADDPD(tmp, v, v)
	}
}

func (s *isa) zero(v reg.VecPhysical) {
	if s.wide {
		VPXORQ(v, v, v)
		return
	}
	VXORPD(v, v, v)
}

// argument loads a parameter of the function, a stride in bytes if it is one.
func argument(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

func stride(name string) reg.GPVirtual {
	r := argument(name)
	SHLQ(U8(3), r)
	return r
}

// copyOf returns a new register with the value of r.
func copyOf(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

func at(base reg.Register, doubles int) Mem { return Mem{Base: base, Disp: 8 * doubles} }

var labels int

// label returns a label's name, unique in the file.
func label(format string, args ...any) string {
	labels++
	return fmt.Sprintf(format, args...) + fmt.Sprintf("_%d", labels)
}

// dispatch jumps to the label of the number 1 ≤ r ≤ len(to).
func dispatch(r reg.GPVirtual, to []string) {
	for i := len(to); i > 1; i-- {
		CMPQ(r, U8(i))
		JEQ(LabelRef(to[i-1]))
	}
	JMP(LabelRef(to[0]))
}
