package sim

import (
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Signal is a number that a run records. It is read after a step, with the scene
// placed at the new state; contact and drive forces are those of the step that
// led there, 0 when this stepper did not take it.
type Signal interface {
	Value(s *Stepper, x *State) float64
}

// Component picks a number out of a vector.
type Component int

// Components of a vector; Norm is its length.
const (
	X Component = iota
	Y
	Z
	Norm
)

func (c Component) of(v r3.Vec) float64 {
	if c == Norm {
		return v.Norm()
	}
	return v[c]
}

// Point is a material point: of a rigid body at Pos_B, or a deformable's vertex.
type Point struct {
	Body  int
	Pos_B r3.Vec // m, in the body's frame (world: in the world)
	Vert  int    // of a deformable
}

func (s *Stepper) isSoft(body int) bool { return body >= s.Model.Geometry.NumRigid }

// pos returns p_WP, vel v_WP.
func (p *Point) pos(s *Stepper) r3.Vec {
	if s.isSoft(p.Body) {
		return s.kin.Vertex(p.Body, int32(p.Vert))
	}
	return s.kin.Pose(p.Body).Point(p.Pos_B)
}

func (p *Point) vel(s *Stepper, x *State) r3.Vec {
	if p.Body == geometry.World {
		return r3.Vec{}
	}
	if s.isSoft(p.Body) {
		o := s.offsetV(p.Body) + 3*p.Vert
		return r3.Vec(x.V[o : o+3])
	}
	w, v := s.rigid.Velocity(p.Body)
	X := s.kin.Pose(p.Body)
	return v.Add(w.Cross(X.R.MulVec(p.Pos_B)))
}

// offsetV returns where a deformable's velocities start in State.V.
func (s *Stepper) offsetV(body int) int {
	o := 0
	if s.rigid != nil {
		_, o = s.rigid.Size()
	}
	for i := range body - s.Model.Geometry.NumRigid {
		_, nv := s.soft[i].Size()
		o += nv
	}
	return o
}

// Position is a component of p_WP, or of p_RP with a rigid body R for reference.
type Position struct {
	Point
	Of  Component
	Ref int // rigid body or geometry.World
}

// Value implements Signal, m.
func (g Position) Value(s *Stepper, _ *State) float64 {
	return g.Of.of(s.kin.Pose(g.Ref).InvPoint(g.pos(s)))
}

// Velocity is a component of v_WP, or of the velocity that an observer on the
// reference body sees, in its axes.
type Velocity struct {
	Point
	Of  Component
	Ref int
}

// Value implements Signal, m/s.
func (g Velocity) Value(s *Stepper, x *State) float64 {
	v := g.vel(s, x)
	if g.Ref == geometry.World {
		return g.Of.of(v)
	}
	X := s.kin.Pose(g.Ref)
	ref := Point{Body: g.Ref, Pos_B: X.InvPoint(g.pos(s))}
	return g.Of.of(X.R.TMulVec(v.Sub(ref.vel(s, x))))
}

// Rotation is a component of the rotation vector of a body's R_RB; Norm is the
// angle.
type Rotation struct {
	Body, Ref int
	Of        Component
}

// Value implements Signal, rad.
func (g Rotation) Value(s *Stepper, _ *State) float64 {
	return g.Of.of(s.kin.Pose(g.Ref).R.T().Mul(s.kin.Pose(g.Body).R).Quat().Log())
}

// AngularVelocity is a component of a rigid body's ω, world axes.
type AngularVelocity struct {
	Body int
	Of   Component
}

// Value implements Signal, rad/s.
func (g AngularVelocity) Value(s *Stepper, _ *State) float64 {
	w, _ := s.rigid.Velocity(g.Body)
	return g.Of.of(w)
}

// ForceKind says what a ContactForce measures.
type ForceKind int

// What a ContactForce measures: a component or the length of the resultant; the
// sum of the magnitudes of normal forces, or of friction forces; a component or
// the length of the moment about a point.
const (
	Resultant ForceKind = iota
	NormalSum
	FrictionSum
	Moment
)

// ContactForce is the force that bodies exert on a body through contact.
type ContactForce struct {
	On   int
	From []int // scene bodies; empty: all
	Kind ForceKind
	Of   Component

	About_B    r3.Vec // of a Moment, in the body's frame, m; of a deformable in the world
	InBodyAxes bool   // a Moment's components are along the body's axes, not the world's
}

// Value implements Signal, N, of a Moment N m.
func (g ContactForce) Value(s *Stepper, x *State) float64 {
	var sum, about_W r3.Vec
	scalar := 0.0
	contacts := s.contactsOf(x)
	if g.Kind == Moment {
		about_W = g.About_B
		if !s.isSoft(g.On) {
			about_W = s.kin.Pose(g.On).Point(g.About_B)
		}
	}
	for i := range contacts {
		c := &contacts[i]
		sign, other := 1.0, c.A.Body
		if c.A.Body == g.On {
			sign, other = -1, c.B.Body
		} else if c.B.Body != g.On {
			continue
		}
		if !among(g.From, other) {
			continue
		}
		if c.A.Body == c.B.Body { // the forces on both sides cancel
			sign = 0
		}
		switch g.Kind {
		case Resultant:
			sum = sum.AddScaled(sign, c.Force_W)
		case Moment:
			sum = sum.AddScaled(sign, c.Pos_W.Sub(about_W).Cross(c.Force_W))
		case NormalSum:
			scalar += c.Normal
		case FrictionSum:
			scalar += c.Force_W.AddScaled(-c.Normal, c.Normal_W).Norm()
		}
	}
	switch {
	case g.Kind == Moment && g.InBodyAxes:
		return g.Of.of(s.kin.Pose(g.On).R.TMulVec(sum))
	case g.Kind == Moment, g.Kind == Resultant:
		return g.Of.of(sum)
	}
	return scalar
}

// contactsOf returns the contacts of the step that led to a state.
func (s *Stepper) contactsOf(x *State) []ContactReport {
	if !s.took(x) {
		return nil
	}
	return s.Report.Contacts()
}

// took reports whether this stepper's last step led to a state.
func (s *Stepper) took(x *State) bool { return x.Step > 0 && x.Step == s.Report.Step }

// among reports whether a body is one of a list; an empty one stands for all.
func among(bodies []int, body int) bool {
	return len(bodies) == 0 || slices.Contains(bodies, body)
}

// JointPosition is a one-degree-of-freedom joint's q, m or rad.
type JointPosition struct{ Dof int }

// Value implements Signal.
func (g JointPosition) Value(s *Stepper, _ *State) float64 {
	q, _ := s.rigid.Dof(g.Dof)
	return q
}

// JointVelocity is a one-degree-of-freedom joint's v, m/s or rad/s.
type JointVelocity struct{ Dof int }

// Value implements Signal.
func (g JointVelocity) Value(s *Stepper, _ *State) float64 {
	_, v := s.rigid.Dof(g.Dof)
	return v
}

// Effort is the force or torque of a model constraint of one equation, such as a
// controller.
type Effort struct{ Constraint int }

// Value implements Signal, N or N m.
func (g Effort) Value(s *Stepper, x *State) float64 {
	if !s.took(x) || s.modelTerms[g.Constraint] < 0 {
		return 0
	}
	return constraints.Effort(&s.Problem, s.modelTerms[g.Constraint])
}

// EnergyKind says what an Energy measures.
type EnergyKind int

// Kinds of energy.
const (
	Kinetic EnergyKind = iota
	Potential
	Elastic
	Total
)

// Energy is the energy of all bodies.
type Energy struct{ Kind EnergyKind }

// Value implements Signal, J.
func (g Energy) Value(s *Stepper, x *State) float64 {
	e := 0.0
	if g.Kind == Kinetic || g.Kind == Total {
		e += s.KineticEnergy(x)
	}
	if g.Kind == Potential || g.Kind == Total {
		e += s.potentialEnergy()
	}
	if g.Kind == Elastic || g.Kind == Total {
		e += s.elasticEnergy()
	}
	return e
}

// Momentum is the linear momentum of all bodies.
type Momentum struct{ Of Component }

// Value implements Signal, N s.
func (g Momentum) Value(s *Stepper, x *State) float64 { return g.Of.of(s.momentum(x)) }

// VonMises is the largest von Mises stress of a deformable.
type VonMises struct{ Deformable int }

// Value implements Signal, Pa.
func (g VonMises) Value(s *Stepper, _ *State) float64 { return s.soft[g.Deformable].MaxVonMises() }

// ContactCount is the number of contacts of the step.
type ContactCount struct{}

// Value implements Signal.
func (ContactCount) Value(s *Stepper, x *State) float64 { return float64(len(s.contactsOf(x))) }

// Penetration is the deepest overlap at the start of the step.
type Penetration struct{}

// Value implements Signal, m.
func (Penetration) Value(s *Stepper, x *State) float64 {
	if !s.took(x) {
		return 0
	}
	return s.Report.Penetration
}

// Speed is the largest speed of any rigid body's origin or vertex.
type Speed struct{}

// Value implements Signal, m/s.
func (Speed) Value(s *Stepper, x *State) float64 {
	fastest := 0.0
	for i := range s.Model.Geometry.NumRigid {
		_, v := s.rigid.Velocity(i)
		fastest = max(fastest, v.Norm())
	}
	for i := range s.soft {
		o := s.offsetV(s.Model.Geometry.NumRigid + i)
		for j := range s.soft[i].model.NumVerts() {
			fastest = max(fastest, r3.Vec(x.V[o+3*j:o+3*j+3]).Norm())
		}
	}
	return fastest
}
