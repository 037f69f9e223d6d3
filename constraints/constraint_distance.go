package constraints

// A distance keeps two points a length L apart, as a rod or a spring:
//
//	g = |p_PQ| − L,   ġ = p̂·(v_Q − v_P),   p̂ = (p_PQ + p_PQ⁺)/(|p_PQ| + |p_PQ⁺|),
//
// with p_PQ⁺ at the end of the step, so that h ġ is the change of g (curved.go); between vertices p_PQ⁺ = p_PQ.
//
// A rope only keeps them from being farther apart: g = L − |p_PQ| ≥ 0, ġ the
// negative. p̂ is constant during the step, which drops the geometric stiffness
// across the line and keeps the cost convex.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Distance keeps two points at a distance.
type Distance struct {
	// A and B are the points whose distance is kept.
	A, B   Anchor
	Length float64 // L, m
	Rope   bool    // resists only distances above Length, as a rope does
	Spring
}

var _ Described = (*Distance)(nil)

var _ = Constraints.Register(kinds.Kind[Spec]{
	Name: "distance",
	Doc:  "Keeps two points at a distance, as a rod, a spring or a rope does.",
	New:  func() Spec { return &DistanceSpec{} },
	Samples: func() []Spec {
		length, stiffness := 0.3, 2e3
		return []Spec{
			&DistanceSpec{TwoBodies: TwoBodies{"box", "ball"}, PointB: r3.Vec{0, 0, 0.02}},
			&DistanceSpec{TwoBodies: TwoBodies{"", "ball"}, Length: &length, Stiffness: &stiffness, Damping: 10},
			&DistanceSpec{TwoBodies: TwoBodies{"ball", "box"}, Rope: true},
			&DistanceSpec{TwoBodies: TwoBodies{"box", "pad"}, PointB: r3.Vec{0.02, 0.01, 0.01}},
		}
	},
})

// DistanceSpec are the parameters of a distance.
type DistanceSpec struct {
	TwoBodies
	// PointA is the point on body A, m, in its frame; of a deformable in that of its mesh.
	PointA r3.Vec `key:"point_a" unit:"m" doc:"point in the frame of a, of a deformable in that of its mesh"`
	// PointB is the point on body B, m, in its frame; of a deformable in that of its mesh.
	PointB r3.Vec `key:"point_b" unit:"m" doc:"point in the frame of b, of a deformable in that of its mesh"`
	// Length is the distance, m; nil: that at the start.
	Length *float64 `key:"length" unit:"m" doc:"distance" default:"at the start" above:"0"`
	// Stiffness is the stiffness of the rod or spring, N/m; nil: as stiff as the step resolves.
	Stiffness *float64 `key:"stiffness,inf" unit:"N/m" doc:"stiffness" default:"near-rigid" min:"0"`
	// Damping is the force over the rate of the distance, N s/m.
	Damping float64 `key:"damping" unit:"N s/m" doc:"damping" min:"0"`
	// Rope reports that only a longer distance is resisted, never a shorter one.
	Rope bool `key:"rope" doc:"only pulls"`
}

// Make implements Spec.
func (s *DistanceSpec) Make(r Resolver) (Constraint, error) {
	points := TwoPoints{s.TwoBodies, &s.PointA, s.PointB}
	a, b, err := points.anchors(r)
	if err != nil {
		return nil, err
	}
	c := &Distance{A: a, B: b, Rope: s.Rope, Spring: Spring{math.Inf(1), s.Damping}}
	c.Length = startOf(r, &b).Sub(startOf(r, &a)).Norm()
	set(&c.Length, s.Length)
	set(&c.Stiffness, s.Stiffness)
	if c.Length <= 0 {
		return nil, fmt.Errorf("length is %g m: it must be positive (are both points at one place?)", c.Length)
	}
	return c, c.Check()
}

// Check implements Checker.
func (c *Distance) Check() error {
	return errors.Join(c.A.check(), c.B.check(), checkPositive("length", c.Length), c.Spring.Check())
}

// coincidentDistance is the distance (m) below which two points have no direction.
const coincidentDistance = 1e-14

// Append implements Constraint with one term of one equation.
func (c *Distance) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 1)
	p.AddConstraint(law)
	f := cliques.New[materialPoints](p)
	c.A.feature(k, &f[0])
	c.B.feature(k, &f[1])
	p_PQ := f[1].Pos_W.Sub(f[0].Pos_W)
	d := p_PQ.Norm()
	after, end := d, k.AtEnd()
	mean, span := p_PQ, d
	if end != nil {
		at := anchorOffset(end, &c.A, &c.B)
		after = at.Norm()
		// vertices have their momenta where they are at the start of the step
		if c.A.N == 0 && c.B.N == 0 {
			mean, span = p_PQ.Add(at), d+after
			f[0].Pos_W, f[1].Pos_W = k.Lever(c.A.Body, f[0].Pos_W), k.Lever(c.B.Body, f[1].Pos_W)
		}
	}
	dir := r3.Vec{1, 0, 0}
	if span > coincidentDistance {
		dir = mean.Scale(1 / span)
	}
	if c.Rope {
		law.rows[0].oneSided(c.Spring, c.Length-d, maxCorrection)
		dir = dir.Neg()
	} else {
		law.rows[0].spring(c.Spring, d-c.Length, maxCorrection)
	}
	law.rows[0].loop = c.A.N == 0 && c.B.N == 0
	relativePointRow(k, p, 0, &f[0], &f[1], dir)
	if end != nil {
		sign := 1.0
		if c.Rope {
			sign = -1
		}
		follow(k, p, 0, sign*d, sign*after)
	}
	return 1
}

// Values implements Curved: the distance, of a rope its negative.
func (c *Distance) Values(k Kinematics, g *[6]float64) int {
	if g[0] = anchorOffset(k, &c.A, &c.B).Norm(); c.Rope {
		g[0] = -g[0]
	}
	return 1
}

// excess returns |p_PQ| − L (m) now, for a rope only its excess.
func (c *Distance) excess(k Kinematics) float64 {
	g := anchorOffset(k, &c.A, &c.B).Norm() - c.Length
	if c.Rope {
		return max(0, g)
	}
	return g
}

// Spans implements Line: p_PQ of rigid bodies.
func (c *Distance) Spans(k Kinematics, dst []r3.Vec) []r3.Vec {
	if c.A.N > 0 || c.B.N > 0 {
		return dst
	}
	return append(dst, anchorOffset(k, &c.A, &c.B))
}

// Tension returns the pull (N) between the points, negative for a push, of the
// distance with handle h after the solve.
func (c *Distance) Tension(p *cliques.Problem, h cliques.Handle) float64 {
	if c.Rope {
		return Effort(p, h)
	}
	return -Effort(p, h)
}

// Describe implements Described.
func (c *Distance) Describe() Description {
	return Description{Points: []Anchor{c.A, c.B}, Rows: []Spring{c.Spring}, Terms: 1, OneSided: c.Rope}
}

// Violation implements Described: of a rope only its excess.
func (c *Distance) Violation(k Kinematics) Violation {
	return Violation{Distance: math.Abs(c.excess(k))}
}

// StoredEnergy implements Described.
func (c *Distance) StoredEnergy(k Kinematics) float64 {
	g := c.excess(k)
	return c.stored(g * g)
}
