package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

const fall = `time: {step: 0.01, duration: 0.1}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.1]}, shapes: [{sphere: {radius: 0.1}}]}
signals: {z: {body: ball, position: z}}
render: {size: [64, 48]}
`

// crossed are two tetrahedra that cut each other.
const crossed = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" +
	"v 0.1 0.1 0.1\nv 1.1 0.1 0.1\nv 0.1 1.1 0.1\nv 0.1 0.1 1.1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n"

// bench is a folder with a scene, a robot and meshes to give to commands.
func bench(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"fall.yaml":     fall,
		"fails.yaml":    fall + "expect: {up: {signal: z, min: 1}}\n",
		"holds.yaml":    fall + "expect: {there: {signal: z, value: 0.1, within: 0.01}}\n",
		"faulty.yaml":   "time: {step: -1, duration: 1}\nbodies: {a: {mass: -1}}\n",
		"picture.yaml":  strings.Replace(fall, "size: [64, 48]", "field: vonmises", 1),
		"table.yaml":    "scene: fall.yaml\ncases: {time.step: [0.01]}\n",
		"crossed.obj":   crossed,
		"soft.yaml":     fall + "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar, pose: {xyz: [1, 0, 0.1]}}}\n",
		"tab.yaml":      "time:\n\tstep: 0.01\n",
		"syntax.yaml":   "time: {step: 1\nbodies: [\n",
		"arm.urdf":      `<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="base"/><child link="a"/><safety_controller k_velocity="1"/></joint></robot>`,
		"meshless.urdf": "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"gone.stl\"/></geometry></collision></link></robot>",
		"door.sdf":      `<sdf version="1.9"><model name="d"><link name="a"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link><joint name="j" type="continuous"><parent>world</parent><child>a</child><axis/></joint></model></sdf>`,
		"hand.xml":      `<mujoco><worldbody><body name="palm"><geom size="0.1"/><body><joint/><geom size="0.1"/></body></body></worldbody><sensor/></mujoco>`,
		"repaired.urdf": `<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>`,
		"strings.xml": `<mujoco>
<worldbody><site name="a"/><body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="b"/></body></worldbody>
<tendon><spatial limited="true" range="0 1"><site site="a"/><site site="b"/></spatial></tendon></mujoco>`,
		"repaired.yaml": "time: {step: 0.01, duration: 1}\nrobots: {r: {file: repaired.urdf}}\n",
		"bad.sdf":       "<sdf version=\"1.9\">\n<include/></sdf>",
		"bad.urdf":      "<robot name=\"r\">\n<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
		"flat.vtk":      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 0.1 0 0 0 0.1 0 0.1 0.1 0\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	box, err := meshes.BoxTets(r3.Vec{0.04, 0.03, 0.02}, [3]int{6, 6, 6})
	if err != nil {
		t.Fatal(err)
	}
	tri, _ := box.Surface()
	holed := &meshes.Tri{Verts: tri.Verts, Tris: tri.Tris[1:]}
	open := &meshes.Tri{Verts: tri.Verts, Tris: tri.Tris[len(tri.Tris)/2:]}
	for name, m := range map[string]*meshes.Tri{"part.stl": tri, "holed.stl": holed, "open.stl": open} {
		if err := formats.WriteTri(filepath.Join(dir, name), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := formats.WriteTet(filepath.Join(dir, "box.vtk"), box); err != nil {
		t.Fatal(err)
	}
	return dir
}

// call runs a command line in which DIR stands for the folder.
func call(t testing.TB, dir, line string) (code int, stdout, stderr string) {
	t.Helper()
	args := strings.Fields(line)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", dir)
	}
	var out, errs bytes.Buffer
	code = newApp(&out, &errs).execute(context.Background(), args)
	return code, out.String(), errs.String()
}

// object decodes the one JSON object that standard output must be.
func object(t testing.TB, line, stdout string) map[string]any {
	t.Helper()
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(stdout))
	if err := d.Decode(&m); err != nil {
		t.Errorf("%s: standard output is no JSON object (%v):\n%s", line, err, stdout)
	}
	if err := d.Decode(new(any)); err != io.EOF {
		t.Errorf("%s: more than one JSON value on standard output:\n%s", line, stdout)
	}
	return m
}

// commandLine is a command line with its exit code, a text that it prints on either stream
// and the files that it writes in DIR.
type commandLine struct {
	line string
	code int
	says string
	made []string
}

// checkLines runs command lines in a folder, each with and without --json.
func checkLines(t *testing.T, dir string, lines []commandLine) {
	t.Helper()
	for _, c := range lines {
		for _, f := range c.made {
			os.Remove(filepath.Join(dir, f))
		}
		for _, line := range []string{c.line, c.line + " --json"} {
			code, stdout, stderr := call(t, dir, line)
			says := strings.ReplaceAll(c.says, "DIR", dir)
			asJSON := strings.HasSuffix(line, "--json")
			if code != c.code || !asJSON && !strings.Contains(stdout+stderr, says) {
				t.Errorf("%s: code %d, want %d; want %q in\n%s%s", line, code, c.code, says, stdout, stderr)
			}
			if asJSON {
				m := object(t, line, stdout)
				if c.code == exitUsage && (m["error"] == "" || m["exit_code"] != float64(exitUsage)) {
					t.Errorf("%s: %v", line, m)
				}
			}
			for _, f := range c.made {
				if st, err := os.Stat(filepath.Join(dir, f)); err != nil || st.Size() == 0 {
					t.Errorf("%s: %s is not written", line, f)
				}
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunsEndWithTheirCodeAndSayWhy(t *testing.T) {
	dir := bench(t)
	checkLines(t, dir, []commandLine{
		{"run DIR/fall.yaml -o DIR/run", exitOK, "10 steps of 0.01 s", []string{"run/run.json", "run/steps.csv", "run/signals.csv", "run/recording.curl", "run/picture.png"}},
		{"run DIR/holds.yaml -o DIR/run --no-picture", exitOK, "ok   there", nil},
		{"run DIR/fails.yaml -o DIR/run --no-picture", exitCheck, "FAIL up", []string{"run/run.json"}},
		{"run DIR/fall.yaml -o DIR/run --set solver.max_iterations=1 --no-picture", exitSolver, "not converged", []string{"run/run.json"}},
		{"run DIR/fall.yaml -o DIR/run --set solver.max_iterations=1 --set solver.allow_unconverged=true --no-picture", exitOK, "not converged", nil},
		{"run DIR/gone.yaml", exitInput, "gone.yaml: there is no such file", nil},
		{"run DIR/faulty.yaml", exitInput, "faulty.yaml:2:10: bodies.a: its mass is -1 kg", nil},
		{"run DIR/table.yaml", exitInput, "table.yaml is a study: run it with curlfree study DIR/table.yaml", nil},
		{"study DIR/fall.yaml", exitInput, "fall.yaml is a scene: run it with curlfree run DIR/fall.yaml", nil},
		{"study DIR", exitInput, "DIR is a folder: name the study file in it", nil},
		{"check DIR", exitInput, "DIR is a folder: name a scene, robot or mesh file in it", nil},
		{"mesh tet DIR/crossed.obj -o DIR/crossed.vtk --no-picture", exitOK, "warning: the surface cuts itself (", nil},
		{"run DIR/syntax.yaml", exitInput, "syntax.yaml:", nil},
		{"run DIR/picture.yaml", exitInput, `did you mean "von_mises"?`, nil},
		{"run DIR/fall.yaml --set time.stpe=1", exitUsage, `unknown path time.stpe: did you mean "step"?`, nil},
		{"run DIR/fall.yaml --set time.step=-1", exitInput, "time.step is -1 s", nil},
		{"run DIR/fall.yaml --threads -1", exitUsage, "--threads -1", nil},
		{"run DIR/fall.yaml -o DIR/fall.yaml", exitOutput, "fall.yaml", nil},
		{"run", exitUsage, "accepts 1 arg", nil},
		{"run --colour", exitUsage, "unknown flag", nil},
		{"rnu", exitUsage, "unknown command", nil},
		{"export DIR/run --to stl", exitUsage, `--to stl: no such format: did you mean "vtk"?`, nil},
		{"run DIR/tab.yaml", exitInput, "tab.yaml:2:1: a tab at the beginning of the line: YAML takes no tabs for indentation, write spaces", nil},
	})
}

func TestChecksEndWithTheirCodeAndSayWhy(t *testing.T) {
	dir := bench(t)
	checkLines(t, dir, []commandLine{
		{"check DIR/fall.yaml", exitOK, "usable scene: 6 rigid and 0 deformable degrees of freedom", nil},
		{"check DIR/soft.yaml", exitOK, "contact: default on default, by pressure gradient: 1e+08 Pa/m", nil},
		{"check DIR/faulty.yaml", exitInput, "error: DIR/faulty.yaml:1:1: time.step is -1 s", nil},
		{"check DIR/picture.yaml", exitInput, "render:", nil},
		{"check DIR/fall.yaml --set bodies.bal.mass=1", exitUsage, `did you mean "ball"?`, nil},
		{"check DIR/arm.urdf", exitOK, "warning: DIR/arm.urdf:1:", nil},
		{"check DIR/repaired.urdf", exitOK, "no body has its principal moments", nil},
		{"check --strict DIR/repaired.urdf", exitInput, "error: DIR/repaired.urdf:1:1: link \"a\": no body has its principal moments", nil},
		{"check DIR/repaired.yaml", exitOK, "no body has its principal moments", nil},
		{"check --strict DIR/repaired.yaml", exitInput, "repaired.urdf:1:1: link \"a\": no body has its principal moments", nil},
		{"check DIR/strings.xml", exitOK, "DIR/strings.xml:3: ignored: <tendon/spatial>", nil},
		{"check --strict DIR/strings.xml", exitInput, "error: DIR/strings.xml:3:1: ignored: <tendon/spatial>, and what acts on it", nil},
		{"check --strict DIR/fall.yaml", exitOK, "usable scene", nil},
		{"check DIR/bad.urdf", exitInput, `DIR/bad.urdf:3: joint "j": there is no link "b"`, nil},
		{"check DIR/door.sdf", exitOK, "usable robot: 2 links, 1 joints, root world", nil},
		{"check DIR/hand.xml", exitOK, "usable robot: 2 links, 1 joints, root palm", nil},
		{"check DIR/hand.xml", exitOK, "DIR/hand.xml:1: ignored: <mujoco/sensor>", nil},
		{"check DIR/bad.sdf", exitInput, "DIR/bad.sdf:2: <include>", nil},
		{"check DIR/meshless.urdf", exitInput, "meshless.urdf:1:1: DIR/gone.stl: there is no such file", nil},
		{"check DIR/gone.urdf", exitInput, "there is no such file", nil},
		{"check DIR/part.stl", exitOK, "usable mesh: surface, 218 vertices", nil},
		{"check DIR/part.stl --unit km", exitOK, "the mesh is 40 m", nil},
		{"check DIR/holed.stl", exitInput, "hole", nil},
		{"check DIR/flat.vtk", exitInput, "number 0", nil},
		{"check DIR/box.vtk", exitOK, "1296 tetrahedra", nil},
		{"check DIR/gone.stl", exitInput, "gone.stl", nil},
	})
}

func TestMeshCommandsEndWithTheirCodeAndSayWhy(t *testing.T) {
	dir := bench(t)
	checkLines(t, dir, []commandLine{
		{"mesh tet DIR/part.stl -o DIR/part.vtk --size 10mm", exitOK, "tetrahedra", []string{"part.vtk", "part.png"}},
		{"mesh tet DIR/part.stl -o DIR/part.msh --size 10mm --no-picture --split-boundary", exitOK, "tetrahedra", []string{"part.msh"}},
		{"mesh tet ../../examples/finray-bend/finger.stl --unit mm -o DIR/finger.vtk --elements hex12 --size 3mm --no-picture", exitOK, "hexahedra beside ribs are longer than 1.5 times the thickness of their wall; a size of 2.1 mm would do", nil},
		{"mesh tet DIR/holed.stl -o DIR/holed.vtk", exitInput, "not closed", nil},
		{"mesh tet DIR/part.stl", exitUsage, "needs -o", nil},
		{"mesh tet DIR/part.stl -o DIR/part.doc --size 10mm", exitOutput, ".doc", nil},
		{"mesh tet DIR/part.stl -o DIR/no/part.vtk --size 10mm", exitOutput, "part.vtk", nil},
		{"mesh tet DIR/part.stl -o DIR/part.vtk --size 10furlong", exitUsage, "furlong", nil},
		{"mesh info DIR/part.stl", exitOK, "40 × 30 × 20 mm", nil},
		{"mesh info DIR/box.vtk -o DIR/drawn.png", exitOK, "1296 tetrahedra", []string{"drawn.png"}},
		{"mesh info DIR/holed.stl --no-picture", exitCheck, "not closed: repair it with `curlfree mesh convert --repair`", nil},
		{"mesh info DIR/gone.stl", exitInput, "gone.stl", nil},
		{"mesh make finray -o DIR/finger.stl --ribs 4 --unit mm", exitOK, "closed", []string{"finger.stl"}},
		{"mesh make finray -o DIR/finger.vtk --length 80mm", exitOK, "tetrahedra", []string{"finger.vtk"}},
		{"mesh make finray -o DIR/finger.stl --wall 1m", exitInput, "wall", nil},
		{"mesh make finray", exitUsage, "needs -o", nil},
		{"mesh make", exitUsage, "finray", nil},
		{"mesh make spur teeth=3 -o DIR/s.stl", exitUsage, "mesh make spur takes parameters as flags: write --teeth 3", nil},
		{"mesh make finray rib_angle=0", exitUsage, "write --rib-angle 0", nil},
		{"mesh make spur fast -o DIR/s.stl", exitUsage, "unexpected argument \"fast\": parameters are flags", nil},
		{"mesh make worm --starts 1.5", exitUsage, "\"1.5\" for \"--starts\" flag: a whole number is expected\n", nil},
		{"mesh make finray --rib-angle up", exitUsage, "\"--rib-angle\" flag: a number is expected\n", nil},
		{"mesh", exitUsage, "tet, info, make, convert", nil},
		{"mesh convert DIR/part.stl -o DIR/part.obj", exitOK, "closed", []string{"part.obj"}},
		{"mesh convert DIR/box.vtk -o DIR/box.stl", exitOK, "surface", []string{"box.stl"}},
		{"mesh convert DIR/box.vtk -o DIR/box.msh", exitOK, "tetrahedra", []string{"box.msh"}},
		{"mesh convert DIR/holed.stl -o DIR/repaired.stl --repair", exitOK, "closed, 1 component", []string{"repaired.stl"}},
		{"mesh convert DIR/holed.stl -o DIR/holed.obj", exitOK, "hole", []string{"holed.obj"}},
		{"mesh convert DIR/open.stl -o DIR/repaired.stl --repair", exitCheck, "left open", []string{"repaired.stl"}},
		{"mesh convert DIR/part.stl", exitUsage, "needs -o", nil},
		{"mesh convert DIR/part.stl -o DIR/part.xyz", exitOutput, ".xyz", nil},
		{"mesh convert DIR/holed.stl -o DIR/mended.stl --mend", exitOK, "warning: --mend is now called --repair", []string{"mended.stl"}},
	})
}

func TestRunPrintsWhatItWrites(t *testing.T) {
	dir := bench(t)
	code, stdout, _ := call(t, dir, "run DIR/holds.yaml -o DIR/run --json --threads 2")
	printed := object(t, "run", stdout)
	b, err := os.ReadFile(filepath.Join(dir, "run", "run.json"))
	if err != nil || code != exitOK {
		t.Fatal(code, err)
	}
	written := object(t, "run.json", string(b))
	if printed["state_hash"] != written["state_hash"] || len(printed) != len(written) || printed["threads"] != 2.0 {
		t.Errorf("printed %v\nwritten %v", printed, written)
	}
}

func TestMeshesKeepTheirVolumeOnTheWay(t *testing.T) {
	dir := bench(t)
	for _, line := range []string{
		"mesh info DIR/part.stl --no-picture --json", "mesh info DIR/box.vtk --no-picture --json",
		"mesh tet DIR/part.stl -o DIR/o.vtk --size 10mm --no-picture --json",
		"mesh convert DIR/box.vtk -o DIR/o.obj --json", "mesh convert DIR/holed.stl --repair -o DIR/o.stl --json",
	} {
		_, stdout, _ := call(t, dir, line)
		v, _ := object(t, line, stdout)["volume_m3"].(float64)
		if d := v - 24e-6; d > 0.02*24e-6 || d < -0.02*24e-6 {
			t.Errorf("%s: %g m³, want 24e-6", line, v)
		}
	}
}

func TestInterruptedRunsEndWith130AndContinue(t *testing.T) {
	dir := bench(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	out := filepath.Join(dir, "run")
	args := []string{"run", filepath.Join(dir, "fall.yaml"), "-o", out, "--json"}
	if code := newApp(&stdout, &stderr).execute(ctx, args); code != exitInterrupted || !strings.Contains(stderr.String(), "--resume") {
		t.Errorf("code %d: %s", code, &stderr)
	}
	if m := object(t, "an interrupted run", stdout.String()); m["exit_code"] != float64(exitInterrupted) {
		t.Errorf("%v", m)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"checkpoint.json", "recording.curl.partial", "signals.csv.partial", "steps.csv.partial"}; !slices.Equal(names, want) {
		t.Errorf("the folder contains %v, want %v", names, want)
	}
	if b, err := os.ReadFile(filepath.Join(out, "signals.csv.partial")); err != nil || string(b) != "time_s,z\n0,0.1\n" {
		t.Errorf("signals so far: %q, %v", b, err)
	}
	if code, _, stderr := call(t, dir, "run DIR/fall.yaml -o DIR/run --resume --set gravity.2=-1"); code != exitInput || !strings.Contains(stderr, "belongs to another scene") {
		t.Errorf("resumed with another scene: code %d: %s", code, stderr)
	}
	if code, _, stderr := call(t, dir, "run DIR/fall.yaml -o DIR/run --resume"); code != exitOK {
		t.Errorf("resumed: code %d: %s", code, stderr)
	}
}

// What is complete is not run again, what failed is, and what is of another scene is
// kept for whoever made it.
func TestCompleteRunsAreLeftAsTheyAre(t *testing.T) {
	dir := bench(t)
	for _, c := range []struct {
		line string
		code int
		says string
		runs bool // again
	}{
		{"holds.yaml --resume", exitOK, "no checkpoint in", true},
		{"holds.yaml --resume", exitOK, "is complete", false},
		{"holds.yaml --resume --json", exitOK, "is complete", false},
		{"holds.yaml --resume --set time.duration=0.2", exitInput, "cannot be continued or extended: run without --resume", false},
		{"holds.yaml --set time.duration=0.2", exitOK, "20 steps", true},
		{"fails.yaml", exitCheck, "FAIL up", true},
		{"fails.yaml --resume", exitCheck, "is complete", false},
		{"fall.yaml --set solver.max_iterations=1", exitSolver, "not converged", true},
		{"fall.yaml --set solver.max_iterations=1 --resume", exitSolver, "no checkpoint in", true},
	} {
		table := filepath.Join(dir, "run", "steps.csv")
		before, _ := os.Stat(table)
		code, stdout, stderr := call(t, dir, "run DIR/"+c.line+" -o DIR/run --no-picture")
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: code %d, want %d; want %q in\n%s%s", c.line, code, c.code, c.says, stdout, stderr)
		}
		after, err := os.Stat(table)
		if err != nil || os.SameFile(before, after) == c.runs {
			t.Errorf("%s: ran again: %v, want %v (%v)", c.line, !c.runs, c.runs, err)
		}
	}
}

// Results are replaced, all else in the folder stays and is named.
func TestWhatAnEarlierRunLeftIsNamed(t *testing.T) {
	dir := bench(t)
	for _, c := range []struct {
		line, names string
	}{
		{"run DIR/fall.yaml -o DIR/run", ""},
		{"run DIR/fall.yaml -o DIR/run", ""},
		{"plot DIR/run", ""},
		{"export DIR/run --to csv", ""},
		{"run DIR/fall.yaml -o DIR/run", "csv/, signals.png"},
		{"run DIR/fall.yaml -o DIR/run --no-picture", "csv/, picture.png, signals.png"},
		{"run DIR/fall.yaml -o DIR/run --set solver.max_iterations=1", "csv/, picture.png, signals.png"},
	} {
		const before = "from before this run, which"
		_, _, stderr := call(t, dir, c.line)
		if strings.Contains(stderr, before) != (c.names != "") || !strings.Contains(stderr, c.names) {
			t.Errorf("%s: want %q named in\n%s", c.line, c.names, stderr)
		}
	}
	for _, name := range []string{"csv", "picture.png", "signals.png"} {
		if _, err := os.Stat(filepath.Join(dir, "run", name)); err != nil {
			t.Error(err)
		}
	}
}

// Numbers of a mesh stand in its summary alone; JSON has every finding.
func TestMeshesAreSummedUpOnce(t *testing.T) {
	dir := bench(t)
	for _, c := range []struct{ line, once string }{
		{"mesh info DIR/box.vtk --no-picture", "1296 tetrahedra"},
		{"mesh info DIR/part.stl --no-picture", "closed"},
		{"mesh info DIR/part.stl --no-picture", "218 vertices"},
		{"mesh info DIR/holed.stl --no-picture", "component"},
		{"mesh make spur --teeth 20 -o DIR/s.vtk", "dihedral angles"},
	} {
		_, stdout, stderr := call(t, dir, c.line)
		if n := strings.Count(stdout+stderr, c.once); n != 1 {
			t.Errorf("%s: %q is said %d times in\n%s%s", c.line, c.once, n, stdout, stderr)
		}
	}
	if _, stdout, _ := call(t, dir, "mesh info DIR/box.vtk --no-picture --json"); !strings.Contains(stdout, `"kind": "quality"`) {
		t.Errorf("JSON lacks a finding:\n%s", stdout)
	}
}

// An override that shortens a run leaves some windows out. Those decide nothing; all others,
// one that ends exactly with the run among them, do.
func TestShortenedRunsReportExpectationsThatTheyDoNotReach(t *testing.T) {
	dir := bench(t)
	scene := fall + `expect:
  early: {signal: z, over: [0, 0.02], max: 1}
  last:  {signal: z, over: [0.05, 0.05], max: 1}
  cut:   {signal: z, over: [0.02, 0.07], stat: max, max: 1}
  late:  {signal: z, over: [0.07, 0.1], max: 1}
  past:  {signal: z, over: [0.02, 7], max: 1}
  open:  {signal: z, over: [0.02, .inf], max: 1}
  whole: {signal: z, stat: max, max: 1}
  count: {run: steps, max: 10}
`
	if err := os.WriteFile(filepath.Join(dir, "windows.yaml"), []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set        string
		notReached []string
		code       int
	}{
		{"", nil, exitOK},
		{" --set time.duration=0.05", []string{"cut", "late", "past"}, exitOK},
		{" --set time.duration=0.04", []string{"last", "cut", "late", "past"}, exitOK},
		{" --set time.duration=0.01", []string{"early", "last", "cut", "late", "past", "open"}, exitOK},
		{" --set time.duration=0.2 --set expect.count.max=20", nil, exitOK},
		{" --set time.duration=0.05 --set expect.whole.max=0.01", []string{"cut", "late", "past"}, exitCheck},
	} {
		line := "run DIR/windows.yaml -o DIR/run --no-picture" + c.set
		code, out, errs := call(t, dir, line)
		if code != c.code {
			t.Errorf("%s: exit code %d\n%s%s", c.set, code, out, errs)
		}
		said := []string{}
		for _, l := range strings.Split(out, "\n") {
			if rest, ok := strings.CutPrefix(l, "  not reached "); ok {
				name, _, _ := strings.Cut(rest, ":")
				said = append(said, name)
			}
		}
		if !slices.Equal(said, c.notReached) && len(said)+len(c.notReached) > 0 {
			t.Errorf("%s: not reached %v, want %v", c.set, said, c.notReached)
		}
		text, err := os.ReadFile(filepath.Join(dir, "run", "run.json"))
		if err != nil || strings.Count(string(text), `"not_reached": true`) != len(c.notReached) {
			t.Errorf("%s: %v\n%s", c.set, err, text)
		}
	}
}
