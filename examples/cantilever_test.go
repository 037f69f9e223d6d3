package examples_test

import (
	"math"
	"testing"
)

// A cantilever with one element across, of which a scene says no more than the mesh, bends as
// beam theory says, w L⁴/(8 E I) = 5.886 mm, to 1 %; of linear tetrahedra it has a fifth to a
// quarter of that.
func TestCantileverOfOneElementAcrossBendsRightByDefault(t *testing.T) {
	const E, rho, g, L, H = 5e6, 500, 9.81, 0.2, 0.02
	beam := rho * g * H * H * math.Pow(L, 4) / (8 * E * math.Pow(H, 4) / 12)
	for _, c := range []struct {
		set         []string
		least, most float64
	}{
		{nil, 0.99, 1.01},
		{[]string{"deformables.beam.elements=tet10"}, 0.97, 1.01},
		{[]string{"deformables.beam.elements=tet4"}, 0.2, 0.25},
	} {
		r := begin(t, "cantilever/scene.yaml", append(c.set, "meshes.beam.box.cells=[10, 1, 1]")...)
		if err := r.step.Equilibrium(r.x, 1); err != nil {
			t.Fatal(err)
		}
		r.read()
		h := r.history["tip_z"]
		share := -h[len(h)-1] / beam
		t.Logf("%q: %.4f of the deflection", c.set, share)
		if !(share >= c.least && share <= c.most) {
			t.Errorf("%q: %.4f of the deflection of a beam, want %g to %g", c.set, share, c.least, c.most)
		}
	}
}
