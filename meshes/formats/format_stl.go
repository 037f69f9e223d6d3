package formats

// STL: triangles without connectivity, as printers and CAD programs exchange
// them.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"

	"github.com/hschendel/stl"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// STL (3D Systems, StereoLithography Interface Specification, 1988). A list of
// triangles with three positions and a normal each; no connectivity, no unit.
//
// ASCII, in any case of letters and with any indentation:
//
//	solid NAME
//	  facet normal NX NY NZ
//	    outer loop
//	      vertex X Y Z      (three times, counter-clockwise seen from outside)
//	    endloop
//	  endfacet
//	endsolid NAME
//
// Binary, little-endian:
//
//	80 bytes   comment, which may begin with "solid", too
//	uint32     number of triangles
//	per triangle 12 float32: normal and three vertices; uint16: attribute, unused
//
// The library github.com/hschendel/stl parses both. The code around it guards
// against counts that the file cannot have, and accepts several solids in one
// file, byte order marks and "solid" lines without a name. Vertices with equal
// bits become one; normals are not used, since many writers leave them zero.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "stl",
	Doc:     "STL files, as CAD programs and slicers exchange them.",
	About:   "ASCII and binary. The format has no unit: give one. Coordinates are of single precision, so that vertices are welded. Written as binary.",
	New:     func() Format { return &stlFormat{} },
	Samples: func() []Format { return []Format{&stlFormat{}} },
})

// stlFormat is the Format.
type stlFormat struct{}

// Extensions implements Format.
func (*stlFormat) Extensions() []string { return []string{".stl"} }

// Volumes implements Format.
func (*stlFormat) Volumes() bool { return false }

// Recognize implements Format: a length that fits the count of a binary file is as good as a signature.
func (*stlFormat) Recognize(data []byte) Match {
	switch {
	case binarySTL(data):
		return Certain
	case asciiSTL(data):
		return Likely
	}
	return NoMatch
}

// Read implements Format.
func (*stlFormat) Read(data []byte) (*RawMesh, error) { return readSTL(data) }

// WriteTri implements SurfaceWriter.
func (*stlFormat) WriteTri(w io.Writer, m *meshes.Tri) error { return writeSTL(w, m) }

// Lengths of the parts of a binary file.
const (
	stlHeader = 84 // bytes: 80 of comment, 4 of count
	stlFacet  = 50 // bytes: normal, 3 vertices, 2 of attribute
)

// binarySTL reports whether the data have exactly the length that the count in
// the header of a binary file announces.
func binarySTL(data []byte) bool {
	return len(data) > stlHeader && uint64(len(data)) == stlLength(data)
}

// stlLength returns the length of a binary file with the count in this header,
// bytes.
func stlLength(data []byte) uint64 {
	return stlHeader + stlFacet*uint64(binary.LittleEndian.Uint32(data[stlHeader-4:]))
}

// solidLine finds the lines that begin a solid in an ASCII file.
var solidLine = regexp.MustCompile(`(?mi)^[ \t]*solid[^\r\n]*`)

// asciiSTL reports whether the data begin with "solid" and have a facet, or an
// end, within the first 4 KiB: binary files may begin with "solid", too.
func asciiSTL(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(data) < 5 || !bytes.EqualFold(data[:5], []byte("solid")) {
		return false
	}
	head := bytes.ToLower(data[:min(len(data), 4096)])
	return bytes.Contains(head, []byte("facet")) || bytes.Contains(head, []byte("endsolid"))
}

// readSTL reads either form. The library may panic on damaged data, which
// becomes an error.
func readSTL(data []byte) (m *RawMesh, err error) {
	defer func() {
		if p := recover(); p != nil { // of the library
			m, err = nil, fmt.Errorf("the file is not a valid STL: %v", p)
		}
	}()
	if !binarySTL(data) && asciiSTL(data) {
		return readASCIISTL(data)
	}
	// Binary: check the length before memory is allocated.
	if len(data) < stlHeader {
		return nil, &SyntaxError{Offset: len(data), Msg: "the file ends within the header of a binary STL (84 bytes), and it does not begin with \"solid\": it is cut short or not an STL"}
	}
	if n := stlLength(data); uint64(len(data)) < n {
		return nil, &SyntaxError{Offset: stlHeader - 4, Msg: fmt.Sprintf("%d triangles are announced, which take %d bytes, but the file has %d: it is cut short, or not an STL",
			(n-stlHeader)/stlFacet, n, len(data))}
	}
	// Bytes behind the last triangle are left out, and reported.
	c := newSTLCollector()
	if err := stl.CopyAll(bytes.NewReader(data[:stlLength(data)]), c); err != nil {
		return nil, err
	}
	if c.bad >= 0 {
		return nil, &SyntaxError{Offset: stlHeader + stlFacet*(c.bad/3) + 12 + 12*(c.bad%3), Msg: c.badText()}
	}
	c.m.trailing = len(data) - int(stlLength(data))
	return c.mesh(), nil
}

// readASCIISTL hands the solids of a file to the library one by one, each under
// a header that it accepts.
func readASCIISTL(data []byte) (*RawMesh, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	c := newSTLCollector()
	// Each solid reaches from its first line to that of the next one.
	heads := solidLine.FindAllIndex(data, -1)
	for i, h := range heads {
		end := len(data)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		lower := bytes.ToLower(data[h[1]:end])
		text := append([]byte("solid part"), lower...)
		if err := stl.CopyAll(bytes.NewReader(text), c); err != nil {
			return nil, stlSyntax(err, data[:h[0]])
		}
	}
	// Name the line of a coordinate that is not finite.
	if c.bad >= 0 {
		return nil, &SyntaxError{Line: stlVertexLine(data, c.bad), Msg: c.badText()}
	}
	return c.mesh(), nil
}

// stlErrorLine matches the library's messages: a line number within the solid,
// and a text.
var stlErrorLine = regexp.MustCompile(`(?m)^(\d+): (.*)$`)

// stlSyntax turns the library's first message into a SyntaxError; before is the
// part of the file before the solid that the message is about.
func stlSyntax(err error, before []byte) error {
	above := bytes.Count(before, []byte{'\n'})
	if m := stlErrorLine.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return &SyntaxError{Line: above + n, Msg: m[2] + ": the STL is damaged here; export it again"}
	}
	return &SyntaxError{Line: above + 1, Msg: "the solid that begins here does not end with \"endsolid\": the file is cut short"}
}

// stlVertexLine returns the number of the line with the n-th vertex of an ASCII
// file.
func stlVertexLine(data []byte, n int) int {
	line := 0
	for l := range bytes.Lines(data) {
		line++
		if bytes.Contains(bytes.ToLower(l), []byte("vertex")) {
			if n == 0 {
				break
			}
			n--
		}
	}
	return line
}

// stlCollector receives triangles from the library and makes vertices of equal
// bits one.
type stlCollector struct {
	// the mesh so far
	m RawMesh
	// number of the vertex at each position
	index map[[3]float32]int32
	// number of the first vertex, counted over all triangles, that is not
	// finite, or −1
	bad int
	// its position
	badAt [3]float32
}

var _ stl.Writer = (*stlCollector)(nil)

// newSTLCollector returns an empty collector.
func newSTLCollector() *stlCollector {
	return &stlCollector{m: RawMesh{Disjoint: true}, index: map[[3]float32]int32{}, bad: -1}
}

// SetName implements stl.Writer; names are not kept.
func (c *stlCollector) SetName(string) {}

// SetBinaryHeader implements stl.Writer; comments are not kept.
func (c *stlCollector) SetBinaryHeader([]byte) {}

// SetASCII implements stl.Writer.
func (c *stlCollector) SetASCII(bool) {}

// SetTriangleCount implements stl.Writer. The count is not trusted: memory for more than some grows with what there is.
func (c *stlCollector) SetTriangleCount(n uint32) {
	n = min(n, 50_000)
	c.index = make(map[[3]float32]int32, n/2)
	c.m.Tris, c.m.Verts = make([][3]int32, 0, n), make([]r3.Vec, 0, n/2)
}

// AppendTriangle implements stl.Writer.
func (c *stlCollector) AppendTriangle(t stl.Triangle) {
	var tri [3]int32
	for k, v := range t.Vertices {
		for _, x := range v {
			if c.bad < 0 && (math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)) {
				c.bad, c.badAt = 3*len(c.m.Tris)+k, v
			}
		}
		i, ok := c.index[v]
		if !ok {
			i = int32(len(c.m.Verts))
			c.index[v] = i
			c.m.Verts = append(c.m.Verts, r3.Vec{float64(v[0]), float64(v[1]), float64(v[2])})
		}
		tri[k] = i
	}
	c.m.Tris = append(c.m.Tris, tri)
}

// badText is the message on a coordinate that is not finite.
func (c *stlCollector) badText() string {
	return fmt.Sprintf("vertex %d of triangle %d is %v: coordinates must be finite numbers; the program that wrote the file went wrong here", c.bad%3, c.bad/3, c.badAt)
}

// mesh returns what was collected.
func (c *stlCollector) mesh() *RawMesh { return &c.m }

// writeSTL writes binary STL. Coordinates and normals are rounded to single
// precision.
func writeSTL(w io.Writer, m *meshes.Tri) error {
	if len(m.Tris) > math.MaxInt32 {
		return errors.New("too many triangles for an STL")
	}
	s := stl.Solid{Name: "curlfree", Triangles: make([]stl.Triangle, len(m.Tris))}
	for i, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		s.Triangles[i].Normal = single(b.Sub(a).Cross(c.Sub(a)).Unit())
		for k, v := range [3]r3.Vec{a, b, c} {
			s.Triangles[i].Vertices[k] = single(v)
		}
	}
	return s.WriteAll(w)
}

// single rounds to single precision.
func single(v r3.Vec) stl.Vec3 { return stl.Vec3{float32(v[0]), float32(v[1]), float32(v[2])} }
