package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// The package comment names the parameters of every registered kind, and only names that the package has.
func TestTheDocumentationNamesAllKinds(t *testing.T) {
	b, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	names := func(kind string, spec any) {
		if name := reflect.TypeOf(spec).Elem().Name(); !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			t.Errorf("%s %s is not in doc.go", kind, name)
		}
	}
	for _, k := range Signals.Entries() {
		names("signal", k.New())
	}
	for _, k := range Drives.Entries() {
		names("drive", k.New())
	}
	for _, k := range Loads.Entries() {
		names("load", k.New())
	}
	for _, k := range RobotTargets.Entries() {
		names("target", k.New())
	}
	// names of the list on which programs may rely
	list, _, _ := strings.Cut(text[strings.Index(text, "# What programs may rely on"):], "// Other exported")
	known := exported(t)
	for _, name := range regexp.MustCompile(`\b[A-Z]\w+`).FindAllString(list[strings.Index(list, "//\t"):], -1) {
		if !known[name] {
			t.Errorf("doc.go names %s, which the package does not have", name)
		}
	}
}

// exported returns the names of exported types, functions, methods, variables and fields of the package.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				known[n.Name.Name] = true
			case *ast.TypeSpec:
				known[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					known[name.Name] = true
				}
			case *ast.Field:
				for _, name := range n.Names {
					known[name.Name] = true
				}
			}
			return true
		})
	}
	return known
}
