package scene

import (
	"strings"
	"testing"
)

// cart is a scene with a free ball and a cart on a prismatic joint.
const cart = timeOf + `bodies:
  ball: {pose: {xyz: [5, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}
  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}
`

// oneFault loads a scene and reports unless it has exactly one fault, with this text.
func oneFault(t *testing.T, name, text, want string, set ...string) {
	t.Helper()
	_, err := load(t, fixtures(t), text, set...)
	switch {
	case err == nil:
		t.Errorf("%s: no error, want %q", name, want)
	case !strings.Contains(err.Error(), want):
		t.Errorf("%s: got %v\nwant %q in it", name, err, want)
	case strings.Contains(err.Error(), "\n"):
		t.Errorf("%s: more than one fault:\n%v", name, err)
	}
}

// A null value counts as absent, so an item can be without its kind.
func TestItemsWithoutAKindAreReportedAtTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"drive", cart + "drives: {d: }\n", "scene.yaml:5:10: drives.d: a drive is required, one of body, "},
		{"constraint", cart + "constraints: {c: }\n", "scene.yaml:5:15: constraints.c: a constraint is required, one of ball"},
		{"signal", cart + "signals: {s: }\n", "scene.yaml:5:11: signals.s: a signal is required"},
		{"shape", timeOf + "bodies: {b: {mass: 1, shapes: [null]}}\n", "scene.yaml:2:10: bodies.b.shapes[0]: a shape is required"},
		{"null kind", timeOf + "bodies: {b: {mass: 1, shapes: [{sphere: }]}}\n", "scene.yaml:2:32: bodies.b.shapes[0]: a shape is required"},
		{"null motion", cart + "drives: {d: {joint: cart, kp: 1, target: {sine: }}}\n", "drives.d.target: a motion is required"},
		{"number", timeOf + "bodies: {b: {mass: 1, shapes: [3]}}\n", `bodies.b.shapes[0]: keys and values are expected, not "3"`},
		{"misspelled shape", timeOf + "bodies: {b: {mass: 1, shapes: [{spher: {radius: 1}}]}}\n", `scene.yaml:2:33: unknown key bodies.b.shapes[0].spher: did you mean "sphere"?`},
		{"misspelled motion", cart + "drives: {d: {joint: cart, kp: 1, target: {sin: {amplitude: 1}}}}\n", `unknown key drives.d.target.sin: did you mean "sine"?`},
		{"misspelled signal", cart + "signals: {s: {body: ball, positio: x}}\n", `unknown key signals.s.positio: did you mean "position"?`},
		{"empty name", timeOf + ball + "deformables: {'': {mesh: m}}\nmeshes: {m: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}}\n", `deformables: "" cannot be a name`},
	} {
		oneFault(t, c.name, c.text, c.want)
	}
}

func TestNullKindsCountAsAbsent(t *testing.T) {
	sc, err := load(t, t.TempDir(), cart+"solver: {contact: , normal_law: null}\nsignals: {s: {body: ball, position: , velocity: x}}\n")
	if err != nil {
		t.Fatal(err)
	}
	usual := defaults()
	if sc.File.Solver.Contact.Name != usual.Solver.Contact.Name || sc.File.Solver.NormalLaw.Name != usual.Solver.NormalLaw.Name {
		t.Errorf("laws %s and %s", sc.File.Solver.Contact.Name, sc.File.Solver.NormalLaw.Name)
	}
	if s := sc.File.Signals.Get("s"); s.Kind.Name != "velocity" {
		t.Errorf("the signal is of kind %s", s.Kind.Name)
	}
}

func TestAnchorsMayStandBeforeTheNameOfAKind(t *testing.T) {
	sc, err := load(t, t.TempDir(), strings.Replace(cart, "prismatic", "&t prismatic", 1))
	if err != nil || sc.File.Bodies.Get("cart").Joint.Kind.Name != "prismatic" {
		t.Errorf("%v", err)
	}
}

// Overrides can leave values that the decoder would refuse in a file.
func TestFaultsThatOverridesMakeAreReported(t *testing.T) {
	table := cart + "drives: {d: {joint: cart, kp: 1, target: {times: [0, 1], values: [0, 1]}}}\nsignals: {s: {body: ball, position: x}}\n"
	for _, c := range []struct{ set, want string }{
		{"bodies.ball.joint.lower=-1", "scene.yaml:3:3: bodies.ball.joint: a joint is required, one of ball, free"},
		{"drives.d.target.times.1=-1", "scene.yaml:5:10: drives.d.target: times must ascend: -1 s follows 0 s"},
		{"drives.d.target.times=[0, 1, 2]", "drives.d.target: 3 times and 2 values"},
		{"drives.d.target=null", ""},
		{"drives.d.joint=null", "drives.d.joint is required"},
		{"signals.s.body=null", "scene.yaml:6:11: signals.s.body is required"},
		{"signals.s.position=null", "signals.s.position is required"},
		{"bodies.ball.shapes.0.sphere.radius=null", "bodies.ball.shapes[0].sphere.radius is 0 m: it must be positive"},
		{"bodies.ball.shapes.0.sphere.radius=-1", "bodies.ball.shapes.0.sphere.radius is -1 m: it must be positive"},
		{"bodies.ball.shapes.0.box.size=[1, 1, 1]", "is of kind sphere, which excludes box: set bodies.ball.shapes.0={box: …}"},
		{"drives.d.body=ball", "drives.d is of kind joint, which excludes body"},
		{"solver.contact.x=1", "solver.contact is a single value: nothing stands below it"},
		{"solver.contact=lagd", `solver.contact: unknown contact law "lagd": did you mean "lagged"?`},
		{"bodies.cart.joint.type=null", "bodies.cart.joint.type cannot be left out"},
	} {
		if c.want != "" {
			oneFault(t, c.set, table, c.want, c.set)
		} else if _, err := load(t, t.TempDir(), table, c.set); err != nil {
			t.Errorf("%s: %v", c.set, err)
		}
	}
}

// A missing item is not reported once more by those that refer to it, but a name that
// nothing has is, whatever other faults there are.
func TestOnlyNamesOfFaultyItemsAreForgiven(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"material", timeOf + soft + "materials: {default: {youngs_modulus: -1}}\n", "youngs_modulus is -1 Pa"},
		{"inherited density", timeOf + soft + "materials: {default: {mass_damping: -1}, a: {}, b: {color: \"#000000\"}}\n", "materials.default.mass_damping is -1 1/s"},
		{"density of a rigid body", timeOf + ball + "materials: {default: {density: -1}}\n", "materials.default.density is -1 kg/m³"},
		{"inherited friction", timeOf + ball + "materials: {default: {friction: -1}, a: {}, b: {}}\n", "materials.default: material: static friction is -1"},
		{"inherited colour", timeOf + ball + "materials: {default: {color: red}, a: {}, b: {}}\n", `materials.default.color: "red"`},
		{"shape", timeOf + "meshes: {m: {file: gone.stl}}\nbodies: {a: {mass: 1, shapes: [{mesh: {mesh: m}}], joint: {type: revolute, axis: [0, 0, 1]}}}\n" +
			"drives: {d: {joint: a, kp: 1}}\nsignals: {q: {joint: a, joint_state: position}, f: {drive_effort: d}, x: {body: a, position: x}}\n", "there is no such file"},
		{"mesh of a deformable", timeOf + "meshes: {m: {file: gone.stl}}\ndeformables: {d: {mesh: m}}\nsignals: {s: {von_mises: d}}\n", "there is no such file"},
	} {
		oneFault(t, c.name, c.text, c.want)
	}
	_, err := load(t, fixtures(t), timeOf+"robots: {r: {file: arm.urdf}}\nsignals: {q: {joint: r.sholder, joint_state: position}}\noutput: {rate: 0}\n")
	if err == nil || !strings.Contains(err.Error(), "output.rate") || !strings.Contains(err.Error(), `unknown joint "r.sholder"`) {
		t.Errorf("want two faults, got %v", err)
	}
}

// Every earlier key and kind is read with one warning, in a file and in an override, and
// means the same as the present one.
func TestEarlierNamesWarnOnceAndMeanTheSame(t *testing.T) {
	dir := fixtures(t)
	text := timeOf + `
materials: {default: {hydroelastic_modulus: 1e6, friction_direction: [1, 0, 0], friction_transverse: 0.1, pressure_gradient: 1e7, constitutive_law: linear}}
pairs: [{materials: [default, default], pressure_gradient: 2e7}]
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [5, 0, 0.1]}, shapes: [{sphere: {radius: 0.1}, resolution_hint: 0.05}]}
  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0], velocity: 1}}
robots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 3]}, self_contact: true}}
signals: {s: {body: ball, contact_surface: area}, q: {joint: cart, joint_state: velocity}}
render: {contact_surfaces: true}
`
	now := mustLoad(t, dir, text)
	for _, c := range []struct{ key, earlier, path, value string }{
		{"friction_direction:", "grain:", "materials.default.grain", "[1, 0, 0]"},
		{"friction_transverse:", "friction_across:", "materials.default.friction_across", "0.1"},
		{"{hydroelastic_modulus: 1e6, friction_direction: [1, 0, 0], friction_transverse: 0.1, pressure_gradient:", "{hydroelastic_modulus: 1e6, friction_direction: [1, 0, 0], friction_transverse: 0.1, contact_layer:", "materials.default.contact_layer", "1e7"},
		{"constitutive_law:", "law:", "materials.default.law", "linear"},
		{"default], pressure_gradient:", "default], contact_layer:", "pairs.0.contact_layer", "2e7"},
		{"resolution_hint:", "resolution:", "bodies.ball.shapes.0.resolution", "0.05"},
		{"1, 0, 0], velocity:", "1, 0, 0], speed:", "bodies.cart.joint.speed", "1"},
		{"self_contact:", "self_collision:", "robots.r.self_collision", "true"},
		{"contact_surface: area", "patch: area", "signals.s.patch", "area"},
		{"joint_state:", "of:", "signals.q.of", "velocity"},
		{"contact_surfaces:", "patches:", "render.patches", "true"},
	} {
		old := strings.Replace(text, c.key, c.earlier, 1)
		if old == text {
			t.Fatalf("%s does not stand in the scene", c.key)
		}
		for _, set := range [][]string{nil, {c.path + "=" + c.value}} {
			if set != nil {
				old = text
			}
			sc := mustLoad(t, dir, old, set...)
			if a, b := same(now), same(sc); a != b {
				t.Errorf("%s, %s: another scene:\n%s\n%s", c.earlier, set, a, b)
			}
			if all := strings.Join(sc.Warnings, "\n"); strings.Count(all, "is now called") != 1 {
				t.Errorf("%s, %s: warnings %q, want one of the earlier name", c.earlier, set, sc.Warnings)
			}
		}
	}
	if w := strings.Join(now.Warnings, "\n"); strings.Contains(w, "now called") {
		t.Errorf("present names warn: %s", w)
	}
}

// Numbers that no physical quantity has are refused with their key, in the file and by --set.
func TestNumbersWithoutPhysicalMeaningAreRefused(t *testing.T) {
	const load = cart + "loads: {f: {force: [0, 0, 1], body: ball}}\n"
	for _, c := range []struct{ name, text, want, set string }{
		{"force", load, "loads.f.force.0 is 1e+157 N: its magnitude must be at most 1e+24 N", "loads.f.force.0=1e157"},
		{"mass", cart, "bodies.cart.mass is 1e+60 kg: its magnitude must be at most 1e+27 kg", "bodies.cart.mass=1e60"},
		{"friction", cart + "pairs: [{materials: [default, default], friction: {static: 1, dynamic: 1e30}}]\n", "friction.dynamic is 1e+30: it must be at most 10000", "bodies.cart.mass=1"},
	} {
		oneFault(t, c.name, c.text, c.want, c.set)
	}
}
