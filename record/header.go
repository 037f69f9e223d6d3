package record

import "encoding/json"

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
	softText struct{ soft Soft }
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
		st.Soft = append(st.Soft, h.Soft[i].soft)
	}
	if st.NumQ < 0 || st.NumQ > 7*len(st.Bodies) || st.NumV < 0 || st.NumV > 6*len(st.Bodies) {
		return nil, errDamaged
	}
	return st, st.valid()
}
