package record

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/klauspost/compress/zlib"

	"curlfree/r3"
)

// vtu is one piece of an unstructured grid of VTK, in XML with arrays that are
// zlib-compressed and base64-coded in place.
type vtu struct {
	time   float64
	bodies []string // named by the index that the body arrays hold
	points []r3.Vec
	cells  []int32 // vertices of all cells, one after another
	ends   []int32 // where each cell ends in cells
	kinds  []uint8 // VTK cell type of each cell
	point  []vtuArray
	cell   []vtuArray
}

// Cell types of VTK.
const (
	vtkVertex   = 1
	vtkTriangle = 5
	vtkQuad     = 9
	vtkTetra    = 10
)

// vtuArray is a named array with some numbers for each point or cell.
type vtuArray struct {
	name  string
	width int // numbers an item
	f32   []float32
	i32   []int32 // when f32 is nil
}

func (g *vtu) add(kind uint8, vertices ...int32) {
	g.cells = append(g.cells, vertices...)
	g.ends = append(g.ends, int32(len(g.cells)))
	g.kinds = append(g.kinds, kind)
}

func scalars(name string, s []float64) vtuArray {
	a := vtuArray{name: name, width: 1, f32: make([]float32, len(s))}
	for i, x := range s {
		a.f32[i] = float32(x)
	}
	return a
}

func vectors(name string, s []r3.Vec) vtuArray {
	a := vtuArray{name: name, width: 3, f32: make([]float32, 0, 3*len(s))}
	for _, v := range s {
		a.f32 = append(a.f32, float32(v[0]), float32(v[1]), float32(v[2]))
	}
	return a
}

// write writes the file.
func (g *vtu) write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64" compressor="vtkZLibDataCompressor">` + "\n")
	b.WriteString("<UnstructuredGrid>\n<FieldData>\n")
	fmt.Fprintf(&b, `<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">%s</DataArray>`+"\n", number(g.time))
	if len(g.bodies) > 0 {
		fmt.Fprintf(&b, `<Array type="String" Name="bodies" NumberOfTuples="%d" format="ascii">`, len(g.bodies))
		for _, c := range []byte(strings.Join(g.bodies, "\x00") + "\x00") {
			fmt.Fprintf(&b, "%d ", c)
		}
		b.WriteString("</Array>\n")
	}
	fmt.Fprintf(&b, "</FieldData>\n"+`<Piece NumberOfPoints="%d" NumberOfCells="%d">`+"\n<Points>\n", len(g.points), len(g.ends))
	p := vectors("Points", g.points)
	p.write(&b)
	b.WriteString("</Points>\n<Cells>\n")
	for _, a := range []vtuArray{{name: "connectivity", width: 1, i32: g.cells}, {name: "offsets", width: 1, i32: g.ends}} {
		a.write(&b)
	}
	writeArray(&b, "UInt8", "types", 1, g.kinds)
	b.WriteString("</Cells>\n<PointData>\n")
	for i := range g.point {
		g.point[i].write(&b)
	}
	b.WriteString("</PointData>\n<CellData>\n")
	for i := range g.cell {
		g.cell[i].write(&b)
	}
	b.WriteString("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (a *vtuArray) write(b *bytes.Buffer) {
	var raw []byte
	if a.f32 == nil {
		for _, x := range a.i32 {
			raw = binary.LittleEndian.AppendUint32(raw, uint32(x))
		}
		writeArray(b, "Int32", a.name, a.width, raw)
		return
	}
	for _, x := range a.f32 {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	writeArray(b, "Float32", a.name, a.width, raw)
}

// writeArray writes numbers as VTK has them: a header of the number of blocks,
// their size, the last one's if it is smaller, and the compressed size of each;
// then the blocks, here one.
func writeArray(b *bytes.Buffer, kind, name string, width int, raw []byte) {
	fmt.Fprintf(b, `<DataArray type="%s" Name="%s" NumberOfComponents="%d" format="binary">`, kind, name, width)
	var head []byte
	var z bytes.Buffer
	if len(raw) == 0 {
		head = binary.LittleEndian.AppendUint64(head, 0)
	} else {
		c := zlib.NewWriter(&z)
		// a bytes.Buffer takes every write
		_, _ = c.Write(raw)
		_ = c.Close()
		for _, n := range []int{1, len(raw), 0, z.Len()} {
			head = binary.LittleEndian.AppendUint64(head, uint64(n))
		}
	}
	b.WriteString(base64.StdEncoding.EncodeToString(head))
	b.WriteString(base64.StdEncoding.EncodeToString(z.Bytes()))
	b.WriteString("</DataArray>\n")
}
