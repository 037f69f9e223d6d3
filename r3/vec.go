// Package r3 is the algebra of ℝ³ as array values: vectors, 3×3 matrices, unit
// quaternions, rigid poses and axis-aligned boxes. Everything is passed by value and
// nothing allocates; the operations that a step does most have in-place variants as
// well (into.go).
//
// Names keep to monogram notation: X_AB is the pose of frame B in A, R_AB its rotation,
// p_AQ the position of point Q measured in A. Adjacent letters cancel:
// X_AB.Mul(X_BC) is X_AC. Matrices are row-major, quaternions (w, x, y, z), angles in
// radians.
//
// It also has the singular value and polar decompositions of 3×3 matrices, symmetric
// eigenvalues, and closest points on segments and triangles.
package r3

import "math"

// Vec is a vector of ℝ³: a position, direction, velocity or force. The name of a
// variable, not the type, says in which axes its components are.
type Vec [3]float64

// Add returns a + b.
func (a Vec) Add(b Vec) Vec { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a − b.
func (a Vec) Sub(b Vec) Vec { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns s·a.
func (a Vec) Scale(s float64) Vec { return Vec{s * a[0], s * a[1], s * a[2]} }

// AddScaled returns a + s·b.
func (a Vec) AddScaled(s float64, b Vec) Vec {
	return Vec{a[0] + s*b[0], a[1] + s*b[1], a[2] + s*b[2]}
}

// Neg returns −a.
func (a Vec) Neg() Vec { return Vec{-a[0], -a[1], -a[2]} }

// Dot returns a·b.
func (a Vec) Dot(b Vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Cross returns a×b.
func (a Vec) Cross(b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Norm2 returns |a|².
func (a Vec) Norm2() float64 { return a.Dot(a) }

// Norm returns |a|.
func (a Vec) Norm() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a/|a|, or the zero vector when a is zero.
func (a Vec) Unit() Vec {
	n := a.Norm()
	if n == 0 {
		return Vec{}
	}
	return a.Scale(1 / n)
}

// Min returns the component-wise minimum.
func (a Vec) Min(b Vec) Vec {
	return Vec{min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])}
}

// Max returns the component-wise maximum.
func (a Vec) Max(b Vec) Vec {
	return Vec{max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])}
}

// Lerp returns a + t(b − a): linear interpolation, a at t = 0 and b at t = 1.
func (a Vec) Lerp(b Vec, t float64) Vec { return a.AddScaled(t, b.Sub(a)) }

// IsFinite reports whether no component is NaN or infinite.
func (a Vec) IsFinite() bool {
	s := a[0] - a[0] + a[1] - a[1] + a[2] - a[2] // NaN if any is not finite
	return s == 0
}

// Basis completes the unit vector n to a right-handed orthonormal frame
// (t1, t2, n). It is a deterministic function of n: the coordinate axis least
// aligned with n is crossed with it.
func Basis(n Vec) (t1, t2 Vec) {
	// the least of |n_x|, |n_y|, |n_z|, the first among equals
	x, y, z := math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])
	axis := Vec{1, 0, 0}
	if y < x && y <= z {
		axis = Vec{0, 1, 0}
	} else if z < x && z < y {
		axis = Vec{0, 0, 1}
	}
	t1 = n.Cross(axis).Unit()
	return t1, n.Cross(t1)
}
