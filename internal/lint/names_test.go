package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// unused are words that exported names do not contain, with the word that means the same:
// the list "Words not used" of CONVENTIONS.md.
var unused = map[string]string{
	"patch": "manifold, contact surface or surface law", "patches": "contact surfaces", "skirt": "margin",
	"grain": "friction direction", "soft": "deformable", "bearing": "lagged contact", "bearings": "lagged contacts",
	"relag": "update of the normal bound", "sight": "speculative factor", "foresight": "predicted motion",
	"foresee": "predict the motion", "look": "detection", "looks": "detections", "sparing": "gradient only",
	"spared": "gradient only", "soften": "cap the slope", "softener": "continuation", "doubt": "warning",
	"doubts": "warnings", "advice": "estimate", "advise": "estimate", "blame": "attribution",
	"parting": "separation velocity", "settled": "converged", "unsettled": "unconverged", "still": "kinematic",
	"flier": "floating body", "floater": "floating base", "drift": "translation", "flex": "deformation bound",
}

// Exported names use the words of the glossary.
func TestExportedNamesUseTheGlossary(t *testing.T) {
	for _, name := range exported(t) {
		for _, word := range split(name.ident) {
			if instead, ok := unused[word]; ok {
				t.Errorf("%s: the exported name %s has the word %q: write %s (see CONVENTIONS.md)", name.at, name.ident, word, instead)
			}
		}
	}
}

// The words that this test refuses are those that CONVENTIONS.md lists.
func TestConventionsListTheWordsNotUsed(t *testing.T) {
	text := read(t, "../../CONVENTIONS.md")
	_, list, ok := strings.Cut(text, "### Words not used\n")
	if !ok {
		t.Fatal("CONVENTIONS.md has no list of words not used")
	}
	for word := range unused {
		stem := strings.TrimSuffix(strings.TrimSuffix(word, "es"), "s")
		if !strings.Contains(list, stem) && !strings.Contains(list, strings.TrimPrefix(strings.TrimPrefix(word, "un"), "fore")) {
			t.Errorf("CONVENTIONS.md does not list %q", word)
		}
	}
}

type exportedName struct {
	ident string
	at    token.Position
}

// exported returns the exported names of all packages: types, functions, methods, fields,
// variables and constants.
func exported(t *testing.T) []exportedName {
	t.Helper()
	var names []exportedName
	files := token.NewFileSet()
	add := func(id *ast.Ident) {
		if id != nil && id.IsExported() {
			names = append(names, exportedName{id.Name, files.Position(id.Pos())})
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					add(n.Name)
					return false
				case *ast.TypeSpec:
					add(n.Name)
				case *ast.ValueSpec:
					for _, id := range n.Names {
						add(id)
					}
				case *ast.Field:
					for _, id := range n.Names {
						add(id)
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 1000 {
		t.Fatalf("only %d exported names were found", len(names))
	}
	return names
}

var wordStart = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// split returns the words of a name in camel case, in lower case.
func split(name string) []string {
	var words []string
	for _, w := range wordStart.FindAllString(name, -1) {
		// an acronym ends before the last capital: "CGSolver" is CG and Solver
		letters := []rune(w)
		capitals := 0
		for capitals < len(letters) && unicode.IsUpper(letters[capitals]) {
			capitals++
		}
		if capitals > 1 && capitals < len(letters) {
			words = append(words, strings.ToLower(string(letters[:capitals-1])))
			w = string(letters[capitals-1:])
		}
		words = append(words, strings.ToLower(w))
	}
	return words
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
