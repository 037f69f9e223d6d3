package examples_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A FinRay finger of the STL file, clamped and pressed with 1 N on 42 ≤ x ≤ 58 mm, bends as it
// should: with about 1,009 vertices its tip within 3 % and the pressed band within 10 % of the
// truth; with cells of 1.5 times the thickness of the ribs and one layer both within 5 %. Linear
// tetrahedra on the same vertices give 60 and 30 % of it. The truth is that of 27-node hexahedra
// with linear pressure, of two meshes of up to 70,000 nodes, extrapolated, ±0.5 %.
func TestFinRayFingerOfAFileBendsAsItShould(t *testing.T) {
	for _, truth := range []struct{ nu, tip, band float64 }{{0.3, 9.80e-3, 17.90e-3}, {0.45, 9.135e-3, 16.21e-3}, {0.49, 8.91e-3, 15.63e-3}} {
		for _, c := range []struct {
			name             string
			set              []string
			least, tip, band float64 // most relative error
		}{
			{"1009 vertices", nil, 0, 0.03, 0.10},
			{"short cells", []string{"meshes.finger.vertices=null", "meshes.finger.size=2.1e-3", "meshes.finger.layers=1"}, 0, 0.05, 0.05},
			{"tetrahedra", []string{"deformables.finger.elements=tet4"}, 0.4, 1, 1},
		} {
			r := begin(t, "finray-bend/scene.yaml", append(c.set, fmt.Sprint("materials.silicone.poissons_ratio=", truth.nu))...)
			if err := r.step.Equilibrium(r.x, 1); err != nil {
				t.Fatal(err)
			}
			r.read()
			last := func(name string) float64 { h := r.history[name]; return h[len(h)-1] }
			// the energy is half the work of 1 N on the band's mean deflection
			tip, band := last("tip")/truth.tip-1, 2*last("elastic_J")/truth.band-1
			t.Logf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			if !(math.Abs(tip) < c.tip && math.Abs(band) < c.band && math.Abs(tip) >= c.least) {
				t.Errorf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			}
		}
	}
}

// The same finger at large deflections, with frames that turn with the elements: the tip is within
// 3 % of the truth.
func TestFinRayFingerOfAFileBendsFarAsItShould(t *testing.T) {
	for _, truth := range []struct{ nu, tip float64 }{{0.3, 8.69e-3}, {0.49, 8.23e-3}} {
		r := begin(t, "finray-bend/scene.yaml", "materials.silicone.constitutive_law=corotational", fmt.Sprint("materials.silicone.poissons_ratio=", truth.nu))
		if err := r.step.Equilibrium(r.x, 1); err != nil {
			t.Fatal(err)
		}
		r.read()
		h := r.history["tip"]
		if tip := h[len(h)-1]/truth.tip - 1; !(math.Abs(tip) < 0.03) {
			t.Errorf("ν = %g: tip %+.1f %%", truth.nu, 100*tip)
		} else {
			t.Logf("ν = %g: tip %+.1f %%", truth.nu, 100*tip)
		}
	}
}

// The check advises cells of 1.5 thicknesses of the ribs, and is content with them.
func TestFinRayFingerOfAFileIsAdvisedOfCellsBesideRibs(t *testing.T) {
	const about = "beside ribs are longer"
	coarse := strings.Join(begin(t, "finray-bend/scene.yaml").sc.Warnings, "\n")
	if !strings.Contains(coarse, about) || !strings.Contains(coarse, "size: 0.0021 (m)") {
		t.Errorf("1009 vertices: %q", coarse)
	}
	fine := strings.Join(begin(t, "finray-bend/scene.yaml", "meshes.finger.vertices=null", "meshes.finger.size=2.1e-3", "meshes.finger.layers=1").sc.Warnings, "\n")
	if strings.Contains(fine, about) {
		t.Errorf("cells of 2.1 mm: %q", fine)
	}
}
