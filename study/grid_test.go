package study

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// randomSweep makes rows and lists of values of distinct paths.
func randomSweep(r *rand.Rand) *resolvedSweep {
	w := &resolvedSweep{}
	for k := range r.Intn(4) {
		a := axis{path: fmt.Sprintf("list%d", k)}
		for i := range 1 + r.Intn(4) {
			a.values = append(a.values, fmt.Sprint(10*k+i))
		}
		w.axes = append(w.axes, a)
	}
	for i := range r.Intn(4) {
		w.rows = append(w.rows, assignments{{"row", fmt.Sprint(i)}, {"other", fmt.Sprint(i * i)}})
	}
	return w
}

// nested lists the combinations of a sweep by recursion: rows vary slowest, the last
// list fastest.
func nested(w *resolvedSweep) []string {
	rows := w.rows
	if len(rows) == 0 {
		rows = []assignments{nil}
	}
	var all []string
	var descend func(k int, a assignments)
	descend = func(k int, a assignments) {
		if k == len(w.axes) {
			all = append(all, a.describe())
			return
		}
		for _, v := range w.axes[k].values {
			descend(k+1, a.with(assignment{w.axes[k].path, v}))
		}
	}
	for _, row := range rows {
		descend(0, row)
	}
	return all
}

// The number of a case gives its row and values as nested loops do.
func TestCombinationsAreNestedLoops(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		w := randomSweep(r)
		want := nested(w)
		for i, text := range want {
			choice, row := w.combination(i)
			var a assignments
			if len(w.rows) > 0 {
				a = w.rows[row]
			} else if row != 0 {
				t.Fatalf("row %d of none", row)
			}
			if got := a.with(choice...).describe(); got != text {
				t.Fatalf("case %d of %d is %s, want %s", i, len(want), got, text)
			}
		}
	}
}

// A loaded study has the cases of nested loops over its file.
func TestCasesOfAFileAreNestedLoops(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
rows: [{a: 1, time.step: 0.01}, {a: 2, time.step: 0.02}]
cases: {b: [x, y, z], bodies.ball.mass: [1, 2]}
`)
	var want []string
	for _, row := range []string{"1 0.01", "2 0.02"} {
		for _, b := range []string{"x", "y", "z"} {
			for _, m := range []string{"1", "2"} {
				want = append(want, row+" "+b+" "+m)
			}
		}
	}
	var got []string
	names := map[string]string{}
	for i := range s.Cases {
		c := &s.Cases[i]
		got = append(got, strings.Join(c.Values, " "))
		names[c.Name] = strings.Join(c.Set, " ")
	}
	if !slices.Equal(got, want) {
		t.Errorf("cases\n%v\nwant\n%v", got, want)
	}
	// b is a variable of the study: cases that differ in it alone have the same inputs
	if len(names) != 4 {
		t.Errorf("%d folders, want 4: %v", len(names), names)
	}
}

func TestStudiesWithTooManyCasesAreRefused(t *testing.T) {
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 400), ",") + "]"
	_, err := Load(write(t, "scene: scene.yaml\ncases: {a: "+list+", b: "+list+"}\n"))
	if err == nil || !strings.Contains(err.Error(), "the limit is 10000") {
		t.Errorf("160000 cases: %v", err)
	}
}

// with is a map that remembers the order of first insertion.
func TestAssignmentsAreAnOrderedMap(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 200 {
		var a assignments
		values, order := map[string]string{}, []string{}
		for range r.Intn(20) {
			before := slices.Clone(a)
			v := assignment{fmt.Sprint("p", r.Intn(6)), fmt.Sprint(r.Intn(100))}
			next := a.with(v)
			if !slices.Equal(a, before) {
				t.Fatal("with changes its receiver")
			}
			if _, ok := values[v.path]; !ok {
				order = append(order, v.path)
			}
			values[v.path] = v.text
			a = next
		}
		if len(a) != len(order) {
			t.Fatalf("%v has %d values, want %d", a, len(a), len(order))
		}
		for i, path := range order {
			got, ok := a.get(path)
			if a[i].path != path || !ok || got != values[path] {
				t.Errorf("%s is %q at %d, want %q", path, got, i, values[path])
			}
		}
		if _, ok := a.get("none"); ok {
			t.Error("a path that was not set has a value")
		}
	}
}

// The row of a reference is the one with the values that the reference gives which
// shares most others with the row of the case; the twin looks at all rows.
func TestReferenceRowsAgainstAllRows(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	s := &Study{Path: "study.yaml"}
	ties, found := 0, 0
	for range 500 {
		w := &resolvedSweep{reference: assignments{{"law", fmt.Sprint(r.Intn(3))}}}
		for range 1 + r.Intn(5) {
			w.rows = append(w.rows, assignments{{"law", fmt.Sprint(r.Intn(3))}, {"a", fmt.Sprint(r.Intn(2))}, {"b", fmt.Sprint(r.Intn(2))}})
		}
		row := w.rows[r.Intn(len(w.rows))]
		shared := func(o assignments) (n int) {
			for _, k := range []string{"a", "b"} {
				x, _ := o.get(k)
				y, _ := row.get(k)
				if x == y {
					n++
				}
			}
			return n
		}
		best, count := -1, 0
		var want assignments
		for _, o := range w.rows {
			if law, _ := o.get("law"); law != w.reference[0].text {
				continue
			}
			if n := shared(o); n > best {
				best, count, want = n, 1, o
			} else if n == best {
				count++
			}
		}
		got, err := s.referenceRow(w, row)
		switch {
		case best < 0: // no row has the values of the reference: that of the case stays
			if err != nil || !slices.Equal(got, row) {
				t.Errorf("%v of %v, %v", got, row, err)
			}
		case count > 1:
			ties++
			if err == nil || !strings.Contains(err.Error(), "several rows") {
				t.Errorf("a tie gives %v, %v", got, err)
			}
		default:
			found++
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v (%v), want %v", got, err, want)
			}
		}
	}
	if ties < 20 || found < 100 {
		t.Errorf("%d ties and %d rows: too few to decide", ties, found)
	}
}

// Formulas see the results of those before them: Fibonacci's numbers.
func TestFormulasAreEvaluatedInOrder(t *testing.T) {
	var b strings.Builder
	b.WriteString("scene: scene.yaml\nset: {f0: 0, f1: 1}\nderive:\n")
	for k := 2; k <= 20; k++ {
		fmt.Fprintf(&b, "  f%d: f%d + f%d\n", k, k-1, k-2)
	}
	s := mustLoad(t, b.String())
	x, y := 0, 1
	for k := 2; k <= 20; k++ {
		x, y = y, x+y
		if got := at(t, s, &s.Cases[0], fmt.Sprint("f", k)); got != fmt.Sprint(y) {
			t.Errorf("f%d is %s, want %d", k, got, y)
		}
	}
	// a formula before the one that it needs does not see it
	if _, err := Load(write(t, "scene: scene.yaml\nderive:\n  a: b + 1\n  b: 2\n")); err == nil || !strings.Contains(err.Error(), "unknown name b") {
		t.Errorf("got %v", err)
	}
}

// Formulas use the values of the scene where the case has none of its own.
func TestFormulasUseTheValuesOfTheScene(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
cases: {bodies.ball.mass: [2, 3]}
derive:
  weight: bodies.ball.mass*9.81
  steps: round(time.duration/time.step)
  low: bodies.ball.pose.xyz[2] - bodies.ball.shapes[0].sphere.radius
  heavy: bodies.ball.mass > 2
`)
	for i, want := range []string{"2 19.62 20 0.9 false", "3 29.43 20 0.9 true"} {
		if got := strings.Join(s.Cases[i].Values, " "); got != want {
			t.Errorf("case %d: %s, want %s", i, got, want)
		}
	}
}

// What a sweep inherits: values are merged, lists replaced, rows and references
// replaced as a whole.
func TestInheritanceOfEveryKey(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
set: {a: 1, b: 2}
cases: {c: [1, 2], time.step: [0.01]}
rows: [{r: 1}, {r: 2}]
derive: {d: a + b, e: 10*d}
reference: {time.step: 0.001}
sweeps:
  same: {}
  own:
    set: {b: 5, g: 7}
    cases: {c: [3]}
    rows: [{q: 1}]
    derive: {d: a*b}
    reference: {bodies.ball.mass: 4}
`)
	count := map[string]int{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.IsReference {
			continue
		}
		count[c.Sweep]++
		d, e := at(t, s, c, "d"), at(t, s, c, "e")
		switch c.Sweep {
		case "same":
			if d != "3" || e != "30" || !strings.Contains(c.Reference, "0.001") {
				t.Errorf("same: d %s, e %s, reference %s", d, e, c.Reference)
			}
		case "own":
			if d != "5" || e != "50" || at(t, s, c, "c") != "3" || at(t, s, c, "r") != "" || at(t, s, c, "q") != "1" {
				t.Errorf("own: %v", c.Values)
			}
		}
	}
	if count["same"] != 4 || count["own"] != 1 {
		t.Errorf("%v cases", count)
	}
	last := s.Cases[len(s.Cases)-1]
	if !last.IsReference || !slices.Contains(last.Set, "bodies.ball.mass=4") || slices.Contains(last.Set, "time.step=0.001") {
		t.Errorf("the reference of the second sweep sets %v", last.Set)
	}
}

// Folder names are short, portable and different for different inputs.
func TestFolderNamesAreSafeAndDistinct(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	letters := []rune("aZ09.-+_ /\\:*?\"<>|[],{}=äµ\n\t")
	seen := map[string]string{}
	for i := range 2000 {
		var values []string
		for range r.Intn(5) {
			text := make([]rune, r.Intn(30))
			for k := range text {
				text[k] = letters[r.Intn(len(letters))]
			}
			values = append(values, string(text))
		}
		inputs := fmt.Sprint(i)
		name := folderName(slices.Clone(values), inputs)
		if fileSafe(name) != name || len(name) > maxFolderName+9 || name == "" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			t.Fatalf("%q makes the folder %q", values, name)
		}
		if other, ok := seen[name]; ok {
			t.Fatalf("inputs %s and %s share the folder %s", inputs, other, name)
		}
		seen[name] = inputs
		if again := folderName(slices.Clone(values), inputs); again != name {
			t.Fatalf("%s became %s", name, again)
		}
	}
}

func TestEqualValuesAreNumbersOrTexts(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0.01", "1e-2", true}, {"1", "1.0", true}, {"1", "2", false}, {"sap", "sap", true}, {"sap", "SAP", false},
		{"", "", true}, {"", "0", false}, {"[1, 2]", "[1, 2]", true}, {"-0", "0", true}, {"nan", "nan", true},
	} {
		if got := equalValues(c.a, c.b); got != c.want || equalValues(c.b, c.a) != c.want {
			t.Errorf("%q and %q are equal: %v", c.a, c.b, got)
		}
	}
}

func TestStudyFilesThatAreNoneSayWhat(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	scene := put("scene.yaml", fallScene)
	broken := put("broken.yaml", "time: {stp: 1}\n")
	for path, want := range map[string]string{
		filepath.Join(dir, "none.yaml"):        "none.yaml: no such file",
		dir:                                    "is a folder: name the study file in it",
		scene:                                  "is a scene: run it with curlfree run",
		put("empty.yaml", "title: x\n"):        "the key scene is missing",
		put("a.yaml", "scene: nowhere.yaml\n"): "nowhere.yaml: no such file",
		put("b.yaml", "scene: "+dir+"\n"):      "the scene: ",
		put("c.yaml", "scene: "+filepath.ToSlash(broken)+"\n"):               "broken.yaml:1:8: unknown key time.stp",
		put("d.yaml", "scene: scene.yaml\ncases: {time.step: [1e-2, -1]}\n"): "",
	} {
		_, err := Load(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q in it", filepath.Base(path), err, want)
		}
	}
}

// Of many cases that are wrong, the first few are reported with their values.
func TestCheckReportsTheFirstWrongCases(t *testing.T) {
	s := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.01, -1, -2, -3, -4, -5, -6, -7]}\n")
	err := s.Check()
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	if n := strings.Count(text, "time.step is -"); n != maxShownErrors || !strings.Contains(text, "case -1_") || !strings.Contains(text, "(time.step=-1)") || strings.Contains(text, "is -6") {
		t.Errorf("%d errors:\n%v", n, err)
	}
	if s.Cases[0].Steps != 20 {
		t.Errorf("the case that can run takes %v steps", s.Cases[0].Steps)
	}
}
