package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// at returns the value of a path of a case.
func at(t *testing.T, s *Study, c *Case, path string) string {
	t.Helper()
	k := slices.Index(s.Paths, path)
	if k < 0 {
		t.Fatalf("%s is no column of %v", path, s.Paths)
	}
	return c.Values[k]
}

func mustLoad(t *testing.T, study string) *Study {
	t.Helper()
	s, err := Load(write(t, study))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const rowsStudy = `
scene: scene.yaml
set: {base: 1, U0: 2}
rows:
  - {law: slow, bodies.ball.mass: 1, ahead: 0}
  - {law: fast, bodies.ball.mass: 2, ahead: 1}
cases: {time.step: [0.02, 0.01]}
derive:
  lift: base + ahead*U0*time.step
  bodies.ball.pose.xyz.2: lift
  bodies.ball.velocity: "[U0*ahead, 0, bodies.ball.shapes[0].sphere.radius]"
reference: {law: slow, time.step: 0.001}
`

func TestRowsGoTogetherAndFormulasFollow(t *testing.T) {
	s := mustLoad(t, rowsStudy)
	if want := []string{"law", "bodies.ball.mass", "ahead", "time.step", "lift", "bodies.ball.pose.xyz.2", "bodies.ball.velocity"}; !slices.Equal(s.Paths, want) {
		t.Fatalf("columns %v, want %v", s.Paths, want)
	}
	if len(s.Cases) != 5 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	for i, want := range []string{"slow 1 0.02 1", "slow 1 0.01 1", "fast 2 0.02 1.04", "fast 2 0.01 1.02", "slow 1 0.001 1"} {
		c := &s.Cases[i]
		got := strings.Join([]string{at(t, s, c, "law"), at(t, s, c, "bodies.ball.mass"), at(t, s, c, "time.step"), at(t, s, c, "lift")}, " ")
		if got != want {
			t.Errorf("case %d is %s, want %s", i, got, want)
		}
		if c.IsReference != (i == 4) || c.Reference != s.Cases[4].Name {
			t.Errorf("case %d: reference %q, is one: %v", i, c.Reference, c.IsReference)
		}
	}
	c := s.Cases[3]
	want := []string{"bodies.ball.mass=2", "time.step=0.01", "bodies.ball.pose.xyz.2=1.02", "bodies.ball.velocity=[2, 0, 0.1]"}
	if !slices.Equal(c.Set, want) {
		t.Errorf("overrides %v, want %v", c.Set, want)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if s.Cases[4].Steps != 200 {
		t.Errorf("the reference takes %v steps", s.Cases[4].Steps)
	}
}

// A reference has the values of the case where it gives none: each mass is compared with its
// own finest step. A reference that is a case of the table runs once.
func TestReferencesKeepWhatTheyDoNotName(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
cases: {bodies.ball.mass: [1, 2], time.step: [0.02, 0.01]}
reference: {time.step: 1e-2}
`)
	// 1e-2 is another way to write a step that is there
	if len(s.Cases) != 4 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	for i, want := range []int{1, 1, 3, 3} {
		if s.Cases[i].Reference != s.Cases[want].Name || s.Cases[i].IsReference {
			t.Errorf("case %d is measured against %s, want %s", i, s.Cases[i].Reference, s.Cases[want].Name)
		}
	}
}

// Of several rows with the values of a reference, it has the one that shares most values with
// the row of the case.
func TestReferencesTakeTheRowMostAlike(t *testing.T) {
	const rows = `
scene: scene.yaml
rows:
  - {law: a, damped: no, bodies.ball.mass: 1}
  - {law: b, damped: no, bodies.ball.mass: 2}
  - {law: a, damped: yes, bodies.ball.mass: 3}
  - {law: b, damped: yes, bodies.ball.mass: 4}
`
	s := mustLoad(t, rows+"reference: {law: a}\n")
	for i, want := range []int{0, 0, 2, 2} {
		if s.Cases[i].Reference != s.Cases[want].Name {
			t.Errorf("case %d is measured against %s, want %s", i, s.Cases[i].Reference, s.Cases[want].Name)
		}
	}
	tie := strings.ReplaceAll(strings.ReplaceAll(rows, "damped: no, ", ""), "damped: yes, ", "") + "reference: {law: a}\n"
	if _, err := Load(write(t, tie)); err == nil || !strings.Contains(err.Error(), "several rows") {
		t.Errorf("a tie: %v", err)
	}
}

func TestSweepsInheritWhatTheyDoNotSay(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
set: {time.duration: 0.1}
cases: {bodies.ball.mass: [1, 2]}
sweeps:
  dt: {cases: {time.step: [0.02, 0.01]}}
  size:
    set: {time.step: 0.01, time.duration: 0.05}
    cases: {bodies.ball.shapes.0.sphere.radius: [0.1, 0.2], bodies.ball.mass: [2]}
    derive: {area: "3.14*bodies.ball.shapes[0].sphere.radius^2"}
    reference: {time.step: 0.002}
`)
	var got []string
	for i := range s.Cases {
		c := &s.Cases[i]
		got = append(got, strings.Join(append([]string{c.Sweep}, c.Values...), " "))
	}
	// what a sweep neither varies nor sets is as in the scene
	want := []string{
		"dt 1 0.02 0.1 ", "dt 1 0.01 0.1 ", "dt 2 0.02 0.1 ", "dt 2 0.01 0.1 ",
		"size 2 0.01 0.1 0.031400000000000004", "size 2 0.01 0.2 0.12560000000000002",
		"size 2 0.002 0.1 0.031400000000000004", "size 2 0.002 0.2 0.12560000000000002",
	}
	if !slices.Equal(got, want) {
		t.Errorf("cases\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Cases[0].Reference != "" || s.Cases[4].Reference != s.Cases[6].Name {
		t.Errorf("references %q, %q", s.Cases[0].Reference, s.Cases[4].Reference)
	}
	if !slices.Contains(s.Cases[0].Set, "time.duration=0.1") || !slices.Contains(s.Cases[4].Set, "time.duration=0.05") {
		t.Errorf("overrides %v, %v", s.Cases[0].Set, s.Cases[4].Set)
	}
}

// A case keeps its folder however the study around it grows.
func TestCasesKeepTheirNames(t *testing.T) {
	a := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.02, 0.01]}\n")
	b := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.04, 0.02, 0.01]}\nmeasures: {drop: {signal: z}}\n")
	for i := range a.Cases {
		if a.Cases[i].Name != b.Cases[i+1].Name {
			t.Errorf("%s became %s", a.Cases[i].Name, b.Cases[i+1].Name)
		}
	}
	if got := folderName([]string{"a/b:*", "[1, 2]", strings.Repeat("x", 90)}, "i"); strings.ContainsAny(got, `/\:*?"<>|[], `) || len(got) > 72 {
		t.Errorf("a folder called %q", got)
	}
}

func TestScenesMayVary(t *testing.T) {
	path := write(t, "cases: {scene: [scene.yaml, heavy.yaml]}\nmeasures: {drop: {signal: z}}\n")
	heavy := strings.Replace(fallScene, "mass: 1", "mass: 7", 1)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "heavy.yaml"), []byte(heavy), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != 2 || filepath.Base(s.Cases[1].Scene) != "heavy.yaml" || len(s.Cases[1].Set) != 0 || s.Cases[0].Name == s.Cases[1].Name {
		t.Errorf("%+v", s.Cases)
	}
}

func TestMistakesOfCasesNameTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"derive:\n  lift: basee + 1\nset: {base: 1}":                                 "study.yaml:3:3: derive.lift: \"basee + 1\", character 1: unknown name basee: did you mean \"base\"?",
		"derive:\n  lift: time.stp":                                                  "study.yaml:3:3: derive.lift: \"time.stp\": time has no \"stp\"",
		"derive:\n  lift: 1/0":                                                       "the value is +Inf",
		"derive:\n  lift: time":                                                      "the value must be a number, a text or a list",
		"cases: {gravity: [1]}":                                                      "study.yaml:2:9: gravity is a section of the scene",
		"cases: {sweep: [1]}":                                                        "is a reserved name",
		"cases:\n  a: [1]\nrows:\n  - {a: 2}":                                        "study.yaml:3:3: a occurs both in cases and in rows",
		"cases: {time.step: [0.01]}\nreference: {time.: 1}":                          "is not the path of a value",
		"sweeps:\n  x:\n    cases: {time.step: []}":                                  "study.yaml:4:13: sweeps.x.cases.time.step has no values",
		"cases: {a: [1, 2, 3]}\nrows: [{b: 1}, {b: 2}]\nunknwon: 3":                  "unknown key unknwon",
		"measures: {m: {expr: drop2 + 1}, drop: {signal: z}}":                        "measures.m.expr: \"drop2 + 1\", character 1: unknown name drop2",
		"measures: {m: {signal: z, steps: contacts}}":                                "exactly one of",
		"measures: {m: {signal: abs(zz)}}":                                           "unknown name zz",
		"measures: {m: {steps: contcts}}":                                            `unknown column "contcts": did you mean "contacts"?`,
		"measures: {m: {first: z + 1}}":                                              "measures.m",
		"measures: {m: {first: z > 1, stat: max}}":                                   "only signal and steps",
		"measures: {m: {signal: z, over: [2, 1]}}":                                   "contains no time",
		"measures: {m: {signal: z, relative_to: rms}}":                               "applies only to rms_difference",
		"reference: {a: 1}\nmeasures: {m: {rms_difference: [z], relative_to: zero}}": "rms, range or a number",
	} {
		_, err := Load(write(t, "scene: scene.yaml\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %q in it", text, err, want)
		}
	}
}
