package study

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// gridOfCases returns a function that loads a study of a ball, over a values of one key and b of
// another, with more lines of the study file.
func gridOfCases(t *testing.T) func(a, b int, more string) (*Study, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "study.yaml")
	return func(a, b int, more string) (*Study, error) {
		list := func(n int) string {
			var text []string
			for i := range n {
				text = append(text, fmt.Sprint(1+i))
			}
			return "[" + strings.Join(text, ", ") + "]"
		}
		text := fmt.Sprintf("scene: scene.yaml\ncases: {materials.default.stiffness: %s, materials.default.friction: %s}\n%s", list(a), list(b), more)
		for name, text := range map[string]string{"study.yaml": text, "scene.yaml": "time: {step: 0.01, duration: 0.1}\nbodies: {b: {mass: 1, shapes: [{sphere: {radius: 0.1}}]}}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return Load(file)
	}
}

// A study of too many cases is refused at once, with the key that raises the limit; the
// number counts all sweeps. Cases below the limit and their references are made in time
// that grows with their number, not with its square.
func TestStudiesOfTooManyCasesAreRefused(t *testing.T) {
	load := gridOfCases(t)
	start := time.Now()
	_, err := load(1000, 1000, "")
	if err == nil || !strings.Contains(err.Error(), "1000000 cases or more, the limit is 10000") || !strings.Contains(err.Error(), "raise max_cases") {
		t.Errorf("a million cases: %v", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("refused after %v", d)
	}
	if _, err = load(3, 2, "max_cases: 5\n"); err == nil {
		t.Error("6 cases with a limit of 5 are made")
	}
	if _, err = load(3, 2, "max_cases: 11\nsweeps: {a: {}, b: {}}\n"); err == nil {
		t.Error("12 cases of two sweeps with a limit of 11 are made")
	}
	// every case has a reference of its own
	start = time.Now()
	s, err := load(200, 100, "max_cases: 20000\nreference: {time.step: 0.005}\n")
	if err != nil || len(s.Cases) != 40_000 {
		t.Fatalf("20,000 cases with references: %v", err)
	}
	if d := time.Since(start); d > 8*time.Second {
		t.Errorf("20,000 cases with references took %v", d)
	}
}

// Check builds the scene of every case, of which a study may have 100,000: a case of a ball takes
// a bounded amount of memory, and so of time, two fifths of which went into reading the same tags
// and dividing the same sphere again for each case.
func TestCasesAreCheckedWithLittleMemory(t *testing.T) {
	const cases, most = 400, 330_000 // bytes a case
	s, err := gridOfCases(t)(20, cases/20, "")
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / cases; each > most {
		t.Errorf("%d bytes a case, want at most %d", each, most)
	}
}
