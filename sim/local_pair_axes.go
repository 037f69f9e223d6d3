package sim

// Axes of displaced contacts, for local_pair.go.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// axisTurn turns tangential components from axes of a contact that follow its normal to those that it has there.
//
// Axes of contacts are made from the normal and from the coordinate axis that is least aligned with it: where that is
// another one, they jump. What is held fixed in them would then be another vector, while impulses in the world do not
// jump.
type axisTurn struct {
	turned   bool
	cos, sin float64
}

// sameAxes is the cosine of angles of first axes below which they are made from different coordinate axes: then it is
// 1/2 at most.
const sameAxes = 0.9

// findTurn sets the turn of the axes of a displaced contact.
func (t *pairTerm) findTurn(c *geometry.Contact) {
	t.turn.turned = false
	R, t1 := constraints.ContactFrame(c), t.axes.Col(0)
	x, y := R.Col(0).Dot(t1), R.Col(1).Dot(t1)
	if x > sameAxes {
		return
	}
	size := math.Hypot(x, y)
	t.turn = axisTurn{true, x / size, y / size}
}

// into turns tangential components of a vector into the axes that a displaced contact has.
func (a *axisTurn) into(c []float64) {
	if a.turned {
		c[0], c[1] = a.cos*c[0]-a.sin*c[1], a.sin*c[0]+a.cos*c[1]
	}
}

// back turns rows of tangential components, of n numbers each, back.
func (a *axisTurn) back(rows []float64, n int) {
	for k := range n {
		x, y := rows[k], rows[n+k]
		rows[k], rows[n+k] = a.cos*x+a.sin*y, a.cos*y-a.sin*x
	}
}

// evaluateAt writes the impulse of term i of the displaced part at the velocity of contact that it has in the step, in
// the axes that it has there, and turns its rows into these.
func (d *localDerivatives) evaluateAt(i int, t *pairTerm, gamma []float64) {
	if !t.turn.turned {
		d.evaluate(i, t.end[:t.dim], gamma, d.G[:])
		return
	}
	end := t.end
	t.turn.into(end[:])
	d.evaluate(i, end[:t.dim], gamma, d.G[:])
	t.turn.back(gamma, 1)
	row := d.problem.Constraints[i].Row
	t.turn.back(d.problem.Bias[row:row+t.dim], 1)
	for _, b := range d.problem.Blocks(cliques.Handle(i)) {
		t.turn.back(b.J, 6)
	}
}
