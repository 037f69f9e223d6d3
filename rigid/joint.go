package rigid

import "curlfree/r3"

// Joint says how a frame M, fixed on a link, moves against a frame F, fixed on
// its parent. Joints are values without state.
type Joint interface {
	// Size returns the numbers of positions and velocities.
	Size() (nq, nv int)
	// Pose_FM returns X_FM at q (nq).
	Pose_FM(q []float64) r3.Pose
	// Subspace_FM returns column j of the motion subspace, in F's axes: the angular
	// velocity of M and the velocity of its origin per unit of v[j].
	Subspace_FM(j int, q []float64) (w, v r3.Vec)
	// Advance moves q (nq) by h seconds of the velocities v (nv).
	Advance(h float64, q, v []float64)
}

// Weld is no joint at all: the link is part of its parent.
type Weld struct{}

// Size implements Joint.
func (Weld) Size() (nq, nv int) { return 0, 0 }

// Pose_FM implements Joint.
func (Weld) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// Subspace_FM implements Joint.
func (Weld) Subspace_FM(int, []float64) (w, v r3.Vec) { return }

// Advance implements Joint.
func (Weld) Advance(float64, []float64, []float64) {}
