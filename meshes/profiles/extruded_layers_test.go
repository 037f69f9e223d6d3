package profiles

import (
	"errors"
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
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
	}{{"shaft", shaft, 0.1, 0.004, true}, {"plate", plate, 0.01, 0.005, false}, {"thin plate", plate, 0.0005, 0.005, false}, {"foil", plate, 0.00005, 0.005, false}} {
		s, err := c.p.Extrude(c.width)
		if err != nil {
			t.Fatal(err)
		}
		m, r, err := filled(s, FillOptions{Size: c.size})
		if err != nil {
			t.Fatal(err)
		}
		usual, angle := layersFor(c.width, c.size), meshes.TetQuality(m).MinDihedral
		t.Logf("%s: %d layers, usually %d, least dihedral angle %.1f°", c.name, r.Layers, usual, angle/samples.Degree)
		if c.finer != (r.Layers > usual) {
			t.Errorf("%s: %d layers, usually %d", c.name, r.Layers, usual)
		}
		if !c.finer {
			continue
		}
		if angle < layerAngle {
			t.Errorf("%s: least dihedral angle %.1f° with %d layers", c.name, angle/samples.Degree, r.Layers)
		}
		// one step of the search fewer is not enough
		few := int(float64(r.Layers) / moreLayers / moreLayers)
		if m, _, err = filled(s, FillOptions{Size: c.size, Layers: few}); err != nil || meshes.TetQuality(m).MinDihedral >= layerAngle {
			t.Errorf("%s: %d layers would do: %v", c.name, few, err)
		}
		// a limit that admits the usual layers is no reason to fail
		plane := len(m.Verts) / (few + 1)
		m, r, err = filled(s, FillOptions{Size: c.size, MaxVertices: plane * (usual + 3)})
		if err != nil || len(m.Verts) > plane*(usual+3) || r.Layers < usual {
			t.Errorf("%s: a limit of %d vertices: %d layers: %v", c.name, plane*(usual+3), r.Layers, err)
		}
	}
}

// A plate of a tenth of the size gets smaller triangles, said in a note, and a step of the search larger ones are too
// wide for it. A foil would need too many: it stays as it is, as does a plate whose layers the user gives.
func TestTrianglesAreAsSmallAsThinPlatesNeed(t *testing.T) {
	const size = 0.005
	plate := Profile{Outer: [][2]float64{{0, 0}, {0.1, 0}, {0.1, 0.1}, {0, 0.1}}}
	for _, c := range []struct {
		width  float64
		layers int
		finer  bool
	}{{0.0005, 0, true}, {0.0005, 1, false}, {0.00005, 0, false}, {0.002, 0, false}} {
		s, err := plate.Extrude(c.width)
		if err != nil {
			t.Fatal(err)
		}
		m, r, err := filled(s, FillOptions{Size: size, Layers: c.layers})
		if err != nil {
			t.Fatal(err)
		}
		usual, err := plate.triangulate(size)
		if err != nil {
			t.Fatal(err)
		}
		angle := meshes.TetQuality(m).MinDihedral
		if finer := len(m.Verts) > 2*len(usual.pts); finer != c.finer || finer != (len(r.List) > 0) {
			t.Errorf("width %g m: %d vertices, usually %d: %v", c.width, len(m.Verts), 2*len(usual.pts), r.List)
		}
		if !c.finer {
			continue
		}
		if angle < layerAngle {
			t.Errorf("width %g m: least dihedral angle %.1f°", c.width, angle/samples.Degree)
		}
		// the number of vertices of the plane gives the size of its triangles
		wide, err := plate.triangulate(size * math.Sqrt(2*float64(len(usual.pts))/float64(len(m.Verts))) * moreLayers * moreLayers)
		if err != nil {
			t.Fatal(err)
		}
		if _, a := wide.bestLayers(c.width, 1, DefaultMaxVertices); a >= layerAngle {
			t.Errorf("width %g m: larger triangles would do", c.width)
		}
	}
}

// filled fills a prism.
func filled(s *meshes.Tri, opt FillOptions) (*meshes.Tet, Filling, error) {
	e, ok := FindExtrusion(s)
	if !ok {
		return nil, Filling{}, errors.New("the surface is no prism")
	}
	return e.Fill(opt)
}
