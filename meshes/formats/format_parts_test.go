package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Integers of any length and sign come back from their big-endian bytes.
func TestVtkIntegersOfAllLengths(t *testing.T) {
	r := samples.NewRand(t, 81)
	for range 500 {
		x := r.Int64() - math.MaxInt64/2
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], uint64(x))
		if got := vtkInteger(b[:], false); got != x {
			t.Fatalf("%d became %d", x, got)
		}
		for n := 1; n < 8; n *= 2 {
			low := b[8-n:]
			shift := 64 - 8*n
			if got := vtkInteger(low, false); got != x<<shift>>shift {
				t.Errorf("%d bytes of %x: %d", n, low, got)
			}
			if got := vtkInteger(low, true); got != int64(uint64(x)<<shift>>shift) {
				t.Errorf("%d bytes of %x unsigned: %d", n, low, got)
			}
		}
	}
}

// Each type that VTK names, in both encodings: points and cells of one tet.
func TestVtkReadsAllTypesOfNumbers(t *testing.T) {
	write := map[string]func(b *bytes.Buffer, x int){
		"char": func(b *bytes.Buffer, x int) { bigEndian(b, int8(x)) }, "unsigned_char": func(b *bytes.Buffer, x int) { bigEndian(b, uint8(x)) },
		"short": func(b *bytes.Buffer, x int) { bigEndian(b, int16(x)) }, "unsigned_short": func(b *bytes.Buffer, x int) { bigEndian(b, uint16(x)) },
		"int": func(b *bytes.Buffer, x int) { bigEndian(b, int32(x)) }, "unsigned_int": func(b *bytes.Buffer, x int) { bigEndian(b, uint32(x)) },
		"long": func(b *bytes.Buffer, x int) { bigEndian(b, int64(x)) }, "unsigned_long": func(b *bytes.Buffer, x int) { bigEndian(b, uint64(x)) },
		"float": func(b *bytes.Buffer, x int) { bigEndian(b, float32(x)) }, "double": func(b *bytes.Buffer, x int) { bigEndian(b, float64(x)) },
	}
	for kind, put := range write {
		var b bytes.Buffer
		b.WriteString("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 " + kind + "\n")
		for _, x := range []int{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1} {
			put(&b, x)
		}
		b.WriteString("\nCELLS 1 5\n")
		bigEndian(&b, int32(4), int32(0), int32(1), int32(2), int32(3))
		b.WriteString("\nCELL_TYPES 1\n")
		bigEndian(&b, int32(10))
		m, _, err := ReadTetFrom(&b, ".vtk", ReadOptions{})
		if err != nil || math.Abs(samples.VolumeOf(m)-1.0/6) > 1e-15 {
			t.Errorf("%s: %v", kind, err)
		}
		if vtkSize(kind) == 0 {
			t.Errorf("%s has no size", kind)
		}
	}
	if vtkSize("complex") != 0 {
		t.Error("an unknown type has a size")
	}
}

// Fields of every type are passed over in both encodings.
func TestVtkPassesFieldsOver(t *testing.T) {
	cells := "POLYGONS 1 4\n3 0 1 2\n"
	points := "POINTS 3 double\n0 0 0 1 0 0 0 1 0\n"
	for _, field := range []string{
		"FIELD f 1\na 1 3 double\n1 2 3\n", "FIELD f 2\na 2 2 int\n1 2 3 4\nb 1 1 bit\n1\n",
		"FIELD f 1\nnames 1 2 string\none two\nthree\n", "METADATA\nINFORMATION 2\nx\ny\n\n", "FIELD f 0\n",
	} {
		text := "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n" + field + points + field + cells
		m, _, err := ReadTriFrom(strings.NewReader(text), ".vtk", ReadOptions{Raw: true})
		if err != nil || len(m.Tris) != 1 {
			t.Errorf("%q: %v", field, err)
		}
	}
	for text, want := range map[string]string{
		"FIELD f 1\na 1 3 color\n1 2 3\n":       `type "color"`,
		"FIELD f 1\na 99999999 99999999 int\n1": "announced",
		"FIELD f 1\na 1 9 double\n1 2 3\n":      "the file ends within an array",
		"FIELD f -3\n":                          "number of arrays",
	} {
		_, _, err := ReadTriFrom(strings.NewReader("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"+text), ".vtk", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", text, err, want)
		}
	}
}

// Each cell type by its number: what it becomes, or the name under which it is
// counted.
func TestCellsByTheirVtkType(t *testing.T) {
	verts := make([]r3.Vec, 12)
	for i := range verts { // a convex loop, so that polygons become fans
		s, c := math.Sincos(2 * math.Pi * float64(i) / 12)
		verts[i] = r3.Vec{c, s, 0}
	}
	all := []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		kind       int64
		nodes      int
		tris, tets int
		skipped    string
		curved     int
	}{
		{5, 3, 1, 0, "", 0}, {6, 6, 4, 0, "", 0}, {7, 7, 5, 0, "", 0}, {9, 4, 2, 0, "", 0}, {10, 4, 0, 1, "", 0},
		{22, 6, 1, 0, "", 1}, {24, 10, 0, 1, "", 1}, {69, 10, 1, 0, "", 1}, {71, 10, 0, 1, "", 1},
		{1, 1, 0, 0, "points", 0}, {3, 2, 0, 0, "lines", 0}, {25, 10, 0, 0, "hexahedra", 0}, {26, 10, 0, 0, "wedges", 0},
		{14, 5, 0, 0, "pyramids", 0}, {42, 4, 0, 0, "polyhedra", 0}, {0, 0, 0, 0, "empty cells", 0},
	} {
		m := &RawMesh{Verts: verts}
		s := &scan{}
		m.addCell(s, c.kind, all[:c.nodes], 0)
		if s.err != nil || len(m.Tris) != c.tris || len(m.Tets) != c.tets || m.curved != c.curved {
			t.Errorf("type %d: %d triangles, %d tets, %v", c.kind, len(m.Tris), len(m.Tets), s.err)
		}
		if (c.skipped != "") != (len(m.skipped) == 1) || c.skipped != "" && m.skipped[0] != (cellCount{c.skipped, 1}) {
			t.Errorf("type %d: skipped %v, want %q", c.kind, m.skipped, c.skipped)
		}
	}
	for _, c := range []struct {
		kind int64
		n    int
		want string
	}{{5, 2, "it takes 3"}, {10, 3, "it takes 4"}, {24, 4, "it takes 10"}, {99, 4, "only triangles (5) and tetrahedra (10)"}} {
		s := &scan{}
		(&RawMesh{Verts: verts}).addCell(s, c.kind, all[:c.n], 3)
		if s.err == nil || !strings.Contains(s.err.Msg, c.want) || !strings.Contains(s.err.Msg, "cell 3") {
			t.Errorf("type %d of %d nodes: %v", c.kind, c.n, s.err)
		}
	}
	m := &RawMesh{Verts: verts} // a pixel lists its corners row by row
	m.addCell(&scan{}, 8, []int64{0, 3, 9, 6}, 0)
	if len(m.Tris) != 2 {
		t.Errorf("a pixel became %v", m.Tris)
	}
}

// Solids that are no tets are refused by name; other cells give a note.
func TestSkippedCellsAreReportedOrRefused(t *testing.T) {
	tri := func() *RawMesh {
		return &RawMesh{Verts: []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}}, Tris: [][3]int32{{0, 1, 2}}}
	}
	for _, name := range []string{"hexahedra", "wedges", "pyramids", "voxels", "polyhedra"} {
		m := tri()
		m.Skip(name, 2)
		m.Skip(name, 3)
		if _, _, err := m.tri(ReadOptions{}); err == nil || !strings.Contains(err.Error(), "5 "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := tri()
	m.Skip("points", 7)
	m.Skip("lines", 4)
	m.curved = 2
	_, rep, err := m.tri(ReadOptions{Raw: true})
	if err != nil || rep.Count("skipped") != 11 || rep.Count("curved") != 2 || rep.List[0].Text != "4 lines left out" {
		t.Errorf("%v\n%s", err, rep.String())
	}
	if got := m.kinds(); got != "1 triangle, 4 lines, 7 points" {
		t.Errorf("the file has %s", got)
	}
}

// Elements of Gmsh: every type that is known has as many corners as it is read with.
func TestGmshElementTypesHaveEnoughNodes(t *testing.T) {
	want := map[int64]int{5: 3, 9: 4, 10: 4, 22: 6, 24: 10, 69: 3, 71: 4, 12: 8, 13: 6}
	for number, k := range mshKinds {
		if n, read := want[k.vtk]; read && k.nodes < n {
			t.Errorf("element type %d has %d nodes, VTK type %d needs %d", number, k.nodes, k.vtk, n)
		}
		if _, skipped := vtkSkipped[k.vtk]; !skipped && want[k.vtk] == 0 {
			t.Errorf("element type %d maps to VTK type %d, which nothing reads", number, k.vtk)
		}
	}
	for _, second := range []int{12, 13, 17, 18, 92, 93} {
		if k := mshKinds[second]; k.vtk == 12 || k.vtk == 13 {
			t.Errorf("element type %d of %d nodes is read as linear", second, k.nodes)
		}
	}
	if mshKinds[2].vtk != 5 || mshKinds[4].vtk != 10 || mshKinds[9].vtk != 22 || mshKinds[11].vtk != 24 {
		t.Error("triangles and tets are not read as such")
	}
}

// The arrays of VTU: each type of number in both byte orders.
func TestVtuDecodesAllTypesOfNumbers(t *testing.T) {
	for _, order := range []interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}{binary.LittleEndian, binary.BigEndian} {
		for kind, c := range map[string]struct {
			bytes []byte
			want  float64
		}{
			"Int8": {[]byte{0xfe}, -2}, "UInt8": {[]byte{0xfe}, 254},
			"Int16": {order.AppendUint16(nil, 0xfffe), -2}, "UInt16": {order.AppendUint16(nil, 0xfffe), 65534},
			"Int32": {order.AppendUint32(nil, 0xfffffffe), -2}, "UInt32": {order.AppendUint32(nil, 0xfffffffe), 4294967294},
			"Int64": {order.AppendUint64(nil, math.MaxUint64-1), -2}, "UInt64": {order.AppendUint64(nil, 1<<40), 1 << 40},
			"Float32": {order.AppendUint32(nil, math.Float32bits(-1.5)), -1.5}, "Float64": {order.AppendUint64(nil, math.Float64bits(0.1)), 0.1},
		} {
			got, err := decodeNumbers(slices.Concat(c.bytes, c.bytes), kind, order)
			if err != nil || len(got) != 2 || got[0] != c.want || got[1] != c.want {
				t.Errorf("%s: %v, %v; want %g", kind, got, err, c.want)
			}
			if size := len(c.bytes); size > 1 {
				if _, err := decodeNumbers(c.bytes[:size-1], kind, order); err == nil || !strings.Contains(err.Error(), "no whole number") {
					t.Errorf("%s cut short: %v", kind, err)
				}
			}
		}
	}
	if _, err := decodeNumbers(nil, "String", binary.LittleEndian); err == nil {
		t.Error("texts are decoded as numbers")
	}
}

// Grids of random cells and fields are read back, in base64 and appended, with the
// cells that the reader supports.
func TestRandomVtuGridsComeBack(t *testing.T) {
	r := samples.NewRand(t, 82)
	for round := range 6 {
		v := &VTU{Raw: round%2 == 0, HasTime: round%3 == 0, Time: r.Float64()}
		n := 40 + r.IntN(5000)
		for range n {
			v.Points = append(v.Points, samples.RandomVec(r))
		}
		index := func() int32 { return int32(r.IntN(n)) }
		for range 30 {
			v.Tets = append(v.Tets, [4]int32{index(), index(), index(), index()})
			v.Tris = append(v.Tris, [3]int32{index(), index(), index()})
			v.Lines = append(v.Lines, [2]int32{index(), index()})
			v.Verts = append(v.Verts, index())
			v.Polys = append(v.Polys, []int32{index(), index(), index()})
		}
		v.PointData = []Field{Vectors("u <&>", v.Points), Scalars("s", make([]float64, n))}
		v.CellData = []Field{Scalars("c", make([]float64, v.cells()))}
		var b bytes.Buffer
		if err := v.Write(&b); err != nil {
			t.Fatal(err)
		}
		m, err := readVTU(b.Bytes())
		if err != nil || !slices.Equal(m.Verts, v.Points) || !slices.Equal(m.Tets, v.Tets) || !slices.Equal(m.Tris[:30], v.Tris) || len(m.Tris) != 60 {
			t.Fatalf("round %d: %v", round, err)
		}
		if len(m.skipped) != 2 || m.skipped[0].n != 30 {
			t.Errorf("round %d: skipped %v", round, m.skipped)
		}
	}
}

func TestVtuRefusesCellsThatDoNotFit(t *testing.T) {
	three := []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}
	for _, c := range []struct {
		v    VTU
		want string
	}{
		{VTU{Points: three, Tets: [][4]int32{{0, 1, 2, 3}}}, "tetrahedron 0: vertex 3 does not exist"},
		{VTU{Points: three, Tris: [][3]int32{{0, 1, 2}, {0, 1, -1}}}, "triangle 1: vertex -1"},
		{VTU{Points: three, Lines: [][2]int32{{0, 7}}}, "line 0: vertex 7"},
		{VTU{Points: three, Verts: []int32{4}}, "vertex 4"},
		{VTU{Points: three, Polys: [][]int32{{0, 1}}}, "polygon 0 has 2 corners"},
		{VTU{Points: three, Polys: [][]int32{{0, 1, 5}}}, "polygon 0: vertex 5"},
		{VTU{Points: three, PointData: []Field{Scalars("", make([]float64, 3))}}, "not empty"},
		{VTU{Points: three, PointData: []Field{Scalars("a", make([]float64, 2))}}, `point field "a" has 2 numbers: 3 × 1`},
		{VTU{Points: three, PointData: []Field{{Name: "a", Components: 0}}}, `point field "a"`},
		{VTU{Points: three, CellData: []Field{Scalars("b", make([]float64, 1))}}, `cell field "b" has 1 numbers: 0 × 1`},
	} {
		var b bytes.Buffer
		if err := c.v.Write(&b); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%v, want …%s…", err, c.want)
		}
		path := filepath.Join(t.TempDir(), "a.vtu")
		if err := c.v.WriteFile(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("file: %v", err)
		}
	}
}

// The scanner of text files: words, lines, numbers, and the first fault with its
// place.
func TestScanReadsWordsAndKeepsTheFirstFault(t *testing.T) {
	s := &scan{data: []byte(" one\t2 3.5\r\nrest of it\r\n\nlast")}
	if s.peek() != "one" || s.word() != "one" || s.integer("n") != 2 || s.real("x") != 3.5 {
		t.Error("words")
	}
	if s.line() != "" || s.line() != "rest of it" || s.line() != "" || s.line() != "last" || s.more() {
		t.Error("lines")
	}
	if s.word() != "" || s.fault() != nil {
		t.Error("the end")
	}
	for _, c := range []struct {
		text string
		read func(s *scan)
		want string
		line int
	}{
		{"1\n2 x", func(s *scan) { s.integer("a"); s.integer("b"); s.integer("c") }, `found "x" where c belongs: write a whole number`, 2},
		{"1.5.2", func(s *scan) { s.real("a height") }, `found "1.5.2" where a height belongs`, 1},
		{"", func(s *scan) { s.real("a height") }, "found the end of the file where a height belongs", 1},
		{"\n\n1e400", func(s *scan) { s.real("x") }, "x is +Inf: coordinates must be finite", 3},
		{"-4", func(s *scan) { s.count("points", 1) }, "where the number of points belongs", 1},
		{"40 1 2", func(s *scan) { s.count("points", 2) }, "40 points are announced, but only 4 bytes follow", 1},
		{strings.Repeat("y", 60), func(s *scan) { s.integer("a number") }, `found "` + strings.Repeat("y", 40) + `…"`, 1},
	} {
		s := &scan{data: []byte(c.text)}
		c.read(s)
		s.fail("a later fault")
		if s.err == nil || !strings.Contains(s.err.Msg, c.want) || s.err.Line != c.line {
			t.Errorf("%q: %+v, want %q in line %d", c.text, s.err, c.want, c.line)
		}
		if s.integer("x") != 0 || s.real("x") != 0 || s.count("x", 1) != 0 || s.more() {
			t.Errorf("%q: something is read after the fault", c.text)
		}
	}
	b := &scan{data: []byte{1, 0, 0, 0, 9}, binary: true, order: binary.LittleEndian}
	if b.int32("n") != 1 || b.int64("m") != 0 || b.err == nil || b.err.Line != 0 || b.err.Offset != 4 {
		t.Errorf("binary: %+v", b.err)
	}
	for want, e := range map[string]*SyntaxError{
		"meshes: a.stl: line 3: bad": {Path: "a.stl", Line: 3, Msg: "bad"}, "meshes: byte 7: bad": {Offset: 7, Msg: "bad"},
		"meshes: line 2: bad": {Line: 2, Msg: "bad"}, "meshes: b: byte 0: bad": {Path: "b", Msg: "bad"},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}

// Errors of all kinds carry the package and the file once.
func TestErrorsNameTheFileOnce(t *testing.T) {
	inner := errors.New("meshes: too small")
	for _, c := range []struct {
		path, want string
		err        error
	}{
		{"", "meshes: too small", inner}, {"a.vtk", "meshes: a.vtk: too small", inner},
		{"a.vtk", "meshes: a.vtk: line 4: bad", &SyntaxError{Line: 4, Msg: "bad"}}, {"", "meshes: plain", errors.New("plain")},
	} {
		if got := within(c.path, c.err); got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if within("a", nil) != nil || trimErr(nil) != nil {
		t.Error("no error became one")
	}
}

func TestPvdRefusesTimesThatAreNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var p PVD
		p.Add(0, 0, "ok", "a.vtu")
		p.Add(bad, 1, "bad", "b.vtu")
		var b bytes.Buffer
		if err := p.Write(&b); err == nil || !strings.Contains(err.Error(), "b.vtu") || b.Len() > 0 {
			t.Errorf("time %v: %v", bad, err)
		}
		if err := p.WriteFile(filepath.Join(t.TempDir(), "a.pvd")); err == nil {
			t.Errorf("time %v: the file is written", bad)
		}
	}
}
