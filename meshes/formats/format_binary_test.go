package formats

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// bigEndian appends numbers as legacy VTK has them.
func bigEndian(b *bytes.Buffer, v ...any) {
	for _, x := range v {
		if err := binary.Write(b, binary.BigEndian, x); err != nil {
			panic(err)
		}
	}
}

func checkOneTet(t *testing.T, name string, m *RawMesh, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(m.Tets) != 1 || m.Tets[0] != [4]int32{0, 1, 2, 3} {
		t.Errorf("%s: tets %v", name, m.Tets)
	}
	for i, p := range m.Verts {
		if p.Sub(samples.OneTet[i]).Norm() > 1e-8 {
			t.Errorf("%s: vertex %d at %v", name, i, p)
		}
	}
}

func TestVtkIsReadInAllItsForms(t *testing.T) {
	for _, split := range []bool{false, true} {
		var b bytes.Buffer
		version := map[bool]string{false: "2.0", true: "5.1"}[split]
		b.WriteString("# vtk DataFile Version " + version + "\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n")
		b.WriteString("FIELD FieldData 2\nTIME 1 1 double\n")
		bigEndian(&b, 0.5)
		b.WriteString("\nname 1 1 string\n")
		b.WriteByte(3<<6 | 5)
		b.WriteString("hello\n")
		b.WriteString("POINTS 4 float\n")
		for _, p := range samples.OneTet {
			bigEndian(&b, float32(p[0]), float32(p[1]), float32(p[2]))
		}
		b.WriteString("\nMETADATA\nINFORMATION 0\n\n")
		if split {
			b.WriteString("CELLS 2 4\nOFFSETS vtktypeint64\n")
			bigEndian(&b, int64(0), int64(4))
			b.WriteString("\nCONNECTIVITY vtktypeint64\n")
			bigEndian(&b, int64(0), int64(1), int64(2), int64(3))
		} else {
			b.WriteString("CELLS 1 5\n")
			bigEndian(&b, int32(4), int32(0), int32(1), int32(2), int32(3))
		}
		b.WriteString("\nCELL_TYPES 1\n")
		bigEndian(&b, int32(10))
		b.WriteString("\nPOINT_DATA 4\nSCALARS x float\nLOOKUP_TABLE default\n")
		m, err := readVTK(b.Bytes())
		checkOneTet(t, "binary "+version, m, err)
		for n := 0; n < b.Len()-60; n++ { // cut anywhere before the attributes
			if _, _, err := ReadTetFrom(bytes.NewReader(b.Bytes()[:n]), ".vtk", ReadOptions{}); err == nil {
				t.Errorf("binary %s cut at byte %d gives no error", version, n)
			}
		}
	}
	text := "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0\n1 1 0 0 1 0\nMETADATA\nCOMPONENT_NAMES\nx\n\n" +
		"VERTICES 2 1\nOFFSETS vtktypeint64\n0 1\nCONNECTIVITY vtktypeint64\n0\n" +
		"POLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"
	m, err := readVTK([]byte(text))
	if err != nil || !slices.Equal(m.Tris, [][3]int32{{0, 1, 2}, {0, 2, 3}}) || m.skipped[0].name != "points" {
		t.Errorf("polygons of version 5.1: %v, %v", m, err)
	}
	text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0\n0 1 0 1 1 0\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n"
	if m, err = readVTK([]byte(text)); err != nil || !slices.Equal(m.Tris, [][3]int32{{0, 1, 2}, {2, 1, 3}}) {
		t.Errorf("a strip: %v, %v", m, err)
	}
	text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n" + strings.Repeat("0 0 0 ", 8) + "\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n"
	if _, _, err := ReadTetFrom(strings.NewReader(text), ".vtk", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "flat or inside out") {
		t.Errorf("hexahedra: %v", err)
	}
}

func TestMshIsReadInAllItsForms(t *testing.T) {
	text2 := "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Nodes\n4\n" +
		"10 0 0 0\n20 0.1 0 0\n30 0 0.1 0\n7 0 0 0.1\n$EndNodes\n$Elements\n3\n1 15 2 0 1 10\n2 1 0 10 20\n3 4 3 1 1 9 10 20 30 7\n$EndElements\n"
	m, err := readMSH([]byte(text2))
	checkOneTet(t, "2.2", m, err)
	text4 := "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n" +
		"$Nodes\n2 4 1 4\n0 1 0 1\n1\n0 0 0\n2 1 1 3\n2\n3\n4\n0.1 0 0 5 5\n0 0.1 0 5 5\n0 0 0.1 5 5\n$EndNodes\n" +
		"$Elements\n2 2 1 2\n0 1 15 1\n1 1\n3 1 4 1\n2 1 2 3 4\n$EndElements\n"
	m, err = readMSH([]byte(text4))
	checkOneTet(t, "4.1", m, err)

	for _, order := range []interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}{binary.LittleEndian, binary.BigEndian} {
		var b []byte
		ints := func(v ...int) {
			for _, x := range v {
				b = order.AppendUint32(b, uint32(x))
			}
		}
		sizes := func(v ...int) {
			for _, x := range v {
				b = order.AppendUint64(b, uint64(x))
			}
		}
		vec := func(p r3.Vec) {
			for _, x := range p {
				b = order.AppendUint64(b, math.Float64bits(x))
			}
		}
		put := func(s string) { b = append(b, s...) }

		put("$MeshFormat\n2.2 1 8\n")
		ints(1)
		put("\n$EndMeshFormat\n$Nodes\n4\n")
		for i, p := range samples.OneTet {
			ints(5 + i)
			vec(p)
		}
		put("\n$EndNodes\n$Elements\n3\n")
		ints(15, 2, 1) // a block of two points with one tag each
		ints(1, 9, 5, 2, 9, 6)
		ints(4, 1, 2) // a block of one tet with two tags
		ints(3, 9, 9, 5, 6, 7, 8)
		put("\n$EndElements\n")
		m, err = readMSH(b)
		checkOneTet(t, "2.2 binary", m, err)
		for n := range len(b) - 1 {
			if _, err := readMSH(b[:n]); err == nil {
				t.Errorf("2.2 binary cut at byte %d gives no error", n)
			}
		}

		b = nil
		put("$MeshFormat\n4.1 1 8\n")
		ints(1)
		put("\n$EndMeshFormat\n$Nodes\n")
		sizes(1, 4, 5, 8)
		ints(3, 1, 0)
		sizes(4, 5, 6, 7, 8)
		for _, p := range samples.OneTet {
			vec(p)
		}
		put("\n$EndNodes\n$Elements\n")
		sizes(1, 1, 1, 1)
		ints(3, 1, 4)
		sizes(1, 1, 5, 6, 7, 8)
		put("\n$EndElements\n")
		m, err = readMSH(b)
		checkOneTet(t, "4.1 binary", m, err)
	}
}

func TestSecondOrderCellsKeepTheirCorners(t *testing.T) {
	text := "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 0.1 0 0\n3 0 0.1 0\n4 0 0 0.1\n"
	for i := 5; i <= 10; i++ {
		text += string("0123456789"[i%10:i%10+1]) + " 0 0 0\n"
	}
	text = strings.Replace(text, "\n0 0 0 0\n", "\n10 0 0 0\n", 1) + "$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"
	m, rep, err := ReadTetFrom(strings.NewReader(text), ".msh", ReadOptions{})
	if err != nil || len(m.Verts) != 4 || rep.Count("curved") != 1 || rep.Count("unused-vertex") != 6 {
		t.Errorf("%v, %v\n%s", m, err, rep.String())
	}
	if !slices.Equal(rep.VertexOf, []int32{0, 1, 2, 3}) {
		t.Errorf("vertex map %v", rep.VertexOf)
	}
}
