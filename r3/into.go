package r3

import "math"

// The same algebra in place, for operations that a step does for every link, contact or
// pair. Three floats passed by value are copied by two overlapping moves, which wait for
// the floats written one by one before to leave the store buffer: several times as long as
// the arithmetic. Receivers are destinations and may be operands too, unless a comment
// says otherwise.

// SetAdd makes v = a + b.
func (v *Vec) SetAdd(a, b *Vec) { v[0], v[1], v[2] = a[0]+b[0], a[1]+b[1], a[2]+b[2] }

// SetSub makes v = a − b.
func (v *Vec) SetSub(a, b *Vec) { v[0], v[1], v[2] = a[0]-b[0], a[1]-b[1], a[2]-b[2] }

// SetScale makes v = s·a.
func (v *Vec) SetScale(s float64, a *Vec) { v[0], v[1], v[2] = s*a[0], s*a[1], s*a[2] }

// SetUnit makes v = a/|a|, or zero for a = 0.
func (v *Vec) SetUnit(a *Vec) {
	s := math.Sqrt(a.DotOf(a))
	if s > 0 {
		s = 1 / s
	}
	v.SetScale(s, a)
}

// IncScale adds s·a to v.
func (v *Vec) IncScale(s float64, a *Vec) {
	v[0] += s * a[0]
	v[1] += s * a[1]
	v[2] += s * a[2]
}

// SetCross makes v = a×b.
func (v *Vec) SetCross(a, b *Vec) {
	v[0], v[1], v[2] = a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0]
}

// IncCross adds a×b to v; v must not be a or b.
func (v *Vec) IncCross(a, b *Vec) {
	v[0] += a[1]*b[2] - a[2]*b[1]
	v[1] += a[2]*b[0] - a[0]*b[2]
	v[2] += a[0]*b[1] - a[1]*b[0]
}

// DotOf returns v·a.
func (v *Vec) DotOf(a *Vec) float64 { return v[0]*a[0] + v[1]*a[1] + v[2]*a[2] }

// SetMul makes v = m·a.
func (v *Vec) SetMul(m *Mat, a *Vec) {
	x, y, z := a[0], a[1], a[2]
	v[0] = m[0]*x + m[1]*y + m[2]*z
	v[1] = m[3]*x + m[4]*y + m[5]*z
	v[2] = m[6]*x + m[7]*y + m[8]*z
}

// SetTMul makes v = mᵀ·a.
func (v *Vec) SetTMul(m *Mat, a *Vec) {
	x, y, z := a[0], a[1], a[2]
	v[0] = m[0]*x + m[3]*y + m[6]*z
	v[1] = m[1]*x + m[4]*y + m[7]*z
	v[2] = m[2]*x + m[5]*y + m[8]*z
}

// SetMul makes m = a·b; m must not be b.
func (m *Mat) SetMul(a, b *Mat) {
	for i := 0; i < 9; i += 3 {
		x, y, z := a[i], a[i+1], a[i+2]
		m[i] = x*b[0] + y*b[3] + z*b[6]
		m[i+1] = x*b[1] + y*b[4] + z*b[7]
		m[i+2] = x*b[2] + y*b[5] + z*b[8]
	}
}

// SetTMul makes m = aᵀ·b; m must not be a or b.
func (m *Mat) SetTMul(a, b *Mat) {
	for i := range 3 {
		x, y, z := a[i], a[3+i], a[6+i]
		m[3*i] = x*b[0] + y*b[3] + z*b[6]
		m[3*i+1] = x*b[1] + y*b[4] + z*b[7]
		m[3*i+2] = x*b[2] + y*b[5] + z*b[8]
	}
}

// SetMul makes x = X_AC of a = X_AB and b = X_BC; x must not be b.
func (x *Pose) SetMul(a, b *Pose) {
	p, q, r := b.P[0], b.P[1], b.P[2]
	x.P[0] = a.R[0]*p + a.R[1]*q + a.R[2]*r + a.P[0]
	x.P[1] = a.R[3]*p + a.R[4]*q + a.R[5]*r + a.P[1]
	x.P[2] = a.R[6]*p + a.R[7]*q + a.R[8]*r + a.P[2]
	x.R.SetMul(&a.R, &b.R)
}

// SetInvMul makes x = X_BC = X_AB⁻¹·X_AC of a = X_AB and b = X_AC; x must not be a or b.
func (x *Pose) SetInvMul(a, b *Pose) {
	x.P.SetSub(&b.P, &a.P)
	x.P.SetTMul(&a.R, &x.P)
	x.R.SetTMul(&a.R, &b.R)
}

// SetPoint makes v = p_AQ of the point p_BQ.
func (v *Vec) SetPoint(X_AB *Pose, p_BQ *Vec) {
	v.SetMul(&X_AB.R, p_BQ)
	v.SetAdd(v, &X_AB.P)
}

// SetTransform makes b the axis-aligned bounds of the box c moved by X.
func (b *Box) SetTransform(X *Pose, c *Box) {
	var mid, half Vec
	for i := range mid {
		mid[i], half[i] = 0.5*(c.Min[i]+c.Max[i]), 0.5*(c.Max[i]-c.Min[i])
	}
	mid.SetPoint(X, &mid)
	for i := range half {
		row := X.R[3*i : 3*i+3 : 3*i+3]
		e := math.Abs(row[0])*half[0] + math.Abs(row[1])*half[1] + math.Abs(row[2])*half[2]
		b.Min[i], b.Max[i] = mid[i]-e, mid[i]+e
	}
}

// SetInflate makes b the box c grown by d on all sides.
func (b *Box) SetInflate(c *Box, d float64) {
	for i := range c.Min {
		b.Min[i], b.Max[i] = c.Min[i]-d, c.Max[i]+d
	}
}

// SetBasis makes m the frame of columns t1, t2, n; see Basis.
func (m *Mat) SetBasis(n *Vec) {
	x, y, z := n[0], n[1], n[2]
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	var p, q, r float64 // n × that axis
	switch {
	case ay < ax && ay <= az:
		p, r = -z, x
	case az < ax && az < ay:
		p, q = y, -x
	default:
		q, r = z, -y
	}
	s := 1 / math.Sqrt(p*p+q*q+r*r)
	p, q, r = s*p, s*q, s*r
	m[0], m[1], m[2] = p, y*r-z*q, x
	m[3], m[4], m[5] = q, z*p-x*r, y
	m[6], m[7], m[8] = r, x*q-y*p, z
}

// SetQuat makes m the rotation of q, which need not be normalized.
func (m *Mat) SetQuat(q *Quat) {
	w, x, y, z := q[0], q[1], q[2], q[3]
	s := 2 / (w*w + x*x + y*y + z*z)
	sx, sy, sz := s*x, s*y, s*z
	xx, yy, zz := sx*x, sy*y, sz*z
	xy, xz, yz := sx*y, sx*z, sy*z
	wx, wy, wz := sx*w, sy*w, sz*w
	m[0], m[1], m[2] = 1-(yy+zz), xy-wz, xz+wy
	m[3], m[4], m[5] = xy+wz, 1-(xx+zz), yz-wx
	m[6], m[7], m[8] = xz-wy, yz+wx, 1-(xx+yy)
}
