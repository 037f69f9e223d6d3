package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/r3"
)

// Universal turns about an axis of F and, carried by that turn, about a second one, as
// a Cardan joint does:
//
//	R_FM = Exp(q₁ a₁) Exp(q₂ a₂),   ω = a₁ v₁ + Exp(q₁ a₁) a₂ v₂            (1)
//
// q is the two angles, rad, and v their rates. The centre of the cross is F's origin.
// Source: Featherstone, Rigid Body Dynamics Algorithms, 4.4 (a joint of several axes is
// revolute joints with massless links between).
type Universal struct {
	Axes [2]r3.Vec // a₁ in F; a₂ in F while q₁ = 0; unit, not parallel, usually at right angles
}

var _ BiasedJoint = Universal{}

// Size implements Joint.
func (Universal) Size() (nq, nv int) { return 2, 2 }

// Check implements Joint.
func (j Universal) Check() error {
	return errors.Join(checkAxis(j.Axes[0]), checkAxis(j.Axes[1]), checkNotParallel(j.Axes[0], j.Axes[1]))
}

// Zero implements Joint.
func (Universal) Zero(q []float64) { clear(q) }

// Pose_FM implements Joint.
func (j Universal) Pose_FM(q []float64) r3.Pose { return r3.Pose{R: nestedTurns(j.Axes[:], q)} }

// Subspace_FM implements Joint.
func (j Universal) Subspace_FM(q []float64, k int) (w, v r3.Vec) {
	return nestedAxis(j.Axes[:], q, k), r3.Vec{}
}

// AccelerationBias_FM implements BiasedJoint.
func (j Universal) AccelerationBias_FM(q, v []float64) (alpha, a r3.Vec) {
	return nestedBias(j.Axes[:], q, v), r3.Vec{}
}

// Advance implements Joint.
func (Universal) Advance(h float64, q, v []float64) { advanceCoordinates(h, q, v) }
