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
// with J(θ) the left Jacobian of Exp, floating_body.go. Source: Solà, Deray, Atchuthan, A micro
// Lie theory for state estimation in robotics, section IV.

// Displace moves positions q (nq) by the tangent vector δ (nv): q becomes q ⊞ δ (1).
func (m *Model) Displace(q, delta []float64) {
	for i := range m.nv {
		m.advance(i, 1, q, delta)
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

// AdvanceTangent writes δ⁺ (nv) of (2) for a step of h (s) with the velocities v (nv), from the tangents dq and dv
// (nv). dst may be dq or dv.
func (m *Model) AdvanceTangent(h float64, v, dq, dv, dst []float64) {
	m.eachTangent(h, v, func(i int, turns bool, turn, J r3.Mat) {
		if !turns {
			dst[i] = dq[i] + h*dv[i]
			return
		}
		d := turn.MulVec(r3.Vec(dq[i:i+3])).AddScaled(h, J.MulVec(r3.Vec(dv[i:i+3])))
		copy(dst[i:], d[:])
	})
}

// AdvanceJacobian writes the derivative of (2) by c numbers, row-major (nv × c), from that of the velocities dv (nv × c). The
// first numbers are the positions themselves where positions is true, else none of them moves a position.
func (m *Model) AdvanceJacobian(h float64, v, dv []float64, c int, positions bool, dst []float64) {
	m.eachTangent(h, v, func(i int, turns bool, turn, J r3.Mat) {
		if !turns {
			row := dst[i*c : (i+1)*c]
			for k, x := range dv[i*c : (i+1)*c] {
				row[k] = h * x
			}
			if positions {
				row[i]++
			}
			return
		}
		x, y, z := dv[i*c:(i+1)*c], dv[(i+1)*c:(i+2)*c], dv[(i+2)*c:(i+3)*c]
		for a := range 3 {
			row := dst[(i+a)*c : (i+a+1)*c]
			j0, j1, j2 := h*J[3*a], h*J[3*a+1], h*J[3*a+2]
			for k := range row {
				row[k] = j0*x[k] + j1*y[k] + j2*z[k]
			}
			for b := range 3 {
				if positions {
					row[i+b] += turn[3*a+b]
				}
			}
		}
	})
}

// AdvanceAdjoint applies the transpose of AdvanceTangent: it adds to dq and dv (nv)
// the pull-back of a cotangent λ (nv) of δ⁺.
func (m *Model) AdvanceAdjoint(h float64, v, lambda, dq, dv []float64) {
	m.eachTangent(h, v, func(i int, turns bool, turn, J r3.Mat) {
		if !turns {
			dq[i] += lambda[i]
			dv[i] += h * lambda[i]
			return
		}
		l := r3.Vec(lambda[i : i+3])
		a, b := turn.TMulVec(l), J.TMulVec(l)
		for k := range 3 {
			dq[i+k] += a[k]
			dv[i+k] += h * b[k]
		}
	})
}

// eachTangent calls f for every velocity i whose position is a coordinate, without matrices, and
// for the first of three whose positions are a quaternion, with Exp(h v) and J(h v).
func (m *Model) eachTangent(h float64, v []float64, f func(i int, turns bool, turn, J r3.Mat)) {
	for i := range m.links {
		first, nv := m.v0[i], m.nv[i]
		if nv == 0 {
			continue
		}
		k := first
		if nq, _ := m.links[i].Joint.Size(); nq > nv {
			theta := r3.Vec(v[first : first+3]).Scale(h)
			f(first, true, r3.RotExp(theta), leftJacobian(theta))
			k += 3
		}
		for ; k < first+nv; k++ {
			f(k, false, r3.Mat{}, r3.Mat{})
		}
	}
}
