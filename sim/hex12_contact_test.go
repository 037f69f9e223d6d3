package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A block of hexahedra, or of ten-node tets, rests on a plane, frictionless and with Poisson's ratio 0, so that each
// layer is strained alike: the vertices of its lower face are in one plane, on a rigid plane to
// round-off. A pressure field acts on its sides as well, where they dip in by the depth δ:
// what strays is the share of the load on these strips, perimeter δ/2 over the area, 3e-5 of the
// compression here. With the weights of triangles the vertices would stray by 2e-2.
func TestUniformPressureStrainsElementsUniformly(t *testing.T) {
	long(t)
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
	limit := 1e-9
	if modulus > 0 {
		limit = (0.28 * density * grav * height / 1e9) / (2 * 0.0048)
	}
	if !(most-least <= limit*compression) || least > 0 {
		t.Errorf("vertices of the lower face stray by %.3g m, %.2g of the compression", most-least, (most-least)/compression)
	}
}

// A block whose vertices are moved at random, those of its faces within them, is pressed between
// two rigid plates without friction. The pressure is uniform and so is the strain, in elements of any
// shape: the vertices of both pressed faces are in one plane, and all others on the lines of
// an affine map, to 1e-9 of the compression for hexahedra and 1e-6 for ten-node tets. What the sides bore where they
// dip in would make 1e-5 of it.
func TestPlatesPressElementsOfAnyShapeUniformly(t *testing.T) {
	long(t)
	for elements, limit := range map[fem.Elements]float64{fem.Hex12: 1e-9, fem.Tet10: 1e-6} {
		t.Run(elements.String(), func(t *testing.T) { checkPressedBlock(t, elements, limit) })
	}
}

func checkPressedBlock(t *testing.T, elements fem.Elements, limit float64) {
	const E, nu, size, press = 1e6, 0.3, 0.04, 1e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.contactMaterial(constraints.DefaultContactMaterial())
	w.mat(mat).Friction, w.mat(mat).StaticFriction, w.mat(mat).PressureGradient = 0, 0, 1e9
	w.ground(mat)
	w.body("plate", w.box(0.1, 0.1, 0.01), 1, at(0, 0, size+0.005), r3.Vec{}, r3.Vec{}, mat)
	w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 0.1}, Values: []float64{0, -press}}})
	w.soft("block", r3.Vec{size, size, size}, [3]int{3, 3, 3}, E, at(0, 0, size/2), r3.Vec{}, mat, func(s *DeformableSpec) {
		s.Law, s.Elements, s.StiffnessDamping, s.MassDamping = must(fem.NewCorotational(E, nu)), elements, 0.05, 20
		moveVerts(s.Mesh, size)
		if elements == fem.Tet10 {
			s.Mesh = s.Mesh.Quadratic()
		}
	})
	s, x := w.build()
	run(t, s, x, 5e-3, 400)
	rest, now := s.Model.Deformables[0].Mesh().Verts, s.deformables[0].Positions()
	// the ends of the affine map along z: the mean heights of both faces
	var low, high, count float64
	for i, p := range rest {
		if p[2] < -size/2+1e-9 {
			low, count = low+now[i][2], count+1
		} else if p[2] > size/2-1e-9 {
			high += now[i][2]
		}
	}
	low, high = low/count, high/count
	compression := size - (high - low)
	near(t, "compression", compression, press, 0.1*press)
	stray := 0.0
	for i, p := range rest {
		stray = max(stray, math.Abs(now[i][2]-(low+(high-low)*(p[2]/size+0.5))))
	}
	t.Logf("stray %.3g of the compression", stray/compression)
	if !(stray <= limit*compression) {
		t.Errorf("vertices stray by %.3g m, %.2g of the compression", stray, stray/compression)
	}
}

// moveVerts moves the vertices of a mesh of a cube by up to a twelfth of its edge, those on the boundary
// within it.
func moveVerts(m *meshes.Tet, size float64) {
	rng := rand.New(rand.NewPCG(5, 7))
	for i := range m.Verts {
		p := &m.Verts[i]
		for k := range p {
			d := size / 12 * (2*rng.Float64() - 1)
			if math.Abs(p[k]) < size/2-1e-9 {
				p[k] += d
			}
		}
	}
}
