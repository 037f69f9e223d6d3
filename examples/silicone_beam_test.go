package examples_test

import (
	"fmt"
	"math"
	"testing"
)

// decay returns the frequency (Hz) and the logarithmic decrement of samples y at steps of h (s) of a vibration about
// their mean, from its second difference equation y₊ = a y − b y₋.
func decay(y []float64, h float64) (hz, decrement float64) {
	var M [3][4]float64 // normal equations of y₊ = a y − b y₋ + c
	for k := 1; k+1 < len(y); k++ {
		row := [4]float64{y[k], -y[k-1], 1, y[k+1]}
		for i := range M {
			for j := range row {
				M[i][j] += row[i] * row[j]
			}
		}
	}
	for i := range M {
		for r := i + 1; r < 3; r++ {
			for j := 3; j >= i; j-- {
				M[r][j] -= M[r][i] / M[i][i] * M[i][j]
			}
		}
	}
	c := M[2][3] / M[2][2]
	b := (M[1][3] - M[1][2]*c) / M[1][1]
	a := (M[0][3] - M[0][2]*c - M[0][1]*b) / M[0][0]
	turn := math.Acos(a / (2 * math.Sqrt(b)))
	return turn / h / (2 * math.Pi), -math.Pi * math.Log(b) / turn
}

// The silicone beam of Dubied et al. 2022 with three weights has the measured frequencies within 5 % in steps of 10 ms
// under the midpoint rule, and decays as measured; under Euler it decays twice as fast or more.
func TestSiliconeBeamVibratesAsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates a beam, for seconds")
	}
	for _, c := range []struct {
		grams, hz, least, most float64 // measured frequency, and range of the decrement
		damping                float64 // s
	}{{0, 7.79, 0.33, 0.36, 0.00208}, {52, 4.35, 0.30, 0.35, 0.0035}, {102, 3.38, 0.39, 0.43, 0.0056}} {
		for _, rule := range []string{"midpoint", "euler"} {
			r := begin(t, "silicone-beam/scene.yaml", "time.rule="+rule, "meshes.beam.box.cells=[14, 4, 4]", "time.duration=1.2",
				fmt.Sprint("bodies.weight.mass=", math.Max(c.grams, 0.1)/1000), fmt.Sprint("materials.default.stiffness_damping=", c.damping)).run()
			hz, decrement := decay(r.history["tip_z"], r.h)
			t.Logf("%g g, %s: %.3f Hz, decrement %.3f; measured %g Hz, %g to %g", c.grams, rule, hz, decrement, c.hz, c.least, c.most)
			if rule == "euler" {
				if !(decrement > 2*c.most) {
					t.Errorf("%g g: Euler has a decrement of %.3f", c.grams, decrement)
				}
				continue
			}
			near(t, fmt.Sprintf("%g g: frequency", c.grams), hz, c.hz, 0.05*c.hz)
			near(t, fmt.Sprintf("%g g: decrement", c.grams), decrement, (c.least+c.most)/2, 0.05)
		}
	}
}
