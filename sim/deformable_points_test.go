package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Constraints between points of deformables, of rigid bodies and of the world.

// tie adds a constraint by its parameters.
func (w *scaffold) tie(name string, s constraints.Spec) { w.AddConstraint(name, s) }

// points are two bodies with a point on each.
func points(a string, p r3.Vec, b string, q r3.Vec) constraints.TwoPoints {
	return constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: a, B: b}, PointA: &p, PointB: q}
}

// cube is a deformable cube of 0.1 m and 1 kg.
func (w *scaffold) cube(name string, X r3.Pose, damping float64) int {
	return w.soft(name, r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e6, X, r3.Vec{}, w.material(1e5, 10, 0.5),
		func(s *DeformableSpec) { s.MassDamping, s.StiffnessDamping = damping, 1e-3 })
}

// Impulses between two points act on one line: bodies that a rod, a spring, a rope or a ball
// joint connects in empty space keep their momentum to round-off.
func TestPointsOfDeformablesKeepMomentum(t *testing.T) {
	stiffness, short := 500., 0.05
	p, q := r3.Vec{0.03, 0.05, 0.01}, r3.Vec{-0.02, -0.05, 0.04}
	ends := points("cube", p, "box", q)
	distance := func(rope bool, k, length *float64) constraints.Spec {
		return &constraints.DistanceSpec{TwoBodies: ends.TwoBodies, PointA: p, PointB: q, Rope: rope, Stiffness: k, Length: length}
	}
	for name, spec := range map[string]constraints.Spec{
		"rod":    distance(false, nil, nil),
		"spring": distance(false, &stiffness, &short),
		"rope":   distance(true, nil, &short),
		"ball":   &constraints.BallSpec{TwoPoints: ends},
	} {
		t.Run(name, func(t *testing.T) {
			w := newScaffold(t)
			w.Gravity = r3.Vec{}
			w.body("box", w.box(0.1, 0.1, 0.1), 2, tilted(0.1, 0.2, 0.02), r3.Vec{1, 2, -1}, r3.Vec{0.2, 0, 0.1}, w.material(1e5, 10, 0.5))
			w.cube("cube", tilted(0, 0, 0), 0)
			w.tie("tie", spec)
			s, x := w.build()
			p0, _ := momentum(s, x)
			acted := 0.0
			for range 100 {
				if err := s.Step(x, 1e-3); err != nil {
					t.Fatal(err)
				}
				closed(t, s)
				for _, g := range s.Problem.Gamma {
					acted += math.Abs(g)
				}
				s.Place(x, 1e-3)
			}
			p1, _ := momentum(s, x)
			nearVec(t, "momentum", p1, p0, 1e-12)
			if acted < 0.01 {
				t.Errorf("the constraint gave %g N s", acted)
			}
		})
	}
}

// A deformable that hangs on a point, of its inside, face, edge or vertex, pulls with its
// weight. The point stays where it is attached.
func TestBallJointsCarryTheWeightOfDeformables(t *testing.T) {
	for _, p := range []r3.Vec{{0, 0, 0.05}, {0.01, 0.02, 0.03}, {0.05, 0.05, 0.05}, {0.02, 0.05, 0.05}} {
		w := newScaffold(t)
		w.cube("cube", at(0, 0, 1), 20)
		w.tie("hook", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "world", B: "cube"}, PointB: p}})
		s, x := w.build()
		run(t, s, x, 4e-3, 500)
		weight := s.Model.Deformables[0].Mass() * grav
		// the last constraint of the problem is the hook; it acts on the cube
		force := constraints.PointForce(&s.Problem, cliques.Handle(len(s.Problem.Constraints)-1))
		nearVec(t, "force", force, r3.Vec{0, 0, weight}, 1e-3*weight)
		hook := s.Model.Constraints[s.Model.Names.Constraints["hook"]].(*constraints.Ball)
		near(t, "distance from the hook", hook.Violation(s.kin).Distance, 0, 1e-5)
	}
}

// A mass on a spring: from rest at the spring's length it swings as m g/k (1 − cos ωt) with
// ω = √(k/m). The cube is 2,000 times stiffer than the spring.
func TestSpringsOnDeformablesSwingInClosedForm(t *testing.T) {
	const k, h, length = 50., 2e-4, 0.3
	stiffness, rest := k, length
	w := newScaffold(t)
	w.cube("cube", at(0, 0, -length-0.05), 0)
	w.tie("spring", &constraints.DistanceSpec{
		TwoBodies: constraints.TwoBodies{A: "world", B: "cube"}, PointB: r3.Vec{0, 0, 0.05}, Length: &rest, Stiffness: &stiffness,
	})
	s, x := w.build()
	m := s.Model.Deformables[0].Mass()
	omega, amplitude := math.Sqrt(k/m), m*grav/k
	spring := s.Model.Constraints[len(s.Model.Constraints)-1].(*constraints.Distance)
	for range 10 {
		run(t, s, x, h, 400)
		near(t, "extension", spring.Violation(s.kin).Distance, amplitude*(1-math.Cos(omega*x.Time)), 0.01*amplitude)
	}
}

// A chain of two deformables and a weight: each joint carries what hangs below it.
func TestChainsOfDeformablesCarryWhatHangsBelow(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.body("weight", w.sphere(0.03), 0.5, at(0, 0, 0.45), r3.Vec{}, r3.Vec{}, mat)
	w.cube("upper", at(0, 0, 1), 20)
	w.cube("lower", at(0, 0, 0.8), 20)
	top, bottom := r3.Vec{0, 0, 0.05}, r3.Vec{0, 0, -0.05}
	w.tie("hook", &constraints.BallSpec{TwoPoints: points("world", r3.Vec{0, 0, 1.05}, "upper", top)})
	w.tie("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "upper", B: "lower"}, PointA: bottom, PointB: top, Rope: true})
	w.tie("ball", &constraints.BallSpec{TwoPoints: points("lower", bottom, "weight", r3.Vec{0, 0, 0.3})})
	s, x := w.build()
	run(t, s, x, 4e-3, 700)
	cube := s.Model.Deformables[0].Mass() * grav
	n := cliques.Handle(len(s.Problem.Constraints))
	nearVec(t, "hook", constraints.PointForce(&s.Problem, n-3), r3.Vec{0, 0, 2*cube + 0.5*grav}, 0.02)
	rope := s.Model.Constraints[s.Model.Names.Constraints["rope"]].(*constraints.Distance)
	near(t, "rope", rope.Tension(&s.Problem, n-2), cube+0.5*grav, 0.02)
	nearVec(t, "ball", constraints.PointForce(&s.Problem, n-1), r3.Vec{0, 0, 0.5 * grav}, 0.02)
}

// A spring between two points of one deformable squeezes it and moves nothing.
func TestSpringsWithinADeformableKeepItsPlace(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.cube("cube", tilted(0, 0, 0), 0)
	stiffness, length := 2e3, 0.05
	w.tie("spring", &constraints.DistanceSpec{
		TwoBodies: constraints.TwoBodies{A: "cube", B: "cube"}, PointA: r3.Vec{-0.05, 0, 0}, PointB: r3.Vec{0.05, 0.01, 0},
		Length: &length, Stiffness: &stiffness, Damping: 5,
	})
	s, x := w.build()
	for range 300 {
		if err := s.Step(x, 1e-3); err != nil {
			t.Fatal(err)
		}
		closed(t, s)
		s.Place(x, 1e-3)
	}
	p, _ := momentum(s, x)
	nearVec(t, "momentum", p, r3.Vec{}, 1e-12)
	spring := s.Model.Constraints[0].(*constraints.Distance)
	if e := spring.Violation(s.kin).Distance; !(e < 0.0505 && e > 0.01) {
		t.Errorf("the spring is still %g m too long", e)
	}
}

// Points that are none are refused when the model is built, with what is wrong.
func TestPointsThatDeformablesLackAreRefused(t *testing.T) {
	world := func(q r3.Vec) constraints.Spec {
		return &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "cube"}, PointB: q}}
	}
	byHand := func(a, b constraints.Anchor) constraints.Spec {
		return ConstraintFunc(func(*Resolver) (constraints.Constraint, error) { return &constraints.Ball{A: a, B: b}, nil })
	}
	ground := constraints.Anchor{Body: -1}
	for name, c := range map[string]struct {
		spec constraints.Spec
		want string
	}{
		"outside":            {world(r3.Vec{0, 0, 0.3}), "point_b: [0 0 0.3] m lies 0.25 m outside of the mesh, which spans"},
		"the same point":     {&constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "cube", B: "cube"}}}, "give two bodies of which at least one can move"},
		"a weld of two":      {&constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "cube", B: "cube"}, PoseB: r3.PoseIdentity()}, "a weld of two deformables: weld both to one rigid body"},
		"a weld with a pose": {&constraints.WeldSpec{TwoBodies: constraints.TwoBodies{B: "cube"}, PoseA: &r3.Pose{R: r3.Identity()}, PoseB: r3.PoseIdentity()}, "pose_a has no meaning for a deformable"},
		"a weld outside":     {&constraints.WeldSpec{TwoBodies: constraints.TwoBodies{B: "cube"}, PoseB: at(0, 0, 0.3)}, "[0 0 0.3] m lies 0.25 m outside of the mesh"},
		"fixed vertices":     {world(r3.Vec{-0.05, 0.05, 0.05}), "none of its points can move"},
		"unknown vertex":     {byHand(ground, constraints.VertexAnchor(0, 1000)), "vertex 1000 of deformable cube, which has 64"},
		"unknown body":       {byHand(ground, constraints.VertexAnchor(7, 0)), "a point of body 7"},
		"a deformable pose":  {byHand(ground, constraints.Anchor{Body: 0}), "a point of body 0 by 0 vertices"},
		"weights":            {byHand(ground, constraints.Anchor{Body: 0, N: 2, Vert: [4]int32{1, 2}, W: [4]float64{1, 1}}), "add up to 2"},
		"number of vertices": {byHand(ground, constraints.Anchor{Body: 0, N: 5}), "has 5 vertices: 0 to 4 are possible"},
	} {
		w := newScaffold(t)
		w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e6, at(0, 0, 1), r3.Vec{}, w.material(1e5, 10, 0.5),
			func(s *DeformableSpec) {
				s.Attach = []AttachSpec{{Body: worldName, Verts: VertsWithin(s.Mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.05, 1, 1}})}}
			})
		w.tie("tie", c.spec)
		if _, err := w.Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// A bar that a weld of its first element holds on an arm does not swing as one on a ball does: it turns
// with the arm, and at rest the arm's drive carries its moment.
func TestWeldsTransmitMomentsOfDeformables(t *testing.T) {
	for _, elements := range elementsOf {
		for _, first := range []string{"arm", "bar"} {
			w := newScaffold(t)
			w.material(1e5, 10, 0.5)
			w.AddBody("arm", BodySpec{Mass: 0.2, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4}, Pose: at(0, 0, 1), Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}}})
			w.soft("bar", r3.Vec{0.1, 0.02, 0.02}, [3]int{5, 1, 1}, 1e6, at(0.05, 0, 1), r3.Vec{}, 0, damped(0.02), func(s *DeformableSpec) { s.Elements, s.MassDamping, s.Mesh = elements, 5, meshOf(s.Mesh, elements) })
			w.AddDrive("turn", &JointDrive{Joint: "arm", Kp: 50, Kd: 1, Target: motion.Constant(-0.5)})
			weld := &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "arm", B: "bar"}, PoseB: at(-0.049, 0, 0)}
			if first == "bar" {
				weld = &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "bar", B: "arm"}, PoseB: at(0.001, 0, 0)}
			}
			w.AddConstraint("weld", weld)
			s, x := w.build()
			run(t, s, x, 0.01, 800)
			arm := JointPosition{s.Model.Joint("arm")}.Value(s, x)
			near(t, "angle of the arm", arm, -0.5, 0.02)
			near(t, "angle of the bar", Rotation{Body: s.Model.Body("bar"), Ref: geometry.World, Of: Y}.Value(s, x), arm, 0.15)
			d := s.deformables[0]
			c := d.CenterOfMass()
			near(t, "effort of the drive", 50*(-0.5-arm), -d.model.Mass()*grav*c[0], 1e-6)
		}
	}
}
