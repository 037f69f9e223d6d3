package rigid

import "github.com/curlfree/curlfree/r3"

// Bias halfway. Positions move with the velocities of the step's end: they are
// ahead of these by half a step, and stand in the middle between v0 and v*. So the
// step is a leapfrog, and as exact for forces that depend on velocities as it is
// for weight and springs, when it takes them at
//
//	v½ = v0 + ½ (v* − v0) = v0 + ½ A⁻¹ p(v½)                              (1)
//
// Being reversible in time, it lets energy wobble by O(h), and neither gain nor
// lose. With v0 instead, a tree that spins gains energy like h ω³ until it flies
// apart. (1) is iterated from v0: once does for joints that turn by some hundredths of
// a radian a step, and again where the last change still holds more than
// halfwayTol² of the energy.

const (
	halfwayTol   = 0.01 // relative, of velocities; at 0.03 loose limbs that spin fast slowly gain energy
	divergence   = 100  // growth of the change from which (1) counts as divergent, as near the lock of a gimbal: then the bias is that of v0
	halfwayLooks = 4    // more do not help where (1) converges so badly
)

// gain adds to the momentum that a tree gains in the step (2), of which it is given
// all else, what its bias does.
func (d *Data) gain(t int, gravity r3.Vec, A, mom, tau []float64) {
	m, n := d.m, len(mom)
	first := m.first[t]
	if n == 1 && m.placing[m.dofs[first]].biased == nil { // its bias does not depend on v
		mom[0] -= d.h * d.effort(first)
		return
	}
	LD, given, dv, dp, ddv := d.lower[:n*n], d.given[:n], d.dv[:n], d.dp[:n], d.ddv[:n]
	copy(LD, A)
	eliminate(LD, n)
	copy(given, mom)
	for k := range mom {
		mom[k] -= d.h * d.effort(first+k)
	}
	solve(LD, mom, dv)
	energy := 0.0 // twice that of v0
	for i, v := range d.v[first : first+n] {
		for j, u := range d.v[first : first+n] {
			energy += A[i*n+j] * u * v
		}
	}
	copy(d.momStart, mom)
	first0 := 0.0
	for k := range halfwayLooks {
		d.moveHalfway(t, dv)
		d.rnea(m.ofTree[t], gravity, &d.half, nil)
		for k := range dp {
			p := given[k] - d.h*d.effort(first+k) // (1)
			dp[k], mom[k] = p-mom[k], p
		}
		solve(LD, dp, ddv)
		gained, change := 0.0, 0.0
		for k := range dv {
			dv[k] += ddv[k]
			gained += dv[k] * mom[k]
			change += ddv[k] * dp[k]
		}
		if k == 0 {
			first0 = change
		} else if !(change <= divergence*first0) {
			copy(mom, d.momStart[:n])
			solve(LD, mom, dv)
			break
		}
		if !(change > halfwayTol*halfwayTol*(4*energy+gained)) {
			break
		}
	}
	if m.floater[t] != World {
		d.keepMomenta(t, &gravity, A, dv, mom, tau)
	}
}

// moveHalfway computes velocities at v½ of a tree's links and of what carries it.
func (d *Data) moveHalfway(t int, dv []float64) {
	m := d.m
	first := m.first[t]
	for _, i := range m.ofTree[t] {
		l, V, rel := &m.placing[i], &d.half.vel[i], &d.half.rel[i]
		*rel = d.rel[i]
		if l.driven {
			rel.incScale(0.5*d.h, &d.pushed[i])
		}
		for k := l.v0; k < l.v0+l.nv; k++ {
			rel.incScale(0.5*dv[k-first], &d.column[k])
		}
		if l.biased != nil {
			v := d.vHalf[:l.nv]
			for j := range v {
				v[j] = d.v[l.v0+j] + 0.5*dv[l.v0+j-first]
			}
			d.half.bias[i] = d.jointBias(i, l, v)
		}
		*V = *rel
		if l.parent == World {
			continue
		}
		P := &d.half.vel[l.parent]
		if m.tree[l.parent] < 0 {
			P.w.SetAdd(&d.vel[l.parent].w, &d.driven[l.parent].w)
			P.v.SetAdd(&d.vel[l.parent].v, &d.driven[l.parent].v)
			P.w.SetScale(0.5, &P.w)
			P.v.SetScale(0.5, &P.v)
		}
		V.incScale(1, P)
		V.v.IncCross(&P.w, &d.p_PB[i])
	}
}
