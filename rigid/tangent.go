package rigid

import "github.com/curlfree/curlfree/r3"

// Tangents of positions. A change δ (nv) of positions q displaces every joint by its velocities
// δ over one second,
//
//	q ⊞ δ:  q_i + δ_i;  quaternions Exp(δ) q                                    (1)
//
// so that positions have as many tangents as velocities, in the same axes. A step
// q⁺ = q ⊞ h v maps tangents by
//
//	δ⁺ = δ + h δv;  quaternions Exp(h v) δ + h J(h v) δv                          (2)
//
// with J(θ) the left Jacobian of Exp, floating_body.go, and SteppedJoints by derivatives of their own, of velocities
// too. Source: Solà, Deray, Atchuthan, A micro Lie theory for state estimation in robotics, section IV.

// Displace moves positions q (nq) by the tangent vector δ (nv): q becomes q ⊞ δ (1).
func (m *Model) Displace(q, delta []float64) {
	for i := range m.nv {
		m.displace(i, q, delta)
	}
}

// Difference writes the tangent vector δ (nv) from the positions q to the positions to (nq): q
// ⊞ δ = to, with the smallest rotation.
func (m *Model) Difference(q, to, delta []float64) {
	for i := range m.links {
		v0, nv := m.v0[i], m.nv[i]
		if nv == 0 {
			continue
		}
		a, b, d := q[m.q0[i]:], to[m.q0[i]:], delta[v0:v0+nv]
		if nq, _ := m.links[i].Joint.Size(); nq > nv {
			// Exp(δ) = to q⁻¹
			turn := r3.Quat(b[:4]).Mul(r3.Quat{a[0], -a[1], -a[2], -a[3]}).Log()
			copy(d, turn[:])
			a, b, d = a[4:], b[4:], d[3:]
		}
		for k := range d {
			d[k] = b[k] - a[k]
		}
	}
}

// AdvanceTangent writes δ⁺ (nv) of (2) for a step of h (s) from the positions q (nq) with the velocities v (nv), from
// the tangents dq and dv (nv), and replaces dv by that of the velocities of the end. dst may be dq.
func (d *Data) AdvanceTangent(h float64, q, v, dq, dv, dst []float64) {
	d.requireTangents()
	d.eachTangent(h, q, v, func(i int, t *stepTangent) {
		switch {
		case t.D != nil:
			for r := range 2 * t.n {
				t.out[r] = 0
				for k := range t.n {
					t.out[r] += t.D[2*t.n*r+k]*dq[i+k] + t.D[2*t.n*r+t.n+k]*dv[i+k]
				}
			}
			copy(dst[i:], t.out[:t.n])
			copy(dv[i:], t.out[t.n:2*t.n])
		case t.turns:
			turned := t.turn.MulVec(r3.Vec(dq[i:i+3])).AddScaled(h, t.J.MulVec(r3.Vec(dv[i:i+3])))
			copy(dst[i:], turned[:])
		default:
			dst[i] = dq[i] + h*dv[i]
		}
	})
}

// AdvanceJacobian writes the derivative of (2) by c numbers, row-major (nv × c), from that of the velocities dv (nv ×
// c), which it replaces by that of the velocities of the end. The first numbers are the positions themselves where
// positions is true, else none of them moves a position.
func (d *Data) AdvanceJacobian(h float64, q, v, dv []float64, c int, positions bool, dst []float64) {
	d.requireTangents()
	d.eachTangent(h, q, v, func(i int, t *stepTangent) {
		switch {
		case t.D != nil:
			n := t.n
			for k := range c {
				for r := range 2 * n {
					t.out[r] = 0
					if p := k - i; positions && p >= 0 && p < n {
						t.out[r] = t.D[2*n*r+p]
					}
					for b := range n {
						t.out[r] += t.D[2*n*r+n+b] * dv[(i+b)*c+k]
					}
				}
				for a := range n {
					dst[(i+a)*c+k], dv[(i+a)*c+k] = t.out[a], t.out[n+a]
				}
			}
		case t.turns:
			x, y, z := dv[i*c:(i+1)*c], dv[(i+1)*c:(i+2)*c], dv[(i+2)*c:(i+3)*c]
			for a := range 3 {
				row := dst[(i+a)*c : (i+a+1)*c]
				j0, j1, j2 := h*t.J[3*a], h*t.J[3*a+1], h*t.J[3*a+2]
				for k := range row {
					row[k] = j0*x[k] + j1*y[k] + j2*z[k]
				}
				for b := range 3 {
					if positions {
						row[i+b] += t.turn[3*a+b]
					}
				}
			}
		default:
			row := dst[i*c : (i+1)*c]
			for k, x := range dv[i*c : (i+1)*c] {
				row[k] = h * x
			}
			if positions {
				row[i]++
			}
		}
	})
}

// AdvanceAdjoint applies the transpose of AdvanceTangent to a cotangent λ (nv) of δ⁺ and the cotangent dv (nv) of the
// velocities of the end: it adds to dq (nv) that of the positions and replaces dv by that of v.
func (d *Data) AdvanceAdjoint(h float64, q, v, lambda, dq, dv []float64) {
	d.requireTangents()
	d.eachTangent(h, q, v, func(i int, t *stepTangent) {
		switch {
		case t.D != nil:
			n := t.n
			clear(t.out[:2*n])
			for r := range n {
				for k := range 2 * n {
					t.out[k] += t.D[2*n*r+k]*lambda[i+r] + t.D[2*n*(n+r)+k]*dv[i+r]
				}
			}
			for k := range n {
				dq[i+k] += t.out[k]
				dv[i+k] = t.out[n+k]
			}
		default:
			t.addAdjoint(i, h, lambda, dq, dv)
		}
	})
}

// addAdjoint adds to dq and dv (nv) those of a cotangent λ (nv) of the positions from i on, of joints that turn or slide.
func (t *stepTangent) addAdjoint(i int, h float64, lambda, dq, dv []float64) {
	if !t.turns {
		dq[i] += lambda[i]
		dv[i] += h * lambda[i]
		return
	}
	l := r3.Vec(lambda[i : i+3])
	a, b := t.turn.TMulVec(l), t.J.TMulVec(l)
	for k := range 3 {
		dq[i+k] += a[k]
		dv[i+k] += h * b[k]
	}
}

// stepTangent is the derivative of the step of some velocities.
type stepTangent struct {
	// turns: three velocities whose positions are a quaternion, with Exp(h v) and J(h v)
	turns   bool
	turn, J r3.Mat
	// D of a SteppedJoint with n velocities (2n × 2n), else nil; out has room for 2n numbers.
	D, out []float64
	n      int
	// room for D and out
	memory []float64
}

// eachTangent calls f for every velocity i whose position is a coordinate, for the first of three whose positions are a
// quaternion, and for the first of a SteppedJoint.
func (d *Data) eachTangent(h float64, q, v []float64, f func(i int, t *stepTangent)) {
	m, t := d.m, &d.step
	for i := range m.links {
		first, nv := m.v0[i], m.nv[i]
		if nv == 0 {
			continue
		}
		nq, _ := m.links[i].Joint.Size()
		t.D, t.turns = nil, false
		if s := m.placing[i].stepped; s != nil {
			if need := 4*nv*nv + 2*nv; len(t.memory) < need {
				t.memory = make([]float64, need)
			}
			t.n, t.D, t.out = nv, t.memory[:4*nv*nv], t.memory[4*nv*nv:]
			s.StepTangent(h, q[m.q0[i]:m.q0[i]+nq], v[first:first+nv], t.D)
			f(first, t)
			continue
		}
		k := first
		if nq > nv {
			theta := r3.Vec(v[first : first+3]).Scale(h)
			t.turns, t.turn, t.J = true, r3.RotExp(theta), leftJacobian(theta)
			f(first, t)
			t.turns = false
			k += 3
		}
		for ; k < first+nv; k++ {
			f(k, t)
		}
	}
}
