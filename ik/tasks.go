package ik

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Frame is the task of a frame F that is fixed to a link: it follows a target in position,
// in rotation or in both.
type Frame struct {
	// Link is the link that carries the frame.
	Link int
	// X_BF is the pose of the frame in the link's frame, such as that of a tool point.
	X_BF r3.Pose
	// X_WF is the target pose of the frame in the world.
	X_WF r3.Pose
	// W_W and V_W are the angular velocity (rad/s) and the velocity of the origin (m/s) of
	// the target, world axes.
	W_W, V_W r3.Vec
	// Position is the weight of the origin's velocity, s²/m²; 0: the position is free.
	Position float64
	// Rotation is the weight of the angular velocity, s²/rad²; 0: the rotation is free.
	Rotation float64
	// Gain is the rate at which errors decay, 1/s; 0: within one step.
	Gain float64
}

// Posture is the task of preferred joint positions, which resolves the redundancy that the
// tasks of frames leave (null-space motion).
type Posture struct {
	// Q are the preferred positions of the robot's joints, m or rad.
	Q []float64
	// Weight is the weight of the joint velocities, s²/rad²; 0: no posture. Errors of frames
	// are of the order of Weight over the weights of frames.
	Weight float64
	// Gain is the rate at which the difference decays, 1/s.
	Gain float64
}

// Manipulability returns √det(J Jᵀ) of the frame of a task at the positions of the last step,
// where J has the rows of position, of rotation or of both, as the task has: 0 in a
// singularity. Source: Yoshikawa, "Manipulability of robotic mechanisms", IJRR 4, 1985.
func (s *Solver) Manipulability(task int) float64 {
	f := &s.Frames[task]
	s.jacobian(f.Link, s.data.Pose(f.Link).Point(f.X_BF.P), s.J)
	rows := s.J
	switch n := len(s.robot.Joints); {
	case f.Rotation == 0:
		rows = s.J[3*n:]
	case f.Position == 0:
		rows = s.J[:3*n]
	}
	return math.Sqrt(math.Max(0, gramDeterminant(rows, len(s.robot.Joints))))
}

// gramDeterminant returns det(J Jᵀ) of a matrix with n columns, by orthogonalising its rows.
func gramDeterminant(J []float64, n int) float64 {
	m := len(J) / n
	rows := append([]float64(nil), J...)
	det := 1.0
	for i := range m {
		a := rows[i*n : (i+1)*n]
		// the part of each row that is orthogonal to those before
		for k := range i {
			b := rows[k*n : (k+1)*n]
			if bb := dot(b, b); bb > 0 {
				s := dot(a, b) / bb
				for j := range a {
					a[j] -= s * b[j]
				}
			}
		}
		det *= dot(a, a)
	}
	return det
}

// dot returns xᵀ y.
func dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// errors returns the rotation vector (rad) and the displacement (m) from a placed frame to its
// target, world axes.
func (s *Solver) errors(f *Frame) (turn, way r3.Vec) {
	X_WF := s.data.Pose(f.Link).Mul(f.X_BF)
	// the logarithm has axes of F: world axes by R_WF
	turn = X_WF.R.MulVec(X_WF.R.T().Mul(f.X_WF.R).Quat().Log())
	return turn, f.X_WF.P.Sub(X_WF.P)
}

// addFrame adds the task of a frame to A and P of the problem (1) of the package,
//
//	A += Jᵀ w J,   P += Jᵀ w u                                                     (1)
//
// and returns the damping that its error e requires. Where a target is out of reach the
// error stays, and with it the curvature of the way that the linearization leaves out: that
// of a point which turns about a joint at a distance r is e r at most. So
//
//	d += w_p |e| r + w_r |angle|                                                   (2)
//
// which vanishes with the error.
func (s *Solver) addFrame(f *Frame, h float64) (damping float64) {
	n := len(s.robot.Joints)
	gain := f.Gain
	if gain == 0 {
		gain = 1 / h
	}
	turn, way := s.errors(f)
	s.jacobian(f.Link, s.data.Pose(f.Link).Point(f.X_BF.P), s.J)
	// rows 0 to 2 of J are angular velocities, 3 to 5 velocities of the origin
	for row := range 6 {
		weight, u := f.Rotation, 0.0
		if row < 3 {
			u = f.W_W[row] + gain*turn[row]
		} else {
			weight, u = f.Position, f.V_W[row-3]+gain*way[row-3]
		}
		if weight == 0 {
			continue
		}
		J := s.J[row*n : (row+1)*n]
		for i, x := range J {
			s.P[i] += weight * x * u // (1)
			// the lower triangle: addDamping completes it
			for j, y := range J[:i+1] {
				s.A[i*n+j] += weight * x * y
			}
		}
	}
	// the longest lever of a joint
	r := 0.0
	for j := range n {
		r = math.Max(r, r3.Vec{s.J[3*n+j], s.J[4*n+j], s.J[5*n+j]}.Norm())
	}
	return f.Position*way.Norm()*r + f.Rotation*turn.Norm() // (2)
}

// addPosture adds the posture to A and P.
func (s *Solver) addPosture(q []float64) {
	p := &s.Posture
	if p.Weight == 0 {
		return
	}
	for i, x := range q {
		s.A[i*len(q)+i] += p.Weight
		s.P[i] += p.Weight * p.Gain * (p.Q[i] - x)
	}
}

// addDamping adds damping to A, and completes its other triangle.
func (s *Solver) addDamping(damping float64, q []float64) {
	n := len(q)
	for i := range n {
		s.A[i*n+i] += damping
		for j := range i {
			s.A[j*n+i] = s.A[i*n+j]
		}
	}
}

// checkTasks returns what is wrong with the tasks, or nil.
func (s *Solver) checkTasks() error {
	for i := range s.Frames {
		f := &s.Frames[i]
		switch {
		case f.Link < 0 || f.Link >= s.robot.Rigid.NumLinks():
			return fmt.Errorf("ik: frame %d: the model has no link %d", i, f.Link)
		case !(f.Position >= 0) || !(f.Rotation >= 0) || !(f.Gain >= 0):
			return fmt.Errorf("ik: frame %d: its weights %g and %g and its gain %g must not be negative", i, f.Position, f.Rotation, f.Gain)
		case !f.X_WF.P.IsFinite() || !f.V_W.IsFinite() || !f.W_W.IsFinite():
			return fmt.Errorf("ik: frame %d: its target must be finite", i)
		}
	}
	if p := &s.Posture; p.Weight > 0 && len(p.Q) != len(s.robot.Joints) {
		return fmt.Errorf("ik: the posture has %d positions for %d joints that move: give one for each", len(p.Q), len(s.robot.Joints))
	}
	return nil
}
