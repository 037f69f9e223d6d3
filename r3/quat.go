package r3

import "math"

// Quat is a quaternion w + x i + y j + z k, stored (w, x, y, z). The unit quaternion
//
//	q = (cos θ/2, u sin θ/2)                                               (1)
//
// is the rotation by θ about the unit vector u, and so is −q.
type Quat [4]float64

// Mul returns the Hamilton product a⊗b: the rotation b followed by a.
func (a Quat) Mul(b Quat) Quat {
	return Quat{
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1],
		a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0],
	}
}

// Unit returns a/|a|, or the identity when a is zero.
func (a Quat) Unit() Quat {
	n := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2] + a[3]*a[3])
	if n == 0 {
		return Quat{1, 0, 0, 0}
	}
	return Quat{a[0] / n, a[1] / n, a[2] / n, a[3] / n}
}

// Mat returns the rotation matrix; a need not be normalized.
func (a Quat) Mat() Mat {
	w, x, y, z := a[0], a[1], a[2], a[3]
	s := 2 / (w*w + x*x + y*y + z*z)
	return Mat{
		1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y),
		s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x),
		s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y),
	}
}

// QuatExp returns the rotation (1) by the vector theta = θ u, rad, by series for small
// angles: sin(t/2)/t = 1/2 − t²/48 + …
func QuatExp(theta Vec) Quat {
	t2 := theta.Norm2()
	if t2 < 1e-16 {
		s := 0.5 - t2/48
		return Quat{1 - t2/8, s * theta[0], s * theta[1], s * theta[2]}
	}
	t := math.Sqrt(t2)
	s := math.Sin(t/2) / t
	return Quat{math.Cos(t / 2), s * theta[0], s * theta[1], s * theta[2]}
}

// Log returns the rotation vector θ u (rad) of a unit quaternion, of length ≤ π: the
// inverse of QuatExp.
func (a Quat) Log() Vec {
	if a[0] < 0 {
		a = Quat{-a[0], -a[1], -a[2], -a[3]}
	}
	v := Vec{a[1], a[2], a[3]}
	n := v.Norm()
	if n < 1e-8 {
		return v.Scale(2 / a[0])
	}
	return v.Scale(2 * math.Atan2(n, a[0]) / n)
}

// Quat returns the unit quaternion of the rotation matrix m, with w ≥ 0. From m follow
// all products of two components; the row with the largest component is normalized, so
// that no digits cancel (Shepperd, "Quaternion from rotation matrix", 1978).
func (m Mat) Quat() Quat {
	var q Quat
	switch t := m.Trace(); {
	case t > 0:
		q = Quat{1 + t, m[7] - m[5], m[2] - m[6], m[3] - m[1]}
	case m[0] >= m[4] && m[0] >= m[8]:
		q = Quat{m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]}
	case m[4] >= m[8]:
		q = Quat{m[2] - m[6], m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7]}
	default:
		q = Quat{m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8]}
	}
	if q[0] < 0 {
		q = Quat{-q[0], -q[1], -q[2], -q[3]}
	}
	return q.Unit()
}

// RotExp returns the rotation matrix of the rotation vector theta (rad).
func RotExp(theta Vec) Mat { return QuatExp(theta).Mat() }

// RotRPY returns Rz(yaw)·Ry(pitch)·Rx(roll): extrinsic x-y-z angles, rad, the
// convention of URDF and SDFormat.
func RotRPY(roll, pitch, yaw float64) Mat {
	return RotExp(Vec{0, 0, yaw}).Mul(RotExp(Vec{0, pitch, 0})).Mul(RotExp(Vec{roll, 0, 0}))
}
