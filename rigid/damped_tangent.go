package rigid

import "github.com/curlfree/curlfree/r3"

// Tangents of positions under the midpoint rule: those of (2) of tangent.go with displacement velocities. Positions of
// SteppedJoints depend on the middle of the step and are left out.

// PositionTangent writes δ⁺ (nv) of (2) of tangent.go, for a step of h (s) from the positions q (nq) with the
// displacement velocities w (nv), from the tangents dq and dw (nv); those of SteppedJoints are left as they are. dst
// may be dq.
func (d *Data) PositionTangent(h float64, q, w, dq, dw, dst []float64) {
	d.eachTangent(h, q, w, func(i int, t *stepTangent) {
		switch {
		case t.D != nil:
		case t.turns:
			turned := t.turn.MulVec(r3.Vec(dq[i:i+3])).AddScaled(h, t.J.MulVec(r3.Vec(dw[i:i+3])))
			copy(dst[i:], turned[:])
		default:
			dst[i] = dq[i] + h*dw[i]
		}
	})
}

// PositionAdjoint applies the transpose of PositionTangent to a cotangent λ (nv) of δ⁺: it adds to dq and dw (nv) those
// of the positions and of w.
func (d *Data) PositionAdjoint(h float64, q, w, lambda, dq, dw []float64) {
	d.eachTangent(h, q, w, func(i int, t *stepTangent) {
		if t.D == nil {
			t.addAdjoint(i, h, lambda, dq, dw)
		}
	})
}

// IsStepped reports of each velocity (nv) whether it is one of a SteppedJoint.
func (m *Model) IsStepped() []bool {
	dofs := make([]bool, len(m.dofs))
	for k, link := range m.dofs {
		dofs[k] = m.placing[link].stepped != nil
	}
	return dofs
}

// DisplacementVelocities replaces displacement velocities of a memory (nv), of a step that began in the placed state,
// by those that its problem had: others are those of SteppedJoints alone.
func (d *Data) DisplacementVelocities(w []float64) {
	for _, i := range d.m.steppedLinks {
		d.transfer(i, d.q, d.damped.middle.q, w)
	}
}
