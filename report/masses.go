package report

import (
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// masses are those of all bodies, rigid ones first, kg; 0 where a body has none that matters, since no force moves it.
// A recording does not have them, so they are those of the scene, and only of one with the inputs of the run.
type masses []float64

// massesOf builds the scene of a run, and returns the masses of its bodies; why tells what is missing.
func massesOf(s *record.Summary, rec *record.Recording) (m masses, why string) {
	sc, err := scene.Load(s.Scene, nil)
	if err != nil || sc.Fingerprint != s.Inputs {
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

// of writes the mass of a body.
func (m masses) of(body int) string {
	if body >= len(m) || m[body] == 0 {
		return "–"
	}
	return quantity(m[body], "kg")
}
