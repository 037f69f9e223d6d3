package constraints

// Stop is a Constraint of one equation that only pushes: a joint limit, a rope. Controllers that compute the efforts of
// a planned motion let it carry what rests on it.
type Stop interface {
	Constraint
	// AtStop returns the sign of its impulses, 1 or −1, where its positions are at an end that they cannot pass, or
	// nearer than within (m or rad) to it; else 0. It is 0 for springs, which yield.
	AtStop(k Kinematics, within float64) float64
}

// AtStop implements Stop.
func (c *Limit) AtStop(k Kinematics, within float64) float64 {
	q, _ := k.Dof(c.Dof)
	return atStop(c.Spring, q-c.Lower, c.Upper-q, within)
}

// AtStop implements Stop.
func (c *JointSumLimit) AtStop(k Kinematics, within float64) float64 {
	if c.Lower == c.Upper {
		return 0 // a Tie
	}
	l, _ := c.At(k)
	return atStop(c.Spring, l-c.Lower, c.Upper-l, within)
}

// AtStop implements Stop: of a taut rope between rigid bodies, whose equation is the rate of its slack.
func (c *Distance) AtStop(k Kinematics, within float64) float64 {
	if !c.Rope || c.A.N > 0 || c.B.N > 0 || !c.Spring.rigid() || anchorOffset(k, &c.A, &c.B).Norm() < c.Length-within {
		return 0
	}
	return 1
}

// atStop returns the sign of impulses on a position with gaps to its lower and its upper end.
func atStop(s Spring, below, above, within float64) float64 {
	switch {
	case !s.rigid():
		return 0
	case below <= within && below <= above:
		return 1
	case above <= within:
		return -1
	}
	return 0
}

var _ = []Stop{(*Limit)(nil), (*JointSumLimit)(nil), (*Distance)(nil)}
