package sim

// Tangents of states: 2 n_v numbers, those of positions, as velocities over one second (rotations in the axes of their
// angular velocity), then those of velocities.

// displace replaces positions q by q ⊞ δ, with δ (n_v).
func (m *Model) displace(q, delta []float64) {
	nq, nv := m.RigidSize()
	if nv > 0 {
		m.Rigid.Displace(q[:nq], delta[:nv])
	}
	for i, d := range delta[nv:] {
		q[nq+i] += d
	}
}

// MoveState displaces the positions and velocities of a state by w dx, a tangent (2 n_v).
func (m *Model) MoveState(x *State, w float64, dx []float64) {
	n := len(x.V)
	delta := make([]float64, n)
	addScaled(delta, w, dx[:n])
	m.displace(x.Q, delta)
	addScaled(x.V, w, dx[n:])
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
