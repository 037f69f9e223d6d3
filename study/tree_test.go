package study

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

// randomTree makes a mapping of numbers, texts, truths, lists and mappings.
func randomTree(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for k := range 1 + r.Intn(4) {
		m[fmt.Sprintf("k%d", k)] = randomValue(r, depth)
	}
	return m
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.Intn(6); {
	case depth > 0 && n < 2:
		return randomTree(r, depth-1)
	case depth > 0 && n == 2:
		list := make([]any, 1+r.Intn(3))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	case n == 3:
		return r.Intn(2) == 0
	case n == 4:
		return fmt.Sprintf("word%d", r.Intn(100))
	}
	return r.NormFloat64()
}

// paths lists the paths of all scalars of a tree, with their values.
func paths(prefix string, v any, visit func(path string, v any)) {
	join := func(key string) string { return strings.TrimPrefix(prefix+"."+key, ".") }
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			paths(join(k), x, visit)
		}
	case []any:
		for i, x := range t {
			paths(join(fmt.Sprint(i)), x, visit)
		}
	default:
		visit(prefix, v)
	}
}

// Every scalar is found at its path, and setting one changes this one only. Paths that
// run through a list within a list cannot be set.
func TestPathsAddressEveryScalar(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		m := randomTree(r, 3)
		before := cloneTree(m).(map[string]any)
		paths("", m, func(path string, v any) {
			if got := getPath(m, path); got != v {
				t.Fatalf("%s is %v, want %v", path, got, v)
			}
		})
		paths("", before, func(path string, old any) {
			changed := cloneTree(before).(map[string]any)
			setPath(changed, path, "new")
			if getPath(changed, path) != "new" {
				if !nestedLists(before, path) {
					t.Errorf("%s was not set", path)
				}
				return
			}
			paths("", before, func(other string, v any) {
				if other != path && getPath(changed, other) != v {
					t.Errorf("setting %s changed %s", path, other)
				}
			})
		})
		if !reflect.DeepEqual(m, before) {
			t.Fatal("a copy shares parts with its original")
		}
	}
}

// nestedLists reports whether a path enters a list right below a list.
func nestedLists(m map[string]any, path string) bool {
	keys := strings.Split(path, ".")
	list := false
	for i := range keys {
		_, is := getPath(m, strings.Join(keys[:i+1], ".")).([]any)
		if is && list {
			return true
		}
		list = is
	}
	return false
}

// A tree that is written as YAML is read back equal.
func TestTreesAreReadBack(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 100 {
		want := randomTree(r, 2)
		text := yamlOf(want)
		got, err := parseTree([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\nis read as %v (%v), want %v", text, got, err, want)
		}
		if v := parseValue(text); !reflect.DeepEqual(v, any(want)) {
			t.Fatalf("%s\nis read as the value %v", text, v)
		}
	}
}

// yamlOf writes a tree in YAML's flow style.
func yamlOf(v any) string {
	switch t := v.(type) {
	case map[string]any:
		var parts []string
		for _, k := range sortedKeys(t) {
			parts = append(parts, k+": "+yamlOf(t[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, x := range t {
			parts = append(parts, yamlOf(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, err := formatValue(v)
	if err != nil {
		panic(err)
	}
	return text
}

func TestScalarsAreReadByTheirKind(t *testing.T) {
	for text, want := range map[string]any{
		"1": 1.0, "1e-3": 1e-3, "-2.5": -2.5, "0x10": 16.0, "true": true, "false": false, "yes": "yes", "lagged": "lagged", "": "",
		"[1, two, true]": []any{1.0, "two", true}, "{a: 1e-3}": map[string]any{"a": 1e-3}, "[unclosed": "[unclosed",
	} {
		got := parseValue(text)
		if f, ok := want.(float64); ok && text == "0x10" {
			// hexadecimal integers are numbers in lists and mappings only
			got = parseValue("[0x10]").([]any)[0]
			want = f
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %#v, want %#v", text, got, want)
		}
	}
	if m, err := parseTree(nil); err != nil || len(m) != 0 {
		t.Errorf("an empty file is %v, %v", m, err)
	}
	if _, err := parseTree([]byte("a: [")); err == nil {
		t.Error("broken YAML is read")
	}
}

// Every item of a study has its own line and column; items that do not exist have the
// position of the nearest one above.
func TestPositionsOfItems(t *testing.T) {
	p := findPositions([]byte("scene: s.yaml\nderive:\n  lift: 2*time.step\nplots:\n  a:\n    panels:\n      - {y: m}\n      - y: n\n        x: k\nrows: [{a: 1}, {b: 2}]\n"))
	for item, want := range map[string][2]int{
		"scene": {1, 1}, "derive": {2, 1}, "derive/lift": {3, 3}, "plots/a": {5, 3}, "plots/a/panels/0/y": {7, 10},
		"plots/a/panels/1/x": {9, 9}, "rows/1/b": {10, 17}, "derive/none": {2, 1}, "plots/a/panels/7/y": {6, 5}, "none": {0, 0},
	} {
		if at := p.of(item); [2]int{at.Line, at.Col} != want {
			t.Errorf("%s is at %d:%d, want %d:%d", item, at.Line, at.Col, want[0], want[1])
		}
	}
	if p := findPositions([]byte("a: [")); len(p) != 0 {
		t.Errorf("positions in broken YAML: %v", p)
	}
	if p := findPositions(nil); len(p) != 0 {
		t.Errorf("positions in nothing: %v", p)
	}
}

// Names of items may have dots: of several that fit a path the longest is meant, as for overrides of scenes.
func TestPathsFindNamesWithDots(t *testing.T) {
	tree, err := parseTree([]byte("expect: {d_0: {value: 1}, d_0.05: {value: 2}}\ngrid: [[1, 2], [3, 4]]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{"expect.d_0.value": 1.0, "expect.d_0.05.value": 2.0, "grid.1.0": 3.0, "expect.d_1.value": nil} {
		if got := getPath(tree, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{"expect.d_0.05.value", "grid.0.1", "expect.d_2.value"} {
		setPath(tree, path, 7.0)
		if got := getPath(tree, path); got != 7.0 {
			t.Errorf("%s is %v after it was set to 7", path, got)
		}
	}
	if got := getPath(tree, "expect.d_0.value"); got != 1.0 {
		t.Errorf("expect.d_0.value became %v", got)
	}
}
