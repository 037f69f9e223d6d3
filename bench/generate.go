package bench

import (
	"bytes"
	"fmt"
)

// Scenes that the program generates, because their sizes vary or their files would be long.

// beam is a scene: an elastic block, fixed at one end, begins to sag.
const beam = `# An elastic block of %[2]d × %[3]d × %[4]d cells, held at one end, begins to sag.
time: {step: 0.01, duration: 1}

materials:
  default: {youngs_modulus: 5e6, poissons_ratio: 0.3, density: 500, stiffness_damping: 0.02}

meshes:
  block: {box: {size: [%[5]g, %[6]g, %[7]g], cells: [%[2]d, %[3]d, %[4]d]}}

deformables:
  block: {mesh: block, material: default, elements: tet4, attach: [{body: world, where: {x_max: %[8]g}}]}
%[1]s`

// block is an elastic block of cells of edge length edge.
// One step of a beam that begins to sag has all the work of later ones, for the pattern of its matrix
// never changes.
func block(name, description string, cells [3]int, edge float64, steps int) Scene {
	return Scene{Name: name, Description: description, WarmUpSteps: 1, Steps: steps, files: func() (map[string][]byte, error) {
		var size [3]float64
		for i, n := range cells {
			// lengths follow from cells: all blocks of a series have cells of one size or one total size
			size[i] = edge * float64(n)
		}
		// the end at −x is fixed: a quarter of a cell catches its vertices alone
		text := fmt.Sprintf(beam, "", cells[0], cells[1], cells[2], size[0], size[1], size[2], edge/4-size[0]/2)
		return map[string][]byte{sceneFile: []byte(text)}, nil
	}}
}

// cantilever is a beam ten times as long as thick, k cells across: (10k+1)(k+1)²
// vertices.
func cantilever(name string, k, steps int) Scene {
	// separators have (k+1)² vertices wherever the beam is cut
	description := fmt.Sprintf("a deformable cantilever of %d vertices, no contact", (10*k+1)*(k+1)*(k+1))
	// 20 mm thick whatever k: finer cells, not a larger beam
	return block(name, description, [3]int{10 * k, k, k}, 0.02/float64(k), steps)
}

// plate is square and k cells wide, one cell thick: 2(k+1)² vertices.
func plate(k, steps int) Scene {
	// separators are lines of 2(k+1) vertices: the factor costs n^1.5
	description := fmt.Sprintf("a thin plate of %d vertices, fixed along one edge", 2*(k+1)*(k+1))
	return block(fmt.Sprintf("fem-plate-%d", k), description, [3]int{k, k, 1}, 2e-3, steps)
}

// strip is k cells long, eight wide and one thick: 18(k+1) vertices.
func strip(k, steps int) Scene {
	// separators have a constant 18 vertices: the factor costs n
	description := fmt.Sprintf("a thin strip of %d vertices, fixed at one end", 18*(k+1))
	return block(fmt.Sprintf("fem-strip-%d", k), description, [3]int{k, 8, 1}, 2e-3, steps)
}

// cube is k cells wide: (k+1)³ vertices.
func cube(k, steps int) Scene {
	// separators are planes of (k+1)² vertices: the factor costs n²
	description := fmt.Sprintf("a cube of %d vertices, fixed at one face", (k+1)*(k+1)*(k+1))
	return block(fmt.Sprintf("fem-cube-%d", k), description, [3]int{k, k, k}, 0.1/float64(k), steps)
}

// masonry has gaps of 1 mm, so that the first steps have no contact and later ones all.
const masonry = `# A wall in running bond falls onto itself: 16 courses, half bricks at the ends of every
# other one.
time: {step: 0.01, duration: 1}

materials:
  default: {stiffness: 2e6, dissipation: 20, friction: 0.6, density: 1000}

bodies:
  ground:
    fixed: true
    shapes: [{half_space: {size: 10}}]

tables:
  bricks:
    file: bricks.csv
    name: "brick_{row}"
    kinds:
      whole: {shapes: [{box: {size: [0.2, 0.1, 0.1]}}]}
      half: {shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
`

// wall returns a wall of 8 × (62 + 63) = 1000 bricks of 0.2 m. Its contacts form one island once
// the gaps between its courses have closed.
func wall() (map[string][]byte, error) {
	const (
		pairs = 8     // of courses
		whole = 62    // bricks of a course without halves
		pitch = 0.201 // m, a brick and a gap of 1 mm
		high  = 0.101 // m, likewise
	)
	var csv bytes.Buffer
	// centres of the bricks, course by course
	put := func(kind string, x float64, course int) {
		fmt.Fprintf(&csv, "%s,%.6g,0,%.6g\n", kind, x, high*float64(course)+0.05)
	}
	fmt.Fprintln(&csv, "kind,x,y,z")
	// running bond: every other course begins with a half, so that courses interlock
	for p := range pairs {
		for i := range whole {
			put("whole", pitch*(float64(i)+0.5), 2*p)
		}
		// halves at both ends keep the wall's ends upright
		put("half", 0.05, 2*p+1)
		for i := range whole - 1 {
			put("whole", pitch*float64(i+1), 2*p+1)
		}
		put("half", pitch*whole-0.05, 2*p+1)
	}
	return map[string][]byte{sceneFile: []byte(masonry), "bricks.csv": csv.Bytes()}, nil
}
