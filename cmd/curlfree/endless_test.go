package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// endless puts a link to a device, or a pipe that nobody writes to, in place of a file.
func endless(t *testing.T, path string, pipe bool) {
	t.Helper()
	os.Remove(path)
	if pipe {
		if err := exec.Command("mkfifo", path).Run(); err != nil {
			t.Skip("no mkfifo:", err)
		}
	} else if err := os.Symlink("/dev/zero", path); err != nil {
		t.Skip(err)
	}
}

// promptly runs a command line, which must end within seconds whatever the file is.
func promptly(t *testing.T, dir, line string) (code int, said string) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		var stdout string
		code, stdout, said = call(t, dir, line)
		said += stdout // check prints what it found
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: waits", line)
	}
	return code, said
}

// Files of every kind that are devices or pipes are refused at once: reading a device would take
// all memory, opening a pipe would wait for its other end.
func TestDevicesAndPipesAreRefused(t *testing.T) {
	if st, err := os.Stat("/dev/zero"); err != nil || st.Mode()&os.ModeDevice == 0 {
		t.Skip("no /dev/zero")
	}
	dir := bench(t)
	for _, pipe := range []bool{false, true} {
		want := "a device, not a file"
		if pipe {
			want = "a pipe or a socket, not a file"
		}
		lines := map[string]string{"scene.yaml": "check", "s.yaml": "run -o DIR/out", "study.yaml": "study -o DIR/out", "r.urdf": "check", "r.xml": "check", "r.sdf": "check"}
		for _, ext := range []string{"stl", "obj", "ply", "vtk", "vtu", "msh", "glb", "dae"} {
			lines["m."+ext] = "mesh info"
		}
		for name, line := range lines {
			endless(t, filepath.Join(dir, name), pipe)
			command, more, _ := strings.Cut(line, " -o")
			if more != "" {
				more = " -o" + more
			}
			code, said := promptly(t, dir, fmt.Sprintf("%s DIR/%s%s", command, name, more))
			if code != exitInput && code != exitCheck || !strings.Contains(said, want) {
				t.Errorf("%s: code %d, %s", name, code, said)
			}
		}
		// a table of bodies that a scene names
		endless(t, filepath.Join(dir, "balls.csv"), pipe)
		scene := "time: {step: 0.01, duration: 0.1}\ntables: {heap: {file: balls.csv, kinds: {ball: {shapes: [{sphere: {radius: 0.01}}]}}}}\n"
		if err := os.WriteFile(filepath.Join(dir, "tables.yaml"), []byte(scene), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, said := promptly(t, dir, "check DIR/tables.yaml"); code != exitInput || !strings.Contains(said, want) {
			t.Errorf("balls.csv: code %d, %s", code, said)
		}
	}
}

// Files of a run folder that were replaced by devices or pipes end no command later than others: they
// are refused by name, or written again by a command that replaces them.
func TestDevicesAndPipesInARunFolderAreRefused(t *testing.T) {
	dir := bench(t)
	if code, _, stderr := call(t, dir, "run DIR/fall.yaml -o DIR/whole"); code != exitOK {
		t.Fatal(stderr)
	}
	for _, pipe := range []bool{false, true} {
		for _, c := range []struct {
			file, line string
			told       bool // the error names the kind of file
		}{
			{"signals.csv", "plot DIR/r", true},
			{"recording.curl", "render DIR/r", true},
			{"recording.curl", "export DIR/r --to csv", true},
			{"run.json", "run DIR/fall.yaml -o DIR/r --resume", false},
			{"run.json", "plot DIR/r", false},
			{"checkpoint.json", "run DIR/fall.yaml -o DIR/r --resume", true},
			{"checkpoint.json", "run DIR/fall.yaml -o DIR/r", false},
			{"steps.csv", "run DIR/fall.yaml -o DIR/r", false},
		} {
			r := filepath.Join(dir, "r")
			if err := os.RemoveAll(r); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(r, os.DirFS(filepath.Join(dir, "whole"))); err != nil {
				t.Fatal(err)
			}
			endless(t, filepath.Join(r, c.file), pipe)
			code, said := promptly(t, dir, c.line)
			if c.told && (code == exitOK || !strings.Contains(said, ", not a file")) {
				t.Errorf("%s, %s, pipe %v: code %d, %s", c.line, c.file, pipe, code, said)
			}
		}
	}
}
