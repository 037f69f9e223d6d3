package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Planar is the planar joint: M translates in a plane of F and rotates about the normal n of
// the plane,
//
//	p_FM = x a₁ + y a₂,   R_FM = Exp(θ n),   n = a₁×a₂                    (1)
//
// with q = (x, y, θ), m and rad, and v their rates. The directions of sliding stay with
// F, so that the motion subspace is constant.
type Planar struct {
	Axes [2]r3.Vec // a₁ and a₂, unit and at right angles, in F; both zero: F's x and y
}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name:  "planar",
	Doc:   "Slides in a plane and turns about the plane's normal.",
	About: "The normal is the cross product of the two directions of sliding. The positions are the displacements along them and the angle.",
	New:   func() JointSpec { return &PlanarSpec{Axis: r3.Vec{1, 0, 0}, Axis2: r3.Vec{0, 1, 0}} },
	Samples: func() []JointSpec {
		return []JointSpec{
			&PlanarSpec{r3.Vec{1, 0, 0}, r3.Vec{0, 0, 1}},
			&PlanarSpec{r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}},
			&PlanarSpec{r3.Vec{1, 2, 2}, r3.Vec{0, -3, 3}},
		}
	},
})

// PlanarSpec are the parameters of a planar joint.
type PlanarSpec struct {
	// Axis is the first direction of sliding in the joint's frame, of any length.
	Axis r3.Vec `key:"axis,required" doc:"first direction of sliding in the joint's frame, of any length"`
	// Axis2 is the second direction of sliding, perpendicular to the first, of any length.
	Axis2 r3.Vec `key:"axis2" doc:"second direction of sliding, at right angles to the first"`
}

// Make implements JointSpec.
func (s *PlanarSpec) Make() (Joint, error) {
	a, errA := direction("axis", s.Axis)
	b, errB := direction("axis2", s.Axis2)
	j := Planar{Axes: [2]r3.Vec{a, b}}
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	return j, j.Check()
}

// axes returns a₁, a₂ and n.
func (j Planar) axes() (a1, a2, n r3.Vec) {
	if j.Axes == ([2]r3.Vec{}) {
		return r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}, r3.Vec{0, 0, 1}
	}
	return j.Axes[0], j.Axes[1], j.Axes[0].Cross(j.Axes[1])
}

// Size implements Joint.
func (Planar) Size() (nq, nv int) { return 3, 3 }

// Check implements Joint.
func (j Planar) Check() error {
	a1, a2, _ := j.axes()
	return errors.Join(checkAxis(a1), checkAxis(a2), checkPerpendicular(a1, a2))
}

// Zero implements Joint.
func (Planar) Zero(q []float64) { clear(q) }

// Pose_FM implements Joint.
func (j Planar) Pose_FM(q []float64) r3.Pose {
	a1, a2, n := j.axes()
	return r3.Pose{R: r3.RotExp(n.Scale(q[2])), P: a1.Scale(q[0]).AddScaled(q[1], a2)}
}

// Subspace_FM implements Joint.
func (j Planar) Subspace_FM(_ []float64, k int) (w, v r3.Vec) {
	a1, a2, n := j.axes()
	switch k {
	case 0:
		return r3.Vec{}, a1
	case 1:
		return r3.Vec{}, a2
	}
	return n, r3.Vec{}
}

// Advance implements Joint.
func (Planar) Advance(h float64, q, v []float64) { advanceCoordinates(h, q, v) }
