package sim

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Point is a material point: a point of a rigid body, or a vertex of a deformable.
type Point struct {
	// Body is a scene body, or geometry.World.
	Body int
	// Pos_B is the point of a rigid body in the body's frame, m.
	Pos_B r3.Vec
	// Vert is the vertex of a deformable.
	Vert int
}

// pos returns p_WP, m.
func (p *Point) pos(s *Stepper) r3.Vec {
	if s.isDeformable(p.Body) {
		return s.kin.Vertex(p.Body, int32(p.Vert))
	}
	return s.kin.Pose(p.Body).Point(p.Pos_B)
}

// vel returns v_WP, m/s.
func (p *Point) vel(s *Stepper, x *State) r3.Vec {
	if p.Body == geometry.World {
		return r3.Vec{}
	}
	if s.isDeformable(p.Body) {
		o := s.offsetV(p.Body) + 3*p.Vert
		return r3.Vec(x.V[o : o+3])
	}
	// v_WP = v_WB + ω × R_WB p_BP
	w, v := s.rigid.Velocity(p.Body)
	X := s.kin.Pose(p.Body)
	return v.Add(w.Cross(X.R.MulVec(p.Pos_B)))
}

// Position is a component of p_RP, the position of a point P in the frame of a rigid body R
// or the world.
type Position struct {
	Point
	// Of is the component.
	Of Component
	// Ref is the rigid body R, or geometry.World.
	Ref int
}

// Value implements Signal, m.
func (g Position) Value(s *Stepper, _ *State) float64 {
	return g.Of.of(s.kin.Pose(g.Ref).InvPoint(g.pos(s)))
}

// Velocity is a component of v_RP, the velocity of a point P relative to a rigid body R
// or the world, in R's axes.
type Velocity struct {
	Point
	// Of is the component.
	Of Component
	// Ref is the rigid body R, or geometry.World.
	Ref int
}

// Value implements Signal, m/s.
func (g Velocity) Value(s *Stepper, x *State) float64 {
	v := g.vel(s, x)
	if g.Ref == geometry.World {
		return g.Of.of(v)
	}
	// subtract the velocity of the point of R that coincides with P, and turn into R's axes
	X := s.kin.Pose(g.Ref)
	ref := Point{Body: g.Ref, Pos_B: X.InvPoint(g.pos(s))}
	return g.Of.of(X.R.TMulVec(v.Sub(ref.vel(s, x))))
}

// Speed is the largest speed of any rigid body's origin or deformable's vertex.
type Speed struct{}

// Value implements Signal, m/s.
func (Speed) Value(s *Stepper, x *State) float64 {
	fastest := 0.0
	// origins of rigid bodies
	for i := range s.Model.Geometry.NumRigid {
		_, v := s.rigid.Velocity(i)
		fastest = max(fastest, v.Norm())
	}
	// vertices of deformables
	for i := range s.deformables {
		o := s.offsetV(s.Model.Geometry.NumRigid + i)
		for j := range s.deformables[i].model.NumVerts() {
			fastest = max(fastest, r3.Vec(x.V[o+3*j:o+3*j+3]).Norm())
		}
	}
	return fastest
}

// resolvePoint returns a point of a body, and the body that it is seen from.
func (r *Resolver) resolvePoint(body string, point *r3.Vec, relativeTo string) (pt Point, ref int, err error) {
	if pt.Body, err = r.Body(body); err != nil {
		return pt, 0, err
	}
	if ref, err = r.RigidBody(relativeTo); err != nil {
		return pt, 0, err
	}
	if point != nil {
		pt.Pos_B = *point
	}
	if i, deformable := r.model.Names.Deformables[body]; deformable {
		if point == nil {
			return pt, 0, fmt.Errorf("a point of deformable %s is required: point: [x, y, z] in the frame of its mesh selects the nearest vertex", body)
		}
		pt.Vert = nearestVert(r.model.Deformables[i].Mesh(), *point)
	}
	return pt, ref, nil
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "position", Doc: "Position of a point of a body.",
	New: func() SignalSpec { return &PositionSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{
			&PositionSpec{Component: "z", Body: "ball"},
			&PositionSpec{Component: "norm", Body: "pad", Point: &r3.Vec{0, 0, 0.01}, RelativeTo: "box"},
		}
	},
})

// PositionSpec are the parameters of a Position.
type PositionSpec struct {
	// Component of the position: x, y, z or norm.
	Component string `key:"position,required" doc:"component of the position" choice:"x,y,z,norm"`
	// Rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	// Point in the body's frame; of a deformable in the frame of its mesh, where it
	// selects the nearest vertex, m. By default: the origin of a rigid body.
	Point *r3.Vec `key:"point" unit:"m" doc:"point in the body's frame; of a deformable in the frame of its mesh, where it selects the nearest vertex" default:"the origin of a rigid body"`
	// Rigid body from which it is seen, and in whose axes it is given. By default: world.
	RelativeTo string `key:"relative_to" doc:"rigid body from which it is seen, and in whose axes it is given" ref:"body" default:"world"`
	ofState
}

// Unit implements SignalSpec.
func (*PositionSpec) Unit() string { return "m" }

// Make implements SignalSpec.
func (p *PositionSpec) Make(r *Resolver) (Signal, error) {
	pt, ref, err := r.resolvePoint(p.Body, p.Point, p.RelativeTo)
	return Position{Point: pt, Of: components[p.Component], Ref: ref}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "velocity", Doc: "Velocity of a point of a body.",
	New: func() SignalSpec { return &VelocitySpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{
			&VelocitySpec{Component: "z", Body: "ball"},
			&VelocitySpec{Component: "x", Body: "pad", Point: &r3.Vec{}, RelativeTo: "arm"},
		}
	},
})

// VelocitySpec are the parameters of a Velocity.
type VelocitySpec struct {
	// Component of the velocity: x, y, z or norm.
	Component string `key:"velocity,required" doc:"component of the velocity" choice:"x,y,z,norm"`
	// Rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	// Point in the body's frame; of a deformable in the frame of its mesh, where it
	// selects the nearest vertex, m. By default: the origin of a rigid body.
	Point *r3.Vec `key:"point" unit:"m" doc:"point in the body's frame; of a deformable in the frame of its mesh, where it selects the nearest vertex" default:"the origin of a rigid body"`
	// Rigid body from which it is seen, and in whose axes it is given. By default: world.
	RelativeTo string `key:"relative_to" doc:"rigid body from which it is seen, and in whose axes it is given" ref:"body" default:"world"`
	ofState
}

// Unit implements SignalSpec.
func (*VelocitySpec) Unit() string { return "m/s" }

// Make implements SignalSpec.
func (p *VelocitySpec) Make(r *Resolver) (Signal, error) {
	pt, ref, err := r.resolvePoint(p.Body, p.Point, p.RelativeTo)
	return Velocity{Point: pt, Of: components[p.Component], Ref: ref}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "speed", Doc: "Largest speed of any rigid body's origin or deformable's vertex.",
	New:     func() SignalSpec { return &SpeedSpec{Of: "max"} },
	Samples: func() []SignalSpec { return []SignalSpec{&SpeedSpec{Of: "max"}} },
})

// SpeedSpec are the parameters of a Speed.
type SpeedSpec struct {
	// Of is "max", the largest of all.
	Of string `key:"speed,required" doc:"largest of all" choice:"max"`
	ofState
}

// Unit implements SignalSpec.
func (*SpeedSpec) Unit() string { return "m/s" }

// Make implements SignalSpec.
func (*SpeedSpec) Make(*Resolver) (Signal, error) { return Speed{}, nil }

// whyUnsmooth implements unsmooth.
func (Speed) whyUnsmooth(*Model) string {
	return "the largest of several speeds, which jumps from one body to the next: take a velocity of one body"
}
