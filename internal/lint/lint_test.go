// Package lint holds tests of the source tree itself. They run commands, which
// the test cache cannot see: run them with -count=1.
package lint

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// layer says how high each package stands: it may import only packages strictly
// lower, and its own sub-packages' parents. ARCHITECTURE.md draws this table.
var layer = map[string]int{
	".":                  0, // the root: documentation alone
	"internal/unionfind": 0, "internal/invariants": 0, "workers": 0, "kinds": 0, "internal/atomicfile": 0, "r3": 0,
	"bvh": 1, "cliques": 1, "motion": 1, "supernodal": 1,
	"meshes":       2,
	"hydroelastic": 3, "meshes/parts": 3,
	"geometry": 4,
	"rigid":    5, "fem": 5, "constraints": 5, "convex": 5,
	"sim": 6, "scene/robot": 6,
	"check": 7, "record": 7, "scene/mjcf": 7, "scene/sdf": 7, "scene/urdf": 7,
	"render": 8, "scene": 8,
	"run": 9, "reference": 9,
	"study":        10,
	"bench":        10,
	"cmd/curlfree": 11,
	"examples":     11, // tests of the scenes
	"examples/go":  11, // a tutorial of the Go packages
}

// testOnly packages may be imported by tests alone.
var testOnly = []string{"internal/oracle", "constraints/lawtest", "constraints/constrainttest", "fem/constitutivetest", "geometry/shapetest", "rigid/jointtest", "scene/robot/robottest"}

// physics packages know nothing of files, command line or pictures.
var physics = []string{"r3", "bvh", "cliques", "supernodal", "geometry", "rigid", "fem", "hydroelastic", "constraints", "convex", "sim", "motion", "check"}

var forbiddenInPhysics = []string{"os", "flag", "image", "encoding/json", "encoding/xml", "path/filepath"}

type pkg struct {
	ImportPath, Dir string
	Imports         []string
}

func load(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports", "github.com/curlfree/curlfree/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// short returns the folder of a package in the module, "." for the root.
func short(path string) string {
	if path == "github.com/curlfree/curlfree" {
		return "."
	}
	return strings.TrimPrefix(path, "github.com/curlfree/curlfree/")
}

func isTestOnly(name string) bool {
	for _, p := range testOnly {
		if name == p {
			return true
		}
	}
	return strings.HasPrefix(name, "internal/lint")
}

func TestImportsPointDown(t *testing.T) {
	for _, p := range load(t) {
		name := short(p.ImportPath)
		if isTestOnly(name) {
			continue
		}
		mine, known := layer[name]
		if !known {
			t.Errorf("package %s is not in the layer table", name)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, "github.com/curlfree/curlfree/") {
				continue
			}
			dep := short(imp)
			if isTestOnly(dep) {
				t.Errorf("%s imports %s, which is for tests", name, dep)
			} else if l, ok := layer[dep]; !ok || l >= mine {
				t.Errorf("%s (layer %d) imports %s (layer %d)", name, mine, dep, l)
			}
		}
	}
}

func TestPhysicsKnowsNoFilesOrPictures(t *testing.T) {
	for _, p := range load(t) {
		for _, name := range physics {
			if short(p.ImportPath) != name {
				continue
			}
			for _, imp := range p.Imports {
				for _, bad := range forbiddenInPhysics {
					if imp == bad {
						t.Errorf("%s imports %s", name, imp)
					}
				}
			}
		}
	}
}

func TestSourceIsFormatted(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gofmt", "-l", root)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("gofmt: %v", err)
	}
	if s := strings.TrimSpace(string(out)); s != "" {
		t.Errorf("gofmt would change:\n%s", s)
	}
}
