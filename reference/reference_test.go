package reference

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

var update = flag.Bool("update", false, "write docs/reference.md and docs/scene.schema.json again")

// The committed manual and schema are those of the program.
func TestTheCommittedReferenceIsUpToDate(t *testing.T) {
	for name, want := range map[string]string{"reference.md": manualText(), "scene.schema.json": string(Schema())} {
		path := filepath.Join("..", "docs", name)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is outdated: run go test ./reference -update", path)
		}
	}
}

// A kind that is registered without documentation, samples or the meaning of a
// parameter fails here.
func TestEveryKindStatesItsFacts(t *testing.T) {
	for _, s := range kinds.All() {
		if len(s.Kinds()) == 0 {
			t.Errorf("no %s is registered", s.Name())
		}
		if err := kinds.Check(s); err != nil {
			t.Error(err)
		}
	}
}

// Every key of scene files has a meaning.
func TestEveryKeyHasAMeaning(t *testing.T) {
	var visit func(path string, k scene.Key)
	visit = func(path string, k scene.Key) {
		for _, c := range k.Keys {
			if c.Doc == "" && c.Key != "NAME" {
				t.Errorf("%s.%s has no meaning", path, c.Key)
			}
			visit(path+"."+c.Key, c)
		}
	}
	visit("scene", scene.Describe())
}

// sampleScene has the items that samples of kinds refer to.
const sampleScene = `time: {step: 0.001, duration: 0.01}
meshes:
  wedge: {part: {shaft: {}}}
  block: {box: {size: [0.1, 0.1, 0.02], cells: [2, 2, 1]}}
  hollow: {file: pot.vtk}
materials:
  default: {hydroelastic_modulus: 1e6%s}
solver: {%s}
bodies:
  ground: {fixed: true, pose: {xyz: [0, 0, -10]}, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.05}}]}
  box: {pose: {xyz: [1, 0, 1]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  arm: {pose: {xyz: [2, 0, 1]}, joint: {type: revolute, axis: [0, 1, 0]}, shapes: [{box: {size: [0.3, 0.05, 0.05]}}]}
  cart: {pose: {xyz: [3, 0, 1]}, joint: {type: prismatic, axis: [1, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  other: {pose: {xyz: [4, 0, 1]}%s}
deformables:
  pad: {mesh: block, pose: {xyz: [0, 1, 1]}%s}
  pot: {mesh: hollow, pose: {xyz: [5, 2, 1]}}
  strip: {mesh: block, pose: {xyz: [0, 2, 1]}, attach: [{body: cart, where: {x_min: 0.05}}]}
drives:
  turn: {joint: arm, kp: 1}
%s`

// sceneOf returns the sample scene with one kind in its place.
func sceneOf(s kinds.Seam, text string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	material, solver, pad, other, more := "", "", "", ", mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}", ""
	switch s.Name() {
	case "shape":
		other = ", mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, shapes: [" + text + "]"
	case "joint":
		other += ", joint: " + text
	case "constraint":
		more = "constraints: {sample: " + text + "}\n"
	case "drive":
		more = "  sample: " + text + "\n"
	case "robot target":
		more = "  sample: {robot: \"\", joints: [arm, cart], velocity: 1, acceleration: 5, target: " + text + "}\n"
	case "motion":
		more = "  sample: {joint: cart, kp: 1, target: " + text + "}\n"
	case "load":
		more = "loads: {sample: " + text + "}\n"
	case "signal":
		more = "signals: {sample: " + text + ", position 0: {position: z, body: ball}}\n"
	case "contact law":
		solver = inner
	case "normal law":
		solver = inner
	case "machine part":
		more = "  unused: {joint: cart, kp: 1}\n"
		other += "}\n  part: {mass: 1, pose: {xyz: [9, 9, 9]}, shapes: [{mesh: {mesh: sample}}]"
		return strings.Replace(fmt.Sprintf(sampleScene, material, solver, other, pad, more), "meshes:\n", "meshes:\n  sample: {part: "+text+"}\n", 1)
	case "finite element":
		pad = ", " + inner
	case "constitutive law", "elastomer":
		material = ", " + inner
	}
	return fmt.Sprintf(sampleScene, material, solver, other, pad, more)
}

// sampleTables are the files that samples of targets name.
var sampleTables = map[string]string{
	"joints.csv":  "time_s,arm,cart\n0,0,0\n1,0.1,0.02\n",
	"poses.csv":   "time_s,x,y,z\n0,3,0,1\n1,3.05,0,1\n",
	"twists.csv":  "time_s,vx,vy,vz,wx,wy,wz\n0,0.1,0,0,0,0,0\n1,0,0,0,0,0,0\n",
	"policy.json": `{"step_s": 0.001, "drives": ["turn"], "efforts": [[0]], "states": [[0], [0]], "feedback": [[0, 0]]}`,
}

// hollowMesh is a VTK file of a cube of 27 cubes without the one in the middle.
func hollowMesh() string {
	const n = 4
	var points, cells strings.Builder
	at := func(i, j, k int) int { return (i*n+j)*n + k }
	count := 0
	for i := range n {
		for j := range n {
			for k := range n {
				fmt.Fprintf(&points, "%g %g %g\n", 0.01*float64(i), 0.01*float64(j), 0.01*float64(k))
				if i == n-1 || j == n-1 || k == n-1 || i == 1 && j == 1 && k == 1 {
					continue
				}
				count++
				fmt.Fprintln(&cells, 8, at(i, j, k), at(i+1, j, k), at(i+1, j+1, k), at(i, j+1, k), at(i, j, k+1), at(i+1, j, k+1), at(i+1, j+1, k+1), at(i, j+1, k+1))
			}
		}
	}
	return fmt.Sprintf("# vtk DataFile Version 2.0\npot\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d double\n%sCELLS %d %d\n%sCELL_TYPES %d\n%s",
		n*n*n, points.String(), count, 9*count, cells.String(), count, strings.Repeat("12\n", count))
}

// The examples of the manual are scenes that load.
func TestExamplesOfTheManualLoad(t *testing.T) {
	for _, s := range kinds.All() {
		for _, k := range s.Kinds() {
			e := example(s, k)
			if e == "" {
				continue
			}
			path := filepath.Join(t.TempDir(), "scene.yaml")
			text := sceneOf(s, e)
			if !strings.Contains(text, strings.Trim(e, "{}")) {
				t.Errorf("%s has no place in a scene", s.Name())
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "pot.vtk"), []byte(hollowMesh()), 0o644); err != nil {
				t.Fatal(err)
			}
			for name, table := range sampleTables {
				if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(table), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := scene.Load(path, nil); err != nil {
				t.Errorf("%s %s, %s: %v", s.Name(), k.Name, e, err)
			}
		}
	}
}

func TestHelpNamesParametersAndNearestKinds(t *testing.T) {
	text, err := Help("revolute")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"revolute (joint)", "axis", "(required)", "{type: revolute, axis:"} {
		if !strings.Contains(text, want) {
			t.Errorf("help of revolute lacks %q:\n%s", want, text)
		}
	}
	if _, err := Help("revolut"); err == nil || !strings.Contains(err.Error(), `did you mean "revolute"?`) {
		t.Errorf("error %v", err)
	}
	if text, err := Help("box"); err != nil || !strings.Contains(text, "box (shape)") {
		t.Errorf("help of box: %v\n%s", err, text)
	}
	if text, err := Help("hex12"); err != nil || !strings.Contains(text, "hex12 (finite element)") || !strings.Contains(text, "{elements: hex12}") {
		t.Errorf("help of hex12: %v\n%s", err, text)
	}
	if text, err := Help("signal"); err != nil || !strings.Contains(text, "contact_force") {
		t.Errorf("help of all signals: %v\n%s", err, text)
	}
}

// Every scene of the examples meets the schema.
func TestExamplesMeetTheSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("../examples/*/*.yaml")
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !scene.IsScene(text) {
			continue
		}
		var value any
		if err := yaml.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		checked++
		for _, fault := range meets(schema, value, "") {
			t.Errorf("%s: %s", file, fault)
		}
	}
	if checked < 20 {
		t.Errorf("only %d scenes were checked", checked)
	}
}

// A scene with a wrong key, kind or type does not meet the schema.
func TestTheSchemaFindsFaults(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"time: {stp: 0.1}", "time: 3", "bodies: {a: {joint: {type: revolut}}}", "bodies: {a: {shapes: [{sphere: {radios: 1}}]}}",
		"gravity: [0, 1]", "solver: {contact: lag}", "signals: {z: {position: up, body: a}}", "bodies: {a: {mass: heavy}}",
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if len(meets(schema, value, "")) == 0 {
			t.Errorf("no fault is found in %s", text)
		}
	}
}

// meets returns the faults of a value under the keywords of JSON Schema that Schema
// writes.
func meets(schema map[string]any, v any, path string) []string {
	if list, ok := schema["anyOf"].([]any); ok {
		var first []string
		for _, s := range list {
			faults := meets(s.(map[string]any), v, path)
			if len(faults) == 0 {
				return nil
			}
			first = append(first, faults...)
		}
		return first
	}
	if choices, ok := schema["enum"].([]any); ok && !slices.Contains(choices, v) {
		return []string{fmt.Sprintf("%s is %v, none of %v", path, v, choices)}
	}
	if want, ok := schema["type"]; ok && !hasType(want, v) {
		return []string{fmt.Sprintf("%s is %v (%T), want %v", path, v, v, want)}
	}
	var faults []string
	switch v := v.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for key, item := range v {
			below, ok := properties[key].(map[string]any)
			if !ok {
				if below, ok = schema["additionalProperties"].(map[string]any); !ok {
					faults = append(faults, path+"."+key+" is unknown")
					continue
				}
			}
			faults = append(faults, meets(below, item, path+"."+key)...)
		}
	case []any:
		if n, ok := schema["minItems"].(float64); ok && len(v) != int(n) {
			faults = append(faults, fmt.Sprintf("%s has %d items, want %v", path, len(v), n))
		}
		items, _ := schema["items"].(map[string]any)
		for i, item := range v {
			faults = append(faults, meets(items, item, fmt.Sprintf("%s[%d]", path, i))...)
		}
	}
	return faults
}

func hasType(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return hasType(w, v) })
	}
	kind := reflect.ValueOf(v).Kind()
	number := kind == reflect.Float64 || kind == reflect.Uint64 || kind == reflect.Int64 || kind == reflect.Int
	if s, ok := v.(string); ok { // YAML 1.2 reads 1e-3 as a number, unlike this parser
		_, err := strconv.ParseFloat(s, 64)
		number = number || err == nil
	}
	switch want {
	case "number":
		return number
	case "integer":
		return number && kind != reflect.Float64
	case "boolean":
		return kind == reflect.Bool
	case "string":
		return kind == reflect.String
	case "array":
		return kind == reflect.Slice
	}
	return kind == reflect.Map
}

func ExampleHelp() {
	text, _ := Help("sphere")
	fmt.Println(strings.SplitN(text, "\n", 2)[0])
	// Output: sphere (shape): Ball about the origin of its frame.
}

// Rows of the glossary for words of scenes are those that have a symbol or a source; all others are in the index of the
// manual.
func TestTheGlossaryAddsToTheReference(t *testing.T) {
	text, err := os.ReadFile("../CONVENTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, words, ok := strings.Cut(string(text), "### Words of scenes\n")
	words, _, ok2 := strings.Cut(words, "\n### ")
	if !ok || !ok2 {
		t.Fatal("CONVENTIONS.md has no section of words of scenes")
	}
	known := map[string]bool{}
	for _, p := range places(scene.Describe()) {
		known[p.word] = true
	}
	rows := 0
	for _, line := range strings.Split(words, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) != 6 {
			continue
		}
		rows++
		word := strings.Trim(cells[0], "`")
		if !known[word] {
			t.Errorf("the glossary of CONVENTIONS.md has %s, which scenes do not have: remove the row", word)
		}
		if cells[1] == "–" && cells[4] == "–" {
			t.Errorf("the glossary of CONVENTIONS.md has %s without a symbol or a source, as docs/reference.md has it: remove the row", word)
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows of words of scenes were found", rows)
	}
}

// The index has every key at the place where the manual explains it: links lead to headings or anchors that exist.
func TestTheIndexLeadsToTheKeys(t *testing.T) {
	text := manualText()
	_, index, _ := strings.Cut(text, "## Index\n")
	links := regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(index, -1)
	if len(links) < 500 {
		t.Fatalf("%d links in the index", len(links))
	}
	headings := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$|<a id="([^"]*)">`).FindAllStringSubmatch(text, -1) {
		headings[strings.ReplaceAll(strings.ToLower(h[1]), " ", "-")] = true
		for _, a := range regexp.MustCompile(`<a id="([^"]*)">`).FindAllStringSubmatch(h[0], -1) {
			headings[a[1]] = true
		}
	}
	for _, l := range links {
		if !headings[l[1]] {
			t.Errorf("the index links to %s, which the manual does not have", l[1])
		}
	}
}
