package record

import (
	"encoding/json"
	"slices"
)

// The least bytes of JSON of a shape and of a deformable as Writer writes them: a
// header whose lists are longer than its text explains is hostile.
const (
	minGeom = 100
	minSoft = 48
)

// geomText and softText are read from no less than that; the first that is shorter
// ends the reading.
type (
	geomText struct{ geom Geom }
	softText struct{ soft Deformable }
)

func (g *geomText) UnmarshalJSON(b []byte) error {
	if len(b) < minGeom {
		return errDamaged
	}
	return json.Unmarshal(b, &g.geom)
}

func (s *softText) UnmarshalJSON(b []byte) error {
	if len(b) < minSoft {
		return errDamaged
	}
	return json.Unmarshal(b, &s.soft)
}

// once returns a copy in which every surface stands once: a bin of balls has the same
// one many times.
func (st *Static) once() *Static {
	c := *st
	c.Geoms = slices.Clone(st.Geoms)
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

// share gives shapes the surfaces that once left out.
func (st *Static) share() error {
	for i := range st.Geoms {
		g := &st.Geoms[i]
		if g.SameMeshAs == 0 {
			continue
		}
		if g.SameMeshAs < 0 || g.SameMeshAs > i || g.Mesh != nil {
			return errDamaged
		}
		g.Mesh, g.SameMeshAs = st.Geoms[g.SameMeshAs-1].Mesh, 0
	}
	return nil
}

// parseHeader reads the header of a recording.
func parseHeader(b []byte) (*Static, error) {
	var h struct {
		Static
		Geoms []geomText // hide those of Static
		Soft  []softText
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return nil, errDamaged
	}
	st := &h.Static
	for i := range h.Geoms {
		st.Geoms = append(st.Geoms, h.Geoms[i].geom)
	}
	for i := range h.Soft {
		st.Deformables = append(st.Deformables, h.Soft[i].soft)
	}
	if st.NumQ < 0 || st.NumQ > 7*len(st.Bodies) || st.NumV < 0 || st.NumV > 6*len(st.Bodies) {
		return nil, errDamaged
	}
	if err := st.share(); err != nil {
		return nil, err
	}
	return st, st.valid()
}
