package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// rest finds the equilibrium of a scene and places it.
func rest(t testing.TB, s *Stepper, x *State, h float64) {
	t.Helper()
	if err := s.Equilibrium(x, h); err != nil {
		t.Fatal(err)
	}
	s.Place(x, h)
	t.Logf("%d pseudo-steps, residual %.2g", s.Report.PseudoSteps, s.Report.RestResidual)
}

// A ball and a soft block with a weight on it come to rest on the floor from above it, with the force
// of their weights, where the damped run rests.
func TestEquilibriumWithContactIsThatOfTheDampedRun(t *testing.T) {
	long(t)
	for _, elements := range elementsOf {
		w := newScaffold(t)
		mat := w.material(1e4, 1, 0)
		w.ground(mat)
		ball := w.body("ball", w.sphere(0.05), 0.5, at(0.3, 0, 0.06), r3.Vec{}, r3.Vec{}, mat)
		// the weight slides on a rail, and the block stands on its lower face
		w.AddBody("weight", BodySpec{Mass: 0.3, Com_B: &r3.Vec{}, Pose: at(0, 0, 0.055), Shapes: []ShapeSpec{{Shape: w.box(0.06, 0.06, 0.02), Material: materialName(mat)}}, Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}})
		w.soft("block", r3.Vec{0.04, 0.04, 0.04}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.022), r3.Vec{}, mat, damped(0.02), func(s *DeformableSpec) {
			s.Elements, s.Mesh = elements, meshOf(s.Mesh, elements)
			s.Attach = []AttachSpec{{Verts: VertsWithin(s.Mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, -0.02}})}}
		})
		s, x := w.build()
		weight, block := s.Model.Body("weight"), s.Model.Body("block")
		rest(t, s, x, 1)
		near(t, "force on the ball", contactForce(s, x, ball)[2], 0.5*grav, 1e-9)
		near(t, "force on the weight", contactForce(s, x, weight)[2], 0.3*grav, 1e-9)
		near(t, "force of the weight on the block", ContactForce{On: block, From: []int{weight}, Of: Z}.Value(s, x), -0.3*grav, 1e-9)
		near(t, "height of the ball", x.Q[6], 0.05-0.5*grav/(1e4/2), 1e-9) // two materials in series
		other, y := start(t, s.Model, 1)
		run(t, other, y, 0.01, 3000)
		worst := 0.0
		for k := range x.Q {
			if k > 6 { // a ball rolls where it likes
				worst = max(worst, math.Abs(x.Q[k]-y.Q[k]))
			}
		}
		if !(worst < 1e-9) {
			t.Errorf("%v: apart by %g m", elements, worst)
		}
	}
}

// A follower pressure bends a strip where the damped run rests.
func TestEquilibriumUnderPressureIsThatOfTheDampedRun(t *testing.T) {
	long(t)
	for _, p := range []float64{300, -1500, 3000} {
		for _, elements := range elementsOf {
			w := newScaffold(t)
			w.Gravity = r3.Vec{}
			mesh := meshOf(must(meshes.BoxTets(r3.Vec{0.1, 0.02, 0.01}, [3]int{6, 1, 1})), elements)
			w.AddDeformable("strip", DeformableSpec{
				Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0.3)), Elements: elements, StiffnessDamping: 0.02, MassDamping: 20,
				Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.05, 1, 1}})}},
			})
			w.AddLoad("air", &PressureSpec{Pressure: motion.Constant(p), Body: "strip", Where: Region{ZMin: ptr(0.005)}})
			s, x := w.build()
			rest(t, s, x, 1)
			other, y := start(t, s.Model, 1)
			run(t, other, y, 0.01, 2500)
			worst, far := 0.0, 0.0
			for k := range x.Q {
				worst, far = max(worst, math.Abs(x.Q[k]-y.Q[k])), max(far, math.Abs(x.Q[k]-s.Model.Start.Q[k]))
			}
			t.Logf("%g Pa, %v: bent by %.3g m, apart %.2g", p, elements, far, worst)
			if !(worst < 1e-9*0.1) {
				t.Errorf("%g Pa, %v: apart by %g m", p, elements, worst)
			}
		}
	}
}

// A plate that a motion presses on a block over several equilibria gives a curve of force over
// depth: that of single equilibria, whose steps go all the way at once.
func TestEquilibriaFollowAPath(t *testing.T) {
	build := func() (*Stepper, *State) {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		mat := w.material(1e5, 1, 0)
		w.ground(mat)
		w.AddBody("plate", BodySpec{Mass: 1, Pose: at(0, 0, 0.0451), Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.1, 0.1, 0.01})), Material: materialName(mat)}}})
		w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, -0.008}}})
		w.soft("block", r3.Vec{0.04, 0.04, 0.04}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.02), r3.Vec{}, mat, func(s *DeformableSpec) { s.Elements = fem.Hex12 })
		return w.build()
	}
	s, x := build()
	for k := 1; k <= 4; k++ {
		rest(t, s, x, 0.25)
		force := contactForce(s, x, s.Model.Body("plate"))[2]
		one, y := build()
		rest(t, one, y, 0.25*float64(k))
		near(t, fmt.Sprintf("force at %g s", x.Time), force, contactForce(one, y, s.Model.Body("plate"))[2], 1e-7*force)
		if k > 1 && force < 1 {
			t.Errorf("force %g N at %g s", force, x.Time)
		}
	}
}

// Joints rest where springs, drives, gravity and moments balance; a pendulum hangs.
func TestEquilibriumOfJoints(t *testing.T) {
	w := newScaffold(t)
	arm := func(name string, y float64, joint JointSpec) {
		joint.Joint, joint.Point = rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, r3.Vec{}
		w.AddBody(name, BodySpec{Mass: 0.2, Com_B: &r3.Vec{0.1, 0, 0}, Inertia: &r3.Mat{1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4}, Pose: at(0, y, 1), Joint: &joint})
	}
	arm("sprung", 0, JointSpec{Stiffness: 2})
	arm("hanging", 1, JointSpec{Q: []float64{0.3}})
	arm("driven", 2, JointSpec{})
	w.AddDrive("hold", &JointDrive{Joint: "driven", Kp: 5, Kd: 0.1, Target: motion.Constant(0.2)})
	w.AddLoad("twist", &MomentSpec{Moment: r3.Vec{0, 0.05, 0}, Body: "sprung", Axes: "world"})
	s, x := w.build()
	rest(t, s, x, 1)
	q := func(name string) float64 { return JointPosition{s.Model.Joint(name)}.Value(s, x) }
	mgl := 0.2 * grav * 0.1
	// gravity turns an arm along x by m g l cos q about y
	a := q("sprung")
	near(t, "moment of the spring", 2*a, mgl*math.Cos(a)+0.05, 1e-9)
	near(t, "angle of the pendulum", q("hanging"), math.Pi/2, 1e-8)
	b := q("driven")
	near(t, "effort of the drive", 5*(b-0.2), mgl*math.Cos(b), 1e-8)
}

// A block on a slope sticks where friction suffices, with all of its weight on the slope, and has no
// rest where it does not.
func TestEquilibriumWithFriction(t *testing.T) {
	for _, soft := range []bool{false, true} {
		for _, mu := range []float64{0.6, 0.3} {
			w := newScaffold(t)
			mat := w.material(1e5, 1, mu)
			const slope = 0.4 // tan 0.42
			X := r3.Pose{R: r3.RotRPY(0, slope, 0)}
			w.geom(geometry.World, X, geometry.HalfSpace{}, mat)
			X.P = X.R.Col(2).Scale(0.0201)
			if soft {
				w.soft("block", r3.Vec{0.04, 0.04, 0.04}, [3]int{2, 2, 2}, 1e6, X, r3.Vec{}, mat)
			} else {
				w.body("block", w.box(0.04, 0.04, 0.04), 0.3, X, r3.Vec{}, r3.Vec{}, mat)
			}
			s, x := w.build()
			err := s.Equilibrium(x, 1)
			t.Logf("μ %g, soft %v: %d pseudo-steps, residual %.2g, %v", mu, soft, s.Report.PseudoSteps, s.Report.RestResidual, err)
			if mu < math.Tan(slope) {
				if err == nil || !strings.Contains(err.Error(), "block") && !strings.Contains(err.Error(), "slide") {
					t.Errorf("a block that slides: %v", err)
				}
				continue
			}
			if err != nil {
				t.Errorf("μ %g: %v", mu, err)
				continue
			}
			mass := 0.3
			if soft {
				mass = s.deformables[0].model.Mass()
			}
			nearVec(t, "force on the block", contactForce(s, x, s.Model.Body("block")), r3.Vec{0, 0, mass * grav}, 1e-8)
		}
	}
}

// Bodies that nothing holds have no rest: the error names the body and how it is free to move, soon,
// and the state is as before.
func TestUnsupportedBodiesHaveNoRest(t *testing.T) {
	cases := map[string]struct {
		build func(w *scaffold)
		want  []string
	}{
		"deformable": {func(w *scaffold) { w.soft("jelly", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 1), r3.Vec{}, 0) }, []string{"jelly is not supported", "move along x", "move along z", "turn about y", "attach it"}},
		"rigid":      {func(w *scaffold) { w.body("stone", w.sphere(0.1), 1, at(0, 0, 1), r3.Vec{}, r3.Vec{}, 0) }, []string{"stone is not supported", "move along z", "turn about x", "fix it by a joint"}},
		"turned": {func(w *scaffold) {
			w.Gravity = r3.Vec{}
			w.body("wheel", w.sphere(0.1), 1, at(0, 0, 1), r3.Vec{}, r3.Vec{}, 0)
			w.AddLoad("turn", &MomentSpec{Moment: r3.Vec{0, 0, 1e-3}, Body: "wheel", Axes: "world"})
		}, []string{"wheel", "turn about z"}},
		"pair": {func(w *scaffold) {
			w.body("hand", w.sphere(0.01), 1, at(0, 0, 2), r3.Vec{}, r3.Vec{}, 0)
			w.soft("jelly", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 1), r3.Vec{}, 0, func(s *DeformableSpec) { s.Attach = []AttachSpec{{Body: "hand", Verts: []int32{0, 1, 2, 3, 4, 5}}} })
		}, []string{"moves away without end", "attach one of them"}},
		"joint": {func(w *scaffold) {
			w.Gravity = r3.Vec{}
			w.AddBody("rotor", BodySpec{Mass: 0.2, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4}, Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}}})
			w.AddLoad("turn", &MomentSpec{Moment: r3.Vec{0, 1e-3, 0}, Body: "rotor", Axes: "world"})
		}, []string{"rotor"}},
		"pressed": {func(w *scaffold) {
			w.Gravity = r3.Vec{}
			w.soft("jelly", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 1), r3.Vec{}, 0)
			w.AddLoad("air", &PressureSpec{Pressure: motion.Constant(100), Body: "jelly", Where: Region{ZMin: ptr(0.5 * cube[2])}})
		}, []string{"jelly is not supported"}},
	}
	for name, c := range cases {
		w := newScaffold(t)
		w.material(1e5, 1, 0.5)
		c.build(w)
		s, x := w.build()
		before, begin := x.Hash(), time.Now()
		err := s.Equilibrium(x, 1)
		if err == nil {
			t.Errorf("%s: rest after %d pseudo-steps", name, s.Report.PseudoSteps)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		if x.Hash() != before {
			t.Errorf("%s: the state has changed", name)
		}
		if d := time.Since(begin); d > 20*time.Second {
			t.Errorf("%s: it took %v", name, d)
		}
	}
}

// Bodies without loads are at rest as they are, wherever they float.
func TestFloatingBodiesWithoutLoadsAreAtRest(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.body("stone", w.sphere(0.1), 1, at(0, 0, 1), r3.Vec{1, 0, 0}, r3.Vec{0, 2, 0}, w.material(1e5, 1, 0.5))
	w.soft("jelly", cube, [3]int{2, 2, 2}, 1e5, at(1, 0, 1), r3.Vec{1, 0, 0}, 0)
	s, x := w.build()
	rest(t, s, x, 1)
	for i, q := range x.Q {
		near(t, "place", q, s.Model.Start.Q[i], 1e-12)
	}
}

// Random bodies, loads and supports: reactions, contacts, loads and weight balance to 1e-9 of
// the forces at any rest that is found, and a rest is found.
func TestForcesBalanceAtRest(t *testing.T) {
	for trial := range 12 {
		r := rand.New(rand.NewPCG(uint64(trial), 33))
		elements := elementsOf[trial%3]
		mesh := meshOf(warpedBlock(t, r, 0.1), elements)
		box := mesh.Bounds()
		w := newScaffold(t)
		mat := w.material(math.Exp(7+4*r.Float64()), 1, 0.5*r.Float64())
		law := fem.ConstitutiveLaw(must(fem.NewCorotational(math.Exp(11+3*r.Float64()), 0.45*r.Float64())))
		if trial%6 == 3 {
			law = must(fem.NewNeoHookean(math.Exp(11+3*r.Float64()), 0.45*r.Float64()))
			elements = elementsOf[trial/6] // on the mesh of tets, which has hexahedra
		}
		side := box.Min
		side[0] += 0.3 * box.Size()[0]
		cut := box.Max
		cut[0] = side[0]
		w.AddDeformable("block", DeformableSpec{
			Mesh: mesh, Law: law, Elements: elements, Material: materialName(mat),
			Pose:   r3.Pose{R: r3.RotRPY(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), P: r3.Vec{0, 0, 0.2}},
			Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: box.Min, Max: cut})}},
		})
		area := box.Size()[1] * box.Size()[2]
		E := law.(interface{ Lame() (mu, lambda float64) })
		mu, _ := E.Lame()
		w.AddLoad("pull", &ForceSpec{Force: r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.02 * mu * area), Body: "block", Axes: "world", Where: Region{XMin: ptr(box.Max[0] - 0.2*box.Size()[0])}})
		w.AddLoad("air", &PressureSpec{Pressure: motion.Constant(0.02 * mu * r.NormFloat64()), Body: "block"})
		for _, c := range []string{"x", "y", "z"} {
			w.AddSignal(c, &ReactionSpec{Component: c, HeldSpec: HeldSpec{Body: "block"}})
		}
		s, x := w.build()
		rest(t, s, x, 1)
		d := s.deformables[0]
		sum, size := s.Model.Gravity.Scale(d.model.Mass()), d.model.Mass()*grav
		got := s.Read(x, nil)
		sum = sum.Add(r3.Vec(got)).Add(contactForce(s, x, 0))
		for _, f := range d.force {
			sum, size = sum.Add(f), size+f.Norm()
		}
		nearVec(t, fmt.Sprintf("trial %d: sum of forces", trial), sum, r3.Vec{}, 1e-9*size)
	}
}

// A block that a ball constraint and a distance carry hangs from both.
func TestEquilibriumOfDeformablesOnConstraints(t *testing.T) {
	w := newScaffold(t)
	w.material(1e5, 1, 0.5)
	w.soft("block", r3.Vec{0.04, 0.04, 0.04}, [3]int{2, 2, 2}, 1e5, at(0, 0, 1), r3.Vec{}, 0)
	w.AddConstraint("pin", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "block"}, PointB: r3.Vec{-0.02, 0, 0.02}}})
	w.AddConstraint("rod", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "block"}, PointA: r3.Vec{0.02, 0, 1.2}, PointB: r3.Vec{0.02, 0, 0.02}})
	s, x := w.build()
	rest(t, s, x, 1)
}

// Steps under loads and searches for equilibrium give the same bits on any number of threads, again, and
// after a restore.
func TestLoadsAndEquilibriumGiveTheSameBits(t *testing.T) {
	w := newScaffold(t)
	loaded(w)
	m := w.model()
	s, x := start(t, m, 1)
	run(t, s, x, 2e-3, 40)
	saved := x.Clone()
	run(t, s, x, 2e-3, 20)
	for _, threads := range []int{1, 3} {
		other, y := start(t, m, threads)
		run(t, other, y, 2e-3, 40)
		if y.Hash() != saved.Hash() {
			t.Errorf("%d threads: other bits", threads)
		}
		again, z := start(t, m, threads)
		*z = *saved.Clone()
		run(t, again, z, 2e-3, 20)
		if z.Hash() != x.Hash() {
			t.Errorf("%d threads: other bits after a restore", threads)
		}
	}
	v := newScaffold(t)
	mat := v.material(1e4, 1, 0.5)
	v.ground(mat)
	v.soft("block", r3.Vec{0.04, 0.04, 0.04}, [3]int{3, 3, 3}, 1e5, at(0, 0, 0.022), r3.Vec{}, mat)
	v.body("weight", v.box(0.06, 0.06, 0.02), 0.3, at(0, 0, 0.055), r3.Vec{}, r3.Vec{}, mat)
	m = v.model()
	s, x = start(t, m, 1)
	rest(t, s, x, 1)
	for _, threads := range []int{1, 3} {
		other, y := start(t, m, threads)
		run(t, other, y, 1e-3, 3) // scratch of other steps has no effect
		*y = *m.Start.Clone()
		rest(t, other, y, 1)
		if y.Hash() != x.Hash() {
			t.Errorf("%d threads: other bits at rest", threads)
		}
	}
}
