package scene

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
)

func decode(text string) (*File, error) {
	f := defaults()
	return f, Decode("scene.yaml", []byte(text), f)
}

func TestFaultsNameThePlaceAndTheRemedy(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "time: {step: 0.01, duratoin: 1}\n", `scene.yaml:1:20: unknown key time.duratoin: did you mean "duration"?`},
		{"unknown top key", "materails: {}\n", `scene.yaml:1:1: unknown key materails: did you mean "materials"?`},
		{"unknown key in a named item", "bodies:\n  part:\n    mas: 2\n", `scene.yaml:3:5: unknown key bodies.part.mas: did you mean "mass"?`},
		{"twice", "time: {step: 1, step: 2}\n", "step"},
		{"text for a number", "time: {step: fast}\n", `time.step: a number is expected, not "fast"`},
		{"a unit", "time: {step: 5 ms}\n", `time.step: a number is expected, not "5 ms": write 0.005; units are SI`},
		{"an unknown unit", "time: {step: 5 fortnights}\n", `"5 fortnights": write it without its unit; units are SI`},
		{"NaN", "time: {step: .nan}\n", "time.step is not a number (NaN)"},
		{"NaN as text", "time: {step: NaN}\n", "time.step"},
		{"too few components", "gravity: [0, 1]\n", "gravity: 3 numbers are required"},
		{"a number for a flag", "bodies: {a: {fixed: 3}}\n", "bodies.a.fixed: true or false is expected"},
		{"scalar for a mapping", "time: 3\n", "time: keys and values are expected"},
		{"list for a mapping", "bodies: [1, 2]\n", "bodies: keys and values are expected"},
		{"fraction for a count", "solver: {max_iterations: 2.5}\n", "solver.max_iterations: 2.5 is not a whole number"},
		{"empty file", "", "the file is empty"},
		{"bad YAML", "time: {step: 1\n", "scene.yaml"},
		{"two documents", "time: {step: 1}\n---\ntime: {step: 2}\n", "one document"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestAllFaultsAreNamedAtOnce(t *testing.T) {
	_, err := decode("time: {stp: 1}\nbodeis: {}\n")
	if err == nil || strings.Count(err.Error(), "unknown key") != 2 {
		t.Errorf("got %v, want both faults", err)
	}
}

func TestNumbersComeInAllTheirForms(t *testing.T) {
	f, err := decode("time: {step: 1e-3, duration: 2}\nmaterials:\n  a: {stiffness: 1e7, friction: 0.3}\n  b: {stiffness: .inf, friction: {static: 0.5, dynamic: 0.4}}\n")
	if err != nil {
		t.Fatal(err)
	}
	a, b := f.Materials.Get("a"), f.Materials.Get("b")
	if f.Time.Step != 1e-3 || f.Time.Duration != 2 || *a.Stiffness != 1e7 || !(*b.Stiffness > 1e300) {
		t.Errorf("%+v %v %v", f.Time, *a.Stiffness, *b.Stiffness)
	}
	if *a.Friction != (Friction{0.3, 0.3}) || *b.Friction != (Friction{0.5, 0.4}) {
		t.Errorf("friction %v, %v", *a.Friction, *b.Friction)
	}
}

func TestNamesKeepTheOrderOfTheFile(t *testing.T) {
	f, err := decode("bodies: {zeta: {mass: 1}, alpha: {mass: 2}, mid: {mass: 3}}\n")
	if err != nil || strings.Join(f.Bodies.Keys, " ") != "zeta alpha mid" {
		t.Errorf("%v, %v", f.Bodies.Keys, err)
	}
}

func TestOverridesReachEveryScalar(t *testing.T) {
	f, err := decode("bodies:\n  part: {mass: 1}\nsignals:\n  z: {body: part, position: z}\nmeshes: {g: {part: {spur: {teeth: 20}}}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []string{
		"time.step=0.002", "solver.contact=sap", "materials.default.stiffness=1e6", "bodies.part.mass=3",
		"gravity.2=-1.62", "bodies.part.pose.xyz.0=0.5", "solver.allow_unconverged=true", "gravity=[0, 0, -2]",
		"bodies.part.joint.lower=-1", "materials.default.friction=0.2",
		"meshes.g.part.spur.backlash=2e-5", "meshes.g.part.spur.teeth=24", // a parameter that the file leaves out, and one that it has
	} {
		if err := f.Override(o); err != nil {
			t.Errorf("%s: %v", o, err)
		}
	}
	if f.Time.Step != 0.002 || f.Solver.Contact.Name != "sap" || *f.Materials.Get("default").Stiffness != 1e6 ||
		f.Bodies.Get("part").Mass != 3 || f.Gravity != [3]float64{0, 0, -2} || f.Bodies.Get("part").Pose.XYZ[0] != 0.5 ||
		!f.Solver.AllowUnconverged || *f.Bodies.Get("part").Joint.Lower != -1 || f.Materials.Get("default").Friction.Dynamic != 0.2 ||
		(*f.Meshes.Get("g").Part.Get("spur").Get("backlash"))[0] != 2e-5 || (*f.Meshes.Get("g").Part.Get("spur").Get("teeth"))[0] != 24 {
		t.Errorf("%+v", f)
	}
}

func TestNullTakesBackWhatTheFileSays(t *testing.T) {
	f, err := decode("gravity: [1, 2, 3]\nsolver: {contact: sap, hydroelastic_margin: 1e-5}\nbodies: {part: {mass: 2, joint: {type: weld}}}\n" +
		"materials: {default: {hydroelastic_modulus: 1e6, friction: 0.2}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"gravity", "solver.contact", "solver.hydroelastic_margin", "bodies.part.mass", "bodies.part.joint",
		"materials.default.hydroelastic_modulus", "materials.default.friction"} {
		if err := f.Override(path + "=null"); err != nil {
			t.Error(err)
		}
	}
	usual, part, m := defaults(), f.Bodies.Get("part"), f.Materials.Get("default")
	if f.Gravity != usual.Gravity || f.Solver.Contact.Name != usual.Solver.Contact.Name || f.Solver.HydroelasticMargin != nil ||
		part.Mass != 0 || part.Joint != nil || m.HydroelasticModulus != nil || m.Friction != nil {
		t.Errorf("%+v", f)
	}
}

func TestUnknownOverridesNameTheNearest(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"solver.contcat=sap", `did you mean "contact"?`},
		{"bodies.prat.mass=3", `did you mean "part"?`},
		{"time.step.x=3", "time.step is a single value"},
		{"gravity.3=1", "gravity has 3 items"},
		{"time.step", "PATH=VALUE"},
		{"time.step=soon", "a number is expected"},
		{"meshes.g.part.spur.backlsh=1e-5", `meshes.g.part.spur has no "backlsh": did you mean "backlash"?`},
		{"meshes.g.part.worm.length=1e-2", `meshes.g.part has no "worm"`},
		{"gravity.2=null", "gravity.2 cannot be left out"},
		{"bodies.part=null", "bodies.part cannot be left out"},
		{"meshes.g.part.spur.bore=null", "cannot be left out"},
		{"materials.steel.friction=1", `materials has no "steel": the choices are default`},
	} {
		f, err := decode("bodies: {part: {mass: 1}}\nmeshes: {g: {part: {spur: {}}}}\n")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override(c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.set, err, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	seeds := mutation.Texts("time: {step: 0.01, duration: 1}\nbodies:\n  a: {mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n",
		"time: &x {step: 1}\nsolver: *x\n<<: *x\n",
		"drives: {a: {target: {times: [0, 1], values: [0, .inf]}}}\n",
		"- 1\n- {}\n",
		"? [a]\n: b\n",
		"!!binary x: |\n  y\n")
	mutation.Fuzz(f, seeds, func(_ testing.TB, text []byte) string {
		if len(text) > 1<<14 {
			return "long"
		}
		if _, err := decode(string(text)); err != nil { // must not panic
			return err.Error()
		}
		return ""
	})
}
