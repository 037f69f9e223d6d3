package sim

// Displacements between states at rest: how far a pseudo-step moves bodies, on which friction acts, and the nudge out
// of a balance that is not stable.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// nudge moves the bodies out of a state of balance that is not stable, by what a small acceleration would do that has
// no symmetry; h is that of the projected problem at hand.
func (s *Stepper) nudge(x *State, h, size float64) error {
	e := &s.rest
	e.nudges++
	for _, d := range s.deformables {
		first, _ := d.Nodes()
		at := s.Problem.NodeOffset[first]
		for v := range d.model.NumVerts() {
			if n := d.model.Node(int32(v)); n >= 0 {
				for k := range 3 {
					s.Problem.P[at+3*int(n)+k] += d.model.NodalMass(int32(v)) * math.Sin(float64(3*k+e.nudges))
				}
			}
		}
	}
	if err := s.solveRest(x, h); err != nil {
		return err
	}
	most := 0.0
	for _, v := range s.vNext {
		most = math.Max(most, math.Abs(v))
	}
	for i := range s.vNext {
		s.vNext[i] *= restNudge * size / (h * most)
	}
	s.advance(x, h)
	x.Time -= h
	return nil
}

// keepDisplacement keeps d of the pseudo-step of h that was solved, with (2), and returns its largest coordinate.
// further: it continues from one that has not been accepted.
func (s *Stepper) keepDisplacement(h float64, further bool) (way float64) {
	e, p := &s.rest, &s.Problem
	if further {
		for i, v := range s.vNext {
			e.moved[i] += h * v
			way = math.Max(way, math.Abs(h*v))
		}
		return way
	}
	e.moved, e.earlier = append(e.earlier[:0], s.vNext...), e.moved
	e.worked, e.foretold, e.excess = 0, 0, e.followers.excess
	e.before, e.now = e.now, e.before
	for i := range e.moved {
		e.moved[i] *= h
		way = math.Max(way, math.Abs(e.moved[i]))
		e.worked += e.before.total[i] * e.moved[i]
	}
	// inertia alone: d·M d/h²
	for _, d := range s.deformables {
		first, _ := d.Nodes()
		at := p.NodeOffset[first]
		e.whole = e.whole[:0]
		for v := range d.model.NumVerts() {
			u := r3.Vec{}
			if n := d.model.Node(int32(v)); n >= 0 {
				u = r3.Vec(s.vNext[at+3*int(n) : at+3*int(n)+3])
			}
			e.whole = append(e.whole, u[:]...)
		}
		e.foretold += 2 * d.KineticEnergy(e.whole)
	}
	for i := range s.numTrees() {
		c := &p.Cliques[i]
		v := s.vNext[c.Offset : c.Offset+c.Size]
		for a := range v {
			for b := range v {
				e.foretold += v[a] * c.A[a*c.Size+b] * v[b]
			}
		}
	}
	return way
}

// slipOf returns the displacement of B against A at a contact since the last state at rest, m.
func (s *Stepper) slipOf(A, B *geometry.MaterialPoint, pos_W r3.Vec) r3.Vec {
	a := &s.rest.anchor
	return a.displacement(s, B, pos_W).Sub(a.displacement(s, A, pos_W))
}

// pairAtRest makes the parameters of a contact those of a pseudo-step of h: friction acts on the slip since the last
// state at rest, and nothing dissipates.
func (s *Stepper) pairAtRest(h float64, slip_W r3.Vec) {
	s.pair.Slip_W = slip_W.Scale(1 / h)
	s.pair.DropDissipation()
	s.pair.LaggedImpulse = nil
}

// jointsMoved returns the largest displacement of a velocity of a tree with joints in the last
// pseudo-step of h, rad or m.
func (s *Stepper) jointsMoved(h float64) float64 {
	most := 0.0
	for i := range s.numTrees() {
		if !s.rigid.model.HasJoints(i) {
			continue
		}
		c := &s.Problem.Cliques[i]
		for _, v := range s.vNext[c.Offset : c.Offset+c.Size] {
			most = math.Max(most, h*math.Abs(v))
		}
	}
	return most
}

// extent returns the size of all bodies together with their places, m.
func (s *Stepper) extent(x *State) float64 {
	size := 0.0
	for _, q := range x.Q {
		size = math.Max(size, math.Abs(q))
	}
	return size
}
