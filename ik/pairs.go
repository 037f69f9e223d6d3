package ik

// Distances of bodies. The pair (A, B) with signed distance φ, nearest points P on A and Q on
// B and normal n from A to B may close by
//
//	n·(v_Q − v_P) ≥ −r (φ − margin)                                                (1)
//
// in a step. (1) is linear in the joint velocities; the true distance at its end is less by
// terms of second order where links turn. So distances are measured again at the end of the
// step, and where one is below the margin its row is shifted by what is missing and the
// problem is solved again. What is still missing after some rounds shortens the step.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Pair is a pair of bodies that keep a minimum distance (collision avoidance): links of the
// model, or geometry.World.
type Pair struct {
	A, B int // numbers of scene bodies; their order does not matter
}

// near is a pair within reach of a step.
type near struct {
	pair int
	phi  float64 // distance at the start of the step, m
}

// checkPairs returns what is wrong with the pairs, or nil.
func (s *Solver) checkPairs() error {
	if len(s.Pairs) == 0 {
		return nil
	}
	if s.robot.Geometry == nil {
		return fmt.Errorf("ik: pairs of bodies keep a distance, but the robot has no Geometry: give its shapes")
	}
	for i, p := range s.Pairs {
		if top := s.robot.Geometry.NumRigid; p.A == p.B || p.A < geometry.World || p.B < geometry.World || p.A >= top || p.B >= top {
			return fmt.Errorf("ik: pair %d: %d and %d are not two bodies of the model", i, p.A, p.B)
		}
	}
	if !(s.Margin >= 0) || !(s.Influence > s.Margin) {
		return fmt.Errorf("ik: the influence distance %g m must be more than the margin of %g m", s.Influence, s.Margin)
	}
	return nil
}

// distance returns the nearest contact of a pair at the placed positions, if it is within the
// influence distance.
func (s *Solver) distance(pair int) (c geometry.Contact, ok bool) {
	p := s.Pairs[pair]
	s.other[0] = p.B
	return s.geometry.NearestWithin(s.Influence, p.A, s.other[:])
}

// findPairs writes the rows (1) of the pairs within the influence distance.
func (s *Solver) findPairs(h float64) {
	n := len(s.robot.Joints)
	s.near, s.rows = s.near[:0], s.rows[:0]
	if len(s.Pairs) == 0 {
		return
	}
	copy(s.geometry.X_WB, s.data.Poses())
	for i := range s.Pairs {
		c, ok := s.distance(i)
		if !ok {
			continue
		}
		at := len(s.rows)
		s.rows = slices.Grow(s.rows, n)[:at+n]
		// n·(J_B − J_A), an entry for each joint that moves
		row := s.rows[at:]
		clear(row)
		moves := s.addApproach(c.B.Body, c.B.Pos_W, c.Normal_W, 1, row)
		if s.addApproach(c.A.Body, c.A.Pos_W, c.Normal_W, -1, row) || moves {
			s.near = append(s.near, near{i, c.Phi})
		} else {
			s.rows = s.rows[:at] // no joint changes the distance
		}
	}
}

// addApproach adds s n·v of a point of a body to a row, and reports whether a joint moves it.
func (s *Solver) addApproach(body int, p_W, n_W r3.Vec, sign float64, row []float64) (moves bool) {
	if body == geometry.World {
		return false
	}
	n := len(row)
	s.jacobian(body, p_W, s.J)
	for j := range n {
		x := sign * (n_W[0]*s.J[3*n+j] + n_W[1]*s.J[4*n+j] + n_W[2]*s.J[5*n+j])
		row[j] += x
		moves = moves || math.Abs(x) > leastMobility
	}
	return moves
}

// leastMobility is the velocity of a point per velocity of a joint below which the joint is
// taken not to move it.
const leastMobility = 1e-9

// shortfall measures distances after a step of h with the velocities v and shifts the limits of
// rows whose pairs come too near. It returns the largest lack of distance, m.
func (s *Solver) shortfall(h float64, q, v []float64) (lack float64) {
	if len(s.near) == 0 {
		return 0
	}
	for i := range q {
		s.next[i] = q[i] + h*v[i]
	}
	// the true distances at the end of the step
	s.place(s.next)
	copy(s.geometry.X_WB, s.data.Poses())
	for i, k := range s.near {
		c, ok := s.distance(k.pair)
		// a pair that is too near at the start may stay as near as it is
		least := math.Min(s.Margin, k.phi)
		if ok && c.Phi < least-distanceTol {
			lack = math.Max(lack, least-c.Phi)
			s.apart.lo[i] += (least - c.Phi + distanceTol) / h
		}
	}
	return lack
}

// distanceTol is the distance by which a pair may come nearer than its margin, m.
const distanceTol = 1e-9
