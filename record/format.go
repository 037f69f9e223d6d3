package record

// The seam of export formats. A file format_NAME.go has everything that the
// program has of one format: the files that it consists of and their writer. It
// registers the format; the list in messages and in the help, the reference manual
// and the conformance suite (format_conformance_test.go) follow from the registry.

import (
	"fmt"
	"os"
	"strings"

	"github.com/curlfree/curlfree/kinds"
)

// Formats are the registered formats that recordings are exported to.
var Formats = kinds.NewRegistry[Format]("export format", "File format of another program that a recording is exported to.").In(kinds.Plain)

// Format writes a recording as files of one format. Formats have no parameters: an
// implementation is a pointer to an empty struct.
type Format interface {
	// Files describes all files that Write may leave in the folder.
	Files() []ExportedFile
	// Write makes the files in the folder dir, which exists, and returns the names of
	// those to open first. The recording is valid and has at least one frame.
	Write(rec *Recording, dir string) (names []string, err error)
}

// ExportedFile describes a file of a format.
type ExportedFile struct {
	Name string // path within the folder; a * stands for the number of a frame
	Doc  string // content of the file
}

// register adds a format, which is its own example.
func register(name, doc, about string, f Format) string {
	var b strings.Builder
	// The text of the manual ends with the files that the format writes.
	b.WriteString(about)
	for _, file := range f.Files() {
		fmt.Fprintf(&b, "\n\n%s: %s", file.Name, file.Doc)
	}
	return Formats.Register(kinds.Kind[Format]{
		Name: name, Doc: doc, About: b.String(),
		New:     func() Format { return f },
		Samples: func() []Format { return []Format{f} },
	})
}

// Export creates the folder dir, writes the recording into it in a format, and
// returns the names, within dir, of the files to open first. It returns an error for
// an unknown format, for a recording that is not Valid, and where a file cannot be
// written; files are written whole or not at all.
func Export(rec *Recording, format, dir string) ([]string, error) {
	// The format, by its name.
	k := Formats.Entry(format)
	if k == nil {
		return nil, fmt.Errorf("no export format %q%s", format, kinds.Suggest(format, Formats.Names()))
	}
	// Writers rely on a valid recording: indices in range, finite numbers, rising times.
	if err := rec.Valid(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return k.New().Write(rec, dir)
}

// bodyName names a scene body, −1 the world.
func (st *Static) bodyName(b int) string {
	switch {
	case b < 0:
		return "world"
	case b < len(st.Bodies):
		return st.Bodies[b]
	}
	return st.Deformables[b-len(st.Bodies)].Name
}
