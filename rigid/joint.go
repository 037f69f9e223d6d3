package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Joint is the kinematics of a joint: the motion of a frame M, fixed on a link
// (child), relative to a frame F, fixed on its parent (Featherstone frames), with
// positions q and velocities v:
//
//	X_FM = X(q),   V_FM = H(q) v,   A_FM = H v̇ + Ḣ v                      (1)
//
// spatial velocity and acceleration (angular part, then that of M's origin) in F's
// axes. Joints are values without state. A joint whose H depends on q is a BiasedJoint
// too. Package jointtest is the conformance suite of implementations. Source:
// Featherstone, Rigid Body Dynamics Algorithms, 3.5, here with H in F's axes at M's
// origin.
type Joint interface {
	// Size returns the numbers of positions and velocities.
	Size() (nq, nv int)
	// Check returns an error that describes a fault of the joint's parameters, or nil.
	Check() error
	// Zero writes the positions (nq) at which M lies on F.
	Zero(q []float64)
	// Pose_FM returns X_FM at q (nq).
	Pose_FM(q []float64) r3.Pose
	// Subspace_FM returns column j of the motion subspace H at q (nq), in F's axes: the
	// angular velocity of M and the velocity of its origin per unit of v[j].
	Subspace_FM(q []float64, j int) (w, v r3.Vec)
	// Advance moves q (nq) by h seconds of the velocities v (nv).
	Advance(h float64, q, v []float64)
}

// BiasedJoint is a Joint whose motion subspace depends on q.
type BiasedJoint interface {
	Joint
	// AccelerationBias_FM returns the acceleration bias Ḣ v at q (nq) and v (nv), in
	// F's axes: the angular acceleration of M (rad/s²) and the acceleration of its
	// origin (m/s²) at v̇ = 0.
	AccelerationBias_FM(q, v []float64) (alpha, a r3.Vec)
}

// Joints are the registered kinds of joints.
var Joints = kinds.NewRegistry[JointSpec]("joint", "How a body may move against its parent or the world.").In(kinds.Typed)

// JointSpec creates a joint from its parameters. Directions among them are given in
// the joint's frame F, which the caller chooses. The error names the faulty parameter.
type JointSpec interface{ Make() (Joint, error) }

// direction returns the unit vector along a parameter.
func direction(key string, v r3.Vec) (r3.Vec, error) {
	if n := v.Norm(); !(n > 0) || math.IsInf(n, 1) {
		return v, fmt.Errorf("%s is (%g, %g, %g): give a direction such as [0, 0, 1]", key, v[0], v[1], v[2])
	}
	return v.Unit(), nil
}

// immobile has the methods of joints without velocities.
type immobile struct{}

// Size implements Joint.
func (immobile) Size() (nq, nv int) { return 0, 0 }

// Zero implements Joint.
func (immobile) Zero([]float64) {}

// Subspace_FM implements Joint.
func (immobile) Subspace_FM([]float64, int) (w, v r3.Vec) { return }

// Advance implements Joint.
func (immobile) Advance(float64, []float64, []float64) {}

// oneDof has the methods of joints with one position, whose rate is the velocity.
type oneDof struct{}

// Size implements Joint.
func (oneDof) Size() (nq, nv int) { return 1, 1 }

// Zero implements Joint.
func (oneDof) Zero(q []float64) { q[0] = 0 }

// Advance implements Joint.
func (oneDof) Advance(h float64, q, v []float64) { q[0] += h * v[0] }

// unitTol is the tolerance of unit lengths and right angles of axes, which files round.
const unitTol = 1e-6

func checkAxis(axis r3.Vec) error {
	if n := axis.Norm(); !(math.Abs(n-1) < unitTol) {
		return fmt.Errorf("the axis (%g, %g, %g) has the length %g: a unit vector is required", axis[0], axis[1], axis[2], n)
	}
	return nil
}
