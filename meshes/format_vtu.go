package meshes

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// VTU is a VTK XML unstructured grid with fields, as ParaView reads it. Numbers
// are little-endian, compressed by zlib in blocks, in base64. Points may be
// shared by cells of several kinds; cell fields list tets, triangles, lines,
// vertices and polygons in this order.
type VTU struct {
	Points []r3.Vec   // m
	Tets   [][4]int32 //
	Tris   [][3]int32 //
	Lines  [][2]int32 //
	Verts  []int32    // vertices drawn as points
	Polys  [][]int32  // convex polygons

	PointData []Field
	CellData  []Field

	Time    float64 // s; written as TimeValue when HasTime
	HasTime bool
	Raw     bool // append the numbers as raw bytes: a quarter smaller, but not strict XML
}

// Field is a named array of 1, 3 or 9 numbers (row-major matrix) per point or
// cell, or any other fixed count.
type Field struct {
	Name       string
	Components int
	Values     []float64 // item-major: Components numbers per item
}

// Scalars makes a field of one component.
func Scalars(name string, v []float64) Field { return Field{name, 1, v} }

// Vectors makes a field of 3 components.
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
func (*vtuFormat) WriteTri(w io.Writer, m *Tri) error {
	return (&VTU{Points: m.Verts, Tris: m.Tris}).Write(w)
}

// WriteTet implements VolumeWriter.
func (*vtuFormat) WriteTet(w io.Writer, m *Tet) error {
	return (&VTU{Points: m.Verts, Tets: m.Tets}).Write(w)
}

// cells returns the number of cells.
func (v *VTU) cells() int {
	return len(v.Tets) + len(v.Tris) + len(v.Lines) + len(v.Verts) + len(v.Polys)
}

// check refuses what no reader would accept.
func (v *VTU) check() error {
	var err error
	index := func(kind string, i int, idx []int32) {
		if e := indicesWithin(idx, len(v.Points)); e != nil && err == nil {
			err = fmt.Errorf("%s %d: %w", kind, i, e)
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
			err = fmt.Errorf("polygon %d has %d corners: 3 or more are wanted", i, len(p))
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

func checkFields(kind string, n int, fields []Field) error {
	seen := map[string]bool{}
	for _, f := range fields {
		switch {
		case f.Name == "" || seen[f.Name]:
			return fmt.Errorf("%s field %q: names must be unique and not empty", kind, f.Name)
		case f.Components < 1 || len(f.Values) != n*f.Components:
			return fmt.Errorf("%s field %q has %d numbers: %d × %d are wanted", kind, f.Name, len(f.Values), n, f.Components)
		}
		seen[f.Name] = true
	}
	return nil
}

// WriteFile writes the grid to a file that appears whole or not at all.
func (v *VTU) WriteFile(path string) error {
	if err := v.check(); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, v.Write)
}

// Write writes the grid. Not-a-number values are written as such: ParaView blanks
// them.
func (v *VTU) Write(w io.Writer) error {
	if err := v.check(); err != nil {
		return fmt.Errorf("meshes: VTU: %w", err)
	}
	x := &vtuWriter{w: bufio.NewWriter(w), raw: v.Raw}
	x.printf("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n")
	if v.HasTime {
		x.printf("<FieldData>\n")
		x.array("Float64", "TimeValue", 0, fmt.Sprintf(" NumberOfTuples=\"1\" RangeMin=\"%v\" RangeMax=\"%v\"", v.Time, v.Time), floats([]float64{v.Time}))
		x.printf("</FieldData>\n")
	}
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
	x.printf("</VTKFile>\n")
	if x.err != nil {
		return x.err
	}
	return x.w.Flush()
}

// connectivity returns the arrays of <Cells> as little-endian bytes.
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
	return conn, offsets, kinds
}

func floats(v []float64) []byte {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// vtuWriter keeps the first error, and the bytes to append when raw.
type vtuWriter struct {
	w    *bufio.Writer
	raw  bool
	tail []byte
	err  error
}

func (x *vtuWriter) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

func (x *vtuWriter) fields(tag string, fields []Field) {
	x.printf("<%s>\n", tag)
	for _, f := range fields {
		x.array("Float64", f.Name, f.Components, "", floats(f.Values))
	}
	x.printf("</%s>\n", tag)
}

// array writes a DataArray; components 0 leaves the attribute out.
func (x *vtuWriter) array(kind, name string, components int, attrs string, data []byte) {
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(name)); err != nil && x.err == nil {
		x.err = err
	}
	if components > 0 {
		attrs += fmt.Sprintf(" NumberOfComponents=\"%d\"", components)
	}
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

// vtuBlock is the length of a block before compression, bytes (VTK's default).
const vtuBlock = 1 << 15

// deflate compresses data in blocks. The head is: number of blocks, length of a
// block, length of the last block if shorter (else 0), compressed lengths.
func deflate(data []byte) (head, blocks []byte, err error) {
	n := (len(data) + vtuBlock - 1) / vtuBlock
	for _, v := range []int{n, vtuBlock, len(data) % vtuBlock} {
		head = binary.LittleEndian.AppendUint64(head, uint64(v))
	}
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
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
