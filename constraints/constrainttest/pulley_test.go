package constrainttest

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// pulley is a constraint that a program adds in one file of its own, with a law of its own: a belt of the length L from
// a point of one body over two points of the world to a point of another one,
//
//	g = |p_A − P_A| + |p_B − P_B| − L
type pulley struct {
	a, b   constraints.Anchor
	P      [2]r3.Vec // of the world, m
	length float64   // m
	constraints.Spring
}

// ends returns the points of the bodies now, m.
func (c *pulley) ends(k constraints.Kinematics) [2]r3.Vec {
	return [2]r3.Vec{k.Pose(c.a.Body).Point(c.a.Pos_B), k.Pose(c.b.Body).Point(c.b.Pos_B)}
}

// stretch returns g, m.
func (c *pulley) stretch(k constraints.Kinematics) float64 {
	at := c.ends(k)
	return at[0].Sub(c.P[0]).Norm() + at[1].Sub(c.P[1]).Norm() - c.length
}

// Append implements constraints.Constraint.
func (c *pulley) Append(k constraints.Kinematics, p *cliques.Problem) int {
	p.AddConstraint(&belt{k: c.Stiffness, d: c.Damping, g: c.stretch(k)})
	for i, at := range c.ends(k) {
		f := geometry.MaterialPoint{Body: []int{c.a.Body, c.b.Body}[i], Pos_W: at}
		k.PointRow(p, 0, &f, at.Sub(c.P[i]).Unit(), 1)
	}
	return 1
}

// Describe implements constraints.Described.
func (c *pulley) Describe() constraints.Description {
	points := []constraints.Anchor{c.a, {Body: geometry.World, Pos_B: c.P[0]}, {Body: geometry.World, Pos_B: c.P[1]}, c.b}
	return constraints.Description{Points: points, Rows: []constraints.Spring{c.Spring}, Terms: 1}
}

// Violation implements constraints.Described.
func (c *pulley) Violation(k constraints.Kinematics) constraints.Violation {
	return constraints.Violation{Distance: math.Abs(c.stretch(k))}
}

// StoredEnergy implements constraints.Described.
func (c *pulley) StoredEnergy(k constraints.Kinematics) float64 {
	g := c.stretch(k)
	return 0.5 * c.Stiffness * g * g
}

// belt is a spring of the stiffness k (N/m) with the damping d (N s/m), stretched by g (m) at the start of the step: γ
// = −h (k (g + h c) + d c).
type belt struct{ k, d, g, h float64 }

func (*belt) Dim() int                         { return 1 }
func (l *belt) Prepare(h float64, _ []float64) { l.h = h }
func (l *belt) Eval(vc, gamma, G []float64) float64 {
	c, stiff := vc[0], l.h*(l.h*l.k+l.d)
	gamma[0], G[0] = -l.h*l.k*l.g-stiff*c, stiff
	return (l.h*l.k*l.g + stiff*c/2) * c
}

func TestConstraintsOfOtherProgramsPass(t *testing.T) {
	w := NewWorld()
	c := &pulley{a: constraints.Anchor{Body: 0, Pos_B: r3.Vec{0.1, 0, 0}}, b: constraints.Anchor{Body: 1, Pos_B: r3.Vec{0, 0.05, 0}}, P: [2]r3.Vec{{0.3, 0.2, 1.5}, {-0.4, 0.1, 1.2}}}
	c.Spring = constraints.Spring{Stiffness: 100, Damping: 20}
	c.length = c.stretch(w)
	Check(t, c, w)
	c.length += 0.01
	var r recorder
	if Check(&r, c, w); !r.Failed() {
		t.Error("a belt that is not taut passes as one whose error is zero")
	}
}
