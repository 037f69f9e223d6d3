package constraints

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Constraints are the registered kinds of constraints.
var Constraints = kinds.NewRegistry[Spec]("constraint", "Ties bodies or joints to each other or to the world.")

// Spec creates a constraint from its parameters. The error names the faulty parameter.
type Spec interface {
	Make(r Resolver) (Constraint, error)
}

// Resolver maps the names of bodies and joints in parameters to their numbers and poses, at the
// start of a run.
type Resolver interface {
	// Body returns the number of a scene body, rigid or deformable, geometry.World for
	// "world" and for no name.
	Body(name string) (int, error)
	// RigidBody returns the number of a rigid scene body, as Body does; a deformable is an
	// error.
	RigidBody(name string) (int, error)
	// Joint returns the dof of a joint with one degree of freedom.
	Joint(name string) (dof int, err error)
	// Pose returns X_WB of a rigid body, the identity for geometry.World, and the pose of
	// the mesh at rest for a deformable.
	Pose(body int) r3.Pose
	// Anchor returns the material point of a body at a point of its frame, of a deformable
	// of the frame of its mesh, m. The error reports that the point is no point of the mesh.
	Anchor(body int, p_B r3.Vec) (Anchor, error)
	// IsDeformable reports whether a body is deformable.
	IsDeformable(body int) bool
	// Element returns the vertices of the element of a deformable that contains a point given in
	// the frame of its mesh (m), and the positions of these vertices in that frame; none for a
	// rigid body. The error is that of Anchor.
	Element(body int, p_B r3.Vec) (verts []int32, at []r3.Vec, err error)
	// Movable reports whether forces can move a body.
	Movable(body int) bool
}

// TwoBodies are the bodies of a constraint.
type TwoBodies struct {
	// A is the name of the first body; empty: the world.
	A string `key:"a" ref:"body" doc:"first body" default:"world"`
	// B is the name of the second body; empty: the world.
	B string `key:"b" ref:"body" doc:"second body" default:"world"`
}

// find returns the two rigid bodies, of which one must be able to move.
func (s *TwoBodies) find(r Resolver) (a, b int, err error) {
	if a, err = r.RigidBody(s.A); err != nil {
		return 0, 0, fmt.Errorf("a: %w", err)
	}
	if b, err = r.RigidBody(s.B); err != nil {
		return 0, 0, fmt.Errorf("b: %w", err)
	}
	return a, b, s.checkMovable(r, a, b)
}

// checkMovable refuses a constraint that could move nothing.
func (s *TwoBodies) checkMovable(r Resolver, a, b int) error {
	if a == b || !r.Movable(a) && !r.Movable(b) {
		return fmt.Errorf("a constraint between %s and %s: give two bodies of which at least one can move", orWorld(s.A), orWorld(s.B))
	}
	return nil
}

func orWorld(name string) string {
	if name == "" {
		return "world"
	}
	return name
}

// TwoPoints are points on two bodies, of which each may be rigid or deformable.
type TwoPoints struct {
	TwoBodies
	// PointA is the point on body A, m, in its frame; nil: where that on B is at the start.
	PointA *r3.Vec `key:"point_a" unit:"m" doc:"point in the frame of a, of a deformable in that of its mesh" default:"where point_b is at the start"`
	// PointB is the point on body B, m, in its frame; of a deformable in that of its mesh.
	PointB r3.Vec `key:"point_b" unit:"m" doc:"point in the frame of b, of a deformable in that of its mesh"`
}

// anchors returns the two points. They are those of two bodies; a deformable may have both.
func (s *TwoPoints) anchors(r Resolver) (a, b Anchor, err error) {
	bodyA, err := r.Body(s.A)
	if err != nil {
		return a, b, fmt.Errorf("a: %w", err)
	}
	bodyB, err := r.Body(s.B)
	if err != nil {
		return a, b, fmt.Errorf("b: %w", err)
	}
	if b, err = r.Anchor(bodyB, s.PointB); err != nil {
		return a, b, fmt.Errorf("point_b: %w", err)
	}
	p_A := pose(r, bodyA).InvPoint(startOf(r, &b))
	if s.PointA != nil {
		p_A = *s.PointA
	}
	if a, err = r.Anchor(bodyA, p_A); err != nil {
		return a, b, fmt.Errorf("point_a: %w", err)
	}
	// two points of one deformable can move, points of one rigid body cannot
	if bodyA == bodyB && a.N > 0 && a != b {
		return a, b, nil
	}
	return a, b, s.checkMovable(r, bodyA, bodyB)
}

// startOf returns where an anchor is at the start, in the world, m.
func startOf(r Resolver, a *Anchor) r3.Vec { return pose(r, a.Body).Point(a.Pos_B) }

// pose returns X_WB of a body at the start, or of the world.
func pose(r Resolver, body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return r.Pose(body)
}
