package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// Sums of a flat contact surface, package constraints' flatSums: those of the impulses, then
// those of the cost and of the Hessian.
const (
	flatPAt      = iota // p
	flatPYAt            // p y
	flatPXAt            // p x
	flatAAt             // a
	flatAXAt            // a x
	flatAYAt            // a y
	flatARAt            // a (x² + y²)
	flatImpulses        // number of the sums so far
)

const (
	flatWorkAt = iota + flatImpulses // x p
	flatBendAt                       // x² B x
	flatRubAt                        // μ n0 (ρ − ε)
	flatKAt                          // −p'
	flatKYAt
	flatKXAt
	flatKYYAt
	flatKXYAt
	flatKXXAt
	flatD00At // d t0²
	flatD01At
	flatD11At
	flatDQ0At // d q t0
	flatDQ1At
	flatDQQAt
	flatSums
)

// flat emits faces for a contact surface whose normals are (0, 0, 1) and arms (x, y, 0): half
// the arithmetic.
func flat(s *isa, hessian bool) {
	name, held := "flat"+s.name, span(0, flatSums)
	if !hessian {
		name, held = "flatImpulse"+s.name, span(0, flatImpulses)
	}
	e := begin(s, name, name+" is faces"+s.name+" for normals (0, 0, 1) and arms (x, y, 0),", held)
	e.blocks(func(skip string) { e.flatPressure(skip, hessian) }, func() { e.flatFriction(hessian) })
	e.end()
}

// flatPressure emits (1) to (5), and (6) and (7) of pressure.
func (e *evaluation) flatPressure(skip string, hessian bool) {
	x, y := e.load(e.entry(armAt)), e.load(e.entry(armAt+1))
	c := e.load(e.motionAt(5))
	fma(c, y, e.motionAt(0))
	fnma(c, x, e.motionAt(1))
	over := e.load(e.entry(breakAt))
	VSUBPD(c, over, over)
	on := e.loaded(over, e.load(e.entry(boundAt)), skip)

	t := [2]reg.VecVirtual{e.load(e.motionAt(3)), e.load(e.motionAt(4))}
	fnma(t[0], y, e.motionAt(2))
	fma(t[1], x, e.motionAt(2))
	rho := e.load(e.entry(epsAt))
	VMULPD(rho, rho, rho)
	fma(rho, t[0], t[0])
	fma(rho, t[1], t[1])
	VSQRTPD(rho, rho)
	inv := e.number(1)
	VDIVPD(rho, inv, inv)
	VMOVUPD(inv, e.staged(frictionAt))
	if hessian {
		VSUBPD(e.entry(epsAt), rho, rho)
		e.sum(flatRubAt, func(to reg.VecVirtual) { fma(to, rho, e.entry(boundAt)) })
		VMOVUPD(t[0], e.staged(slipAt))
		VMOVUPD(t[1], e.staged(slipAt+1))
	}

	Bx := e.mul(over, e.entry(risingAt))
	p := e.add(Bx, e.entry(linearAt))
	var k reg.VecVirtual
	if hessian {
		k = e.add(Bx, p)
		on(k)
	}
	VMULPD(over, p, p)
	e.addTo(flatPAt, p)
	e.sum(flatPYAt, func(to reg.VecVirtual) { fma(to, p, y) })
	e.sum(flatPXAt, func(to reg.VecVirtual) { fma(to, p, x) })
	if hessian {
		e.sum(flatWorkAt, func(to reg.VecVirtual) { fma(to, p, over) })
		VMULPD(over, Bx, Bx)
		e.sum(flatBendAt, func(to reg.VecVirtual) { fma(to, Bx, over) })
		e.addTo(flatKAt, k)
		kx, ky := e.mul(k, x), e.mul(k, y)
		e.addTo(flatKXAt, kx)
		e.addTo(flatKYAt, ky)
		e.sum(flatKXXAt, func(to reg.VecVirtual) { fma(to, kx, x) })
		e.sum(flatKYYAt, func(to reg.VecVirtual) { fma(to, ky, y) })
		e.sum(flatKXYAt, func(to reg.VecVirtual) { fma(to, ky, x) })
	}
}

// flatFriction emits (6) and (7) of friction.
func (e *evaluation) flatFriction(hessian bool) {
	x, y := e.load(e.entry(armAt)), e.load(e.entry(armAt+1))
	inv := e.load(e.staged(frictionAt))
	a := e.mul(inv, e.entry(boundAt))
	ax, ay := e.mul(a, x), e.mul(a, y)
	e.addTo(flatAAt, a)
	e.addTo(flatAXAt, ax)
	e.addTo(flatAYAt, ay)
	e.sum(flatARAt, func(to reg.VecVirtual) { fma(to, ax, x); fma(to, ay, y) })
	if !hessian {
		return
	}
	t := [2]reg.VecVirtual{e.load(e.staged(slipAt)), e.load(e.staged(slipAt + 1))}
	VMULPD(inv, inv, inv)
	VMULPD(inv, a, a) // d
	q := e.mul(x, t[1])
	fnma(q, y, t[0])
	d0, d1, dq := e.mul(a, t[0]), e.mul(a, t[1]), e.mul(a, q)
	e.sum(flatD00At, func(to reg.VecVirtual) { fma(to, d0, t[0]) })
	e.sum(flatD01At, func(to reg.VecVirtual) { fma(to, d0, t[1]) })
	e.sum(flatD11At, func(to reg.VecVirtual) { fma(to, d1, t[1]) })
	e.sum(flatDQ0At, func(to reg.VecVirtual) { fma(to, dq, t[0]) })
	e.sum(flatDQ1At, func(to reg.VecVirtual) { fma(to, dq, t[1]) })
	e.sum(flatDQQAt, func(to reg.VecVirtual) { fma(to, dq, q) })
}
