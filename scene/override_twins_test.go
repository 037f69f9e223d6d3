package scene

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
)

// An override of a value gives the same file as the value written in the scene.
//
// randomScene makes pairs of a scene with one value in place and the override that sets
// this value in the scene without it.
func TestOverridesEqualTheFileWrittenThatWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for range 400 {
		s := randomScene(rng)
		if len(s.leaves) == 0 {
			continue
		}
		k := rng.IntN(len(s.leaves))
		leaf := s.leaves[k]
		want, err := decode(s.text(-1, ""))
		if err != nil {
			continue // random parameters that do not fit together
		}
		// the same scene with another value, then set to what it was
		other, err := decode(s.text(k, leaf.another))
		if err != nil {
			continue
		}
		if err := other.Override(leaf.path + "=" + leaf.value); err != nil {
			t.Fatalf("%s=%s: %v\n%s", leaf.path, leaf.value, err, s.text(k, leaf.another))
		}
		if a, b := fileText(want), fileText(other); a != b {
			t.Fatalf("%s=%s differs from the file\n%s\n%s\n%s", leaf.path, leaf.value, s.text(-1, ""), a, b)
		}
		tried++
	}
	if tried < 100 {
		t.Errorf("only %d scenes were compared", tried)
	}
}

// leaf is a value of a random scene.
type leaf struct {
	path    string // of the override
	value   string // in YAML
	another string // other valid value of the same key
}

// sample is the text of a random scene; each line is one value or opens a mapping.
type sample struct {
	lines  []string // %s in the line of a leaf stands for its value
	leaves []leaf
	at     []int // line of each leaf
}

// text returns the scene, in which leaf k has another value.
func (s *sample) text(k int, another string) string {
	lines := append([]string{}, s.lines...)
	for i, l := range s.leaves {
		value := l.value
		if i == k {
			value = another
		}
		lines[s.at[i]] = strings.Replace(lines[s.at[i]], "%s", value, 1)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s *sample) open(indent int, key string) {
	s.lines = append(s.lines, strings.Repeat("  ", indent)+key+":")
}

// leaf adds a value.
func (s *sample) leaf(indent int, path, value, another string) {
	key := path[strings.LastIndexByte(path, '.')+1:]
	s.at, s.leaves = append(s.at, len(s.lines)), append(s.leaves, leaf{path, value, another})
	s.lines = append(s.lines, strings.Repeat("  ", indent)+key+": %s")
}

// randomScene writes a scene with random kinds and values.
func randomScene(rng *rand.Rand) *sample {
	s := &sample{}
	number := func() string { return kinds.Number(0.01 + rng.Float64()) }
	s.open(0, "time")
	s.leaf(1, "time.step", number(), number())
	s.open(0, "solver")
	laws := seamOf("contact law").Names()
	s.leaf(1, "solver.contact", laws[rng.IntN(len(laws))], laws[rng.IntN(len(laws))])
	for _, key := range []string{"sigma", "beta", "stiction_tolerance", "hertz_overlap"} {
		if rng.IntN(2) == 0 {
			s.leaf(1, "solver."+key, number(), number())
		}
	}
	s.open(0, "materials")
	s.open(1, "default")
	s.leaf(2, "materials.default.friction", number(), "{static: 2, dynamic: 1}")
	s.leaf(2, "materials.default.density", number(), number())
	s.open(0, "bodies")
	s.open(1, "b")
	s.leaf(2, "bodies.b.mass", number(), number())
	s.leaf(2, "bodies.b.com", "["+number()+", 0, 1]", "[0, 0, 0]")
	s.open(2, "joint")
	joints := []string{"revolute", "prismatic", "weld", "free"}
	s.leaf(3, "bodies.b.joint.type", joints[rng.IntN(2)], joints[rng.IntN(2)])
	s.leaf(3, "bodies.b.joint.axis", "[0, "+number()+", 0]", "[1, 0, 0]")
	s.leaf(3, "bodies.b.joint.position", number(), "["+number()+"]")
	s.open(0, "drives")
	s.open(1, "d")
	s.leaf(2, "drives.d.joint", "b", "c")
	s.leaf(2, "drives.d.kp", number(), number())
	s.leaf(2, "drives.d.target", randomMotion(rng), randomMotion(rng))
	s.open(0, "signals")
	for i, kind := range []string{"position", "velocity"} {
		s.open(1, fmt.Sprintf("s%d", i))
		s.leaf(2, fmt.Sprintf("signals.s%d.%s", i, kind), "x", "norm")
		s.leaf(2, fmt.Sprintf("signals.s%d.body", i), "b", "c")
	}
	return s
}

func seamOf(name string) kinds.Seam {
	for _, s := range kinds.All() {
		if s.Name() == name {
			return s
		}
	}
	panic("no seam " + name)
}

// randomMotion writes a motion with random parameters.
func randomMotion(rng *rand.Rand) string {
	motions := seamOf("motion")
	name, spec := randomKind(rng, motions)
	return Encode(motions, name, spec)
}

// Single parameters of kinds are set by their own paths, one after the other, to the same
// file as the kind written with all of them.
func TestOverridesReachEveryParameterOfAKind(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, seam := range inScenes() {
		path := map[string]string{
			"shape": "bodies.b.shapes.0.KIND.", "constraint": "constraints.c.KIND.", "motion": "drives.d.target.KIND.",
			"joint": "bodies.b.joint.", "contact law": "solver.", "normal law": "solver.", "signal": "signals.s.", "drive": "drives.d.",
		}[seam.Name()]
		if path == "" {
			continue
		}
		for _, k := range seam.Kinds() {
			spec := seam.Make(k.Name)
			randomise(rng, kinds.Fields(spec))
			usual := Encode(seam, k.Name, k.Sample())
			f, err := decode(sceneWith(seam.Name(), usual))
			if err != nil {
				t.Fatalf("%s: %v", usual, err)
			}
			at := strings.Replace(path, "KIND", k.Name, 1)
			if Flat(seam, k) && strings.Contains(path, "KIND") {
				at = strings.Replace(path, "KIND.", "", 1)
			}
			for _, p := range kinds.Fields(spec) {
				if p.Value.Kind() == reflect.Interface && p.Value.IsNil() || p.Value.Kind() == reflect.Pointer && p.Value.IsNil() {
					continue
				}
				value := encodeValue(p.Value, p.Unit)
				if err := f.Override(at + p.Key + "=" + value); err != nil {
					t.Errorf("%s %s: %v", seam.Name(), k.Name, err)
				}
			}
		}
	}
}

// sceneWith returns a scene with an item of a seam at the path of the test above.
func sceneWith(seam, text string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	switch seam {
	case "shape":
		return "bodies: {b: {shapes: [" + text + "]}}\n"
	case "joint":
		return "bodies: {b: {joint: " + text + "}}\n"
	case "constraint":
		return "constraints: {c: " + text + "}\n"
	case "motion":
		return "drives: {d: {joint: b, target: " + text + "}}\n"
	case "drive":
		return "drives: {d: " + text + "}\n"
	case "signal":
		return "signals: {s: " + text + "}\n"
	case "contact law":
		return "solver: {contact: " + inner + "}\n"
	}
	return "solver: {normal_law: " + inner + "}\n"
}
