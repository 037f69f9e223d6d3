package constraints

// Energy of the springs among constraints. With the errors g of its equations a spring of stiffness k stores
//
//	U = ½ k gᵀg                                                                (1)
//
// of a rope and a limit with the part of g that they resist. Constraints without a finite stiffness are near-rigid, and store nothing
// that lasts. Source: Hooke's law.

import "math"

// Elastic is a Constraint that may store energy.
type Elastic interface {
	Constraint
	// StoredEnergy returns the energy of its springs at the poses of k, J.
	StoredEnergy(k Kinematics) float64
	// HasSpring reports whether it has a spring of finite stiffness.
	HasSpring() bool
}

// storing reports whether the spring stores energy.
func (s Spring) storing() bool { return s.Stiffness > 0 && !math.IsInf(s.Stiffness, 1) }

// stored returns (1) for g·g, J.
func (s Spring) stored(g2 float64) float64 {
	if !s.storing() {
		return 0
	}
	return 0.5 * s.Stiffness * g2
}

// HasSpring implements Elastic, of constraints with one spring.
func (s Spring) HasSpring() bool { return s.storing() }

// StoredEnergy implements Elastic.
func (c *Distance) StoredEnergy(k Kinematics) float64 {
	g := c.Error(k)
	return c.stored(g * g)
}

// StoredEnergy implements Elastic.
func (c *Ball) StoredEnergy(k Kinematics) float64 {
	return c.stored(anchorOffset(k, &c.A, &c.B).Norm2())
}

// StoredEnergy implements Elastic.
func (c *Fixed) StoredEnergy(k Kinematics) (energy float64) {
	for i, v := range c.Verts {
		energy += c.stored(k.Vertex(c.Deformable, v).Sub(k.Pose(c.Body).Point(c.Pos_B[i])).Norm2())
	}
	return energy
}

// StoredEnergy implements Elastic.
func (c *Weld) StoredEnergy(k Kinematics) float64 {
	turn, p_PQ, _ := c.errors(k)
	return c.Rotation.stored(turn.Norm2()) + c.Translation.stored(p_PQ.Norm2())
}

// HasSpring implements Elastic.
func (c *Weld) HasSpring() bool { return c.Rotation.storing() || c.Translation.storing() }

// StoredEnergy implements Elastic.
func (c *Coupler) StoredEnergy(k Kinematics) float64 {
	g := c.Error(k)
	return c.stored(g * g)
}

// StoredEnergy implements Elastic.
func (c *JointSumLimit) StoredEnergy(k Kinematics) float64 {
	g := c.Error(k)
	return c.stored(g * g)
}

// StoredEnergy implements Elastic.
func (c *Limit) StoredEnergy(k Kinematics) float64 {
	q, _ := k.Dof(c.Dof)
	g := q - math.Max(c.Lower, math.Min(q, c.Upper))
	return c.stored(g * g)
}

// OfJoints is a constraint of positions of joints.
type OfJoints interface {
	// JointDofs returns the numbers of their degrees of freedom, as Kinematics.Dof takes them.
	JointDofs() []int
}

// JointDofs implements OfJoints.
func (c *Coupler) JointDofs() []int { return []int{c.A, c.B} }

// JointDofs implements OfJoints.
func (c *JointSumLimit) JointDofs() []int { return c.Dofs }

// JointDofs implements OfJoints.
func (c *Limit) JointDofs() []int { return []int{c.Dof} }

var _, _, _, _, _, _, _ Elastic = (*Distance)(nil), (*Ball)(nil), (*Fixed)(nil), (*Weld)(nil), (*Coupler)(nil), (*JointSumLimit)(nil), (*Limit)(nil)
