package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// pose returns a pose without rotation.
func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

// armAndBall is a driven arm of two links whose tip presses on a ball that slides on the floor.
func armAndBall(b *sim.Builder) {
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("upper", sim.BodySpec{Mass: 1, Inertia: r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3}), Pose: at(0, 0, 0.35), Joint: &sim.JointSpec{
		Spec: &rigid.RevoluteSpec{Axis: r3.Vec{0, 1, 0}}, Point: &r3.Vec{0, 0, 0.15}}})
	b.AddBody("lower", sim.BodySpec{Mass: 0.5, Inertia: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}), Pose: at(0.05, 0, 0.1), Joint: &sim.JointSpec{
		Spec: &rigid.RevoluteSpec{Axis: r3.Vec{0, 1, 0}}, Parent: "upper", Point: &r3.Vec{0, 0, 0.12}},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}}}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.2, Pose: at(0.1295, 0.003, 0.0499), Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	b.AddDrive("shoulder", &sim.JointDrive{Joint: "upper", Kp: 20, Kd: 0.5})
	b.AddDrive("elbow", &sim.JointDrive{Joint: "lower"})
}

// softCube is a cube that falls and turns, with a corner on the floor.
func softCube(b *sim.Builder) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{1, 2, 1})
	law, _ := fem.NewCorotational(1e5, 0.4)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Law: law, Pose: r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0}), P: r3.Vec{0, 0, 0.07}}, StiffnessDamping: 0.005})
}

// fieldBall is a ball of a pressure field on the floor.
func fieldBall(b *sim.Builder) {
	b.AddMaterial("default", sim.MaterialSpec{HydroelasticModulus: 1e6})
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.3, Pose: at(0, 0, 0.0495), Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
}
