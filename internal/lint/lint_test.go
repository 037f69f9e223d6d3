// Package lint has tests of the source tree itself. They run commands, which
// the test cache cannot see: run them with -count=1.
package lint

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type pkg struct {
	ImportPath, Dir string
	Imports, Deps   []string
}

func load(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,Deps", "github.com/curlfree/curlfree/...")
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
	return slices.Contains(testOnly, name) || strings.HasPrefix(name, "internal/lint")
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

func TestPhysicsImportsNoFilesOrPictures(t *testing.T) {
	for _, p := range load(t) {
		if groupOf(short(p.ImportPath)) != physics {
			continue
		}
		for _, imp := range p.Imports {
			if slices.Contains(forbiddenInPhysics, imp) {
				t.Errorf("%s imports %s", short(p.ImportPath), imp)
			}
		}
	}
}

// Programs that use mechanics alone link no readers of files, no compression, no pictures and no command line.
func TestPhysicsDependsOnNoFilesOrPictures(t *testing.T) {
	in := func(list []string, path string) bool {
		return slices.ContainsFunc(list, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
	}
	for _, p := range load(t) {
		if groupOf(short(p.ImportPath)) != physics {
			continue
		}
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(dep, "/")
			switch own := strings.HasPrefix(dep, "github.com/curlfree/curlfree/"); {
			case own && groupOf(short(dep)) > physics:
				t.Errorf("%s depends on %s, which is no mechanics", short(p.ImportPath), short(dep))
			case !own && strings.Contains(first, ".") && !in(numerics, dep), in(forbiddenBelowPhysics, dep):
				t.Errorf("%s depends on %s", short(p.ImportPath), dep)
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
