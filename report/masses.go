package report

import (
	"slices"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// masses are those of all bodies, rigid ones first, kg; 0 where a body has none that matters, since no force moves it.
// A recording does not have them, so they are those of the scene, and only of one with the inputs of the run.
type masses []float64

// massesOf builds a scene, and returns the masses of its bodies if its inputs have the digest of the run's; why says
// what is missing.
func massesOf(path, inputs string, rec *record.Recording) (m masses, why string) {
	sc, err := scene.Load(path, nil)
	if err != nil || sc.Fingerprint != inputs {
		return nil, " It is not the scene that ran, or the run has set values of it: masses are not listed."
	}
	// the same inputs give the same bodies
	rigid, deformables := len(rec.Static.Bodies), sc.Model.Deformables
	if sc.Model.Rigid.NumLinks() != rigid || len(deformables) != len(rec.Static.Deformables) {
		return nil, ""
	}
	for i := range rigid {
		m = append(m, sc.Model.Rigid.Link(i).Mass)
	}
	for _, i := range rec.Static.Kinematic {
		m[i] = 0
	}
	for _, d := range deformables {
		m = append(m, d.Mass())
	}
	return m, ""
}

// without drops the column of masses where none is known.
func (m masses) without(t *Table) *Table {
	k := slices.Index(t.Head, "mass")
	if m != nil || k < 0 {
		return t
	}
	t.Head = slices.Delete(t.Head, k, k+1)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, k, k+1)
	}
	return t
}

// of writes the mass of a body.
func (m masses) of(body int) string {
	if body >= len(m) || m[body] == 0 {
		return "–"
	}
	return quantity(m[body], "kg")
}
