package rigid

import "github.com/curlfree/curlfree/r3"

// The bias at the midpoint velocity. Positions move with the velocities of the step's end
// and so lead the velocities by half a step: the scheme is a leapfrog. It keeps its order
// with forces that depend on velocity if it takes these at
//
//	v½ = v0 + ½ (v* − v0) = v0 + ½ A⁻¹ p(v½)                              (1)
//
// The step is then reversible in time: its energy oscillates by O(h) and does not drift.
// With the bias at v0 a spinning tree gains energy at a rate of h ω³ until it diverges.
// (1) is solved by fixed-point iteration from v0. One iteration suffices for joints that
// turn by some hundredths of a radian per step; another follows where the energy of the
// last change exceeds midpointTol² of the kinetic energy. Where the iteration diverges the
// bias at v0 remains.
// Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1 and V.

const (
	midpointTol           = 0.01 // relative error of v½; at 0.03 loose limbs that spin fast slowly gain energy
	maxMidpointIterations = 4    // (1) converges linearly: where four do not suffice, more do not either
	maxGrowth             = 100  // growth of the change (energy) from which (1) counts as divergent, as near gimbal lock
)

// addBiasMomentum subtracts h·bias(v½) from mom, the momentum (2) of dynamics.go that a
// tree gains in the step; all other terms are in mom already. A (n×n) is the tree's.
func (d *Data) addBiasMomentum(t int, gravity r3.Vec, A, mom, tau []float64) {
	m, n := d.m, len(mom)
	first := m.treeStart[t]
	if n == 1 && m.placing[m.dofs[first]].biased == nil { // its bias does not depend on v
		mom[0] -= d.h * d.effort(first)
		return
	}
	LD, given, dv, dp, ddv := d.factor[:n*n], d.momFixed[:n], d.dv[:n], d.residual[:n], d.ddv[:n]
	// the velocity with the bias at v0
	copy(LD, A)
	eliminate(LD, n)
	copy(given, mom)
	for k := range mom {
		mom[k] -= d.h * d.effort(first+k)
	}
	solve(LD, mom, dv)
	energy := d.balance[t].twiceKinetic
	// fixed-point iteration of (1)
	copy(d.momStart, mom)
	firstChange := 0.0
	for k := range maxMidpointIterations {
		d.midpointVelocities(t, dv)
		d.rnea(m.linksOfTree[t], gravity, &d.midpoint, nil)
		for k := range dp {
			p := given[k] - d.h*d.effort(first+k) // (1)
			dp[k], mom[k] = p-mom[k], p
		}
		solve(LD, dp, ddv)
		// energies, twice: of what the step gains, and of the last change
		gained, change := 0.0, 0.0
		for k := range dv {
			dv[k] += ddv[k]
			gained += dv[k] * mom[k]
			change += ddv[k] * dp[k]
		}
		if k == 0 {
			firstChange = change
		} else if !(change <= maxGrowth*firstChange) {
			copy(mom, d.momStart[:n])
			solve(LD, mom, dv)
			break
		}
		if !(change > midpointTol*midpointTol*(4*energy+gained)) {
			break
		}
	}
	if m.floatingBase[t] != World {
		d.conserveMomenta(t, &gravity, A, dv, mom, tau)
	}
}

// midpointVelocities computes the velocities of a tree's links at v½ = v0 + ½ dv, and of
// the links with prescribed motion that carry it.
func (d *Data) midpointVelocities(t int, dv []float64) {
	m := d.m
	first := m.treeStart[t]
	for _, i := range m.linksOfTree[t] {
		l, V, rel := &m.placing[i], &d.midpoint.vel[i], &d.midpoint.rel[i]
		// relative velocity at v½
		*rel = d.rel[i]
		if l.prescribed {
			rel.incScale(0.5*d.h, &d.prescribedAcc[i])
		}
		for k := l.v0; k < l.v0+l.nv; k++ {
			rel.incScale(0.5*dv[k-first], &d.subspace[k])
		}
		if l.biased != nil {
			v := d.vMidpoint[:l.nv]
			for j := range v {
				v[j] = d.v[l.v0+j] + 0.5*dv[l.v0+j-first]
			}
			d.midpoint.bias[i] = d.jointBias(i, l, v)
		}
		// plus that of the parent; of one with prescribed motion the mean of now and this step
		*V = *rel
		if l.parent == World {
			continue
		}
		P := &d.midpoint.vel[l.parent]
		if m.tree[l.parent] < 0 {
			P.w.SetAdd(&d.vel[l.parent].w, &d.prescribedVel[l.parent].w)
			P.v.SetAdd(&d.vel[l.parent].v, &d.prescribedVel[l.parent].v)
			P.w.SetScale(0.5, &P.w)
			P.v.SetScale(0.5, &P.v)
		}
		V.incScale(1, P)
		V.v.IncCross(&P.w, &d.p_PB[i])
	}
}
