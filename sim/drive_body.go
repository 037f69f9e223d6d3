package sim

// The pose of a body with prescribed motion, at time t, is
//
//	X_WB(t) = X_WF (R(a, α(t)), (x(t), y(t), z(t))) X_MB
//
// with F the frame in which the body is placed, R the rotation by α about the axis a, and
// M = B for bodies without a joint. Its velocity over a step is the displacement divided
// by h, so that other bodies see it arrive where it will be.

import (
	"errors"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "body",
	Doc:  "Prescribed motion of a body without a joint, or of the base of a robot.",
	About: "The motion starts from the body's pose: x, y and z displace it along the pose's axes, angle turns it about axis. " +
		"Forces do not change the motion.",
	New: func() Drive { return &BodyMotion{} },
	Samples: func() []Drive {
		return []Drive{
			&BodyMotion{Body: "ball", Z: &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, 0.05}, Smooth: true}},
			&BodyMotion{Body: "ball", Axis: r3.Vec{0, 0, 1}, Angle: &motion.Sine{Amplitude: 0.1, Frequency: 2}},
		}
	},
})

// BodyMotion prescribes the motion of a body (kinematic body) that has no joint, or a
// fixed or free joint to the world, which the motion replaces. The motion is relative to
// the body's pose, or to its joint's frame F.
type BodyMotion struct {
	// Body is the name of the body.
	Body string `key:"body,required" doc:"rigid body without a joint, or robot" ref:"body"`
	// X is the displacement along the first axis, m; nil: none.
	X motion.Motion `key:"x" unit:"m" doc:"displacement along the first axis" default:"0"`
	// Y is the displacement along the second axis, m; nil: none.
	Y motion.Motion `key:"y" unit:"m" doc:"displacement along the second axis" default:"0"`
	// Z is the displacement along the third axis, m; nil: none.
	Z motion.Motion `key:"z" unit:"m" doc:"displacement along the third axis" default:"0"`
	// Axis is the axis of rotation, of any length.
	Axis r3.Vec `key:"axis" doc:"axis of rotation, of any length" default:"none"`
	// Angle is the rotation about the axis, rad; nil: none.
	Angle motion.Motion `key:"angle" unit:"rad" doc:"rotation about the axis" default:"0"`
}

// check reports what is wrong with the motion.
func (m *BodyMotion) check() error {
	switch {
	case m.X == nil && m.Y == nil && m.Z == nil && m.Angle == nil:
		return errors.New("a prescribed motion needs at least one of x, y, z and angle")
	case m.Angle != nil && m.Axis.Norm() == 0:
		return errors.New("angle needs an axis, such as [0, 0, 1]")
	}
	return nil
}

// joint returns the joint to the world that follows the motion.
func (m *BodyMotion) joint() rigid.Prescribed {
	return rigid.Prescribed{Translation: [3]motion.Motion{m.X, m.Y, m.Z}, Axis: m.Axis, Angle: m.Angle}
}

// Uncommanded implements Uncommanded.
func (*BodyMotion) Uncommanded() string {
	return "the motion is prescribed, and no force changes it: write a live value as x, y, z or angle to move the body during a run, or drive a joint"
}

// AddTo implements Drive.
func (m *BodyMotion) AddTo(b *Builder, name string) {
	b.motions = append(b.motions, motionItem{name, m.Body, m})
}
