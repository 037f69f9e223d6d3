package constraints

// A ball joint keeps two points together:
//
//	g = p_PQ,  ġ = v_Q − v_P (3 equations, world axes).
//
// The impulse acts on B, its negative on A, on one line of action. Between two points of
// deformables it acts at either point, so that a gap between them leaves the moment
// p_PQ × γ; the joint closes the gap.

import (
	"errors"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Ball keeps point B at point A, leaving rotations free.
type Ball struct {
	// A and B are the points that are kept at one place.
	A, B Anchor
	Spring
}

var _ Described = (*Ball)(nil)

var _ = Constraints.Register(kinds.Kind[Spec]{
	Name: "ball",
	Doc:  "Keeps a point of one body at a point of another and leaves rotations free.",
	New:  func() Spec { return &BallSpec{} },
	Samples: func() []Spec {
		return []Spec{&BallSpec{TwoPoints{TwoBodies: TwoBodies{"box", "ball"}}}, &BallSpec{TwoPoints{TwoBodies{"", "box"}, nil, r3.Vec{0.01, 0.02, 0.03}}}, &BallSpec{TwoPoints{TwoBodies{"box", "pad"}, nil, r3.Vec{0.02, 0.01, 0.01}}}}
	},
})

// BallSpec are the parameters of a ball constraint.
type BallSpec struct{ TwoPoints }

// Make implements Spec.
func (s *BallSpec) Make(r Resolver) (Constraint, error) {
	a, b, err := s.anchors(r)
	return &Ball{A: a, B: b}, err
}

// Check implements Checker.
func (c *Ball) Check() error { return errors.Join(c.A.check(), c.B.check(), c.Spring.Check()) }

// Append implements Constraint with one term of three equations.
func (c *Ball) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 3)
	p.AddConstraint(law)
	f, p_PQ := anchorPoints(k, p, &c.A, &c.B)
	for i := range 3 {
		law.rows[i].spring(c.Spring, p_PQ[i], maxCorrection)
		law.rows[i].loop = c.A.N == 0 && c.B.N == 0
	}
	// v_Q − v_P in world axes
	for i, s := range [2]float64{-1, 1} {
		if f[i].Body != geometry.World {
			k.PointRows(p, &f[i], &worldAxes, &noOffset, s)
		}
	}
	if end := k.AtEnd(); end != nil {
		at := anchorOffset(end, &c.A, &c.B)
		for i := range 3 {
			follow(k, p, i, p_PQ[i], at[i])
		}
	}
	return 1
}

// Values implements Curved: p_PQ.
func (c *Ball) Values(k Kinematics, g *[6]float64) int {
	p_PQ := anchorOffset(k, &c.A, &c.B)
	return copy(g[:], p_PQ[:])
}

// noOffset is that of points at which all rows are taken.
var noOffset r3.Vec

// worldAxes is the frame of equations in world axes.
var worldAxes = r3.Identity()

// anchorOffset returns p_PQ of two anchors now.
func anchorOffset(k Kinematics, a, b *Anchor) r3.Vec {
	return b.position(k).Sub(a.position(k))
}

// Describe implements Described.
func (c *Ball) Describe() Description {
	return Description{Points: []Anchor{c.A, c.B}, Rows: []Spring{c.Spring, c.Spring, c.Spring}, Terms: 1}
}

// Violation implements Described.
func (c *Ball) Violation(k Kinematics) Violation {
	return Violation{Distance: anchorOffset(k, &c.A, &c.B).Norm()}
}

// StoredEnergy implements Described.
func (c *Ball) StoredEnergy(k Kinematics) float64 {
	return c.stored(anchorOffset(k, &c.A, &c.B).Norm2())
}
