package formats

// VTU: XML files of unstructured grids (Kitware, VTK File Formats, "XML File
// Formats").
//
//	<VTKFile type="UnstructuredGrid" byte_order="LittleEndian" header_type="UInt64"
//	         compressor="vtkZLibDataCompressor">
//	  <UnstructuredGrid>
//	    <FieldData> <DataArray Name="TimeValue" …/> </FieldData>
//	    <Piece NumberOfPoints="n" NumberOfCells="m">
//	      <PointData> <DataArray …/> … </PointData>
//	      <CellData> <DataArray …/> … </CellData>
//	      <Points> <DataArray NumberOfComponents="3" …/> </Points>
//	      <Cells> <DataArray Name="connectivity"/> "offsets" "types" </Cells>
//	    </Piece>
//	  </UnstructuredGrid>
//	  <AppendedData encoding="raw">_bytes</AppendedData>
//	</VTKFile>
//
// The numbers of a DataArray are ASCII, base64 or appended behind the XML.
// Compressed arrays are cut into blocks of 32 KiB; a head of UInt64 numbers
// precedes the blocks:
//
//	number of blocks | length of a block | length of a short last block, or 0 |
//	compressed length of each block
//
// In base64 head and blocks are encoded separately.

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zlib"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// VTU is a VTK XML unstructured grid with fields, as ParaView reads it. Numbers
// are written little-endian, compressed by zlib, in base64 or appended. Cells
// of several kinds may share points. Cell fields list the values of tets,
// triangles, lines, vertices and polygons in this order.
type VTU struct {
	// Points are the positions of all points, m.
	Points []r3.Vec
	// Tets are tetrahedra by their points.
	Tets [][4]int32 //
	// Tris are triangles by their points.
	Tris [][3]int32 //
	// Lines are segments by their points.
	Lines [][2]int32 //
	// Verts are points that are drawn as dots (VTK_VERTEX).
	Verts []int32 // vertices drawn as points
	// Polys are convex polygons by their points.
	Polys [][]int32

	// Volumes is a mesh whose cells are written before all others; nil: none. Its vertices are not.
	Volumes *meshes.Tet

	// PointData are fields with a value for each point.
	PointData []Field
	// CellData are fields with a value for each cell.
	CellData []Field

	// Time is the simulated time, s, written as TimeValue if HasTime is set.
	Time float64
	// HasTime reports whether Time is written.
	HasTime bool
	// Raw appends the numbers as raw bytes: files are a quarter smaller, but
	// not strict XML.
	Raw bool
}

// Field is a named array with a fixed number of components per point or cell: 1
// for scalars, 3 for vectors, 9 for row-major matrices.
type Field struct {
	// Name is the name that ParaView shows, unique among the fields of points or cells.
	Name string
	// Components is the number of numbers per item, 1 or more.
	Components int
	// Values has the numbers of item 0, then those of item 1, … Not-a-number
	// is allowed: ParaView blanks such items.
	Values []float64
}

// Scalars returns a field of one component.
func Scalars(name string, v []float64) Field { return Field{name, 1, v} }

// Vectors returns a field of three components.
func Vectors(name string, v []r3.Vec) Field {
	f := Field{name, 3, make([]float64, 0, 3*len(v))}
	for i := range v {
		f.Values = append(f.Values, v[i][:]...)
	}
	return f
}

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "vtu",
	Doc:     "VTK XML unstructured grids, as ParaView reads and writes them.",
	About:   "Arrays may be ASCII, base64 or appended, compressed by zlib or not. Fields are passed over. Written in base64, compressed.",
	New:     func() Format { return &vtuFormat{} },
	Samples: func() []Format { return []Format{&vtuFormat{}} },
})

// vtuFormat is the Format.
type vtuFormat struct{}

// Extensions implements Format.
func (*vtuFormat) Extensions() []string { return []string{".vtu"} }

// Volumes implements Format.
func (*vtuFormat) Volumes() bool { return true }

// Recognize implements Format by the root element, which stands within the first kilobyte.
func (*vtuFormat) Recognize(data []byte) Match {
	return certainIf(bytes.Contains(data[:min(len(data), 1024)], []byte("<VTKFile")))
}

// Read implements Format.
func (*vtuFormat) Read(data []byte) (*RawMesh, error) { return readVTU(data) }

// WriteTri implements SurfaceWriter.
func (*vtuFormat) WriteTri(w io.Writer, m *meshes.Tri) error {
	return (&VTU{Points: m.Verts, Tris: m.Tris}).Write(w)
}

// WriteTet implements VolumeWriter.
func (*vtuFormat) WriteTet(w io.Writer, m *meshes.Tet) error {
	if m.Cells != nil {
		return (&VTU{Points: m.Verts, Volumes: m}).Write(w)
	}
	return (&VTU{Points: m.Verts, Tets: m.Tets}).Write(w)
}

// cells returns the number of cells of all kinds.
func (v *VTU) cells() int {
	n := 0
	if v.Volumes != nil {
		n, _ = numCells(v.Volumes)
	}
	return n + len(v.Tets) + len(v.Tris) + len(v.Lines) + len(v.Verts) + len(v.Polys)
}

// check refuses grids that no reader accepts: points that do not exist, polygons
// of fewer than three corners, fields of the wrong length.
func (v *VTU) check() error {
	// Keep the first fault.
	var err error
	index := func(kind string, i int, idx []int32) {
		if e := pointset.CheckIndices(idx, len(v.Points)); e != nil && err == nil {
			err = fmt.Errorf("%s %d: %w", kind, i, e)
		}
	}
	if m := v.Volumes; m != nil {
		for i := range m.Tets {
			index("tetrahedron", i, m.Tets[i][:])
		}
		if e := m.CheckCells(); e != nil && err == nil {
			err = e
		}
	}
	for i, t := range v.Tets {
		index("tetrahedron", i, t[:])
	}
	for i, t := range v.Tris {
		index("triangle", i, t[:])
	}
	for i, t := range v.Lines {
		index("line", i, t[:])
	}
	index("dot", 0, v.Verts)
	for i, p := range v.Polys {
		index("polygon", i, p)
		if len(p) < 3 && err == nil {
			err = fmt.Errorf("polygon %d has %d corners: 3 or more are required", i, len(p))
		}
	}
	if err != nil {
		return err
	}
	if err := checkFields("point", len(v.Points), v.PointData); err != nil {
		return err
	}
	return checkFields("cell", v.cells(), v.CellData)
}

// checkFields checks the names and lengths of fields with n items.
func checkFields(kind string, n int, fields []Field) error {
	seen := map[string]bool{}
	for _, f := range fields {
		switch {
		case f.Name == "" || seen[f.Name]:
			return fmt.Errorf("%s field %q: names must be unique and not empty", kind, f.Name)
		case f.Components < 1 || len(f.Values) != n*f.Components:
			return fmt.Errorf("%s field %q has %d numbers: %d × %d are required", kind, f.Name, len(f.Values), n, f.Components)
		}
		seen[f.Name] = true
	}
	return nil
}

// WriteFile writes the grid to a file atomically.
func (v *VTU) WriteFile(path string) error {
	if err := v.check(); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, v.Write)
}

// Write writes the grid to a stream. An error names fields and cells that do
// not fit the points.
func (v *VTU) Write(w io.Writer) error {
	if err := v.check(); err != nil {
		return fmt.Errorf("meshes: VTU: %w", err)
	}
	x := &vtuWriter{w: bufio.NewWriter(w), raw: v.Raw}
	x.printf("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n")
	// Time of the step.
	if v.HasTime {
		x.printf("<FieldData>\n")
		x.array("Float64", "TimeValue", 0, fmt.Sprintf(" NumberOfTuples=\"1\" RangeMin=\"%v\" RangeMax=\"%v\"", v.Time, v.Time), floats([]float64{v.Time}))
		x.printf("</FieldData>\n")
	}
	// Fields come before points and cells.
	x.printf("<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", len(v.Points), v.cells())
	x.fields("PointData", v.PointData)
	x.fields("CellData", v.CellData)
	x.printf("<Points>\n")
	x.array("Float64", "Points", 3, "", floats(Vectors("", v.Points).Values))
	x.printf("</Points>\n<Cells>\n")
	conn, offsets, kinds := v.connectivity()
	x.array("Int32", "connectivity", 0, "", conn)
	x.array("Int64", "offsets", 0, "", offsets)
	x.array("UInt8", "types", 0, "", kinds)
	x.printf("</Cells>\n</Piece>\n</UnstructuredGrid>\n")
	x.appended()
	x.printf("</VTKFile>\n<!-- %s -->\n", authorship.Mark)
	if x.err != nil {
		return x.err
	}
	return x.w.Flush()
}

// connectivity returns the three arrays of <Cells> as little-endian bytes:
// Int32 points, Int64 ends of the cells in them, UInt8 cell types.
func (v *VTU) connectivity() (conn, offsets, kinds []byte) {
	n := uint64(0)
	add := func(kind byte, idx ...int32) {
		for _, i := range idx {
			conn = binary.LittleEndian.AppendUint32(conn, uint32(i))
		}
		n += uint64(len(idx))
		offsets = binary.LittleEndian.AppendUint64(offsets, n)
		kinds = append(kinds, kind)
	}
	v.eachCell(add)
	return conn, offsets, kinds
}

// eachCell calls add for all cells, with their VTK types, in the order of the fields of cells.
func (v *VTU) eachCell(add func(kind byte, verts ...int32)) {
	if v.Volumes != nil {
		_ = eachCell(v.Volumes, vtkCells, vtkOrder, func(c fileCell) error { // never fails
			add(byte(c.kind), c.verts...)
			return nil
		})
	}
	for _, t := range v.Tets {
		add(10, t[:]...)
	}
	for _, t := range v.Tris {
		add(5, t[:]...)
	}
	for _, t := range v.Lines {
		add(3, t[:]...)
	}
	for _, d := range v.Verts {
		add(1, d)
	}
	for _, p := range v.Polys {
		add(7, p...)
	}
}

// floats returns numbers as little-endian bytes.
func floats(v []float64) []byte {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// vtuWriter writes XML and keeps the first error.
type vtuWriter struct {
	// where the XML goes
	w *bufio.Writer
	// append the arrays
	raw bool
	// bytes to append
	tail []byte
	// first error
	err error
}

// printf writes formatted XML.
func (x *vtuWriter) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

// fields writes the fields of points or cells.
func (x *vtuWriter) fields(tag string, fields []Field) {
	x.printf("<%s>\n", tag)
	for _, f := range fields {
		x.array("Float64", f.Name, f.Components, "", floats(f.Values))
	}
	x.printf("</%s>\n", tag)
}

// array writes a DataArray. components 0 leaves that attribute out; attrs are
// further attributes, each after a blank.
func (x *vtuWriter) array(kind, name string, components int, attrs string, data []byte) {
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(name)); err != nil && x.err == nil {
		x.err = err
	}
	if components > 0 {
		attrs += fmt.Sprintf(" NumberOfComponents=\"%d\"", components)
	}
	// The same bytes inline in base64, or appended.
	head, blocks, err := deflate(data)
	if err != nil && x.err == nil {
		x.err = err
	}
	if x.raw {
		x.printf("<DataArray type=\"%s\" Name=\"%s\"%s format=\"appended\" offset=\"%d\"/>\n", kind, escaped.String(), attrs, len(x.tail))
		x.tail = append(append(x.tail, head...), blocks...)
		return
	}
	x.printf("<DataArray type=\"%s\" Name=\"%s\"%s format=\"binary\">\n", kind, escaped.String(), attrs)
	x.printf("%s%s\n</DataArray>\n", base64.StdEncoding.EncodeToString(head), base64.StdEncoding.EncodeToString(blocks))
}

// appended writes the appended bytes behind an underscore.
func (x *vtuWriter) appended() {
	if !x.raw {
		return
	}
	x.printf("<AppendedData encoding=\"raw\">\n_")
	if x.err == nil {
		_, x.err = x.w.Write(x.tail)
	}
	x.printf("\n</AppendedData>\n")
}

// vtuBlock is the length of a block before compression, bytes: VTK's default.
const vtuBlock = 1 << 15

// compressors are zlib writers that are not in use: a new one takes 1.2 MB, which is most of the work for a small
// array.
var compressors = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

// deflate compresses data in blocks and returns their head, as at the top of
// this file.
func deflate(data []byte) (head, blocks []byte, err error) {
	n := (len(data) + vtuBlock - 1) / vtuBlock
	for _, v := range []int{n, vtuBlock, len(data) % vtuBlock} {
		head = binary.LittleEndian.AppendUint64(head, uint64(v))
	}
	if n == 0 {
		return head, nil, nil
	}
	var out bytes.Buffer
	z := compressors.Get().(*zlib.Writer)
	defer compressors.Put(z)
	for i := range n {
		before := out.Len()
		z.Reset(&out)
		if _, err = z.Write(data[i*vtuBlock : min((i+1)*vtuBlock, len(data))]); err != nil {
			return nil, nil, err
		}
		if err = z.Close(); err != nil {
			return nil, nil, err
		}
		head = binary.LittleEndian.AppendUint64(head, uint64(out.Len()-before))
	}
	return head, out.Bytes(), nil
}
