package formats

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

// textFiles are small files of the formats that are texts, by their extension.
var textFiles = map[string]string{
	".obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
	".stl": "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
	".ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n" +
		"property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
	".vtk": "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
	".msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
}

// A byte order mark before a text changes nothing: in an OBJ it hid the first vertex, and moved the numbers of
// all others.
func TestByteOrderMarksAreSkipped(t *testing.T) {
	for ext, text := range textFiles {
		want, _, err := parse([]byte(text), ext, nil)
		if err != nil {
			t.Fatal(ext, err)
		}
		got, _, err := parse([]byte("\xef\xbb\xbf"+text), ext, nil)
		if err != nil || !reflect.DeepEqual(got.Verts, want.Verts) || len(got.Verts) == 0 {
			t.Errorf("%s with a byte order mark: %v", ext, err)
		}
	}
}

// Lines may end in a carriage return alone, as in files of old programs for the Macintosh: an STL had no
// solid but the first line, an OBJ one vertex.
func TestLinesMayEndInACarriageReturn(t *testing.T) {
	for ext, text := range textFiles {
		want, _, err := parse([]byte(text), ext, nil)
		if err != nil {
			t.Fatal(ext, err)
		}
		got, _, err := parse([]byte(strings.ReplaceAll(text, "\n", "\r")), ext, nil)
		if err != nil || !reflect.DeepEqual(got.Verts, want.Verts) || !reflect.DeepEqual(got.Tris, want.Tris) || !reflect.DeepEqual(got.Tets, want.Tets) {
			t.Errorf("%s with lines that end in a carriage return: %v", ext, err)
		}
	}
	// faults are at their line
	damaged := strings.Replace(textFiles[".obj"], "v 0 1 0", "v 0 x 0", 1)
	if _, _, err := parse([]byte(strings.ReplaceAll(damaged, "\n", "\r")), ".obj", nil); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a fault in the third line: %v", err)
	}
}

// Texts of two bytes a letter are named, with what to do; they were said to be cut short.
func TestTextsInUTF16AreNamed(t *testing.T) {
	for ext, text := range textFiles {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, mark := range []string{"", "\ufeff"} {
				var wide []byte
				for _, c := range utf16.Encode([]rune(mark + text)) {
					wide = order.AppendUint16(wide, c)
				}
				if _, _, err := parse(wide, ext, nil); err == nil || !strings.Contains(err.Error(), "UTF-16") {
					t.Errorf("%s, %v, mark %q: %v", ext, order, mark, err)
				}
			}
		}
	}
	// the header of a binary STL may be anything
	stl := append(append([]byte("\xff\xfe"), make([]byte, 78)...), 1, 0, 0, 0)
	stl = append(stl, make([]byte, 50)...)
	if _, _, err := parse(stl, ".stl", nil); err != nil {
		t.Errorf("a binary STL: %v", err)
	}
}
