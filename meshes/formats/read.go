package formats

// Reading of mesh files: open, recognize the format, parse, convert to metres,
// repair. The functions with From read streams, those without read files by
// their path. All of them return findings, which callers should show to users:
// a wrong unit or a hole is found nowhere else as early.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/meshes"
)

// ReadOptions are the settings of reading a mesh file.
type ReadOptions struct {
	// Unit is the length unit of the file: "m", "mm", "cm", "in", … (see UnitScale);
	// empty stands for metres, with a warning where the size then is unlikely.
	Unit string
	// Raw keeps the mesh as it is in the file: vertices are not welded, triangles
	// and tetrahedra neither dropped nor re-oriented. Positions are converted to
	// metres nevertheless.
	Raw bool
}

// maxFile bounds the length of a file, bytes: vertices and cells are numbered
// by int32, and the file is kept in memory while it is parsed.
const maxFile = 1 << 31

// readAll reads a file or stream of at most maxFile bytes.
func readAll(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, maxFile+1))
	if err == nil && n > maxFile {
		err = fmt.Errorf("%w: more than %d GiB", ErrTooLong, maxFile>>30)
	}
	return b.Bytes(), err
}

// File is the content of a mesh file: triangles or tets.
type File struct {
	// Format is the name of the file's format among Formats, such as "stl".
	Format string
	// Tri is the surface, or nil if the file has tets.
	Tri *meshes.Tri
	// Tet is the volume mesh, or nil if the file has no tets.
	Tet *meshes.Tet
}

// Read reads a mesh file of any registered format, found by its content and its
// extension. Lengths become metres. Surfaces are welded and consistently oriented,
// tets get positive order, unless opt.Raw is set. The findings list faults and
// corrections. Errors give the line or byte, the fault and its remedy.
func Read(path string, opt ReadOptions) (File, meshes.Findings, error) {
	m, f, err := parseFile(path)
	if err != nil {
		return File{}, meshes.Findings{}, err
	}
	file := File{Format: f}
	var rep meshes.Findings
	if m.isVolume() {
		file.Tet, rep, err = m.tet(opt)
	} else {
		file.Tri, rep, err = m.tri(opt)
	}
	return file, rep, within(path, err)
}

// ReadTri reads a surface; of a file with tets it returns their boundary.
// ErrNoTris reports that the file has neither. See Read.
func ReadTri(path string, opt ReadOptions) (*meshes.Tri, meshes.Findings, error) {
	m, _, err := parseFile(path)
	if err != nil {
		return nil, meshes.Findings{}, err
	}
	tri, rep, err := m.tri(opt)
	return tri, rep, within(path, err)
}

// ReadTet reads a volume mesh. ErrNoTets reports that the file has no tets. See
// Read.
func ReadTet(path string, opt ReadOptions) (*meshes.Tet, meshes.Findings, error) {
	m, _, err := parseFile(path)
	if err != nil {
		return nil, meshes.Findings{}, err
	}
	tet, rep, err := m.tet(opt)
	return tet, rep, within(path, err)
}

// ReadTriFrom reads a surface from a stream, as ReadTri does; the extension
// (".stl") determines the format where the content does not.
func ReadTriFrom(r io.Reader, ext string, opt ReadOptions) (*meshes.Tri, meshes.Findings, error) {
	m, err := parseStream(r, ext)
	if err != nil {
		return nil, meshes.Findings{}, err
	}
	tri, rep, err := m.tri(opt)
	return tri, rep, within("", err)
}

// ReadTetFrom reads a volume mesh from a stream, as ReadTet does; the extension
// (".vtk") determines the format where the content does not.
func ReadTetFrom(r io.Reader, ext string, opt ReadOptions) (*meshes.Tet, meshes.Findings, error) {
	m, err := parseStream(r, ext)
	if err != nil {
		return nil, meshes.Findings{}, err
	}
	tet, rep, err := m.tet(opt)
	return tet, rep, within("", err)
}

// parseFile reads and parses a file; it returns the name of the format, too.
func parseFile(path string) (*RawMesh, string, error) {
	data, err := readRegular(path)
	var missing *fs.PathError
	if errors.As(err, &missing) { // which names the file
		return nil, "", fmt.Errorf("meshes: %w", err)
	} else if err != nil {
		return nil, "", within(path, err)
	}
	return parseContent(path, data)
}

// parseContent parses the content of the file at a path, and what files below its folder add to it.
func parseContent(path string, data []byte) (*RawMesh, string, error) {
	m, kind, err := parse(data, filepath.Ext(path), func(name string) ([]byte, error) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("it names %s, which is not below its folder", name)
		}
		return readRegular(filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
	})
	return m, kind, within(path, err)
}

// readRegular reads a file, and no device or pipe: reading these may never end.
func readRegular(path string) ([]byte, error) {
	if what := inputfile.Endless(path); what != "" { // the caller names the file
		return nil, errors.New(what + ", not a file: write its content to a file first")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

// parseStream reads and parses a stream.
func parseStream(r io.Reader, ext string) (*RawMesh, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, fmt.Errorf("meshes: %w", err)
	}
	m, _, err := parse(data, ext, nil)
	return m, within("", err)
}

// ReferencedFiles returns the paths of the files to which a mesh file with the given path and content
// refers.
func ReferencedFiles(path string, data []byte) (paths []string) {
	_, f, err := formatOf(data, filepath.Ext(path))
	if parted, ok := f.(PartedFormat); ok && err == nil {
		for _, name := range parted.Beside(data) {
			paths = append(paths, filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		}
	}
	return paths
}

// parse finds the format of a content and parses it; open reads files beside it, nil: there are none.
func parse(data []byte, ext string, open func(name string) ([]byte, error)) (*RawMesh, string, error) {
	text, err := inputfile.Text(data)
	if err != nil && !binarySTL(data) {
		return nil, "", err
	}
	if what := inputfile.Foreign(text); what != "" && !binarySTL(data) {
		return nil, "", errors.New("the file is " + what)
	}
	name, f, err := formatOf(text, ext)
	if err != nil {
		return nil, "", err
	}
	// headers of binary STL files are free: they may begin as any text does
	if name != "stl" || bytes.IndexByte(data, 0) < 0 {
		data = text
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", errors.New("the file is empty")
	}
	if parted, ok := f.(PartedFormat); ok {
		m, err := parted.ReadBeside(data, open)
		return m, name, err
	}
	m, err := f.Read(data)
	return m, name, err
}

// within adds the package and the file's name to an error.
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

// trimmed is an error without the package's prefix, so that it can be wrapped
// again.
type trimmed struct{ error }

// Error returns the text without the prefix.
func (e trimmed) Error() string { return strings.TrimPrefix(e.error.Error(), "meshes: ") }

// Unwrap returns the error itself.
func (e trimmed) Unwrap() error { return e.error }
