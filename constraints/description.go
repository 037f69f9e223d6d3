package constraints

// What constraints act on. Messages, checks of the start, the balance of energy, natural frequencies and the
// conformance suite ask a constraint itself, and depend on no kinds: a new kind is one file.

import (
	"math"
	"slices"
)

// Described is a Constraint that keeps points, bodies or joints where they have to be.
type Described interface {
	Constraint
	// Describe returns what it acts on, which does not depend on the motion.
	Describe() Description
	// Violation returns by how much it is violated at the poses of k.
	Violation(k Kinematics) Violation
	// StoredEnergy returns the energy of its springs at the poses of k, J: with the errors g of its equations ½ k gᵀg
	// (Hooke's law), of what resists on one side only with the part of g that it resists. What is near-rigid stores
	// nothing beyond a step.
	StoredEnergy(k Kinematics) float64
}

// Description is what a constraint acts on.
type Description struct {
	// Points are the points that it acts on, of a weld the origins of its frames.
	Points []Anchor
	// Dofs are the degrees of freedom of the joints that it acts on, as Kinematics.Dof takes them.
	Dofs []int
	// Rows are the compliances of the equations of one of its terms.
	Rows []Spring
	// Terms is the number of terms that Append adds at most.
	Terms int
	// OneSided reports that errors of one sign are free, as of ropes and limits.
	OneSided bool
}

// Bodies returns the scene bodies whose points it acts on, each once, geometry.World among them.
func (d *Description) Bodies() (bodies []int) {
	for i := range d.Points {
		if b := d.Points[i].Body; !slices.Contains(bodies, b) {
			bodies = append(bodies, b)
		}
	}
	return bodies
}

// IsRigid reports whether no point is that of a deformable.
func (d *Description) IsRigid() bool {
	return !slices.ContainsFunc(d.Points, func(a Anchor) bool { return a.N > 0 })
}

// IsNearRigid reports whether all equations are as stiff as the step resolves: errors under load are small.
func (d *Description) IsNearRigid() bool {
	return !slices.ContainsFunc(d.Rows, func(s Spring) bool { return !s.rigid() })
}

// HasSpring reports whether any equation is a spring of finite stiffness, which stores energy.
func (d *Description) HasSpring() bool { return slices.ContainsFunc(d.Rows, Spring.storing) }

// Violation is the error of a constraint, as lengths; 0 of what it does not constrain.
type Violation struct {
	// Distance is that of points, m.
	Distance float64
	// Angle is that of frames, rad.
	Angle float64
	// Joint is that of positions of joints, rad, of slides m.
	Joint float64
}

// storing reports whether the spring stores energy.
func (s Spring) storing() bool { return s.Stiffness > 0 && !math.IsInf(s.Stiffness, 1) }

// stored returns the energy at errors of the square length g2, J.
func (s Spring) stored(g2 float64) float64 {
	if !s.storing() {
		return 0
	}
	return 0.5 * s.Stiffness * g2
}
