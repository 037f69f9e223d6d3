package scene

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
)

// accepts reports whether the decoder has the key at the end of a path of keys.
func accepts(t *testing.T, path []string) bool {
	t.Helper()
	_, err := decode(nest(path, "null"))
	return err == nil || !strings.Contains(err.Error(), "unknown key")
}

// nest writes a scene with a value at a path of keys; a key "-" is an item of a list.
func nest(path []string, value string) string {
	text := value
	for _, key := range slices.Backward(path) {
		if key == "-" {
			text = "[" + text + "]"
		} else {
			text = "{" + key + ": " + text + "}"
		}
	}
	return text + "\n"
}

// Every key that the description names is accepted, and the decoder names no other in
// its message about an unknown key.
func TestTheDescriptionAgreesWithTheDecoder(t *testing.T) {
	count := 0
	var visit func(path []string, k Key)
	visit = func(path []string, k Key) {
		described := map[string]bool{}
		for _, c := range k.Keys {
			if c.Key == "NAME" {
				return // a mapping from names to values
			}
			described[c.Key] = true
			below := append(slices.Clone(path), c.Key)
			if count++; !accepts(t, below) {
				t.Errorf("%s is described, but the decoder does not have it", strings.Join(below, "."))
			}
			for _, old := range c.Formerly {
				if !accepts(t, append(slices.Clone(path), old)) {
					t.Errorf("the decoder does not have %s, an earlier name of %s", old, c.Key)
				}
			}
			switch c.Form {
			case Mapping:
				visit(below, c)
			case ByName:
				visit(append(below, "x"), c)
			case List:
				visit(append(below, "-"), c)
			}
		}
		for _, it := range k.Items {
			if it.Key != "" {
				described[it.Key] = true
				if !accepts(t, append(slices.Clone(path), it.Key)) {
					t.Errorf("the decoder does not have %v.%s", path, it.Key)
				}
			}
			for _, kind := range it.Seam.Kinds() {
				described[kind.Name] = true
				for _, p := range kind.Params {
					described[p.Key] = described[p.Key] || it.Key != ""
				}
			}
		}
		for _, name := range suggested(t, path) {
			if !described[name] {
				t.Errorf("%s: the decoder takes %s, which is not described", strings.Join(path, "."), name)
			}
		}
	}
	visit(nil, Describe())
	if count < 150 {
		t.Errorf("only %d keys are described", count)
	}
}

// suggested returns the keys that the decoder names for a key that is near to none.
func suggested(t *testing.T, path []string) []string {
	t.Helper()
	_, err := decode(nest(append(slices.Clone(path), strings.Repeat("q", 3)), "1"))
	if err == nil {
		t.Fatalf("%v takes any key", path)
	}
	_, list, ok := strings.Cut(err.Error(), ": the choices are ")
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, "\n")
	return strings.Split(list, ", ")
}

func TestFormsOfKeysFollowTheirTypes(t *testing.T) {
	at := func(path string) Key {
		k := Describe()
		for _, key := range strings.Split(path, ".") {
			i := slices.IndexFunc(k.Keys, func(c Key) bool { return c.Key == key })
			if i < 0 {
				t.Fatalf("%s is not described", path)
			}
			k = k.Keys[i]
		}
		return k
	}
	for _, c := range []struct {
		path string
		want Key
	}{
		{"title", Key{Form: Text}},
		{"time", Key{Form: Mapping}},
		{"time.step", Key{Form: Number}},
		{"gravity", Key{Form: Vector, Count: 3}},
		{"solver.max_iterations", Key{Form: Whole}},
		{"solver.allow_unconverged", Key{Form: Truth}},
		{"materials", Key{Form: ByName}},
		{"materials.friction", Key{Form: Mapping, Scalar: true}},
		{"bodies.shapes", Key{Form: List}},
		{"bodies.no_contact", Key{Form: TextList}},
		{"bodies.joint.position", Key{Form: Vector, Scalar: true}},
		{"robots.joints", Key{Form: ByName}},
		{"render.size", Key{Form: Vector, Count: 2}},
	} {
		if k := at(c.path); k.Form != c.want.Form || k.Count != c.want.Count || k.Scalar != c.want.Scalar {
			t.Errorf("%s is described as %v of %d, scalar %v; want %v of %d, %v", c.path, k.Form, k.Count, k.Scalar, c.want.Form, c.want.Count, c.want.Scalar)
		}
	}
	if k := at("solver"); len(k.Items) != 2 || k.Items[0].Default == "" {
		t.Errorf("the solver's items are %+v", k.Items)
	}
	pose := DescribeParam(kinds.Params(seamOf("constraint").Make("weld"))[2])
	if len(pose.Keys) != 4 || pose.Key != "pose_a" && pose.Key != "pose_b" {
		t.Errorf("the pose of a weld is described as %+v", pose)
	}
	target := kinds.Params(seamOf("drive").Make("joint"))
	for _, p := range target {
		if k := DescribeParam(p); p.Key == "target" && (!k.Scalar || len(k.Items) != 1 || k.Items[0].Seam.Name() != "motion") {
			t.Errorf("the target of a drive is described as %+v", k)
		}
	}
}
