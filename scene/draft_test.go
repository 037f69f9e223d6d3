package scene

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// draftScene is a scene with items of many kinds, a robot with visuals and one with a variant of a material among them.
const draftScene = `title: parts
time: {step: 0.005, duration: 0.1}
materials:
  default: {friction: 0.5, color: "#808080"}
  rubber: {youngs_modulus: 1e6, friction: 0.9, color: "#202020"}
meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}, cube: {file: cube.stl, unit: m}}
robots: {arm: {file: arm.urdf}, quick: {file: quick.urdf, pose: {xyz: [5, 0, 0]}}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {size: 2}}], color: "#d0d0d0"}
  ball: {mass: 1, pose: {xyz: [1, 0, 0.2]}, shapes: [{sphere: {radius: 0.1}, material: rubber}, {sphere: {radius: 0.1}, pose: {xyz: [0, 0, 0.1]}}]}
  crate: {pose: {xyz: [-2, 0, 0.06]}, shapes: [{mesh: {mesh: cube}, color: "#ff0000"}]}
  lever: {mass: 1, pose: {xyz: [-1, 0, 1]}, joint: {type: revolute, axis: [0, 1, 0], point: [-0.2, 0, 0]}}
deformables: {bar: {mesh: bar, material: rubber, pose: {xyz: [2, 0, 0.3]}}}
constraints: {rope: {distance: {a: ball, b: world, length: 1.5, rope: true}}}
drives: {swing: {joint: lever, kp: 10, kd: 1, target: {sine: {amplitude: 0.2, frequency: 1}}}, fast: {joint: quick.ab, kp: 10, kd: 0, target: {sine: {amplitude: 1, frequency: 3}}}}
loads: {wind: {body: ball, force: [1, 0, 0]}}
signals: {height: {body: ball, position: z, scale: 1000}, slip: {body: ball, velocity: x}}
expect: {low: {signal: height, max: 900}}
`

// openDraft writes and opens that scene.
func openDraft(t *testing.T) *Draft {
	t.Helper()
	path := filepath.Join(fixtures(t), "scene.yaml")
	if err := os.WriteFile(path, []byte(draftScene), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Open(path, []string{"time.duration=0.2"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// loaded builds a draft.
func loaded(t *testing.T, d *Draft) *Scene {
	t.Helper()
	sc, err := d.Load()
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// hashOf returns the hash of the state after some steps of a scene.
func hashOf(t *testing.T, sc *Scene) string {
	t.Helper()
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := sc.Model.Start.Clone()
	for range 10 {
		if err := s.Step(x, sc.File.Time.Step); err != nil {
			t.Fatal(err)
		}
	}
	return x.Hash()
}

// differences returns what of two scenes differs, but for the models and signals themselves.
func differences(a, b *Scene) (list []string) {
	v, w := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; name {
		case "Model", "Signals", "File":
		default:
			if !reflect.DeepEqual(v.Field(i).Interface(), w.Field(i).Interface()) {
				list = append(list, name)
			}
		}
	}
	return list
}

// A draft that is built as it is gives the scene of Load, as often as it is built; so do examples.
func TestADraftBuiltAsItIsIsTheSceneOfLoad(t *testing.T) {
	drafts := []*Draft{openDraft(t)}
	for _, name := range []string{"slip-gripper", "hold", "incline", "panda-circle"} {
		d, err := Open(filepath.Join("..", "examples", name, "scene.yaml"), nil)
		if err != nil {
			t.Fatal(err)
		}
		drafts = append(drafts, d)
	}
	for i, d := range drafts {
		var set []string
		if i == 0 {
			set = []string{"time.duration=0.2"}
		}
		want, err := Load(d.l.path, set)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got := loaded(t, d)
			if list := differences(got, want); len(list) > 0 {
				t.Errorf("%s: other %v", d.l.path, list)
			}
			if got.Fingerprint == "" || got.Model.Start.Hash() != want.Model.Start.Hash() || !slices.Equal(got.Signals.Names(), want.Signals.Names()) {
				t.Errorf("%s: another model", d.l.path)
			}
		}
		if i == 0 && hashOf(t, loaded(t, d)) != hashOf(t, want) {
			t.Error("other bits")
		}
	}
}

// What a program edits counts in the model, in pictures, warnings and estimates, as if the file had it.
func TestEditsOfADraftAreThoseOfTheFile(t *testing.T) {
	d := openDraft(t)
	first := loaded(t, d)
	b := d.Builder
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ball, err := b.Body("ball")
	check(err)
	ball.Shapes = ball.Shapes[:1]
	ball.Shapes[0].Pose = r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 0.01}}
	ball.Mass = 2
	bar, err := b.Deformable("bar")
	check(err)
	bar.StiffnessDamping = 0.02
	rubber, err := b.Material("rubber")
	check(err)
	rubber.Friction, rubber.StaticFriction = 0.7, 0.7
	swing, err := b.Drive("swing")
	check(err)
	swing.(*sim.JointDrive).Kp = 20
	wind, err := b.Load("wind")
	check(err)
	wind.(*sim.ForceSpec).Force[0] = 3
	height, err := b.Signal("height")
	check(err)
	height.(*sim.PositionSpec).Component = "x"
	check(b.Remove("body", "crate"))
	check(b.Remove("drive", "fast"))
	d.File.Time.Duration, d.File.Title = 0.3, "other parts"
	check(d.File.Override("expect.low.max=1100"))
	got := loaded(t, d)

	text := strings.NewReplacer(
		"title: parts", "title: other parts", "duration: 0.1", "duration: 0.3",
		", {sphere: {radius: 0.1}, pose: {xyz: [0, 0, 0.1]}}", "", "material: rubber}]}", "material: rubber}]}",
		"ball: {mass: 1", "ball: {mass: 2", "{sphere: {radius: 0.1}, material: rubber}", "{sphere: {radius: 0.1}, material: rubber, pose: {xyz: [0, 0, 0.01]}}",
		"friction: 0.9,", "friction: 0.7, stiffness_damping: 0.02,", "kp: 10, kd: 1", "kp: 20, kd: 1", "force: [1", "force: [3",
		"position: z", "position: x", "max: 900", "max: 1100",
		"  crate: {pose: {xyz: [-2, 0, 0.06]}, shapes: [{mesh: {mesh: cube}, color: \"#ff0000\"}]}\n", "",
		", fast: {joint: quick.ab, kp: 10, kd: 0, target: {sine: {amplitude: 1, frequency: 3}}}", "",
	).Replace(draftScene)
	want, err := load(t, filepath.Dir(d.l.path), text)
	check(err)
	if list := differences(got, want); !slices.Equal(list, []string{"Fingerprint"}) {
		t.Errorf("other %v", list)
	}
	if h := hashOf(t, got); h != hashOf(t, want) || h == hashOf(t, first) {
		t.Error("other bits than those of a file with the edits")
	}
	if got.File.Time.Duration != 0.3 || first.File.Time.Duration != 0.2 {
		t.Errorf("durations %g and %g", got.File.Time.Duration, first.File.Time.Duration)
	}
	if len(first.Static.Geoms) != len(got.Static.Geoms)+2 {
		t.Errorf("%d shapes, then %d", len(first.Static.Geoms), len(got.Static.Geoms))
	}
	// the target that was too fast is gone, with its warning
	if n := strings.Count(strings.Join(first.Warnings, "\n"), "drives.fast"); n != 1 || strings.Contains(strings.Join(got.Warnings, "\n"), "fast") {
		t.Errorf("warnings %q, then %q", first.Warnings, got.Warnings)
	}
}

// Items that a program adds are built, recorded and shown, with the colours of their materials.
func TestItemsAddedToADraft(t *testing.T) {
	d := openDraft(t)
	b := d.Builder
	b.AddBody("probe", sim.BodySpec{Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0, 3, 1}}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.2}, Material: "rubber"}}})
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}, Visual: true})
	b.AddSignal("probe_z", &sim.PositionSpec{Component: "z", Body: "probe"})
	b.AddDrive("lift", &sim.JointDrive{Joint: "quick.bc", Kp: 1, Target: &motion.Sine{Amplitude: 1, Frequency: 3}})
	if err := d.File.Override("expect.low.signal=probe_z"); err != nil {
		t.Fatal(err)
	}
	sc := loaded(t, d)
	n := len(sc.Static.Geoms)
	probe, ground := sc.Static.Geoms[n-2], sc.Static.Geoms[n-1]
	if probe.Body != sc.Model.Body("probe") || probe.Color != "#202020" || probe.Mesh == nil || ground.Body != geometry.World || ground.Ground != shownGround {
		t.Errorf("pictures of %+v and %+v", probe, ground)
	}
	if names := sc.Signals.Names(); !slices.Equal(names, []string{"height", "slip", "probe_z"}) || sc.Signals.Unit(2) != "m" {
		t.Errorf("signals %v", names)
	}
	if !strings.Contains(strings.Join(sc.Warnings, "\n"), `drive "lift"`) {
		t.Errorf("no warning of a target that is too fast: %q", sc.Warnings)
	}
	// faults of added items have no place in the file
	b.AddBody("light", sim.BodySpec{})
	b.AddSignal("a,b", &sim.PositionSpec{Component: "z", Body: "probe"})
	if _, err := d.Load(); err == nil || !strings.Contains(err.Error(), `"a,b" cannot be the name of a column`) {
		t.Errorf("got %v", err)
	}
	if err := b.Remove("signal", "a,b"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load(); err == nil || err.Error() != d.l.path+`: body "light": it has no mass: give a mass (kg) or shapes, or let it be fixed` {
		t.Errorf("got %v", err)
	}
	if err := b.Remove("body", "light"); err != nil {
		t.Fatal(err)
	}
	// of those of the file it is where the item stands, and what it is now
	ball, err := b.Body("ball")
	if err != nil {
		t.Fatal(err)
	}
	ball.Mass = -3
	if _, err := d.Load(); err == nil || err.Error() != d.l.path+":10:3: bodies.ball: its mass is -3 kg: it must be positive" {
		t.Errorf("got %v", err)
	}
	ball.Mass = 1
	// a signal that an expectation needs
	if err := b.Remove("signal", "probe_z"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load(); err == nil || !strings.Contains(err.Error(), `expect.low: unknown signal "probe_z": the choices are height, slip`) {
		t.Errorf("got %v", err)
	}
}

// idle is a controller that does nothing.
type idle struct{}

func (idle) Control(*sim.Control) error { return nil }

// An edited draft has no digest of inputs, unless the program names its edits.
// Shapes that a program adds to a draft name the meshes of the file.
func TestShapesAddedToADraftTakeMeshesOfTheFile(t *testing.T) {
	d := openDraft(t)
	at := func(y float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{0, y, 1}} }
	d.Builder.AddBody("copy", sim.BodySpec{Pose: at(3), Shapes: []sim.ShapeSpec{{Spec: &geometry.MeshSpec{Mesh: "cube"}}}})
	d.Builder.AddBody("hull", sim.BodySpec{Pose: at(5), Shapes: []sim.ShapeSpec{{Spec: &geometry.ConvexSpec{Mesh: "bar"}}}})
	sc := loaded(t, d)
	crate, copied := sc.Model.Body("crate"), sc.Model.Body("copy")
	if a, b := sc.Model.Rigid.Link(crate).Mass, sc.Model.Rigid.Link(copied).Mass; a != b || a <= 0 {
		t.Errorf("masses %g and %g kg", a, b)
	}
	d.Builder.AddBody("other", sim.BodySpec{Pose: at(7), Shapes: []sim.ShapeSpec{{Spec: &geometry.MeshSpec{Mesh: "cub"}}}})
	if _, err := d.Load(); err == nil || !strings.Contains(err.Error(), `unknown mesh "cub"`) || !strings.Contains(err.Error(), "cube") {
		t.Errorf("got %v", err)
	}
}

func TestDigestOfADraft(t *testing.T) {
	plain := loaded(t, openDraft(t)).Fingerprint
	digest := func(edit func(d *Draft)) string {
		d := openDraft(t)
		edit(d)
		return loaded(t, d).Fingerprint
	}
	for i, edit := range []func(d *Draft){
		func(d *Draft) { d.Builder.Gravity[2] = -1 },
		func(d *Draft) { d.Builder.AddController("c", func() sim.Controller { return idle{} }) },
		func(d *Draft) { d.Builder.Joint("lever") },
		func(d *Draft) { d.File.Time.Duration = 1 },
		func(d *Draft) { d.File.Time.Step = 0.001 },
		func(d *Draft) { d.File.Render.FOV = 40 },
		func(d *Draft) { *d.File.Signals.Get("height").Scale = 3 },
	} {
		if got := digest(edit); got != "" {
			t.Errorf("edit %d: digest %s", i, got)
		}
		named := func(name string) string { return digest(func(d *Draft) { edit(d); d.Edits = name }) }
		if one, two := named("1"), named("2"); one == two || one == "" || one == plain || one != named("1") {
			t.Errorf("edit %d: named 1 %s, 2 %s", i, one, two)
		}
	}
	if got := digest(func(d *Draft) { d.Builder.Names("body"); d.Builder.Warnings() }); got != plain {
		t.Errorf("unedited: digest %s, want %s", got, plain)
	}
	// parameters that were handed out may change later
	d := openDraft(t)
	j, err := d.Builder.Joint("lever")
	if err != nil {
		t.Fatal(err)
	}
	loaded(t, d)
	j.Damping = 1
	if sc := loaded(t, d); sc.Fingerprint != "" {
		t.Error("an edit between two calls of Load has a digest")
	}
}

// Edits of the file that would have no effect are refused; those of the run count.
func TestEditsOfTheFileOfADraft(t *testing.T) {
	for want, edit := range map[string]func(d *Draft){
		"Draft.File.Bodies was changed after Open":    func(d *Draft) { d.File.Bodies.Get("ball").Mass = 3 },
		"Draft.File.Gravity was":                      func(d *Draft) { d.File.Gravity[2] = 0 },
		"Draft.File.Solver was":                       func(d *Draft) { d.File.Solver.Tolerance = 1e-3 },
		"Draft.File.Time was":                         func(d *Draft) { d.File.Time.Equilibrium = true },
		"Draft.File.Drives was":                       func(d *Draft) { d.File.Override("drives.swing.kp=3") },
		"Draft.File.Signals was":                      func(d *Draft) { d.File.Override("signals.height.position=x") },
		"Draft.File.Loads and Draft.File.Signals was": func(d *Draft) { d.File.Loads, d.File.Signals = Named[ExternalLoad]{}, Named[Signal]{} },
		"Draft.Builder.TimeStep is 0.001 s, and runs": func(d *Draft) { d.Builder.TimeStep = 0.001 },
		"time.duration is -1 s":                       func(d *Draft) { d.File.Time.Duration = -1 },
	} {
		d := openDraft(t)
		edit(d)
		if _, err := d.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	d := openDraft(t)
	d.File.Time.Step, d.File.Solver.Threads, d.Builder.ConditionNumber = 0.001, 3, true
	d.Builder.Contact = d.l.law
	sc := loaded(t, d)
	if sc.File.Time.Step != 0.001 || d.Builder.TimeStep != 0.001 || sc.File.Solver.Threads != 3 || !sc.File.Solver.ConditionNumber || sc.File.Solver.Contact.Name != "lagged" {
		t.Errorf("%+v, %+v", sc.File.Time, sc.File.Solver)
	}
	d.File.Time.Step = 0.002
	if sc := loaded(t, d); sc.File.Time.Step != 0.002 || d.Builder.TimeStep != 0.002 {
		t.Error("a second step is not taken")
	}
}

// A fault of the file is reported as Load reports it, with those that only building finds.
func TestFaultsOfADraftAreThoseOfLoad(t *testing.T) {
	for _, text := range []string{
		timeOf + "bodies: {a: {shapes: [{sphere: {radius: -1}}]}, b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: gone}}}\n",
		timeOf + "signals: {a: {body: gone, position: z}}\nexpect: {b: {signal: c, max: 1}}\n" + ball,
		"time: {step: 0.01}\n" + ball,
	} {
		path := filepath.Join(t.TempDir(), "scene.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, want := Load(path, nil)
		d, err := Open(path, nil)
		if err == nil {
			_, err = d.Load()
		}
		if want == nil || err == nil || err.Error() != want.Error() {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	// what only building finds, an edit may correct
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(timeOf+"signals: {a: {body: gone, position: z}}\n"+ball), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Builder.Signal("a")
	if err != nil {
		t.Fatal(err)
	}
	s.(*sim.PositionSpec).Body = "ball"
	loaded(t, d)
}

// A copy of a file shares nothing that its structures refer to: all samples of all kinds are as they were, and others.
func TestCopyOfAFile(t *testing.T) {
	f := openDraft(t).l.f
	c := f.clone()
	if !reflect.DeepEqual(f.Bodies, c.Bodies) || !reflect.DeepEqual(f.Drives, c.Drives) || !reflect.DeepEqual(f.Signals, c.Signals) || !reflect.DeepEqual(f.Solver, c.Solver) {
		t.Error("a copy differs")
	}
	c.Bodies.Get("ball").Shapes[0].Kind.Spec.(*geometry.SphereSpec).Radius = 7
	c.Drives.Get("swing").Kind.Spec.(*sim.JointDrive).Target.(*motion.Sine).Amplitude = 7
	if f.Bodies.Get("ball").Shapes[0].Kind.Spec.(*geometry.SphereSpec).Radius == 7 || f.Drives.Get("swing").Kind.Spec.(*sim.JointDrive).Target.(*motion.Sine).Amplitude == 7 {
		t.Error("a copy is shared")
	}
	for _, seam := range kinds.All() {
		for _, k := range seam.Kinds() {
			s := k.Sample()
			if s == nil {
				continue
			}
			v := reflect.New(reflect.TypeOf(s)).Elem()
			v.Set(reflect.ValueOf(s))
			if got := (&cloner{from: f, to: c}).copied(v).Interface(); !reflect.DeepEqual(got, s) {
				t.Errorf("%s: copied %+v, was %+v", k.Name, got, s)
			}
		}
	}
}
