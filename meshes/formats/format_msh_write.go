package formats

// All elements get two tags, physical and elementary entity 1, because Gmsh
// drops elements without a physical entity when it saves a mesh again.

// Writing of MSH files: version 2.2 in ASCII, which every version of Gmsh and most
// other programs read. Nodes and elements are numbered from 1 without gaps. Numbers
// have the shortest digits that read back to the same float64.

import (
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// mshNodes appends the header and the section $Nodes of version 2.2, and writes
// what fills the buffer.
func mshNodes(b []byte, w io.Writer, verts []r3.Vec) ([]byte, error) {
	b = fmt.Appendf(b, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\n%s\n$EndComments\n$Nodes\n%d\n", authorship.Mark, len(verts))
	// number and coordinates of each node, m
	for i, p := range verts {
		b = append(appendVec(fmt.Appendf(b, "%d ", i+1), p), '\n')
		if err := flushed(w, &b); err != nil {
			return nil, err
		}
	}
	return append(b, "$EndNodes\n"...), nil
}

// writeMSHTri writes version 2.2, ASCII. All elements belong to physical and
// elementary entity 1.
func writeMSHTri(w io.Writer, m *meshes.Tri) error {
	b, err := mshNodes(nil, w, m.Verts)
	if err != nil {
		return err
	}
	b = fmt.Appendf(b, "$Elements\n%d\n", len(m.Tris))
	for i, t := range m.Tris {
		// number, type 2 (triangle of three nodes), two tags, then the nodes
		b = fmt.Appendf(b, "%d 2 2 1 1 %d %d %d\n", i+1, t[0]+1, t[1]+1, t[2]+1)
		if err := flushed(w, &b); err != nil {
			return err
		}
	}
	_, err = w.Write(append(b, "$EndElements\n"...))
	return err
}

// writeMSHTet is writeMSHTri for tets, or the cells of the mesh where it has some.
func writeMSHTet(w io.Writer, m *meshes.Tet) error {
	b, err := mshNodes(nil, w, m.Verts)
	if err != nil {
		return err
	}
	n, _ := numCells(m)
	b = fmt.Appendf(b, "$Elements\n%d\n", n)
	i := 0
	err = eachCell(m, mshCells, mshOrder, func(c fileCell) error {
		i++
		b = fmt.Appendf(b, "%d %d 2 1 1", i, c.kind)
		for _, v := range c.verts {
			b = fmt.Appendf(b, " %d", v+1)
		}
		b = append(b, '\n')
		return flushed(w, &b)
	})
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, "$EndElements\n"...))
	return err
}
