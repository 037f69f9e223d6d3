package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// inRegisters are the sums that AVX-512 has registers for.
var inRegisters = span(alAt, sums)

// faces emits the sum over a list of blocks. Equations are patch_plain.go's.
func faces(s *isa) {
	name := "faces" + s.name
	e := begin(s, name, name+" adds the faces of block (faceBlock) and what follows it to out (laneSums)", inRegisters)
	e.blocks(e.forces, e.hessian)
	e.end()
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
