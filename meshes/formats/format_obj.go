package formats

// OBJ: text files of vertices and faces.

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Wavefront OBJ (Alias|Wavefront, Advanced Visualizer manual, appendix B1). A
// text file of lines, each a keyword and its arguments:
//
//	v X Y Z [W]           a vertex; further numbers (weight, colours) are ignored
//	f C C C …             a face of three corners or more, in order
//	C = V | V/VT | V//VN | V/VT/VN     vertex, texture and normal numbers
//	l V V …, p V …        lines and points: counted, not read
//	curv, surf, …         free-form geometry: counted, not read
//	o, g, s, usemtl, …    names, groups, smoothing, materials: ignored
//
// Numbers count from 1; negative ones count back from the last vertex above the
// line. "#" begins a comment, a backslash at the end of a line continues it.
// Polygons are cut into triangles, concave ones by ears.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "obj",
	Doc:     "Wavefront OBJ files.",
	About:   "Vertices and faces are read, polygons are cut into triangles; materials, normals, texture, lines and free-form surfaces are left out. Written with the shortest digits that read back to the same numbers.",
	New:     func() Format { return &objFormat{} },
	Samples: func() []Format { return []Format{&objFormat{}} },
})

// objFormat is the Format.
type objFormat struct{}

// Extensions implements Format.
func (*objFormat) Extensions() []string { return []string{".obj"} }

// Volumes implements Format.
func (*objFormat) Volumes() bool { return false }

// Recognize implements Format by the first line with content, which other formats may have, too.
func (*objFormat) Recognize(data []byte) Match {
	if sniffOBJ(data) {
		return Likely
	}
	return NoMatch
}

// Read implements Format.
func (*objFormat) Read(data []byte) (*RawMesh, error) { return readOBJ(data) }

// WriteTri implements SurfaceWriter.
func (*objFormat) WriteTri(w io.Writer, m *meshes.Tri) error { return writeOBJ(w, m) }

// sniffOBJ reports whether the first line with content is one of OBJ's. Names
// of objects and groups are skipped: what follows them decides.
func sniffOBJ(data []byte) bool {
	for l := range bytes.Lines(data[:min(len(data), 4096)]) {
		// empty lines and comments say nothing
		w := bytes.Fields(l)
		if len(w) == 0 || w[0][0] == '#' {
			continue
		}
		switch string(w[0]) {
		// a vertex has three coordinates; other formats have lines "v" too
		case "v":
			return len(w) >= 4
		case "vn", "vt", "mtllib", "usemtl":
			return true
		case "o", "g":
			continue
		}
		return false
	}
	return false
}

// readOBJ parses the lines in order, so that indices can be checked against the
// vertices above them.
func readOBJ(data []byte) (*RawMesh, error) {
	m := &RawMesh{}
	s := &scan{data: data}
	var w []string   // words of a line
	var loop []int32 // corners of a face
	for s.pos < len(data) && s.err == nil {
		// faults name the line at which a continued one begins
		text, at := objLine(s)
		s.at = at
		// most lines are of vertices, normals, texture and faces; two of these do not count
		if strings.HasPrefix(text, "vn") || strings.HasPrefix(text, "vt") {
			continue
		}
		w = w[:0]
		for word := range strings.FieldsSeq(text) {
			w = append(w, word)
		}
		if len(w) == 0 {
			continue
		}
		switch w[0] {
		// A vertex.
		case "v":
			m.Verts = append(m.Verts, objVertex(s, w))
		// A face, cut into triangles.
		case "f":
			loop = m.objFace(s, w[1:], loop[:0])
		// Cells that are not surfaces.
		case "l", "p":
			m.Skip(map[string]string{"l": "lines", "p": "points"}[w[0]], 1)
		case "curv", "surf", "bmat", "cstype":
			m.Skip("free-form curves and surfaces", 1)
		}
	}
	return m, s.fault()
}

// objVertex reads the words of a line "v X Y Z".
func objVertex(s *scan, w []string) (p r3.Vec) {
	if len(w) < 4 {
		s.fail("the vertex has %d coordinates: write v X Y Z", len(w)-1)
		return p
	}
	for k := range p {
		p[k] = s.parsed(w[k+1], "a coordinate")
	}
	return p
}

// objFace reads the corners of a face and cuts it into triangles. The corners are appended to loop,
// which faces share.
func (m *RawMesh) objFace(s *scan, corners []string, loop []int32) []int32 {
	// all corners are checked before the polygon is cut
	for _, c := range corners {
		loop = append(loop, objIndex(s, c, len(m.Verts)))
	}
	if len(loop) < 3 {
		s.fail("the face has %d corners: it takes 3 or more", len(loop))
	}
	if s.err == nil {
		m.Tris = surfaces.AppendPolygon(m.Tris, m.Verts, loop)
	}
	return loop
}

// objLine returns the next logical line, joined across trailing backslashes and
// without its comment, and the byte at which it begins.
func objLine(s *scan) (text string, at int) {
	text = s.line()
	at = s.at
	// a backslash at the end of the file continues nothing
	for strings.HasSuffix(text, "\\") && s.pos < len(s.data) {
		text = strings.TrimSuffix(text, "\\") + " " + s.line()
	}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	return text, at
}

// parsed reads a finite number from a word that was already taken from the
// scan.
func (s *scan) parsed(w, what string) float64 {
	x, err := strconv.ParseFloat(w, 64)
	if err != nil && (x == 0 || x-x == 0) { // not out of range
		s.fail("found %s where %s belongs: write a number", found(w), what)
		return 0
	}
	return s.finite(x, what)
}

// objIndex reads a corner of a face and returns the number of its vertex, from
// 0; n vertices have been read so far. Texture and normal numbers are ignored.
func objIndex(s *scan, corner string, n int) int32 {
	// V of V/VT/VN
	v, _, _ := strings.Cut(corner, "/")
	i, err := strconv.Atoi(v)
	switch {
	case err != nil:
		s.fail("found %s where a corner of a face belongs: write a vertex number, or V/VT/VN", found(corner))
	// counted from 1, or back from the last vertex so far
	case i > 0 && i <= n:
		return int32(i - 1)
	case i < 0 && -i <= n:
		return int32(n + i)
	default:
		s.fail("the face uses vertex %d, but %d have been given above: vertices count from 1, negative ones back from the last", i, n)
	}
	return 0
}

// writeOBJ writes vertices and faces with the shortest digits that read back to
// the same numbers.
func writeOBJ(w io.Writer, m *meshes.Tri) error {
	var b []byte
	b = append(b, "# curlfree, lengths in m\n"...)
	for _, p := range m.Verts {
		b = appendVec(append(b, "v "...), p)
		b = append(b, '\n')
		if err := flushed(w, &b); err != nil {
			return err
		}
	}
	// vertices count from 1
	for _, t := range m.Tris {
		b = fmt.Appendf(b, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
		if err := flushed(w, &b); err != nil {
			return err
		}
	}
	_, err := w.Write(b)
	return err
}

// flushed writes a line buffer to w when it is full, and empties it.
func flushed(w io.Writer, b *[]byte) error {
	// 16 kB at a time: files of any size take little memory
	if len(*b) < 1<<14 {
		return nil
	}
	_, err := w.Write(*b)
	*b = (*b)[:0]
	return err
}

// appendVec appends three coordinates with the shortest digits that read back
// to the same numbers.
func appendVec(b []byte, p r3.Vec) []byte {
	for k, x := range p {
		if k > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendFloat(b, x, 'g', -1, 64)
	}
	return b
}
