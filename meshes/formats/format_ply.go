package formats

// PLY: a header that describes lists of elements, and their numbers as text or bytes.

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// The Polygon File Format (Turk, Stanford University, 1994):
//
//	ply
//	format ascii 1.0                                or binary_little_endian, binary_big_endian
//	comment …
//	element vertex 8
//	property float x                                also y and z; others are passed over
//	element face 6
//	property list uchar int vertex_indices          or vertex_index
//	end_header
//	0 0 0                                           the elements, in the order of the header
//
// Polygons are cut into triangles. Elements other than vertices and faces are passed over;
// triangle strips and edges are counted.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "ply",
	Doc:     "PLY files, as scanners and Blender write them.",
	About:   "Vertices and faces are read, as text or binary, polygons are cut into triangles; colours, normals and other properties are left out.",
	New:     func() Format { return &plyFormat{} },
	Samples: func() []Format { return []Format{&plyFormat{}} },
})

// plyFormat is the Format.
type plyFormat struct{}

// Extensions implements Format.
func (*plyFormat) Extensions() []string { return []string{".ply"} }

// Volumes implements Format.
func (*plyFormat) Volumes() bool { return false }

// Recognize implements Format.
func (*plyFormat) Recognize(data []byte) Match {
	return certainIf(bytes.HasPrefix(data, []byte("ply\n")) || bytes.HasPrefix(data, []byte("ply\r\n")))
}

// plyElement is a list of the header: so many rows of the properties.
type plyElement struct {
	name       string
	count      int
	properties []plyProperty
}

// plyProperty is a number of a row, or a list of numbers after their count.
type plyProperty struct {
	name, kind string
	count      string // type of the count, empty for a number
}

// plySizes are the types of numbers and their bytes.
var plySizes = map[string]int{
	"char": 1, "uchar": 1, "int8": 1, "uint8": 1, "short": 2, "ushort": 2, "int16": 2, "uint16": 2,
	"int": 4, "uint": 4, "int32": 4, "uint32": 4, "float": 4, "float32": 4, "double": 8, "float64": 8,
}

// plyReader reads the rows of a file.
type plyReader struct {
	scan // its order is nil for text
	m    *RawMesh
}

// Read implements Format.
func (*plyFormat) Read(data []byte) (*RawMesh, error) {
	r := &plyReader{scan: scan{data: data}, m: &RawMesh{}}
	// rows follow in the order of the header's elements; faces name vertices that came before
	elements := r.header()
	for i := range elements {
		for range elements[i].count {
			if r.err != nil {
				return nil, r.fault()
			}
			r.row(&elements[i])
		}
	}
	if r.err != nil {
		return nil, r.fault()
	}
	return r.m, nil
}

// header reads the lines up to end_header.
func (r *plyReader) header() (elements []plyElement) {
	r.line() // ply, by which the file was recognized
	// comments and obj_info are passed over as lines of no meaning
	for r.err == nil && r.pos < len(r.data) {
		w := strings.Fields(r.line())
		if len(w) == 0 {
			continue
		}
		// properties belong to the element above them
		last := len(elements) - 1
		switch {
		case w[0] == "end_header":
			return elements
		case w[0] == "format" && len(w) > 1:
			r.format(w[1])
		case w[0] == "element" && len(w) == 3:
			n, err := strconv.Atoi(w[2])
			if err != nil || n < 0 || n > math.MaxInt32 {
				r.fail("the number of elements %q is none", w[2])
			}
			elements = append(elements, plyElement{name: w[1], count: n})
		case w[0] == "property" && last >= 0:
			elements[last].properties = append(elements[last].properties, r.property(w))
		}
	}
	r.fail("the header has no end_header")
	return nil
}

// format sets how numbers are written.
func (r *plyReader) format(name string) {
	// the version, 1.0 in all files, says nothing
	switch name {
	case "ascii":
	case "binary_little_endian":
		r.binary, r.order = true, binary.LittleEndian
	case "binary_big_endian":
		r.binary, r.order = true, binary.BigEndian
	default:
		r.fail("the format %q is none of ascii, binary_little_endian and binary_big_endian", name)
	}
}

// property reads a line of the header.
func (r *plyReader) property(w []string) (p plyProperty) {
	// property TYPE NAME, or property list COUNT TYPE NAME
	switch {
	case len(w) == 3:
		p = plyProperty{name: w[2], kind: w[1]}
	case len(w) == 5 && w[1] == "list" && plySizes[w[2]] > 0:
		p = plyProperty{name: w[4], kind: w[3], count: w[2]}
	}
	if plySizes[p.kind] == 0 {
		r.fail("the property %q is not one of PLY: such as property float x", strings.Join(w, " "))
	}
	return p
}

// row reads one element. Rows without properties take no bytes, so that only rows of vertices may
// be many: a vertex without coordinates is a fault.
func (r *plyReader) row(e *plyElement) {
	// coordinates may stand in any order, with colours and normals between them
	var p r3.Vec
	seen := 0 // bit k: coordinate k was there
	for i := range e.properties {
		a := &e.properties[i]
		if a.count != "" {
			r.list(e, a)
			continue
		}
		x := r.number(a.kind)
		if k := strings.Index("xyz", a.name); e.name == "vertex" && len(a.name) == 1 && k >= 0 {
			p[k] = x
			seen |= 1 << k
		}
	}
	switch {
	case r.err != nil:
	case len(e.properties) == 0:
		r.fail("element %s has no properties", e.name)
	case e.name == "vertex" && seen != 7:
		r.fail("element vertex has no properties x, y and z")
	case e.name == "vertex" && !p.IsFinite():
		r.fail("vertex %d is at %v: coordinates must be finite", len(r.m.Verts), p)
	case e.name == "vertex":
		r.m.Verts = append(r.m.Verts, p)
	case e.name == "tristrips":
		r.m.Skip("triangle strips", 1)
	case e.name == "edge":
		r.m.Skip("lines", 1)
	}
}

// list reads a list of numbers, and of a face its corners.
func (r *plyReader) list(e *plyElement, a *plyProperty) {
	n := r.number(a.count)
	// a number takes a byte at least, which bounds memory by the file
	if !(n >= 0) || n > float64(len(r.data)-r.pos) || n != math.Trunc(n) {
		r.fail("a list of element %s has %g numbers: there are not as many", e.name, n)
		return
	}
	// both names are in use; other lists, such as of texture coordinates, are passed over
	face := e.name == "face" && (a.name == "vertex_indices" || a.name == "vertex_index")
	var loop []int32
	for range int(n) {
		x := r.number(a.kind)
		if r.err != nil {
			return
		}
		if face {
			if !(x >= 0) || x >= float64(len(r.m.Verts)) || x != math.Trunc(x) {
				r.fail("a face names vertex %g of %d, counted from 0", x, len(r.m.Verts))
				return
			}
			loop = append(loop, int32(x))
		}
	}
	if face && len(loop) < 3 {
		r.m.Skip("faces of fewer than three corners", 1)
	} else if face {
		r.m.Tris = surfaces.AppendPolygon(r.m.Tris, r.m.Verts, loop)
	}
}

// number reads a number of a type.
func (r *plyReader) number(kind string) float64 {
	if r.order == nil {
		w := r.word()
		x, err := strconv.ParseFloat(w, 64)
		if err != nil && r.err == nil {
			r.fail("%s where a number is required", found(w))
		}
		return x
	}
	b := r.bytes(plySizes[kind], "a number")
	if r.err != nil {
		return 0
	}
	return r.decode(kind, b)
}

// decode returns the number of a type that bytes stand for.
func (r *plyReader) decode(kind string, b []byte) float64 {
	// in the order of bytes that the header says
	switch kind {
	case "char", "int8":
		return float64(int8(b[0]))
	case "uchar", "uint8":
		return float64(b[0])
	case "short", "int16":
		return float64(int16(r.order.Uint16(b)))
	case "ushort", "uint16":
		return float64(r.order.Uint16(b))
	case "int", "int32":
		return float64(int32(r.order.Uint32(b)))
	case "uint", "uint32":
		return float64(r.order.Uint32(b))
	case "float", "float32":
		return float64(math.Float32frombits(r.order.Uint32(b)))
	default: // double, float64
		return math.Float64frombits(r.order.Uint64(b))
	}
}
