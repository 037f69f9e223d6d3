package shapetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// source has the meshes that samples name.
type source map[string]*meshes.Tri

func (s source) Solid(mesh string) (*geometry.Mesh, error) { return geometry.NewMesh(s[mesh]) }

func (s source) Verts(mesh string) ([]r3.Vec, error) { return s[mesh].Verts, nil }

// newSource returns a wedge, which no symmetry turns into itself, and a block.
func newSource() source {
	wedge := &meshes.Tri{
		Verts: []r3.Vec{{-0.05, -0.03, -0.02}, {0.06, -0.03, -0.02}, {-0.05, 0.04, -0.02}, {-0.05, -0.03, 0.03}, {0.06, -0.03, 0.03}, {-0.05, 0.04, 0.03}},
		Tris:  [][3]int32{{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}},
	}
	block := (&geometry.Box{Half: r3.Vec{0.05, 0.03, 0.02}}).SurfaceMesh()
	return source{"wedge": wedge, "block": block}
}

// sample is a shape made of the parameters of a registered kind.
type sample struct {
	name  string
	shape geometry.Shape
}

// registered returns the shapes of all samples of all registered kinds.
func registered(t *testing.T) (all []sample) {
	t.Helper()
	src := newSource()
	for _, k := range geometry.Shapes.Entries() {
		if k.Samples == nil || len(k.Samples()) == 0 {
			t.Errorf("%s has no samples, so that the suite cannot test it", k.Name)
			continue
		}
		for i, spec := range k.Samples() {
			name := fmt.Sprintf("%s%d", k.Name, i)
			for _, err := range kinds.Validate(spec) {
				t.Errorf("%s: %v", name, err)
			}
			s, err := spec.Make(src)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			all = append(all, sample{name, s})
		}
	}
	return all
}

func TestRegisteredShapesKeepTheirContract(t *testing.T) {
	if err := kinds.Check(geometry.Shapes); err != nil {
		t.Error(err)
	}
	for _, s := range registered(t) {
		t.Run(s.name, func(t *testing.T) { Check(t, s.shape) })
	}
}

func TestContactsOfAllPairsKeepTheirContract(t *testing.T) {
	all := registered(t)
	for i, a := range all {
		for _, b := range all[i:] {
			t.Run(a.name+" "+b.name, func(t *testing.T) { CheckPair(t, a.shape, b.shape) })
		}
	}
}

// recorder is a testing.TB that keeps messages.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// faulty is a ball with one fault.
type faulty struct {
	geometry.Sphere
	grad, phi, bounds, mesh, support bool
}

func (f *faulty) Bounds() r3.Box {
	b := f.Sphere.Bounds()
	if f.bounds {
		b.Max[0] *= 0.9
	}
	return b
}

func (f *faulty) SignedDistance(p r3.Vec) (float64, r3.Vec) {
	phi, g := f.Sphere.SignedDistance(p)
	if f.grad {
		g = g.Scale(1.01)
	}
	if f.phi {
		phi *= 1.1
	}
	return phi, g
}

func (f *faulty) SurfaceMesh() *meshes.Tri {
	m := f.Sphere.SurfaceMesh()
	if f.mesh {
		for i := range m.Verts {
			m.Verts[i] = m.Verts[i].Scale(0.8)
		}
	}
	return m
}

func (f *faulty) Support(n r3.Vec) r3.Vec {
	if f.support {
		return r3.Vec{0.01, 0, 0}
	}
	return f.Sphere.Support(n)
}

func TestFaultsAreFound(t *testing.T) {
	ball := geometry.Sphere{Radius: 0.1}
	for want, s := range map[string]*faulty{
		"":              {Sphere: ball},
		"gradient:":     {Sphere: ball, grad: true},
		"distance:":     {Sphere: ball, phi: true},
		"bounds:":       {Sphere: ball, bounds: true},
		"surface mesh:": {Sphere: ball, mesh: true},
		"support:":      {Sphere: ball, support: true},
	} {
		r := &recorder{TB: t}
		Check(r, s)
		if said := strings.Join(r.said, "\n"); want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("fault %q is reported as %q", want, said)
		}
	}
}
