package sim

// The mass matrix and the bias of a tree of joints are those of the start of the step, and so are the lever arms of loads and of springs of
// frames. A push that turns its joints by much within the step leaves it with the momentum of the start and the inertia of the end, and so with
// energy that nothing gave: a blow on a chain doubles its energy, and a free arm of two links that is pulled by 4 kN gains gigajoules at steps of
// 20 ms. So the energy that a tree gains beyond the work of impulses, (2) of curved_loops.go, is measured where joints turn far,
//
//	|v_j| h > farTurn,   E⁺ − E − v⁺·Jᵀγ + Σ F·(h v_P − Δx_P) > ε T                          (1)
//
// with the kinetic energy T at the end and loads F, which do work along the chord h v_P in place of the arc Δx_P of their points. Then the step is
// divided; and where the smallest parts still gain half of T, the run ends with the name of the tree. Free motion has its own limit
// (rigid/energy_limit.go), and loops theirs (curved_loops.go). Source: this program.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
)

const (
	// farTurn is the motion of a joint in a step above which (1) is measured, rad or m.
	farTurn = 0.1
	// fastGainTol is ε of (1), and fastGainEnd the share of T above which the smallest parts are wrong.
	fastGainTol, fastGainEnd = 0.01, 0.5
)

// fastTreesGain reports whether a step has to be divided because of (1). The error names the tree that gains too much even in the smallest parts.
func (s *Stepper) fastTreesGain(x *State, h float64) (divide bool, err error) {
	m := s.Model.Rigid
	if m == nil || s.rest.holds {
		return false, nil
	}
	placed := false
	for t := range m.Trees() {
		c := &s.Problem.Cliques[t]
		end := c.Offset + c.Size
		v0, p, v := s.Problem.V0[c.Offset:end], s.Problem.P[c.Offset:end], s.vNext[c.Offset:end]
		// loops have a measure of their own, see curved_loops.go
		if c.Size < 2 || !m.HasJoints(t) || m.IsPrescribed(t) || slices.Contains(s.curved.trees, t) || !turnsFar(v, h) || !s.rigid.TreeIsPushed(t, c.A, v0, p, v) {
			continue
		}
		if !placed {
			s.predictedEnd.begin(x, h)
			s.predictedEnd.place(s)
			placed = true
		}
		gained, kinetic, roundoff := s.rigid.GainAtEnd(t, &s.rigid.gravity, c.A, v0, p, v)
		gained += s.leverWork(t, h)
		switch {
		case gained <= fastGainTol*kinetic+roundoff:
		case s.halvings < maxHalvings:
			return true, nil
		case gained > fastGainEnd*kinetic:
			return false, fmt.Errorf("%s and the links on it turn too far in a step of %.3g s, even in parts of %.3g s: they would gain %.3g J that nothing gave them, of %.3g J; use a shorter time.step, more damping or smaller forces",
				s.BodyName(m.RootOfTree(t)), h*float64(int(1)<<s.halvings), h, gained, kinetic)
		}
	}
	return false, nil
}

// leverWork returns the last term of (1) of a tree, J.
func (s *Stepper) leverWork(t int, h float64) (work float64) {
	for i, c := range s.inputs.constraints {
		w, ok := c.(*constraints.Wrench)
		if !ok || w.InBodyAxes || s.modelTerms[i] < 0 || s.Model.Rigid.TreeOf(w.Body) != t {
			continue
		}
		v, impulse := s.Problem.Velocity(s.modelTerms[i]), s.Problem.Impulse(s.modelTerms[i])
		way := s.predictedEnd.X_WB[w.Body].Point(w.Pos_B).Sub(s.Geometry.X_WB[w.Body].Point(w.Pos_B))
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
