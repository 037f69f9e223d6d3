package scene

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

// softModel is a model of one deformable link, a bar along x with other elements.
func softModel(more string) string {
	return `<sdf version="1.9"><model name="m"><link name="bar"><pose>0 0 0.03 0 0 0</pose><collision name="c"><geometry><mesh><uri>bar.vtk</uri><scale>0.5 1 1</scale></mesh></geometry>` +
		`<drake:proximity_properties><drake:mu_dynamic>0.4</drake:mu_dynamic><drake:mu_static>0.6</drake:mu_static><drake:hunt_crossley_dissipation>5</drake:hunt_crossley_dissipation></drake:proximity_properties></collision>` +
		`<drake:deformable_properties><drake:youngs_modulus>2e5</drake:youngs_modulus><drake:poissons_ratio>0.3</drake:poissons_ratio><drake:mass_density>1100</drake:mass_density>` +
		`<drake:stiffness_damping>0.01</drake:stiffness_damping><drake:material_model>neohookean</drake:material_model></drake:deformable_properties>` + more + `</link></model></sdf>`
}

// A deformable link of an SDFormat file moves in the bits of the same deformable of a scene, free and behind a
// wall, wherever the scene places the file.
func TestDeformablesOfFilesMoveAsThoseOfScenes(t *testing.T) {
	bar, err := meshes.BoxTets(r3.Vec{0.4, 0.04, 0.04}, [3]int{8, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"free.sdf": softModel(""), "held.sdf": softModel(
		`<drake:wall_boundary_condition><drake:point_on_plane>-0.09 0 0</drake:point_on_plane><drake:outward_normal>1 0 0</drake:outward_normal></drake:wall_boundary_condition>`)})
	if err := formats.WriteTet(filepath.Join(dir, "bar.vtk"), bar); err != nil {
		t.Fatal(err)
	}
	const floor = "time: {step: 0.005, duration: 1}\nbodies: {floor: {fixed: true, shapes: [{half_space: {}}]}}\n"
	for file, attach := range map[string]string{"free.sdf": "", "held.sdf": ", attach: [{body: world, where: {x_max: -0.09}}]"} {
		ours := mustLoad(t, dir, floor+"robots: {r: {file: "+file+", pose: {xyz: [1, 0, 0.02]}}}\n")
		twin := mustLoad(t, dir, floor+"materials: {default: {}, soft: {friction: {static: 0.6, dynamic: 0.4}, dissipation: 5, density: 1100, youngs_modulus: 2e5, poissons_ratio: 0.3, stiffness_damping: 0.01, constitutive_law: neo_hookean}}\n"+
			"meshes: {bar: {file: bar.vtk, scale: [0.5, 1, 1]}}\ndeformables: {bar: {mesh: bar, elements: tet4, material: soft, pose: {xyz: [1, 0, 0.05]}"+attach+"}}\n")
		if len(ours.Warnings) != len(twin.Warnings) {
			t.Errorf("%s: warnings %q, of the scene %q", file, ours.Warnings, twin.Warnings)
		}
		a, _ := path(t, ours, 60)
		b, _ := path(t, twin, 60)
		// positions of the deformable come last: the root link of the file has none
		x, y := a[59], b[59]
		if len(x) != len(y) || len(x) < 100 {
			t.Fatalf("%s: %d and %d positions", file, len(x), len(y))
		}
		moved := false
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("%s: position %d is %v, in the scene %v", file, i, x[i], y[i])
			}
			moved = moved || x[i] != a[0][i]
		}
		if !moved {
			t.Errorf("%s: nothing moves", file)
		}
	}
}

// A file without tetrahedra is refused at the link's line.
func TestDeformablesOfFilesNeedTetrahedra(t *testing.T) {
	dir := folder(t, map[string]string{"free.sdf": strings.Replace(softModel(""), "bar.vtk", "cube.obj", 1), "cube.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"})
	_, err := load(t, dir, "time: {step: 0.005, duration: 1}\nrobots: {r: {file: free.sdf}}\n")
	if err == nil || !strings.Contains(err.Error(), "free.sdf:1:") || !strings.Contains(err.Error(), "tetrahedra") {
		t.Error(err)
	}
}
