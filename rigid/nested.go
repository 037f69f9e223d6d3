package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Rotations about several axes through one point (Euler angles), each axis carried by the
// rotations before it:
//
//	R_k = Exp(q₁ a₁) … Exp(q_k a_k),   R_FM = R_n                           (1)
//	b_k = R_{k−1} a_k,   ω_k = Σ_{j≤k} b_j v_j                              (2)
//	ḃ_k = ω_{k−1}×b_k,   Ḣ v = Σ_k ω_{k−1}×b_k v_k                          (3)
//
// b_k are the columns of H and ω_k is the velocity after k turns, in F's axes.

// nestedTurns returns R_n of (1).
func nestedTurns(axes []r3.Vec, q []float64) r3.Mat {
	R := r3.RotExp(axes[0].Scale(q[0]))
	for k := 1; k < len(axes); k++ {
		R = R.Mul(r3.RotExp(axes[k].Scale(q[k])))
	}
	return R
}

// nestedAxis returns b_k of (2).
func nestedAxis(axes []r3.Vec, q []float64, k int) r3.Vec {
	b := axes[k]
	for j := k - 1; j >= 0; j-- {
		b = r3.RotExp(axes[j].Scale(q[j])).MulVec(b)
	}
	return b
}

// nestedBias returns Ḣ v of (3).
func nestedBias(axes []r3.Vec, q, v []float64) (alpha r3.Vec) {
	w := axes[0].Scale(v[0])
	for k := 1; k < len(axes); k++ {
		turn := nestedAxis(axes, q, k).Scale(v[k])
		alpha = alpha.Add(w.Cross(turn))
		w = w.Add(turn)
	}
	return alpha
}

// advanceCoordinates moves positions whose rates are the velocities.
func advanceCoordinates(h float64, q, v []float64) {
	for i, x := range v {
		q[i] += h * x
	}
}

// leastAngle is the sine of the angle below which two axes count as parallel.
const leastAngle = 1e-3

func checkNotParallel(a, b r3.Vec) error {
	if !(a.Cross(b).Norm() >= leastAngle) {
		return fmt.Errorf("the axes (%g, %g, %g) and (%g, %g, %g) are parallel: neighbouring axes of a joint must differ in direction", a[0], a[1], a[2], b[0], b[1], b[2])
	}
	return nil
}

func checkPerpendicular(a, b r3.Vec) error {
	if d := a.Dot(b); !(d > -unitTol && d < unitTol) {
		return fmt.Errorf("the axes (%g, %g, %g) and (%g, %g, %g) span no right angle: their dot product is %g, want 0", a[0], a[1], a[2], b[0], b[1], b[2], d)
	}
	return nil
}

// Three axes. H = (b₁, b₂, b₃) of (2), and at fixed v
//
//	K = ∂(H v)/∂q,   K_j = b_j × Σ_{k>j} b_k v_k                             (4)
//
// The angles of a rotation R follow from u = R a₃ = Exp(q₁ a₁) Exp(q₂ a₂) a₃: with a₁·u the second angle,
//
//	a₁·u = A + B cos q₂ + C sin q₂,   A = (a₁·a₂) (a₂·a₃),  B = a₁·a₃ − A,  C = a₁·(a₂×a₃)   (5)
//
// which has two solutions, then q₁ turns Exp(q₂ a₂) a₃ about a₁ to u, and q₃ is what is left of R. Source: Shuster and
// Markley, Generalization of the Euler angles, Journal of the Astronautical Sciences 2003, for axes that are not at
// right angles.

// nestedSubspace returns H of three axes.
func nestedSubspace(axes *[3]r3.Vec, q []float64) r3.Mat {
	first := r3.RotExp(axes[0].Scale(q[0]))
	b, c := first.MulVec(axes[1]), first.MulVec(r3.RotExp(axes[1].Scale(q[1])).MulVec(axes[2]))
	a := axes[0]
	return r3.Mat{a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]}
}

// nestedChange returns K of (4).
func nestedChange(H *r3.Mat, v []float64) r3.Mat {
	third := H.Col(2).Scale(v[2])
	a, b := H.Col(0).Cross(H.Col(1).Scale(v[1]).Add(third)), H.Col(1).Cross(third)
	return r3.Mat{a[0], b[0], 0, a[1], b[1], 0, a[2], b[2], 0}
}

// unreachable is by how much a cosine of (5) may exceed 1 by round-off.
const unreachable = 1e-12

// nestedAngles returns the angles of the rotation R next to others; false where three axes do not reach it.
func nestedAngles(axes *[3]r3.Vec, R *r3.Mat, near r3.Vec) (q r3.Vec, ok bool) {
	a1, a2, a3 := axes[0], axes[1], axes[2]
	u := R.MulVec(a3)
	A := a1.Dot(a2) * a2.Dot(a3)
	B, C := a1.Dot(a3)-A, a1.Dot(a2.Cross(a3))
	x := (a1.Dot(u) - A) / math.Hypot(B, C) // cos(q₂ − φ)
	if !(math.Abs(x) <= 1+unreachable) {
		return near, false
	}
	phi, half := math.Atan2(C, B), math.Acos(max(-1, min(1, x)))
	least := math.Inf(1)
	for _, side := range [2]float64{half, -half} {
		var c r3.Vec
		c[1] = phi + side
		w := r3.RotExp(a2.Scale(c[1])).MulVec(a3)
		c[0] = math.Atan2(a1.Dot(w.Cross(u)), w.Dot(u)-a1.Dot(w)*a1.Dot(u))
		// Exp(q₃ a₃) = (Exp(q₁ a₁) Exp(q₂ a₂))ᵀ R
		left := r3.RotExp(a1.Scale(c[0])).Mul(r3.RotExp(a2.Scale(c[1]))).T().Mul(*R)
		c[2] = left.Quat().Log().Dot(a3)
		for i := range c {
			c[i] += 2 * math.Pi * math.Round((near[i]-c[i])/(2*math.Pi))
		}
		if d := c.Sub(near).Norm2(); d < least {
			q, least = c, d
		}
	}
	// the arc cosine has lost digits near a lock
	H := nestedSubspace(axes, q[:])
	off := R.Mul(nestedTurns(axes[:], q[:]).T()).Quat().Log()
	if inv, det := H.Inv(); det != 0 {
		if correction := inv.MulVec(off); correction.Norm() < 1e-3 {
			q = q.Add(correction)
		}
	}
	return q, true
}
