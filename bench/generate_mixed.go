package bench

import (
	"bytes"
	"fmt"
	"math"
)

// heap has walls of 1 m: bodies pile up and touch those of other shapes, which the bin keeps together.
const heap = `# Spheres, boxes, capsules, cylinders and ellipsoids fall into an open bin.
time: {step: 2e-3, duration: 3}

materials:
  default: {density: 1000, stiffness: 1e6, dissipation: 10, friction: 0.5}

bodies:
  bin:
    fixed: true
    shapes:
      - {box: {size: [%[1]g, %[1]g, 0.2]}, pose: {xyz: [0, 0, -0.1]}}
      - {box: {size: [0.1, %[1]g, 1]}, pose: {xyz: [%[2]g, 0, 0.5]}}
      - {box: {size: [0.1, %[1]g, 1]}, pose: {xyz: [-%[2]g, 0, 0.5]}}
      - {box: {size: [%[1]g, 0.1, 1]}, pose: {xyz: [0, %[2]g, 0.5]}}
      - {box: {size: [%[1]g, 0.1, 1]}, pose: {xyz: [0, -%[2]g, 0.5]}}

tables:
  objects:
    file: objects.csv
    name: "{kind}_{i}"
    kinds:
      sphere: {shapes: [{sphere: {radius: 0.04}}]}
      box: {shapes: [{box: {size: [0.1, 0.06, 0.04]}}]}
      capsule: {shapes: [{capsule: {radius: 0.02, length: 0.08}}]}
      cylinder: {shapes: [{cylinder: {radius: 0.03, length: 0.06}}]}
      ellipsoid: {shapes: [{ellipsoid: {semi_axes: [0.05, 0.03, 0.02]}}]}
`

// mixed returns layers of n × n bodies of five shapes above a bin, turned in many ways.
func mixed(n, layers int) func() (map[string][]byte, error) {
	const pitch = 0.125 // more than the diameter of any of them
	// made only when the scene is measured
	return func() (map[string][]byte, error) {
		var csv bytes.Buffer
		fmt.Fprintln(&csv, "i,kind,x,y,z,qw,qx,qy,qz")
		// a cycle along three axes, so that every kind meets every other
		kinds := [5]string{"sphere", "ellipsoid", "box", "cylinder", "capsule"}
		for i := range n * n * layers {
			// layer by layer from below, in rows along x
			x, y, z := i%n, i/n%n, i/(n*n)
			// unit quaternions along a path that never closes
			// the same on every machine: no generator of random numbers
			s1, c1 := math.Sincos(float64(i))
			s2, c2 := math.Sincos(1.3 * float64(i))
			s3, c3 := math.Sincos(1.7 * float64(i))
			fmt.Fprintf(&csv, "%d,%s,%.6g,%.6g,%.6g,%.15g,%.15g,%.15g,%.15g\n", i, kinds[(x+2*y+z)%5],
				pitch*(float64(x)-float64(n-1)/2), pitch*(float64(y)-float64(n-1)/2), 0.07+pitch*float64(z),
				c1*c2, c1*s2, s1*c3, s1*s3)
		}
		// the grid fills the bin, so that the bodies fall onto each other, not beside
		inside := pitch * float64(n)
		scene := fmt.Sprintf(heap, inside+0.2, inside/2+0.05)
		return map[string][]byte{sceneFile: []byte(scene), "objects.csv": csv.Bytes()}, nil
	}
}
