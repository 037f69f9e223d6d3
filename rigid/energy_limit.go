package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// An unactuated tree that spins is chaotic, and at a tenth of a radian a step its energy may grow
// without bound: with this leapfrog, and with other schemes of its cost. So the velocities v*
// are scaled by the largest s ≤ 1 with which the energy at the end of the step stays within
//
//	E₁(s) ≤ max(R + θ K, E₀),  θ = 0.1                                      (1)
//
// E is the kinetic energy and that of weight and of springs, E₀ that at the start of the step.
// R is the least energy of the tree since anything pushed it, with the work done on it, and K
// its kinetic energy of late (see LimitEnergy): the energy of a leapfrog oscillates, for which
// θ K allows, but R does not grow, so that the energy is bounded for all time. s = 0 is always
// allowed: then the joints rest in their present positions. s is a continuous function of the
// state, and 1 but for trees at the verge of divergence.
//
// The momenta of a tree with a floating base are given (floating_tree.go). Only its joints are
// scaled, and E is the energy about the centre of mass,
//
//	E₁ = T_rel − ½ |p₁|²/m + ω·L₁ + ½ ω·I₁ ω + U₁                           (2)
//
// with the kinetic energy T_rel when the base rests, the energy U of the joints' springs, and
// symbols of floating_tree.go. No motion with given momenta has less energy than that of the
// rigid shape, s = 0. On other trees the end of the step is computed where w > 0 in midpoint.go:
// slow joints do not diverge.

const (
	energyMargin = 0.1 // θ of (1): at a tenth of a radian a step energy oscillates by some hundredths

	limitIterations = 100
	limitTol        = 1e-13 // of s, and of the energy
)

// LimitEnergy sets the reference energy R and the kinetic energy K of (1), J, of each tree for
// the next FreeMotion. R is the least value so far of the larger of both energies of
// TreeEnergy, plus the work done since; +Inf in the first step stands for E₀. Nil removes the
// limit.
func (d *Data) LimitEnergy(reference, kinetic []float64) { d.reference, d.recent = reference, kinetic }

// EnergyLimited reports whether the last FreeMotion scaled the velocities of a tree by s < 1 of (1), which then depend
// on energies of earlier steps.
func (d *Data) EnergyLimited() bool { return d.limited }

// allowance returns R + θ K of (1) of a tree with the energy E₀ (J) at the start of the step,
// +Inf for no limit.
func (d *Data) allowance(t int, start float64) float64 {
	if t >= len(d.reference) {
		return math.Inf(1)
	}
	R := d.reference[t]
	if math.IsInf(R, 1) {
		R = start
	}
	return R + energyMargin*max(d.recent[t], d.balance[t].kinetic)
}

// internalLimit returns the right-hand side of (1) of a tree with a floating base, +Inf for
// none, and notes its kinetic energy; now are its properties at the start of the step.
func (d *Data) internalLimit(t int, gravity *r3.Vec, now *central) float64 {
	// the energy of the centre of mass in a uniform field, as TreeEnergy has it
	link, b := d.m.floatingBase[t], &d.balance[t]
	all := &d.compositeInertia[link]
	moving := 0.5 / now.mass * now.p.DotOf(&now.p)
	share := now.weight / now.mass
	center := moving - share*(all.mass*gravity.DotOf(&d.x_WB[link].P)+gravity.DotOf(&all.mc)-0.5*d.h*now.p.DotOf(gravity))
	b.kinetic = 0.5*b.twiceKinetic - moving
	internal := b.kinetic + b.spring - gravity.DotOf(&now.e)
	return max(d.allowance(t, internal+center)-center, internal)
}

// internalEnergy returns (2) for the angular velocity ω of the base, with the energy of weight that acts beside the
// centre of mass.
func (c *central) internalEnergy(h float64, gravity, w *r3.Vec) float64 {
	var u r3.Vec
	u.SetMul(&c.I, w)
	u.IncScale(2, &c.L)
	e := c.energy - 0.5/c.mass*c.p.DotOf(&c.p) + 0.5*w.DotOf(&u) // (2)
	if c.e != (r3.Vec{}) {
		var theta, turned r3.Vec
		theta.SetScale(h, w)
		rotateExp(&turned, &theta, &c.e)
		e -= gravity.DotOf(&turned)
	}
	return e
}

// limitShape returns s of a tree with a floating base and the base's angular velocity, and
// writes the central properties of the shape. dv is v* − v0 so far, L the angular momentum.
func (d *Data) limitShape(t, link int, limit float64, dv []float64, gravity, L *r3.Vec, c *central) (s float64, w r3.Vec) {
	d.limited = true
	s = largestScale(math.Abs(limit), func(s float64) float64 {
		u := d.spinOfShape(t, link, s, dv, L, c)
		return c.internalEnergy(d.h, gravity, &u) - limit
	})
	return s, d.spinOfShape(t, link, s, dv, L, c)
}

// limitMotion scales v* of a tree whose base does not float: A (n×n) is the tree's, dv its
// v* − v0 and mom the momentum gained.
func (d *Data) limitMotion(t int, gravity *r3.Vec, A, dv, mom []float64) {
	if d.m.prescribedTree[t] {
		return
	}
	b := &d.balance[t]
	_, weight := d.weightOf(t, gravity)
	start := b.kinetic + b.spring + weight
	limit := max(d.allowance(t, start), start)
	if math.IsInf(limit, 1) {
		return
	}
	excess := func(s float64) float64 { return d.energyAtEnd(t, gravity, s, dv) - limit }
	if excess(1) <= 0 {
		return
	}
	d.limited, d.secondLook[t] = true, 2
	s, n, v0 := largestScale(math.Abs(limit), excess), len(dv), d.velocitiesOf(t)
	for k := range dv {
		change := (s - 1) * (v0[k] + dv[k])
		for i := range mom {
			mom[i] += A[i*n+k] * change
		}
	}
}

// energyAtEnd returns the energy of a tree at the end of a step with s times v*, J.
func (d *Data) energyAtEnd(t int, gravity *r3.Vec, s float64, dv []float64) float64 {
	d.placeScaled(t, s, dv)
	return d.endEnergy(t, gravity)
}

// placeScaled sets the positions and velocities of a tree in endOfStep to those of the end of a step with s times v*
// or, under the midpoint rule, w*.
func (d *Data) placeScaled(t int, s float64, dv []float64) {
	m, a, v0 := d.m, d.endOfStep, d.velocitiesOf(t)
	first := m.treeStart[t]
	copy(a.q, d.q)
	for k, x := range dv {
		a.v[first+k] = s * (v0[k] + x)
	}
	if d.rule.Midpoint {
		d.toStart(a.v)
	}
	for _, i := range m.linksOfTree[t] {
		m.advance(i, d.h, a.q, a.v)
	}
}

// endEnergy returns the energy of a tree at the positions and velocities of endOfStep, J.
func (d *Data) endEnergy(t int, gravity *r3.Vec) float64 {
	m, a := d.m, d.endOfStep
	first, end, e := m.treeStart[t], m.treeStart[t+1], 0.0
	for _, i := range m.linksOfTree[t] {
		a.place(i, 0, d.h)
		var f spatial
		own := &a.bodyInertia[i]
		own.apply(&a.vel[i], &f)
		e += 0.5*f.dotOf(&a.vel[i]) - (1-m.links[i].WeightCompensation)*(own.mass*gravity.DotOf(&a.x_WB[i].P)+gravity.DotOf(&own.mc))
	}
	return e + a.driveEnergy(first, end)
}

// driveEnergy returns the energy of the rotors and springs of the dofs first … end − 1, J.
func (d *Data) driveEnergy(first, end int) float64 {
	e := 0.0
	for k := first; k < end; k++ {
		l := &d.m.links[d.m.dofs[k]]
		e += 0.5 * l.RotorInertia * d.v[k] * d.v[k]
		if l.Stiffness > 0 {
			x := d.q[d.m.q0[d.m.dofs[k]]] - l.Rest
			e += 0.5 * l.Stiffness * x * x
		}
	}
	return e
}

// largestScale returns s in [0, 1] with excess(s) ≤ 0 and next to its root, given that
// excess(1) > 0, by regula falsi (the Illinois method); scale is the size of the energies
// that it compares.
func largestScale(scale float64, excess func(s float64) float64) float64 {
	lo, hi := 0.0, 1.0
	below, above := excess(lo), excess(hi)
	side := 0
	for range limitIterations {
		if below >= 0 || hi-lo <= limitTol {
			break
		}
		s := lo + (hi-lo)*below/(below-above)
		f := excess(s)
		if math.Abs(f) <= limitTol*scale {
			return s
		}
		if f > 0 {
			if hi, above = s, f; side > 0 {
				below /= 2
			}
			side = 1
		} else {
			if lo, below = s, f; side < 0 {
				above /= 2
			}
			side = -1
		}
	}
	return lo
}
