package meshes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ReadOptions say how a mesh file is read.
type ReadOptions struct {
	// Unit is the length unit of the file: "m", "mm", "cm", "in", … (see UnitScale);
	// empty stands for metres, with a warning where the size then is unlikely.
	Unit string
	// Raw leaves the mesh as the file has it: vertices are not welded, triangles and
	// tetrahedra neither dropped nor re-oriented. Positions still become metres.
	Raw bool
}

// maxFile bounds the length of a file, bytes: vertices and cells are numbered by
// int32, and the file is held in memory while it is parsed.
const maxFile = 1 << 31

// readAll reads a file or stream that is not absurdly long.
func readAll(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, maxFile+1))
	if err == nil && n > maxFile {
		err = fmt.Errorf("%w: more than %d GiB", ErrTooLong, maxFile>>30)
	}
	return b.Bytes(), err
}

// File is what a mesh file holds.
type File struct {
	Format string
	Tri    *Tri // its triangles, or nil
	Tet    *Tet // its tetrahedra, or nil
}

// Read reads a mesh file of any format, found by its content and its extension.
// Lengths become metres. Surfaces are welded and consistently oriented, tets are
// oriented, unless opt.Raw; the report says what was done and found. Errors name
// the line or byte and how to mend it.
func Read(path string, opt ReadOptions) (File, Findings, error) {
	m, f, err := parseFile(path)
	if err != nil {
		return File{}, Findings{}, err
	}
	file := File{Format: f}
	var rep Findings
	if len(m.Tets) > 0 {
		file.Tet, rep, err = m.tet(opt)
	} else {
		file.Tri, rep, err = m.tri(opt)
	}
	return file, rep, within(path, err)
}

// ReadTri reads a surface. Of a file with tetrahedra it returns their boundary.
// See Read.
func ReadTri(path string, opt ReadOptions) (*Tri, Findings, error) {
	m, _, err := parseFile(path)
	if err != nil {
		return nil, Findings{}, err
	}
	tri, rep, err := m.tri(opt)
	return tri, rep, within(path, err)
}

// ReadTet reads a tetrahedral mesh; a file without tetrahedra gives ErrNoTets.
// See Read.
func ReadTet(path string, opt ReadOptions) (*Tet, Findings, error) {
	m, _, err := parseFile(path)
	if err != nil {
		return nil, Findings{}, err
	}
	tet, rep, err := m.tet(opt)
	return tet, rep, within(path, err)
}

// ReadTriFrom is ReadTri on a stream; ext (".stl") decides where the content
// does not.
func ReadTriFrom(r io.Reader, ext string, opt ReadOptions) (*Tri, Findings, error) {
	m, err := parseStream(r, ext)
	if err != nil {
		return nil, Findings{}, err
	}
	tri, rep, err := m.tri(opt)
	return tri, rep, within("", err)
}

// ReadTetFrom is ReadTet on a stream; ext (".vtk") decides where the content
// does not.
func ReadTetFrom(r io.Reader, ext string, opt ReadOptions) (*Tet, Findings, error) {
	m, err := parseStream(r, ext)
	if err != nil {
		return nil, Findings{}, err
	}
	tet, rep, err := m.tet(opt)
	return tet, rep, within("", err)
}

func parseFile(path string) (*RawMesh, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("meshes: %w", err)
	}
	defer f.Close()
	data, err := readAll(f)
	if err != nil {
		return nil, "", within(path, err)
	}
	m, kind, err := parse(data, filepath.Ext(path))
	return m, kind, within(path, err)
}

func parseStream(r io.Reader, ext string) (*RawMesh, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, fmt.Errorf("meshes: %w", err)
	}
	m, _, err := parse(data, ext)
	return m, within("", err)
}

func parse(data []byte, ext string) (*RawMesh, string, error) {
	name, f, err := formatOf(data, ext)
	if err != nil {
		return nil, "", err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", errors.New("the file is empty")
	}
	m, err := f.Read(data)
	return m, name, err
}

// within names the file in an error.
func within(path string, err error) error {
	var syntax *SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		syntax.Path = path
		return err
	case path == "":
		return fmt.Errorf("meshes: %w", trimmed{err})
	}
	return fmt.Errorf("meshes: %s: %w", path, trimmed{err})
}

// trimmed is an error without the package's prefix, for wrapping it again.
type trimmed struct{ error }

func (e trimmed) Error() string { return strings.TrimPrefix(e.error.Error(), "meshes: ") }
func (e trimmed) Unwrap() error { return e.error }
