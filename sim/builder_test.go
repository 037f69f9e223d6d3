package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// sampleItems are the items of a scene with all kinds of bodies, each as a call that
// adds it: a ball above a box, an arm on a revolute joint that a drive turns, a cart on a
// prismatic joint, and a pad on the box.
func sampleItems() map[string]func(b *Builder) {
	rubber := constraints.DefaultContactMaterial()
	rubber.HydroelasticModulus = 1e6
	return map[string]func(b *Builder){
		"rubber": func(b *Builder) { b.AddMaterial("rubber", rubber) },
		"box": func(b *Builder) {
			b.AddBody("box", BodySpec{Fixed: true, Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.4, 0.4, 0.1}))}}})
		},
		"ball": func(b *Builder) {
			b.AddBody("ball", BodySpec{Pose: at(0, 0, 0.0699), Velocity: r3.Vec{0.1, 0, 0}, Shapes: []ShapeSpec{{Shape: must(geometry.NewSphere(0.02)), Material: "rubber"}}})
		},
		"arm": func(b *Builder) {
			b.AddBody("arm", BodySpec{
				Pose: at(0.1, 0, 0.1), Mass: 0.1, Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.1, 0.02, 0.02}))}},
				Joint: &JointSpec{Parent: "box", Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Point: r3.Vec{-0.05, 0, 0}, Limits: &[2]float64{-1, 1}, Friction: 1e-3},
			})
		},
		"cart": func(b *Builder) {
			b.AddBody("cart", BodySpec{
				Pose: at(-0.5, 0, 0), Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3},
				Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, V: []float64{0.2}, Damping: 0.1},
			})
		},
		"pad": func(b *Builder) {
			mesh := must(meshes.BoxTets(r3.Vec{0.04, 0.04, 0.02}, [3]int{2, 2, 1}))
			b.AddDeformable("pad", DeformableSpec{Mesh: mesh, Law: must(fem.NewCorotational(1e5, 0.3)), Pose: at(0, 0.1, 0.0599), StiffnessDamping: 1e-3})
		},
		"strip": func(b *Builder) {
			mesh := must(meshes.BoxTets(r3.Vec{0.06, 0.01, 0.01}, [3]int{3, 1, 1}))
			b.AddDeformable("strip", DeformableSpec{
				Mesh: mesh, Law: must(fem.NewCorotational(1e5, 0.3)), Pose: at(-0.5, 0.3, 0.3), StiffnessDamping: 1e-3,
				Attach: []AttachSpec{
					{Body: "box", Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.03, 1, 1}})},
					{Body: "cart", Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{0.03, -1, -1}, Max: r3.Vec{1, 1, 1}})},
				},
			})
		},
		"pot": func(b *Builder) { // with a cavity, whose walls alone move
			mesh := hollowBlock(0.03, 3)
			var outside []int32
			for v, x := range mesh.Verts {
				if max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2])) > 0.01 {
					outside = append(outside, int32(v))
				}
			}
			b.AddDeformable("pot", DeformableSpec{
				Mesh: mesh, Law: must(fem.NewCorotational(1e5, 0.3)), Pose: at(0.5, 0.3, 0.3), StiffnessDamping: 1e-3,
				Attach: []AttachSpec{{Body: "box", Verts: outside}},
			})
		},
		"turn": func(b *Builder) {
			b.AddDrive("turn", &JointDrive{Joint: "arm", Kp: 10, Kd: 1, Target: motion.Constant(0.1), Effort: motion.Constant(1)})
		},
	}
}

// sample adds items of the sample scene in an order.
func sample(order ...string) *Builder {
	b := NewBuilder()
	items := sampleItems()
	for _, name := range order {
		items[name](b)
	}
	return b
}

// forward is an order of all items of the sample scene.
var forward = []string{"rubber", "box", "ball", "arm", "cart", "pad", "turn"}

func TestItemsMayBeAddedInAnyOrder(t *testing.T) {
	build := func(order ...string) string {
		m, err := sample(order...).Build()
		if err != nil {
			t.Fatal(err)
		}
		s, x := start(t, m, 1)
		run(t, s, x, 1e-3, 30)
		return x.Hash()
	}
	want := build(forward...)
	// a child before its parent, deformables and drives before bodies
	for _, order := range [][]string{
		{"turn", "pad", "box", "ball", "arm", "cart", "rubber"},
		{"pad", "box", "rubber", "ball", "turn", "arm", "cart"},
	} {
		if got := build(order...); got != want {
			t.Errorf("the order %v ends at other bits", order)
		}
	}
	m := sample("arm", "turn", "pad", "cart", "ball", "rubber", "box").MustBuild()
	for name, want := range map[string]int{"box": 0, "arm": 1, "cart": 2, "ball": 3, "pad": 4, "world": geometry.World} {
		if got := m.Body(name); got != want {
			t.Errorf("%s is body %d, want %d", name, got, want)
		}
	}
}

func TestBuiltAgainGivesTheSameModel(t *testing.T) {
	b := sample(forward...)
	m, n := b.MustBuild(), b.MustBuild()
	if h := n.Start.Hash(); m.Start.Hash() != h || len(m.Constraints) != len(n.Constraints) || len(n.Constraints) != 3 {
		t.Errorf("the second model starts at %s with %d constraints, want the limit, the friction and the drive", h, len(n.Constraints))
	}
}

// The error of Build joins the faults of all items, by their names.
func TestBuildReportsAllFaults(t *testing.T) {
	b := sample(forward...)
	ball := must(geometry.NewSphere(0.02))
	b.AddBody("ball", BodySpec{})
	b.AddBody("world", BodySpec{})
	b.AddBody("light", BodySpec{})
	b.AddBody("painted", BodySpec{Shapes: []ShapeSpec{{Shape: ball, Material: "ruber"}}})
	b.AddBody("hung", BodySpec{Shapes: []ShapeSpec{{Shape: ball}}, Joint: &JointSpec{Parent: "bx", Joint: rigid.Weld{}}})
	b.AddBody("hen", BodySpec{Mass: 1, Joint: &JointSpec{Parent: "egg", Joint: rigid.Weld{}}})
	b.AddBody("egg", BodySpec{Mass: 1, Joint: &JointSpec{Parent: "hen", Joint: rigid.Weld{}}})
	b.AddBody("flat", BodySpec{Shapes: []ShapeSpec{{Spec: &geometry.SphereSpec{}}}})
	b.AddBody("lost", BodySpec{Shapes: []ShapeSpec{{Spec: &geometry.MeshSpec{Mesh: "wedge"}}}})
	b.AddBody("bare", BodySpec{Shapes: []ShapeSpec{{}}})
	b.AddDeformable("air", DeformableSpec{})
	b.AddDrive("push", &BodyMotion{Body: "cart", X: motion.Constant(1)})
	b.AddDrive("still", &BodyMotion{Body: "ball"})
	_, err := b.Build()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`body "ball": the name is taken`, `body "world": this is the name of the world`,
		`body "light": it has no mass`, `body "painted": unknown material "ruber": did you mean "rubber"?`,
		`body "hung": its joint's parent: unknown body "bx": did you mean "box"?`, `body "hen": its joints make a loop of hen, egg, hen`,
		`body "flat": geometry: sphere: radius is 0 m`, `body "lost": unknown mesh "wedge": the builder has no Meshes`, `body "bare": a shape of it is nil: give Shape or Spec`,
		`deformable "air": Mesh and Law must be given`, `drive "still": a prescribed motion needs at least one of x, y, z and angle`, `body "cart": the motion "push" moves it`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %s", want)
		}
	}
	var d *Diagnostic
	if !errors.As(err, &d) {
		t.Error("no Diagnostic")
	}
	if t.Failed() {
		t.Log(err)
	}
}

// Constraints, drives and signals name the item that they do not find.
func TestBuildReportsFaultsOfReferences(t *testing.T) {
	b := sample(forward...)
	b.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "bell", B: "box"}})
	b.AddDrive("spin", &JointDrive{Joint: "amr"})
	b.AddDrive("both", &JointDrive{Joint: "arm", Target: motion.Constant(0), Velocity: motion.Constant(1)})
	b.AddMimic("cart", "ar", 1, 0)
	b.ExcludePair("ball", "padd")
	b.AddSignal("height", &PositionSpec{Component: "up", Body: "ball"})
	b.AddSignal("stress", &VonMisesSpec{Deformable: "pud"})
	b.AddSignal("corner", &PositionSpec{Component: "z", Body: "pad"})
	_, err := b.Build()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`constraint "rope": a: unknown body "bell": did you mean "ball"?`, `drive "spin": unknown joint "amr": did you mean "arm"?`, `drive "both": target and velocity exclude each other`,
		`joint "cart": mimic: unknown joint "ar"`, `unknown body "padd": did you mean "pad"?`,
		`signal "height": position is "up": did you mean "x"?`, `signal "stress": unknown deformable "pud": did you mean "pad"?`,
		`signal "corner": a point of deformable pad is required`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

func TestMimicJointsStartWhereTheyBelong(t *testing.T) {
	b := sample("rubber", "box", "ball", "arm", "cart")
	b.AddMimic("cart", "arm", 2, 0.3)
	m := b.MustBuild()
	if q := m.Start.Q[m.Rigid.QStart(m.Body("cart"))]; q != 0.3 {
		t.Errorf("the cart starts at %g m, want 0.3", q)
	}
	s, x := start(t, m, 1)
	run(t, s, x, 1e-3, 50)
	near(t, "cart", JointPosition{m.Joint("cart")}.Value(s, x), 2*JointPosition{m.Joint("arm")}.Value(s, x)+0.3, 1e-6)
	b.AddMimic("arm", "cart", 1, 0)
	if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), "in a cycle") {
		t.Errorf("error of a cycle: %v", err)
	}
}

// The sample scene with every registered signal: it has a unit, its name is free of
// faults, it is finite over a run, and where it is of a step 0 at the start and not a number at a state to which
// another stepper led.
func TestRegisteredSignals(t *testing.T) {
	b := sample(append([]string{"strip", "pot"}, forward...)...)
	kind := map[string]string{}
	for _, k := range Signals.Entries() {
		for i, s := range k.Samples() {
			name := fmt.Sprint(k.Name, " ", i)
			kind[name] = k.Name
			b.AddSignal(name, s)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, x := start(t, m, 1)
	// ofSteps is what values of steps are; NaN with known: some number
	check := func(when string, known bool, ofSteps float64) {
		for i, v := range s.Read(x, nil) {
			g := &m.Signals[i]
			c, isSurface := g.Signal.(ContactSurfaceSignal)
			nowhere := isSurface && c.Kind == ContactSurfaceCenter && math.IsNaN(v)
			switch {
			case g.Unit == "":
				t.Errorf("%s has no unit", g.Name)
			case !known && g.OfStep && math.Float64bits(v) != math.Float64bits(ofSteps) && !nowhere:
				t.Errorf("%s: %s is %g, want %g", when, g.Name, v, ofSteps)
			case !known && g.OfStep:
			case !nowhere && (math.IsNaN(v) || math.IsInf(v, 0)):
				t.Errorf("%s: %s is %g", when, g.Name, v)
			}
		}
	}
	check("at the start", false, 0)
	for range 20 {
		run(t, s, x, 1e-3, 1)
		check(fmt.Sprintf("at %g s", x.Time), true, 0)
	}
	s, _ = start(t, m, 1)
	s.Place(x, 1e-3)
	check("after a restore", false, math.NaN())
	if len(kind) != len(m.Names.Signals) {
		t.Errorf("%d signals, want %d", len(m.Names.Signals), len(kind))
	}
}

// Every sample of every registered drive, on a model without gravity and contact: the
// value that it prescribes or bounds is met at the end of a run.
func TestRegisteredDrives(t *testing.T) {
	if err := errors.Join(kinds.Check(Drives), kinds.Check(Signals)); err != nil {
		t.Error(err)
	}
	for _, k := range Drives.Entries() {
		for i, d := range k.Samples() {
			m, err := driveModel(d, nil)
			if err != nil {
				t.Errorf("%s %d: %v", k.Name, i, err)
				continue
			}
			s, x := start(t, m, 1)
			run(t, s, x, 2e-3, 500)
			switch d := d.(type) {
			case *JointDrive:
				u := Effort{m.Names.Drives["drive"]}.Value(s, x)
				if bound, ok := d.Effort.(motion.Constant); ok && math.Abs(u) > float64(bound)+1e-9 {
					t.Errorf("%s %d: the effort is %g, above its bound", k.Name, i, u)
				}
				if d.Target != nil {
					near(t, "position", JointPosition{m.Joint(d.Joint)}.Value(s, x), 0.5, 0.02)
				}
				if d.Velocity != nil { // against damping of 0.1 N s/m, with a feed forward of 1 N
					near(t, "velocity", JointVelocity{m.Joint(d.Joint)}.Value(s, x), (1+50*0.1)/(50+0.1), 1e-3)
				}
			case *BodyMotion:
				X := s.kin.Pose(m.Body(d.Body))
				p, angle := r3.Vec{0, 0, 0.0699}, 0.0
				if d.Z != nil {
					z, _ := d.Z.At(x.Time)
					p[2] += z
				}
				if d.Angle != nil {
					angle, _ = d.Angle.At(x.Time)
				}
				nearVec(t, "place", X.P, p, 1e-12)
				nearVec(t, "turn", X.R.Quat().Log(), r3.Vec{0, 0, angle}, 1e-12)
			}
		}
	}
}

// Every sample of every registered constraint is built on the sample scene, with its box
// free, under its name, and steps.
func TestRegisteredConstraints(t *testing.T) {
	for _, k := range constraints.Constraints.Entries() {
		for i, spec := range k.Samples() {
			b := sample("rubber", "ball", "box", "arm", "cart", "pad")
			b.bodyOf["box"].spec.Fixed = false
			b.AddConstraint("tie", spec)
			m, err := b.Build()
			if err != nil {
				t.Errorf("%s %d: %v", k.Name, i, err)
				continue
			}
			if n := m.Names.Constraints["tie"]; n != len(m.Constraints)-1 {
				t.Errorf("%s %d: it is constraint %d of %d", k.Name, i, n, len(m.Constraints))
			}
			s, x := start(t, m, 1)
			run(t, s, x, 1e-3, 10)
		}
	}
}
