package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Universal is the universal joint (Cardan joint): rotations about an axis of F and
// about a second axis, which the first rotation carries,
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

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "universal",
	Doc:  "Turns about two axes, the second carried by the first, as a Cardan joint does.",
	New:  func() JointSpec { return &UniversalSpec{Axis: r3.Vec{1, 0, 0}, Axis2: r3.Vec{0, 1, 0}} },
	Samples: func() []JointSpec {
		return []JointSpec{&UniversalSpec{r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}}, &UniversalSpec{r3.Vec{0, 0, 2}, r3.Vec{1, 0, 1}}}
	},
})

// UniversalSpec are the parameters of a universal joint.
type UniversalSpec struct {
	// Axis is the first axis in the joint's frame, fixed to the parent, of any length.
	Axis r3.Vec `key:"axis,required" doc:"first axis in the joint's frame, fixed to the parent, of any length"`
	// Axis2 is the second axis in that frame, as it lies at position 0.
	Axis2 r3.Vec `key:"axis2" doc:"second axis, as it lies at position 0; it turns with the first angle"`
}

// Make implements JointSpec.
func (s *UniversalSpec) Make() (Joint, error) {
	a, errA := direction("axis", s.Axis)
	b, errB := direction("axis2", s.Axis2)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	j := Universal{Axes: [2]r3.Vec{a, b}}
	return j, j.Check()
}

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
