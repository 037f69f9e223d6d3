package lint

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// goBlock is a Go file in a document: the first line names its path in the module.
var goBlock = regexp.MustCompile("(?ms)^```go\n// (\\S+\\.go)\n(.*?)^```$")

// TestExampleOfContributingWorks compiles the Go files of CONTRIBUTING.md as if they
// were in the module, and runs their tests and the suite of their seam.
func TestExampleOfContributingWorks(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	// the go command reads these files in place of those of the module
	replace, dir := map[string]string{}, t.TempDir()
	for _, m := range goBlock.FindAllSubmatch(text, -1) {
		name := filepath.Base(string(m[1]))
		if err := os.WriteFile(filepath.Join(dir, name), m[2], 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, string(m[1]))] = filepath.Join(dir, name)
	}
	if len(replace) != 2 {
		t.Fatalf("%d Go files, want a law and its test", len(replace))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-overlay", path, "-run", "Cone|Registered|Normal|Contact", "./constraints", "./constraints/constrainttest")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
	if out, err := exec.Command("gofmt", "-l", dir).Output(); err == nil && len(out) > 0 {
		t.Errorf("gofmt would change %s", out)
	}
}
