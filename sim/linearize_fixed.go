package sim

// Fixed vertices in derivatives by parameters. A vertex that is attached to the world or to a fixed body is where its
// model has it in every step, so that its position is a constant of the run which depends on a parameter θ as the mesh
// and the pose of its deformable do. Tangents of states have zeros for it; what its displacement δ does to a step is
// part of the derivative by the model,
//
//	r_θ = [r(θ + w, x ⊞ δ₊) − r(θ − w, x ⊞ δ₋)]/(2 w),   δ± = x_0(θ ± w) − x_0(θ) at fixed vertices     (1)
//
// and likewise of signals, with the same δ± in the states at both ends of the step.

// moveFixed displaces the fixed vertices of a state of the linearized model to where they are in the model of s.
func (l *Linearization) moveFixed(s *Stepper, x *State) {
	from, to := l.s.Model.Start.Q, s.Model.Start.Q
	q, v := l.s.Model.RigidSize()
	for i := v; i < len(l.place); i++ {
		if at := q + i - v; l.place[i] < 0 {
			x.Q[at] += to[at] - from[at]
		}
	}
}

// startIn returns the state at the start of the step in the model of s, by (1), valid until the next call.
func (l *Linearization) startIn(s *Stepper) *State {
	l.other.copyFrom(&l.x)
	l.moveFixed(s, &l.other)
	return &l.other
}
