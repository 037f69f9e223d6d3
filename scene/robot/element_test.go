package robot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// elements parses XML that has to be sound.
func elements(t *testing.T, text string) *robot.Element {
	t.Helper()
	root, err := robot.ReadElements(strings.NewReader(text), "f.xml", "FORMAT", "root")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestElementsKeepNamesLinesAndContent(t *testing.T) {
	root := elements(t, "<?xml version='1.0'?>\n<root a='1' b='two'>\n <!-- no child -->\n <x/> text\n <y>\n  in side </y><x\n c='3'/>\n</root>")
	if root.Name != "root" || root.Line != 2 || root.Content() != "text" {
		t.Errorf("root %q in line %d with content %q", root.Name, root.Line, root.Content())
	}
	var names []string
	var lines []int
	for _, c := range root.Children {
		names, lines = append(names, c.Name), append(lines, c.Line)
	}
	if !slices.Equal(names, []string{"x", "y", "x"}) || !slices.Equal(lines, []int{4, 5, 6}) {
		t.Errorf("children %v in lines %v", names, lines)
	}
	if xs := root.All("x"); len(xs) != 2 || xs[1] != root.Children[2] {
		t.Errorf("All(x) returns %v", xs)
	}
	if s := root.Children[1].Content(); s != "in side" {
		t.Errorf("content %q", s)
	}
	if b, ok := root.Attr("b"); b != "two" || !ok {
		t.Errorf("attribute b: %q, %v", b, ok)
	}
	if c, ok := root.Attr("c"); c != "" || ok {
		t.Errorf("attribute c: %q, %v", c, ok)
	}
}

// Files use the prefix drake with and without declaring it.
func TestPrefixesAreKept(t *testing.T) {
	for _, text := range []string{
		"<root><drake:joint drake:type='x'/></root>",
		"<root xmlns:drake='http://drake.mit.edu'><drake:joint drake:type='x'/></root>",
		"<root xmlns:drake='https://somewhere/drake'><drake:joint drake:type='x'/></root>",
	} {
		e := elements(t, text).Children[0]
		if kind, _ := e.Attr("drake:type"); e.Name != "drake:joint" || kind != "x" {
			t.Errorf("%s: element %q of type %q", text, e.Name, kind)
		}
	}
}

func TestFaultyXMLNamesFileAndLine(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		want       string
	}{
		{"empty", "", 1, "the file is empty: a <root> is required"},
		{"only a comment", "<!-- -->\n", 1, "the file is empty"},
		{"unclosed", "<root>\n<a>\n</root>", 3, "not well-formed XML"},
		{"two roots", "<root/>\n<root/>", 2, "a second root element <root>"},
		{"macro", "<root>\n<xacro:arm/></root>", 2, "run xacro on it first and give the FORMAT that comes out"},
		{"property", "<root>\n\n<a b='${c}'/></root>", 3, `<a b="${c}">: this is a xacro file`},
		{"argument", "<root><a b='$(arg c)'/></root>", 1, "this is a xacro file"},
		{"deep", strings.Repeat("<a>", 1025), 1, "nests too deep"},
		{"encoding", "<?xml version='1.0' encoding='koi8-r'?><root/>", 1, "the encoding koi8-r is unknown: save the file as UTF-8"},
	} {
		_, err := robot.ReadElements(strings.NewReader(c.text), "f.xml", "FORMAT", "root")
		var e *robot.Error
		if !errors.As(err, &e) || e.File != "f.xml" || e.Line != c.line || !strings.Contains(e.Msg, c.want) {
			t.Errorf("%s: %v, want line %d and %q", c.name, err, c.line, c.want)
		}
	}
}

func TestTheRootNameDeterminesTheFormat(t *testing.T) {
	for text, want := range map[string]string{
		"<robot/>":                               "robot",
		"<?xml version='1.0'?>\n<!-- x --><sdf>": "sdf",
		"\ufeff<mujoco":                          "",
		"time: 1":                                "",
		"":                                       "",
		"<?xml version='1.0' encoding='ISO-8859-1'?><robot name='\xfc'>": "robot",
	} {
		if got := robot.RootName([]byte(text)); got != want {
			t.Errorf("%q: root %q, want %q", text, got, want)
		}
	}
}

// Parts that were not read are listed by kind, with the line of the first, sorted.
func TestUnreadPartsAreListedByKind(t *testing.T) {
	root := elements(t, "<root a='1' xmlns:x='y'>\n<b c='1' d='2'><e/></b>\n<b d='3'/>\n<f><g/></f>\n<h i='1'><j/></h>\n<k/>\n</root>")
	r := robot.Reader{File: "f.xml"}
	for _, b := range root.All("b") {
		b.Attr("c")
	}
	root.All("h")[0].MarkRead()
	root.All("k")[0].MarkUnread()
	r.Warn(3, "by hand")
	r.WarnUnread(root)
	want := []robot.Warning{
		{Line: 1, Text: "ignored: attribute a of <root>"},
		{Line: 2, Text: "ignored: attribute d of <root/b> (2 times)"},
		{Line: 2, Text: "ignored: <root/b/e>"},
		{Line: 3, Text: "by hand"},
		{Line: 4, Text: "ignored: <root/f>"},
		{Line: 6, Text: "ignored: <root/k>"},
	}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("got\n%v\nwant\n%v", r.Warnings, want)
	}
}
