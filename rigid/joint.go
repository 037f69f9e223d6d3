package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Joint says how a frame M, fixed on a link, moves against a frame F, fixed on
// its parent. Joints are values without state. The columns of the motion subspace
// are constant in F's axes, at M's origin; a joint for which they are not, such as
// a universal joint, is a chain of joints with massless links between.
type Joint interface {
	// Size returns the numbers of positions and velocities.
	Size() (nq, nv int)
	// Check returns what is wrong with the joint's parameters, or nil.
	Check() error
	// Zero writes the positions (nq) at which M lies on F.
	Zero(q []float64)
	// Pose_FM returns X_FM at q (nq).
	Pose_FM(q []float64) r3.Pose
	// Subspace_FM returns column j of the motion subspace, in F's axes: the angular
	// velocity of M and the velocity of its origin per unit of v[j].
	Subspace_FM(j int) (w, v r3.Vec)
	// Advance moves q (nq) by h seconds of the velocities v (nv).
	Advance(h float64, q, v []float64)
}

// Weld is no joint at all: the link is part of its parent.
type Weld struct{ still }

// Pose_FM implements Joint.
func (Weld) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// Check implements Joint.
func (Weld) Check() error { return nil }

// still is what joints without velocities share.
type still struct{}

// Size implements Joint.
func (still) Size() (nq, nv int) { return 0, 0 }

// Zero implements Joint.
func (still) Zero([]float64) {}

// Subspace_FM implements Joint.
func (still) Subspace_FM(int) (w, v r3.Vec) { return }

// Advance implements Joint.
func (still) Advance(float64, []float64, []float64) {}

// single is what joints with one position, whose rate is the velocity, share.
type single struct{}

// Size implements Joint.
func (single) Size() (nq, nv int) { return 1, 1 }

// Zero implements Joint.
func (single) Zero(q []float64) { q[0] = 0 }

// Advance implements Joint.
func (single) Advance(h float64, q, v []float64) { q[0] += h * v[0] }

// unitTol is how far an axis' length may be from one: files round.
const unitTol = 1e-6

func checkAxis(axis r3.Vec) error {
	if n := axis.Norm(); !(math.Abs(n-1) < unitTol) {
		return fmt.Errorf("the axis (%g, %g, %g) has the length %g: a unit vector is wanted", axis[0], axis[1], axis[2], n)
	}
	return nil
}
