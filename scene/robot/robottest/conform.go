package robottest

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene/robot"
)

// Conform runs the conformance suite on all registered formats: they are documented,
// recognized by extension or content, and read the reference robot as what it is;
// faults and ignored parts of it are reported with their lines.
func Conform(t *testing.T) {
	// documentation and samples of each format
	if err := kinds.Check(robot.Formats); err != nil {
		t.Error(err)
	}
	for _, k := range robot.Formats.Entries() {
		t.Run(k.Name, func(t *testing.T) { conform(t, k.New()) })
	}
}

// conform runs the suite on one format.
// Every check starts from the reference robot, so that a new format needs no other file.
func conform(t *testing.T, f robot.Format) {
	// the format writes the reference robot in its own words
	text := f.Reference()
	parse := func(text string) (*robot.Robot, []robot.Warning, error) {
		return f.Parse(strings.NewReader(text), "reference", nil)
	}
	r, warnings, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	// a warning of a good file teaches users to overlook warnings
	if len(warnings) > 0 {
		t.Errorf("warnings of the reference robot: %v", warnings)
	}
	Check(t, r)
	// what the file means, by the numbers of reference.go
	CheckReference(t, r)
	// no state survives a reading, and no order of a map shows
	again, _, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := Differences(*again, *r, 0); len(d) > 0 {
		t.Errorf("a second reading differs: %q", d)
	}
	// the right file by itself first, then what may be wrong around it
	recognized(t, f, text)
	windows(t, text, parse)
	damaged(t, text, parse)
}

// recognized checks that extension or content lead to the format. Extensions may belong to several
// formats, such as .xml: then the content decides.
func recognized(t *testing.T, f robot.Format, text string) {
	// an empty file and a scene belong to no format
	if !f.Recognize([]byte(text)) || f.Recognize(nil) || f.Recognize([]byte("time: {step: 0.01}")) {
		t.Error("Recognize does not distinguish robots from other files")
	}
	exts := f.Extensions()
	if len(exts) == 0 {
		t.Fatal("no extensions")
	}
	// in capitals too, as Windows writes them; without a known one by content
	for _, ext := range append(exts, strings.ToUpper(exts[0]), ".unknown", "") {
		if ext != strings.ToLower(ext) && !strings.HasPrefix(ext, ".") {
			t.Errorf("extension %q: want lower case with a dot", ext)
		}
		// the registry decides, not the format alone
		got, err := robot.FormatOf("folder/reference"+ext, []byte(text))
		if err != nil || reflect.TypeOf(got) != reflect.TypeOf(f) {
			t.Errorf("extension %q: format %T, %v", ext, got, err)
		}
	}
}

// windows checks that line ends of Windows change nothing but the texts between tags.
// Robots are shared between systems, and checked out with line ends of either.
func windows(t *testing.T, text string, parse func(string) (*robot.Robot, []robot.Warning, error)) {
	// git and editors of Windows write CR LF
	r, warnings, err := parse(strings.ReplaceAll(text, "\n", "\r\n"))
	if err != nil || len(warnings) > 0 {
		t.Fatalf("with CR LF: %v, %v", err, warnings)
	}
	CheckReference(t, r)
}

// Users write robot files by hand, and generators write them wrong: a fault without its line costs an
// hour of search.

// damaged checks that files cut short, with words for numbers or with unknown parts
// are faults or warnings with a line.
func damaged(t *testing.T, text string, parse func(string) (*robot.Robot, []robot.Warning, error)) {
	// a line beyond the text would send the user nowhere
	lines := 1 + strings.Count(text, "\n")
	// the type of the error carries the place: commands print it as file:line
	placed := func(what string, err error) {
		t.Helper()
		var e *robot.Error
		if !errors.As(err, &e) || e.File != "reference" || e.Line < 1 || e.Line > lines || e.Msg == "" {
			t.Errorf("%s: %v, want an error with file and line", what, err)
		}
	}
	// every seventh byte: within tags, names, numbers and texts
	for n := 0; n < len(strings.TrimRight(text, "\n")); n += 7 {
		_, _, err := parse(text[:n])
		placed("cut short", err)
	}
	// numbers that the reference robot has in every format
	for _, number := range []string{"0.5", "0.03", "1.5"} {
		_, warnings, err := parse(strings.Replace(text, number, "wide", 1))
		// where only a picture depends on it, it is reported and left out
		told := slices.ContainsFunc(warnings, func(w robot.Warning) bool { return w.Repaired && strings.Contains(w.Text, "wide") })
		if err != nil || !told {
			placed("a word for "+number, err)
		}
	}
	// an unknown element before the last end tag
	// beside the parts that the format supports, at the level of links and joints
	end := strings.LastIndex(text, "</")
	_, warnings, err := parse(text[:end] + "<curiosity/>" + text[end:])
	// one warning and no error: files of newer versions stay readable
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "curiosity") || warnings[0].Line != 1+strings.Count(text[:end], "\n") {
		t.Errorf("an unknown element: %v, %v", warnings, err)
	}
}
