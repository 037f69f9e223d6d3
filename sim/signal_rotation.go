package sim

// Rotations are those of rigid bodies, and of deformables that of the rigid motion that fits
// their vertices best: see fem/rigid_motion.go.

import (
	"errors"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// rotationOf returns R_WB of a rigid body, or R_WM of the mesh of a deformable.
func (s *Stepper) rotationOf(body int) r3.Mat {
	if s.isDeformable(body) {
		return s.deformables[body-s.Model.Geometry.NumRigid].Rotation()
	}
	return s.kin.Pose(body).R
}

// Rotation is a component of the rotation vector (axis times angle) of R_RB, the rotation
// of a body B relative to a rigid body R or the world.
type Rotation struct {
	// Body and Ref are the bodies B, rigid or deformable, and R; either may be geometry.World.
	Body, Ref int
	// Of is the component; Norm is the angle.
	Of Component
}

// Value implements Signal, rad.
func (g Rotation) Value(s *Stepper, _ *State) float64 {
	return g.Of.of(s.kin.Pose(g.Ref).R.T().Mul(s.rotationOf(g.Body)).Quat().Log())
}

// AngularVelocity is a component of the angular velocity of a body, in the world's axes.
type AngularVelocity struct {
	// Body is a rigid or deformable body.
	Body int
	// Of is the component, in the world's axes.
	Of Component
}

// Value implements Signal, rad/s.
func (g AngularVelocity) Value(s *Stepper, x *State) float64 { return g.Of.of(g.vector(s, x)) }

// vector returns all components, rad/s.
func (g AngularVelocity) vector(s *Stepper, x *State) r3.Vec {
	if s.isDeformable(g.Body) {
		i := g.Body - s.Model.Geometry.NumRigid
		return s.deformables[i].AngularVelocity(s.velocitiesOf(x, i))
	}
	w, _ := s.rigid.Velocity(g.Body)
	return w
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "rotation", Doc: "Rotation of a body against a rigid one, as a rotation vector.",
	About: "Of a deformable it is that of its mesh's frame which fits its vertices best.",
	New:   func() SignalSpec { return &RotationSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&RotationSpec{Component: "angle", Body: "box"}, &RotationSpec{Component: "y", Body: "arm", RelativeTo: "box"}, &RotationSpec{Component: "x", Body: "pad"}}
	},
})

// RotationSpec are the parameters of a Rotation.
type RotationSpec struct {
	// Component of the rotation vector, or its length, the angle: x, y, z, norm or angle.
	Component string `key:"rotation,required" doc:"component of the rotation vector, or its length, the angle" choice:"x,y,z,norm,angle"`
	// Rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	// Rigid body from which it is seen, and in whose axes it is given. By default: world.
	RelativeTo string `key:"relative_to" doc:"rigid body from which it is seen, and in whose axes it is given" ref:"body" default:"world"`
	ofState
}

// Unit implements SignalSpec.
func (*RotationSpec) Unit() string { return "rad" }

// Make implements SignalSpec.
func (p *RotationSpec) Make(r *Resolver) (Signal, error) {
	body, err1 := r.Body(p.Body)
	ref, err2 := r.RigidBody(p.RelativeTo)
	return Rotation{Body: body, Ref: ref, Of: components[p.Component]}, errors.Join(err1, err2)
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "angular_velocity", Doc: "Angular velocity of a body, in the world's axes.",
	About: "Of a deformable it is that of the rigid motion which fits its vertices best.",
	New:   func() SignalSpec { return &AngularVelocitySpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&AngularVelocitySpec{Component: "y", Body: "arm"}, &AngularVelocitySpec{Component: "x", Body: "pad"}}
	},
})

// AngularVelocitySpec are the parameters of an AngularVelocity.
type AngularVelocitySpec struct {
	// Component of the angular velocity: x, y, z or norm.
	Component string `key:"angular_velocity,required" doc:"component of the angular velocity" choice:"x,y,z,norm"`
	// Rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	ofState
}

// Unit implements SignalSpec.
func (*AngularVelocitySpec) Unit() string { return "rad/s" }

// Make implements SignalSpec.
func (p *AngularVelocitySpec) Make(r *Resolver) (Signal, error) {
	body, err := r.Body(p.Body)
	if err == nil && body == geometry.World {
		err = errors.New("the world does not turn")
	}
	return AngularVelocity{Body: body, Of: components[p.Component]}, err
}
