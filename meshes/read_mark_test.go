package meshes

import (
	"reflect"
	"testing"
)

// A byte order mark before a text changes nothing: in an OBJ it hid the first vertex, and moved the numbers of
// all others.
func TestByteOrderMarksAreSkipped(t *testing.T) {
	for ext, text := range map[string]string{
		".obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
		".stl": "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
		".ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n" +
			"property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
		".vtk": "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
		".msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
	} {
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
