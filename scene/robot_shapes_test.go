package scene

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// shapedRobot is a URDF of one link whose collision shapes are the given elements.
func shapedRobot(inside string) string {
	return `<robot name="r"><link name="base"/>` + urdfLink("a", "2", "1e-3", inside) + urdfJoint("j", "base", "a", "") + `</robot>`
}

// collision is a collision element with a pose and a shape.
func collision(xyz, rpy, shape string) string {
	return fmt.Sprintf(`<collision><origin xyz="%s" rpy="%s"/><geometry>%s</geometry></collision>`, xyz, rpy, shape)
}

// volume is the volume of a shape, m³.
func volume(t *testing.T, s geometry.Shape) float64 {
	t.Helper()
	m, err := geometry.MassOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return m.Mass
}

// Shapes of a robot file lie where the file says: points of their surface, found by the
// shape's formula in the link's frame, have the distance 0 from the shape of the model.
func TestPrimitiveShapesOfRobotsLieWhereTheFileSays(t *testing.T) {
	quarter := fmt.Sprintf("0 %.17g 0", math.Pi/2) // turns z to x
	for _, c := range []struct {
		name, xyz, rpy, shape string
		on                    []r3.Vec // points of the surface, in the link's frame
		volume                float64
	}{
		{"box", "0.1 0.2 0.3", "0 0 0", `<box size="0.2 0.4 0.6"/>`,
			[]r3.Vec{{0.2, 0.2, 0.3}, {0, 0.2, 0.3}, {0.1, 0.4, 0.3}, {0.1, 0.2, 0.6}}, 0.2 * 0.4 * 0.6},
		{"turned box", "0.1 0.2 0.3", quarter, `<box size="0.2 0.4 0.6"/>`,
			[]r3.Vec{{0.4, 0.2, 0.3}, {-0.2, 0.2, 0.3}, {0.1, 0.4, 0.3}, {0.1, 0.2, 0.4}}, 0.2 * 0.4 * 0.6},
		{"sphere", "-1 0 0", "1 2 3", `<sphere radius="0.25"/>`,
			[]r3.Vec{{-0.75, 0, 0}, {-1, 0.25, 0}, {-1.15, 0.2, 0}}, 4.0 / 3 * math.Pi * 0.25 * 0.25 * 0.25},
		{"cylinder", "0 0 1", "0 0 0", `<cylinder radius="0.1" length="0.5"/>`,
			[]r3.Vec{{0.1, 0, 1}, {0.06, 0.08, 1.1}, {0.02, 0, 1.25}, {0, 0.03, 0.75}}, math.Pi * 0.01 * 0.5},
		{"lying cylinder", "0 0 1", quarter, `<cylinder radius="0.1" length="0.5"/>`,
			[]r3.Vec{{0, 0, 1.1}, {0.1, 0.06, 1.08}, {0.25, 0, 1.02}, {-0.25, 0.03, 1}}, math.Pi * 0.01 * 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"r.urdf": shapedRobot(collision(c.xyz, c.rpy, c.shape))})
			sc := mustLoad(t, dir, timeOf+"robots: {r: {file: r.urdf}}\n")
			g := sc.Model.Geometry.Geoms[0]
			if name := sc.Model.Rigid.LinkName(g.Body); name != "r.a" {
				t.Errorf("the shape is on %s", name)
			}
			for _, p := range c.on {
				phi, _ := g.Shape.SignedDistance(g.X_BG.InvPoint(p))
				near(t, fmt.Sprintf("distance of %v", p), phi, 0, 1e-12)
			}
			near(t, "volume", volume(t, g.Shape), c.volume, 1e-3*c.volume)
			// the mass of a link is that of its inertial element, whatever its shapes are
			near(t, "mass", sc.Model.Rigid.Link(g.Body).Mass, 2, 0)
			// pictures show the same shape in the same place
			if shown := sc.Static.Geoms[0]; shown.X_BG != g.X_BG || shown.Hidden {
				t.Errorf("pictures show it at %v, hidden %v", shown.X_BG, shown.Hidden)
			}
		})
	}
}

// A cube of 0.1 m from a file, scaled by (1, 2, 3), spans ±(0.05, 0.1, 0.15) about its
// origin, by whatever name the file calls the mesh.
func TestMeshesOfRobotsAreFoundAndScaled(t *testing.T) {
	for _, c := range []struct{ name, file, packages string }{
		{"beside", "cube.stl", ""},
		{"file", "file://cube.stl", ""},
		{"package of the scene", "package://parts/cube.stl", ", packages: {parts: .}"},
		{"model of the scene", "model://parts/cube.stl", ", packages: {parts: .}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := fixtures(t)
			f := fixtureWriter{t, dir}
			f.write("m.urdf", shapedRobot(collision("1 0 0", "0 0 0", `<mesh filename="`+c.file+`" scale="1 2 3"/>`)))
			sc := mustLoad(t, dir, timeOf+"robots: {r: {file: m.urdf"+c.packages+"}}\n")
			g := sc.Model.Geometry.Geoms[0]
			for _, p := range []r3.Vec{{1.05, 0, 0}, {1, 0.1, 0}, {1, 0, -0.15}} {
				phi, _ := g.Shape.SignedDistance(g.X_BG.InvPoint(p))
				near(t, fmt.Sprintf("distance of %v", p), phi, 0, 1e-7) // STL has floats of 32 bits
			}
		})
	}
}

// Twenty visuals without a file and two that are no meshes make two warnings, which do not bury the
// one about contact.
func TestVisualsThatAreLeftOutAreReportedTogether(t *testing.T) {
	dir := fixtures(t)
	f := fixtureWriter{t, dir}
	f.write("bad.stl", "solid")
	var visuals string
	for i := range 22 {
		name := fmt.Sprintf("gone_%d.stl", i)
		if i%20 == 1 {
			name = "bad.stl"
		}
		visuals += "\n" + `<visual><geometry><mesh filename="` + name + `"/></geometry></visual>`
	}
	f.write("r.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="holed.stl"/>`)+visuals))
	all := mustLoad(t, dir, timeOf+"robots: {r: {file: r.urdf}}\n").Warnings
	for i, want := range []string{"holed.stl: 1 hole", "mesh holed.stl is not closed", "r.urdf:2: 20 visuals left out, the first: ", "r.urdf:3: 2 visuals left out, the first: "} {
		if i >= len(all) || !strings.Contains(all[i], want) {
			t.Errorf("warning %d of %q: want %q", i, all, want)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d warnings: %q", len(all), all)
	}
}

func TestOpenAndMissingMeshesOfRobots(t *testing.T) {
	dir := fixtures(t)
	f := fixtureWriter{t, dir}
	f.write("open.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="holed.stl"/>`)))
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: open.urdf}}\n")
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, "open.urdf:1: mesh holed.stl is not closed") || !strings.Contains(all, "convex hull is used for contact") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	// the hull of a cube with a hole is the cube
	near(t, "volume of the hull", volume(t, sc.Model.Geometry.Geoms[0].Shape), 1e-3, 1e-8)

	// a visual that is missing leaves the collision shape to be seen
	visual := `<visual><geometry><mesh filename="gone.stl"/></geometry></visual>`
	f.write("bare.urdf", shapedRobot(visual+collision("0 0 0", "0 0 0", `<sphere radius="0.1"/>`)))
	sc = mustLoad(t, dir, timeOf+"robots: {r: {file: bare.urdf}}\n")
	if len(sc.Static.Geoms) != 1 || sc.Static.Geoms[0].Hidden {
		t.Errorf("pictures have %+v", sc.Static.Geoms)
	}
}

// Pictures show a link's visuals in place of its collision shapes, unless the scene says
// otherwise; contact takes collision shapes in any case.
func TestVisualsAreShownInPlaceOfCollisionShapes(t *testing.T) {
	inside := `<visual><origin xyz="0 0 1"/><geometry><sphere radius="0.3"/></geometry></visual>` + collision("0 0 0", "0 0 0", `<sphere radius="0.1"/>`)
	dir := folder(t, map[string]string{"r.urdf": shapedRobot(inside)})
	for _, c := range []struct {
		key    string
		hidden []bool
		height float64 // of the first shape that pictures have
	}{{"", []bool{false, true}, 1}, {", visuals: true", []bool{false, true}, 1}, {", visuals: false", []bool{false}, 0}} {
		sc := mustLoad(t, dir, timeOf+"robots: {r: {file: r.urdf"+c.key+"}}\n")
		var hidden []bool
		for _, g := range sc.Static.Geoms {
			hidden = append(hidden, g.Hidden)
		}
		if fmt.Sprint(hidden) != fmt.Sprint(c.hidden) || sc.Static.Geoms[0].X_BG.P[2] != c.height {
			t.Errorf("%q: hidden %v at %v", c.key, hidden, sc.Static.Geoms[0].X_BG.P)
		}
		if n := len(sc.Model.Geometry.Geoms); n != 1 {
			t.Errorf("%q: %d shapes in contact", c.key, n)
		}
	}
}

// Contact parameters of a file make one variant of the material for all shapes that share
// them. A material that the scene names for the robot applies in their place.
func TestSurfacesOfRobotFilesMakeVariantsOfMaterials(t *testing.T) {
	surface := func(mu float64) string {
		return fmt.Sprintf(`<drake:proximity_properties><drake:mu_dynamic value="%g"/><drake:mu_static value="%g"/></drake:proximity_properties>`, mu, mu)
	}
	sphere := func(x, mu float64) string {
		return fmt.Sprintf(`<collision><origin xyz="%g 0 0"/><geometry><sphere radius="0.1"/></geometry>%s</collision>`, x, surface(mu))
	}
	inside := sphere(0, 0.3) + sphere(1, 0.3) + sphere(2, 0.7) + collision("3 0 0", "0 0 0", `<sphere radius="0.1"/>`)
	dir := folder(t, map[string]string{"r.urdf": strings.Replace(shapedRobot(inside), "<robot", `<robot xmlns:drake="http://drake.mit.edu"`, 1)})
	for _, c := range []struct {
		key      string
		friction []float64 // of each shape against itself
		kinds    int       // different materials among them
	}{
		{"", []float64{0.3, 0.3, 0.7, 0.5}, 3},
		{", material: rubber", []float64{0.9, 0.9, 0.9, 0.9}, 1},
	} {
		sc := mustLoad(t, dir, timeOf+"materials: {rubber: {friction: 0.9}}\nrobots: {r: {file: r.urdf"+c.key+"}}\n")
		used := map[int]bool{}
		for i, g := range sc.Model.Geometry.Geoms {
			pair, err := sc.Model.ContactMaterials.Pair(contactOf(g.Material))
			if err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprintf("friction of shape %d%s", i, c.key), pair.Friction, c.friction[i], 1e-15)
			used[g.Material] = true
		}
		if len(used) != c.kinds {
			t.Errorf("%d materials, want %d", len(used), c.kinds)
		}
	}
}
