package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

const (
	timeOf = "time: {step: 0.01, duration: 0.1}\n"
	ball   = "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}]}}\n"
	soft   = "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar}}\n"
)

// load loads a scene of this text, beside the fixtures.
func load(t testing.TB, dir, text string, set ...string) (*Scene, error) {
	t.Helper()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(path, set)
}

// One fault is reported once: not again by what is jointed to the body that has it.
func TestFaultsDoNotCascade(t *testing.T) {
	for name, text := range map[string]string{
		"mesh":  "meshes: {m: {file: gone.stl}}\nbodies: {a: {shapes: [{mesh: {mesh: m}}]}, B}\n",
		"lag":   "solver: {contact: similar, friction_lag: sweep}\n" + ball,
		"shape": "bodies: {a: {shapes: [{sphere: {radius: -1}}]}, B}\n",
		"mass":  "bodies: {a: {}, B}\n",
		"robot": "robots: {a: {file: gone.urdf}}\nbodies: {R}\n",
	} {
		text = strings.ReplaceAll(text, "B", "b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: a}}, c: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: b}}")
		text = strings.ReplaceAll(text, "R", "b: {mass: 1, joint: {type: revolute, axis: [0, 0, 1], parent: a.tip}}")
		_, err := load(t, fixtures(t), timeOf+text)
		if err == nil || strings.Contains(err.Error(), "unknown") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAMissingSceneIsNamed(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "gone.yaml"): "gone.yaml: there is no such file",
		dir:                             "is a folder: name the scene file in it",
	} {
		if _, err := Load(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestContactLawsAreMadeOfTheirParts(t *testing.T) {
	sc, err := load(t, fixtures(t), timeOf+ball+`
solver: {contact: lagged_regularized, normal_law: hertz, hertz_overlap: 2e-5, friction_lag: sweep, sigma: 2e-3}
materials:
  belt: {friction: {static: 0.9, dynamic: 0.4}, friction_direction: [0, 2, 0], friction_transverse: 0.1, surface_velocity: [0.5, 0, 0]}
`)
	if err != nil {
		t.Fatal(err)
	}
	law := constraints.Lagged{StictionTolerance: 1e-6, SlidingTolerance: 1e-4, Sigma: 2e-3, Normal: constraints.Hertz{Overlap: 2e-5}, StaticFriction: true}
	if sc.Model.Contact != law || sc.Model.FrictionLag != sim.FrictionLagSweep {
		t.Errorf("%+v, lag %d", sc.Model.Contact, sc.Model.FrictionLag)
	}
	pair, err := sc.Model.ContactMaterials.Pair(&geometry.Contact{Materials: [2]int{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	side := constraints.Side{Friction: 0.4, StaticFriction: 0.9, TransverseFriction: 0.1, FrictionDirection_B: r3.Vec{0, 1, 0}, SurfaceVelocity_B: r3.Vec{0.5, 0, 0}}
	if pair.Sides[0] != side {
		t.Errorf("%+v", pair.Sides[0])
	}
}

func TestPairsReachSurfacesThatRobotFilesChange(t *testing.T) {
	dir := fixtures(t)
	urdf := `<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
		`<collision><geometry><sphere radius="0.1"/></geometry><drake:proximity_properties><drake:mu_dynamic value="0.3"/></drake:proximity_properties></collision></link>` +
		`<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`
	if err := os.WriteFile(filepath.Join(dir, "slick.urdf"), []byte(urdf), 0o666); err != nil {
		t.Fatal(err)
	}
	sc, err := load(t, dir, timeOf+ball+"robots: {r: {file: slick.urdf, pose: {xyz: [0, 0, 2]}}}\npairs: [{materials: [default, default], stiffness: 77}]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range sc.Model.Geometry.Geoms {
		pair, err := sc.Model.ContactMaterials.Pair(&geometry.Contact{Materials: [2]int{g.Material, 0}})
		if err != nil || pair.Stiffness != 77 {
			t.Errorf("%s: stiffness %g, %v", g.Name, pair.Stiffness, err)
		}
	}
}

// A mesh that is scaled after reading is not doubted for its size in the file.
func TestScaledMeshesAreNotDoubted(t *testing.T) {
	dir := fixtures(t)
	urdf := `<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
		`<collision><geometry><mesh filename="mm.stl" scale="1e-3 1e-3 1e-3"/></geometry></collision></link></robot>`
	if err := os.WriteFile(filepath.Join(dir, "mm.urdf"), []byte(urdf), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"meshes: {m: {file: mm.stl, scale: [1e-3, 1e-3, 1e-3]}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n",
		"robots: {r: {file: mm.urdf, floating: true}}\n",
	} {
		if sc, err := load(t, dir, timeOf+text); err != nil || len(sc.Warnings) > 0 {
			t.Errorf("%s: %v, %v", text, err, sc.Warnings)
		}
	}
}

func TestDoubtfulScenesWarnAndLoad(t *testing.T) {
	dir := fixtures(t)
	for _, c := range []struct{ name, text, want string }{
		{"millimetres", timeOf + "meshes: {m: {file: mm.stl}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n", "`unit: mm`"},
		{"flattened by its weight", timeOf + soft + "materials: {default: {youngs_modulus: 1.5}}\n", "deformables.bar: youngs_modulus of 1.5 Pa does not carry its own weight, which presses with 2e+03 Pa"},
		{"light as air", timeOf + soft + "materials: {default: {density: 1.1}}\n", "deformables.bar: density of 1.1 kg/m³ is less than that of the lightest foam"},
		{"inverted tetrahedra", timeOf + "meshes: {m: {file: inverted.vtk}}\ndeformables: {d: {mesh: m}}\n", "mesh m: 1 tetrahedron of 2 with their vertices in the other order reversed"},
		{"a target beyond the velocity limit", timeOf + "robots: {r: {file: quick.urdf}}\ndrives: {d: {joint: r.bc, kp: 1, target: {sine: {amplitude: 1, frequency: 2}}}}\n",
			"drives.d: its target moves at up to 12.6 a second, but the speed limit of r.bc is 1: the mechanism could not follow, while this drive, without kd, is not bound by that limit"},
		{"a speed beyond it", timeOf + "robots: {r: {file: quick.urdf}}\ndrives: {d: {joint: r.bc, kd: 1, velocity: -1.1}}\n", "its target moves at up to 1.1 a second, but the speed limit of r.bc is 1: the joint falls behind"},
		{"a speed beyond that of the drive", timeOf + "robots: {r: {file: quick.urdf}}\ndrives: {d: {joint: r.bc, kd: 1, velocity: -1.1, velocity_limit: 0.5}}\n", "but the speed limit of r.bc is 0.5: the joint falls behind"},
		{"missing visual mesh", timeOf + "robots: {r: {file: novisual.urdf}}\n", "visual left out"},
		{"overlap", timeOf + "bodies:\n  a: {shapes: [{sphere: {radius: 0.1}}]}\n  b: {pose: {xyz: [0.15, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}\n", "bodies.a and bodies.b: they overlap by 50 mm at the start, and contact will push them apart; start them apart, or name one in the other's no_contact"},
		{"position beyond limits", timeOf + "robots: {r: {file: arm.urdf, joints: {shoulder: 3}}}\n", "outside of its limits -1 to 2"},
		{"mimic elsewhere", timeOf + "robots: {r: {file: arm.urdf, joints: {elbow: 1}}}\n", "as a mimic joint of r.shoulder it belongs at 0.1"},
		{"a coarse mesh", timeOf + strings.Replace(soft, "mesh: ", "elements: tet4, mesh: ", 1) + "materials: {default: {poissons_ratio: 0.49}}\n", "deformables.bar: the mesh is too coarse: pressed near ["},
		{"grain under sap", timeOf + ball + "solver: {contact: sap}\nmaterials: {default: {friction_direction: [1, 0, 0], friction_transverse: 0.2}}\n", "friction under sap has no direction"},
		{"unused resolution", timeOf + "bodies: {b: {shapes: [{sphere: {radius: 0.1}, resolution_hint: 0.01}]}}\n", "the resolution hint is not used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := load(t, dir, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(sc.Warnings, "\n"), c.want) {
				t.Errorf("got warnings %q\nwant %q in them", sc.Warnings, c.want)
			}
		})
	}
}

func TestAFaultlessSceneHasNoWarnings(t *testing.T) {
	sc, err := load(t, fixtures(t), timeOf+ball+"robots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 2]}}}\n")
	if err != nil || len(sc.Warnings) > 0 {
		t.Errorf("%v, %q", err, sc.Warnings)
	}
}

func TestSurfacesOfAnyFormatServeBodies(t *testing.T) {
	dir := fixtures(t)
	for _, file := range []string{"cube.stl", "cube.vtk"} {
		for _, kind := range []string{"mesh", "convex"} {
			sc, err := load(t, dir, timeOf+"meshes: {m: {file: "+file+"}}\nbodies: {b: {shapes: [{"+kind+": {mesh: m}}]}}\n")
			if err != nil {
				t.Errorf("%s as %s: %v", file, kind, err)
				continue
			}
			if m := sc.Model.Rigid.Link(0).Mass; m < 0.999 || m > 1.001 { // 1 litre of 1000 kg/m³
				t.Errorf("%s as %s weighs %g kg, want 1", file, kind, m)
			}
		}
	}
}

func TestOverridesTakeEffectAndTheirFaultsAreTheirOwn(t *testing.T) {
	dir := fixtures(t)
	text := timeOf + "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}]}}\nrobots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 2]}}}\n" +
		"drives: {d: {body: ball, x: {times: [0, 1], values: [0, 1]}}}\n"
	sc, err := load(t, dir, text, "time.step=0.002", "solver.contact=sap", "materials.default.stiffness=3e6",
		"materials.default.density=2000", "robots.r.joints.shoulder=0.5", "drives.d.x=0.25")
	if err != nil {
		t.Fatal(err)
	}
	p, err := sc.Model.ContactMaterials.Pair(contactOf(0))
	if err != nil {
		t.Fatal(err)
	}
	if sc.File.Time.Step != 0.002 || sc.File.Solver.Contact.Name != "sap" || p.Stiffness != 1.5e6 || sc.Model.Start.Q[0] != 0.5 {
		t.Errorf("step %g, law %s, pair %g N/m, joint %g", sc.File.Time.Step, sc.File.Solver.Contact.Name, p.Stiffness, sc.Model.Start.Q[0])
	}
	other, err := load(t, dir, text)
	if err != nil || other.Fingerprint == sc.Fingerprint {
		t.Errorf("overrides do not change the fingerprint (%v)", err)
	}
	var o *OverrideError
	for _, c := range []struct {
		set, want string
		override  bool
	}{
		{"time.stpe=1", `--set time.stpe=1: unknown path time.stpe: did you mean "step"?`, true},
		{"bodies.bal.mass=1", `bodies has no "bal": did you mean "ball"?`, true},
		{"time.step=soon", `time.step: a number is expected, not "soon"`, true},
		{"time.step=.inf", "time.step is infinite", true},
		{"time.step=-1", "time.step is -1 s", false},
		{"robots.r.joints.knee=1", `called "knee"`, false},
	} {
		_, err := load(t, dir, text, c.set)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &o) != c.override {
			t.Errorf("%s: got %v, want %q in it", c.set, err, c.want)
		}
	}
}
