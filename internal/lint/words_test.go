package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plainWord is a word of prose that has plainer terms. Its forms are refused but where they lie within a match of
// allowed, which describes technical uses.
type plainWord struct {
	name, instead, forms, allowed string
}

// plainWords are the words of the list "Words of prose not used" of CONVENTIONS.md, with its name and its terms.
var plainWords = []plainWord{
	{"promise", "predict, state, guarantee", `promis(e|es|ed|ing)`, `new Promise|(its|a) promise|promise of the decoded`},
	{"bear", "carry, transmit, load, support", `bear|bears|borne|bearing`, `\*bearing\*|not Bearing|(ball|thrust|journal|roller) bearings?`},
	{"hold", "store, contain, have, keep, fix, satisfy, apply, be true", `hold|holds|held|holding`, heldThings},
	{"tell", "state, report, say, show, distinguish", `tell|tells|told|telling`, ``},
	{"mend", "repair, correct", `mend|mends|mended|mending`, `--mend|mended\.stl`},
	{"limp", "unactuated", `limp|limply`, ``},
	{"last (verb)", "take (time), persist, be kept", `lasts|lasted|lasting`, ``},
	{"know", "have, read, depend on, support, include", `knows|know|knew`, ``},
	{"let be", "leave unchanged", `lets? be`, ``},
	{"go on", "continue", `goes on|go on|went on|going on`, ``},
	{"come and go", "appear and vanish, alternate", `comes? and goes?|came and went`, ``},
	{"anew", "again", `anew`, ``},
	{"-ise", "-ize", `(linear|regular|maxim|minim|optim|initial|normal|parameter|discret|factor|symmetr|equal|general|organ|recogn|summar)is(e|es|ed|er|ers|ing|ation|ations|able)`, ``},
	{"behavior", "behaviour", `behaviors?`, `complex behaviors through online`},
}

// heldThings are the technical uses of hold: grips and what they grip, drives that hold a position, switches, buttons
// and locks, equations (n) that hold, and the drive, the control, the key and the example of that name.
var heldThings = strings.Join([]string{
	`zero-order hold|hold(s|ing)? on to|held (fixed|constant)|in held are fixed|called held`,
	`\(\d+[a-z]?\)((,|,? and|,? or| to) \(\d+[a-z]?\))*( do| does)?( not)? holds?`,
	`(grippers?|fingers?|hands?|grips?|grasps?|jaws?|pads?|fingertips?|drives?|motors?|servos?|brakes?|clutch|friction|suction)( \w+){0,3} (holds?|held|holding)`,
	`(holds?|held|holding) (a|the|its|their|this) (parts?|rods?|pegs?|spheres?|balls?|objects?|stacks?|positions?|postures?|poses?|velocity|speed|lock|button|switch|key|mouse)`,
	`(part|rod|peg|sphere|object) is held|held (part|sphere)|objects that they hold|lift it( 100 mm)? and hold it|hold it (least|best)`,
	`(which|that|when they|of them) hold (it|a sphere)|hands-that-hold|moved, mm \\| holds|no position is held|friction of 0.8 holds|rope holds only when taut|around two holds both|held: it has none|deformable "held"|holds of the model|holds are`,
	`(viewers?|operators?|persons?|who|nobody|clients?|keyboard|users?)( \w+){0,3} (holds?|held|holding)|holding is|the body that it holds|said that it holds|lets go of what it holds`,
	`(switch|button|body|mouse|key|mutex|lock)( \w+){0,2} (is|are|was|were|still) (still )?held|(switch|button) held|held (again|then|by friction|body|button|switch|key)|still held`,
	`hold (it )?again|lets go and holds|holds on|says Hold|has no hold|hold (shift|the right)|then hold`,
	`(drive|type|kind|a|an|the|beside a|of) \x60?hold\x60?|drive-hold|#?hold\]|examples/hold|hold: |: hold\b|"hold"|holds\.yaml|, holds and controllers|loops, holds while they hold`,
	`it holds while|body that holds|where it holds|takes? hold|holds again|holds up to|holds while they hold|%s is held|bounds it holds`,
}, "|")

// notYetJudged are folders whose prose has not been revised.
var notYetJudged = []string{}

// prose is a text of a file with the line on which each of its parts begins.
type prose struct {
	path  string
	text  string
	lines []int // line of each byte
}

func (p *prose) add(text string, line int) {
	p.text += text + " "
	for range len(text) + 1 {
		p.lines = append(p.lines, line)
	}
}

// Comments, messages and documents use plain words. The first word of a comment may be the name of what it describes.
func TestProseIsPlain(t *testing.T) {
	type rule struct {
		plainWord
		find, accept *regexp.Regexp
	}
	var rules []rule
	for _, w := range plainWords {
		r := rule{plainWord: w, find: regexp.MustCompile(`(?i)\b(` + w.forms + `)\b`)}
		if w.allowed != "" {
			r.accept = regexp.MustCompile(`(?i)(` + w.allowed + `)`)
		}
		rules = append(rules, r)
	}
	texts := append(proseOfGo(t), proseOfDocuments(t)...)
	for _, p := range texts {
		for _, r := range rules {
			var accepted [][]int
			for _, at := range r.find.FindAllStringIndex(p.text, -1) {
				if r.name == "hold" && strings.Contains(p.path, "drive_hold") {
					continue // the drive of that name
				}
				if accepted == nil && r.accept != nil {
					accepted = r.accept.FindAllStringIndex(p.text, -1)
				}
				if at[0] > 0 && !slices.ContainsFunc(accepted, func(a []int) bool { return a[0] <= at[0] && at[1] <= a[1] }) {
					from, to := max(0, at[0]-40), min(len(p.text), at[1]+40)
					t.Errorf("%s:%d: %q: write %s: …%s…", p.path, p.lines[at[0]], p.text[at[0]:at[1]], r.instead, p.text[from:to])
				}
			}
		}
	}
}

// CONVENTIONS.md lists the words that TestProseIsPlain refuses, with the terms to write.
func TestConventionsListTheWordsOfProse(t *testing.T) {
	_, list, ok := strings.Cut(read(t, "../../CONVENTIONS.md"), "### Words of prose not used\n")
	if !ok {
		t.Fatal("CONVENTIONS.md has no list of words of prose that are not used")
	}
	for _, w := range plainWords {
		if row := "| " + w.name + " | " + w.instead + " |"; !strings.Contains(list, row) {
			t.Errorf("CONVENTIONS.md has no row %q", row)
		}
	}
}

// proseOfGo returns comment groups, string literals of several words and names of tests of all Go files.
func proseOfGo(t *testing.T) (texts []prose) {
	files := token.NewFileSet()
	eachFile(t, ".go", notYetJudged, func(path string) {
		if strings.HasSuffix(path, "words_test.go") || strings.HasSuffix(path, "names_test.go") {
			return // the lists of words
		}
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range f.Comments {
			p := prose{path: path}
			for _, c := range group.List {
				line := files.Position(c.Pos()).Line
				for i, s := range strings.Split(c.Text, "\n") {
					p.add(strings.TrimSpace(strings.TrimLeft(s, "/* \t")), line+i)
				}
			}
			texts = append(texts, p)
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
				p := prose{path: path}
				p.add("test: "+strings.Join(split(strings.TrimPrefix(fn.Name.Name, "Test")), " "), files.Position(fn.Pos()).Line)
				texts = append(texts, p)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.Count(l.Value, " ") > 1 {
				if text, err := strconv.Unquote(l.Value); err == nil && !strings.Contains(text, "\n") && !strings.HasPrefix(text, "{") {
					p := prose{path: path}
					p.add(text, files.Position(l.Pos()).Line)
					texts = append(texts, p)
				}
			}
			return true
		})
	})
	return texts
}

// proseOfDocuments returns paragraphs of Markdown without code, and comments of YAML.
func proseOfDocuments(t *testing.T) (texts []prose) {
	inCode := regexp.MustCompile("`[^`]*`")
	eachFile(t, ".md", notYetJudged, func(path string) {
		if strings.HasSuffix(path, "CONVENTIONS.md") || strings.HasSuffix(path, "docs/reference.md") {
			return // the lists of words; texts of kinds, which their sources have
		}
		p, fenced := prose{path: path}, false
		line := 0
		for s := range strings.Lines(read(t, path)) {
			line++
			if strings.HasPrefix(s, "```") {
				fenced = !fenced
			} else if !fenced {
				p.add(inCode.ReplaceAllString(strings.TrimSpace(s), "`code`"), line)
			}
		}
		texts = append(texts, p)
	})
	eachFile(t, ".yaml", notYetJudged, func(path string) {
		p, line := prose{path: path}, 0
		for s := range strings.Lines(read(t, path)) {
			line++
			if _, comment, ok := strings.Cut(s, "#"); ok {
				p.add(strings.TrimSpace(comment), line)
			}
		}
		texts = append(texts, p)
	})
	return texts
}

// eachFile calls do for each file of the repository with an extension, but for data of tests and folders that are
// skipped.
func eachFile(t *testing.T, extension string, skipped []string, do func(path string)) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "node_modules" || slices.Contains(skipped, strings.TrimPrefix(filepath.ToSlash(path), "../../"))) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, extension) {
			do(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
