package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// Two equal blocks of hexahedra without lateral strain, one on the other, are pressed together. The lower one is fixed
// at its base, the upper one by the plate that presses. The pressure between them is uniform and so is the strain of
// each: all vertices are on the lines of an affine map. With the weights of triangles on the side whose field is
// sampled they strayed by 7 % of the compression.
func TestBlocksPressEachOtherUniformly(t *testing.T) {
	const E, size, press = 1e6, 0.04, 2e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.contactMaterial(constraints.DefaultContactMaterial())
	w.mat(mat).Friction, w.mat(mat).StaticFriction, w.mat(mat).PressureGradient = 0, 0, 1e9
	plate := w.body("plate", w.box(0.1, 0.1, 0.01), 1, at(0, 0, 2*size+0.02), r3.Vec{}, r3.Vec{}, mat)
	w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 0.1}, Values: []float64{0, -press}}})
	for i, name := range []string{"lower", "upper"} {
		var held []int32
		var places []r3.Vec
		body := w.soft(name, r3.Vec{size, size, size}, [3]int{3, 3, 3}, E, at(0, 0, size*(float64(i)+0.5)), r3.Vec{}, mat, func(s *DeformableSpec) {
			s.Law, s.Elements, s.StiffnessDamping, s.MassDamping = must(fem.NewCorotational(E, 0)), fem.Hex12, 0.05, 20
			for v, p := range s.Mesh.Verts {
				if math.Abs(p[2]-size*(float64(i)-0.5)) < 1e-9 {
					held, places = append(held, int32(v)), append(places, r3.Vec{p[0], p[1], -0.02})
				}
			}
			if i == 0 {
				fixed(held...)(s)
			}
		})
		if i == 1 {
			w.constrain(must(constraints.NewFixed(body, held, places, plate, r3.PoseIdentity())))
		}
	}
	s, x := w.build()
	run(t, s, x, 5e-3, 200)
	for k, d := range s.deformables {
		stray, compression := strayFromAffine(s.Model.Deformables[k].Mesh().Verts, d.Positions(), size)
		t.Logf("block %d: compression %.4g m, stray %.3g of it", k, compression, stray/compression)
		near(t, "compression", compression, press/2, 0.1*press)
		if !(stray <= 0.002*compression) {
			t.Errorf("block %d: vertices stray by %.3g m, %.2g of the compression", k, stray, stray/compression)
		}
	}
}

// strayFromAffine returns how far vertices of a cube stray from a uniform compression along z, and that compression, m.
func strayFromAffine(rest, now []r3.Vec, size float64) (stray, compression float64) {
	var low, high, count float64
	for i, p := range rest {
		if p[2] < -size/2+1e-9 {
			low, count = low+now[i][2], count+1
		} else if p[2] > size/2-1e-9 {
			high += now[i][2]
		}
	}
	low, high = low/count, high/count
	for i, p := range rest {
		stray = max(stray, math.Abs(now[i][2]-(low+(high-low)*(p[2]/size+0.5))))
	}
	return stray, size - (high - low)
}
