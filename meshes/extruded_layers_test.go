package meshes

import (
	"math"
	"testing"
)

// A shaft with a flat side of 4 mm and an axle of 100 mm: the facets of the arc are short beside the size that its
// length suggests. Layers become thinner, and no thinner than they must; plates that have good layers keep them.
func TestLayersAreAsThinAsTheOutlineNeeds(t *testing.T) {
	shaft := Profile{}
	for k := range 41 {
		s, c := math.Sincos(0.2*math.Pi + 1.6*math.Pi*float64(k)/40)
		shaft.Outer = append(shaft.Outer, [2]float64{0.002 * c, 0.002 * s})
	}
	plate := Profile{Outer: [][2]float64{{0, 0}, {0.1, 0}, {0.1, 0.1}, {0, 0.1}}}
	for _, c := range []struct {
		name        string
		p           Profile
		width, size float64
		finer       bool
	}{{"shaft", shaft, 0.1, 0.004, true}, {"plate", plate, 0.01, 0.005, false}, {"thin plate", plate, 0.0005, 0.005, false}} {
		s, err := c.p.Extrude(c.width)
		if err != nil {
			t.Fatal(err)
		}
		m, r, err := TetrahedralizeSurface(s, TetOptions{Size: c.size})
		if err != nil {
			t.Fatal(err)
		}
		usual, angle := layersFor(c.width, c.size), TetQuality(m).MinDihedral
		t.Logf("%s: %d layers, usually %d, least dihedral angle %.1f°", c.name, r.Layers, usual, angle/degree)
		if c.finer != (r.Layers > usual) {
			t.Errorf("%s: %d layers, usually %d", c.name, r.Layers, usual)
		}
		if !c.finer {
			continue
		}
		if angle < layerAngle {
			t.Errorf("%s: least dihedral angle %.1f° with %d layers", c.name, angle/degree, r.Layers)
		}
		// one step of the search fewer is not enough
		few := int(float64(r.Layers) / moreLayers / moreLayers)
		if m, _, err = TetrahedralizeSurface(s, TetOptions{Size: c.size, Layers: few}); err != nil || TetQuality(m).MinDihedral >= layerAngle {
			t.Errorf("%s: %d layers would do: %v", c.name, few, err)
		}
		// a limit that holds the usual layers is no reason to fail
		plane := len(m.Verts) / (few + 1)
		m, r, err = TetrahedralizeSurface(s, TetOptions{Size: c.size, MaxVertices: plane * (usual + 3)})
		if err != nil || len(m.Verts) > plane*(usual+3) || r.Layers < usual {
			t.Errorf("%s: a limit of %d vertices: %d layers: %v", c.name, plane*(usual+3), r.Layers, err)
		}
	}
}
