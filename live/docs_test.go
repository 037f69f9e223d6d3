package live

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The section on safety names tests that there are.
func TestSafetyNamesItsTests(t *testing.T) {
	text, err := os.ReadFile("../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, dir := range []string{".", "../web", "../cmd/curlfree", "../run"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			code, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(code, -1) {
				there[string(m[1])] = true
			}
		}
	}
	names := regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(text, -1)
	for _, m := range names {
		if !there[string(m[1])] {
			t.Errorf("docs/live.md names %s, which is no test", m[1])
		}
	}
	if len(names) < 25 {
		t.Errorf("docs/live.md names %d tests", len(names))
	}
}
