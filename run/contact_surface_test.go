package run

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/record"
)

const pressed = `
time: {step: 2e-3, duration: 0.1}
materials:
  default: {stiffness: 1e6}
  soft: {hydroelastic_modulus: 2e6}
  rubber: {youngs_modulus: 1e5, pressure_gradient: 1e8}
meshes: {cube: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  ball: {mass: 1, pose: {xyz: [0, 0, 0.0999]}, velocity: [0.5, 0, 0], shapes: [{sphere: {radius: 0.1}, material: soft, resolution_hint: 0.05}]}
deformables:
  pad: {mesh: cube, material: rubber, pose: {xyz: [0.5, 0, 0.0499]}}
signals:
  ball_area: {body: ball, contact_surface: area}
  ball_slip: {body: ball, contact_surface: slip, from: [ground]}
  pad_area: {body: pad, contact_surface: area}
  pad_peak: {body: pad, contact_surface: max_pressure}
output: {rate: 100}
`

// What frames store of contact surfaces is what signals report, and their faces cover
// them.
func TestRecordedContactSurfacesAgreeWithSignals(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, load(t, pressed), Options{Dir: dir})
	rec, err := record.ReadRun(dir)
	if err == nil {
		err = rec.Valid()
	}
	if err != nil {
		t.Fatal(err)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	time := signals.Column("time_s")
	ball, pad, seen := slices.Index(rec.Static.Bodies, "ball"), len(rec.Static.Bodies), 0
	for k := 1; k < rec.Len(); k++ {
		f, row := rec.At(k), 0
		for time[row] < f.Time-1e-9 {
			row++
		}
		at := func(column string) float64 { return signals.Column(column)[row] }
		for i := range f.ContactSurfaces {
			p := &f.ContactSurfaces[i]
			switch p.B {
			case ball:
				sum := 0.0
				for j := range p.Faces {
					sum += p.Faces[j].Area
				}
				if p.Area != at("ball_area") || p.Slip != at("ball_slip") || math.Abs(sum-p.Area) > 1e-3*p.Area {
					t.Errorf("t = %g: area %g (faces %g), slip %g; signals %g, %g", f.Time, p.Area, sum, p.Slip, at("ball_area"), at("ball_slip"))
				}
				seen++
			case pad:
				if p.Area != at("pad_area") || p.MaxPressure != at("pad_peak") || p.Faces != nil || p.Geoms[1] != -1 {
					t.Errorf("t = %g: area %g, pressure %g; signals %g, %g", f.Time, p.Area, p.MaxPressure, at("pad_area"), at("pad_peak"))
				}
				seen++
			}
		}
		for i := range f.Contacts {
			if c := &f.Contacts[i]; c.B == ball && c.Area > 0 {
				t.Error("faces of a contact surface are among the contacts")
			}
		}
	}
	if seen < 15 {
		t.Errorf("%d contact surfaces in %d frames", seen, rec.Len())
	}
}
