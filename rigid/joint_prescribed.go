package rigid

import (
	"curlfree/motion"
	"curlfree/r3"
)

// Prescribed moves as functions of time say: it has no velocities of its own.
// Over a step its velocity is the displacement over the step divided by h, so
// that what touches it sees it arrive where it will be.
type Prescribed struct {
	Translation [3]motion.Motion // of M's origin in F, m; nil: none
	Axis        r3.Vec           // of the rotation, in F
	Angle       motion.Motion    // rad; nil: none
}

// Size implements Joint.
func (Prescribed) Size() (nq, nv int) { return 0, 0 }

// Pose_FM implements Joint; Data reads PoseAt instead.
func (Prescribed) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// Subspace_FM implements Joint.
func (Prescribed) Subspace_FM(int, []float64) (w, v r3.Vec) { return }

// Advance implements Joint.
func (Prescribed) Advance(float64, []float64, []float64) {}

// PoseAt returns X_FM at time t.
func (j Prescribed) PoseAt(t float64) r3.Pose {
	x := r3.PoseIdentity()
	for i, m := range j.Translation {
		if m != nil {
			x.P[i], _ = m.At(t)
		}
	}
	if j.Angle != nil {
		a, _ := j.Angle.At(t)
		x.R = r3.RotExp(j.Axis.Unit().Scale(a))
	}
	return x
}

// velocity returns the mean angular velocity of M and velocity of its origin, in
// F's axes, from time t0 to t1.
func (j Prescribed) velocity(t0, t1 float64) (w, v r3.Vec) {
	x0, x1 := j.PoseAt(t0), j.PoseAt(t1)
	s := 1 / (t1 - t0)
	return x1.R.Mul(x0.R.T()).Quat().Log().Scale(s), x1.P.Sub(x0.P).Scale(s)
}
