package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// Sums of a flat patch that are not zero: K has no mixed entries, r no height.
var flatSums = []int{
	costAt, forceAt, forceAt + 1, forceAt + 2, momentAt, momentAt + 1, momentAt + 2,
	llAt, llAt + 1, llAt + 3, llAt + 5, // 00, 01, 11, 22
	alAt + 2, alAt + 5, alAt + 6, alAt + 7, // 02, 12, 20, 21
	aaAt, aaAt + 1, aaAt + 3, aaAt + 5, // 00, 01, 11, 22
}

// flat emits faces for a patch whose normals are (0, 0, 1) and arms (x, y, 0): half
// the arithmetic.
func flat(s *isa) {
	name := "flat" + s.name
	e := begin(s, name, name+" is faces"+s.name+" for normals (0, 0, 1) and arms (x, y, 0),", flatSums)
	e.blocks(e.flatPressure, e.flatFriction)
	e.end()
}

// flatPressure emits (1) to (5), and (6) and (7) of pressure.
func (e *evaluation) flatPressure(skip string) {
	t := [2]reg.VecVirtual{e.broadcast(e.moving(3)), e.broadcast(e.moving(4))}
	c, wn := e.broadcast(e.moving(5)), e.broadcast(e.moving(2))
	x, y := e.load(e.entry(armAt)), e.load(e.entry(armAt+1))
	fnma(t[0], wn, y)
	fma(t[1], wn, x)
	fma(c, e.broadcast(e.moving(0)), y)
	fnma(c, e.broadcast(e.moving(1)), x)
	over, bound := e.load(e.entry(breakAt)), e.load(e.entry(boundAt))
	VSUBPD(c, over, over)
	on := e.bearing(over, bound, skip)

	p, stiff, cost := e.press(over, e.entry(linearAt), e.entry(risingAt), on)
	e.sumOf(forceAt+2, p)
	e.sum(momentAt, func(to reg.VecVirtual) { fma(to, p, y) })
	e.sum(momentAt+1, func(to reg.VecVirtual) { fnma(to, p, x) })
	tt := e.mul(t[0], t[0])
	fma(tt, t[1], t[1])
	a, d := e.rub(tt, e.entry(epsAt), bound, cost)
	e.sumOf(costAt, cost)

	e.sumOf(llAt+5, stiff)
	xk, yk := e.mul(stiff, x), e.mul(stiff, y)
	e.sumOf(alAt+2, yk)
	e.lessOf(alAt+5, xk)
	e.sum(aaAt, func(to reg.VecVirtual) { fma(to, yk, y) })
	e.sum(aaAt+1, func(to reg.VecVirtual) { fnma(to, yk, x) })
	e.sum(aaAt+3, func(to reg.VecVirtual) { fma(to, xk, x) })

	for i := range t {
		VMOVUPD(t[i], e.staged(slipAt+i))
	}
	VMOVUPD(a, e.staged(rubAt))
	VMOVUPD(d, e.staged(fadeAt))
}

// flatFriction emits (6) and (7) of friction.
func (e *evaluation) flatFriction() {
	t := [2]reg.VecVirtual{e.load(e.staged(slipAt)), e.load(e.staged(slipAt + 1))}
	a, d := e.load(e.staged(rubAt)), e.load(e.staged(fadeAt))
	x, y := e.load(e.entry(armAt)), e.load(e.entry(armAt+1))
	at := [2]reg.VecVirtual{e.mul(a, t[0]), e.mul(a, t[1])}
	e.lessOf(forceAt, at[0])
	e.lessOf(forceAt+1, at[1])
	e.sum(momentAt+2, func(to reg.VecVirtual) {
		fma(to, at[0], y)
		fnma(to, at[1], x)
	})

	// K = (a − d t0², −d t0 t1; ·, a − d t1²)
	dt := e.mul(d, t[0])
	k00 := e.copyOf(a)
	fnma(k00, dt, t[0])
	less01 := e.mul(dt, t[1])
	VMULPD(t[1], d, d)
	fnma(a, d, t[1])
	k11 := a
	e.sumOf(llAt, k00)
	e.lessOf(llAt+1, less01)
	e.sumOf(llAt+3, k11)

	// −(x k01 − y k00) and x k11 − y k01, which ω about the normal moves
	g, h := e.mul(less01, x), e.mul(less01, y)
	fma(g, k00, y)
	fma(h, k11, x)
	e.lessOf(alAt+6, g)
	e.sumOf(alAt+7, h)
	e.sum(aaAt+5, func(to reg.VecVirtual) {
		fma(to, g, y)
		fma(to, h, x)
	})
}
