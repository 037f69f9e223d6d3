// Package ik is inverse kinematics: it moves joints so that frames of a robot follow
// targets. Differential inverse kinematics by damped least squares, with limits, finds
// the joint velocities v of a step of h as the minimum of one convex problem, which the
// solver of package convex solves:
//
//	min_v  ½ Σ_t |J_t v − u_t|²_{w_t} + ½ w_p |v − u_p|² + ½ d |v|²                (1)
//	subject to  lo ≤ v ≤ hi,   n·(J_B − J_A) v ≥ −r (φ − margin)                   (2)
//
//	J_t    Jacobian of a frame: velocity of its origin, angular velocity
//	u_t    wanted velocity: that of the target plus gain times the error
//	w_t    weights of position and rotation
//	u_p    velocity towards the posture; it decides where frames leave joints free
//	d      damping, which bounds v near singularities
//	lo, hi limits of position, velocity and acceleration, see limits.go
//	φ      signed distance of a pair of bodies; r the rate at which it may close
//
// Tasks yield to each other by their weights; the limits (2) are met exactly, see interval.go.
// Solver.Step takes a step, Solver.Reach searches joint positions for a pose from several
// starts and reports whether the pose is reachable.
//
// Sources: Siciliano, Khatib (eds.), Springer Handbook of Robotics, 2016, chapter 10 (damped
// least squares); Escande, Mansard, Wieber, "Hierarchical quadratic programming", IJRR 33,
// 2014, and the programs mink and pink (tasks and limits of one quadratic program).
package ik

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/rigid"
)

// Robot is the robot whose joints inverse kinematics moves.
type Robot struct {
	// Rigid is the model of the links. Joints that are not listed in Joints stay at the
	// positions of Solver.SetPositions.
	Rigid *rigid.Model
	// Geometry are the shapes of the links, for distances; nil: none.
	Geometry *geometry.Model
	// Joints are the joints that inverse kinematics moves.
	Joints []Joint
}

// Joint is a joint with one degree of freedom and its limits.
type Joint struct {
	// Dof is the degree of freedom of the joint: the index of its velocity in the model.
	Dof int
	// Lower and Upper bound the position, m or rad; ±Inf: no bound.
	Lower, Upper float64
	// Velocity bounds the speed, m/s or rad/s; 0: no bound.
	Velocity float64
	// Acceleration bounds the change of the velocity, m/s² or rad/s²; 0: no bound.
	Acceleration float64
}

// check returns what is wrong with the robot, or nil.
func (r *Robot) check() error {
	if r.Rigid == nil || len(r.Joints) == 0 {
		return errors.New("ik: no joints to move: give a model and its joints")
	}
	seen := map[int]bool{}
	for i, j := range r.Joints {
		if j.Dof < 0 || j.Dof >= r.Rigid.NumV() {
			return fmt.Errorf("ik: joint %d: the model has no velocity %d", i, j.Dof)
		}
		link := r.Rigid.LinkOfDof(j.Dof)
		if nq, nv := r.Rigid.Link(link).Joint.Size(); nq != 1 || nv != 1 {
			return fmt.Errorf("ik: joint %d (%s) has %d degrees of freedom: only joints with one are moved", i, r.Rigid.LinkName(link), nv)
		}
		switch {
		case seen[j.Dof]:
			return fmt.Errorf("ik: joint %d (%s) is listed twice", i, r.Rigid.LinkName(link))
		case !(j.Lower <= j.Upper):
			return fmt.Errorf("ik: joint %d (%s): its limits are %g to %g: give the lower first", i, r.Rigid.LinkName(link), j.Lower, j.Upper)
		case !(j.Velocity >= 0) || !(j.Acceleration >= 0):
			return fmt.Errorf("ik: joint %d (%s): its velocity limit %g and acceleration limit %g must not be negative", i, r.Rigid.LinkName(link), j.Velocity, j.Acceleration)
		}
		seen[j.Dof] = true
	}
	return nil
}

// limit returns a bound of a magnitude, of which 0 means none.
func limit(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	return x
}
