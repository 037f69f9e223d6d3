package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/sim"
)

const pressed = timeOf + `
materials:
  default: {stiffness: 1e6}
  soft: {hydroelastic_modulus: 2e6}
meshes: {bar: {box: {size: [0.1, 0.1, 0.1], cells: [3, 3, 3]}}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  ball: {mass: 1, pose: {xyz: [0, 0, 0.0999]}, shapes: [{sphere: {radius: 0.1}, material: soft, resolution_hint: 0.05}]}
  bar: {mass: 1, pose: {xyz: [1, 0, 0.06]}, shapes: [{mesh: {mesh: bar}, material: soft}]}
  rod: {mass: 1, pose: {xyz: [2, 0, 0.5]}, shapes: [{capsule: {radius: 0.1, length: 0.2}}, {cylinder: {radius: 0.1, length: 0.2}, material: soft}]}
signals:
  force: {body: ball, contact_force: z}
  moment_Ncm: {body: ball, contact_moment: y, point: [0.1, 0, 0], from: [ground], scale: 100}
`

func TestShapesOfCompliantMaterialsGetFields(t *testing.T) {
	sc, err := load(t, fixtures(t), pressed)
	if err != nil {
		t.Fatal(err)
	}
	g := sc.Model.Geometry.Geoms
	for i, compliant := range []bool{false, true, true, false, true} {
		if g[i].Field == nil || g[i].Field.Compliant() != compliant {
			t.Errorf("%s %d: field %T", g[i].Name, i, g[i].Field)
		}
	}
	ball := g[1].Field.(*hydroelastic.Compliant)
	// twice the fall of a step of 10 ms is 2 mm, less than a twentieth of 0.2 m
	if ball.HydroelasticModulus() != 2e6 || math.Abs(ball.Margin()-2*9.81e-4) > 1e-12 {
		t.Errorf("modulus %g, margin %g", ball.HydroelasticModulus(), ball.Margin())
	}
	if bar := g[2].Field.(*hydroelastic.Compliant); bar.NumCells() < 162 || bar.NumCells() > 1000 {
		t.Errorf("%d cells: not those of the mesh", bar.NumCells())
	}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	if err := s.Step(x, 1e-3); err != nil {
		t.Fatal(err)
	}
	v := sc.Signals.Evaluate(s, x, sc.Signals.NewMemory(), nil)
	if v[0] <= 0 || math.Abs(v[1]-100*0.1*v[0]) > 1e-6*v[1] {
		t.Errorf("force and moment %v", v)
	}
}

// A worm without a bore has no tetrahedra in layers: only a pressure field or a
// deformable needs them.
// Faces of pressure fields cannot be known again in the next step.
func TestPreviousFrictionIsDoubtedOfFields(t *testing.T) {
	text := timeOf + "bodies: {ground: {fixed: true, shapes: [{half_space: {}}]}, ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}\n"
	field, previous := "materials: {default: {hydroelastic_modulus: 1e6}}\n", "solver: {friction_lag: previous}\n"
	for _, c := range []struct{ text, want string }{{text + field, ""}, {text + previous, ""}, {text + field + previous, "'sweep' bounds it by the normal impulse"}} {
		if got := warned(t, c.text, "friction lag"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.text, got, c.want)
		}
	}
}

func TestPartsGetTetrahedraOnlyWhereTheyAreNeeded(t *testing.T) {
	text := timeOf + `
materials: {hard: {}, soft: {hydroelastic_modulus: 1e9}}
meshes: {w: {part: {worm: {bore: 0}}}, g: {part: {spur: {teeth: 18, bore: 4e-3}}, scale: [2, 2, 2]}}
bodies:
  w: {shapes: [{mesh: {mesh: w}, material: hard}]}
  g: {pose: {xyz: [1, 0, 0]}, shapes: [{mesh: {mesh: g}, material: soft}, {mesh: {mesh: g}, pose: {xyz: [0, 0, 1]}, material: soft}]}
`
	sc := mustLoad(t, fixtures(t), text)
	field := sc.Model.Geometry.Geoms[1].Field.(*hydroelastic.Compliant)
	if d := field.Bounds().Size(); math.Abs(d[1]-40e-3) > 2e-3 { // reaches beyond the surface by a little
		t.Errorf("the field of a gear of 20 mm made twice as large has the size %v", d)
	}
	_, err := load(t, fixtures(t), strings.Replace(text, "material: hard", "material: soft", 1))
	if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), "scene.yaml:4:10: meshes.w.part.worm: tetrahedra in layers under the thread need a bore") {
		t.Errorf("got %v", err)
	}
	_, err = load(t, fixtures(t), timeOf+"meshes: {w: {part: {worm: {bore: 0}}}}\ndeformables: {w: {mesh: w}, v: {mesh: w}}\n")
	if err == nil || strings.Count(err.Error(), "bore") != 1 {
		t.Errorf("got %v", err)
	}
}

func TestFaultyFieldsSayWhereWhatAndHow(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"modulus", "hydroelastic_modulus: 2e6", "hydroelastic_modulus: 0", "materials.soft.hydroelastic_modulus is 0 Pa: it must be positive"},
		{"resolution", "resolution_hint: 0.05", "resolution: -1", "bodies.ball: hydroelastic: sphere: resolution hint is -1 m"},
		{"too fine", "resolution_hint: 0.05", "resolution_hint: 1e-7", "choose a coarser one"},
		{"thickness", "half_space: {}}", "half_space: {thickness: -1}, material: soft}", "half_space.thickness is -1 m: it must be positive"},
		{"margin", "materials:", "solver: {hydroelastic_margin: -1}\nmaterials:", "margin is -1 m"},
	} {
		_, err := load(t, fixtures(t), strings.Replace(pressed, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.name, err, c.want)
		}
	}
}

func TestScenesMakeMachineParts(t *testing.T) {
	text := timeOf + "meshes: {g: {part: {spur: {module: 1e-3, teeth: 18, face_width: 4e-3, bore: 4e-3}}}}\n" +
		"bodies: {g: {shapes: [{mesh: {mesh: g}}]}}\n"
	sc, err := load(t, fixtures(t), text)
	if err != nil {
		t.Fatal(err)
	}
	if d := sc.Model.Geometry.Geoms[0].Shape.Bounds().Size(); math.Abs(d[1]-20e-3) > 0.2e-3 || math.Abs(d[2]-4e-3) > 1e-9 {
		t.Errorf("a gear of 18 teeth of module 1 mm and 4 mm width has the size %v", d)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"kind", "spur:", "spurr:", `meshes.g.part: unknown kind "spurr": did you mean "spur"?`},
		{"parameter", "teeth:", "tooth:", `spur: no parameter is called "tooth"`},
		{"misspelled parameter", "teeth:", "teth:", `meshes.g.part.spur: no parameter is called "teth": did you mean "teeth"?`},
		{"undercut", "teeth: 18", "teeth: 5", "meshes.g.part.spur"},
		{"two", "{spur:", "{rack: {}, spur:", "one kind is required"},
		{"and a box", "part:", "box: {size: [1, 1, 1], cells: [1, 1, 1]}, part:", "one of file, box and part is required"},
	} {
		_, err := load(t, fixtures(t), strings.Replace(text, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.name, err, c.want)
		}
	}
}

// Shapes of one mesh are one shape, and have one field for each stiffness and
// resolution.
func TestShapesOfAMeshShareTheirField(t *testing.T) {
	bodies := `
  bar_b: {mass: 1, pose: {xyz: [1, 1, 0.06]}, shapes: [{mesh: {mesh: bar}, material: soft}]}
  bar_c: {mass: 1, pose: {xyz: [1, 2, 0.06]}, shapes: [{mesh: {mesh: bar}, material: stiff}]}
  bar_d: {mass: 1, pose: {xyz: [1, 3, 0.06]}, shapes: [{mesh: {mesh: bar}}]}
  bar_e: {mass: 1, pose: {xyz: [1, 4, 0.06]}, shapes: [{mesh: {mesh: bar}, resolution_hint: 0.02}]}
  bar_f: {mass: 1, pose: {xyz: [1, 5, 0.06]}, shapes: [{mesh: {mesh: bar}, resolution_hint: 0.02}]}
signals:`
	text := strings.Replace(pressed, "\nsignals:", bodies, 1)
	text = strings.Replace(text, "\nmeshes:", "\n  stiff: {hydroelastic_modulus: 4e6}\nmeshes:", 1)
	sc, err := load(t, fixtures(t), text)
	if err != nil {
		t.Fatal(err)
	}
	g := sc.Model.Geometry.Geoms
	b := g[len(g)-5:]
	if bar := g[2]; bar.Field != b[0].Field || bar.Shape != b[0].Shape || b[2].Shape != b[3].Shape {
		t.Error("shapes of one mesh are not shared")
	}
	if b[3].Field != b[4].Field {
		t.Error("rigid surfaces of one resolution are not shared")
	}
	for i := range b[:4] {
		for j := range i {
			if b[i].Field == b[j].Field {
				t.Errorf("%s has the field of %s", b[i].Name, b[j].Name)
			}
		}
	}
}
