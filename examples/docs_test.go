package examples_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A block is a fenced block of a Markdown file, with the comment above it that says how it
// is tested: <!-- test: VERB ARGUMENTS -->.
//
//	file NAME     the block is written to a file
//	append NAME   the block is appended to a file
//	run           every line is run; "# exit code N" at its end gives the expected code
//	output        each line is found in the output of the block of commands before, in
//	              order, with numbers within 2 %; a line "…" stands for any others
//	go ARGUMENTS  a program, which is built and run with the arguments
//	install       commands that install the program: paths are checked, nothing is run
type block struct {
	line       int
	lang, verb string
	args       []string
	text       string
}

var marker = regexp.MustCompile(`^<!-- test: (\w+) ?(.*?) ?-->$`)

// blocks returns the fenced blocks of a Markdown file in their order.
func blocks(t *testing.T, file string) []block {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []block
	var verb string
	var args []string
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if m := marker.FindStringSubmatch(lines[i]); m != nil {
			verb, args = m[1], strings.Fields(m[2])
			continue
		}
		lang, fenced := strings.CutPrefix(lines[i], "```")
		if !fenced {
			continue
		}
		b := block{line: i + 1, lang: lang, verb: verb, args: args}
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			b.text += lines[i] + "\n"
		}
		all = append(all, b)
		verb, args = "", nil
	}
	return all
}

// A reader follows a document: it writes files and runs commands in a folder of its own.
type reader struct {
	t        *testing.T
	dir, bin string
	output   string // of the last block of commands
}

// tool builds a Go package or file of the module into a program.
func tool(t *testing.T, target string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "curlfree.exe")
	build := exec.Command("go", "build", "-o", bin, target)
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", target, err, out)
	}
	return bin
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// command runs one line of a block of commands and checks its exit code.
func (r *reader) command(line string) {
	r.t.Helper()
	line, comment, _ := strings.Cut(line, "#")
	want := 0
	if _, err := fmt.Sscanf(comment, " exit code %d", &want); err != nil {
		want = 0
	}
	var args []string
	for _, w := range word.FindAllString(line, -1) {
		args = append(args, strings.Trim(w, `'"`))
	}
	if len(args) == 0 {
		return
	}
	if args[0] != "curlfree" {
		r.t.Fatalf("%q: not a command of curlfree", line)
	}
	stdout := ""
	if n := len(args); n > 2 && args[n-2] == ">" {
		stdout, args = args[n-1], args[:n-2]
	}
	cmd := exec.Command(r.bin, args[1:]...)
	cmd.Dir = r.dir
	var out, file bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if stdout != "" {
		cmd.Stdout = &file
	}
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != want {
		r.t.Fatalf("%s: exit code %d, want %d (%v)\n%s", line, got, want, err, &out)
	}
	if stdout != "" {
		if err := os.WriteFile(filepath.Join(r.dir, stdout), file.Bytes(), 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
	r.output += out.String() + "\n"
}

var number = regexp.MustCompile(`[-+]?\d+(\.\d+)?(e[-+]?\d+)?`)

// same reports whether two lines have the same words, and numbers within 2 %.
func same(a, b string) bool {
	if number.ReplaceAllString(strings.TrimSpace(a), "N") != number.ReplaceAllString(strings.TrimSpace(b), "N") {
		return false
	}
	y := number.FindAllString(b, -1)
	for i, s := range number.FindAllString(a, -1) {
		u, err := strconv.ParseFloat(s, 64)
		v, err2 := strconv.ParseFloat(y[i], 64)
		if err != nil || err2 != nil || math.Abs(u-v) > 0.02*math.Max(math.Abs(u), math.Abs(v)) {
			return false
		}
	}
	return true
}

// find looks for the lines of a block in the output of commands, in their order.
func (r *reader) find(b block) {
	// documents have slashes in paths, and progress ends in a carriage return
	rest := strings.Split(strings.NewReplacer("\\", "/", "\r", "\n").Replace(r.output), "\n")
	for want := range strings.Lines(b.text) {
		if strings.TrimSpace(want) == "…" {
			continue
		}
		for len(rest) > 0 && !same(want, rest[0]) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			r.t.Fatalf("line %d: the output lacks, or has not in this order, %q:\n%s", b.line, want, r.output)
		}
	}
}

// write writes a block to a file, or appends it.
func (r *reader) write(b block) {
	name := filepath.Join(r.dir, b.args[0])
	var before []byte
	if b.verb == "append" {
		var err error
		if before, err = os.ReadFile(name); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, append(before, b.text...), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// goProgram builds and runs a block of Go.
func (r *reader) goProgram(b block) {
	file := filepath.Join(r.t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(b.text), 0o666); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(tool(r.t, file), b.args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("line %d: %v\n%s", b.line, err, out)
	}
	r.output = string(out)
}

// installs checks that a block names the module's path and an existing command.
func (r *reader) installs(b block) {
	const module = "github.com/curlfree/curlfree"
	for line := range strings.Lines(b.text) {
		for _, w := range strings.Fields(line) {
			path, _, _ := strings.Cut(w, "@")
			path = strings.Replace(strings.TrimPrefix(path, "https://"), module, ".", 1)
			if strings.HasPrefix(path, "./") {
				if _, err := os.Stat(filepath.Join("..", path)); err != nil {
					r.t.Errorf("line %d: %v", b.line, err)
				}
			} else if strings.Contains(w, "curlfree/") && path != "." {
				r.t.Errorf("line %d: %s is not a package of %s", b.line, w, module)
			}
		}
	}
}

// followDocument does what a document says, from its first block to its last.
func followDocument(t *testing.T, file, bin string) {
	r := &reader{t: t, dir: t.TempDir(), bin: bin}
	for _, b := range blocks(t, file) {
		switch b.verb {
		case "file", "append":
			r.write(b)
		case "run":
			r.output = ""
			for line := range strings.Lines(b.text) {
				r.command(line)
			}
		case "output":
			r.find(b)
		case "go":
			r.goProgram(b)
		case "install":
			r.installs(b)
		case "example": // compared with an Example of Go
		default:
			if b.lang != "" && b.lang != "bibtex" {
				t.Errorf("line %d: a block of %s without a test", b.line, b.lang)
			}
		}
	}
}

// Every file, command and program of the README, the tutorial and the guide works as it says.
func TestDocumentsWorkAsTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the commands of documents, for half a minute")
	}
	bin := tool(t, "./cmd/curlfree")
	for _, file := range []string{"../README.md", "../docs/tutorial.md", "../docs/scene.md"} {
		t.Run(filepath.Base(file), func(t *testing.T) { followDocument(t, file, bin) })
	}
}

// The scene of the README stays short, and its Go program is compiled and run as Example.
func TestREADMEShowsAShortSceneAndATestedProgram(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, tested, _ := strings.Cut(strings.ReplaceAll(string(source), "\r\n", "\n"), "\t// README\n")
	tested, _, _ = strings.Cut(tested, "\t// end\n")
	tested = strings.ReplaceAll("\n"+tested, "\n\t", "\n")[1:]
	found := false
	for _, b := range blocks(t, "../README.md") {
		switch {
		case b.verb == "example":
			found = true
			if b.text != tested {
				t.Errorf("line %d: the program differs from Example:\n%s", b.line, tested)
			}
		case b.verb == "file":
			if n := strings.Count(b.text, "\n"); n > 25 {
				t.Errorf("line %d: a scene of %d lines", b.line, n)
			}
		}
	}
	if !found {
		t.Error("README.md has no block of Example")
	}
}
