package sdf

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// soft is a deformable link with properties and other elements.
func soft(properties, more string) string {
	return "<link name='a'><pose>1 0 0 0 0 1.5707963267948966</pose><collision name='c'><pose>0.1 0 0 0 0 0</pose><geometry><mesh><uri>a.vtk</uri><scale>2 2 2</scale></mesh></geometry>" +
		"<drake:proximity_properties><drake:mu_dynamic>0.4</drake:mu_dynamic></drake:proximity_properties></collision>" +
		"<visual name='v'><geometry><empty/></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>" +
		"\n<drake:deformable_properties>" + properties + "</drake:deformable_properties>" + more + "</link>"
}

// parseModel reads a model at x = 5 m from its elements, which begin in line 2.
func parseModel(inside string) (*robot.Robot, []robot.Warning, error) {
	return Parse(strings.NewReader("<sdf version='1.9'><model name='m'><pose>5 0 0 0 0 0</pose>\n"+inside+"</model></sdf>"), "m.sdf", nil)
}

// Deformable links are read beside the tree of rigid ones, with Drake's defaults where the file is silent.
func TestDeformableLinksAreRead(t *testing.T) {
	m, warnings, err := parseModel(soft("", ""))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	// a root without inertia stands for the world
	if len(m.Links) != 1 || m.Links[0].Name != "world" || m.Links[0].Inertial != nil || len(m.Deformables) != 1 {
		t.Fatalf("%+v", m)
	}
	d := m.Deformables[0]
	if d.YoungsModulus != 1e8 || d.PoissonsRatio != 0.49 || d.Density != 1500 || d.MassDamping != 0 || d.StiffnessDamping != 0 || d.Law != "corotational" {
		t.Errorf("defaults: %+v", d)
	}
	if d.Name != "a" || d.Line != 2 || d.Mesh.File != "a.vtk" || d.Mesh.Scale != [3]float64{2, 2, 2} || *d.Material.Friction != 0.4 || d.Color != "#ff0000" {
		t.Errorf("%+v", d)
	}
	// the model at 5, the link at 1, the collision at 0.1 along the link's x, which is y
	if p := d.X_FD.Point([3]float64{1, 0, 0}); p.Sub([3]float64{6, 1.1, 0}).Norm() > 1e-12 {
		t.Errorf("(1, 0, 0) of the mesh lies at %v", p)
	}
	m, warnings, err = parseModel(soft("<drake:youngs_modulus>3e4</drake:youngs_modulus><drake:poissons_ratio>0.4</drake:poissons_ratio><drake:mass_density>900</drake:mass_density>"+
		"<drake:stiffness_damping>0.01</drake:stiffness_damping><drake:mass_damping>0.5</drake:mass_damping><drake:material_model>neohookean</drake:material_model>",
		"<drake:wall_boundary_condition><drake:point_on_plane>6 0 0</drake:point_on_plane><drake:outward_normal>0 2 0</drake:outward_normal></drake:wall_boundary_condition>") +
		"<link name='b'>" + body + "</link>")
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	d = m.Deformables[0]
	if d.YoungsModulus != 3e4 || d.PoissonsRatio != 0.4 || d.Density != 900 || d.StiffnessDamping != 0.01 || d.MassDamping != 0.5 || d.Law != "neo_hookean" {
		t.Errorf("%+v", d)
	}
	if len(d.Walls) != 1 || !d.Walls[0].Holds([3]float64{0, -0.1, 3}) || d.Walls[0].Holds([3]float64{0, 0, 3}) {
		t.Errorf("walls %+v", d.Walls)
	}
	if len(m.Links) != 1 || m.Links[m.Root].Name != "b" {
		t.Errorf("links %+v", m.Links)
	}
}

// What Drake refuses is refused, with the line and what is allowed.
func TestFaultyDeformableLinksAreRefused(t *testing.T) {
	ok := soft("", "")
	mesh := "<mesh><uri>a.vtk</uri><scale>2 2 2</scale></mesh>"
	for _, c := range []struct{ inside, want string }{
		{soft("<drake:youngs_modulus>0</drake:youngs_modulus>", ""), "m.sdf:3: link \"a\": drake:youngs_modulus 0 must be positive"},
		{soft("<drake:poissons_ratio>0.5</drake:poissons_ratio>", ""), "must be above -1 and below 0.5"},
		{soft("<drake:mass_density>-1</drake:mass_density>", ""), "drake:mass_density -1 must be positive"},
		{soft("<drake:mass_damping>-1</drake:mass_damping>", ""), "must not be negative"},
		{soft("<drake:material_model>jelly</drake:material_model>", ""), `the material model "jelly" is not known: linear_corotated, corotated, neohookean and linear are`},
		{strings.Replace(ok, mesh, "<sphere><radius>1</radius></sphere>", 1), "the collision of a deformable link is a <mesh> of tetrahedra"},
		{strings.Replace(ok, "2 2 2", "2 -2 2", 1), "three positive factors are required"},
		{strings.Replace(ok, "<visual", "<collision name='d'><geometry>"+mesh+"</geometry></collision><visual", 1), "has 2 collisions: a deformable link has one"},
		{soft("", "<drake:wall_boundary_condition><drake:point_on_plane>0 0 0</drake:point_on_plane><drake:outward_normal>0 0 0</drake:outward_normal></drake:wall_boundary_condition>"), "its normal is zero"},
		{ok + "<joint name='j' type='fixed'><parent>world</parent><child>a</child></joint>", `joint "j": link "a" is deformable, and joints connect rigid links`},
		{ok + "<link name='b'>" + body + "</link><joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>", `joint "j": link "a" is deformable`},
	} {
		if _, _, err := parseModel(c.inside); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant %s", c.inside, err, c.want)
		}
	}
}

// A law that is read as another is warned of.
func TestCorotatedIsReadAsLinearCorotated(t *testing.T) {
	m, warnings, err := parseModel(soft("<drake:material_model>corotated</drake:material_model>", ""))
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "is read as linear_corotated") || m.Deformables[0].Law != "corotational" {
		t.Error(m, warnings, err)
	}
}
