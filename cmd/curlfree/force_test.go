package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// contentsOf reads all files below a folder.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	have := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			have[path] = string(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}

// For every file that a command writes: it is replaced when it is the command's own, it
// stays when somebody else wrote it, and --force gives it up.
func TestOnlyFilesOfTheProgramAreReplaced(t *testing.T) {
	dir := bench(t)
	if err := os.WriteFile(filepath.Join(dir, "plots.yaml"), []byte("scene: fall.yaml\ncases: {time.step: [0.01]}\nplots: {heights: {signals: [z]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, dir, "run DIR/soft.yaml -o DIR/soft --no-picture"); code != 0 {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		line  string
		files int // that it writes
	}{
		{"run DIR/fall.yaml -o DIR/a", 5},
		{"render DIR/soft -o DIR/b --gif --png --rate 20 --size 64x48", 4},
		{"render DIR/soft -o DIR/one.png --size 64x48", 1},
		{"plot DIR/soft -o DIR/c.png", 1},
		{"plot DIR/soft -o DIR/c.svg", 1},
		{"plot DIR/soft -o DIR/c.pdf", 1},
		{"export DIR/soft --to csv -o DIR/csv", 4},
		{"export DIR/soft --to gltf -o DIR/gltf", 1},
		{"export DIR/soft --to vtk -o DIR/vtk", 1 + 6*3},
		{"study DIR/plots.yaml -o DIR/study --jobs 1", 4 + 5},
		{"mesh convert DIR/part.stl -o DIR/part2.stl", 1},
		{"mesh convert DIR/part.stl -o DIR/part2.obj", 1},
		{"mesh convert DIR/part.stl -o DIR/part2.vtk", 1},
		{"mesh convert DIR/part.stl -o DIR/part2.vtu", 1},
		{"mesh convert DIR/part.stl -o DIR/part2.msh", 1},
		{"mesh tet DIR/part.stl -o DIR/tets.vtu --size 20mm --no-picture", 1},
		{"mesh info DIR/part.stl -o DIR/info.png", 1},
		{"mesh make finray -o DIR/finger.msh", 1},
		{"mesh make rack -o DIR/rack.vtk", 1},
	} {
		before := contentsOf(t, dir)
		code, _, stderr := call(t, dir, c.line)
		if code != 0 {
			t.Fatalf("%s: exit code %d: %s", c.line, code, stderr)
		}
		made := contentsOf(t, dir)
		maps.DeleteFunc(made, func(path, _ string) bool { _, old := before[path]; return old })
		if len(made) != c.files {
			t.Errorf("%s wrote %d files, want %d: %v", c.line, len(made), c.files, slices.Sorted(maps.Keys(made)))
		}
		if code, _, stderr := call(t, dir, c.line); code != 0 {
			t.Errorf("%s: a second time: exit code %d: %s", c.line, code, stderr)
		}
		// a study keeps the results of its cases instead of replacing them
		maps.DeleteFunc(made, func(path, _ string) bool { return strings.Contains(path, "cases") })
		paths := slices.Sorted(maps.Keys(made))
		for i, path := range paths {
			// frames are many
			if i < 3 || i == len(paths)-1 {
				protected(t, dir, c.line, path)
			}
		}
	}
}

// protected puts another file in the place of one that a command writes.
func protected(t *testing.T, dir, line, path string) {
	t.Helper()
	const mine = "somebody else's\n"
	if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, dir, line)
	b, err := os.ReadFile(path)
	if err != nil || string(b) != mine {
		t.Errorf("%s replaced %s", line, path)
	}
	if code != exitOutput || !strings.Contains(stderr, "--force") || !strings.Contains(stderr, filepath.Base(path)) {
		t.Errorf("%s: exit code %d: %s", line, code, stderr)
	}
	if code, _, stderr := call(t, dir, line+" --force"); code != 0 {
		t.Errorf("%s --force: exit code %d: %s", line, code, stderr)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) == mine {
		t.Errorf("%s --force left %s: %v", line, path, err)
	}
}

// A report that draws a picture beside its input by itself leaves it out instead.
func TestReportsDoNotReplacePicturesOfOthers(t *testing.T) {
	dir := bench(t)
	path := filepath.Join(dir, "part.png")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call(t, dir, "mesh tet DIR/part.stl -o DIR/part.vtk --size 10mm")
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" || code != 0 || !strings.Contains(stdout, "vertices") || !strings.Contains(stderr, "no picture is drawn") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
}
