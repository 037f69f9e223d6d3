package check_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene"
)

// inputOf returns the input of a scene of one material, with names for paths.
func inputOf(sc *scene.Scene) *check.Input {
	return &check.Input{
		Model: sc.Model, Step: sc.File.Time.Step, Duration: sc.File.Time.Duration,
		Materials: []check.Material{{Name: "default", Contact: constraints.DefaultContactMaterial()}},
	}
}

const twoBalls = timeOf + `bodies:
  a: {shapes: [{sphere: {radius: 0.1}}]}
  b: {pose: {xyz: [0.15, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}
`

func TestWarningsNameKindPlaceMessageAndRemedy(t *testing.T) {
	in := inputOf(load(t, twoBalls))
	in.Paths = []string{"bodies.a", "robots.r.b"}
	r, err := check.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	want := check.Warning{
		Kind: check.Overlap, Where: []string{"bodies.a", "robots.r.b"},
		Message: "they overlap by 50 mm at the start, and contact will push them apart",
		Remedy:  "start them apart, or name one in the other's no_contact",
	}
	if len(r.Warnings) != 1 || r.Warnings[0].String() != want.String() || r.Warnings[0].Kind != want.Kind || !slices.Equal(r.Warnings[0].Where, want.Where) {
		t.Errorf("%+v, want %+v", r.Warnings, want)
	}
	if s := want.String(); s != "bodies.a and robots.r.b: "+want.Message+"; "+want.Remedy {
		t.Error(s)
	}
	// without paths the names serve
	in.Paths = nil
	if r, err = check.Run(in); err != nil || !slices.Equal(r.Warnings[0].Where, []string{"a", "b"}) {
		t.Errorf("%+v, %v", r.Warnings, err)
	}
}

// Warnings about links of robots name these by their paths in the scene.
func TestLinksOfRobotsAreNamedByTheirPaths(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"r.urdf":     "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><geometry><sphere radius='0.1'/></geometry></collision></link></robot>",
		"scene.yaml": timeOf + "robots: {arm: {file: r.urdf, floating: true}}\nbodies: {b: {pose: {xyz: [0.15, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sc, err := scene.Load(filepath.Join(dir, "scene.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(sc.Warnings) != 1 || !strings.HasPrefix(sc.Warnings[0], "robots.arm.base and bodies.b: they overlap by 50 mm") {
		t.Errorf("%q", sc.Warnings)
	}
}

// sine is A sin(ω t).
type sine struct{ A, Omega float64 }

func (s sine) At(t float64) (x, dx float64) {
	return s.A * math.Sin(s.Omega*t), s.A * s.Omega * math.Cos(s.Omega*t)
}

// The greatest speed of A sin(ω t) is A ω.
func TestTargetsFasterThanTheirJointAreWarnedOf(t *testing.T) {
	in := inputOf(load(t, timeOf+ball))
	in.Duration = 10
	for _, c := range []struct {
		limit  float64
		warned bool
	}{{5.99, true}, {6.01, false}, {math.Inf(1), false}} {
		in.Targets = []check.Target{{Path: "drives.d", Joint: "r.j", SpeedLimit: c.limit, Motion: sine{2, 3}}, {Path: "drives.e"}}
		r, err := check.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if (len(r.Warnings) == 1) != c.warned {
			t.Errorf("limit %g: %v", c.limit, r.Warnings)
		}
		if c.warned && (r.Warnings[0].Kind != check.Speed || !strings.HasPrefix(r.Warnings[0].String(), "drives.d: its target moves at up to 6 a second, but the speed limit of r.j is 5.99")) {
			t.Error(r.Warnings[0])
		}
	}
}

// A column of height L is flattened where E < ρ g L.
func TestColumnsAreFlattenedByTheirWeight(t *testing.T) {
	const height, density = 0.4, 1200.0
	for _, c := range []struct {
		share  float64 // of ρ g L
		warned bool
	}{{0.99, true}, {1.01, false}} {
		text := fmt.Sprintf(`%s
materials: {default: {density: %g, youngs_modulus: %g, poissons_ratio: 0.3}}
meshes: {m: {box: {size: [0.1, 0.1, %g], cells: [4, 4, 8]}}}
deformables: {column: {mesh: m}}
`, timeOf, density, c.share*density*9.81*height, height)
		got := warned(t, text, "does not carry its own weight")
		if (got != "") != c.warned || c.warned && !strings.HasPrefix(got, "deformables.column: youngs_modulus of 4.66e+03 Pa") {
			t.Errorf("E of %g ρ g L: %q", c.share, got)
		}
	}
	for _, c := range []struct {
		density string
		want    string
	}{{"4.9", "density of 4.9 kg/m³ is less than that of the lightest foam"}, {"5.1", ""}} {
		text := timeOf + "materials: {default: {density: " + c.density + "}}\n" + soft
		expectWarning(t, c.density, warned(t, text, "density"), c.want)
	}
}

// A mesh is warned of where it lacks more than 15 % of its deflection: locking and few elements
// across count by what they do, and a Poisson's ratio of 0.45 is none to be afraid of by itself.
func TestCoarseMeshesAreWarnedOf(t *testing.T) {
	scene := func(cells, elements, nu, law string) string {
		return timeOf + "materials: {default: {poissons_ratio: " + nu + ", constitutive_law: " + law + "}}\nmeshes: {m: {box: {size: [0.1, 0.01, 0.01], cells: " + cells + "}}}\n" +
			"deformables: {d: {mesh: m, elements: " + elements + ", attach: [{body: world, where: {x_max: -0.0499}}]}}\n"
	}
	for _, law := range []string{"corotational", "neo_hookean"} {
		for _, nu := range []string{"0.3", "0.45", "0.49"} {
			for elements, want := range map[string]string{"tet4": "deformables.d: the mesh is too coarse: pressed near [", "hex12": "", "tet10": ""} {
				expectWarning(t, elements+" "+law+" "+nu, warned(t, scene("[10, 1, 1]", elements, nu, law), "deformables.d:"), want)
			}
		}
	}
	expectWarning(t, "remedy", warned(t, scene("[10, 1, 1]", "tet4", "0.45", "linear"), "d:"), "too little; take elements: hex12, or a finer mesh")
	sc := load(t, scene("[10, 1, 1]", "hex12", "0.45", "linear"))
	if e := sc.Bending[0]; e.Reason != "" || math.Abs(e.Lacking) > 0.05 || e.Elements != "hex12" {
		t.Errorf("one hexahedron across: %s", &e)
	}
}

// A mesh that would take long is not estimated, and a line says so.
func TestLargeMeshesAreNotEstimated(t *testing.T) {
	sc := load(t, timeOf+"meshes: {m: {box: {size: [0.1, 0.1, 0.1], cells: [20, 20, 20]}}}\ndeformables: {d: {mesh: m, elements: hex12}}\n")
	if s := sc.Bending[0].String(); !strings.Contains(s, "was not estimated: the mesh is too large") {
		t.Error(s)
	}
}

func TestLengthsAreWrittenInReadableUnits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0 nm", 1.23e-8: "12 nm", 9.81e-7: "981 nm", 1e-6: "1 µm", 4.06e-5: "41 µm", 9.996e-4: "1000 µm",
		1e-3: "1 mm", 0.0126: "13 mm", 0.1: "100 mm", 2: "2000 mm", 2e3: "2e+06 mm",
	} {
		if got := check.Metres(x); got != want {
			t.Errorf("%g m: %q, want %q", x, got, want)
		}
	}
}

// Tetrahedra whose edges all have one length have that mean.
func TestMeanEdgeOfRegularTetrahedra(t *testing.T) {
	a := 0.3 / math.Sqrt2
	m := &meshes.Tet{Verts: []r3.Vec{{0, 0, 0}, {a, a, 0}, {a, 0, a}, {0, a, a}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	if got := check.MeanEdge(m); math.Abs(got-0.3) > 1e-15 {
		t.Errorf("%g m, want 0.3 m", got)
	}
}

// Robot files make variants of a material, with friction of their own: all of them count
// as the material of the scene.
func TestVariantsOfAMaterialHaveOneEstimate(t *testing.T) {
	dir := t.TempDir()
	shape := func(mu, x string) string {
		return "<collision><origin xyz='" + x + " 0 0'/><geometry><sphere radius='0.1'/></geometry><drake:proximity_properties><drake:mu_dynamic value='" + mu + "'/></drake:proximity_properties></collision>"
	}
	for name, text := range map[string]string{
		"r.urdf":     "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>" + shape("0.3", "0") + shape("0.7", "1") + "</link></robot>",
		"scene.yaml": timeOf + "materials: {hard: {}}\nrobots: {arm: {file: r.urdf, floating: true, pose: {xyz: [0, 0, 1]}}}\nbodies: {ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sc, err := scene.Load(filepath.Join(dir, "scene.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(sc.Contacts) != 1 || sc.Contacts[0].Materials != [2]string{"default", "hard"} || sc.Contacts[0].Body != "arm.base" {
		t.Errorf("%+v", sc.Contacts)
	}
}

// Barriers carry bodies ahead of touch, and without gravity nothing presses them together:
// no depth is reported.
func TestBodiesThatDoNotSinkHaveNoDepth(t *testing.T) {
	const bodies = "bodies: {ground: {fixed: true, shapes: [{half_space: {}}]}, b: {mass: 2, pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}\n"
	for _, settings := range []string{"solver: {normal_law: ipc}\n", noGravity} {
		a := load(t, timeOf+settings+bodies).Contacts[0]
		if a.Depth != 0 || !(a.Stiffness > 0) || strings.Contains(a.String(), "sinks") || !strings.Contains(a.String(), "N/m, dissipation") {
			t.Errorf("%s: %+v", settings, a)
		}
	}
}

// Results do not depend on the order in which maps are read.
func TestResultsAreTheSameEachTime(t *testing.T) {
	text := timeOf + "materials: {"
	bodies := "bodies:\n"
	for i := range 8 {
		text += fmt.Sprintf("m%d: {stiffness: %d00}, ", i, 8-i)
		bodies += fmt.Sprintf("  b%d: {mass: 1, pose: {xyz: [%d, 0, 0]}, shapes: [{sphere: {radius: 0.6}, material: m%d}]}\n", i, i, i)
	}
	in := inputOf(load(t, text+"z: {}}\n"+bodies))
	in.Materials = nil
	for i := range 10 {
		in.Materials = append(in.Materials, check.Material{Name: fmt.Sprint("m", i), Base: i})
	}
	var first string
	for range 5 {
		r, err := check.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if all := fmt.Sprint(r.Warnings, r.Contacts); first == "" {
			first = all
		} else if all != first {
			t.Fatalf("%s\nand\n%s", first, all)
		}
		if len(r.Contacts) != 28 || len(r.Warnings) < 7 {
			t.Fatalf("%d estimates and %d warnings", len(r.Contacts), len(r.Warnings))
		}
	}
}
