package formats

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// judge reads data in the format and checks what must be true of anything that is
// read: indices exist, positions are finite, tets are positive, repairing does not
// stumble. Errors are as good as meshes; they are returned.
func judge(t testing.TB, data []byte, ext string) string {
	if _, f := FormatByExtension(ext); f.Recognize(data) == NoMatch && ext != ".stl" {
		return "another format"
	}
	said := ""
	tri, rep, err := ReadTriFrom(bytes.NewReader(data), ext, ReadOptions{})
	if err != nil {
		said = err.Error()
	} else {
		if err := checkTri(tri); err != nil {
			t.Fatal(err)
		}
		if len(rep.VertexOf) != 0 && len(rep.VertexOf) != len(tri.Verts) {
			t.Fatalf("%d vertices are mapped, %d are there", len(rep.VertexOf), len(tri.Verts))
		}
		if len(tri.Tris) < 300 {
			d := repair.Diagnose(tri)
			r := d.Findings(tri)
			said = r.String()
			if math.IsNaN(d.Volume) || math.IsNaN(d.Area) {
				t.Fatal("not a number")
			}
			mended, _ := repair.Repair(tri, repair.DefaultOptions())
			if err := checkTri(mended); err != nil {
				t.Fatal(err)
			}
		}
	}
	tet, _, err := ReadTetFrom(bytes.NewReader(data), ext, ReadOptions{})
	if err != nil {
		return said + err.Error()
	}
	if err := checkTet(tet); err != nil {
		t.Fatal(err)
	}
	for i := range tet.Tets {
		if !(tet.Volume(i) > 0) {
			t.Fatalf("tet %d has volume %g", i, tet.Volume(i))
		}
	}
	if len(tet.Tets) < 100 {
		if r := repair.CheckTet(tet); r.Count("inverted") > 0 {
			t.Fatal(r.String())
		}
		if _, _, err := meshes.SplitBoundary(tet, meshes.SplitOptions{Edges: true, Faces: true}); err != nil && !strings.Contains(err.Error(), "too flat") {
			t.Fatal(err)
		}
	}
	return said
}

func written(t testing.TB, ext string) []byte {
	var b bytes.Buffer
	_, f := FormatByExtension(ext)
	var err error
	switch f := f.(type) {
	case VolumeWriter:
		err = f.WriteTet(&b, samples.GridTets(1, 0.1))
	case SurfaceWriter:
		err = f.WriteTri(&b, samples.CubeTri(r3.Vec{}, 0.1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fuzz(f *testing.F, ext string, seeds ...string) {
	all := mutation.Texts(seeds...)
	if b := written(f, ext); len(b) > 0 { // formats that are only read write nothing
		all = append(all, b)
	}
	mutation.Fuzz(f, all, func(t testing.TB, data []byte) string { return judge(t, data, ext) })
}

func FuzzSTL(f *testing.F) {
	huge := make([]byte, 84)
	binary.LittleEndian.PutUint32(huge[80:], math.MaxUint32)
	fuzz(f, ".stl", string(huge),
		"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\nsolid b\nendsolid b\n",
		"solid\nendsolid", "solid x\nfacet normal nan 0 0 outer loop vertex 1 1")
}

func FuzzOBJ(f *testing.F) {
	fuzz(f, ".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nf 1/1 -2//3 3 4\nf 1 2 \\\n4\n", "v 1 2\nf 1 1 1", "o x\nv 0 0 0\nf 1 1 1 1 1")
}

func FuzzVTK(f *testing.F) {
	head := "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n"
	fuzz(f, ".vtk", head+"METADATA\nx\n\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
		strings.Replace(head, "5.1", "3.0", 1)+"TRIANGLE_STRIPS 1 5\n4 0 1 2 3\nFIELD f 1\na 1 2 float\n1 2\nPOINT_DATA 4\n",
		"# vtk DataFile Version 2.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\nCELLS 1 2\n\x00\x00\x00\x01\x00\x00\x00\x00\nCELL_TYPES 1\n\x00\x00\x00\x01\n")
}

func FuzzMSH(f *testing.F) {
	fuzz(f, ".msh", string(mujocoMSH([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, nil, nil, []int32{0, 2, 1, 0, 1, 3})), string(mujocoMSH([]float32{0, 0, 0}, []float32{0, 0, 1}, []float32{0, 1}, nil)), "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
		"$MeshFormat\n2.2 1 8\n\x01\x00\x00\x00\n$EndMeshFormat\n$Nodes\n1\n\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\n$EndNodes\n$Elements\n1\n\x0f\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\n$EndElements\n")
}

// A fuzzer shortens what it finds in a time that grows with the square of the length: the seeds are
// the shortest files with arrays in ASCII, in base64, packed, and appended raw. What the writer
// makes is 1 kB, which left time for seven executions in 90 s.
func FuzzVTU(f *testing.F) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write([]byte{0, 0, 0, 1, 0, 0, 0, 1, 0})
	_ = z.Close()
	head := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 1), 9), 0)
	head = binary.LittleEndian.AppendUint32(head, uint32(packed.Len()))
	text := base64.StdEncoding.EncodeToString
	var seeds [][]byte
	for _, a := range []struct{ attributes, points, tail string }{
		{"", `"ascii">0 0 0 1 0 0 0 1 0`, ""},
		{"", `"binary">` + text([]byte{9, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}), ""},
		{` compressor="vtkZLibDataCompressor"`, `"binary">` + text(head) + text(packed.Bytes()), ""},
		{"", `"appended" offset="0">`, "<AppendedData>_\x09\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00</AppendedData>"},
	} {
		seed := []byte(`<VTKFile type="UnstructuredGrid"` + a.attributes + `><Piece NumberOfPoints="3"><Points><DataArray type="Int8" format=` + a.points + `</DataArray></Points><Cells>` +
			`<DataArray Name="connectivity" format="ascii">0 1 2</DataArray><DataArray Name="offsets" format="ascii">3</DataArray>` +
			`<DataArray Name="types" format="ascii">5</DataArray></Cells></Piece>` + a.tail + `</VTKFile>`)
		if m, _, err := ReadTriFrom(bytes.NewReader(seed), ".vtu", ReadOptions{}); err != nil || len(m.Tris) != 1 {
			f.Fatalf("%s: %v", seed, err)
		}
		seeds = append(seeds, seed)
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string { return judge(t, data, ".vtu") })
}

// Seeds have each kind of primitive, and nodes that nest, repeat, turn and scale.
func FuzzDAE(f *testing.F) {
	const inputs = `<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#nrm" offset="1"/>`
	const one = `<node><instance_geometry url="#g"/></node>`
	fuzz(f, ".dae",
		dae(`<triangles count="2">`+inputs+`<p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>`, one),
		dae(`<polylist count="1">`+inputs+`<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>`, one),
		dae(`<trifans count="1">`+inputs+`<p>0 0 1 0 2 0 3 0</p></trifans><tristrips count="1">`+inputs+`<p>0 0 1 0 3 0 2 0</p></tristrips>`,
			`<node><matrix>0 -1 0 5  1 0 0 6  0 0 1 7  0 0 0 1</matrix><node id="n"><translate>1 0 0</translate><rotate>0 0 2 90</rotate><scale>2 -2 2</scale><instance_geometry url="#g"/></node></node><node><instance_node url="#n"/></node>`),
		dae(`<polygons count="1">`+inputs+`<p>0 0 1 0 2 0 3 0</p></polygons>`, one),
	)
}
