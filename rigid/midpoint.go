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
// (1) is solved by fixed-point iteration from the bias at v0, which gives the momenta p₀, then
// p₁ and p₂. With the changes δ₁, δ₂ of v* in the two iterations, in the norm of A, the step
// takes
//
//	p = (1 − w) p₁ + w [p₀ + φ (p₂ − p₀)]                                   (2)
//	w = x² (3 − 2 x),  x = (|δ₁|²/(ε² (|v0|² + |v*−v0|²)) − 1)/3 in [0, 1]   (3)
//	φ = 1/(1 + (|δ₂|/|δ₁|)⁸)                                                (4)
//
// a smooth function of the state: joints that turn by less than some hundredths of a radian a
// step take one iteration, w = 0, faster ones two. Where the iteration diverges, at
// radians a step, the bias at v0 remains. Source: Hairer, Lubich, Wanner, Geometric Numerical
// Integration, II.1 and V; (2) to (4) are this program's.

// Efforts that the solve of the step is expected to add, such as those that carry the weight of an arm, are
// in A⁻¹ p of (1) and not in p: without them an arm whose weight is carried would have the bias of a fall that
// does not take place, which moves it by O(h²).

// ExpectEfforts sets the joint efforts (nv; N or N m) that constraints of the step are expected to apply, for the next
// FreeMotion; nil for none.
func (d *Data) ExpectEfforts(tau []float64) { d.expected = tau }

// slowChange is ε² of (3). The iteration contracts by about the angle of a step, so that the
// second would change v* by less than 10⁻⁴ of v.
const slowChange = 1e-6

// addBiasMomentum subtracts h·bias(v½) from mom, the momentum (2) of dynamics.go that a
// tree gains in the step; all other terms are in mom already. A (n×n) is the tree's.
//
// It returns v* − v0 and w of (3), nil where the bias does not depend on v.
// Where ahead (n) is not nil the bias is that of v0 + ahead, damped_prediction.go.
func (d *Data) addBiasMomentum(t int, gravity r3.Vec, A, mom, ahead []float64) (_ []float64, w float64) {
	m, n := d.m, len(mom)
	first := m.treeStart[t]
	if n == 1 && m.placing[m.dofs[first]].biased == nil {
		mom[0] -= d.h * d.effort(first)
		return nil, 0
	}
	LD, dv := d.factor[:n*n], d.dv[:n]
	if d.expected != nil {
		for k := range mom {
			mom[k] += d.h * d.expected[first+k]
		}
	}
	// p₀, the momentum with the bias at v0
	copy(LD, A)
	eliminate(LD, n)
	copy(d.momFixed, mom)
	for k := range mom {
		mom[k] -= d.h * d.effort(first+k)
	}
	m.fold(t, mom)
	solve(LD, mom, dv)
	size := d.balance[t].twiceKinetic // |v0|² + |v* − v0|²
	for k, x := range dv {
		size += x * mom[k]
	}
	// p₁, and p₂ for all but slow joints
	copy(d.momStart, mom)
	copy(d.dvStart, dv)
	copy(d.gains[0][first:], dv)
	at := dv
	if ahead != nil {
		at = ahead
	}
	change := d.iterateBias(t, gravity, at, dv, mom)
	w = smoothStep((change - slowChange*size) / (3 * slowChange * size))
	d.secondLook[t] = w
	if w > 0 && ahead == nil {
		copy(d.momOnce, mom)
		copy(d.dvOnce, dv)
		copy(d.gains[1][first:], dv)
		second := d.iterateBias(t, gravity, dv, dv, mom)
		copy(d.gains[2][first:], dv)
		d.blend(w, change, second, dv, mom)
	}
	if d.expected != nil {
		d.leaveOutExpected(t, dv, mom)
	}
	return dv, w
}

// leaveOutExpected takes the expected efforts out of the momentum that a tree gains and out of dv, v* − v0.
func (d *Data) leaveOutExpected(t int, dv, mom []float64) {
	n, first := len(mom), d.m.treeStart[t]
	dp, ddv := d.residual[:n], d.ddv[:n]
	for k := range mom {
		dp[k] = d.h * d.expected[first+k]
	}
	d.m.fold(t, dp)
	for k := range mom {
		mom[k] -= dp[k]
	}
	solve(d.factor[:n*n], dp, ddv)
	for k := range dv {
		dv[k] -= ddv[k]
	}
}

// iterateBias takes one iteration of (1) from v* − v0 = dv, which needs the momentum mom, and
// replaces both, with the bias at v½ of v* − v0 = at. It returns the square |δ|² of the change of dv.
func (d *Data) iterateBias(t int, gravity r3.Vec, at, dv, mom []float64) (change float64) {
	n, first := len(mom), d.m.treeStart[t]
	dp, ddv := d.residual[:n], d.ddv[:n]
	d.midpointVelocities(t, at)
	d.rnea(d.m.linksOfTree[t], gravity, &d.midpoint, nil)
	for k := range dp {
		dp[k] = d.momFixed[k] - d.h*d.effort(first+k) // (1)
	}
	d.m.fold(t, dp)
	for k, p := range dp {
		dp[k], mom[k] = p-mom[k], p
	}
	solve(d.factor[:n*n], dp, ddv)
	for k := range dv {
		dv[k] += ddv[k]
		change += ddv[k] * dp[k]
	}
	return change
}

// smoothStep returns w of (3) at x; 0 where x is not a number, as at rest.
func smoothStep(x float64) float64 {
	switch {
	case x >= 1:
		return 1
	case x > 0:
		return x * x * (3 - 2*x)
	}
	return 0
}

// blend applies (2) and (4) to v* − v0 and the momentum gained, which are those of two
// iterations, given |δ₁|² and |δ₂|².
func (d *Data) blend(w, first, second float64, dv, mom []float64) {
	ratio := second / first
	ratio *= ratio
	phi := 1 / (1 + ratio*ratio)
	if !(phi > 0) { // it diverges beyond all bounds
		copy(mom, d.momStart)
		copy(dv, d.dvStart)
		phi = 1
	}
	if w == 1 && phi == 1 {
		return
	}
	for k := range mom {
		p, v := d.momStart[k]+phi*(mom[k]-d.momStart[k]), d.dvStart[k]+phi*(dv[k]-d.dvStart[k])
		mom[k], dv[k] = d.momOnce[k]+w*(p-d.momOnce[k]), d.dvOnce[k]+w*(v-d.dvOnce[k])
	}
}

// midpointVelocities computes the velocities of a tree's links at v½ = v0 + ½ dv, and of
// the links with prescribed motion that carry it. Under the midpoint rule v0 + dv is a displacement velocity, which is
// v½ itself.
func (d *Data) midpointVelocities(t int, dv []float64) {
	m := d.m
	first := m.treeStart[t]
	half, ahead := 0.5, 0.5*d.h
	if d.inMiddle {
		half, ahead = 1, 0
	}
	for _, i := range m.linksOfTree[t] {
		l, V, rel := &m.placing[i], &d.midpoint.vel[i], &d.midpoint.rel[i]
		// relative velocity at v½
		*rel = d.rel[i]
		if l.prescribed {
			rel.incScale(ahead, &d.prescribedAcc[i])
		}
		for k := l.v0; k < l.v0+l.nv; k++ {
			rel.incScale(half*dv[k-first], &d.subspace[k])
		}
		if l.biased != nil {
			v := d.vMidpoint[:l.nv]
			for j := range v {
				v[j] = d.v[l.v0+j] + half*dv[l.v0+j-first]
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
