package sim

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// endOf returns the hash of the state and the signals after some steps of a builder's model.
func endOf(t *testing.T, b *Builder) (string, []float64) {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, x := start(t, m, 1)
	run(t, s, x, 1e-3, 20)
	return x.Hash(), s.Read(x, nil)
}

// everything is the sample scene with an item of each further kind.
func everything() *Builder {
	b := sample(append([]string{"strip"}, forward...)...)
	b.AddShape("cart", ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.03}})
	b.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "ball", B: "box"}})
	b.AddLoad("wind", &ForceSpec{Body: "ball", Force: r3.Vec{1, 0, 0}})
	b.AddSignal("height", &PositionSpec{Component: "z", Body: "ball"})
	return b
}

// check stops a test at an error.
func check[T any](t *testing.T) func(x T, err error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// Parameters that are edited in the builder give the bits of parameters that are added so. A model that was built
// before stays as it was.
func TestEditedItemsAreThoseOfTheNextBuild(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(b *Builder)
		add  map[string]func(b *Builder) // in place of items of the sample
	}{
		{"body", func(b *Builder) {
			s := check[*BodySpec](t)(b.Body("ball"))
			s.Velocity, s.Shapes[0] = r3.Vec{0.3, 0, 0}, ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.015}}
		}, map[string]func(*Builder){"ball": func(b *Builder) {
			b.AddBody("ball", BodySpec{Pose: at(0, 0, 0.0699), Velocity: r3.Vec{0.3, 0, 0}, Shapes: []ShapeSpec{{Shape: must(geometry.NewSphere(0.015))}}})
		}}},
		{"joint", func(b *Builder) {
			j := check[*JointSpec](t)(b.Joint("cart"))
			j.V, j.Damping = []float64{0.5}, 2
		}, map[string]func(*Builder){"cart": func(b *Builder) {
			b.AddBody("cart", BodySpec{
				Pose: at(-0.5, 0, 0), Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3},
				Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, V: []float64{0.5}, Damping: 2},
			})
		}}},
		{"deformable", func(b *Builder) {
			check[*DeformableSpec](t)(b.Deformable("pad")).StiffnessDamping = 0.01
		}, map[string]func(*Builder){"pad": func(b *Builder) {
			sampleItems()["pad"](b)
			b.deformables[len(b.deformables)-1].spec.StiffnessDamping = 0.01
		}}},
		{"material", func(b *Builder) {
			check[*constraints.ContactMaterial](t)(b.Material("rubber")).HydroelasticModulus = 3e5
		}, map[string]func(*Builder){"rubber": func(b *Builder) {
			rubber := constraints.DefaultContactMaterial()
			rubber.HydroelasticModulus = 3e5
			b.AddMaterial("rubber", rubber)
		}}},
		{"drive", func(b *Builder) {
			check[Drive](t)(b.Drive("turn")).(*JointDrive).Target = motion.Constant(-0.2)
		}, map[string]func(*Builder){"turn": func(b *Builder) {
			b.AddDrive("turn", &JointDrive{Joint: "arm", Kp: 10, Kd: 1, Target: motion.Constant(-0.2), Effort: motion.Constant(1)})
		}}},
	} {
		b := sample(forward...)
		before := b.MustBuild()
		c.edit(b)
		got, _ := endOf(t, b)
		twin := NewBuilder()
		items := sampleItems()
		for _, name := range forward {
			if add := c.add[name]; add != nil {
				add(twin)
			} else {
				items[name](twin)
			}
		}
		want, _ := endOf(t, twin)
		plain, _ := endOf(t, sample(forward...))
		if got != want {
			t.Errorf("%s: edited it ends elsewhere than added so", c.name)
		}
		if got == plain {
			t.Errorf("%s: the edit has no effect", c.name)
		}
		s, x := start(t, before, 1)
		run(t, s, x, 1e-3, 20)
		if x.Hash() != plain {
			t.Errorf("%s: the edit has changed a model that was built before it", c.name)
		}
	}
}

// Parameters of kinds are edited where they are: those of constraints, loads, signals and added shapes.
func TestEditedParametersOfKinds(t *testing.T) {
	b := everything()
	_, v := endOf(t, b)
	check[SignalSpec](t)(b.Signal("height")).(*PositionSpec).Component = "x"
	check[LoadSpec](t)(b.Load("wind")).(*ForceSpec).Force = r3.Vec{2, 0, 0}
	check[constraints.Spec](t)(b.Constraint("rope")).(*constraints.DistanceSpec).B = "cart"
	check[[]*ShapeSpec](t)(b.Shapes("cart"))[0].Spec.(*geometry.SphereSpec).Radius = 0.01
	m := b.MustBuild()
	g := m.Geometry.Geoms[len(m.Geometry.Geoms)-1]
	if s, ok := g.Shape.(*geometry.Sphere); !ok || s.Radius != 0.01 || g.Name != "cart" {
		t.Errorf("the shape of the cart is %v", g)
	}
	rope := m.Constraints[m.Names.Constraints["rope"]].(*constraints.Distance)
	if rope.A.Body != m.Body("ball") || rope.B.Body != m.Body("cart") {
		t.Error("the rope does not stop the cart")
	}
	if _, w := endOf(t, b); math.Abs(v[0]-0.07) > 0.01 || math.Abs(w[0]) > 0.01 {
		t.Errorf("height %g, then x %g", v[0], w[0])
	}
}

// An item that was added and removed leaves no trace, and its name is free.
func TestRemovedItems(t *testing.T) {
	want, _ := endOf(t, sample("rubber", "box", "arm", "turn", "ball"))
	b := sample("rubber", "box", "cart", "arm", "turn", "pad")
	b.AddShape("cart", ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.03}})
	b.AddMaterial("ice", constraints.DefaultContactMaterial())
	b.OverridePair("ice", "rubber", constraints.Override{})
	b.AddMimic("cart", "arm", 1, 0)
	b.ExcludePair("cart", "pad")
	b.ExcludeGroup("cart", "box", "pad")
	b.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "cart", B: "arm"}})
	b.AddDrive("push", &JointDrive{Joint: "cart", Kp: 1})
	b.AddLoad("wind", &ForceSpec{Body: "cart", Force: r3.Vec{1, 0, 0}})
	b.AddSignal("x", &PositionSpec{Component: "x", Body: "cart"})
	b.AddController("hold", func() Controller { return nil })
	b.AddLive(&motion.Live{Name: "knob"})
	if err := b.Remove("body", "cart"); err != nil {
		t.Fatal(err)
	}
	// what names the cart is reported, and removed in turn
	_, err := b.Build()
	for _, want := range []string{`constraint "rope": a: unknown body "cart"`, `drive "push": unknown joint "cart"`, `load "wind": unknown body "cart"`, `signal "x": unknown body "cart"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %s: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "mimic") || strings.Contains(err.Error(), "pairs") || strings.Contains(err.Error(), "group") {
		t.Errorf("relations without a name are left: %v", err)
	}
	for _, item := range [][2]string{{"constraint", "rope"}, {"drive", "push"}, {"load", "wind"}, {"signal", "x"}, {"controller", "hold"}, {"live value", "knob"}, {"deformable", "pad"}, {"material", "ice"}} {
		if !slices.Contains(b.Names(item[0]), item[1]) {
			t.Errorf("no %s is called %s", item[0], item[1])
		}
		if err := b.Remove(item[0], item[1]); err != nil {
			t.Error(err)
		}
		if slices.Contains(b.Names(item[0]), item[1]) {
			t.Errorf("%s %s is still there", item[0], item[1])
		}
	}
	sampleItems()["ball"](b)
	if got, _ := endOf(t, b); got != want {
		t.Error("it ends at other bits than a builder that never had them")
	}
	// names are free again
	sampleItems()["cart"](b)
	sampleItems()["pad"](b)
	b.AddMaterial("ice", constraints.DefaultContactMaterial())
	if _, err := b.Build(); err != nil {
		t.Error(err)
	}
	// a body without its joint is free, and mimics end
	b.AddMimic("cart", "arm", 1, 0)
	if err := errors.Join(b.Remove("mimic", "cart"), b.Remove("drive", "turn"), b.Remove("joint", "arm")); err != nil {
		t.Fatal(err)
	}
	if m := b.MustBuild(); !m.IsFree(m.Body("arm")) || len(m.Names.Joints) != 1 {
		t.Errorf("joints %v", m.Names.Joints)
	}
}

// Names that no item has get an error with the nearest one.
func TestUnknownItems(t *testing.T) {
	b := everything()
	for _, c := range []struct {
		want string
		ask  func() error
	}{
		{`unknown body "bal": did you mean "ball"?`, func() error { _, err := b.Body("bal"); return err }},
		{"pad is deformable: ask for it by Deformable", func() error { _, err := b.Body("pad"); return err }},
		{`unknown deformable "pda": did you mean "pad"?`, func() error { _, err := b.Deformable("pda"); return err }},
		{"ball is rigid: ask for it by Body", func() error { _, err := b.Deformable("ball"); return err }},
		{`unknown joint "crat": did you mean "cart"?`, func() error { _, err := b.Joint("crat"); return err }},
		{"ball has no joint, it is fixed or free: give it one by BodySpec.Joint", func() error { _, err := b.Joint("ball"); return err }},
		{`unknown body "crt": did you mean "cart"?`, func() error { _, err := b.Shapes("crt"); return err }},
		{`unknown material "ruber": did you mean "rubber"?`, func() error { _, err := b.Material("ruber"); return err }},
		{`unknown constraint "rop": did you mean "rope"?`, func() error { _, err := b.Constraint("rop"); return err }},
		{`unknown drive "trun": did you mean "turn"?`, func() error { _, err := b.Drive("trun"); return err }},
		{`unknown load "wnd": did you mean "wind"?`, func() error { _, err := b.Load("wnd"); return err }},
		{`unknown signal "heigth": did you mean "height"?`, func() error { _, err := b.Signal("heigth"); return err }},
		{`unknown body "bal": did you mean "ball"?`, func() error { return b.Remove("body", "bal") }},
		{`unknown controller "hold": there are none`, func() error { return b.Remove("controller", "hold") }},
		{`unknown kind of item "bodies": did you mean "body"?`, func() error { return b.Remove("bodies", "ball") }},
		{`the material "default" is always there: edit it`, func() error { return b.Remove("material", "default") }},
	} {
		if err := c.ask(); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := b.Material("default"); err != nil {
		t.Error(err)
	}
	if s, err := b.Shapes("world"); err != nil || len(s) != 0 {
		t.Errorf("shapes of the world: %v, %v", s, err)
	}
}

// Edits count, reading names and building do not.
func TestRevision(t *testing.T) {
	b := everything()
	r := b.Revision()
	b.MustBuild()
	b.Names("body")
	b.Warnings()
	if b.Revision() != r {
		t.Error("building counts as an edit")
	}
	for i, edit := range []func(){
		func() { b.Body("ball") }, func() { b.Shapes("cart") }, func() { b.Joint("cart") }, func() { b.Drive("turn") },
		func() { b.AddMimic("cart", "arm", 1, 0) }, func() { b.ExcludePair("ball", "pad") }, func() { b.ExcludeGroup("ball", "pad") },
		func() { b.AddBody("new", BodySpec{Mass: 1}) }, func() { b.AddShape("ball", ShapeSpec{}) }, func() { b.Remove("body", "new") },
		func() { b.OverridePair("rubber", "rubber", constraints.Override{}) }, func() { b.AddController("c", nil) }, func() { b.Material("rubber") },
	} {
		if edit(); b.Revision() <= r {
			t.Errorf("edit %d does not count", i)
		}
		r = b.Revision()
	}
}
