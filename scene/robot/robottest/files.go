package robottest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// Parse reads a robot from one file; name is what errors call it.
type Parse func(in io.Reader, name string) (*robot.Robot, []robot.Warning, error)

// Any is the body of a fuzz test: from any text a reader either makes a robot that Check
// passes, or an error with a line. Warnings have lines of the text. It returns what the
// reader said, see package mutation.
func Any(t testing.TB, text string, parse Parse) string {
	// fuzzers pass any bytes: a crash or an endless loop fails by itself
	r, warnings, err := parse(strings.NewReader(text), "r")
	if err != nil {
		var e *robot.Error
		// even of a file without lines the first is a place
		if !errors.As(err, &e) || e.Line < 1 || e.Msg == "" {
			t.Fatalf("error without a place: %v", err)
		}
		return e.Msg
	}
	Check(t, r)
	said := ""
	for _, w := range warnings {
		// warnings of fuzzed text must lead to it as errors do
		if w.Line < 1 || w.Line > 1+strings.Count(text, "\n") || w.Text == "" {
			t.Fatalf("warning %+v", w)
		}
		said += w.Text
	}
	return said
}

// Public reads every file with one of the extensions and this root element below the
// folder that the environment variable CURLFREE_MODELS names, checks it and calls each
// with the robot. It skips the test where there is no such folder.
func Public(t *testing.T, root string, extensions []string, read func(path string, text io.Reader) (*robot.Robot, []robot.Warning, error), each func(*robot.Robot)) {
	// robots of others are not part of the repository, by their licences
	dir := os.Getenv("CURLFREE_MODELS")
	if dir == "" {
		t.Skip("CURLFREE_MODELS names no folder of robots")
	}
	count := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		// an error of the walk ends it; other files are passed over
		if err != nil || d.IsDir() || !slices.Contains(extensions, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		// extensions such as .xml belong to many formats
		if err != nil || robot.RootName(text) != root {
			return err
		}
		// each sees the robot after the general checks
		if r := public(t, path, text, read); r != nil {
			count++
			each(r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// a folder of other robots is no failure
	if count == 0 {
		t.Skipf("no <%s> below CURLFREE_MODELS", root)
	}
}

// public reads one file, lists its warnings and checks the robot; nil after a fault. The list shows
// what users of these robots get to read: a look at it shows whether the words help.
func public(t *testing.T, path string, text []byte, read func(path string, text io.Reader) (*robot.Robot, []robot.Warning, error)) *robot.Robot {
	r, warnings, err := read(path, strings.NewReader(string(text)))
	if err != nil {
		t.Errorf("%v", err)
		return nil
	}
	Check(t, r)
	for _, w := range warnings {
		// lines within included files are reported as theirs
		file, line := r.Where(filepath.Base(path), w.Line)
		t.Logf("%s:%d: %s", file, line, w.Text)
	}
	return r
}
