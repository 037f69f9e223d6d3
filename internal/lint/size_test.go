package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds of product code, all Go files but tests. Functions within them can be read and tested branch by branch.
const (
	maxFileLines  = 450
	maxFuncLines  = 80
	maxComplexity = 20
)

// complexity returns the cyclomatic complexity of a function with its closures: 1 and the number of branches, McCabe,
// "A complexity measure", 1976, where each && and || is a branch.
func complexity(fn *ast.FuncDecl) int {
	c := 1
	ast.Inspect(fn, func(n ast.Node) bool {
		branch := false
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			branch = true
		case *ast.CaseClause:
			branch = n.List != nil
		case *ast.CommClause:
			branch = n.Comm != nil
		case *ast.BinaryExpr:
			branch = n.Op == token.LAND || n.Op == token.LOR
		}
		if branch {
			c++
		}
		return true
	})
	return c
}

// sized is a file, or a function as "file function".
type sized struct {
	name            string
	lines, maxLines int
	complexity      int // 0 of files
}

func (s *sized) above() bool { return s.lines > s.maxLines || s.complexity > maxComplexity }

// productSizes returns the sizes of all product files and of their functions.
func productSizes(t *testing.T) (all []sized) {
	t.Helper()
	root, files := "../..", token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		all = append(all, sized{name, files.File(f.Pos()).LineCount(), maxFileLines, 0})
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				lines := files.Position(fn.End()).Line - files.Position(fn.Pos()).Line + 1
				all = append(all, sized{name + " " + fn.Name.Name, lines, maxFuncLines, complexity(fn)})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 5000 {
		t.Fatalf("only %d files and functions were found", len(all))
	}
	return all
}

func TestFilesAndFunctionsAreSmall(t *testing.T) {
	for _, s := range productSizes(t) {
		if !s.above() {
			continue
		}
		switch {
		case s.complexity == 0:
			t.Errorf("%s has %d lines: divide it by concepts into files of at most %d", s.name, s.lines, s.maxLines)
		default:
			t.Errorf("%s has %d lines and the cyclomatic complexity %d: name its steps, at most %d and %d each", s.name, s.lines, s.complexity, s.maxLines, maxComplexity)
		}
	}
}

// The count of a function with each kind of branch, and of its closure.
func TestComplexityCountsBranches(t *testing.T) {
	const src = `package p
func f(a, b bool, c chan int, x []int) int {
	for range x { // 2
	}
	for a && b { // 4
	}
	g := func() bool { return a || b } // 5
	if g() { // 6
	}
	switch {
	case a: // 7
	case b: // 8
	default:
	}
	select {
	case <-c: // 9
	default:
	}
	return 0
}`
	f, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := complexity(f.Decls[0].(*ast.FuncDecl)); n != 9 {
		t.Errorf("complexity %d, must be 9", n)
	}
}
