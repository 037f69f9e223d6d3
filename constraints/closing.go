package constraints

// Loops that close: bodies on a ball, a weld, a rod, a rope or a coupler whose velocities at the start of a step it
// does not allow, as at the start of a run, where a rope becomes taut, a hold closes, or a contact struck one of them.
// The midpoint rule would reflect the difference, as it does in impacts that a step does not resolve, and reflect it
// back from step to step. So they are impacts without rebound (impact.go): what two bodies share has none, and neither
// has a rope but by its stiffness.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// BodyVelocities is a Kinematics that has the velocities of bodies at the start of the step.
type BodyVelocities interface {
	Kinematics
	// PointVelocity returns the velocity (m/s) of the material point f, of a rigid body at p_W (m).
	PointVelocity(f geometry.MaterialPoint, p_W r3.Vec) r3.Vec
	// AngularVelocity returns that of a rigid body, rad/s; zero of geometry.World.
	AngularVelocity(body int) r3.Vec
}

// Closing is a Constraint that bodies may meet within a step.
type Closing interface {
	Constraint
	// Closing returns the impact of the bodies that it joins, and the sum of their speeds at it, beside which the
	// approach is small where they move smoothly: m/s, of joints the unit of their rates; 0 of a slack rope. size (m)
	// makes one of rates of angles. It is false where it joins none.
	Closing(k BodyVelocities, size float64) (i Impact, speed float64, ok bool)
}

// closes returns the impact of velocities that differ by rate at something rigid that bodies share.
func closes(rate float64) Impact {
	return Impact{Approach: -rate, Stiffness: math.Inf(1), InverseMass: math.Inf(1)}
}

// anchorVelocities returns two anchors with their velocities, and the sum of the speeds of bodies of a size (m) on
// them.
func anchorVelocities(k BodyVelocities, a, b *Anchor, size float64) (f [2]geometry.MaterialPoint, v [2]r3.Vec, speed float64) {
	a.feature(k, &f[0])
	b.feature(k, &f[1])
	for i := range f {
		v[i] = k.PointVelocity(f[i], f[i].Pos_W)
		if speed += v[i].Norm(); f[i].N == 0 {
			speed += size * k.AngularVelocity(f[i].Body).Norm()
		}
	}
	return f, v, speed
}

// Closing implements Closing.
func (c *Ball) Closing(k BodyVelocities, size float64) (i Impact, speed float64, ok bool) {
	if !c.rigid() {
		return i, 0, false
	}
	_, v, speed := anchorVelocities(k, &c.A, &c.B, size)
	return closes(v[1].Sub(v[0]).Norm()), speed, true
}

// Closing implements Closing.
func (c *Weld) Closing(k BodyVelocities, size float64) (i Impact, speed float64, ok bool) {
	if !c.Rotation.rigid() || !c.Translation.rigid() {
		return i, 0, false
	}
	_, _, p_WM := c.errors(k)
	var v, w [2]r3.Vec
	for j, body := range [2]int{c.A, c.B} {
		v[j], w[j] = k.PointVelocity(geometry.MaterialPoint{Body: body}, p_WM), k.AngularVelocity(body)
		speed += v[j].Norm() + size*w[j].Norm()
	}
	return closes(v[1].Sub(v[0]).Norm() + size*w[1].Sub(w[0]).Norm()), speed, true
}

// Closing implements Closing: of a rope that becomes taut, or is as stiff as the step resolves, and of a rod.
func (c *Distance) Closing(k BodyVelocities, size float64) (i Impact, speed float64, ok bool) {
	f, v, speed := anchorVelocities(k, &c.A, &c.B, size)
	p_PQ := f[1].Pos_W.Sub(f[0].Pos_W)
	d := p_PQ.Norm()
	if !(d > coincidentDistance) {
		return i, 0, false
	}
	dir := p_PQ.Scale(1 / d)
	rate := dir.Dot(v[1].Sub(v[0]))
	switch {
	case c.Rope:
		i = closes(rate)
		if gap := c.Length - d; gap > 0 {
			i.Gap, speed = gap, 0
		}
	case c.rigid():
		return closes(math.Abs(rate)), speed, true
	default: // a spring
		return i, 0, false
	}
	if masses, has := k.(InverseMasses); has && !c.rigid() {
		w := 0.0
		for j := range f {
			w += masses.InverseMass(f[j], f[j].Pos_W, dir)
		}
		i.Stiffness, i.InverseMass = c.Stiffness, w
		i.Restitution = kelvinVoigtRestitution(0.5 * c.Damping * math.Sqrt(w/c.Stiffness))
	}
	return i, speed, true
}

// Closing implements Closing.
func (c *Coupler) Closing(k BodyVelocities, _ float64) (i Impact, speed float64, ok bool) {
	if !c.rigid() {
		return i, 0, false
	}
	_, a := k.Dof(c.A)
	_, b := k.Dof(c.B)
	return closes(math.Abs(a - c.Ratio*b)), math.Abs(a) + math.Abs(c.Ratio*b), true
}

var _, _, _, _ Closing = (*Ball)(nil), (*Weld)(nil), (*Distance)(nil), (*Coupler)(nil)
