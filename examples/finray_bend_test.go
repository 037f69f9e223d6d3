package examples_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A FinRay finger of the STL file, clamped and pressed with 1 N on 42 ≤ x ≤ 58 mm, bends as it
// should: with about 1,009 vertices its tip within 3 % and the pressed band within 10 % of the
// truth; with cells of 1.5 times the thickness of the ribs and one layer both within 5 %. Linear
// tetrahedra on the same vertices give 60 and 30 % of it. The truth is that of 27-node hexahedra
// with linear pressure, of two meshes of up to 70,000 nodes, extrapolated, ±0.5 %.
func TestFinRayFingerOfAFileBendsAsItShould(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, truth := range []struct{ nu, tip, band float64 }{{0.3, 9.80e-3, 17.90e-3}, {0.45, 9.135e-3, 16.21e-3}, {0.49, 8.91e-3, 15.63e-3}} {
		for _, c := range []struct {
			name             string
			set              []string
			least, tip, band float64 // most relative error
		}{
			{"1009 vertices", []string{"meshes.finger.vertices=1009", "meshes.finger.size=null", "meshes.finger.layers=null"}, 0, 0.03, 0.10},
			{"short cells", []string{"meshes.finger.size=2.1e-3", "meshes.finger.layers=1"}, 0, 0.05, 0.05},
			{"tetrahedra", []string{"meshes.finger.vertices=1009", "meshes.finger.size=null", "meshes.finger.layers=null", "deformables.finger.elements=tet4"}, 0.4, 1, 1},
		} {
			r := begin(t, "finray-bend/scene.yaml", append(c.set, fmt.Sprint("materials.silicone.poissons_ratio=", truth.nu))...)
			if err := r.step.Equilibrium(r.x, 1); err != nil {
				t.Fatal(err)
			}
			r.read()
			last := func(name string) float64 { h := r.history[name]; return h[len(h)-1] }
			// the energy is half the work of 1 N on the band's mean deflection
			tip, band := last("tip")/truth.tip-1, 2*last("elastic_J")/truth.band-1
			if mean := bandDeflection(t, r); math.Abs(mean/(2*last("elastic_J"))-1) > 1e-6 {
				t.Errorf("the band moves by %g m in the mean, by the work of the load %g", mean, 2*last("elastic_J"))
			}
			t.Logf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			if !(math.Abs(tip) < c.tip && math.Abs(band) < c.band && math.Abs(tip) >= c.least) {
				t.Errorf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			}
		}
	}
}

// The same finger at large deflections, with frames that turn with the elements: tip and pressed
// band are within 3 and 10 % of the truth, with short cells both within 5 %.
func TestFinRayFingerOfAFileBendsFarAsItShould(t *testing.T) {
	for _, truth := range []struct{ nu, tip, band float64 }{{0.3, 8.69e-3, 16.1e-3}, {0.49, 8.23e-3, 14.6e-3}} {
		for _, c := range []struct {
			name      string
			set       []string
			tip, band float64 // most relative error
		}{
			{"1009 vertices", []string{"meshes.finger.vertices=1009", "meshes.finger.size=null", "meshes.finger.layers=null"}, 0.03, 0.10},
			{"short cells", []string{"meshes.finger.size=2.1e-3", "meshes.finger.layers=1"}, 0.05, 0.05},
		} {
			set := append([]string{"materials.silicone.constitutive_law=corotational", fmt.Sprint("materials.silicone.poissons_ratio=", truth.nu)}, c.set...)
			r := begin(t, "finray-bend/scene.yaml", set...)
			if err := r.step.Equilibrium(r.x, 1); err != nil {
				t.Fatal(err)
			}
			r.read()
			h := r.history["tip"]
			tip, band := h[len(h)-1]/truth.tip-1, bandDeflection(t, r)/truth.band-1
			t.Logf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			if !(math.Abs(tip) < c.tip && math.Abs(band) < c.band) {
				t.Errorf("ν = %g, %s: tip %+.1f %%, band %+.1f %%", truth.nu, c.name, 100*tip, 100*band)
			}
		}
	}
}

// bandDeflection returns the mean of the displacement along y over the faces that scene.yaml
// presses, m. Under the linear law it is twice the elastic energy over the load.
func bandDeflection(t *testing.T, r *trial) float64 {
	t.Helper()
	r.step.Place(r.x, r.h)
	model := r.sc.Model.Deformables[0]
	rest, now := model.Mesh().Verts, r.step.Geometry.X_W[0]
	inBand := func(p r3.Vec) bool { return p[0] >= 0.0415 && p[0] <= 0.0585 && p[1] <= 1e-6 }
	sum, area := 0.0, 0.0
	for _, f := range model.Faces() {
		if slices.ContainsFunc(f.Verts[:f.N], func(v int32) bool { return !inBand(rest[v]) }) {
			continue
		}
		shares := f.Areas(rest)
		for k, v := range f.Verts[:f.N] {
			sum, area = sum+shares[k]*(now[v][1]-rest[v][1]), area+shares[k]
		}
	}
	if area == 0 {
		t.Fatal("no face is pressed")
	}
	return sum / area
}

// The check estimates how far the finger bends from the truth: of linear tetrahedra the pressed band
// lacks 70 %, of hexahedra 6.6 %.
func TestFinRayFingerBendsAsFarFromTheTruthAsEstimated(t *testing.T) {
	for elements, want := range map[string]float64{"tet4": 0.70, "hex12": 0.066} {
		sc := begin(t, "finray-bend/scene.yaml", "deformables.finger.elements="+elements, "meshes.finger.vertices=1009", "meshes.finger.size=null", "meshes.finger.layers=null").sc
		if got := sc.Bending[0].Lacking; got/want > 1.5 || want/got > 1.5 {
			t.Errorf("%s: %s, want %.2g", elements, &sc.Bending[0], want)
		}
		if warned := strings.Contains(strings.Join(sc.Warnings, "\n"), "too coarse"); warned != (elements == "tet4") {
			t.Errorf("%s: warned %t", elements, warned)
		}
	}
}
