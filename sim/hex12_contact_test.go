package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A block of hexahedra, or of ten-node tets, rests on a plane, frictionless and with Poisson's ratio 0, so that each
// layer is strained alike: the vertices of its lower face are in one plane, on a rigid plane and
// on a pressure field. What strays is the share of the load on the strips of its sides that dip
// in, of the height of the depth δ: perimeter δ/2 over the area, 3e-5 of the compression here.
// With the weights of triangles the vertices would stray by 2e-2.
func TestUniformPressureStrainsElementsUniformly(t *testing.T) {
	for _, elements := range []fem.Elements{fem.Hex12, fem.Tet10} {
		for name, modulus := range map[string]float64{"plane": 0, "pressure field": 1e8} {
			t.Run(elements.String()+", "+name, func(t *testing.T) { checkUniformPressure(t, elements, modulus) })
		}
	}
}

func checkUniformPressure(t *testing.T, elements fem.Elements, modulus float64) {
	const E, density, height = 1e5, 1000.0, 0.1
	w := newScaffold(t)
	mat := w.contactMaterial(constraints.DefaultContactMaterial())
	w.mat(mat).Friction, w.mat(mat).PressureGradient, w.mat(mat).Dissipation = 0, 1e9, 20
	ground := w.contactMaterial(*w.mat(mat))
	if modulus > 0 {
		w.mat(ground).HydroelasticModulus, w.HydroelasticMargin = modulus, ptr(1e-4)
		w.geom(geometry.World, r3.PoseIdentity(), geometry.HalfSpace{Thickness: 0.1}, ground)
	} else {
		w.ground(ground)
	}
	w.soft("block", r3.Vec{0.08, 0.06, height}, [3]int{4, 3, 3}, E, at(0, 0, height/2), r3.Vec{}, mat, func(s *DeformableSpec) {
		law, err := fem.NewCorotational(E, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.Law, s.Elements, s.Density, s.StiffnessDamping = law, elements, density, 0.05
		if elements == fem.Tet10 {
			s.Mesh = s.Mesh.Quadratic()
		}
	})
	s, x := w.build()
	run(t, s, x, 5e-3, 300)
	least, most := math.Inf(1), math.Inf(-1)
	for i, p := range s.Model.Deformables[0].Mesh().Verts {
		if p[2] < -height/2+1e-9 {
			z := s.deformables[0].Positions()[i][2]
			least, most = min(least, z), max(most, z)
		}
	}
	compression := density * grav * height * height / (2 * E)
	t.Logf("stray %.3g of the compression", (most-least)/compression)
	const strips = (0.28 * density * grav * height / 1e9) / (2 * 0.0048)
	if !(most-least <= strips*compression) || least > 0 {
		t.Errorf("vertices of the lower face stray by %.3g m, %.2g of the compression", most-least, (most-least)/compression)
	}
}
