package sim

// Derivatives of signals of one point, such as the position of a finger's tip, by the state at the end of a step. A
// model with deformables has thousands of coordinates, of which such a signal reads six of a vertex and those of rigid
// bodies. With a position p and a velocity v in the world, the frame R of the body to which they are relative, its
// angular velocity ω, and the derivative e of the component,
//
//	position   ∂s/∂p = R e                                     (1)
//	velocity   ∂s/∂v = R e,   ∂s/∂p = ω × R e                   (2)
//
// Coordinates of rigid bodies have differences.

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// pointSignal is implemented by signals of the state that read one point and a rigid body.
type pointSignal interface {
	// readsPoint returns the point, and the rigid body to which it is relative, or geometry.World.
	readsPoint() (p *Point, ref int)
	// byVertex returns the derivatives (1), (2) by position and velocity of the point, a vertex of a deformable, at the
	// state x. The stepper is placed there where the signal is relative to a rigid body.
	byVertex(s *Stepper, x *State) (position, velocity r3.Vec)
}

var _, _ pointSignal = Position{}, Velocity{}

// slope returns the derivative of a component by the vector; zero for the length of a zero vector, a kink.
func (c Component) slope(v r3.Vec) (e r3.Vec) {
	switch {
	case c != Norm:
		e[c] = 1
	case v.Norm2() > 0:
		e = v.Unit()
	}
	return e
}

// vertexAt returns position and velocity in the world of the point, a vertex of a deformable.
func (p *Point) vertexAt(s *Stepper, x *State) (position, velocity r3.Vec) {
	nq, nv := s.Model.RigidSize()
	o := s.offsetV(p.Body) + 3*p.Vert
	q := nq + o - nv
	return r3.Vec(x.Q[q : q+3]), r3.Vec(x.V[o : o+3])
}

func (g Position) readsPoint() (p *Point, ref int) { return &g.Point, g.Ref }

func (g Position) byVertex(s *Stepper, x *State) (position, velocity r3.Vec) {
	p, _ := g.vertexAt(s, x)
	if g.Ref == geometry.World {
		return g.Of.slope(p), velocity
	}
	X := s.kin.Pose(g.Ref)
	return X.R.MulVec(g.Of.slope(X.InvPoint(p))), velocity // (1)
}

func (g Velocity) readsPoint() (p *Point, ref int) { return &g.Point, g.Ref }

func (g Velocity) byVertex(s *Stepper, x *State) (position, velocity r3.Vec) {
	p, v := g.vertexAt(s, x)
	if g.Ref == geometry.World {
		return position, g.Of.slope(v)
	}
	X := s.kin.Pose(g.Ref)
	ref := Point{Body: g.Ref, Pos_B: X.InvPoint(p)}
	velocity = X.R.MulVec(g.Of.slope(X.R.TMulVec(v.Sub(ref.vel(s, x)))))
	w, _ := s.rigid.Velocity(g.Ref)
	return w.Cross(velocity), velocity // (2)
}

// differentiatePointSignals adds the derivatives of signals of points in models with deformables to those by the end of
// the step, and takes these signals off the list of signals of states.
func (l *Linearization) differentiatePointSignals(bar []float64) {
	s, d := l.s, &l.signals
	if len(s.deformables) == 0 {
		return
	}
	nv := len(l.place)
	_, joints := s.Model.RigidSize()
	others, ended := d.of[0][:0], false
	d.points = d.points[:0]
	for _, i := range d.of[0] {
		g, ok := s.Model.Signals[i].Signal.(pointSignal)
		if !ok {
			others = append(others, i)
			continue
		}
		p, ref := g.readsPoint()
		if ref != geometry.World || !s.isDeformable(p.Body) {
			d.points = append(d.points, i) // moves with rigid bodies
		}
		if !s.isDeformable(p.Body) {
			continue
		}
		if !ended {
			l.End(&d.state)
			ended = true
		}
		if ref != geometry.World {
			s.Place(&d.state, l.h)
		}
		position, velocity := g.byVertex(s, &d.state)
		o := s.offsetV(p.Body) + 3*p.Vert
		for k := range 3 {
			if l.place[o+k] >= 0 {
				d.end[o+k] += bar[i] * position[k]
				d.end[nv+o+k] += bar[i] * velocity[k]
			}
		}
	}
	if len(d.points) > 0 {
		d.of[0] = d.points
		for k := range 2 * nv {
			if k%nv < joints {
				l.direction[k] = 1
				d.end[k] += l.differenceOfState(bar, l.direction, k, k+1)
				l.direction[k] = 0
			}
		}
	}
	d.of[0] = others
}
