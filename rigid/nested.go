package rigid

import (
	"fmt"

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
