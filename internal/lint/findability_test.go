package lint

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A reader from the field but not this code searches for a term of a textbook. These tests
// check the comments for the words that such a reader searches for: the rows of atlas.go name a
// file for each term, the glossary of CONVENTIONS.md the packages of each concept.

// indexRow is a row of atlas.go: terms, and the file that implements them.
var indexRow = regexp.MustCompile(`(?m)^//\t(.*\S) {2,}(\S+)$`)

// A search for a term of the index finds it in one line of a comment of the file that its row
// names, as git grep searches line by line.
func TestConceptsAreFoundInTheFilesOfTheIndex(t *testing.T) {
	rows := indexRow.FindAllStringSubmatch(read(t, "../../atlas.go"), -1)
	seen := map[string]bool{}
	for _, row := range rows {
		file := filepath.Join("../..", row[2])
		if _, err := os.Stat(file); err != nil || !strings.HasSuffix(file, ".go") {
			t.Errorf("atlas.go: %s: there is no file %s: name the Go file that implements it", row[1], row[2])
			continue
		}
		lines := strings.Split(comments(t, file), "\n")
		for term := range strings.SplitSeq(row[1], ", ") {
			if seen[term] {
				t.Errorf("atlas.go: %s stands in two rows: keep the one of the file that implements it", term)
			}
			seen[term] = true
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, strings.ToLower(term)) }) {
				t.Errorf("%s: no comment has %q in one line: write it where the concept is explained, or correct atlas.go", row[2], term)
			}
		}
	}
	// a change of the form of rows must not empty the test
	if len(rows) < 100 {
		t.Errorf("atlas.go: only %d rows were found", len(rows))
	}
}

// glossaryRow is a row of a table of CONVENTIONS.md with six columns: term and packages are kept.
var glossaryRow = regexp.MustCompile(`(?m)^\| ([^|]+) \|(?:[^|]*\|){4} ([^|]+) \|$`)

// Each concept of the glossary is named by comments of the packages that its row points to:
// each of its terms in one of them, and one of its terms in each.
func TestGlossaryTermsOccurInComments(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "../../CONVENTIONS.md"), "### Concepts\n")
	text, _, _ = strings.Cut(text, "\n### ")
	checked := 0
	for _, row := range glossaryRow.FindAllStringSubmatch(text, -1) {
		if row[1] == "term" || row[2] == "all" {
			continue
		}
		checked++
		terms, found := strings.Split(row[1], ", "), map[string]bool{}
		for name := range strings.SplitSeq(row[2], ", ") {
			words := packageComments(t, name)
			named := false
			for _, term := range terms {
				if strings.Contains(words, strings.ToLower(term)) {
					found[term], named = true, true
				}
			}
			if !named {
				t.Errorf("package %s: no comment has %q, which CONVENTIONS.md places there: use the word, or correct the glossary", name, terms)
			}
		}
		for _, term := range terms {
			if !found[term] {
				t.Errorf("no comment of %s has %q: use the glossary's word there, or correct CONVENTIONS.md", row[2], term)
			}
		}
	}
	if checked < 60 {
		t.Errorf("CONVENTIONS.md: only %d concepts were found", checked)
	}
}

// packageComments returns the comments of a package, without tests, in lower case and one line.
func packageComments(t *testing.T, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
	if err != nil || len(files) == 0 {
		t.Errorf("CONVENTIONS.md: there is no package %s", name)
	}
	var all strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			all.WriteString(comments(t, file) + "\n")
		}
	}
	return strings.Join(strings.Fields(all.String()), " ")
}

// comments returns the text of the comments of a Go file in lower case, in the lines of the file.
func comments(t *testing.T, file string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, group := range f.Comments {
		for _, c := range group.List {
			text.WriteString(strings.TrimPrefix(c.Text, "//") + "\n")
		}
	}
	return strings.ToLower(text.String())
}
