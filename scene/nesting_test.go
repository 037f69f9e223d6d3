package scene

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// A deep nesting is refused with its place, before memory is taken for it.
func TestDeepNestingIsRefused(t *testing.T) {
	deep := 100_000
	var indented strings.Builder
	for i := range 1000 {
		indented.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", deep), "braces": strings.Repeat("{a: ", deep), "sequences": strings.Repeat("- ", deep),
		"keys": strings.Repeat("? ", deep), "lines": strings.Repeat("[\n", deep), "indentation": indented.String(),
	} {
		path := filepath.Join(t.TempDir(), "scene.yaml")
		if err := os.WriteFile(path, []byte("time: {step: 1}\nbodies:\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Load(path, nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), path+":") || !strings.Contains(err.Error(), "nested more than") {
			t.Errorf("%s: %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<20 {
			t.Errorf("%s takes %d MB", name, got>>20)
		}
		f := NewFile()
		if err := f.Override("bodies=" + text); name != "indentation" && (err == nil || !strings.Contains(err.Error(), "nested more than")) {
			t.Errorf("%s in an override: %v", name, err)
		}
	}
	// rulers of comments and lists that are closed nest nothing
	fine := "# " + strings.Repeat("-", 500) + "\n" + strings.Repeat("# [x] {y}\n", 1000) + strings.Repeat(" ", 2000) + "\n"
	if err := CheckNesting("a", []byte(fine)); err != nil {
		t.Error(err)
	}
}

// Inputs that never end, or wait for somebody to write, are refused at once.
func TestInputsAreFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		if _, err := Load(path, nil); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "not a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
