package parts

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
)

// The part is the finger of package meshes, with a handle for each window between ribs.
func TestFinRayPartIsTheFinger(t *testing.T) {
	p, err := Make("finray", map[string][]float64{"ribs": {4}, "layers": {3}})
	if err != nil {
		t.Fatal(err)
	}
	f := profiles.DefaultFinRay()
	f.Ribs = 4
	want, err := f.Tets(profiles.FinRayOptions{Layers: 3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Tets()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("other tetrahedra than those of meshes.FinRay: %v", err)
	}
	m, err := p.Surface()
	if err != nil {
		t.Fatal(err)
	}
	// χ = 2 − 2 handles
	if d := repair.Diagnose(m); !d.Closed || d.Euler != -8 {
		t.Errorf("closed %v, Euler number %d, want -8", d.Closed, d.Euler)
	}
	// volume of the facts is that of the tetrahedra
	for _, fact := range p.Facts() {
		if fact.Name == "volume" && math.Abs(fact.Value/m.Volume()-1) > 1e-12 {
			t.Errorf("volume %g m³, of the surface %g", fact.Value, m.Volume())
		}
	}
	if _, err := Make("finray", map[string][]float64{"wall": {0.03}}); err == nil || !strings.Contains(err.Error(), "two walls") {
		t.Errorf("walls that fill the tip: %v", err)
	}
	if _, err := Make("finray", map[string][]float64{"refine": {9}}); err == nil || !strings.Contains(err.Error(), "Refine 9") {
		t.Errorf("too fine: %v", err)
	}
}

// Small changes of dimensions move vertices in proportion and keep the tetrahedra, as searches for a design need.
func TestFinRayKeepsItsTetrahedraForSmallChanges(t *testing.T) {
	tets := func(name string, x float64) *meshes.Tet {
		t.Helper()
		p, err := Make("finray", map[string][]float64{name: {x}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Tets()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, x := range map[string]float64{"rib_angle": 0.2, "rib": 1.8e-3, "wall": 2.7e-3, "neck": 0.8e-3, "base_depth": 0.04, "width": 0.02} {
		at := tets(name, x)
		near, far := tets(name, x*(1+1e-4)), tets(name, x*(1+2e-4))
		if !reflect.DeepEqual(at.Tets, near.Tets) || !reflect.DeepEqual(at.Tets, far.Tets) {
			t.Errorf("%s: other tetrahedra after a change of 1e-4", name)
			continue
		}
		for i := range at.Verts {
			one, two := near.Verts[i].Sub(at.Verts[i]), far.Verts[i].Sub(at.Verts[i])
			if off := two.Sub(one.Scale(2)).Norm(); off > 1e-2*one.Norm()+1e-12 {
				t.Errorf("%s: vertex %d moves by %g m and then by %g m", name, i, one.Norm(), two.Norm())
				break
			}
		}
	}
}
