package constraints

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Constraints are the registered kinds of constraints.
var Constraints = kinds.NewRegistry[Spec]("constraint", "Ties bodies or joints to each other or to the world.")

// Spec makes a constraint from its parameters. The error names the parameter at fault.
type Spec interface {
	Make(r Resolver) (Constraint, error)
}

// Resolver finds the bodies and joints that parameters name, at the start of a run.
type Resolver interface {
	// RigidBody returns the number of a rigid scene body, geometry.World for "world" and
	// for no name.
	RigidBody(name string) (int, error)
	// Joint returns the dof of a joint with one degree of freedom.
	Joint(name string) (dof int, err error)
	// Pose returns X_WB of a rigid body, the identity for geometry.World.
	Pose(body int) r3.Pose
	// Movable reports whether forces can move a rigid body.
	Movable(body int) bool
}

// TwoBodies are the bodies of a constraint.
type TwoBodies struct {
	A string `key:"a" ref:"body" doc:"first body" default:"world"`
	B string `key:"b" ref:"body" doc:"second body" default:"world"`
}

// find returns the two bodies, of which one must be able to move.
func (s *TwoBodies) find(r Resolver) (a, b int, err error) {
	if a, err = r.RigidBody(s.A); err != nil {
		return 0, 0, fmt.Errorf("a: %w", err)
	}
	if b, err = r.RigidBody(s.B); err != nil {
		return 0, 0, fmt.Errorf("b: %w", err)
	}
	if a == b || !r.Movable(a) && !r.Movable(b) {
		return 0, 0, fmt.Errorf("a constraint between %s and %s: two bodies are wanted of which one can move", orWorld(s.A), orWorld(s.B))
	}
	return a, b, nil
}

func orWorld(name string) string {
	if name == "" {
		return "world"
	}
	return name
}

// TwoPoints are points on two bodies.
type TwoPoints struct {
	TwoBodies
	PointA *r3.Vec `key:"point_a" unit:"m" doc:"point in the frame of a" default:"where point_b is at the start"`
	PointB r3.Vec  `key:"point_b" unit:"m" doc:"point in the frame of b"`
}

// anchors returns the two points.
func (s *TwoPoints) anchors(r Resolver) (a, b Anchor, err error) {
	a.Body, b.Body, err = s.find(r)
	if err != nil {
		return a, b, err
	}
	b.Pos_B = s.PointB
	if s.PointA != nil {
		a.Pos_B = *s.PointA
	} else {
		a.Pos_B = pose(r, a.Body).InvPoint(pose(r, b.Body).Point(b.Pos_B))
	}
	return a, b, nil
}

// pose returns X_WB of a body or the world.
func pose(r Resolver, body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return r.Pose(body)
}
