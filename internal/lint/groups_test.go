package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fileGroup is a group of the files of a package, by patterns of their names.
type fileGroup struct {
	name   string
	phrase string // what it has, for the table of ARCHITECTURE.md
	files  []string
}

// simGroups are the groups of package sim, the lowest first: files refer to their own group and to lower ones alone. A
// file belongs to the highest group with a pattern that its name matches, and to the lowest where none does.
var simGroups = []fileGroup{
	{"core", "Model, State and Stepper; the step, its loop and terms; states at rest; reports; interfaces of what acts on a step and reads it", nil},
	{"build", "Builder: items with names → Model", []string{"builder*.go", "default_gradient.go"}},
	{"signals", "kinds of signals", []string{"signal_*.go"}},
	{"drives", "kinds of drives and loads, controllers of robots, operators", []string{"drive_*.go", "load*.go", "operator*.go", "robot_*.go", "trajectory.go"}},
	{"derive", "derivatives of steps and of signals", []string{"adjoint*.go", "kink.go", "linearization.go", "linearize*.go", "local_*.go", "signal_derivative.go", "signal_point_derivative.go", "touch.go"}},
	{"sim", "what puts the others together", []string{"build.go", "new_stepper.go", "rollouts.go"}},
}

// groupOfFile returns the index of the group of a file.
func groupOfFile(groups []fileGroup, file string) int {
	for i, g := range slices.Backward(groups) {
		for _, pattern := range g.files {
			if ok, err := filepath.Match(pattern, file); ok && err == nil {
				return i
			}
		}
	}
	return 0
}

// upward returns the references of files to objects of higher groups, each object once for a file.
func upward(groups []fileGroup, files *token.FileSet, pkg *types.Package, uses map[*ast.Ident]types.Object) (list []string) {
	for id, to := range uses {
		if to.Pkg() != pkg {
			continue
		}
		from, at := filepath.Base(files.Position(id.Pos()).Filename), filepath.Base(files.Position(to.Pos()).Filename)
		if a, b := groupOfFile(groups, from), groupOfFile(groups, at); a < b {
			list = append(list, fmt.Sprintf("%s of %s refers to %s in %s of %s", from, groups[a].name, objectName(to), at, groups[b].name))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// objectName returns the name of an object, with its type for a method.
func objectName(o types.Object) string {
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		return types.TypeString(f.Signature().Recv().Type(), func(*types.Package) string { return "" }) + "." + o.Name()
	}
	return o.Name()
}

// check type-checks the files of a package; imports are read by lookup.
func check(t *testing.T, path string, files *token.FileSet, parsed []*ast.File, lookup importer.Lookup) (*types.Package, map[*ast.Ident]types.Object) {
	t.Helper()
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(files, "gc", lookup)}
	pkg, err := conf.Check(path, files, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, info.Uses
}

// upwardOf returns the upward references of a package of this module, without its tests.
func upwardOf(t *testing.T, folder string, groups []fileGroup) []string {
	t.Helper()
	path := "github.com/curlfree/curlfree/" + folder
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", path).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports, files, parsed := map[string]string{}, token.NewFileSet(), []*ast.File(nil)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath != path {
			continue
		}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
	}
	pkg, uses := check(t, path, files, parsed, func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return upward(groups, files, pkg, uses)
}

// Files of package sim refer to objects of their own group and of lower ones.
func TestFilesOfSimPointDown(t *testing.T) {
	for _, ref := range upwardOf(t, "sim", simGroups) {
		t.Errorf("%s: let the lower group declare an interface or data that the higher one gives", ref)
	}
}

// TestTableOfGroupsIsUpToDate compares the table of groups in ARCHITECTURE.md with that of this file.
func TestTableOfGroupsIsUpToDate(t *testing.T) {
	var b strings.Builder
	b.WriteString("| group | what | files |\n|---|---|---|\n")
	for _, g := range slices.Backward(simGroups) {
		files := "all others"
		if len(g.files) > 0 {
			files = "`" + strings.Join(g.files, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", g.name, g.phrase, files)
	}
	compareSection(t, "../../ARCHITECTURE.md", "groups", b.String())
}

// Every pattern of the table is of a file.
func TestGroupsOfSimHaveFiles(t *testing.T) {
	for _, g := range simGroups {
		for _, pattern := range g.files {
			if found, err := filepath.Glob("../../sim/" + pattern); err != nil || len(found) == 0 {
				t.Errorf("group %s: no file of sim is %s (%v)", g.name, pattern, err)
			}
		}
	}
}

// A field, a method and a function of the higher file are found in the lower one, and nothing of the lower file in the
// higher one.
func TestUpwardReferencesAreFound(t *testing.T) {
	files, parsed := token.NewFileSet(), []*ast.File(nil)
	for name, src := range map[string]string{
		"low.go":  "package p\ntype low struct{ h *high }\nfunc (l *low) f() int { g(); return l.h.x + l.h.m() }\n",
		"high.go": "package p\ntype high struct{ x int }\nfunc (*high) m() int { return len(new(low).own()) }\nfunc g() {}\nfunc (*low) own() string { return \"\" }\n",
	} {
		f, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	pkg, uses := check(t, "p", files, parsed, nil)
	got := upward([]fileGroup{{name: "lower"}, {name: "higher", files: []string{"high.go"}}}, files, pkg, uses)
	want := []string{
		"low.go of lower refers to *high.m in high.go of higher",
		"low.go of lower refers to g in high.go of higher",
		"low.go of lower refers to high in high.go of higher",
		"low.go of lower refers to x in high.go of higher",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
