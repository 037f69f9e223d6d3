package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

func oddVerts(v []r3.Vec) []r3.Vec { // coordinates with all their digits
	out := slices.Clone(v)
	for i := range out {
		for k := range out[i] {
			out[i][k] = out[i][k]*math.Pi/3 + 1e-17*float64(i)
		}
	}
	return out
}

func TestEveryWriterRoundTripsExactly(t *testing.T) {
	tri, tet := samples.CubeTri(r3.Vec{0.1, -0.2, 0.3}, 0.07), samples.GridTets(2, 0.05)
	tri.Verts, tet.Verts = oddVerts(tri.Verts), oddVerts(tet.Verts)
	dir := t.TempDir()
	for _, ext := range []string{".vtk", ".obj", ".msh", ".vtu", ".STL"} {
		path := filepath.Join(dir, "surface"+ext)
		if err := WriteTri(path, tri); err != nil {
			t.Fatal(err)
		}
		got, rep, err := ReadTri(path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.List) > 0 {
			t.Errorf("%s: a sound mesh gives findings:\n%s", ext, rep.String())
		}
		want := tri.Verts
		if ext == ".STL" { // single precision, vertices in the order of use
			if len(got.Verts) != 8 || len(got.Tris) != 12 || math.Abs(got.Volume()-tri.Volume()) > 1e-6*tri.Volume() {
				t.Errorf("STL: %d vertices, %d triangles, volume %g, want %g", len(got.Verts), len(got.Tris), got.Volume(), tri.Volume())
			}
			continue
		}
		if !slices.Equal(got.Verts, want) || !slices.Equal(got.Tris, tri.Tris) {
			t.Errorf("%s: the surface changed", ext)
		}
	}
	for _, ext := range []string{".vtk", ".msh", ".vtu"} {
		path := filepath.Join(dir, "volume"+ext)
		if err := WriteTet(path, tet); err != nil {
			t.Fatal(err)
		}
		got, rep, err := ReadTet(path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.List) > 0 {
			t.Errorf("%s: a sound mesh gives findings:\n%s", ext, rep.String())
		}
		if !slices.Equal(got.Verts, tet.Verts) || !slices.Equal(got.Tets, tet.Tets) {
			t.Errorf("%s: the tets changed", ext)
		}
		surface, _, err := ReadTri(path, ReadOptions{})
		if err != nil || repair.Watertight(surface) != nil {
			t.Errorf("%s: the boundary: %v, %v", ext, err, repair.Watertight(surface))
		}
	}
}

func TestWritersRefuseWhatNoFileShouldHave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vtk")
	bad := samples.CubeTri(r3.Vec{}, 1)
	bad.Verts[3][1] = math.NaN()
	if err := WriteTri(path, bad); err == nil || !strings.Contains(err.Error(), "vertex 3") {
		t.Errorf("NaN: %v", err)
	}
	bad = samples.CubeTri(r3.Vec{}, 1)
	bad.Tris[5][2] = 8
	if err := WriteTri(path, bad); err == nil || !strings.Contains(err.Error(), "triangle 5") {
		t.Errorf("index: %v", err)
	}
	if err := WriteTri(filepath.Join(t.TempDir(), "a.xyz"), samples.CubeTri(r3.Vec{}, 1)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), ".stl") {
		t.Errorf("extension: %v", err)
	}
	if err := WriteTet(filepath.Join(t.TempDir(), "a.stl"), samples.GridTets(1, 1)); !errors.Is(err, ErrFormat) {
		t.Errorf("tets as STL: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a refused mesh left a file")
	}
}

// A fault while writing, like a full disk, leaves the old file and nothing else.
func TestFilesAppearWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vtk")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := writeAtomically(path, func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), path) {
		t.Errorf("the error is %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Error("the old file is gone")
	}
	if e, _ := os.ReadDir(dir); len(e) != 1 {
		t.Errorf("%d files are left", len(e))
	}
	if err := WriteTri(filepath.Join(dir, "no", "a.vtk"), samples.CubeTri(r3.Vec{}, 1)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
}

func TestContentWinsOverExtension(t *testing.T) {
	var b bytes.Buffer
	if err := writeTriTo(&b, ".obj", samples.CubeTri(r3.Vec{}, 0.1)); err != nil {
		t.Fatal(err)
	}
	m, _, err := ReadTriFrom(&b, ".stl", ReadOptions{})
	if err != nil || len(m.Tris) != 12 {
		t.Errorf("an OBJ named .stl: %v", err)
	}
	_, _, err = ReadTriFrom(strings.NewReader("hello"), ".docx", ReadOptions{})
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), ".vtk") {
		t.Errorf("unknown: %v", err)
	}
	_, _, err = ReadTriFrom(strings.NewReader("  \n"), ".stl", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty: %v", err)
	}
}

// Each damaged text gives an error with the line, or byte, and these words.
func TestErrorsSayWhereAndWhat(t *testing.T) {
	vtk := "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
	msh := "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
	bin := make([]byte, 84+50)
	binary.LittleEndian.PutUint32(bin[80:], 4_000_000_000)
	one := make([]byte, 84+50)
	binary.LittleEndian.PutUint32(one[80:], 1)
	binary.LittleEndian.PutUint32(one[84+24:], math.Float32bits(float32(math.NaN())))
	for _, c := range []struct{ ext, text, want string }{
		{".vtk", "# vtk DataFile Version 9.0\n", `line 1: found "# vtk DataFile Version 9.0"`},
		{".vtk", vtk + "POINTS 4000000000 double\n0 0 0", "line 5: 4000000000 points are announced"},
		{".vtk", vtk + "POINTS 2 double\n0 0 0\n0 zero 0\n", `line 7: found "zero" where a coordinate`},
		{".vtk", vtk + "POINTS 2 double\n0 0 0\n0 nan 0\n", "line 7: a coordinate is NaN"},
		{".vtk", vtk + "POINTS 1 double\n0 1e999 0\n", "line 6: a coordinate is +Inf"},
		{".vtk", vtk + "POINTS 2 double\n0 0 0\n1 1 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", "line 8: entry 0 of the cells uses vertex 2, but there are 2 points"},
		{".vtk", vtk + "POINTS 1 double\n0 0 0\nCELLS 1 4\n4 0 0 0\nCELL_TYPES 1\n10\n", "entry 0 does not fit"},
		{".vtk", vtk + "POINTS 1 double\n0 0 0\nCELLS 1 3\n2 0 0\nCELL_TYPES 1\n10\n", "cell 0 of type 10 has 2 vertices: it takes 4"},
		{".vtk", vtk + "POINTS 1 double\n0 0 0\nCELLS 1 2\n1 0\n", "CELLS is not followed by CELL_TYPES"},
		{".vtk", vtk + "POINTS 1 double\n0 0 0 0\n", `line 6: found "0" where a keyword`},
		{".vtk", strings.Replace(vtk, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS", 1), "only POLYDATA and UNSTRUCTURED_GRID"},
		{".vtk", vtk, "ends without POINTS"},
		{".vtk", vtk + "POINTS 0 double\nCELLS 0 0\nCELL_TYPES 0\n", "no triangles in the file, it has no cells"},
		{".obj", "v 0 0\n", "line 1: the vertex has 2 coordinates"},
		{".obj", "v 0 0 0\nv 0 0 1\nf 1 2 3\n", "line 3: the face uses vertex 3, but 2 have been given"},
		{".obj", "v 0 0 0\nv 0 0 1\nf 1 0 2\n", "line 3: the face uses vertex 0"},
		{".obj", "v 0 0 0\nv 0 0 inf\n", "line 2: a coordinate is +Inf"},
		{".obj", "v 0 0 0\nf 1 a\n", `line 2: found "a" where a corner`},
		{".obj", "v 0 0 0\nf 1 1\n", "line 2: the face has 2 corners"},
		{".obj", "v 1e9 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", "vertex 0 is 1e+09 m from the origin"},
		{".stl", string(bin), "byte 80: 4000000000 triangles are announced"},
		{".stl", string(one), "byte 108: vertex 1 of triangle 0 is [0 0 NaN]"[:34]},
		{".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 x\n", "line 5: Unable to parse float"},
		{".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex nan 1 0\nendloop\nendfacet\nendsolid\n", "line 6: vertex 2 of triangle 0"},
		{".stl", "solid a\nendsolid a\nsolid b\nfacet normal 0 0 1\nouter\nloop vertex 0 0 0\nvertx 1 0 0\n", `line 7: "vertex" expected`},
		{".stl", "solid a\n", "ends within the header"},
		{".msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "line 2: the format is MSH 4.0: save the mesh as version 4.1 or 2.2"},
		{".msh", msh + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "node 1 is given twice"},
		{".msh", msh + "$Nodes\n9999999999\n1 0 0 0\n", "line 5: 9999999999 nodes are announced"},
		{".msh", msh + "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 2\n$EndElements\n", "line 10: element 0 uses node 2"},
		{".msh", msh + "$Nodes\n1\n1 0 0 0\n$EndNodes\n", "ends without $Elements"},
		{".msh", msh + "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", `line 7: found "2" where $EndNodes belongs`},
		{".vtu", `<VTKFile type="PolyData">`, "line 1: the file is of type"},
		{".vtu", `<VTKFile type="UnstructuredGrid"><Piece NumberOfPoints="1"></Piece></VTKFile>`, `no array "points"`},
	} {
		_, _, err := ReadTriFrom(strings.NewReader(c.text), c.ext, ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.60q:\n got  %v\n want …%s…", c.ext, c.text, err, c.want)
		}
	}
}

func TestMissingKindsAreDistinguished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vtk")
	if err := WriteTri(path, samples.CubeTri(r3.Vec{}, 0.1)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadTet(path, ReadOptions{}); !errors.Is(err, ErrNoTets) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "12 triangles") {
		t.Errorf("tets of a surface: %v", err)
	}
	f, _, err := Read(path, ReadOptions{})
	if err != nil || f.Tri == nil || f.Tet != nil {
		t.Errorf("Read: %+v, %v", f, err)
	}
	if _, _, err := ReadTri(filepath.Join(dir, "b.vtk"), ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, _, err := ReadTri(path, ReadOptions{Unit: "parsec"}); err == nil || !strings.Contains(err.Error(), "mm") {
		t.Errorf("unit: %v", err)
	}
}

func TestObjReadsAllFormsOfFaces(t *testing.T) {
	text := "# c\nmtllib x.mtl\no part\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.2 0\nvn 0 0 1\n" +
		"f 1/1 2/2/2 3//3 \\\n4\nf -4 -3 -2\nl 1 2\nf 1 5 2 3 4 # concave\n"
	m, err := readOBJ([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Verts) != 5 || !slices.Equal(m.Tris[:3], [][3]int32{{0, 1, 2}, {0, 2, 3}, {1, 2, 3}}) {
		t.Errorf("%v", m.Tris)
	}
	total := 0.0 // of the concave pentagon: 1 − 0.1, and no triangle is turned over
	for _, tri := range m.Tris[3:] {
		a := surfaces.Area((&meshes.Tri{Verts: m.Verts}), tri)
		if n := surfaces.Newell(m.Verts, tri[:]); n[2] <= 0 {
			t.Errorf("triangle %v is turned over", tri)
		}
		total += a
	}
	if len(m.Tris) != 6 || math.Abs(total-0.9) > 1e-15 {
		t.Errorf("the pentagon gives %d triangles of area %g", len(m.Tris)-3, total)
	}
}

func TestAsciiStlOfSeveralSolidsIsReadWhole(t *testing.T) {
	facet := func(z string) string {
		return "  facet normal 0 0 1\n OUTER LOOP\n vertex 0 0 " + z + "\n vertex 1.0E-1 0 " + z + "\n vertex 0 0.1 " + z + "\n endloop\n endfacet\n"
	}
	text := "\xef\xbb\xbfsolid\n" + facet("0") + "endsolid\nsolid two words\n" + facet("0.05") + facet("0.1") + "endsolid two\n"
	m, err := readSTL([]byte(text))
	if err != nil || len(m.Tris) != 3 || len(m.Verts) != 9 {
		t.Errorf("%v, %v", m, err)
	}
}

// A binary STL whose comment begins with "solid" is binary all the same.
func TestBinaryStlThatSaysSolidIsRead(t *testing.T) {
	var b bytes.Buffer
	if err := writeSTL(&b, samples.CubeTri(r3.Vec{}, 0.1)); err != nil {
		t.Fatal(err)
	}
	plain := append(slices.Clone(b.Bytes()), "trailing"...)
	copy(b.Bytes(), "solid facet of a cube")
	m, err := readSTL(b.Bytes())
	if err != nil || len(m.Tris) != 12 || len(m.Verts) != 8 {
		t.Errorf("%v", err)
	}
	if m, err = readSTL(plain); err != nil || len(m.Tris) != 12 {
		t.Errorf("with trailing bytes: %v", err)
	}
}

// Facets behind the announced ones are reported.
func TestTrailingFacetsOfSTLAreReported(t *testing.T) {
	var b bytes.Buffer
	if err := writeSTL(&b, samples.GridBox(r3.Vec{1, 1, 1}, 1)); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for _, c := range []struct {
		data []byte
		want meshes.Severity
		text string
	}{
		{append(slices.Clone(whole), whole[stlHeader:]...), meshes.Warning, "room for 12 more"},
		{append(slices.Clone(whole), "junk"...), meshes.Note, "4 bytes"},
	} {
		_, rep, err := ReadTriFrom(bytes.NewReader(c.data), ".stl", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(rep.List, func(f meshes.Finding) bool { return f.Kind == "trailing" })
		if i < 0 || rep.List[i].Severity != c.want || !strings.Contains(rep.List[i].Text, c.text) {
			t.Errorf("findings %q, want %q", rep.String(), c.text)
		}
	}
	if _, rep, _ := ReadTriFrom(bytes.NewReader(whole), ".stl", ReadOptions{}); rep.Count("trailing") > 0 {
		t.Errorf("a whole file: %s", rep.String())
	}
}

// writeTriTo writes a surface to a stream in the format of an extension (".stl").
// The mesh is not checked: indices must be valid and positions finite.
func writeTriTo(w io.Writer, ext string, m *meshes.Tri) error {
	f, err := surfaceWriter(ext)
	if err != nil {
		return err
	}
	return f.WriteTri(w, m)
}

// writeTetTo writes a tetrahedral mesh to a stream in the format of an extension
// (".vtk"). The mesh is not checked: indices must be valid and positions finite.
func writeTetTo(w io.Writer, ext string, m *meshes.Tet) error {
	f, err := volumeWriter(ext)
	if err != nil {
		return err
	}
	return f.WriteTet(w, m)
}
