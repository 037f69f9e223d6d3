package constraints

// Tie is a Constraint that may take motions away from joints and bodies for good, whatever the load: a
// closed loop, a gear. Its rows are the rates of what it keeps at zero. Controllers that compute the efforts of a
// planned motion read from the rows which other joints move with those that they drive.
type Tie interface {
	Constraint
	// Ties reports whether it does so with its present parameters: springs and limits do not.
	Ties() bool
}

// Ties implements Tie: of rigid bodies, as stiff as the step resolves.
func (c *Ball) Ties() bool { return c.A.N == 0 && c.B.N == 0 && c.Spring.rigid() }

// Ties implements Tie.
func (c *Weld) Ties() bool { return c.Rotation.rigid() && c.Translation.rigid() }

// Ties implements Tie: a rod, no rope and no spring.
func (c *Distance) Ties() bool {
	return !c.Rope && c.A.N == 0 && c.B.N == 0 && c.Spring.rigid()
}

// Ties implements Tie.
func (c *Coupler) Ties() bool { return c.Spring.rigid() }

// Ties implements Tie: where both limits are equal the joints are coupled.
func (c *JointSumLimit) Ties() bool { return c.Lower == c.Upper && c.Spring.rigid() }

// Ties implements Tie: friction acts by a bounded effort.
func (c *JointFriction) Ties() bool { return false }

// Ties implements Tie.
func (c *Limit) Ties() bool { return false }

// Ties implements Tie.
func (c *Drag) Ties() bool { return false }

// Ties implements Tie.
func (c *Wrench) Ties() bool { return false }

// Ties implements Tie: a deformable yields.
func (c *Fixed) Ties() bool { return false }

var (
	_ = []Tie{(*Ball)(nil), (*Weld)(nil), (*Distance)(nil), (*Coupler)(nil), (*JointSumLimit)(nil), (*JointFriction)(nil),
		(*Limit)(nil), (*Drag)(nil), (*Wrench)(nil), (*Fixed)(nil)}
)
