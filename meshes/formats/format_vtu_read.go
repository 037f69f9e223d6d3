package formats

// The three arrays of <Cells> describe cell i by
//
//	points   connectivity[offsets[i−1]:offsets[i]]   offsets[−1] = 0
//	type     types[i]                                format_vtk_cells.go
//
// with point numbers that count from 0 in each piece.
//
// Pieces come from parallel programs, one from each process. Points at their common borders are
// there once in each piece. Surfaces get them welded on reading; volume meshes keep them apart,
// of which repair/diagnose_tets.go warns, since two parts that touch look the same.

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// Reading of VTU files: the XML structure and the cells. Several pieces become
// one mesh; fields are passed over. Format notes are in format_vtu.go.

// vtuReader is the state of parsing one file.
type vtuReader struct {
	// the whole file
	data []byte
	// of the file without the appended bytes
	dec *xml.Decoder
	// byte order of numbers
	order binary.ByteOrder
	// length of a number in the heads of arrays, bytes: 4 or 8
	head int
	// arrays are compressed by zlib
	compressed bool
	// appended data behind the underscore
	tail []byte
	// they are base64, not raw
	tailBase64 bool
	// the mesh so far
	m RawMesh
	// memory that numbers of compressed arrays may still take, bytes
	budget int
}

// vtuArray is a DataArray as it is in the file.
type vtuArray struct {
	// attributes type, Name and format
	kind, name, format string
	// where appended data begin, bytes
	offset int
	// inline data
	text string
	// of the element, for faults
	line int
}

// Bound of the memory that numbers of compressed arrays take, 8 bytes each: vtuFloor
// bytes plus vtuExpansion times the length of the file, and vtuBudget at most, which
// has 20 million vertices. zlib reaches 1032 on constant data; meshes seldom reach 20,
// types of cells, of a byte each, eight times that as numbers.
const (
	vtuExpansion = 200
	vtuFloor     = 1 << 20
	vtuBudget    = 512 << 20
)

// readVTU reads all pieces of a file. Faults that have no place of their own
// get that of the decoder.
func readVTU(data []byte) (*RawMesh, error) {
	// Files without the attribute header_type have heads of 32-bit numbers.
	r := &vtuReader{data: data, order: binary.LittleEndian, head: 4, budget: min(vtuFloor+vtuExpansion*len(data), vtuBudget)}
	// The decoder sees the XML only; appended bytes are kept aside.
	text := r.cutTail(data)
	r.dec = xml.NewDecoder(bytes.NewReader(text))
	err := r.file()
	if err != nil {
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			// Faults of the XML itself, and those without a place of their own.
			line, _ := r.dec.InputPos()
			err = &SyntaxError{Line: line, Offset: int(r.dec.InputOffset()), Msg: strings.TrimPrefix(err.Error(), "meshes: ")}
		}
		return nil, err
	}
	return &r.m, nil
}

// cutTail cuts the appended data out, since raw bytes are not XML, and returns
// the rest of the file.
func (r *vtuReader) cutTail(data []byte) []byte {
	// Without the element there are no appended data.
	at := bytes.Index(data, []byte("<AppendedData"))
	if at < 0 {
		return data
	}
	tag := data[at:]
	// The data begin behind an underscore after the tag.
	close := bytes.IndexByte(tag, '>')
	under := bytes.IndexByte(tag, '_')
	if close < 0 || under < close {
		return data
	}
	// The encoding is raw unless the tag says base64. The data end at the
	// closing tag, which raw bytes might contain by chance: the last one
	// counts.
	r.tailBase64 = bytes.Contains(tag[:close], []byte("base64"))
	r.tail = tag[under+1:]
	if end := bytes.LastIndex(r.tail, []byte("</AppendedData>")); end >= 0 {
		r.tail = r.tail[:end]
	}
	return append(append([]byte(nil), data[:at]...), "</VTKFile>"...)
}

// attr returns an attribute of an element, "" if it is not given.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// file walks through the elements and reads the pieces.
func (r *vtuReader) file() error {
	// Tokens are read one by one, so that a file of any length needs no tree.
	seen := false
	for {
		tok, err := r.dec.Token()
		if errors.Is(err, io.EOF) {
			if !seen {
				return errors.New("the file has no <Piece>")
			}
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		// The root element has what is needed to decode arrays.
		case "VTKFile":
			if err := r.header(e); err != nil {
				return err
			}
		// Writers split a mesh into pieces when they run in parallel.
		case "Piece":
			seen = true
			if err := r.piece(e); err != nil {
				return err
			}
		// Time and other data of the whole file.
		case "FieldData":
			if err := r.dec.Skip(); err != nil {
				return err
			}
		}
	}
}

// header reads the attributes of <VTKFile>: byte order, length of heads,
// compression.
func (r *vtuReader) header(e xml.StartElement) error {
	// PolyData, ImageData and others are other formats under the same root
	// element.
	if kind := attr(e, "type"); kind != "UnstructuredGrid" {
		return fmt.Errorf("the file is of type %q: only UnstructuredGrid is supported", kind)
	}
	if attr(e, "byte_order") == "BigEndian" {
		r.order = binary.BigEndian
	}
	if attr(e, "header_type") == "UInt64" {
		r.head = 8
	}
	// Files may also be compressed by lz4 or lzma, which is rare.
	switch c := attr(e, "compressor"); c {
	case "":
	case "vtkZLibDataCompressor":
		r.compressed = true
	default:
		return fmt.Errorf("the data are compressed by %s: save them with zlib or without compression", c)
	}
	return nil
}

// piece reads the points and cells of one piece and appends them to the mesh.
func (r *vtuReader) piece(e xml.StartElement) error {
	// Points of this piece are numbered from here.
	base := len(r.m.Verts)
	// Collect the arrays of <Points> and <Cells>.
	arrays := map[string]vtuArray{}
	section := ""
	for depth := 1; depth > 0; {
		tok, err := r.dec.Token()
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			// Fields are not part of the mesh.
			case "PointData", "CellData":
				if err := r.dec.Skip(); err != nil {
					return err
				}
			case "DataArray":
				a, err := r.array(t)
				if err != nil {
					return err
				}
				// The array of the points may have any name.
				if section == "Points" {
					a.name = "points"
				}
				arrays[a.name] = a
			default:
				section = t.Name.Local
				depth++
			}
		case xml.EndElement:
			depth--
		}
	}
	// Points.
	points, err := r.numbers(arrays, "points")
	if err != nil {
		return err
	}
	// The announced number guards against arrays that were cut short.
	n, err := strconv.Atoi(attr(e, "NumberOfPoints"))
	if err != nil || n < 0 || len(points) != 3*n {
		return fmt.Errorf("the piece announces %q points, but %d coordinates are given", attr(e, "NumberOfPoints"), len(points))
	}
	// Positions must be finite before anything is computed with them.
	for i := range n {
		p := r3.Vec(points[3*i : 3*i+3])
		if !p.IsFinite() {
			return &SyntaxError{Line: arrays["points"].line, Msg: fmt.Sprintf("point %d is at %v: coordinates must be finite numbers", i, p)}
		}
		r.m.Verts = append(r.m.Verts, p)
	}
	return r.cells(arrays, base, n)
}

// cells adds the cells of a piece of n points, whose vertices begin at base.
func (r *vtuReader) cells(arrays map[string]vtuArray, base, n int) error {
	// All three arrays are needed; their order in the file does not matter.
	conn, err := r.numbers(arrays, "connectivity")
	if err != nil {
		return err
	}
	offsets, err := r.numbers(arrays, "offsets")
	if err != nil {
		return err
	}
	kinds, err := r.numbers(arrays, "types")
	if err != nil {
		return err
	}
	// One type for each end of a cell.
	if len(kinds) != len(offsets) {
		return fmt.Errorf("%d cell types are given for %d cells", len(kinds), len(offsets))
	}
	// Cell i has the points between two offsets.
	at := arrays["connectivity"].line
	s := &scan{}
	// lo and hi bound the cell in the connectivity; offsets must ascend.
	lo := 0.0
	for i, hi := range offsets {
		if !(hi >= lo && hi <= float64(len(conn))) {
			return &SyntaxError{Line: arrays["offsets"].line, Msg: fmt.Sprintf("offset %d is %v: offsets grow up to the length %d of the connectivity", i, hi, len(conn))}
		}
		var row []int64
		for _, v := range conn[int(lo):int(hi)] {
			// Written this way so that not-a-number is refused, too.
			if !(v >= 0 && v < float64(n)) {
				return &SyntaxError{Line: at, Msg: fmt.Sprintf("cell %d uses vertex %v, but there are %d points: vertices count from 0", i, v, n)}
			}
			row = append(row, int64(v)+int64(base))
		}
		// The cell itself may be damaged: too few vertices, or an unknown type.
		if r.m.addCell(s, int64(kinds[i]), row, i); s.err != nil {
			s.err.Line = at
			return s.err
		}
		lo = hi
	}
	return nil
}

// array reads a DataArray element to its end.
func (r *vtuReader) array(e xml.StartElement) (vtuArray, error) {
	a := vtuArray{kind: attr(e, "type"), name: attr(e, "Name"), format: attr(e, "format")}
	// The line where the element begins.
	a.line, _ = r.dec.InputPos()
	// The offset counts from behind the underscore.
	if a.format == "appended" {
		off, err := strconv.Atoi(attr(e, "offset"))
		if err != nil || off < 0 {
			return a, fmt.Errorf("the offset %q of the array %q is not a whole number", attr(e, "offset"), a.name)
		}
		a.offset = off
	}
	text, err := r.elementText()
	a.text = text
	return a, err
}

// elementText returns the text of the element that has begun, up to its end and
// without that of nested elements, such as <InformationKey>.
func (r *vtuReader) elementText() (string, error) {
	var text strings.Builder
	// Nested elements, such as <InformationKey>, are skipped.
	for depth := 1; depth > 0; {
		tok, err := r.dec.Token()
		if err != nil {
			return "", err
		}
		switch t := tok.(type) {
		case xml.CharData:
			if depth == 1 {
				text.Write(t)
			}
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return text.String(), nil
}
