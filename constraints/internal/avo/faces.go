package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// faces emits the sum over a list of blocks. Equations are surface_law_lanes.go's.
func faces(s *isa, hessian bool) {
	name, held := "faces"+s.name, span(alAt, sums)
	if !hessian {
		name, held = "facesImpulse"+s.name, span(forceAt, costAt)
	}
	e := begin(s, name, name+" adds the faces of block (faceBlock) and what follows it to out (laneSums)", held)
	e.blocks(func(skip string) { e.evaluateLaw(skip, hessian) }, func() { e.sumFaces(hessian) })
	e.end()
}

// evaluateLaw emits (1) to (5), or continues at skip where no face is loaded.
func (e *evaluation) evaluateLaw(skip string, hessian bool) {
	var t [3]reg.VecVirtual // (1)
	for i := range t {
		t[i] = e.load(e.motionAt(3 + i))
	}
	for i := range t {
		r, j, k := e.load(e.entry(armAt+i)), (i+1)%3, (i+2)%3
		fma(t[j], r, e.motionAt(k))
		fnma(t[k], r, e.motionAt(j))
	}
	n := e.vec(e.entry, normalAt)
	c := e.mul(t[0], n[0])
	fma(c, t[1], n[1])
	fma(c, t[2], n[2])
	x := e.load(e.entry(breakAt))
	VSUBPD(c, x, x)
	on := e.loaded(x, e.load(e.entry(boundAt)), skip)
	for i := range t {
		fnma(t[i], c, n[i])
		VMOVUPD(t[i], e.staged(slipAt+i))
	}
	p, stiff, cost := e.pressureLaw(x, e.entry(linearAt), e.entry(risingAt), on, hessian)
	VMOVUPD(p, e.staged(pressureAt))
	tt := e.mul(t[0], t[0])
	fma(tt, t[1], t[1])
	fma(tt, t[2], t[2])
	a, d := e.friction(tt, e.entry(epsAt), e.entry(boundAt), cost, hessian)
	VMOVUPD(a, e.staged(frictionAt))
	if hessian {
		e.addTo(costAt, cost)
		VMOVUPD(d, e.staged(frictionSlopeAt))
		VMOVUPD(stiff, e.staged(pressureSlopeAt))
	}
}

// sumFaces emits (6), and (7) on request.
func (e *evaluation) sumFaces(hessian bool) {
	t, n := e.vec(e.staged, slipAt), e.vec(e.entry, normalAt)
	p, a := e.load(e.staged(pressureAt)), e.load(e.staged(frictionAt))
	r := e.vec(e.entry, armAt)
	var f [3]reg.VecVirtual // (6)
	for i := range f {
		f[i] = e.mul(p, n[i])
		fnma(f[i], a, t[i])
		e.addTo(forceAt+i, f[i])
	}
	for i := range f {
		j, k := (i+1)%3, (i+2)%3
		e.sum(momentAt+i, func(to reg.VecVirtual) {
			fma(to, f[k], r[j])
			fnma(to, f[j], r[k])
		})
	}
	if !hessian {
		return
	}

	d, m := e.load(e.staged(frictionSlopeAt)), e.load(e.staged(pressureSlopeAt)) // (7)
	VSUBPD(a, m, m)
	var K [3][3]reg.VecVirtual
	at := llAt
	for i := range K {
		dt, mn := e.mul(d, t[i]), e.mul(m, n[i])
		for j := i; j < 3; j++ {
			if i == j {
				K[i][i] = e.load(e.staged(frictionAt))
				fma(K[i][i], mn, n[i])
			} else {
				K[i][j] = e.mul(mn, n[j])
			}
			fnma(K[i][j], dt, t[j])
			K[j][i] = K[i][j]
			e.addTo(at, K[i][j])
			at++
		}
	}

	// al = [r] K, aa = [r] K [r]ᵀ: column j of al is r × K_j, row i of aa is r × row
	// i of al
	at = aaAt
	for i := range 3 {
		var row [3]reg.VecVirtual
		for j := range row {
			row[j] = e.cross(i, r, K[j])
			e.addTo(alAt+3*i+j, row[j])
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
