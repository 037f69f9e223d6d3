package rigid

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Flight of trees with joints under the midpoint rule. A tree without springs and mimic joints that no impulse changed
// in the step before is not damped, as a body in flight: with w* for θ = ½,
//
//	p = A (w* − v0),   v⁺ = v0 + (w − v0 + 2 δ (w* − v0))/θ                (1)
//
// and the centre of mass of a floating one moves along its parabola.

// isFlying reports whether (1) is the rule of a tree with joints.
func (d *Data) isFlying(t int) bool {
	first, end := d.m.treeStart[t], d.m.treeStart[t+1]
	if !d.damped.mayFly[t] || d.damped.slowed[t] || d.damped.impact[t] > d.rule.Theta {
		return false
	}
	return d.rule.Delta == 0 || !slices.ContainsFunc(d.rule.DV[first:end], isNotZero)
}

func isNotZero(x float64) bool { return x != 0 }

// fly replaces A and mom of a tree by those of (1), from those for θ = ½ with the solution dv = w* − v0.
func (d *Data) fly(t int, gravity *r3.Vec, tau, A, dv, mom []float64) {
	first, n, theta := d.m.treeStart[t], len(mom), d.rule.Theta
	if link := d.m.floatingBase[t]; link != World {
		d.straighten(t, link, gravity, tau, dv)
	}
	for i := range A[:n*n] {
		A[i] *= 0.5 / theta
	}
	for k := range mom {
		A[k*n+k] += (1 - 0.5/theta) * d.drivetrain[first+k].mass
	}
	for i := range mom {
		before := mom[i]
		mom[i] = 0
		for k, x := range dv {
			mom[i] += A[i*n+k] * x
		}
		d.damped.fixed[first+i] += mom[i] - before
	}
	for k, x := range dv {
		d.damped.lag[first+k] = 2 * d.rule.Delta * x
	}
}

// straighten changes dv = w* − v0 of a floating base so that the centre of mass of the tree moves by h v_c + ½ h² (g +
// f/m) with efforts f on the base.
func (d *Data) straighten(t, link int, gravity *r3.Vec, tau, dv []float64) {
	m, a, s, first, n := d.m, d.endOfStep, d.damped, d.m.treeStart[t], len(dv)
	slides := d.subspace[first+3 : first+6]
	now := &s.bases[t].now
	d.centralProperties(t, link, now)
	path := now.p.Add(gravity.Scale(0.5 * d.h * now.weight))
	if tau != nil {
		for k := range slides {
			path.IncScale(0.5*d.h*tau[first+3+k], &slides[k].v)
		}
	}
	w := s.w[first : first+n]
	for k, x := range dv {
		w[k] = s.middle.v[first+k] + x
	}
	copy(s.v[first:first+n], w)
	d.placeEnd(t, w, s.v)
	all := &d.compositeInertia[link]
	start := d.x_WB[link].P.Add(all.mc.Scale(1 / all.mass))
	var moved r3.Vec // Σ m (c⁺ − c)
	for _, i := range m.linksOfTree[t] {
		a.place(i, 0, d.h)
		mass := m.links[i].Mass
		moved.IncScale(1, &a.bodyInertia[i].mc)
		x := a.x_WB[i].P.Sub(start)
		moved.IncScale(mass, &x)
	}
	off := path.Sub(moved.Scale(1 / d.h)).Scale(1 / now.mass)
	for k := range slides {
		dv[3+k] += off.DotOf(&slides[k].v)
	}
}

// markFlight replaces the changes of velocities (n) of a tree with joints by zero where no impulse changed its motion
// in a step with the displacement velocities w (n).
func (d *Data) markFlight(t int, w, change []float64) {
	first, off, size := d.m.treeStart[t], 0.0, 0.0
	for k, x := range w {
		off = max(off, math.Abs(x-d.damped.free[first+k]))
		size = max(size, math.Abs(x), math.Abs(d.damped.free[first+k]))
	}
	switch {
	case off <= untouchedJoints*size:
		clear(change)
	case !slices.ContainsFunc(change, isNotZero):
		change[0] = leastMemory
	}
}

// untouchedJoints is the share of velocities that is round-off of a solve.
const untouchedJoints = 1e-8
