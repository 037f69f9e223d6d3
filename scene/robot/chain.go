package robot

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Chain replaces a joint of several axes by joints of one axis each, with links without mass
// between them, which it appends to the links. All frames coincide at zero, so that each axis is
// carried by those before it, as in a Cardan joint:
//
//	P —X_PF— axes[0] — link — axes[1] — … — axes[n−1] —X_CM— C
//
// Name, line, parent, child and frames are those of j. The first joint has the name of j,
// the others have the suffixes _2, _3.
func (m *Robot) Chain(j Joint, axes []Joint) []Joint {
	for i := range axes {
		a := &axes[i]
		a.Name, a.Line, a.Parent, a.Child = j.Name, j.Line, j.Parent, j.Child
		a.X_PF, a.X_CM = r3.PoseIdentity(), r3.PoseIdentity()
		if i > 0 {
			a.Name = fmt.Sprintf("%s_%d", j.Name, i+1)
			a.Parent = len(m.Links) - 1
		}
		if i < len(axes)-1 {
			a.Child = len(m.Links)
			m.Links = append(m.Links, Link{Name: m.unusedName(a.Name + "_link"), Line: j.Line})
		}
	}
	axes[0].X_PF, axes[len(axes)-1].X_CM = j.X_PF, j.X_CM
	return axes
}

// unusedName returns a name that no link has: the given one, or that with _ behind.
func (m *Robot) unusedName(name string) string {
	for slices.ContainsFunc(m.Links, func(l Link) bool { return l.Name == name }) {
		name += "_"
	}
	return name
}

// NewAxis returns a joint of one axis without limits, springs and friction.
func NewAxis(kind JointType, axis r3.Vec, damping float64) Joint {
	inf := math.Inf(1)
	return Joint{Type: kind, Axis: axis, Damping: damping, Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf}
}

// PlanarAxes returns the axes of a planar joint, which slides along two axes of a plane and
// rotates about its normal. The directions of the sliding axes are x and y for the normal z.
func PlanarAxes(normal r3.Vec, damping r3.Vec) []Joint {
	x, y := r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}
	if normal != (r3.Vec{0, 0, 1}) {
		y = r3.Vec{0, 1, 0}
		if math.Abs(normal[1]) > 0.9 {
			y = r3.Vec{0, 0, 1}
		}
		x = y.Cross(normal).Unit()
		y = normal.Cross(x)
	}
	return []Joint{NewAxis(Prismatic, x, damping[0]), NewAxis(Prismatic, y, damping[1]), NewAxis(Continuous, normal, damping[2])}
}
