package sim

// Random bodies with pressure fields are shot at a fixed plate. None may come out on the
// other side, nor leave with more energy than it had. Some hundred shots of a fixed seed run
// in every test; CURLFREE_LONG=1 shoots thousands with a fresh seed, which is logged.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// fieldShot is one body that flies at a plate, whose middle plane is z = 0.
type fieldShot struct {
	shape, law      string
	size            r3.Vec  // half extents, m
	plate           float64 // thickness, m
	speed, h, mass  float64
	body_E, plate_E float64 // hydroelastic moduli, Pa; 0: rigid
	dissipation     float64
	spin            r3.Vec // rad/s
	start           r3.Pose
	direction       r3.Vec
}

// newFieldShot draws shot i of a seed.
func newFieldShot(seed, i uint64) fieldShot {
	r := rand.New(rand.NewPCG(seed, i))
	logUniform := func(lo, hi float64) float64 { return lo * math.Exp(r.Float64()*math.Log(hi/lo)) }
	unit := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit() }
	shapes := []string{"sphere", "box", "capsule", "cylinder", "ellipsoid", "convex", "mesh"}
	s := fieldShot{
		shape: shapes[r.IntN(len(shapes))], law: []string{"lagged", "similar", "sap"}[r.IntN(3)],
		h: logUniform(2e-4, 1e-2), plate: logUniform(5e-4, 5e-3), speed: logUniform(1, 100), mass: logUniform(0.01, 1),
		dissipation: 20 * float64(r.IntN(2)),
	}
	for k := range s.size {
		s.size[k] = 0.005 + 0.025*r.Float64()
	}
	E := logUniform(1e6, 1e9)
	switch r.IntN(3) {
	case 0:
		s.body_E = E
	case 1:
		s.plate_E = E
	default:
		s.body_E, s.plate_E = E, logUniform(1e6, 1e9)
	}
	// at most 60° from the normal of the plate
	s.direction = unit()
	s.direction[2] = -0.5 - 0.5*math.Abs(s.direction[2])
	s.direction = s.direction.Unit()
	if r.IntN(2) == 0 {
		s.spin = unit().Scale(r.Float64() / s.h)
	}
	// the impact comes at a random phase of the second or third step
	back := s.speed * s.h * (1 + r.Float64())
	s.start = r3.Pose{R: r3.RotExp(unit().Scale(math.Pi * r.Float64())), P: s.direction.Scale(-back)}
	s.start.P[2] += s.size[0] + s.size.Norm() + s.plate/2 + 0.001
	if k := r.IntN(4 * len(shotHulls)); k < len(shotHulls) {
		s.shape = shotHulls[k] // drawn last, as in newShot
	}
	return s
}

// String describes the shot.
func (s fieldShot) String() string {
	return fmt.Sprintf("%s of %.1f × %.1f × %.1f mm, %.2g kg, E %.2g on %.2g Pa, d %g, %s, %.3g m/s (%.2f mm a step), %.2f rad a step, h %.2g ms, plate %.2g mm",
		s.shape, 2e3*s.size[0], 2e3*s.size[1], 2e3*s.size[2], s.mass, s.body_E, s.plate_E, s.dissipation, s.law, s.speed, 1e3*s.speed*s.h, s.spin.Norm()*s.h, 1e3*s.h, 1e3*s.plate)
}

// makeShape returns the shape of the body.
func (s fieldShot) makeShape() geometry.Shape {
	a := s.size
	switch s.shape {
	case "sphere":
		return must(geometry.NewSphere(a[0]))
	case "box":
		return must(geometry.NewBox(a.Scale(2)))
	case "capsule":
		return must(geometry.NewCapsule(a[0], 2*a[2]))
	case "cylinder":
		return must(geometry.NewCylinder(a[0], 2*a[2]))
	case "convex":
		return must(geometry.NewConvex([]r3.Vec{{a[0], 0, 0}, {-a[0], 0, 0}, {0, a[1], 0}, {0, -a[1], 0}, {0, 0, a[2]}, {0, 0, -a[2]}}))
	case "cone", "wedge":
		return must(geometry.NewConvex(hullPoints(s.shape, a)))
	case "mesh":
		return must(geometry.NewMesh(must(geometry.NewBox(a.Scale(2))).SurfaceMesh()))
	}
	return must(geometry.NewEllipsoid(a))
}

// fieldPlateSide is the side of the plate, m.
const fieldPlateSide = 8

// build returns the scene of the shot.
func (s fieldShot) build(t testing.TB) (*Stepper, *State) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	body, plate := w.material(1e6, s.dissipation, 0.3), w.material(1e6, s.dissipation, 0.3)
	w.mat(body).HydroelasticModulus, w.mat(plate).HydroelasticModulus = s.body_E, s.plate_E
	w.geom(geometry.World, at(0, 0, 0), w.box(fieldPlateSide, fieldPlateSide, s.plate), plate)
	w.body("body", s.makeShape(), s.mass, s.start, s.spin, s.direction.Scale(s.speed), body)
	w.spec(0).Shapes[0].ResolutionHint = 0.02
	return w.build()
}

// shoot runs the shot. It returns what is wrong, or "".
func (s fieldShot) shoot(t testing.TB) string {
	p, x := s.build(t)
	defer p.Close()
	before, from := p.rigid.KineticEnergy(), s.start.P
	for range 14 {
		if err := p.Step(x, s.h); err != nil {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		// it may leave the plate at an edge
		to := p.kin.Pose(0).P
		if at := from.AddScaled(from[2]/(from[2]-to[2]), to.Sub(from)); from[2] >= 0 && to[2] < 0 && math.Max(math.Abs(at[0]), math.Abs(at[1])) < fieldPlateSide/2 {
			return fmt.Sprintf("passes: its centre is at %.3g, %.3g, %.3g mm", 1e3*to[0], 1e3*to[1], 1e3*to[2])
		}
		from = to
		if e := p.rigid.KineticEnergy(); e > before*(1+1e-6) {
			return fmt.Sprintf("gains energy: %.4g J of %.4g J", e, before)
		}
	}
	return ""
}

// A body that a field does not stop within a step is stopped by what is below the field.
func TestPressureFieldsLetNothingThroughPlates(t *testing.T) {
	seed, n := shots(t, 150)
	failed := 0
	for i := range n {
		s := newFieldShot(seed, uint64(i))
		if fault := s.shoot(t); fault != "" {
			if failed++; failed <= 40 {
				t.Errorf("shot %d: %v: %s", i, s, fault)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d", failed, n)
	}
}

// Coarse spheres are deep in thin plates where the faces of their fields are not: they passed the plate, since depths
// of faces said that the core was far.
func TestCoarseFieldsReachTheirCore(t *testing.T) {
	for _, i := range []uint64{104, 377, 460, 654, 2372} {
		s := newFieldShot(1795987674368356946, i)
		if fault := s.shoot(t); fault != "" {
			t.Errorf("%v: %s", s, fault)
		}
	}
}

// Spinning bodies at large plates: the depth at the end of the motion was that of a corner of
// the plate, metres away.
func TestFieldsOfLargePlatesStopSpinningBodies(t *testing.T) {
	for _, i := range []uint64{489, 592} {
		s := newFieldShot(1795380448649637520, i)
		if fault := s.shoot(t); fault != "" {
			t.Errorf("%v: %s", s, fault)
		}
	}
}

// A bar of triangles with a pressure field that turns by a radian a step: its corners went through a plate on arcs,
// since gaps at the end of a step were those of convex shapes with fields alone.
func TestFieldsOfTurningMeshesAreStoppedAtTheirCore(t *testing.T) {
	const seed, i = 2026113005, 1223
	s := newFieldShot(seed, i)
	if fault := s.shoot(t); fault != "" {
		t.Errorf("%v: %s", s, fault)
	}
}
