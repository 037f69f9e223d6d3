package r3

// Pose is a rigid transform X_AB: R = R_AB turns vectors from B to A, P = p_AB
// is B's origin measured in A, so that p_AQ = R·p_BQ + P.
type Pose struct {
	R Mat // R_AB: a rotation, orthogonal with determinant +1
	P Vec // p_AB, m
}

// PoseIdentity is the identity transform.
func PoseIdentity() Pose { return Pose{R: Identity()} }

// Mul returns X_AC = X_AB·X_BC.
func (x Pose) Mul(y Pose) Pose { return Pose{x.R.Mul(y.R), x.R.MulVec(y.P).Add(x.P)} }

// Point returns p_AQ of the point p_BQ.
func (x Pose) Point(p Vec) Vec { return x.R.MulVec(p).Add(x.P) }

// OrIdentity returns the pose, the identity for the zero value, which is no pose: users from Go may leave poses out.
func (x Pose) OrIdentity() Pose {
	if x == (Pose{}) {
		return PoseIdentity()
	}
	return x
}

// Inv returns X_BA, the inverse: R_BA = R_ABᵀ, p_BA = −R_ABᵀ p_AB.
func (x Pose) Inv() Pose { return Pose{x.R.T(), x.R.TMulVec(x.P).Neg()} }

// InvPoint returns p_BQ of the point p_AQ.
func (x Pose) InvPoint(p Vec) Vec { return x.R.TMulVec(p.Sub(x.P)) }

// Box is an axis-aligned box; it is empty when Min exceeds Max.
type Box struct {
	Min, Max Vec // corners
}

// EmptyBox returns the box that contains no point: Extend of it is the point. Its corners
// are finite, so that differences of them are no NaN.
func EmptyBox() Box {
	const inf = 1e300
	return Box{Vec{inf, inf, inf}, Vec{-inf, -inf, -inf}}
}

// Extend returns the box grown to contain p.
func (b Box) Extend(p Vec) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box that contains both.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Inflate returns the box grown by d on all sides.
func (b Box) Inflate(d float64) Box {
	e := Vec{d, d, d}
	return Box{b.Min.Sub(e), b.Max.Add(e)}
}

// Overlaps reports whether the closed boxes meet.
func (b Box) Overlaps(c Box) bool {
	return b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0] &&
		b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1] &&
		b.Min[2] <= c.Max[2] && c.Min[2] <= b.Max[2]
}

// Center returns the middle of the box.
func (b Box) Center() Vec { return b.Min.Add(b.Max).Scale(0.5) }

// Size returns the edge lengths.
func (b Box) Size() Vec { return b.Max.Sub(b.Min) }

// Dist2 returns the squared distance from p to the box, 0 inside.
func (b Box) Dist2(p Vec) float64 {
	d := 0.0
	for i := range p {
		if t := b.Min[i] - p[i]; t > 0 {
			d += t * t
		} else if t := p[i] - b.Max[i]; t > 0 {
			d += t * t
		}
	}
	return d
}

// Transform returns the axis-aligned bounds of the box moved by x: with half extents h of
// the box, those of the result are |R| h.
func (b Box) Transform(x Pose) Box {
	c, h := x.Point(b.Center()), b.Size().Scale(0.5)
	var e Vec
	for i := range e {
		for j := range h {
			if a := x.R[3*i+j]; a > 0 {
				e[i] += a * h[j]
			} else {
				e[i] -= a * h[j]
			}
		}
	}
	return Box{c.Sub(e), c.Add(e)}
}
