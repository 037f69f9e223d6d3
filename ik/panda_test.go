package ik

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// pandaDH are the modified Denavit-Hartenberg parameters of the Franka Panda, of its joints
// and of its flange: a (m), d (m), α (rad). Source: Franka Emika, "Robot and interface
// specifications".
var pandaDH = [8][3]float64{
	{0, 0.333, 0}, {0, 0, -math.Pi / 2}, {0, 0.316, math.Pi / 2}, {0.0825, 0, math.Pi / 2},
	{-0.0825, 0.384, -math.Pi / 2}, {0, 0, math.Pi / 2}, {0.088, 0, math.Pi / 2}, {0, 0.107, 0},
}

// pandaLimits are its published limits: lower, upper (rad), velocity (rad/s), acceleration
// (rad/s²).
var pandaLimits = [7][4]float64{
	{-2.8973, 2.8973, 2.1750, 15}, {-1.7628, 1.7628, 2.1750, 7.5}, {-2.8973, 2.8973, 2.1750, 10}, {-3.0718, -0.0698, 2.1750, 12.5},
	{-2.8973, 2.8973, 2.6100, 15}, {-0.0175, 3.7525, 2.6100, 20}, {-2.8973, 2.8973, 2.6100, 20},
}

// home is its ready position.
var home = []float64{0, -math.Pi / 4, 0, -3 * math.Pi / 4, 0, math.Pi / 2, math.Pi / 4}

const flange = 7

// panda returns the arm with a ball on each link, and balls in the world.
func panda(t testing.TB, obstacles ...r3.Vec) Robot {
	t.Helper()
	var b rigid.Builder
	r := Robot{Geometry: &geometry.Model{NumRigid: 8}}
	for i, p := range pandaDH {
		s, c := math.Sincos(p[2])
		spec := rigid.LinkSpec{
			Name: string(rune('1' + i)), Parent: i - 1, Mass: 1, Inertia_B: r3.Identity().Scale(0.01), X_BM: r3.PoseIdentity(),
			X_PF:  r3.Pose{R: r3.Mat{1, 0, 0, 0, c, -s, 0, s, c}, P: r3.Vec{p[0], -s * p[1], c * p[1]}},
			Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}},
		}
		if i == flange {
			spec.Joint = rigid.Weld{}
		} else {
			l := pandaLimits[i]
			r.Joints = append(r.Joints, Joint{Dof: i, Lower: l[0], Upper: l[1], Velocity: l[2], Acceleration: l[3]})
		}
		if _, err := b.Add(spec); err != nil {
			t.Fatal(err)
		}
		r.addBall(t, i, r3.Vec{}, 0.05)
	}
	for _, p := range obstacles {
		r.addBall(t, geometry.World, p, 0.05)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r.Rigid = m
	return r
}

func (r *Robot) addBall(t testing.TB, body int, at r3.Vec, radius float64) {
	t.Helper()
	ball, err := geometry.NewSphere(radius)
	if err != nil {
		t.Fatal(err)
	}
	r.Geometry.Geoms = append(r.Geometry.Geoms, geometry.Geom{Body: body, X_BG: r3.Pose{R: r3.Identity(), P: at}, Shape: ball})
}

// dh returns the poses of the links by the product of Denavit-Hartenberg matrices
// Rot_x(α) Trans_x(a) Rot_z(θ) Trans_z(d), without package rigid.
func dh(q []float64) (X [8]r3.Pose) {
	at := r3.PoseIdentity()
	for i, p := range pandaDH {
		theta := 0.0
		if i < 7 {
			theta = q[i]
		}
		st, ct := math.Sincos(theta)
		sa, ca := math.Sincos(p[2])
		at = at.Mul(r3.Pose{
			R: r3.Mat{ct, -st, 0, st * ca, ct * ca, -sa, st * sa, ct * sa, ca},
			P: r3.Vec{p[0], -sa * p[1], ca * p[1]},
		})
		X[i] = at
	}
	return X
}

func newSolver(t testing.TB, r Robot) *Solver {
	t.Helper()
	s, err := NewSolver(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Frames = []Frame{{Link: flange, X_BF: r3.PoseIdentity(), X_WF: dh(home)[7], Position: 1, Rotation: 1}}
	return s
}

// distance and angle between poses.
func apart(a, b r3.Pose) (distance, angle float64) {
	return a.P.Sub(b.P).Norm(), a.R.T().Mul(b.R).Quat().Log().Norm()
}
