package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The balance of energy of a tree over a step separates errors of integration from the work
// of impulses. With the momentum balance A (v⁺ − v0) = p + Jᵀγ of dynamics.go, and p_e the
// part of p that is explicit in the step (bias and weight, without springs and dampers),
//
//	E = ½ v0ᵀ M v0 − Σ m g·c + Σ ½ k (q − q_r)² + ½ p_e·v0                   (1)
//	W = v⁺·Jᵀγ + ½ max(0, p_e·Δv − Δvᵀ M Δv),   Δv = v⁺ − v0                 (2)
//
// The last term of (1) takes the kinetic energy at the time of the positions: velocities of
// the leapfrog of midpoint.go are half a step behind them. In a uniform field E of a body in
// free fall is constant to round-off. Implicit springs, dampers and impulses at v⁺ lose
// energy only, so that E⁺ − E ≤ W but for the change of M and of the bias within the step.
// The second term of (2) is the amount by which (1) misses forces that act along p_e. A
// single floating body is no leapfrog: its last terms of (1) and (2) are zero.

// treeBalance are terms of (1) that FreeMotion has.
type treeBalance struct {
	// twiceKinetic is v0ᵀ M v0, J.
	twiceKinetic float64
	// kinetic is the kinetic energy, of a tree with a floating base about its centre of mass, J.
	kinetic float64
	// spring is Σ ½ k (q − q_r)², J.
	spring float64
	// implicit is v0·(p − p_e), with the explicit part p_e of p, J.
	implicit float64
	// stored is Π of the midpoint rule, J.
	stored float64
}

// TreeEnergy is the energy of a tree at the start of a step, J.
type TreeEnergy struct {
	// Total is the energy E (1); that of the state lacks the last term of (1). Under the midpoint rule Total is E + Π
	// of package timestep.
	Total, State float64
	// Kinetic is the kinetic energy, of a tree with a floating base and joints about its centre
	// of mass.
	Kinetic float64
	// Mass is the mass, kg.
	Mass float64
}

// TreeEnergy returns the energy of a tree at the placed state, after FreeMotion without
// efforts: gravity is in m/s², v0 and p (n) are those that FreeMotion wrote. Energies are NaN
// for trees that a prescribed joint moves, because the work of its drive is not known.
func (d *Data) TreeEnergy(t int, gravity r3.Vec, v0, p []float64) TreeEnergy {
	b := &d.balance[t]
	mass, weight := d.weightOf(t, &gravity)
	e := TreeEnergy{Kinetic: b.kinetic, Mass: mass}
	if d.m.prescribedTree[t] {
		e.Total, e.State = math.NaN(), math.NaN()
		return e
	}
	e.State = 0.5*b.twiceKinetic + b.spring + weight
	if d.rule.Midpoint {
		e.Total = e.State + b.stored
		return e
	}
	if e.Total = e.State; d.m.singleBody[t] == World {
		explicit := -b.implicit
		for k, v := range v0 {
			explicit += v * p[k]
		}
		e.Total += 0.5 * explicit
	}
	return e
}

// weightOf returns the mass of a tree, kg, and its potential energy, −Σ m g·c of what is not carried, J. Each root
// carries all links of its own.
func (d *Data) weightOf(t int, gravity *r3.Vec) (mass, energy float64) {
	for _, i := range d.m.rootsOfTree[t] {
		all := &d.compositeInertia[i]
		mass += all.mass
		energy -= all.mass*gravity.DotOf(&d.x_WB[i].P) + gravity.DotOf(&all.mc)
	}
	lift := d.carriedOfTree(t, &r3.Vec{})
	return mass, energy + gravity.DotOf(&lift.mc)
}

// TreeWork returns W (2) of a tree, J, from the velocities v1 = v⁺ (n) at the end of the
// step, under the midpoint rule w·Jᵀγ from its displacement velocities; A (n×n), v0 and p (n) are those that FreeMotion
// wrote without efforts.
func (d *Data) TreeWork(t int, A, v0, p, v1 []float64) float64 {
	n, first := len(v0), d.m.treeStart[t]
	work, excess := 0.0, 0.0 // excess: p_e·Δv − Δvᵀ M Δv
	for k, v := range v1 {
		row := A[k*n : k*n+n]
		Adv := 0.0
		for j, a := range row[:len(v0)] {
			Adv += a * (v1[j] - v0[j])
		}
		dv, l := v-v0[k], &d.drivetrain[first+k]
		work += v * (Adv - p[k])
		excess += dv * (p[k] - l.momentum - Adv + l.mass*dv)
	}
	if d.m.singleBody[t] == World && !d.rule.Midpoint {
		work += 0.5 * max(0, excess)
	}
	return work
}

// drivetrain is what the spring and the damper of a dof add to A and to p.
type drivetrain struct{ mass, momentum float64 }

// RootOfTree returns the link of a tree that is nearest to the world.
func (m *Model) RootOfTree(t int) int { return m.linksOfTree[t][0] }

// IsCarried reports whether a prescribed joint moves a link, alone or beside others.
func (m *Model) IsCarried(link int) bool { return m.placing[link].prescribed }

// IsPrescribed reports whether a prescribed joint moves a link of a tree.
func (m *Model) IsPrescribed(t int) bool { return m.prescribedTree[t] }
