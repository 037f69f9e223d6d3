package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// documents returns the paths of the documents whose links are checked.
func documents(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CONVENTIONS.md"} {
		paths = append(paths, "../../"+name)
	}
	return paths
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notAName = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
)

// TestLinksOfDocumentsExist checks that files and headings that documents link to exist.
func TestLinksOfDocumentsExist(t *testing.T) {
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", path, m[1])
			} else if anchor != "" && strings.HasSuffix(target, ".md") && !anchors(t, target)[anchor] {
				t.Errorf("%s links to %s: no heading has that name", path, m[1])
			}
		}
	}
}

// anchors returns the names of the headings of a document, as GitHub makes them.
func anchors(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		title := link.ReplaceAllString(m[1], "]")
		name := strings.ReplaceAll(notAName.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		names[name] = true
	}
	for _, m := range regexp.MustCompile(`<a (?:id|name)="([^"]+)">`).FindAllStringSubmatch(string(text), -1) {
		names[m[1]] = true
	}
	return names
}

var (
	equation = regexp.MustCompile(`(?m)^    .*\((\d+)\)$`)
	codeLine = regexp.MustCompile(`(?m)^Code: .*$`)
	// numbers of equations and the file behind them: "(3)–(5), (7) [file.go](../file.go)"
	coded  = regexp.MustCompile(`((?:\(\d+\)[–, ]*)+)[^\[(]*\[[^\]]*\]\(([^)]+)\)`)
	number = regexp.MustCompile(`\((\d+)\)(–?)`)
)

// TestEquationsOfTheoryHaveFiles checks that the equations of docs/theory.md are numbered
// from 1 without gaps, and that a line "Code:" names a Go file for each of them.
func TestEquationsOfTheoryHaveFiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/theory.md")
	if err != nil {
		t.Fatal(err)
	}
	equations := equation.FindAllSubmatch(text, -1)
	for i, m := range equations {
		if string(m[1]) != strconv.Itoa(i+1) {
			t.Fatalf("equation (%s) stands where (%d) should: %s", m[1], i+1, m[0])
		}
	}
	files := map[int]string{}
	for _, line := range codeLine.FindAllString(string(text), -1) {
		for _, m := range coded.FindAllStringSubmatch(line, -1) {
			last, through := 0, false
			for _, n := range number.FindAllStringSubmatch(m[1], -1) {
				k, _ := strconv.Atoi(n[1])
				if !through {
					last = k - 1
				}
				for j := last + 1; j <= k; j++ {
					files[j] = m[2]
				}
				last, through = k, n[2] != ""
			}
		}
	}
	for i := range equations {
		if !strings.HasSuffix(files[i+1], ".go") {
			t.Errorf("no line \"Code:\" names the file of equation (%d)", i+1)
		}
	}
	if len(equations) < 50 || len(files) > len(equations) {
		t.Errorf("%d equations, files of %d", len(equations), len(files))
	}
}
