// Package formats reads and writes mesh files: a registry of formats (format_*.go), reading by content and extension
// with units and repair (read.go, rawmesh.go), and atomic writing (write.go). Only programs that have files need it.
package formats

// The seam of mesh file formats. A file format_NAME.go has everything that the
// program has of one format: its extensions, how its content is recognized, its
// reader and its writers. It registers the format; the list of extensions in
// messages and in the help, the choice of a reader by content and the conformance
// suite (format_conformance_test.go: round trips, damage, fuzz) follow from the
// registry.
//
// A file goes through three stages:
//
//	bytes ──Format.Read──▶ RawMesh (file units) ──unit──▶ metres ──repair──▶ Tri or Tet
//
// The second and third stage (rawmesh.go) are the same for all formats.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
)

// Errors that a caller may distinguish with errors.Is.
var (
	// ErrFormat reports that neither the content nor the extension of a file belongs
	// to a registered format, or that the format cannot represent what is to be written.
	ErrFormat = errors.New("unknown mesh format")
	// ErrNoTets reports that a volume mesh was requested, but the file has none.
	ErrNoTets = errors.New("no tetrahedra")
	// ErrNoTris reports that the file has neither triangles nor tetrahedra.
	ErrNoTris = errors.New("no triangles")
	// ErrTooLong reports that a file exceeds the 2 GiB that are read into memory.
	ErrTooLong = errors.New("file too long")
)

// Formats are the registered formats of mesh files.
var Formats = kinds.NewRegistry[Format]("mesh format", "File format of surface and volume meshes, chosen by content and extension.").In(kinds.Plain)

// Format reads mesh files of one format. A format that can also be written
// implements SurfaceWriter, VolumeWriter or both. Formats have no parameters: an
// implementation is a pointer to an empty struct.
type Format interface {
	// Extensions returns the file name extensions of the format, in lower case and
	// with the dot; the usual one comes first.
	Extensions() []string
	// Volumes reports whether files of the format may have tetrahedra as well as
	// triangles.
	Volumes() bool
	// Recognize returns how well the content of a file, of any format, matches this format.
	Recognize(data []byte) Match
	// Read parses the content of a file. Positions stay in the units of the file. A
	// *SyntaxError gives the position of damaged content; its Path is set by the
	// caller. Read must not panic, whatever the content is, and must not take memory
	// for items that the content cannot have.
	Read(data []byte) (*RawMesh, error)
}

// PartedFormat is a Format whose files may refer to other files in the same folder.
type PartedFormat interface {
	Format
	// Beside returns the names of these files, with slashes, relative to the folder of the file.
	Beside(data []byte) []string
	// ReadBeside parses the content as Read does; open reads a referenced file by its name.
	ReadBeside(data []byte, open func(name string) ([]byte, error)) (*RawMesh, error)
}

// SurfaceWriter is a Format that writes triangles.
type SurfaceWriter interface {
	// WriteTri writes a surface whose indices are valid and whose positions (m) are
	// finite. What it writes, Read gives back.
	WriteTri(w io.Writer, m *meshes.Tri) error
}

// VolumeWriter is a Format that writes tetrahedra.
type VolumeWriter interface {
	// WriteTet writes a volume mesh whose indices are valid and whose positions (m)
	// are finite. What it writes, Read gives back.
	WriteTet(w io.Writer, m *meshes.Tet) error
}

// Match is the degree to which the content of a file matches a format.
type Match int

// Levels of Match, in increasing order.
const (
	// NoMatch means that the content is not of the format.
	NoMatch Match = iota
	// Likely means that the content begins like the format, as that of other formats may.
	Likely
	// Certain means that the content has the unique signature of the format.
	Certain
)

// certainIf returns Certain if a signature was found.
func certainIf(found bool) Match {
	if found {
		return Certain
	}
	return NoMatch
}

// Extensions returns the extensions of the formats that surfaces or, if volumes is
// set, tetrahedra can be written in, sorted by the name of the format. The order is
// the same in every message and help text.
func Extensions(volumes bool) []string {
	var exts []string
	for _, k := range Formats.Entries() {
		f := k.New()
		_, tri := f.(SurfaceWriter)
		_, tet := f.(VolumeWriter)
		if volumes && tet || !volumes && tri {
			exts = append(exts, f.Extensions()...)
		}
	}
	return exts
}

// readable returns the extensions of all formats.
func readable() []string {
	var exts []string
	for _, k := range Formats.Entries() {
		exts = append(exts, k.New().Extensions()...)
	}
	return exts
}

// FormatByExtension returns the name of the format with a file name extension
// (".stl", in any case) and the format itself, or "" and nil if there is none.
func FormatByExtension(ext string) (name string, f Format) {
	for _, k := range Formats.Entries() {
		if f := k.New(); slices.Contains(f.Extensions(), strings.ToLower(ext)) {
			return k.Name, f
		}
	}
	return "", nil
}

// formatOf finds the format by content, then by extension: a file whose content
// does not fit its extension is read as what the content is. The format that the
// extension names goes first where its own content is at all likely.
func formatOf(data []byte, ext string) (string, Format, error) {
	name, named := FormatByExtension(ext)
	if named != nil && named.Recognize(data) > NoMatch {
		return name, named, nil
	}
	best, bestName, bestFormat := NoMatch, name, named
	for _, k := range Formats.Entries() {
		if f := k.New(); f.Recognize(data) > best {
			best, bestName, bestFormat = f.Recognize(data), k.Name, f
		}
	}
	if bestFormat == nil {
		return "", nil, fmt.Errorf("%w %q: convert the file to one of %s", ErrFormat, ext, strings.Join(readable(), ", "))
	}
	return bestName, bestFormat, nil
}
