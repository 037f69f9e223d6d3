package sim

// Tangents of states: those of positions, as velocities over one second (rotations in the axes of their angular
// velocity), then those of velocities, n_v each. Under the midpoint rule those of the memory follow, of its W and DV.
// What a state does not have, or has no effect, has no tangent: a memory at the start, and changes of the velocities of
// trees in flight (rigid/damped_flight.go).

// TangentSize returns the length of tangents of the model's states: 2 n_v, and 4 n_v under the midpoint rule.
func (m *Model) TangentSize() int {
	n := 2 * len(m.Start.V)
	if m.Rule.Midpoint {
		n *= 2
	}
	return n
}

// StateNumbers returns the length of states as lists of numbers: Q, then V, and under the midpoint rule W, DV and H of
// the memory, 0 where there is none.
func (m *Model) StateNumbers() int {
	n := len(m.Start.Q) + len(m.Start.V)
	if m.Rule.Midpoint {
		n += 2*len(m.Start.V) + 1
	}
	return n
}

// PutState writes a state as a list of StateNumbers.
func (m *Model) PutState(x *State, dst []float64) {
	n := copy(dst, x.Q)
	n += copy(dst[n:], x.V)
	if memory := dst[n:]; m.Rule.Midpoint {
		clear(memory)
		if k := len(x.V); len(x.Memory.W) > 0 {
			copy(memory, x.Memory.W)
			copy(memory[k:], x.Memory.DV)
			memory[2*k] = x.Memory.H
		}
	}
}

// TakeState reads positions, velocities and memory of a state from a list of StateNumbers; it has no pace.
func (m *Model) TakeState(list []float64, x *State) {
	nq, n := len(m.Start.Q), len(m.Start.V)
	x.Q, x.V = append(x.Q[:0], list[:nq]...), append(x.V[:0], list[nq:nq+n]...)
	x.Memory.Clear()
	x.Pace = Pace{}
	if memory := list[nq+n:]; m.Rule.Midpoint && memory[2*n] > 0 {
		x.Memory.begin(memory[2*n], n)
		copy(x.Memory.W, memory)
		copy(x.Memory.DV, memory[n:])
	}
}

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

// MoveState displaces a state by w dx, a tangent.
func (m *Model) MoveState(x *State, w float64, dx []float64) {
	n := len(x.V)
	delta := make([]float64, n)
	addScaled(delta, w, dx[:n])
	m.displace(x.Q, delta)
	addScaled(x.V, w, dx[n:2*n])
	if !m.Rule.Midpoint || len(x.Memory.W) == 0 {
		return
	}
	flies := m.inFlight(x, nil)
	for i := range n {
		x.Memory.W[i] += w * dx[2*n+i]
		if !flies[i] {
			x.Memory.DV[i] += w * dx[3*n+i]
		}
	}
}

// inFlight returns the velocities of a state whose changes in its memory have no effect, in the memory of dst.
func (m *Model) inFlight(x *State, dst []bool) []bool {
	n := len(x.V)
	for len(dst) < n {
		dst = append(dst, false)
	}
	dst = dst[:n]
	clear(dst)
	if _, nv := m.RigidSize(); nv > 0 && len(x.Memory.DV) > 0 {
		for t := range m.Rigid.Trees() {
			if m.Rigid.InFlight(t, x.Memory.DV[:nv]) {
				first, end := m.Rigid.DofsOfTree(t)
				for i := first; i < end; i++ {
					dst[i] = true
				}
			}
		}
	}
	return dst
}

// StateDifference writes the tangent dx from one state to another.
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
	if !m.Rule.Midpoint {
		return
	}
	clear(dx[2*n : 4*n])
	if len(from.Memory.W) == 0 || len(to.Memory.W) == 0 {
		return
	}
	for i := range n {
		dx[2*n+i] = to.Memory.W[i] - from.Memory.W[i]
		dx[3*n+i] = to.Memory.DV[i] - from.Memory.DV[i]
	}
	for _, x := range [2]*State{from, to} {
		for i, flies := range m.inFlight(x, nil) {
			if flies {
				dx[3*n+i] = 0
			}
		}
	}
}
