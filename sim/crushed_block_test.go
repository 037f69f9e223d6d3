package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A plate presses a block of 40 mm to a half or a fifth of its height, without friction: its strain
// is uniform, and the force that of a bar with free sides,
//
//	F = A P_zz(s, s_t),  P_xx(s, s_t) = 0,
//
// at the stretch s of the block. Then the plate goes back, and the block is what it was. At no
// time does it turn about the axis of the press. Below the stretch 0.444 the uniform state of rubber
// is unstable: free sides fold (Biot 1963), how soon depends on the elements. And the law of a bar
// itself has a greatest force, at the stretch 0.42 for ν = 0.3, 0.25 for 0.4 and 0.14 for 0.45:
// beyond it layers collapse one by one.
func TestCrushedBlockFollowsItsLawAndRecovers(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name     string
		law      fem.ConstitutiveLaw
		elements fem.Elements
		h        float64
		share    float64 // of the height by which it is pressed
		tol      float64 // of the force
	}{
		{"neo-Hookean, 10 ms", must(fem.NewNeoHookean(1e5, 0.4)), fem.Tet4, 0.01, 0.5, 1e-3},
		{"neo-Hookean, 5 ms", must(fem.NewNeoHookean(1e5, 0.4)), fem.Tet4, 5e-3, 0.5, 1e-3},
		{"Mooney-Rivlin, 10 ms", must(fem.NewMooneyRivlin(1e5, 0.4, 0.2)), fem.Tet4, 0.01, 0.5, 1e-3},
		{"neo-Hookean, hexahedra, 10 ms", must(fem.NewNeoHookean(1e5, 0.4)), fem.Hex12, 0.01, 0.5, 1e-3},
		{"neo-Hookean, linear tets, 75 %", must(fem.NewNeoHookean(1e5, 0.49)), fem.Tet4, 0.01, 0.75, 1e-3},
		{"neo-Hookean, hexahedra, 80 %", must(fem.NewNeoHookean(1e5, 0.49)), fem.Hex12, 0.01, 0.8, 1e-3},
		{"Mooney-Rivlin, hexahedra, 75 %", must(fem.NewMooneyRivlin(1e5, 0.49, 0.2)), fem.Hex12, 0.01, 0.75, 1e-3},
		{"neo-Hookean, ten-node tets, 60 %", must(fem.NewNeoHookean(1e5, 0.49)), fem.Tet10, 0.01, 0.6, 5e-3},
		{"Mooney-Rivlin, hexahedra, 10 ms, ν = 0.49", must(fem.NewMooneyRivlin(1e5, 0.49, 0.2)), fem.Hex12, 0.01, 0.5, 1e-3},
		{"Ogden, hexahedra, 75 %", must(fem.NewOgden([]float64{2.4e4}, []float64{2.83}, 0.49, 4)), fem.Hex12, 0.01, 0.75, 1e-3},
		{"Yeoh, hexahedra, 60 %", must(fem.NewYeoh(1.7e4, 1.4e3, -40, 0.49, 4)), fem.Hex12, 0.01, 0.6, 1e-3},
		{"Ogden, ten-node tets, 50 %", must(fem.NewOgden([]float64{2e4, -3e3}, []float64{2.5, -2}, 0.49, 4)), fem.Tet10, 0.01, 0.5, 5e-3},
		{"neo-Hookean, ten-node tets, 10 ms", must(fem.NewNeoHookean(1e5, 0.4)), fem.Tet10, 0.01, 0.5, 1e-3},
	} {
		t.Run(c.name, func(t *testing.T) { crush(t, c.law, c.elements, c.h, c.share, c.tol) })
	}
}

func crush(t *testing.T, law fem.ConstitutiveLaw, elements fem.Elements, h, share, tol float64) {
	const size = 0.04
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.contactMaterial(constraints.DefaultContactMaterial())
	w.mat(mat).Friction, w.mat(mat).StaticFriction, w.mat(mat).PressureGradient = 0, 0, 2e9
	w.ground(mat)
	plate := w.body("plate", w.box(0.3, 0.3, 0.01), 1, at(0, 0, size+0.005), r3.Vec{}, r3.Vec{}, mat)
	w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 1, 1.5, 2}, Values: []float64{0, -share * size, -share * size, 0}}})
	w.soft("block", r3.Vec{size, size, size}, [3]int{4, 4, 4}, 1e5, at(0, 0, size/2), r3.Vec{}, mat, func(s *DeformableSpec) {
		s.Law, s.StiffnessDamping, s.MassDamping = law, 0.01, 1
		if s.Elements = elements; elements == fem.Tet10 {
			s.Mesh = meshOf(must(meshes.BoxTets(r3.Vec{size, size, size}, [3]int{2, 2, 2})), elements) // as many nodes
		}
	})
	s, x := w.build()
	gained, turned := 0.0, 0.0
	step := func(n int) {
		for range n {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			gained = max(gained, s.Report.EnergyGained.Energy)
			s.Place(x, h)
			turned = max(turned, math.Abs(s.deformables[0].Rotation().Quat().Log()[2]))
		}
	}
	step(int(1.5/h + 0.5))
	// the stretch, by the mean heights of both faces
	var low, high float64
	for i, p := range s.Model.Deformables[0].Mesh().Verts {
		z := s.deformables[0].Positions()[i][2] / 25
		switch {
		case p[2] < -size/2+1e-9:
			low += z
		case p[2] > size/2-1e-9:
			high += z
		}
	}
	stretch := (high - low) / size
	want := -size * size * uniaxialStress(law, stretch)
	force := contactForce(s, x, plate)[2]
	t.Logf("stretch %.4f, force %.6g N, closed form %.6g, turned %.2g", stretch, force, want, turned)
	near(t, "force", force, want, tol*want)
	step(int(1.5/h + 0.5))
	rest := 0.0
	for i, p := range s.Model.Deformables[0].Mesh().Verts {
		o := s.deformables[0].Positions()[i].Sub(s.deformables[0].Positions()[0]).Sub(p.Sub(s.Model.Deformables[0].Mesh().Verts[0]))
		rest = max(rest, o.Norm())
	}
	t.Logf("off its shape by %.3g m, energy %.3g J, gained %.3g J, turned %.2g", rest, s.elasticEnergy(), gained, turned)
	if rest > 1e-3*size || turned > 1e-5 {
		t.Errorf("the block is off its shape by %g m and has turned by %g", rest, turned)
	}
	if gained > 0 {
		t.Errorf("gained %g J", gained)
	}
}

// uniaxialStress returns the nominal stress of a bar with free sides at a stretch, Pa.
func uniaxialStress(law fem.ConstitutiveLaw, stretch float64) float64 {
	lo, hi := 0.1, 10.0
	stress := func() r3.Mat {
		side := 0.5 * (lo + hi)
		return law.Stress(r3.Diag(r3.Vec{side, side, stretch}), r3.Identity())
	}
	for range 100 {
		if stress()[0] > 0 {
			hi = 0.5 * (lo + hi)
		} else {
			lo = 0.5 * (lo + hi)
		}
	}
	return stress()[8]
}
