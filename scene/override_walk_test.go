package scene

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/kinds"
	_ "github.com/curlfree/curlfree/sim" // kinds of drives and targets
)

// scalarAt is a scalar of a YAML text: its path for overrides and its value.
type scalarAt struct {
	path, value string
	node        ast.Node
}

// scalars returns all scalars of a mapping or list, in the order of the text.
func scalars(n ast.Node, path string) (list []scalarAt) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		return scalars(n.Value, path)
	case *ast.MappingNode:
		for _, kv := range n.Values {
			list = append(list, scalars(kv, path)...)
		}
	case *ast.MappingValueNode:
		list = scalars(n.Value, join(path, keyOf(n)))
	case *ast.SequenceNode:
		for i, item := range n.Values {
			list = append(list, scalars(item, join(path, strconv.Itoa(i)))...)
		}
	case *ast.StringNode:
		list = []scalarAt{{path, strconv.Quote(n.Value), n}}
	case *ast.LiteralNode:
		list = []scalarAt{{path, strconv.Quote(n.Value.Value), n}}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode:
		list = []scalarAt{{path, n.GetToken().Value, n}}
	}
	return list
}

// changed returns the scene with another number in place of a scalar, false where it is no number or the scene
// does not take this one.
func (s *scalarAt) changed(text string) (*File, bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(s.value, "_", ""), 64)
	if _, quoted := s.node.(*ast.StringNode); quoted || err != nil {
		return nil, false
	}
	// the token has the place of its first character, counted from 1
	lines := strings.Split(text, "\n")
	at := position(s.node)
	line := []rune(lines[at.Line-1])
	if from, n := at.Col-1, len(s.value); from+n <= len(line) && string(line[from:from+n]) == s.value {
		lines[at.Line-1] = string(line[:from]) + fmt.Sprintf("%.12g", 0.75*x+0.125) + string(line[from+n:])
	} else {
		return nil, false
	}
	f, err := decode(strings.Join(lines, "\n"))
	return f, err == nil
}

// walkOverrides sets every scalar of a scene by its path to the value that it has, in the scene as it is and in
// one in which it is another number: both become the scene as it is. It returns how many scalars were set, and how many
// of them from another number.
func walkOverrides(t *testing.T, name, text string) (set, moved int) {
	t.Helper()
	f, err := decode(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := fileText(f)
	parsed, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	body, err := withoutAliases(name, parsed.Docs[0].Body)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(len(text)), 1))
	all := scalars(body, "")
	for _, s := range all {
		// a sample of large scenes, unless in the long mode
		if os.Getenv("CURLFREE_LONG") == "" && rng.IntN(len(all)) >= 10 {
			continue
		}
		f, _ = decode(text)
		files := []*File{f}
		if other, ok := s.changed(text); ok {
			files = append(files, other)
			moved++
		}
		for i, f := range files {
			if err := f.Override(s.path + "=" + s.value); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got := fileText(f); got != want {
				t.Errorf("%s: %s=%s differs from the file that says so (from another number: %t)\n%s", name, s.path, s.value, i == 1, firstDifference(want, got))
			}
		}
		set++
	}
	return set, moved
}

// firstDifference returns two texts around the place where they first differ.
func firstDifference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	part := func(s string) string { return s[max(0, i-60):min(len(s), i+60)] }
	return part(a) + "\n" + part(b)
}

// Every scalar of every example scene can be set by its path; CURLFREE_LONG=1 sets all, otherwise a sample of some ten
// of each.
func TestEveryScalarOfTheExamplesIsSetByItsPath(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	scenes, set, moved := 0, 0, 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(string(text)); err != nil {
			continue // a study or another file
		}
		n, m := walkOverrides(t, path, string(text))
		scenes, set, moved = scenes+1, set+n, moved+m
	}
	if scenes < 30 || set < 300 || moved < 100 {
		t.Errorf("%d scalars of %d scenes were set, %d of them from another number", set, scenes, moved)
	}
	t.Logf("%d scalars of %d scenes, %d of them from another number", set, scenes, moved)
}

// Every scalar of the samples of all kinds can be set by its path, wherever scenes have such an item: targets, tools
// and gains of robot drives, motions and poses among them.
func TestEveryScalarOfTheSamplesIsSetByItsPath(t *testing.T) {
	set := 0
	for _, seam := range kinds.All() {
		place := map[string]string{
			"shape": "bodies: {b: {shapes: [%s]}}", "constraint": "constraints: {c: %s}", "motion": "drives: {d: {joint: b, target: %s}}",
			"joint": "bodies: {b: {joint: %s}}", "signal": "signals: {s: %s}", "drive": "drives: {d: %s}", "load": "loads: {l: %s}",
			"robot target": "drives: {d: {robot: r, kp: [1, 2], kd: 1, effort: [.inf, 3], payload: {link: a, mass: 1, com: [1, 2, 3]}, " +
				"cartesian: {link: a, tool: {xyz: [1, 2, 3], rpy_deg: [10, 20, 30]}, stiffness: 5}, target: %s}}",
			"machine part": "meshes: {m: {part: %s}}",
		}[seam.Name()]
		if place == "" {
			continue
		}
		for _, k := range seam.Kinds() {
			n, _ := walkOverrides(t, seam.Name()+" "+k.Name, fmt.Sprintf(place, Encode(seam, k.Name, k.Sample())))
			set += n
		}
	}
	if set < 250 {
		t.Errorf("%d scalars were set", set)
	}
	t.Logf("%d scalars", set)
}

// Poses of kinds' parameters are written in one of several forms, of which an override sets a part as in a file; names
// may have dots.
func TestPartsOfPosesAndNamesWithDotsAreSet(t *testing.T) {
	text := timeOf + `
bodies: {a: {mass: 1}, a.1: {mass: 2}, a.1.b: {mass: 3}}
robots: {r: {file: r.urdf, joints: {left.hip: 1}}}
constraints: {w: {weld: {a: a, b: a.1}}}
drives:
  d: {robot: r, kp: 5, target: {link: l, tool: {rpy_deg: [10, 90, 30]}, poses: [{pose: {xyz: [1, 2, 3]}}]}}
`
	for _, c := range []struct{ set, old, new string }{
		{"bodies.a.1.mass=7", "a.1: {mass: 2}", "a.1: {mass: 7}"},
		{"bodies.a.1.b.mass=7", "a.1.b: {mass: 3}", "a.1.b: {mass: 7}"},
		{"robots.r.joints.left.hip=2", "left.hip: 1", "left.hip: 2"},
		{"robots.r.joints.right.hip=2", "left.hip: 1", "left.hip: 1, right.hip: 2"},
		{"drives.d.target.tool.rpy_deg.2=40", "[10, 90, 30]", "[10, 90, 40]"},
		{"drives.d.target.tool.xyz.1=4", "rpy_deg: [10, 90, 30]", "xyz: [0, 4, 0], rpy_deg: [10, 90, 30]"},
		{"drives.d.target.tool=null", "tool: {rpy_deg: [10, 90, 30]}, ", ""},
		{"drives.d.target.poses.0.pose.quaternion=[0, 1, 0, 0]", "xyz: [1, 2, 3]", "xyz: [1, 2, 3], quaternion: [0, 1, 0, 0]"},
		{"drives.d.target.poses.0.pause=2", "[1, 2, 3]}", "[1, 2, 3]}, pause: 2"},
		{"drives.d.kp=[1, 2]", "kp: 5", "kp: [1, 2]"},
		{"drives.d.kp.0=6", "kp: 5", "kp: 6"},
		{"drives.d.payload.com.2=1", "kp: 5", "kp: 5, payload: {com: [0, 0, 1]}"},
		{"drives.d.cartesian.tool.xyz.2=1", "kp: 5", "kp: 5, cartesian: {tool: {xyz: [0, 0, 1]}}"},
		{"drives.d.target={waypoints: [{q: [1]}]}", "{link: l, tool: {rpy_deg: [10, 90, 30]}, poses: [{pose: {xyz: [1, 2, 3]}}]}", "{waypoints: [{q: [1]}]}"},
		{"constraints.w.weld.pose_b.xyz.0=1", "b: a.1", "b: a.1, pose_b: {xyz: [1, 0, 0]}"},
		{"constraints.w.weld.pose_a.rpy.0=1", "b: a.1", "b: a.1, pose_a: {rpy: [1, 0, 0]}"},
		{"constraints.w.weld.pose_b=null", "b: a.1", "b: a.1"},
	} {
		f, err := decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Override(c.set); err != nil {
			t.Error(err)
			continue
		}
		// required keys that a file would have to state are left to the validation
		want, _ := decode(strings.Replace(text, c.old, c.new, 1))
		if a, b := fileText(want), fileText(f); a != b {
			t.Errorf("%s differs from the file that says so\n%s", c.set, firstDifference(a, b))
		}
	}
	for set, want := range map[string]string{
		"drives.d.target.tool.rpy.0=1":                 "a pose has one of rpy, rpy_deg and quaternion, not several",
		"drives.d.target.poses.0.pose=null":            "cannot be left out",
		"drives.d.target.poses.0.pose.xyz.3=1":         "has 3 items",
		"drives.d.target.poses.1.pose.xyz.0=1":         "has 1 items",
		"drives.d.target.tool.quaternion=[1, 1, 0, 0]": "rotations are unit quaternions",
		"bodies.a.2.mass=7":                            "unknown path bodies.a.2",
	} {
		f, _ := decode(text)
		if err := f.Override(set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", set, err, want)
		}
	}
}
