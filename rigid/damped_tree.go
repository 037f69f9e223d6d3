package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Trees with joints under the damped midpoint rule of package timestep: drift, kick, drift. With the joints at q_m = q
// ⊕ ½ h v0, the matrix, the bias and the weight are those of q_m,
//
//	A = (M(q_m) + I_r)/θ + h d + κ h² k                                    (1)
//	A (w − v0) = h [τ − bias(q_m, w) − d v0 − k (q + ½ h v0 − q_r)]
//	             − e h² k (v0 − r w₋) − δ r′ (M + I_r) Δv₋/θ + Jᵀγ          (2)
//
// with J at q_m, q⁺ = q ⊕ h w and v⁺ = v0 + (w − v0 + δ r′ Δv₋)/θ. The bias is at the displacement velocity w* of free
// motion, by the iteration of midpoint.go, or at the one of damped_prediction.go where impulses act. It is of second
// order, and its energy does not drift.
//
// Where the motion of a tree has more energy than energy_limit.go allows, it takes a step with θ = 1, which is one of
// Euler with the forces of q_m.
//
// Velocities of a SteppedJoint are those of q_m in (1) and (2), w, v0 and Δv₋ too, so that they stand for the motion of
// the body. Its step is Exp(h H(q_m) w), and v⁺ and what it remembers are velocities at q⁺.

// placeMiddle places the links outside of flights at q_m.
func (d *Data) placeMiddle(t, h float64) {
	mid := d.damped.middle
	if mid == nil {
		return
	}
	mid.h, mid.Hold = h, d.Hold
	copy(mid.q, d.q)
	copy(mid.v, d.v)
	for _, i := range d.m.articulatedLinks {
		d.m.advance(i, 0.5*h, mid.q, mid.v)
	}
	d.m.Follow(mid.q, mid.v)
	for _, i := range d.m.articulatedLinks {
		mid.place(i, t, h)
	}
	if len(d.rule.DV) > 0 {
		copy(d.damped.dv, d.rule.DV)
		for _, i := range d.m.steppedLinks {
			d.transfer(i, d.q, mid.q, d.damped.dv)
		}
	}
}

// transfer moves velocities v (nv) of a link's SteppedJoint from positions q to others (nq). Errors are those of
// CheckStep.
func (d *Data) transfer(i int, q, to, v []float64) {
	if l := &d.m.placing[i]; l.stepped != nil {
		nq, _ := l.stepped.Size()
		_ = l.stepped.Transfer(q[l.q0:l.q0+nq], to[l.q0:l.q0+nq], v[l.v0:l.v0+l.nv])
	}
}

// startVelocities returns v0 of (2) of a tree.
func (d *Data) startVelocities(t int) []float64 {
	return d.damped.middle.v[d.m.treeStart[t]:d.m.treeStart[t+1]]
}

// toStart moves displacement velocities w (nv) of SteppedJoints from q_m to the placed positions.
func (d *Data) toStart(w []float64) {
	for _, i := range d.m.steppedLinks {
		d.transfer(i, d.damped.middle.q, d.q, w)
	}
}

// startMiddle computes composite inertias and the forces at v0 of links at q_m.
func (d *Data) startMiddle(gravity r3.Vec) {
	clear(d.damped.slowed)
	clear(d.damped.limits)
	d.damped.gravity = gravity
	mid := d.damped.middle
	if mid == nil {
		return
	}
	mid.expected = d.expected
	mid.computeComposites(d.m.articulatedLinks)
	mid.rnea(d.m.articulatedLinks, gravity, &mid.velocities, nil)
}

// inertialRule returns θ of a tree with joints in A, and δ r′ of its memory.
func (d *Data) inertialRule(t int) (theta, memory float64) {
	switch impact := d.damped.impact[t]; {
	case d.damped.slowed[t]:
		return 1, 0
	case impact > d.rule.Theta:
		return impact, 0
	case d.damped.flies[t]:
		return 0.5, 0
	}
	return d.rule.Theta, d.rule.Delta * d.rule.ChangeRatio
}

// dampedMass writes the inertial part of A (n×n, zero before) and of the momentum mom of (1) and (2), of a tree with
// joints.
func (d *Data) dampedMass(t int, A, mom []float64) {
	mid, n, first := d.damped.middle, len(mom), d.m.treeStart[t]
	mid.massMatrix(t, A)
	mid.balance[t].twiceKinetic = d.balance[t].twiceKinetic
	d.damped.flies[t] = d.isFlying(t)
	theta, memory := d.inertialRule(t)
	lag := d.damped.lag[first : first+n]
	clear(lag)
	if memory > 0 {
		for k, x := range d.damped.dv[first : first+n] {
			if x != leastMemory {
				lag[k] = memory * x
			}
		}
		for i := range mom {
			row, sum := A[i*n:i*n+n], 0.0
			for j, x := range lag {
				sum += row[j] * x
			}
			mom[i] = -sum / theta
		}
	}
	for i := range A[:n*n] {
		A[i] /= theta
	}
}

// finishMotion notes what the end of the step needs, and keeps the motion of a tree within the energy that
// energy_limit.go allows. dv is w* − v0, nil for a single joint whose bias does not depend on v, ahead is y − v0 of
// damped_prediction.go or nil, and secondLook is w of midpoint.go.
func (d *Data) finishMotion(t int, gravity *r3.Vec, tau, A, dv, ahead, mom []float64, secondLook float64) {
	first, s := d.m.treeStart[t], d.damped
	link := d.m.floatingBase[t]
	single := dv == nil
	if single {
		dv = d.dv[:1]
		dv[0] = mom[0] / A[0]
	} else {
		copy(s.fixed[first:], s.middle.momFixed[:len(mom)])
		for k := range mom {
			if d.expected != nil {
				s.fixed[first+k] -= d.h * d.expected[first+k]
			}
			if tau != nil {
				s.fixed[first+k] -= d.h * tau[first+k]
			}
		}
	}
	if s.flies[t] {
		d.fly(t, gravity, tau, A, dv, mom)
	}
	for k, x := range dv {
		s.free[first+k] = s.middle.v[first+k] + x
	}
	predicted := ahead != nil
	if !predicted {
		ahead = dv
	}
	for k, x := range ahead {
		s.about[first+k] = s.middle.v[first+k] + x
	}
	if link != World {
		d.startBase(t, link, gravity, tau, A, mom)
	}
	if single || s.limits[t] == limitMet || link == World && (secondLook == 0 || d.m.prescribedTree[t]) {
		return
	}
	d.limitTree(t, gravity, tau, A, dv, mom, predicted)
}

// limitTree keeps the motion of a tree within the energy that energy_limit.go allows. Arguments are those of
// finishMotion; predicted: the bias is that of a prediction.
func (d *Data) limitTree(t int, gravity *r3.Vec, tau, A, dv, mom []float64, predicted bool) {
	s, link := d.damped, d.m.floatingBase[t]
	limit := d.limitOf(t, gravity)
	if math.IsInf(limit, 1) {
		return
	}
	energy := d.freeEnergy(t, gravity, len(dv))
	switch theta, _ := d.inertialRule(t); {
	case energy <= limit:
	case s.limits[t] == limitPredicted && predicted: // that of free motion counts
		s.limits[t] = limitFree
		d.motionAgain(t, gravity, tau, A, mom)
		if !s.slowed[t] {
			s.limits[t] = limitMet
			d.motionAgain(t, gravity, tau, A, mom)
		}
	case theta < 1: // a step of Euler with the forces of q_m
		d.limited, s.slowed[t] = true, true
		d.motionAgain(t, gravity, tau, A, mom)
	case link != World:
		d.conserveMomenta(t, gravity, A, dv, mom, tau)
		d.startBase(t, link, gravity, tau, A, mom)
	default:
		d.limitMotion(t, gravity, A, dv, mom)
	}
}

// limitOf returns the energy that a tree may have at the end of the step, J; +Inf for no limit.
func (d *Data) limitOf(t int, gravity *r3.Vec) float64 {
	if d.m.floatingBase[t] != World {
		return d.internalLimit(t, gravity, &d.damped.bases[t].now)
	}
	b := &d.balance[t]
	_, weight := d.weightOf(t, gravity)
	start := b.kinetic + b.spring + weight
	return max(d.allowance(t, start), start)
}

// freeEnergy returns the energy of a tree of n velocities at the end of the step by free motion, J.
func (d *Data) freeEnergy(t int, gravity *r3.Vec, n int) float64 {
	s, first := d.damped, d.m.treeStart[t]
	w := s.free[first : first+n]
	d.endTree(t, w, s.v, s.change[first:first+n])
	if d.m.floatingBase[t] != World {
		s.then.energy += d.endOfStep.driveEnergy(first+6, first+n)
		return s.then.internalEnergy(0, gravity, &s.omega)
	}
	d.placeEnd(t, w, s.v)
	return d.endEnergy(t, gravity)
}

// motionAgain is treeMotion of a tree for which it was called.
func (d *Data) motionAgain(t int, gravity *r3.Vec, tau, A, mom []float64) {
	clear(A[:len(mom)*len(mom)])
	clear(mom)
	d.treeMotion(t, *gravity, tau, A, mom)
}

// How the energy of a tree is limited: by the motion with the predicted bias, where that has too much by the free
// motion, and not any more where this is within the limit.
const (
	limitPredicted uint8 = iota
	limitFree
	limitMet
)

// treeMomentumAt writes the momentum mom (n) of a tree with joints with the bias at the displacement velocities w (n),
// without efforts. It is false where the bias does not depend on them.
func (d *Data) treeMomentumAt(t int, w, mom []float64) bool {
	m, mid, first := d.m, d.damped.middle, d.m.treeStart[t]
	if len(w) == 1 && m.placing[m.dofs[first]].biased == nil {
		return false
	}
	dv := mid.ddv[:len(w)]
	for k, x := range w {
		dv[k] = x - mid.v[first+k]
	}
	mid.midpointVelocities(t, dv)
	mid.rnea(m.linksOfTree[t], d.damped.gravity, &mid.midpoint, nil)
	for k := range mom {
		mom[k] = d.damped.fixed[first+k] - d.h*mid.effort(first+k)
	}
	m.fold(t, mom)
	return true
}

// endTree writes to v (nv) the velocities of a tree with joints at the end of a step with the displacement velocities w
// (n), and their changes (n).
func (d *Data) endTree(t int, w, v, change []float64) {
	m, first, lag := d.m, d.m.treeStart[t], d.damped.lag
	theta, _ := d.inertialRule(t)
	if d.damped.flies[t] {
		theta = d.rule.Theta
	}
	start := d.startVelocities(t)
	for k, x := range w {
		v0 := start[k]
		change[k] = (x - v0 + lag[first+k]) / theta
		v[first+k] = v0 + change[k]
	}
	for i := range m.followers[t] {
		f := &m.followers[t][i]
		v[f.dof], change[f.dof-first] = f.ratio*v[f.leader], f.ratio*change[f.leader-first]
	}
	for _, i := range m.steppedLinks {
		if l := &m.placing[i]; m.tree[i] == t && l.stepped != nil {
			d.endStepped(l, w[l.v0-first:], v[l.v0:], change[l.v0-first:])
		}
	}
	if link := m.floatingBase[t]; link != World {
		d.damped.omega = d.endBase(t, link, w, v)
		for k := range 6 {
			change[k] = v[first+k] - d.v[first+k]
		}
	}
}

// endStepped moves velocities v and changes of a SteppedJoint from q_m to the end of its step with w.
func (d *Data) endStepped(l *placing, w, v, change []float64) {
	nq, _ := l.stepped.Size()
	middle, q, x := d.damped.middle.q[l.q0:l.q0+nq], d.stepQ[:nq], d.vMidpoint[:l.nv]
	copy(q, d.q[l.q0:])
	copy(x, w)
	_ = l.stepped.Transfer(middle, q, x) // errors are those of CheckStep
	_ = l.stepped.Step(d.h, q, x)
	_ = l.stepped.Transfer(middle, q, v[:l.nv])
	_ = l.stepped.Transfer(middle, q, change[:l.nv])
}

// placeEnd sets the positions and velocities of a tree in endOfStep to those of the end of a step with w (n), of
// velocities v (nv).
func (d *Data) placeEnd(t int, w, v []float64) {
	m, a, first := d.m, d.endOfStep, d.m.treeStart[t]
	copy(a.q, d.q)
	copy(a.v[first:], w)
	d.toStart(a.v)
	for _, i := range m.linksOfTree[t] {
		m.advance(i, d.h, a.q, a.v)
	}
	m.Follow(a.q, a.v)
	copy(a.v[first:first+len(w)], v[first:])
}
