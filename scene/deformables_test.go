package scene

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

// A region selects the vertices that satisfy each of its bounds one by one.
func TestRegionsSelectVerticesAsBruteForceDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	text := timeOf + "meshes: {bar: {box: {size: [0.4, 0.2, 0.1], cells: [4, 3, 2]}}}\ndeformables: {bar: {mesh: bar, attach: [{body: world, where: {REGION}}]}}\n"
	verts := mustLoad(t, t.TempDir(), strings.Replace(text, ", attach: [{body: world, where: {REGION}}]", "", 1)).Static.Deformables[0].Rest
	size := r3.Vec{0.4, 0.2, 0.1}
	found := 0
	for range 60 {
		// each bound is there or not: half-spaces, slabs, boxes and the whole mesh
		var bounds []string
		lo, hi := r3.Vec{}, r3.Vec{}
		for k, axis := range []string{"x", "y", "z"} {
			lo[k], hi[k] = math.Inf(-1), math.Inf(1)
			a, b := (rng.Float64()-0.5)*size[k], (rng.Float64()-0.5)*size[k]
			if rng.IntN(2) == 0 {
				lo[k] = min(a, b)
				bounds = append(bounds, fmt.Sprintf("%s_min: %.17g", axis, lo[k]))
			}
			if rng.IntN(2) == 0 {
				hi[k] = max(a, b)
				bounds = append(bounds, fmt.Sprintf("%s_max: %.17g", axis, hi[k]))
			}
		}
		want := map[int]bool{}
		for i, p := range verts {
			if p[0] >= lo[0] && p[0] <= hi[0] && p[1] >= lo[1] && p[1] <= hi[1] && p[2] >= lo[2] && p[2] <= hi[2] {
				want[i] = true
			}
		}
		sc, err := load(t, t.TempDir(), strings.Replace(text, "REGION", strings.Join(bounds, ", "), 1))
		if len(want) == 0 {
			if err == nil || !strings.Contains(err.Error(), "no vertex lies in this region") {
				t.Errorf("%v: got %v", bounds, err)
			}
			continue
		}
		found++
		if len(want) == len(verts) {
			continue // nothing moves, which the builder reports
		}
		if err != nil {
			t.Fatalf("%v: %v", bounds, err)
		}
		if got := heldVerts(t, sc); !slices.Equal(got, keysSorted(want)) {
			t.Errorf("%v has %v, want %v", bounds, got, keysSorted(want))
		}
	}
	if found < 30 {
		t.Errorf("only %d regions had vertices", found)
	}
}

// heldVerts are the vertices that do not fall in a step.
func heldVerts(t *testing.T, sc *Scene) []int {
	t.Helper()
	q, _ := path(t, sc, 1)
	var held []int
	for i := range len(q[0]) / 3 {
		if q[0][3*i+2] == sc.Model.Start.Q[3*i+2] {
			held = append(held, i)
		}
	}
	return held
}

// keysSorted are the numbers of a set.
func keysSorted(set map[int]bool) []int {
	var list []int
	for i := range set {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// Bounds are inclusive, and of the mesh's own frame: the pose does not move the region.
func TestRegionsAreOfTheMeshAtRest(t *testing.T) {
	for _, pose := range []string{"", ", pose: {xyz: [5, 6, 7], rpy_deg: [0, 90, 0]}"} {
		sc := mustLoad(t, t.TempDir(), timeOf+"meshes: {bar: {box: {size: [0.4, 0.2, 0.2], cells: [2, 1, 1]}}}\n"+
			"deformables: {bar: {mesh: bar"+pose+", attach: [{body: world, where: {x_max: -0.2}}]}}\n")
		// the face x = −0.2 of the mesh has four of the twelve vertices
		if n := len(heldVerts(t, sc)); n != 4 {
			t.Errorf("%q: %d vertices are fixed, want 4", pose, n)
		}
	}
}

// A free deformable of density ρ has the mass ρ V and falls as a point does: after n
// steps of implicit integration by g h² n (n+1)/2.
func TestDeformablesHaveTheMassAndFallOfTheirVolume(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), "time: {step: 0.01, duration: 1}\nmaterials: {foam: {density: 250}}\nmeshes: {bar: {box: {size: [0.4, 0.2, 0.1], cells: [2, 2, 2]}}}\n"+
		"deformables: {bar: {mesh: bar, material: foam, pose: {xyz: [0, 0, 3]}, velocity: [2, 0, 0]}}\n"+
		"signals: {p: {momentum: x}, z: {body: bar, point: [0, 0, 0], position: z}, x: {body: bar, point: [0, 0, 0], position: x}}\n")
	v := simulate(t, sc, 0)
	near(t, "momentum", v["p"], 250*0.4*0.2*0.1*2, 1e-12)
	const n, h = 20, 0.01
	v = simulate(t, sc, n*h)
	near(t, "height", v["z"], 3-9.81*h*h*n*(n+1)/2, 1e-6)
	near(t, "way", v["x"], 2*n*h, 1e-6)
}

// elements chooses what a deformable is made of: auto unless said, hex12 where the mesh has
// cells, with any law; an unknown name is an error.
func TestElementsOfDeformables(t *testing.T) {
	text := timeOf + "materials: {rubber: {constitutive_law: LAW}}\nmeshes: {bar: {box: {size: [0.4, 0.2, 0.1], cells: [4, 3, 2]}}}\ndeformables: {bar: {mesh: bar, material: rubber, ELEMENTS}}\n"
	for _, c := range []struct{ elements, law, want string }{
		{"self_contact: false", "corotational", "hex12"},
		{"elements: tet4", "corotational", "tet4"},
		{"elements: hex12", "corotational", "hex12"},
		{"elements: auto", "linear", "hex12"},
		{"elements: auto", "neo_hookean", "hex12"},
		{"elements: tet10", "corotational", "tet10"},
		{"elements: tet10", "neo_hookean", "tet10"},
		{"elements: hex12", "mooney_rivlin", "hex12"},
		{"elements: hex8", "corotational", `deformables.bar.elements: unknown finite element "hex8": did you mean "hex12"?`},
	} {
		sc, err := load(t, t.TempDir(), strings.NewReplacer("LAW", c.law, "ELEMENTS", c.elements).Replace(text))
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", c.elements, c.law, err)
			}
			continue
		}
		if got := sc.Model.Deformables[0].Elements().String(); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.elements, c.law, got, c.want)
		}
	}
}

// vertices counts the nodes of ten-node tets, and auto takes these where a mesh has no cells; a body of linear tets
// beside it keeps its own mesh.
func TestVerticesAreTheNodesOfElements(t *testing.T) {
	text := `
materials: {rubber: {youngs_modulus: 1e6, poissons_ratio: 0.3, constitutive_law: LAW}}
meshes: {ball: {file: ball.stl, vertices: 1500, allow_loss: true}}
deformables:
  ball: {mesh: ball, material: rubber, elements: ELEMENTS}
  linear: {mesh: ball, material: rubber, elements: tet4, pose: {xyz: [1, 0, 0]}}
`
	ball, err := geometry.NewEllipsoid(r3.Vec{0.03, 0.02, 0.02})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ elements, law, want string }{
		{"tet10", "corotational", "tet10"}, {"null", "corotational", "tet10"}, {"auto", "linear", "tet10"}, {"auto", "neo_hookean", "tet10"}, {"tet4", "linear", "tet4"},
	} {
		dir := t.TempDir()
		if err := formats.WriteTri(filepath.Join(dir, "ball.stl"), ball.SurfaceMesh()); err != nil {
			t.Fatal(err)
		}
		sc, err := load(t, dir, timeOf+strings.NewReplacer("LAW", c.law, "ELEMENTS", c.elements).Replace(text))
		if err != nil {
			t.Fatal(err)
		}
		m := sc.Model.Deformables
		if got := m[0].Elements().String(); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.elements, c.law, got, c.want)
		}
		for _, b := range m {
			if n := b.NumVerts(); math.Abs(float64(n)/1500-1) > 0.2 {
				t.Errorf("%s, %s: %s has %d vertices, want about 1500", c.elements, c.law, b.Name(), n)
			}
		}
	}
}

// Dimensions of a generated finger are values of the scene, and its tetrahedra carry the cells that hex12 needs.
func TestDimensionsOfAFingerAreValuesOfTheScene(t *testing.T) {
	const text = timeOf + "materials: {rubber: {youngs_modulus: 2.5e6, poissons_ratio: 0.45, density: 1000}}\nmeshes: {finger: {part: {finray: {rib_angle: 0.2}}}}\n" +
		"bodies: {base: {fixed: true}}\ndeformables: {finger: {mesh: finger, material: rubber, elements: hex12, attach: [{body: base, where: {x_max: 0.006}}]}}\n"
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	vertices := func(set ...string) int {
		t.Helper()
		sc, err := Load(path, set)
		if err != nil {
			t.Fatal(err)
		}
		return len(sc.Model.Start.V) / 3
	}
	six := vertices()
	if eight := vertices("meshes.finger.part.finray.ribs=8"); eight <= six || six != vertices("meshes.finger.part.finray.rib=0.0018001") {
		t.Errorf("%d vertices with six ribs, %d with eight", six, eight)
	}
}

// Without a key a deformable has the most accurate elements of its mesh: hexahedra where a file has
// some, ten-node tetrahedra on a file of four-node ones, whose attachments fix the midpoints
// too. The model's note says which and why.
func TestElementsOfVolumeFiles(t *testing.T) {
	box, err := meshes.BoxTets(r3.Vec{0.1, 0.02, 0.02}, [3]int{5, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	tets := &meshes.Tet{Verts: box.Verts, Tets: box.Tets}
	for _, c := range []struct {
		mesh *meshes.Tet
		note string
		held int
	}{
		{box, "hex12 (auto), 5 elements, 24 nodes", 4},
		{tets, "tet10 (auto; not hex12, for the mesh has no hexahedra), 30 elements, 99 nodes", 9},
		{tets.Quadratic(), "tet10 (auto; not hex12, for the mesh has no hexahedra), 30 elements, 99 nodes", 9},
	} {
		dir := t.TempDir()
		if err := formats.WriteTet(filepath.Join(dir, "bar.vtk"), c.mesh); err != nil {
			t.Fatal(err)
		}
		sc := mustLoad(t, dir, timeOf+"meshes: {bar: {file: bar.vtk, unit: m}}\ndeformables: {bar: {mesh: bar, attach: [{body: world, where: {x_max: -0.0499}}]}}\n")
		if note := sc.Model.Deformables[0].ElementsNote(); note != c.note {
			t.Errorf("%q, want %q", note, c.note)
		}
		if n := len(heldVerts(t, sc)); n != c.held {
			t.Errorf("%s: %d vertices are fixed, want %d", c.note, n, c.held)
		}
	}
}
