package sim

// An inertial measurement unit at a point P of a rigid body B measures its proper acceleration and its angular
// velocity in its own axes. Over a step of h from v⁻, R⁻ to v⁺, R⁺
//
//	a = R_½ᵀ ((v_P⁺ − v_P⁻)/h − g),   R_½ = R⁻ exp(½ log(R⁻ᵀ R⁺))     mean over the step       (1)
//	ω_B = R⁺ᵀ ω⁺                                                       at its end               (2)
//
// so that a body at rest measures 1 g upward and one in free fall nothing. The axes of the middle of the step keep
// turning bodies from leaking one component into another: a point at r on a body that spins with ω has
// ω² r sin(½ωh)/(½ωh) toward the axis, exactly, and nothing across.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Accelerometer is a component of the proper acceleration (1) of a point of a rigid body, in the body's axes.
type Accelerometer struct {
	// Point is a point of a rigid body.
	Point
	// Of is the component.
	Of Component
}

// Value implements Signal, m/s².
func (g Accelerometer) Value(s *Stepper, x *State) float64 {
	if !s.took(x) || len(s.startMotion.bodies) == 0 {
		return 0
	}
	start := &s.startMotion.bodies[g.Body]
	before := start.v.Add(start.w.Cross(start.pose.R.MulVec(g.Pos_B)))
	a := g.vel(s, x).Sub(before).Scale(1 / (x.Time - s.startMotion.time)).Sub(s.Model.Gravity)
	return g.Of.of(s.middleAxes(g.Body).TMulVec(a))
}

// whyUnsmooth implements unsmooth.
func (Accelerometer) whyUnsmooth(*Model) string {
	return "a difference of the velocities at both ends of the step, whose derivative is not computed: take a velocity or a contact_force"
}

// Gyro is a component of the angular velocity (2) of a body in its own axes.
type Gyro struct {
	// Body is a rigid or deformable body.
	Body int
	// Of is the component.
	Of Component
}

// Value implements Signal, rad/s.
func (g Gyro) Value(s *Stepper, x *State) float64 {
	w := AngularVelocity{Body: g.Body}
	return g.Of.of(s.rotationOf(g.Body).TMulVec(w.vector(s, x)))
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "accelerometer", Doc: "Acceleration that an accelerometer on a rigid body measures, mean over the step, in the body's axes.",
	About: "Gravity counts: at rest it is 9.81 m/s² upward, in free fall 0. An impact within a step shows as its change of velocity over the step.",
	New:   func() SignalSpec { return &AccelerometerSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&AccelerometerSpec{Component: "z", Body: "box"}, &AccelerometerSpec{Component: "norm", Body: "arm", Point: &r3.Vec{0.1, 0, 0}}}
	},
})

// AccelerometerSpec are the parameters of an Accelerometer.
type AccelerometerSpec struct {
	// Component of the acceleration, in the body's axes: x, y, z or norm.
	Component string `key:"accelerometer,required" doc:"component of the acceleration, in the body's axes" choice:"x,y,z,norm"`
	// Body is a rigid body.
	Body string `key:"body,required" doc:"rigid body that it is fixed to" ref:"body"`
	// Point in the body's frame, m. By default: the origin.
	Point *r3.Vec `key:"point" unit:"m" doc:"point in the body's frame" default:"the origin"`
	ofStep
}

// Unit implements SignalSpec.
func (*AccelerometerSpec) Unit() string { return "m/s²" }

// Make implements SignalSpec.
func (p *AccelerometerSpec) Make(r *Resolver) (Signal, error) {
	body, err := r.Body(p.Body)
	switch {
	case err != nil:
		return nil, err
	case body == geometry.World:
		return nil, errors.New("the world does not accelerate: give a rigid body")
	case body >= r.model.Geometry.NumRigid:
		return nil, fmt.Errorf("%s is deformable and has no axes at a point: put the accelerometer on a rigid body, such as a small one that %s is attached to", p.Body, p.Body)
	}
	g := Accelerometer{Point: Point{Body: body}, Of: components[p.Component]}
	if p.Point != nil {
		g.Pos_B = *p.Point
	}
	r.model.StartMotions = true
	return g, nil
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "gyro", Doc: "Angular velocity that a gyroscope on a body measures, in the body's axes.",
	About: "Of a deformable it is that of the rigid motion which fits its vertices best.",
	New:   func() SignalSpec { return &GyroSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&GyroSpec{Component: "y", Body: "arm"}, &GyroSpec{Component: "x", Body: "pad"}}
	},
})

// GyroSpec are the parameters of a Gyro.
type GyroSpec struct {
	// Component of the angular velocity, in the body's axes: x, y, z or norm.
	Component string `key:"gyro,required" doc:"component of the angular velocity, in the body's axes" choice:"x,y,z,norm"`
	// Rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	ofState
}

// Unit implements SignalSpec.
func (*GyroSpec) Unit() string { return "rad/s" }

// Make implements SignalSpec.
func (p *GyroSpec) Make(r *Resolver) (Signal, error) {
	body, err := r.Body(p.Body)
	if err == nil && body == geometry.World {
		err = errors.New("the world does not turn: give a body")
	}
	return Gyro{Body: body, Of: components[p.Component]}, err
}
