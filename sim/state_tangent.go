package sim

// Tangents of states: 2 n_v numbers, those of positions, as velocities over one second (rotations in the axes of their
// angular velocity), then those of velocities.

// displace replaces positions q by q ⊞ δ, with δ (n_v).
func (s *Stepper) displace(q, delta []float64) {
	nq, nv := s.Model.RigidSize()
	if nv > 0 {
		s.Model.Rigid.Displace(q[:nq], delta[:nv])
	}
	for i, d := range delta[nv:] {
		q[nq+i] += d
	}
}

// MoveState displaces the positions and velocities of a state by w dx, a tangent (2 n_v).
func (m *Model) MoveState(x *State, w float64, dx []float64) {
	nq, nv := m.RigidSize()
	n := len(x.V)
	if nv > 0 {
		delta := make([]float64, nv)
		for i := range delta {
			delta[i] = w * dx[i]
		}
		m.Rigid.Displace(x.Q[:nq], delta)
	}
	for i := range x.Q[nq:] {
		x.Q[nq+i] += w * dx[nv+i]
	}
	for i := range x.V {
		x.V[i] += w * dx[n+i]
	}
}

// StateDifference writes the tangent vector dx (2 n_v) from one state to another.
func (m *Model) StateDifference(from, to *State, dx []float64) {
	nq, nv := m.RigidSize()
	if nv > 0 {
		m.Rigid.Difference(from.Q[:nq], to.Q[:nq], dx[:nv])
	}
	n := len(from.V)
	for i := range from.Q[nq:] {
		dx[nv+i] = to.Q[nq+i] - from.Q[nq+i]
	}
	for i := range from.V {
		dx[n+i] = to.V[i] - from.V[i]
	}
}
