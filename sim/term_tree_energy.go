package sim

// The mass matrix and the bias of a tree of joints are those of the start of the step, and so are the lever arms of
// loads and of springs of frames. A push that turns its joints by much within the step leaves it with the momentum of
// the start and the inertia of the end, and so with energy that nothing gave: a blow on a chain doubles its energy, and
// a free arm of two links that is pulled by 4 kN gains gigajoules at steps of 20 ms. So the energy that a tree gains
// beyond the work of impulses is measured where joints turn far,
//
//	|v_j| h > farTurn,   E⁺ − E − v⁺·Jᵀγ + Σ F·(h v_P − Δx_P) > ε T                          (1)
//
// with the kinetic energy T at the end and loads F, which do work along the chord h v_P in place of the arc Δx_P of
// their points. Then the step is divided; and where the smallest parts still gain half of T, the run ends with the name
// of the tree. On balls, welds and distances, which do no work but by what they deviate (term_loops.go), (1) is
// measured in every step, with a smaller ε and without loads, and the work of their impulses counts as gained where
// joints turn. Under the midpoint rule the energy of such trees oscillates by O(h³) a step and comes back: (1) is
// measured against their kinetic energy of late (energy_balance.go), with another ε. Free motion has its own limit
// (rigid/energy_limit.go).
// Source: this program.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
)

const (
	// farTurn is the motion of a joint in a step above which (1) is measured, rad or m.
	farTurn = 0.1
	// loopTurn is that from which on the work of loops counts: bodies at rest move by what near-rigid loops yield.
	loopTurn = 0.01
	// fastGainTol is ε of (1), and fastGainEnd the share of T above which the smallest parts are wrong.
	fastGainTol, fastGainEnd = 0.01, 0.5
	// loopGainTol is ε of trees on balls, welds and distances, and midpointLoopGainTol that under the midpoint rule.
	loopGainTol, midpointLoopGainTol = 3e-5, 3e-3
)

// treeEnergy is the term of (1).
type treeEnergy struct {
	plainTerm
	kinetic float64 // T of the worst tree, J
	onLoops bool    // it is on loops
}

var treeEnergyKind = termKind{name: "tree_energy", unit: "J", again: "a tree of joints gains energy, so that the step is divided"}

// measure returns the largest energy that a tree gains, J.
func (g *treeEnergy) measure(s *Stepper) (worst defect) {
	m, h, midpoint := s.Model.Rigid, s.iterate.h, s.rule().Midpoint
	if m == nil {
		return worst
	}
	for t := range m.Trees() {
		if !m.HasJoints(t) {
			continue
		}
		c := &s.Problem.Cliques[t]
		end := c.Offset + c.Size
		v0, p, v := s.Problem.V0[c.Offset:end], s.Problem.P[c.Offset:end], s.vNext[c.Offset:end]
		onLoops, tol := slices.Contains(s.curved.trees, t), loopGainTol
		if midpoint {
			tol = midpointLoopGainTol
		}
		if !onLoops {
			tol = fastGainTol
			if c.Size < 2 || m.IsPrescribed(t) || !turnsFar(v, h) || !s.rigid.TreeIsPushed(t, c.A, v0, p, v) {
				continue
			}
		}
		s.iterate.place(s)
		gained, kinetic, roundoff := s.rigid.GainAtEnd(t, &s.rigid.gravity, c.A, v0, p, v)
		switch {
		case !onLoops:
			gained += s.leverWork(t, h)
		case turnsFar(v, h*farTurn/loopTurn):
			gained += s.loopWork(t)
		}
		if onLoops && midpoint {
			recent, _, _ := s.balance.ofTree(t)
			kinetic = max(kinetic, *recent)
		}
		if ratio := gained / (tol*kinetic + roundoff); ratio > worst.ratio {
			root := m.RootOfTree(t)
			worst, g.kinetic, g.onLoops = defect{ratio: ratio, value: gained, bodies: [2]int{root, root}}, kinetic, onLoops
		}
	}
	return worst
}

// leave refuses a step in which a tree gains half of its energy.
func (g *treeEnergy) leave(s *Stepper, d defect) error {
	if g.onLoops || !(d.value > fastGainEnd*g.kinetic) {
		return nil
	}
	h := s.iterate.h
	return fmt.Errorf("%s and the links on it turn too far in a step of %.3g s, even in parts of %.3g s: they would gain %.3g J that nothing gave them, of %.3g J; use a shorter time.step, more damping or smaller forces",
		s.BodyName(d.bodies[0]), s.parts.whole, h, d.value, g.kinetic)
}

// loopWork returns the work that impulses of the balls, welds and distances of a tree do beyond what their springs
// store, J: γ·J v of those that do work at all. Rows that are not those of the mean of a motion, as where a linkage
// snaps over, give it.
func (s *Stepper) loopWork(t int) (work float64) {
	for i := range s.curved.list {
		c := &s.curved.list[i]
		handle := s.modelTerms[c.constraint]
		if handle < 0 || !slices.ContainsFunc(c.bodies[:], func(b int) bool { return b >= 0 && b < s.Model.Geometry.NumRigid && s.Model.Rigid.TreeOf(b) == t }) {
			continue
		}
		rows, sum := &s.Problem.Constraints[handle], 0.0
		v, impulse := s.Problem.Velocity(handle), s.Problem.Impulse(handle)
		for k, g := range impulse {
			sum += g * (v[k] - s.Problem.Bias[rows.Row+k])
		}
		if held, ok := s.Model.Constraints[c.constraint].(constraints.Described); ok && sum > 0 {
			sum -= held.StoredEnergy(s.kin)
		}
		work += max(0, sum)
	}
	return work
}

// leverWork returns the last term of (1) of a tree, J.
func (s *Stepper) leverWork(t int, h float64) (work float64) {
	for i, c := range s.inputs.constraints {
		w, ok := c.(*constraints.Wrench)
		if !ok || w.InBodyAxes || s.modelTerms[i] < 0 || s.Model.Rigid.TreeOf(w.Body) != t {
			continue
		}
		v, impulse := s.Problem.Velocity(s.modelTerms[i]), s.Problem.Impulse(s.modelTerms[i])
		way := s.iterate.X_WB[w.Body].Point(w.Pos_B).Sub(s.Geometry.X_WB[w.Body].Point(w.Pos_B))
		for k := range 3 {
			work += impulse[k] * (v[k] - way[k]/h)
		}
	}
	return work
}

// turnsFar reports whether a velocity of a tree moves its joint far in a step of h seconds.
func turnsFar(v []float64, h float64) bool {
	for _, u := range v {
		if math.Abs(u)*h > farTurn {
			return true
		}
	}
	return false
}
