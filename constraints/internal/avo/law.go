package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loaded makes x its positive part and continues at skip where no face is loaded, x ≤ 0
// and bound = 0. It returns what zeroes a vector where x is zero.
func (s *isa) loaded(x, bound reg.VecVirtual, skip string) (on func(y reg.VecVirtual)) {
	const greater = U8(0x1e) // ordered, quiet
	zero := s.zero()
	if s.wide {
		in, sliding := K(), K()
		VCMPPD(greater, zero, x, in)
		VPTESTMQ(bound, bound, sliding)
		KORTESTB(in, sliding)
		JZ(LabelRef(skip))
		VMAXPD(zero, x, x)
		return func(y reg.VecVirtual) { VMOVAPD_Z(y, in, y) }
	}
	in, any := s.v(), s.v()
	VCMPPD(greater, zero, x, in)
	VORPD(bound, in, any)
	VPTEST(any, any)
	JZ(LabelRef(skip))
	VMAXPD(zero, x, x)
	return func(y reg.VecVirtual) { VANDPD(y, in, y) }
}

// pressureLaw returns (3) and the part of pressure in (5); impulses need only p.
func (s *isa) pressureLaw(x reg.VecVirtual, A, B Mem, on func(reg.VecVirtual), hessian bool) (p, stiff, cost reg.VecVirtual) {
	Bx := s.mul(x, B)
	y := s.add(Bx, A)
	p = s.mul(y, x)
	if !hessian {
		return p, nil, nil
	}
	stiff = s.add(Bx, y)
	on(stiff)
	cost = s.mul(s.number(0.5), A)
	fma(cost, Bx, s.number(1./3))
	VMULPD(s.mul(x, x), cost, cost)
	return p, stiff, cost
}

// friction returns a (4); for the Hessian also a/ρ², and it adds the part of friction in
// (5) to cost.
func (s *isa) friction(tt reg.VecVirtual, eps, bound Mem, cost reg.VecVirtual, hessian bool) (a, d reg.VecVirtual) {
	e := s.load(eps)
	rho := s.copyOf(tt)
	fma(rho, e, e)
	VSQRTPD(rho, rho)
	inv := s.number(1)
	VDIVPD(rho, inv, inv)
	a = s.mul(inv, bound)
	if hessian {
		VSUBPD(e, rho, rho)
		fma(cost, rho, bound)
		VMULPD(inv, inv, inv)
		d = s.mul(inv, a)
	}
	return a, d
}

var numbers = map[float64]Mem{}

// number returns a constant in all lanes.
func (s *isa) number(x float64) reg.VecVirtual {
	m, ok := numbers[x]
	if !ok {
		m = GLOBL(fmt.Sprintf("number%d", len(numbers)), 8|16)
		DATA(0, F64(x))
		numbers[x] = m
	}
	return s.broadcast(m)
}
