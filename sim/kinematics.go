package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// kinematics implements constraints.Kinematics: poses and vertices are those of the
// placed geometry, rows of Jacobians those of the subsystem that a body belongs to.
type kinematics struct{ s *Stepper }

// Pose implements constraints.Kinematics: X_WB of a rigid body.
func (k kinematics) Pose(body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return k.s.Geometry.X_WB[body]
}

// Vertex implements constraints.Kinematics: the place of a vertex of a deformable, m.
func (k kinematics) Vertex(body int, v int32) r3.Vec {
	return k.s.Geometry.X_W[body-k.s.Model.Geometry.NumRigid][v]
}

// AtEnd implements constraints.Kinematics.
func (k kinematics) AtEnd() constraints.Kinematics {
	if k.s.iterate.state == nil { // no step is taken
		return nil
	}
	return k.s.kinAtEnd
}

// Lever implements constraints.Kinematics.
func (k kinematics) Lever(body int, p_W r3.Vec) r3.Vec {
	// rows of the midpoint rule are those of the mean lever
	if body == geometry.World || k.s.iterate.state == nil || k.s.rule().Midpoint {
		return p_W
	}
	return k.s.leverAtEnd(body, p_W)
}

// Rate implements constraints.Kinematics.
func (k kinematics) Rate(p *cliques.Problem, row int) float64 { return p.Rate(row, k.s.vNext) }

// PointRow implements constraints.Kinematics: the row of a point's velocity along a
// direction.
func (k kinematics) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	if f.Body == geometry.World {
		return
	}
	if f.Body < k.s.Model.Geometry.NumRigid {
		at := k.s.rowPoint(f.Body, &f.Pos_W)
		k.s.noteRow(p, f.Body, row, false, dir_W.Scale(s), at)
		if k.s.rows != ofStart {
			k.s.rigid.Data.PointRow(p, row, f.Body, at, dir_W, s)
			return
		}
	}
	k.s.subsystemOf(f.Body).PointRow(p, row, f, dir_W, s)
}

// PointRows implements constraints.Kinematics: three rows along the axes of a contact
// frame. Rigid bodies fill them at once.
func (k kinematics) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	switch rigid := k.s.Model.Geometry.NumRigid; {
	case f.Body == geometry.World:
	case f.Body < rigid:
		at := k.s.rowPoint(f.Body, &f.Pos_W)
		k.s.notePoints(p, f.Body, R_WC, at, *tangent_W, s)
		k.s.rigid.PointRows(p, f.Body, &at, R_WC, tangent_W, s)
	default:
		for row := range 3 {
			k.s.deformables[f.Body-rigid].PointRow(p, row, f, R_WC.Col(row), s)
		}
	}
}

// AngularRow implements constraints.Kinematics: the row of a rigid body's angular
// velocity along a direction.
func (k kinematics) AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64) {
	if body != geometry.World {
		k.s.noteRow(p, body, row, true, dir_W.Scale(s), r3.Vec{})
		k.s.rigid.AngularRow(p, row, body, dir_W, s)
	}
}

// DofRow implements constraints.Kinematics: the row of a joint's velocity.
func (k kinematics) DofRow(p *cliques.Problem, row int, dof int, s float64) {
	k.s.rigid.DofRow(p, row, dof, s)
}

// Dof implements constraints.Kinematics: position and velocity of a joint with one degree
// of freedom.
func (k kinematics) Dof(dof int) (q, v float64) { return k.s.rigid.Dof(dof) }

// SlipTolerances implements constraints.Kinematics: those of contacts, whose numbers are in rad/s for rotations of
// joints.
func (k kinematics) SlipTolerances() (stiction, sliding float64) {
	return constraints.SlipTolerances(k.s.contact)
}

// Joint returns the position (m or rad) and velocity of a joint with one degree of freedom, at the state of the last
// call of Place, Read or Step.
func (s *Stepper) Joint(name string) (q, v float64, err error) {
	if s.Model.Names == nil {
		return 0, 0, errors.New("sim: the model has no names of joints")
	}
	dof, ok := s.Model.Names.Joints[name]
	if !ok {
		return 0, 0, fmt.Errorf("sim: no joint with one degree of freedom is called %q%s", name, kinds.Suggest(name, slices.Sorted(maps.Keys(s.Model.Names.Joints))))
	}
	q, v = s.rigid.Dof(dof)
	return q, v, nil
}
