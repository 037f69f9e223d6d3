package fem

import (
	"math"

	"curlfree/r3"
)

// The frame in which a step is taken. Element rotations frozen at the start of
// the step make the free motion one linear problem, but a body that turns by θ
// in the step then measures the false strain cos θ − 1, and freezing them
// elsewhere costs more: at the predicted end, spin decays at the rate hω², and
// where velocities are rough the prediction may turn elements inside out and
// create energy. So only the rotation of the body as a whole is predicted, which
// noise cannot reach, and taken out of the motion that strains it. With c the
// centre of mass and Q = exp(h ω), ω = I⁻¹L from the angular momentum L about c,
//
//	y(v) = x + h v − (Q − I)(x − c)                                        (1)
//
// strains as x + h v does, but its internal forces point as they do at x: about
// x they have no moment, angular momentum lasts, and steady spin is without
// false strain or stress. A body turning by more than maxTurn in a step is not
// resolved; the excess E of Q over that turn moves the frame along,
//
//	y(v) = x + h v − (Q − E)(x − c),  frames E·polar(F(x)),                 (2)
//
// which brakes the spin, as backward Euler does, until the step resolves it.
type turn struct {
	center r3.Vec // c, m
	whole  r3.Mat // Q − I
	taken  r3.Mat // Q − E
	excess r3.Mat // E
	any    bool   // Q is not the identity
	beyond bool   // E is not the identity
}

const (
	maxTurn = 0.5   // rad, of one step; tests show growth of energy from about 1
	slender = 1e-10 // det I/(tr I/3)³ below which a body is a line and has no ω
)

// meanTurn returns the turn of the step that the state predicts. What is
// anchored, or linear, does not turn.
func (m *Model) meanTurn(h float64, x, v []float64) turn {
	t := turn{excess: r3.Identity()}
	if len(m.vertex) < len(m.node) || m.class == Linear {
		return t
	}
	var vc, L r3.Vec
	for i, mass := range m.nodalMass {
		t.center = t.center.AddScaled(mass/m.mass, r3.Vec(x[3*i:3*i+3]))
		vc = vc.AddScaled(mass/m.mass, r3.Vec(v[3*i:3*i+3]))
	}
	var I r3.Mat // lumped: the same error in I and L leaves ω right for a rigid motion
	for i, mass := range m.nodalMass {
		r := r3.Vec(x[3*i : 3*i+3]).Sub(t.center)
		mr := r.Scale(mass)
		L = L.Add(mr.Cross(r3.Vec(v[3*i : 3*i+3]).Sub(vc)))
		rr := r.Dot(mr)
		I[0] += rr - r[0]*mr[0]
		I[4] += rr - r[1]*mr[1]
		I[8] += rr - r[2]*mr[2]
		I[1] -= r[0] * mr[1]
		I[2] -= r[0] * mr[2]
		I[5] -= r[1] * mr[2]
	}
	I[3], I[6], I[7] = I[1], I[2], I[5]
	inverse, det := I.Inv()
	if !(det > slender*math.Pow(I.Trace()/3, 3)) {
		return t
	}
	theta := inverse.MulVec(L).Scale(h)
	if angle := theta.Norm(); angle > maxTurn {
		t.beyond = true
		t.excess = r3.RotExp(theta.Scale(1 - maxTurn/angle))
	}
	t.any = theta.Norm2() > 0
	Q := r3.RotExp(theta)
	t.whole, t.taken = Q.Sub(r3.Identity()), Q.Sub(t.excess)
	return t
}
