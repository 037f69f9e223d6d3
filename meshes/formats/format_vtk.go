package formats

// Legacy VTK: text or binary files of points and cells.

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Legacy VTK files (Kitware, VTK File Formats, "Simple Legacy Formats"),
// versions 1.0 to 5.1, ASCII and binary. Binary numbers are big-endian.
//
//	# vtk DataFile Version X.Y
//	title
//	ASCII | BINARY
//	DATASET POLYDATA | UNSTRUCTURED_GRID
//	POINTS n type          n positions
//	POLYGONS n size        n rows "count v v …", size numbers in all
//	TRIANGLE_STRIPS n size likewise
//	CELLS n size           likewise, followed by
//	CELL_TYPES n           n numbers: 5 triangle, 10 tet, …
//	VERTICES, LINES        counted, not read
//	FIELD, METADATA        passed over
//	CELL_DATA, POINT_DATA  attributes: reading ends here
//
// From version 5.0 on rows come as two arrays: OFFSETS, n numbers that begin
// with 0, and CONNECTIVITY, all vertices in a row.
//
// CELLS of an unstructured grid have no types of their own, so that rows are kept until CELL_TYPES
// follows; POLYDATA says by the section what a row is. Cells that are no triangles, polygons,
// tetrahedra, hexahedra or wedges are counted and reported.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "vtk",
	Doc:     "Legacy VTK files of ParaView and many meshers.",
	About:   "Versions 2.0 to 5.1, ASCII and binary, POLYDATA and UNSTRUCTURED_GRID. Attributes are passed over. Written as ASCII of version 3.0 with the shortest digits that read back to the same numbers.",
	New:     func() Format { return &vtkFormat{} },
	Samples: func() []Format { return []Format{&vtkFormat{}} },
})

// vtkFormat is the Format.
type vtkFormat struct{}

// Extensions implements Format.
func (*vtkFormat) Extensions() []string { return []string{".vtk"} }

// Volumes implements Format.
func (*vtkFormat) Volumes() bool { return true }

// Recognize implements Format by the version in the first line.
func (*vtkFormat) Recognize(data []byte) Match {
	return certainIf(bytes.HasPrefix(data, []byte("# vtk DataFile")))
}

// Read implements Format.
func (*vtkFormat) Read(data []byte) (*RawMesh, error) { return readVTK(data) }

// WriteTri implements SurfaceWriter.
func (*vtkFormat) WriteTri(w io.Writer, m *meshes.Tri) error { return writeVTKTri(w, m) }

// WriteTet implements VolumeWriter.
func (*vtkFormat) WriteTet(w io.Writer, m *meshes.Tet) error { return writeVTKTet(w, m) }

// vtkReader is the state of parsing one file.
type vtkReader struct {
	scan
	// the mesh so far
	m RawMesh
	// rows come as OFFSETS and CONNECTIVITY
	split bool
	// POINTS was read
	sawPts bool //
	// rows of CELLS, until CELL_TYPES gives their types
	cells vtkRows
	// byte at which CELLS begins, for faults
	cellsAt int
}

// vtkRows are lists of vertex numbers: row i is conn[start[i]:start[i+1]].
type vtkRows struct{ start, conn []int64 }

// len returns the number of rows.
func (r *vtkRows) len() int { return max(0, len(r.start)-1) }

// row returns the vertices of row i.
func (r *vtkRows) row(i int) []int64 { return r.conn[r.start[i]:r.start[i+1]] }

// readVTK reads sections up to the attributes.
func readVTK(data []byte) (*RawMesh, error) {
	// Legacy files are big-endian on every machine.
	r := &vtkReader{scan: scan{data: data, order: binary.BigEndian}}
	r.header()
	for r.more() {
		// Attributes follow: the mesh is complete.
		if !r.section() {
			break
		}
	}
	// A file that ends before these is cut short.
	if r.err == nil && !r.sawPts {
		r.fail("the file ends without POINTS")
	}
	if r.err == nil && r.cells.len() > 0 {
		// Point to CELLS, which has no types.
		r.at = r.cellsAt
		r.fail("CELLS is not followed by CELL_TYPES: the file is cut short")
	}
	return &r.m, r.fault()
}

// header reads the version, the title and the encoding.
func (r *vtkReader) header() {
	head := r.line()
	version, ok := strings.CutPrefix(head, "# vtk DataFile Version ")
	// Versions are compared as numbers: 5.1 and later have another layout.
	major, err := strconv.ParseFloat(strings.TrimSpace(version), 64)
	if !ok || err != nil || !(major >= 1 && major < 6) {
		r.fail("found %s where \"# vtk DataFile Version X.Y\" with 1.0 to 5.1 belongs", found(head))
		return
	}
	// Offsets instead of counted rows.
	r.split = major >= 5
	r.line() // title
	// The encoding is that of all numbers of the file; keywords are text.
	switch mode := strings.ToUpper(r.word()); mode {
	case "ASCII":
	case "BINARY":
		r.binary = true
	default:
		r.fail("found %s where ASCII or BINARY belongs", found(mode))
	}
}

// section reads one keyword and its data; it returns false at a fault and where
// the attributes begin.
func (r *vtkReader) section() bool {
	switch key := strings.ToUpper(r.word()); key {
	// Grids with implied connectivity have no triangles or tets.
	case "DATASET":
		kind := strings.ToUpper(r.word())
		if kind != "POLYDATA" && kind != "UNSTRUCTURED_GRID" {
			r.fail("the data set is %s: only POLYDATA and UNSTRUCTURED_GRID have triangles or tetrahedra", found(kind))
		}
	case "POINTS":
		r.points()
	// What the rows are is known only with CELL_TYPES.
	case "CELLS":
		r.cellsAt = r.at
		r.cells = r.rows("cells")
	case "CELL_TYPES":
		r.cellTypes()
	case "POLYGONS":
		r.polygons()
	case "TRIANGLE_STRIPS":
		r.strips()
	case "VERTICES", "LINES":
		rows := r.rows(strings.ToLower(key))
		r.m.Skip(map[string]string{"VERTICES": "points", "LINES": "lines"}[key], rows.len())
	case "FIELD":
		r.field()
	// A block of text that ends with an empty line.
	case "METADATA": // up to an empty line
		r.line()
		for r.pos < len(r.data) && strings.TrimSpace(r.line()) != "" {
		}
	case "CELL_DATA", "POINT_DATA":
		return false
	default:
		r.fail("found %s where a keyword such as POINTS, CELLS or POLYGONS belongs: the data before it are longer than announced, or damaged", found(key))
	}
	return r.err == nil
}

// points reads POINTS in any type of number.
func (r *vtkReader) points() {
	// Vertex numbers would be ambiguous.
	if r.sawPts {
		r.fail("POINTS is given twice: keep one")
		return
	}
	r.sawPts = true
	n := r.count("points", 1)
	// Positions of any type of number are accepted.
	kind := strings.ToLower(r.word())
	size := vtkSize(kind)
	if r.err == nil && size == 0 {
		r.fail("the points are of type %s: float or double is expected", found(kind))
		return
	}
	// Check the length before memory is allocated.
	if r.binary {
		r.line()
		if !r.announced(n, 3*size, "points") {
			return
		}
	} else if !r.mayHold(int64(n), 6) {
		r.fail("%d points are announced, but only %d bytes follow: the file is cut short or the count is wrong", n, len(r.data)-r.pos)
		return
	}
	// Integers are allowed as coordinates, too.
	r.m.Verts = make([]r3.Vec, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		// Words.
		if !r.binary {
			r.m.Verts = append(r.m.Verts, r.vec("a coordinate"))
			continue
		}
		// Binary numbers.
		var p r3.Vec
		for k := range p {
			p[k] = r.finite(r.number(kind, size), "a coordinate of point "+strconv.Itoa(i))
		}
		r.m.Verts = append(r.m.Verts, p)
	}
}

// rows reads lists of vertex numbers in either form and checks that the
// vertices exist.
func (r *vtkReader) rows(what string) vtkRows {
	// n rows, size numbers in all.
	n, size := r.count(what, 1), r.count("numbers of "+what, 1)
	if r.err != nil {
		return vtkRows{}
	}
	var rows vtkRows
	// Faults of vertex numbers point to the keyword.
	at := r.at
	// From version 5.0 on n counts offsets, one more than rows.
	if r.split && n > 0 {
		rows = r.offsetRows(n, size, what)
	} else {
		rows = r.countedRows(n, size, what)
	}
	if r.err == nil && !r.sawPts && rows.len() > 0 {
		r.fail("the %s come before POINTS: the points must come first", what)
	}
	r.checkVertices(rows, at, what)
	if r.err != nil {
		return vtkRows{}
	}
	return rows
}

// checkVertices faults at byte at unless every vertex number is one of POINTS.
func (r *vtkReader) checkVertices(rows vtkRows, at int, what string) {
	for i := 0; i < rows.len() && r.err == nil; i++ {
		for _, v := range rows.row(i) {
			if v < 0 || v >= int64(len(r.m.Verts)) {
				r.at = at
				r.fail("entry %d of the %s uses vertex %d, but there are %d points: vertices count from 0", i, what, v, len(r.m.Verts))
				break
			}
		}
	}
}

// countedRows reads n rows that begin with their length, size numbers in all.
func (r *vtkReader) countedRows(n, size int, what string) vtkRows {
	// All rows in one array, each with its length first.
	flat := r.ints(size, "int", what)
	rows := vtkRows{start: make([]int64, 1, n+1), conn: make([]int64, 0, size)}
	// k walks through the array.
	k := 0
	for i := 0; i < n && r.err == nil; i++ {
		if k >= len(flat) || flat[k] < 0 || flat[k] > int64(len(flat)-k-1) {
			r.fail("the %s are %d with %d numbers, but entry %d does not fit in: the size after the count is wrong", what, n, size, i)
			break
		}
		c := int(flat[k])
		rows.conn = append(rows.conn, flat[k+1:k+1+c]...)
		rows.start = append(rows.start, int64(len(rows.conn)))
		k += 1 + c
	}
	// Numbers that no row uses: the size is wrong.
	if r.err == nil && k != len(flat) {
		r.fail("the %s are %d with %d numbers, but take only %d: the size after the count is wrong", what, n, size, k)
	}
	return rows
}

// offsetRows reads n offsets and size vertex numbers.
func (r *vtkReader) offsetRows(n, size int, what string) vtkRows {
	// Two arrays, each with its keyword and type.
	rows := vtkRows{start: r.named("OFFSETS", n, what), conn: r.named("CONNECTIVITY", size, what)}
	// Offsets begin with 0, ascend, and stay within the connectivity.
	for i := range rows.start {
		if i == 0 && rows.start[0] != 0 || i > 0 && rows.start[i] < rows.start[i-1] || rows.start[i] > int64(len(rows.conn)) {
			r.fail("offset %d of the %s is %d: offsets begin at 0, grow, and end at %d", i, what, rows.start[i], len(rows.conn))
			break
		}
	}
	return rows
}

// named reads a keyword, a type and n whole numbers.
func (r *vtkReader) named(key string, n int, what string) []int64 {
	if w := strings.ToUpper(r.word()); r.err == nil && w != key {
		r.fail("found %s where %s belongs: files of version 5 give %s as OFFSETS and CONNECTIVITY", found(w), key, what)
		return nil
	}
	kind := strings.ToLower(r.word())
	return r.ints(n, kind, what)
}

// cellTypes reads CELL_TYPES and adds the cells of CELLS.
func (r *vtkReader) cellTypes() {
	// As many types as cells.
	n := r.count("cell types", 1)
	types := r.ints(n, "int", "cell types")
	if r.err == nil && n != r.cells.len() {
		r.fail("%d cell types are given for %d cells: write one for each", n, r.cells.len())
	}
	for i := 0; i < n && r.err == nil; i++ {
		r.m.addCell(&r.scan, types[i], r.cells.row(i), i)
	}
	// The cells are used up.
	r.cells = vtkRows{}
}

// polygons reads POLYGONS and cuts them into triangles.
func (r *vtkReader) polygons() {
	rows := r.rows("polygons")
	for i := 0; i < rows.len() && r.err == nil; i++ {
		if len(rows.row(i)) < 3 {
			r.fail("polygon %d has %d vertices: it takes 3 or more", i, len(rows.row(i)))
			return
		}
		r.m.addPolygon(rows.row(i))
	}
}

// strips reads TRIANGLE_STRIPS.
func (r *vtkReader) strips() {
	rows := r.rows("triangle strips")
	for i := range rows.len() {
		r.m.addStrip(rows.row(i))
	}
}

// field passes over FIELD: a name, a number of arrays, and for each array its
// name, components, tuples, type and values.
func (r *vtkReader) field() {
	r.word()
	for range r.count("arrays", 4) {
		if strings.EqualFold(r.peek(), "METADATA") {
			r.section()
		}
		r.word() // name
		comps, tuples := r.count("components", 1), r.count("tuples", 1)
		kind := strings.ToLower(r.word())
		if r.err != nil {
			return
		}
		if int64(comps)*int64(tuples) > int64(len(r.data)) {
			r.fail("the array announces %d × %d values, more than the file can have", comps, tuples)
			return
		}
		r.passOver(comps*tuples, kind)
	}
}
