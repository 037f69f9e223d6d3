package meshes

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// Errors that a caller may tell apart with errors.Is.
var (
	ErrFormat  = errors.New("unknown mesh format")
	ErrNoTets  = errors.New("no tetrahedra")
	ErrNoTris  = errors.New("no triangles")
	ErrTooLong = errors.New("file too long")
)

// ReadOptions say how a mesh file is read.
type ReadOptions struct {
	Unit string // length unit of the file: "m", "mm", "cm", "in", …; "" is metres
	Raw  bool   // leave the mesh as the file has it: no welding, no mending, no re-orientation
}

// soup is what a format's parser returns: positions in file units.
type soup struct {
	verts   []r3.Vec
	tris    [][3]int32
	tets    [][4]int32
	loose   bool        // every triangle has vertices of its own (STL)
	skipped []cellCount // cells that are neither triangles nor tetrahedra
	curved  int         // second-order cells read as linear
}

type cellCount struct {
	name string
	n    int
}

// skip counts a cell that is not read.
func (m *soup) skip(name string, n int) {
	for i := range m.skipped {
		if m.skipped[i].name == name {
			m.skipped[i].n += n
			return
		}
	}
	m.skipped = append(m.skipped, cellCount{name, n})
}

// format is a mesh file format; one file format_*.go each.
type format struct {
	name     string
	exts     []string // lower case, with the dot
	sniff    func(head []byte) bool
	read     func(data []byte) (*soup, error)
	writeTri func(io.Writer, *Tri) error
	writeTet func(io.Writer, *Tet) error
}

// formats lists the formats in the order in which contents are sniffed: those
// with an unmistakable first line go first.
var formats = []*format{&formatVTK, &formatMSH, &formatVTU, &formatSTL, &formatOBJ}

func byExt(ext string) *format {
	for _, f := range formats {
		if slices.Contains(f.exts, strings.ToLower(ext)) {
			return f
		}
	}
	return nil
}

// extensions lists the extensions for which has contains.
func extensions(has func(*format) bool) string {
	var e []string
	for _, f := range formats {
		if has(f) {
			e = append(e, f.exts...)
		}
	}
	return strings.Join(e, ", ")
}

// formatOf finds the format by content, then by extension: a file that is not
// what its name says is read as what it is.
func formatOf(data []byte, ext string) (*format, error) {
	named := byExt(ext)
	if named != nil && named.sniff != nil && named.sniff(data) {
		return named, nil
	}
	for _, f := range formats {
		if f.sniff != nil && f.sniff(data) {
			return f, nil
		}
	}
	if named == nil {
		return nil, fmt.Errorf("%w %q: convert the file to one of %s", ErrFormat, ext, extensions(func(f *format) bool { return f.read != nil }))
	}
	return named, nil
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

// File is what a mesh file contains.
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
	file := File{Format: f.name}
	var rep Findings
	if len(m.tets) > 0 {
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
	return m.tri(opt)
}

// ReadTetFrom is ReadTet on a stream; ext (".vtk") decides where the content
// does not.
func ReadTetFrom(r io.Reader, ext string, opt ReadOptions) (*Tet, Findings, error) {
	m, err := parseStream(r, ext)
	if err != nil {
		return nil, Findings{}, err
	}
	return m.tet(opt)
}

func parseFile(path string) (*soup, *format, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("meshes: %w", err)
	}
	defer f.Close()
	data, err := readAll(f)
	if err != nil {
		return nil, nil, within(path, err)
	}
	m, kind, err := parse(data, filepath.Ext(path))
	return m, kind, within(path, err)
}

func parseStream(r io.Reader, ext string) (*soup, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, fmt.Errorf("meshes: %w", err)
	}
	m, _, err := parse(data, ext)
	return m, within("", err)
}

func parse(data []byte, ext string) (*soup, *format, error) {
	f, err := formatOf(data, ext)
	if err != nil {
		return nil, nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, errors.New("the file is empty")
	}
	m, err := f.read(data)
	return m, f, err
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

// metres scales the positions and refuses those that are out of range.
func (m *soup) metres(opt ReadOptions, rep *Findings) error {
	scale, err := UnitScale(opt.Unit)
	if err != nil {
		return err
	}
	for i := range m.verts {
		p := m.verts[i].Scale(scale)
		if a := max(-p[0], p[0], -p[1], p[1], -p[2], p[2]); a > maxCoordinate {
			return fmt.Errorf("vertex %d is %.3g m from the origin, more than %.0e m: check the unit", i, a, maxCoordinate)
		}
		m.verts[i] = p
	}
	warnUnlikelyUnit(rep, bounds(m.verts), opt.Unit)
	return nil
}

// kinds says what the file contains, for errors.
func (m *soup) kinds() string {
	var parts []string
	if len(m.tris) > 0 {
		parts = append(parts, plural(len(m.tris), "triangle"))
	}
	if len(m.tets) > 0 {
		parts = append(parts, plural(len(m.tets), "tetrahedron"))
	}
	for _, s := range m.skipped {
		parts = append(parts, fmt.Sprintf("%d %s", s.n, s.name))
	}
	if parts == nil {
		return "no cells"
	}
	return strings.Join(parts, ", ")
}

// solids are cells that fill space but are not tetrahedra: leaving them out
// would leave a void.
func (m *soup) solids() error {
	for _, s := range m.skipped {
		switch s.name {
		case "hexahedra", "wedges", "pyramids", "voxels", "polyhedra":
			return fmt.Errorf("the file contains %d %s: only tetrahedra are supported; mesh the part with tetrahedra", s.n, s.name)
		}
	}
	return nil
}

func (m *soup) notes(rep *Findings) {
	slices.SortStableFunc(m.skipped, func(a, b cellCount) int { return cmp.Compare(a.name, b.name) })
	for _, s := range m.skipped {
		rep.addf(Note, "skipped", s.n, "%d %s left out", s.n, s.name)
	}
	if m.curved > 0 {
		rep.addf(Warning, "curved", m.curved, "%s of second order read as linear: their curved sides become straight", plural(m.curved, "cell"))
	}
}

// tri makes the surface of what was parsed.
func (m *soup) tri(opt ReadOptions) (*Tri, Findings, error) {
	var rep Findings
	if err := m.metres(opt, &rep); err != nil {
		return nil, rep, err
	}
	m.notes(&rep)
	if len(m.tets) > 0 {
		tet, more, err := m.orientedTets(opt)
		rep.Append(more)
		if err != nil {
			return nil, rep, err
		}
		tri, from := tet.Surface()
		rep.VertexOf = compose(more.VertexOf, from)
		rep.addf(Note, "boundary", len(tri.Tris), "the surface is the boundary of %s", plural(len(tet.Tets), "tetrahedron"))
		return tri, rep, nil
	}
	if err := m.solids(); err != nil {
		return nil, rep, err
	}
	if len(m.tris) == 0 {
		return nil, rep, fmt.Errorf("%w in the file, it contains %s: export a surface of triangles", ErrNoTris, m.kinds())
	}
	t := &Tri{Verts: m.verts, Tris: m.tris}
	if opt.Raw {
		return t, rep, nil
	}
	t, mended := repairOnRead(t, m.loose)
	rep.Append(mended)
	rep.VertexOf = mended.VertexOf
	if len(t.Tris) == 0 {
		return nil, rep, fmt.Errorf("%w with an area in the file: all %d are degenerate", ErrNoTris, len(m.tris))
	}
	return t, rep, nil
}

// tet makes the tetrahedral mesh of what was parsed.
func (m *soup) tet(opt ReadOptions) (*Tet, Findings, error) {
	var rep Findings
	if err := m.metres(opt, &rep); err != nil {
		return nil, rep, err
	}
	if len(m.tets) == 0 {
		return nil, rep, fmt.Errorf("%w in the file, it contains %s: a volume mesh is wanted; make one of a surface with `curlfree mesh tet`", ErrNoTets, m.kinds())
	}
	m.notes(&rep)
	tet, more, err := m.orientedTets(opt)
	rep.Append(more)
	rep.VertexOf = more.VertexOf
	return tet, rep, err
}

func (m *soup) orientedTets(opt ReadOptions) (*Tet, Findings, error) {
	if err := m.solids(); err != nil {
		return nil, Findings{}, err
	}
	t := &Tet{Verts: m.verts, Tets: m.tets}
	if opt.Raw {
		return t, Findings{}, nil
	}
	t, rep := repairTetsOnRead(t)
	return t, rep, trimErr(rep.Err())
}

func trimErr(err error) error {
	if err == nil {
		return nil
	}
	return trimmed{err}
}

// compose maps through two vertex maps, either of which may be nil for identity.
func compose(first, second []int32) []int32 {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	out := make([]int32, len(second))
	for i, j := range second {
		out[i] = first[j]
	}
	return out
}
