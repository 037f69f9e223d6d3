package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is the differences of the two instruction sets.
type isa struct {
	name string
	wide bool // AVX-512: eight lanes and 32 registers, else four and 16
}

// v returns a new vector.
func (s *isa) v() reg.VecVirtual {
	if s.wide {
		return ZMM()
	}
	return YMM()
}

// load returns a vector of memory, broadcast one number of it to all lanes.
func (s *isa) load(m Mem) reg.VecVirtual {
	x := s.v()
	VMOVUPD(m, x)
	return x
}

// several returns vectors that are read several times: in registers where there are
// many, else where they are.
func (s *isa) several(m ...Mem) []Op {
	x := make([]Op, len(m))
	for i := range m {
		x[i] = m[i]
		if s.wide {
			x[i] = s.load(m[i])
		}
	}
	return x
}

func (s *isa) broadcast(m Mem) reg.VecVirtual {
	x := s.v()
	VBROADCASTSD(m, x)
	return x
}

func (s *isa) copyOf(x Op) reg.VecVirtual {
	y := s.v()
	VMOVAPD(x, y)
	return y
}

func (s *isa) zero() reg.VecVirtual {
	x := s.v()
	if s.wide {
		VPXORQ(x, x, x)
	} else {
		VXORPD(x, x, x)
	}
	return x
}

// Arithmetic on vectors; y may be memory.

func (s *isa) mul(x reg.VecVirtual, y Op) reg.VecVirtual {
	z := s.v()
	VMULPD(y, x, z)
	return z
}

func (s *isa) add(x reg.VecVirtual, y Op) reg.VecVirtual {
	z := s.v()
	VADDPD(y, x, z)
	return z
}

// fma adds x y to sum, fnma takes it off.
func fma(sum, x reg.VecVirtual, y Op)  { VFMADD231PD(y, x, sum) }
func fnma(sum, x reg.VecVirtual, y Op) { VFNMADD231PD(y, x, sum) }

// cross returns component i of r × x.
func (s *isa) cross(i int, r []Op, x [3]reg.VecVirtual) reg.VecVirtual {
	j, k := (i+1)%3, (i+2)%3
	z := s.mul(x[k], r[j])
	fnma(z, x[j], r[k])
	return z
}

// argument loads a parameter of the function.
func argument(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}
