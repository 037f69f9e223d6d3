package constraints

// An attachment keeps vertices of a deformable body at points of a rigid one,
// vertex by vertex as a ball joint would:
//
//	g = p_PQ,  ġ = v_Q − v_P,  Q the vertex, P the body's point (3 equations).
//
// Its impulses act at the vertices, so that the body feels force and moment.

import (
	"fmt"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Fixed attaches vertices of a deformable body to a rigid body or the world.
type Fixed struct {
	Deformable int      // scene body of the deformable
	Verts      []int32  // numbers of the attached vertices
	Body       int      // rigid body, or geometry.World
	Pos_B      []r3.Vec // point at which each vertex is attached, in the frame of Body, m
	Spring              // compliance
}

var _ Described = (*Fixed)(nil)

// NewFixed attaches vertices where they are: at the world positions p_WQ of the
// vertices, with Body at X_WB. The error names vertices given twice.
func NewFixed(deformable int, verts []int32, p_WQ []r3.Vec, body int, X_WB r3.Pose) (*Fixed, error) {
	if body == geometry.World {
		X_WB = r3.PoseIdentity()
	}
	c := &Fixed{Deformable: deformable, Verts: append([]int32(nil), verts...), Body: body}
	for _, p := range p_WQ {
		c.Pos_B = append(c.Pos_B, X_WB.InvPoint(p))
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// Check implements Checker.
func (c *Fixed) Check() error {
	if len(c.Verts) != len(c.Pos_B) {
		return fmt.Errorf("constraints: %d vertices attached at %d positions: give one position for each vertex", len(c.Verts), len(c.Pos_B))
	}
	seen := make(map[int32]bool, len(c.Verts))
	for _, v := range c.Verts {
		if seen[v] {
			return fmt.Errorf("constraints: vertex %d attached twice to one body: name it once", v)
		}
		seen[v] = true
	}
	return c.Spring.Check()
}

// Append implements Constraint with one term of three equations a vertex, in
// the order of Verts.
func (c *Fixed) Append(k Kinematics, p *cliques.Problem) int {
	for i, v := range c.Verts {
		b := Ball{Anchor{Body: c.Body, Pos_B: c.Pos_B[i]}, VertexAnchor(c.Deformable, v), c.Spring}
		b.Append(k, p)
	}
	return len(c.Verts)
}

// Force returns the force and the moment about p_W (world, N and N m) on the
// rigid body of an attachment whose last term has the handle h, after the solve.
func (c *Fixed) Force(k Kinematics, p *cliques.Problem, h cliques.Handle, p_W r3.Vec) (force, moment r3.Vec) {
	for i, v := range c.Verts {
		f := PointForce(p, h-cliques.Handle(len(c.Verts)-1-i)).Neg()
		force = force.Add(f)
		moment = moment.Add(k.Vertex(c.Deformable, v).Sub(p_W).Cross(f))
	}
	return force, moment
}

// Describe implements Described.
func (c *Fixed) Describe() Description {
	d := Description{Rows: []Spring{c.Spring, c.Spring, c.Spring}, Terms: len(c.Verts)}
	for i, v := range c.Verts {
		d.Points = append(d.Points, VertexAnchor(c.Deformable, v), Anchor{Body: c.Body, Pos_B: c.Pos_B[i]})
	}
	return d
}

// Violation implements Described: the largest distance of a vertex from the point to which it is attached.
func (c *Fixed) Violation(k Kinematics) (worst Violation) {
	for i := range c.Verts {
		worst.Distance = max(worst.Distance, c.offset(k, i).Norm())
	}
	return worst
}

// StoredEnergy implements Described.
func (c *Fixed) StoredEnergy(k Kinematics) (energy float64) {
	for i := range c.Verts {
		energy += c.stored(c.offset(k, i).Norm2())
	}
	return energy
}

// offset returns the position of a vertex from the point to which it is attached, m.
func (c *Fixed) offset(k Kinematics, i int) r3.Vec {
	return k.Vertex(c.Deformable, c.Verts[i]).Sub(k.Pose(c.Body).Point(c.Pos_B[i]))
}
