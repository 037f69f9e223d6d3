package record

import (
	"encoding/json"
	"slices"
)

// The least length of the JSON of a shape and of a deformable as Writer writes them,
// bytes. A header with shorter items is refused, so that a short text cannot make the
// reader take memory for a long list.
const (
	minGeom       = 100
	minDeformable = 48
)

// geomText and deformableText read a shape and a deformable from a text that is at
// least so long.
type (
	geomText       struct{ geom Geom }
	deformableText struct{ body Deformable }
)

// UnmarshalJSON implements json.Unmarshaler.
func (g *geomText) UnmarshalJSON(b []byte) error {
	if len(b) < minGeom {
		return errDamaged
	}
	return json.Unmarshal(b, &g.geom)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *deformableText) UnmarshalJSON(b []byte) error {
	if len(b) < minDeformable {
		return errDamaged
	}
	return json.Unmarshal(b, &s.body)
}

// Files refer to a mesh that an earlier shape has by SameMeshAs = 1 + its index. A reference
// points to the first shape with that mesh, never to a shape that has a reference itself.

// once returns a copy in which each mesh stands once: the shapes of a bin of equal
// balls share one.
func (st *Static) once() *Static {
	c := *st
	c.Geoms = slices.Clone(st.Geoms)
	// Each mesh refers to the first shape that has the same vertices and triangles.
	for i := range c.Geoms {
		g := &c.Geoms[i]
		if g.Mesh == nil {
			continue
		}
		for k := range i {
			if other := st.Geoms[k].Mesh; other != nil && c.Geoms[k].SameMeshAs == 0 &&
				slices.Equal(other.Verts, g.Mesh.Verts) && slices.Equal(other.Tris, g.Mesh.Tris) {
				g.Mesh, g.SameMeshAs = nil, k+1
				break
			}
		}
	}
	return &c
}

// share gives shapes the meshes that once left out.
func (st *Static) share() error {
	for i := range st.Geoms {
		g := &st.Geoms[i]
		if g.SameMeshAs == 0 {
			continue
		}
		// A reference names an earlier shape.
		if g.SameMeshAs < 0 || g.SameMeshAs > i || g.Mesh != nil {
			return errDamaged
		}
		g.Mesh, g.SameMeshAs = st.Geoms[g.SameMeshAs-1].Mesh, 0
	}
	return nil
}

// parseHeader reads the header of a recording and checks its sizes and indices.
func parseHeader(b []byte) (*Static, error) {
	var h struct {
		Static
		Geoms []geomText       // hide those of Static
		Soft  []deformableText // the key of Deformables in files
	}
	// Any fault of the JSON is damage: a writer makes none.
	if err := json.Unmarshal(b, &h); err != nil {
		return nil, errDamaged
	}
	st := &h.Static
	for i := range h.Geoms {
		st.Geoms = append(st.Geoms, h.Geoms[i].geom)
	}
	for i := range h.Soft {
		st.Deformables = append(st.Deformables, h.Soft[i].body)
	}
	// A joint of a body has at most 7 positions and 6 velocities.
	if st.NumQ < 0 || st.NumQ > 7*len(st.Bodies) || st.NumV < 0 || st.NumV > 6*len(st.Bodies) {
		return nil, errDamaged
	}
	// Meshes are shared again, then all indices are checked.
	if err := st.share(); err != nil {
		return nil, err
	}
	return st, st.valid()
}
