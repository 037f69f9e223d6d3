package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// Prescribed moves as functions of time say: it has no velocities of its own.
// Over a step its velocity is the displacement over the step divided by h, so
// that what touches it sees it arrive where it will be, and what hangs on it
// feels the change of that velocity from step to step as an inertial force.
type Prescribed struct {
	Translation [3]motion.Motion // of M's origin in F, m; nil: none
	Axis        r3.Vec           // of the rotation, in F, of any length
	Angle       motion.Motion    // rad; nil: none
	still
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

// Pose_FM implements Joint: the pose that the functions of time start from; Data
// reads PoseAt.
func (Prescribed) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// PoseAt returns X_FM at time t.
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

// velocity returns the mean velocity of M from time t0 to t1, in F's axes at M's
// origin.
func (j Prescribed) velocity(t0, t1 float64) spatial {
	p0, a0 := j.at(t0)
	p1, a1 := j.at(t1)
	s := 1 / (t1 - t0)
	return spatial{j.Axis.Unit().Scale(s * (a1 - a0)), p1.Sub(p0).Scale(s)}
}
