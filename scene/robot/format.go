package robot

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
)

// Formats are the registered formats of robot files. A format is a package of
// its own that registers it; the program links those that package scene imports.
var Formats = kinds.NewRegistry[Format]("robot format", "File format of robots, chosen by extension and content.").In(kinds.Plain)

// Format reads robot files of one format. Formats have no parameters: an
// implementation is a pointer to an empty struct.
type Format interface {
	// Extensions returns the extensions of file names, in lower case and with the
	// dot; the usual one comes first. Several formats may share one.
	Extensions() []string
	// Recognize reports whether a text begins like a file of this format.
	Recognize(text []byte) bool
	// Parse reads a robot. The parameter name stands for the file in messages; open
	// reads the files that this one names, and may be nil. The warnings list elements
	// that are ignored or probably wrong. The error is an *Error with file, line,
	// fault and remedy.
	Parse(in io.Reader, name string, open Open) (*Robot, []Warning, error)
	// Reference returns the robot of the conformance suite in this format, see
	// robottest.Conform. It is the example of the reference manual, too.
	Reference() string
}

// Open reads a file that a robot file names, relative to the folder of that file.
type Open func(name string) ([]byte, error)

// FormatOf returns the format of a file by the extension of its path. Where several
// formats share the extension, or none has it, the content decides. The error lists
// the extensions of all formats.
func FormatOf(path string, text []byte) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var all, byName []Format
	for _, k := range Formats.Entries() {
		f := k.New()
		all = append(all, f)
		if slices.Contains(f.Extensions(), ext) {
			byName = append(byName, f)
		}
	}
	if len(byName) == 1 {
		return byName[0], nil
	}
	for _, f := range all {
		if f.Recognize(text) {
			return f, nil
		}
	}
	if len(byName) > 0 {
		return byName[0], nil // whose error describes how its files begin
	}
	return nil, &Error{File: path, Line: 1, Msg: fmt.Sprintf("neither the extension nor the content is that of a robot format: %s are read", strings.Join(Extensions(), ", "))}
}

// Parse reads a robot file of any registered format. It returns what Format.Parse
// returns.
func Parse(path string, text []byte, open Open) (*Robot, []Warning, error) {
	f, err := FormatOf(path, text)
	if err != nil {
		return nil, nil, err
	}
	return f.Parse(bytes.NewReader(text), path, open)
}

// ModelChooser is a Format whose files may have several robots.
type ModelChooser interface {
	// ParseModel reads the robot with a name from the file, as Parse does; empty: the first
	// robot.
	ParseModel(in io.Reader, name string, open Open, model string) (*Robot, []Warning, error)
}

// ParseModel reads the robot with a name from a file that may have several, as Parse does;
// empty: the first robot.
func ParseModel(path string, text []byte, open Open, model string) (*Robot, []Warning, error) {
	f, err := FormatOf(path, text)
	if err != nil || model == "" {
		return Parse(path, text, open)
	}
	if c, ok := f.(ModelChooser); ok {
		return c.ParseModel(bytes.NewReader(text), path, open, model)
	}
	return nil, nil, &Error{File: path, Line: 1, Msg: "files of this format have one robot: leave out model"}
}

// Extensions returns the extensions of all registered formats, sorted, each once.
func Extensions() []string {
	var all []string
	for _, k := range Formats.Entries() {
		all = append(all, k.New().Extensions()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
