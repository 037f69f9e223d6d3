package sim

// Random deformables are shot at rigid bodies with pressure fields. None may pass, with a vertex
// through the middle of the field or with the rigid body inside of it, nor may both together gain
// energy. A sample of a fresh seed, which is logged, runs in every test; CURLFREE_LONG=1 shoots a
// thousand.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// softFieldShot is one deformable that flies at a rigid body at the origin.
type softFieldShot struct {
	body     string // of the deformable
	edge     r3.Vec // m
	cells    [3]int
	elements fem.Elements
	youngs   float64 // Pa
	damping  float64 // ζ, s

	target   string
	size     r3.Vec  // half extents of the target, m
	mass     float64 // of the target, kg; 0: fixed
	modulus  float64 // hydroelastic, Pa
	law      string
	friction float64

	speed, h  float64
	pose      r3.Pose
	direction r3.Vec
}

// softFieldTargets are the shapes with fields.
var softFieldTargets = []string{"plate", "plate", "box", "cylinder", "sphere", "hull", "mesh"}

// newSoftFieldShot draws shot i of a seed.
func newSoftFieldShot(seed, i uint64) softFieldShot {
	r := rand.New(rand.NewPCG(seed, i))
	s := softFieldShot{
		target: softFieldTargets[r.IntN(len(softFieldTargets))], law: []string{"lagged", "similar", "sap"}[r.IntN(3)],
		youngs: logUniform(r, 3e4, 1e7), modulus: logUniform(r, 1e5, 1e10), friction: r.Float64(),
		speed: logUniform(r, 1, 100), h: logUniform(r, 1e-4, 5e-3),
	}
	if r.IntN(2) == 0 {
		s.damping = logUniform(r, 1e-5, 1e-2)
	}
	wall := 0.01 + 0.03*r.Float64()
	s.edge, s.cells = r3.Vec{wall, wall, wall}, [3]int{1 + r.IntN(3), 1 + r.IntN(3), 1 + r.IntN(3)}
	switch s.body = []string{"block", "bar", "plate", "finger"}[r.IntN(4)]; s.body {
	case "bar":
		s.edge[0], s.cells[0] = 4*wall, 4
	case "plate":
		s.edge[0], s.edge[1], s.edge[2] = 4*wall, 3*wall, wall/4
		s.cells = [3]int{4, 3, 1}
	case "finger":
		s.edge[2], s.cells = 5*wall, [3]int{1 + r.IntN(2), 1 + r.IntN(2), 5}
	}
	switch r.IntN(6) {
	case 0:
		s.elements = fem.Hex12
	case 1:
		s.elements = fem.Tet10
	}
	for k := range s.size {
		s.size[k] = 0.005 + 0.025*r.Float64()
	}
	if s.target == "plate" {
		s.size = r3.Vec{2, 2, logUniform(r, 2.5e-4, 1e-2)}
	}
	if r.IntN(2) == 0 {
		s.mass = logUniform(r, 0.01, 1)
	}
	// within 60° from the axis, so that it strikes a plate
	s.direction = randomDirection(r)
	s.direction[2] = -0.5 - 0.5*math.Abs(s.direction[2])
	s.direction = s.direction.Unit()
	turn := r3.RotExp(randomDirection(r).Scale(math.Pi * r.Float64()))
	// the impact comes at a random phase of the second or third step
	reach := s.edge.Norm()/2 + s.size[2] + 0.001
	if s.target != "plate" {
		reach = s.edge.Norm()/2 + s.size.Norm() + 0.001
		turn = turn.Mul(r3.RotExp(randomDirection(r).Scale(math.Pi * r.Float64())))
	}
	s.pose = r3.Pose{R: turn, P: s.direction.Scale(-s.speed*s.h*(1+r.Float64()) + reach/s.direction[2])}
	return s
}

// String describes the shot.
func (s softFieldShot) String() string {
	return fmt.Sprintf("%s %v of %.3g × %.3g × %.3g mm, cells %v, E %.2g Pa, ζ %.2g s, at %s of %.3g × %.3g × %.3g mm, %.2g kg, %.2g Pa, %s, μ %.2g, %.3g m/s (%.2f mm a step), h %.2g ms",
		s.body, s.elements, 1e3*s.edge[0], 1e3*s.edge[1], 1e3*s.edge[2], s.cells, s.youngs, s.damping, s.target, 2e3*s.size[0], 2e3*s.size[1], 2e3*s.size[2], s.mass, s.modulus, s.law, s.friction, s.speed, 1e3*s.speed*s.h, 1e3*s.h)
}

// makeTarget returns the shape that is shot at.
func (s softFieldShot) makeTarget() geometry.Shape {
	a := s.size
	switch s.target {
	case "cylinder":
		return must(geometry.NewCylinder(a[0], 2*a[2]))
	case "sphere":
		return must(geometry.NewSphere(a[0]))
	case "hull":
		return must(geometry.NewConvex([]r3.Vec{{a[0], 0, 0}, {-a[0], 0, 0}, {0, a[1], 0}, {0, -a[1], 0}, {0, 0, a[2]}, {0, 0, -a[2]}}))
	case "mesh":
		return must(geometry.NewMesh(must(geometry.NewBox(a.Scale(2))).SurfaceMesh()))
	}
	return must(geometry.NewBox(a.Scale(2)))
}

// build returns the scene of the shot.
func (s softFieldShot) build(t testing.TB) (*Stepper, *State) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.RelTol = 1e-5
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	m := constraints.DefaultContactMaterial()
	m.StaticFriction, m.Friction = s.friction, s.friction
	soft := w.contactMaterial(m)
	m.HydroelasticModulus = s.modulus
	field := w.contactMaterial(m)
	if s.mass > 0 {
		w.body("target", s.makeTarget(), s.mass, r3.PoseIdentity(), r3.Vec{}, r3.Vec{}, field)
	} else {
		w.geom(geometry.World, r3.PoseIdentity(), s.makeTarget(), field)
	}
	w.soft("soft", s.edge, s.cells, s.youngs, s.pose, s.direction.Scale(s.speed), soft, func(d *DeformableSpec) {
		d.Elements, d.StiffnessDamping = s.elements, s.damping
		if s.elements == fem.Tet10 {
			d.Mesh = d.Mesh.Quadratic()
		}
	})
	return w.build()
}

// shoot runs the shot. It returns what is wrong, or "".
func (s softFieldShot) shoot(t testing.TB) string {
	p, x := s.build(t)
	defer p.Close()
	g := &p.Model.Geometry.Geoms[0]
	middle := g.Field.(interface{ Depth() float64 }).Depth()
	b := p.deformables[0]
	before := energy(p, x)
	from := append([]r3.Vec(nil), b.Positions()...)
	X0 := poseOfBody(p, g.Body)
	var surface []int32
	for _, tri := range p.Model.Geometry.Deformables[0].Tris {
		surface = append(surface, tri[:]...)
	}
	slices.Sort(surface)
	surface = slices.Compact(surface)
	for i := range min(60, max(14, int(1.5*s.edge.Norm()/(s.speed*s.h)))) {
		if err := p.Step(x, s.h); err != nil && !errors.Is(err, ErrNotConverged) {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		X1 := poseOfBody(p, g.Body)
		if e := energy(p, x); !(e <= 1.01*before) {
			return fmt.Sprintf("step %d: gains energy: %.4g J of %.4g J", i, e, before)
		}
		for _, v := range surface {
			at := b.Positions()[v]
			if depth := deepestOnPath(g.Shape, X0.InvPoint(from[v]), X1.InvPoint(at), middle); depth > 0.985*middle {
				return fmt.Sprintf("step %d: vertex %d passes: %.4g mm deep, middle at %.4g mm", i, v, 1e3*depth, 1e3*middle)
			}
		}
		if isInside(b.Positions(), p.Model.Geometry.Deformables[0].Tris, X1.P) {
			return fmt.Sprintf("step %d: the target is inside", i)
		}
		from, X0 = append(from[:0], b.Positions()...), X1
	}
	return ""
}

// poseOfBody returns the pose of a body, of the world the identity.
func poseOfBody(s *Stepper, body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return s.kin.Pose(body)
}

// deepestOnPath returns the largest depth of a shape on a straight path, m.
func deepestOnPath(shape geometry.Shape, from, to r3.Vec, middle float64) float64 {
	way, deepest := to.Sub(from), 0.0
	for u := 0.0; ; {
		phi, _ := shape.SignedDistance(from.AddScaled(u, way))
		deepest = max(deepest, -phi)
		if u == 1 {
			return deepest
		}
		u = min(1, u+max(phi, middle/256)/max(way.Norm(), 1e-12))
	}
}

// isInside reports whether a point is inside of a surface with vertices at x: its winding number.
func isInside(x []r3.Vec, tris [][3]int32, p r3.Vec) bool {
	angle := 0.0
	for _, v := range tris {
		a, b, c := x[v[0]].Sub(p), x[v[1]].Sub(p), x[v[2]].Sub(p)
		A, B, C := a.Norm(), b.Norm(), c.Norm()
		angle += 2 * math.Atan2(a.Dot(b.Cross(c)), A*B*C+a.Dot(b)*C+b.Dot(c)*A+c.Dot(a)*B)
	}
	return math.Abs(angle) > 2*math.Pi
}

// Truth is geometry: what is solid stays on its side.
func TestPressureFieldsLetNoDeformableThrough(t *testing.T) {
	const few = 30
	seed, n := uint64(time.Now().UnixNano()), few
	if os.Getenv("CURLFREE_LONG") != "" {
		n = 1000
	}
	if v, err := strconv.ParseUint(os.Getenv("CURLFREE_SEED"), 10, 64); err == nil {
		seed = v
	}
	if v, err := strconv.Atoi(os.Getenv("CURLFREE_SHOTS")); err == nil {
		n = v
	}
	t.Logf("seed %d, %d shots", seed, n)
	failed, begin := 0, time.Now()
	for i := range n {
		if !isSelected(i) {
			continue
		}
		if n == few && time.Since(begin) > 10*time.Second {
			break
		}
		s := newSoftFieldShot(seed, uint64(i))
		if fault := s.shoot(t); fault != "" {
			failed++
			t.Errorf("shot %d: %v: %s", i, s, fault)
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d", failed, n)
	}
}

// A rubber cube of 30 mm and 0.1 MPa at 30 m/s passed a plate of 3 mm with a field, which stopped it
// without one.
func TestCubeIsStoppedByAPlateWithAField(t *testing.T) {
	s := softFieldShot{
		body: "block", edge: r3.Vec{0.03, 0.03, 0.03}, cells: [3]int{3, 3, 3}, youngs: 1e5, damping: 1e-3,
		target: "plate", size: r3.Vec{0.5, 0.5, 0.0015}, modulus: 1e9, law: "lagged", friction: 0.5,
		speed: 30, h: 5e-4, direction: r3.Vec{0, 0, -1}, pose: r3.Pose{R: r3.RotExp(r3.Vec{0.4, 0.3, 0.2}), P: r3.Vec{0, 0, 0.08}},
	}
	if fault := s.shoot(t); fault != "" {
		t.Errorf("%v: %s", s, fault)
	}
}
