package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// Prescribed is the prescribed motion of a kinematic body: a joint without degrees of freedom,
// whose pose is a given function of time,
//
//	p_FM = p(t),   R_FM = Exp(θ(t) â)                                       (1)
//
// Its velocity over a step is its displacement over the step divided by h, so that
// contacts act on the pose at the end of the step. The change of that velocity from step
// to step acts as an inertial force on the links that it carries.
type Prescribed struct {
	// Translation is p, the position of M's origin along x, y and z of F, m; nil: zero.
	Translation [3]motion.Motion
	// Axis is the axis of rotation a in F, of any length.
	Axis r3.Vec
	// Angle is the angle of rotation θ, rad; nil: zero.
	Angle motion.Motion
	immobile
}

// Check implements Joint.
func (j Prescribed) Check() error {
	if j.Angle != nil && !(j.Axis.IsFinite() && j.Axis.Norm() > 0) {
		return errors.New("the prescribed angle has no axis: give a direction such as (0, 0, 1)")
	}
	for _, m := range []motion.Motion{j.Translation[0], j.Translation[1], j.Translation[2], j.Angle} {
		if c, ok := m.(interface{ Check() error }); ok {
			if err := c.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Pose_FM implements Joint by the identity, as the pose depends on time alone: see PoseAt.
func (Prescribed) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// PoseAt returns X_FM at time t (s).
func (j Prescribed) PoseAt(t float64) r3.Pose {
	p, angle := j.at(t)
	return r3.Pose{R: r3.RotExp(j.Axis.Unit().Scale(angle)), P: p}
}

func (j Prescribed) at(t float64) (p r3.Vec, angle float64) {
	for i, m := range j.Translation {
		if m != nil {
			p[i], _ = m.At(t)
		}
	}
	if j.Angle != nil {
		angle, _ = j.Angle.At(t)
	}
	return p, angle
}

// velocity returns the mean velocity of M from time t0 to t1 (s), in F's axes.
func (j Prescribed) velocity(t0, t1 float64) spatial {
	p0, a0 := j.at(t0)
	p1, a1 := j.at(t1)
	s := 1 / (t1 - t0)
	return spatial{j.Axis.Unit().Scale(s * (a1 - a0)), p1.Sub(p0).Scale(s)}
}
