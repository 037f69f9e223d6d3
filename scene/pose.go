package scene

// A pose is X_AB, a position p_AB and a rotation R_AB of frame B in frame A, which the key that has
// it names. A rotation is written in one of three forms:
//
//	rpy         R_AB = Rz(yaw) Ry(pitch) Rx(roll), fixed axes, rad
//	rpy_deg     the same in degrees
//	quaternion  (w, x, y, z), normalized after reading
//
// Files round quaternions to a few digits, so that norms of 1 ± 5e-4 are repaired in silence; any other
// norm is a mistake, such as (x, y, z, w) with numbers that are no rotation, and is refused.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// poseOf returns the transform that a pose describes.
func (l *faults) poseOf(p *Pose) r3.Pose {
	x, err := p.transform()
	if err != nil {
		l.fail(p.Pos, "%v", err)
	} else if doubt := p.inDegrees(); doubt != "" {
		l.warn("%v", &Error{File: l.path, Pos: p.Pos, Msg: doubt})
	}
	return x
}

// inDegrees reports that an angle in rad is likely one in degrees: it is more than a turn. Empty: none is.
func (p *Pose) inDegrees() string {
	if p.RPY == nil {
		return ""
	}
	for i, name := range []string{"roll", "pitch", "yaw"} {
		if a := math.Abs(p.RPY[i]); a > 2*math.Pi+1e-6 {
			return fmt.Sprintf("rpy is in rad: a %s of %.4g rad is %.3g turns; write rpy_deg for degrees", name, p.RPY[i], a/(2*math.Pi))
		}
	}
	return ""
}

// transform returns the pose X_AB of a frame B in the frame A in which it is given.
func (p *Pose) transform() (r3.Pose, error) {
	x := r3.Pose{R: r3.Identity(), P: r3.Vec(p.XYZ)}
	// the forms are distinguished by nil: a rotation by (0, 0, 0) is given, too
	given := 0
	if p.RPY != nil {
		given++
		x.R = r3.RotRPY(p.RPY[0], p.RPY[1], p.RPY[2])
	}
	if p.RPYDeg != nil {
		given++
		const d = math.Pi / 180
		x.R = r3.RotRPY(d*p.RPYDeg[0], d*p.RPYDeg[1], d*p.RPYDeg[2])
	}
	if p.Quaternion != nil {
		given++
		q := r3.Quat(*p.Quaternion)
		n := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
		// n is the squared norm
		if math.Abs(n-1) > quaternionTol {
			return x, fmt.Errorf("the quaternion %v has the norm %.4g: rotations are unit quaternions (w, x, y, z)", *p.Quaternion, math.Sqrt(n))
		}
		x.R = q.Unit().Mat()
	}
	// several forms might contradict each other
	if given > 1 {
		return x, errors.New("a pose has one of rpy, rpy_deg and quaternion, not several")
	}
	return x, nil
}

// quaternionTol is how far the squared norm of a quaternion may be from one: files round.
const quaternionTol = 1e-3

// value returns the number that p points to, or another one if p is nil.
func value(p *float64, otherwise float64) float64 {
	if p != nil {
		return *p
	}
	return otherwise
}

// set copies the value that src points to, if there is one.
func set[T any](dst, src *T) {
	if src != nil {
		*dst = *src
	}
}
