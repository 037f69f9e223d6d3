// Package constraints turns contacts, limits of joints, loops and controllers into terms of
// the convex problem. Each file has one kind: its immutable specification, its Jacobian
// and its law in one step.
//
// A specification belongs to the model and never changes. The values of one step are stored by
// a law from cliques.New, which is valid as long as the problem. Signs throughout: a gap φ <
// 0 overlaps, a normal velocity > 0 separates, an impulse γ = −∂ℓ/∂vc acts on B and −γ on A.
//
// The registries Constraints, ContactModels and NormalModels list the kinds that users
// choose by name; package constrainttest is their conformance suite.
package constraints

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Kinematics gives poses at the start of the step and appends rows of Jacobians to the open
// constraint of a problem. Known velocities, of prescribed bodies, go to the row's bias.
// Package sim implements it.
type Kinematics interface {
	// Pose returns X_WB of a rigid scene body; the identity for geometry.World.
	Pose(body int) r3.Pose
	// Vertex returns the world position of a vertex of a deformable scene body.
	Vertex(body int, v int32) r3.Vec
	// AtEnd returns the kinematics of the end of the step at the velocities y from which the step is
	// solved, which places bodies but has no rows; nil where there is none.
	AtEnd() Kinematics
	// Lever returns the place (m) that moves in the linear motion of a rigid scene body at y as the point that is at
	// p_W now moves along its arc, but for its way along the axis of rotation.
	Lever(body int, p_W r3.Vec) r3.Vec
	// Rate returns J y + b of a row of the open constraint.
	Rate(p *cliques.Problem, row int) float64
	// PointRow adds s·dir_W·v(f) to a row, v(f) the velocity of the material
	// point f.
	PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64)
	// PointRows adds s·R_WCᵀ v(f) to the first three rows; the first two are those of the point of a rigid body at the
	// offset tangent_W (m) from f.
	PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64)
	// AngularRow adds s·dir_W·ω(body) to a row.
	AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64)
	// DofRow adds s·v[dof] to a row; dof is a generalized velocity of the
	// model's rigid trees.
	DofRow(p *cliques.Problem, row int, dof int, s float64)
	// Dof returns position and velocity of a one-degree-of-freedom joint by its
	// dof (m or rad, and per second).
	Dof(dof int) (q, v float64)
	// SlipTolerances returns the slip speeds below which friction of the step is viscous, m/s or rad/s: of what sticks,
	// and of what slides fast.
	SlipTolerances() (stiction, sliding float64)
}

// InverseMasses is a Kinematics that has the masses of bodies. The midpoint rule needs it for contacts.
type InverseMasses interface {
	// InverseMass returns dir·M⁻¹dir (1/kg) of the material point f, of a rigid body at p_W (m), along the unit vector
	// dir_W: the velocity along it that an impulse of 1 N s along it gives at once, without what is implicit in the
	// step. It is 0 of bodies that do not move freely.
	InverseMass(f geometry.MaterialPoint, p_W, dir_W r3.Vec) float64
}

// Constraint appends itself to the problem of each step.
type Constraint interface {
	// Append adds this constraint's terms, none when it is out of reach, and
	// returns the number of terms added; the last one added has the handle
	// len(p.Constraints)−1.
	Append(k Kinematics, p *cliques.Problem) int
}

// Checker is a Constraint whose parameters may be out of range. The validation of a
// model calls Check; the error names the parameter, and the caller adds the name of
// the constraint.
type Checker interface {
	Check() error
}
