package authorship

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files that this program writes are tested where they are written.
func TestFilesOfOthersAreForeign(t *testing.T) {
	dir := t.TempDir()
	far := strings.Repeat("x", 3*markWindow)
	for name, c := range map[string]struct {
		content string
		foreign bool
	}{
		"empty":         {"", false},
		"text":          {"mine", true},
		"mentions":      {"o part_for_curlfree\n# made for curlfree\n", true},
		"marked":        {"<!-- " + Mark + " -->", false},
		"marked late":   {far + Mark + "\n", false},
		"marked inside": {far + Mark + far, true},
		"other study":   {"{\n  \"study\": \"optuna\",\n  \"trials\": 3\n}\n", true},
		"our study":     {"{\n  \"study\": \"../a.yaml\"\n}\n", false},
		"other signals": {"time_s,force\n0,1\n", true},
		"recording":     {"curlfree recording 3\nH", false},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Foreign(path); got != c.foreign {
			t.Errorf("%s: foreign %v, want %v", name, got, c.foreign)
		}
	}
	if Foreign(filepath.Join(dir, "none")) {
		t.Error("a file that does not exist is foreign")
	}
	if err := os.Symlink("recording", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if !Foreign(filepath.Join(dir, "link")) || !Foreign(dir) {
		t.Error("a link or a folder is not foreign")
	}
	err := Check(filepath.Join(dir, "text"), filepath.Join(dir, "recording"), filepath.Join(dir, "link"))
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "text") || strings.Contains(err.Error(), "recording") || !strings.Contains(err.Error(), "--force") {
		t.Errorf("got %v", err)
	}
	if err := Check(filepath.Join(dir, "recording")); err != nil {
		t.Error(err)
	}
}
