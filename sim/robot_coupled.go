package sim

// A coupled controller applies to the joints of a robot the efforts
//
//	τ = Jᵀ (K e + D ė) + P (q_d − q) + V (q̇_d − v) + u_ff,   |τ_i| ≤ u_i              (1)
//
// e is the way, and the rotation vector, from a frame of the robot to where the target of the joints
// puts it, ė its rate; P and V are kp and kd on the diagonal, or times the inertia M of the links that
// it includes. All is linear in the velocities v at the end of the step, with J and M of its start,
//
//	e⁺ = e0 − h J v,  ė⁺ = ẋ_d − J v,  q⁺ = q0 + h v                                  (2)
//
// where e0 is taken to the target at the end of the step. So h τ = b − S v with
//
//	S = Jᵀ h (h K + D) J + h (h P + V)                                              (3)
//	b = h [Jᵀ (K e0 + D ẋ_d) + P (q_d − q0) + V q̇_d + u_ff]                         (4)
//
// is implicit in the step, and with the bounds the law of constraints.CoupledControl. J and M are those of the motion
// in which followers and loops take part, (1) and (2) of robot_dependents.go.

// inertialLaw writes M of the driven joints, with all that moves with them, into S: its columns are the efforts of unit
// accelerations beside those of rest.
func (at *robotSetpoint) inertialLaw(s *Stepper, c *robotControl, x *State) {
	n, S := len(c.dofs), at.law.S
	at.accelerationEfforts(s, c, x, -1, at.feedForward)
	for j := range n {
		at.accelerationEfforts(s, c, x, j, at.inertia)
		for i, other := range c.dofs {
			S[i*n+j] = at.inertia[other] - at.feedForward[other]
		}
	}
	// symmetric to the last bit
	for i := range n {
		for j := range i {
			mean := 0.5 * (S[i*n+j] + S[j*n+i])
			S[i*n+j], S[j*n+i] = mean, mean
		}
	}
	if !c.gravity && !c.inverse {
		clear(at.feedForward)
	}
}

// accelerationEfforts writes the efforts of a unit acceleration of joint j from rest, of all joints at rest where j is
// −1.
func (at *robotSetpoint) accelerationEfforts(s *Stepper, c *robotControl, x *State, j int, effort []float64) {
	if at.dependents != nil {
		if j >= 0 {
			at.rest[j] = 1
		}
		at.ledEfforts(s, c, x, nil, at.rest, j >= 0, effort)
		if j >= 0 {
			at.rest[j] = 0
		}
		return
	}
	at.setPlan(c, false)
	if j >= 0 {
		at.aAll[c.dofs[j]] = 1
	}
	for _, tree := range c.trees {
		s.rigid.PlannedEfforts(tree, c.known, s.Model.Gravity, at.vAll, at.aAll, c.payload, effort)
	}
	if j >= 0 {
		at.aAll[c.dofs[j]] = 0
	}
}

// coupledLaw writes (3) and (4).
func (at *robotSetpoint) coupledLaw(s *Stepper, c *robotControl, x *State) {
	h, n := s.Problem.H, len(c.dofs)
	S, b := at.law.S, at.law.B
	if c.inertial {
		// one gain for all joints: M times e and ė
		k, d := c.kp[0], c.kd[0]
		for i := range n {
			b[i] = 0
			for j, dof := range c.dofs {
				q, _ := s.rigid.Dof(dof)
				b[i] += h * S[i*n+j] * (k*(at.q[j]-q) + d*at.v[j])
			}
		}
		for i := range S {
			S[i] *= h * (h*k + d)
		}
	} else {
		clear(S)
		for i, dof := range c.dofs {
			q, _ := s.rigid.Dof(dof)
			S[i*n+i] = h * (h*c.kp[i] + c.kd[i])
			b[i] = h * (c.kp[i]*(at.q[i]-q) + c.kd[i]*at.v[i])
		}
	}
	for i, dof := range c.dofs {
		b[i] += h * at.feedForward[dof]
		at.law.Most[i] = h * c.effort[i]
	}
	if c.frame != nil {
		at.addFrame(s, c, x)
	}
}

// addFrame adds the spring and damper of the frame to S and b.
func (at *robotSetpoint) addFrame(s *Stepper, c *robotControl, x *State) {
	h, n, f := s.Problem.H, len(c.dofs), c.frame
	S, b := at.law.S, at.law.B
	// where the target puts the frame, and how it moves there
	copy(at.qAll, x.Q)
	m := s.Model.Rigid
	if at.dependents != nil {
		at.dependents.target(m, c, at)
	} else {
		for k, dof := range c.dofs {
			at.qAll[m.QStart(m.LinkOfDof(dof))] = at.q[k]
		}
		at.setPlan(c, true)
	}
	at.target.Place(s.Problem.Time+h, h, at.qAll, at.vAll)
	X_WD := at.target.Pose(f.link).Mul(f.X_BF)
	w, v := at.target.Velocity(f.link)
	v = v.Add(w.Cross(X_WD.P.Sub(at.target.Pose(f.link).P)))
	// where it is
	X_WF := s.rigid.Pose(f.link).Mul(f.X_BF)
	turn, way := X_WF.R.MulVec(X_WF.R.T().Mul(X_WD.R).Quat().Log()), X_WD.P.Sub(X_WF.P)
	if at.dependents != nil {
		at.dependents.frameJacobian(s, c, f.link, X_WF.P, at.J)
	} else {
		s.rigid.Jacobian(f.link, X_WF.P, at.columns, n, at.J)
	}
	for row := range 6 {
		e, rate := turn, w
		if row >= 3 {
			e, rate = way, v
		}
		k, d, J := f.k[row], f.d[row], at.J[row*n:(row+1)*n]
		for i, x := range J {
			b[i] += h * x * (k*e[row%3] + d*rate[row%3]) // (4)
			for j, y := range J {
				S[i*n+j] += h * (h*k + d) * x * y // (3)
			}
		}
	}
}
